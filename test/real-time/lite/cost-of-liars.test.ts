import { afterEach, describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import type { LiteAskOptions } from '../../../src/net/lite/requester.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { type LiteStandIn, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';

const MIB = 1_048_576;
const chain = new LiteChain({ length: 57 });
const opts = { maxHeadAgeSeconds: 1e6 };

const started: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

async function honest(): Promise<{ client: LiteServerClient; standIn: LiteStandIn }> {
  const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
  const client = connectLite(standIn.server, { network: chain.zerostateId });
  started.push(standIn, client);
  return { client, standIn };
}

/** Sends as much garbage as it may in place of the answers named, and counts it. */
async function liar(...methods: readonly ('masterchainInfo' | 'lookup' | 'blockProof')[]) {
  const { client, standIn } = await honest();
  const sent = { bytes: 0, answers: 0 };
  const garbage = async (...given: readonly unknown[]): Promise<never> => {
    const { maxBytes = 16 * MIB } = given.at(-1) as LiteAskOptions;
    await new Promise((resolve) => setTimeout(resolve, 1));
    sent.bytes += maxBytes;
    sent.answers += 1;
    const body = new Uint8Array(maxBytes);
    throw new SourceError('source/malformed', `${client.name}: garbage`, { endpoint: client.name, body });
  };
  const lying = Object.fromEntries(methods.map((method) => [method, garbage]));
  return { client: { ...client, ...lying } as LiteServerClient, sent, standIn };
}

const budgetOf = (servers: number) => (64 + 8 * servers) * MIB;
const sumOf = (liars: readonly { readonly sent: { readonly bytes: number } }[]) =>
  liars.reduce((sum, { sent }) => sum + sent.bytes, 0);

describe('servers that send as much garbage as they may', () => {
  it.each([
    ['proofs', ['blockProof']],
    ['headers', ['lookup']],
    ['heads', ['masterchainInfo']],
    ['everything', ['masterchainInfo', 'lookup', 'blockProof']],
  ] as const)('in place of %s do not keep one honest server from leading to the head', async (_, methods) => {
    const liars = await Promise.all(Array.from({ length: 7 }, () => liar(...methods)));
    const { client } = await honest();
    const servers = [...liars.map((one) => one.client), client];
    const result = await syncCheckpoint(servers, chain.zerostateId, opts);
    expect(result.verdict).toEqual({ status: 'final' });
    expect(result.tip).toEqual(chain.id(57));
    expect(sumOf(liars)).toBeGreaterThan(6 * MIB);
    expect(sumOf(liars)).toBeLessThanOrEqual(budgetOf(8));
  });

  it('end a run that has no honest server with an error that says what each has cost', async () => {
    const liars = await Promise.all([liar('blockProof'), liar('blockProof')]);
    const servers = liars.map(({ client, sent }) => ({
      ...client,
      async masterchainInfo(asked: LiteAskOptions = {}) {
        const tl = new Uint8Array(asked.maxBytes!);
        sent.bytes += tl.length;
        return { ...(await client.masterchainInfo(asked)), tl };
      },
    }));
    const error = await syncCheckpoint(servers, chain.zerostateId, opts).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({
      code: 'source/budget',
      statements: servers.map(({ name }) => ({ source: name, error: { code: 'source/budget' } })),
      hint: expect.stringContaining('exclude the servers that cost most'),
    });
    expect((error as SourceError).message).toMatch(
      /MiB more than they prove, at most 40\.0 MiB is allowed.*MiB more than they prove/,
    );
    expect(sumOf(liars)).toBeLessThanOrEqual(budgetOf(2));
  });

  it('cost no more time than the run may take', async () => {
    const silent = await startLiteStandIn({
      answer: ({ constructorId, ...asked }) =>
        constructorId === '449cea8a' ? undefined : chain.answer({ constructorId, ...asked }),
    });
    const client = connectLite(silent.server, { network: chain.zerostateId });
    started.push(silent, client);
    const run = (deadlineMs: number, signal?: AbortSignal) =>
      syncCheckpoint([client], chain.zerostateId, { ...opts, deadlineMs, ...(signal && { signal }) });
    const error = await run(300).catch((error: unknown) => error as SourceError);
    expect(error).toMatchObject({
      code: 'source/timeout',
      message: expect.stringMatching(/^no result in 300 ms \(not-proven: block/),
      cause: { code: 'source/aborted' },
    });
    await expect(run(60_000, AbortSignal.timeout(50))).rejects.toMatchObject({ code: 'source/aborted' });
    await expect(run(0)).rejects.toMatchObject({ code: 'usage/bad-option', path: 'deadlineMs' });
    const { client: good } = await honest();
    const result = await syncCheckpoint([good], chain.zerostateId, { ...opts, deadlineMs: 60_000 });
    expect(result.verdict.status).toBe('final');
  });

  it('do not end a follower', async () => {
    const liars = await Promise.all(Array.from({ length: 3 }, () => liar('masterchainInfo', 'lookup')));
    const { client } = await honest();
    const stop = new AbortController();
    const checkpoint = startOf(chain);
    const servers = [...liars.map((one) => one.client), client];
    const seen: number[] = [];
    const follow = { signal: stop.signal, from: 50, acceptStaleStart: true, signEverySeconds: 0 };
    for await (const { header } of followLite(servers, checkpoint, follow)) {
      seen.push(header.seqno);
      if (header.seqno === 57) break;
    }
    expect(seen).toEqual([50, 51, 52, 53, 54, 55, 56, 57]);
    expect(sumOf(liars)).toBeLessThanOrEqual(budgetOf(4));
  });
});
