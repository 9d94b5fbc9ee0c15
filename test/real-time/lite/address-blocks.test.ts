/** Lite servers of one address block are one witness, wherever witnesses are counted, unless the caller has each counted. */
import { describe, expect, it } from 'vitest';
import { auditLite } from '../../../src/app/audit/lite-source.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import type { FollowLiteOptions } from '../../../src/net/lite/follow-lite-options.ts';
import { liteServerLabel } from '../../../src/net/lite/server-address.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { SyncOptions } from '../../../src/net/lite/sync-options.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteServers } from '../../helpers/lite-servers.ts';
import { type LiteStandInOptions, liteError } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 12, name: 'blocks' });
const old = new LiteChain({ length: 12, electedSeconds: -40_000, name: 'old blocks' });
const BLOCK = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'];
const OTHERS = ['203.0.113.1', '192.0.2.1'];

/** A server of the chain at each of these addresses, as its client says. */
async function clientsAt(
  hosts: readonly string[],
  of = chain,
  answer: LiteStandInOptions['answer'] = (asked) => of.answer(asked),
): Promise<LiteServerClient[]> {
  return await Promise.all(
    hosts.map(async (host) => {
      const { client } = await serve(answer);
      const server = { ...client.server, host };
      return { ...client, server, name: liteServerLabel(server) };
    }),
  );
}

const sync = async (hosts: readonly string[], opts: SyncOptions, of = chain) =>
  await syncCheckpoint(await clientsAt(hosts, of), of.zerostateId, { maxHeadAgeSeconds: 3600, ...opts });
const FINAL = { verdict: { status: 'final' } };
const TOO_MANY = {
  code: 'usage/bad-option',
  path: 'witnesses',
  hint: expect.stringMatching(/one address block.*to count each/),
};
const NO_SECOND = { ...TOO_MANY, path: 'strict', message: expect.stringMatching(/^strict: expected a second server/) };

describe('a synchronisation', () => {
  it('takes no number of witnesses that there cannot be', async () => {
    await expect(sync(BLOCK, { witnesses: 1 })).rejects.toMatchObject(TOO_MANY);
    await expect(sync(BLOCK, { strict: true })).rejects.toMatchObject(NO_SECOND);
    await expect(sync([...BLOCK, ...OTHERS], { witnesses: 3 })).rejects.toMatchObject(TOO_MANY);
    await expect(sync(BLOCK, { witnesses: 4, countEachServer: true })).rejects.toMatchObject({
      hint: expect.stringMatching(/cannot also be a witness/),
    });
  });

  it('has as many witnesses as address blocks beside that of the prover, and says so', async () => {
    const result = await sync([...BLOCK, OTHERS[0]!], { witnesses: 1 });
    expect(result).toMatchObject({ ...FINAL, witnesses: { agreed: { length: 4 }, voices: 1 } });
    expect(await sync([...BLOCK, ...OTHERS], { witnesses: 2 })).toMatchObject(FINAL);
    const each = await sync(BLOCK, { witnesses: 3, countEachServer: true });
    expect(each).toMatchObject({ ...FINAL, witnesses: { agreed: { length: 3 } } });
    expect(each.witnesses.voices).toBeUndefined();
  });

  it('from an old set needs two address blocks to agree', async () => {
    const stale = { verdict: { status: 'undecided', reason: 'stale-set' } };
    expect(await sync(BLOCK, {}, old)).toMatchObject({ ...stale, witnesses: { agreed: { length: 3 }, voices: 0 } });
    expect(await sync([BLOCK[0]!, BLOCK[1]!, OTHERS[0]!, '203.0.113.2'], {}, old)).toMatchObject(stale);
    expect(await sync([...BLOCK, ...OTHERS], {}, old)).toMatchObject(FINAL);
    expect(await sync(BLOCK, { countEachServer: true }, old)).toMatchObject(FINAL);
  });
});

describe('a follower', () => {
  async function follow(hosts: readonly string[], opts: FollowLiteOptions, of = chain): Promise<number[]> {
    const seqnos: number[] = [];
    const start = startOf(of);
    const set = { signEverySeconds: 0, from: 11, maxOutageMs: 300, ...opts };
    for await (const { header } of followLite(await clientsAt(hosts, of), start, set)) {
      seqnos.push(header.seqno);
      if (header.seqno === 12) break;
    }
    return seqnos;
  }

  it('waits for witnesses of other address blocks', async () => {
    await expect(follow(BLOCK, { strict: true })).rejects.toMatchObject(NO_SECOND);
    expect(await follow([...BLOCK, ...OTHERS], { witnesses: 2 })).toEqual([11, 12]);
    expect(await follow(BLOCK, { witnesses: 3, countEachServer: true })).toEqual([11, 12]);
  });

  it('counts those that agree, and not the servers that there are', async () => {
    const clients = await clientsAt(BLOCK);
    const [silent] = await clientsAt([OTHERS[0]!], chain, () => liteError(502, 'gone'));
    const start = startOf(chain);
    const opts = { signEverySeconds: 0, from: 11, maxOutageMs: 300, strict: true };
    const run = followLite([...clients, silent!], start, opts);
    await expect(run.next()).rejects.toMatchObject({
      message: expect.stringContaining('0 other servers name block 12, 1 are needed'),
    });
  });

  it('goes on from an old set where two address blocks agree', async () => {
    const stale = { code: 'trust/stale-start', message: expect.stringContaining('other servers agree, 2 are needed') };
    await expect(follow(BLOCK, {}, old)).rejects.toMatchObject(stale);
    expect(await follow([...BLOCK, ...OTHERS], {}, old)).toEqual([11, 12]);
    expect(await follow(BLOCK, { countEachServer: true }, old)).toEqual([11, 12]);
  });
});

it('an audit begins at an old set where two address blocks agree', async () => {
  const lead = async (hosts: readonly string[], opts = {}) => {
    const source = auditLite(await clientsAt(hosts, old), opts);
    const start = startOf(old);
    return await source.lead!(start, 12, { num: 2n, den: 3n }, new AbortController().signal);
  };
  await expect(lead(BLOCK)).rejects.toMatchObject({ code: 'trust/stale-start' });
  expect((await lead([...BLOCK, ...OTHERS])).checkpoint.keyBlock.seqno).toBe(10);
  expect((await lead(BLOCK, { countEachServer: true })).checkpoint.keyBlock.seqno).toBe(10);
  expect(() => auditLite([], { countEachServer: 1 as never })).toThrow(/server/);
});
