import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { SourceError, type TrustError } from '../../../src/core/base/errors.ts';
import { checkpointFromKeyBlock } from '../../../src/core/chain/checkpoint.ts';
import type { KeyBlock } from '../../../src/core/chain/key-blocks.ts';
import type { Ed25519Engine } from '../../../src/core/ed25519/engine.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { blockOfReport } from '../../../src/core/facts/final-block.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { SyncProgress } from '../../../src/net/lite/sync-options.ts';
import { openTcp } from '../../../src/net/lite/tcp.ts';
import { ForkError } from '../../../src/net/lite/witnesses.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { type LiteStandIn, type LiteStandInOptions, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const started: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

interface Served {
  readonly standIn: LiteStandIn;
  readonly client: LiteServerClient;
}

async function serve(chain: LiteChain, over: Partial<LiteStandInOptions> = {}): Promise<Served> {
  const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked), ...over });
  const client = connectLite(standIn.server, { network: chain.zerostateId });
  started.push(standIn, client);
  return { standIn, client };
}

const PROOF = '449cea8a';
const chain = new LiteChain({ length: 57 });
const nowSeconds = () => Date.now() / 1000;
const atZerostate = () => startOf(chain);
/** A head is a minute old soon: the chain of these tests was made once. */
const opts = { maxHeadAgeSeconds: 3600, engine: oneOffEngine };

describe('a synchronisation', () => {
  it.each([
    ['a pinned zerostate', () => chain.zerostateId],
    ['a checkpoint', atZerostate],
    ['a pinned key block', () => chain.id(20)],
  ])('goes from %s to the head', async (_, from) => {
    const { client, standIn } = await serve(chain);
    const steps: SyncProgress[] = [];
    const result = await syncCheckpoint([client], from(), { ...opts, onProgress: (step) => void steps.push(step) });
    expect(result).toMatchObject({ verdict: { status: 'final' }, startIsStale: false, answers: 1 });
    expect(result.tip).toEqual(chain.id(57));
    expect(result.tipHeader.seqno).toBe(57);
    expect(result.checkpoint.keyBlock).toEqual(chain.id(50));
    expect(result.report!.verdict.status).toBe('final');
    expect(result.report!.bound).toHaveLength(5);
    expect(steps.at(-1)).toMatchObject({ links: result.links, bytes: result.bytes, source: client.name });
    expect(standIn.asked.filter(({ constructorId }) => constructorId === PROOF)).toHaveLength(1);
  });

  it('takes as many answers as it needs, and asks for the next while it verifies one', async () => {
    const long = new LiteChain({ length: 83, keyEvery: 2 });
    const { client, standIn } = await serve(long);
    const keyBlocks: KeyBlock[] = [];
    const onProgress = (step: SyncProgress) => void keyBlocks.push(...step.keyBlocks);
    const result = await syncCheckpoint([client], long.zerostateId, { ...opts, onProgress });
    expect(result).toMatchObject({ links: 42, answers: 3, verdict: { status: 'final' } });
    const all = Array.from({ length: 41 }, (_, k) => long.blocks.get(2 * k + 2)!);
    expect(keyBlocks).toEqual(all.map(({ id, form }) => ({ block: id, genUtime: form.genUtime })));
    expect(result.checkpoint.keyBlock).toEqual(long.id(82));
    expect(result.checkpoint.anchor).toEqual(long.zerostateId);
    const proofs = standIn.asked.filter(({ constructorId }) => constructorId === PROOF);
    expect(proofs.map(({ request }) => request.readUInt32LE(20))).toEqual([0, 32, 64]);
  });

  it('has sent the next question before it begins to verify an answer', async () => {
    const long = new LiteChain({ length: 83, keyEvery: 2 });
    const { standIn } = await serve(long);
    let writes = 0;
    const client = connectLite(standIn.server, {
      open(to, events) {
        const transport = openTcp(to, events);
        return {
          ...transport,
          write(bytes) {
            writes += 1;
            transport.write(bytes);
          },
        };
      },
    });
    started.push(client);
    const atVerification: number[] = [];
    const engine: Ed25519Engine = {
      ...referenceEngine,
      open(keys) {
        atVerification.push(writes);
        return referenceEngine.open(keys);
      },
    };
    await syncCheckpoint([client], long.zerostateId, { ...opts, engine });
    expect(atVerification[0]).toBe(4); // the handshake, the head, the first proof, and the second
  });

  it('goes on from where it was interrupted, with the next server', async () => {
    const long = new LiteChain({ length: 83, keyEvery: 2 });
    let proofs = 0;
    const first = await serve(long, {
      answer: (asked) =>
        asked.constructorId === PROOF && ++proofs > 2 ? liteError(651, 'not in db') : long.answer(asked),
    });
    const steps: SyncProgress[] = [];
    const failed = syncCheckpoint([first.client], long.zerostateId, {
      ...opts,
      onProgress: (step) => void steps.push(step),
    });
    await expect(failed).rejects.toMatchObject({ code: 'source/not-ready' });
    expect(steps.at(-1)!.checkpoint.keyBlock).toEqual(long.id(62));
    const second = await serve(long);
    const result = await syncCheckpoint([second.client], steps.at(-1)!.checkpoint, opts);
    expect(result.tip).toEqual(long.id(83));
    expect(result.checkpoint.anchor).toEqual(long.zerostateId);
    expect(second.standIn.asked.find(({ constructorId }) => constructorId === PROOF)!.request.readUInt32LE(20)).toBe(
      62,
    );
  });

  it('passes over servers that fail, and those that lie, and says what each did when none is left', async () => {
    const silent = await serve(chain, {
      answer: (asked) => (asked.constructorId === PROOF ? liteError(502, 'no') : chain.answer(asked)),
    });
    const liar = await serve(chain, {
      answer: async (asked) => {
        const answer = Buffer.from(await chain.answer(asked));
        if (asked.constructorId === PROOF) answer[answer.length - 400]! ^= 1;
        return answer;
      },
    });
    const honest = await serve(chain);
    const result = await syncCheckpoint([silent.client, liar.client, honest.client], chain.zerostateId, opts);
    expect(result.tip).toEqual(chain.id(57));
    const none = await syncCheckpoint([silent.client, liar.client], chain.zerostateId, opts).catch(
      (error: SourceError) => error,
    );
    expect(none).toMatchObject({ name: 'SourceError' });
    const causes = (none as SourceError).statements.map(({ error }) => (error as SourceError).cause);
    expect(causes.filter((cause) => cause !== undefined)).toHaveLength(1);
  });

  it.each<[string, string, (chain: LiteChain) => Buffer]>([
    ['ends elsewhere than it was asked', 'trust/incomplete', (one) => one.proof(0, 56)],
    ['begins elsewhere', 'source/wrong-block', (one) => one.proof(10, 57)],
    ['makes no progress', 'trust/incomplete', (one) => lie(one.proof(0, 0), { complete: false })],
    ['says that it is complete and is not', 'trust/incomplete', (one) => lie(one.proof(0, 50), { complete: true })],
    ['stops at a block that is no key block', 'trust/incomplete', (one) => lie(one.proof(0, 55), { complete: false })],
  ])('is not taken in by an answer that %s', async (_, code, made) => {
    const { client } = await serve(chain, {
      answer: (asked) => (asked.constructorId === PROOF ? made(chain) : chain.answer(asked)),
    });
    const error = await syncCheckpoint([client], atZerostate(), opts).catch((caught: SourceError) => caught);
    const codes = [error, ...(error as SourceError).statements.map((statement) => statement.error)].flatMap((one) => [
      (one as SourceError).code,
      ((one as SourceError).cause as TrustError | undefined)?.code,
    ]);
    expect(codes).toContain(code);
  });

  it('turns to another server when one gives link by link what fits into one answer', async () => {
    const long = new LiteChain({ length: 83, keyEvery: 2 });
    const miser = await serve(long, {
      answer: (asked) => {
        if (asked.constructorId !== PROOF) return long.answer(asked);
        const known = asked.request.readUInt32LE(20);
        return known < 82 ? lie(long.proof(known, known + 2), { complete: false }) : long.answer(asked);
      },
    });
    const other = await serve(long, {
      async answer(asked) {
        // The quickest server is asked first, and that is to be the other one.
        if (asked.constructorId === 'df71a670') await new Promise((resolve) => setTimeout(resolve, 300));
        return await long.answer(asked);
      },
    });
    const result = await syncCheckpoint([miser.client, other.client], long.zerostateId, opts);
    expect(result.tip).toEqual(long.id(83));
    const askedOf = ({ standIn }: typeof miser) =>
      standIn.asked.filter(({ constructorId }) => constructorId === PROOF).length;
    expect(askedOf(miser)).toBeLessThan(15);
    expect(askedOf(other)).toBeGreaterThan(0);
  });

  it('leaves a server of another network out', async () => {
    const other = new LiteChain({ length: 12, name: 'another' });
    const stranger = await serve(other);
    const client = connectLite(stranger.standIn.server, { network: chain.zerostateId });
    started.push(client);
    await expect(syncCheckpoint([client], chain.zerostateId, opts)).rejects.toMatchObject({
      code: 'source/wrong-network',
    });
  });

  it('asks it for no proof where only the trusted start tells the network', async () => {
    const other = await serve(new LiteChain({ length: 90, name: 'another' }));
    const client = connectLite(other.standIn.server);
    started.push(client);
    const honest = await serve(chain);
    const result = await syncCheckpoint([client, honest.client], chain.zerostateId, opts);
    expect(result).toMatchObject({ verdict: { status: 'final' }, tip: chain.id(57) });
    expect(other.standIn.asked.map(({ constructorId }) => constructorId)).not.toContain(PROOF);
    await expect(syncCheckpoint([client], chain.zerostateId, opts)).rejects.toMatchObject({
      code: 'source/wrong-network',
    });
  });

  it('does not begin at a zerostate of which one hash is wrong', async () => {
    const { standIn } = await serve(chain);
    const client = connectLite(standIn.server);
    started.push(client);
    const pinned = { ...chain.zerostateId, fileHash: new Uint8Array(32) as typeof chain.zerostateId.fileHash };
    await expect(syncCheckpoint([client], pinned, opts)).rejects.toMatchObject({ code: 'source/wrong-network' });
  });

  it('leaves it out too where a block is asked for by its number', async () => {
    const stranger = await serve(chain);
    const { zerostateId: network } = new LiteChain({ length: 1, name: 'another' });
    const client = connectLite(stranger.standIn.server, { network });
    started.push(client);
    const error = await syncCheckpoint([client], chain.zerostateId, { to: 18 }).catch((caught: SourceError) => caught);
    expect(error).toMatchObject({ code: 'source/wrong-network' });
    expect(stranger.standIn.asked.map(({ constructorId }) => constructorId)).not.toContain('1ef7c8fa');
    const honest = await serve(chain);
    const result = await syncCheckpoint([client, honest.client], chain.zerostateId, { to: 18 });
    expect(result).toMatchObject({ verdict: { status: 'final' }, tip: chain.id(18), witnesses: { agreed: [] } });
  });

  it('says at its time limit which block is proven, and which one the servers lack', async () => {
    const { client } = await serve(chain);
    const late = syncCheckpoint([client], chain.zerostateId, { to: 100_000, deadlineMs: 300 });
    const words = /^no result in 300 ms \(no-server: block 0 of 0; the last failure: no lite server has block 100000/;
    await expect(late).rejects.toMatchObject({ code: 'source/timeout', message: expect.stringMatching(words) });
  });

  it('does not go for a block that only one server names', async () => {
    const ahead = new LiteChain({ length: 59 });
    const [liar, one, two] = [await serve(chain), await serve(chain), await serve(chain)];
    const bogus = connectLite(liar.standIn.server);
    started.push(bogus);
    const lying = await serve(chain, {
      answer: async (asked) => {
        if (asked.constructorId !== 'df71a670') return liteError(651, 'not in db');
        const info = Buffer.from(await chain.answer(asked));
        ahead.masterchainInfoExt().copy(info, 24, 24, 104); // another head
        return info;
      },
    });
    const result = await syncCheckpoint([lying.client, one.client, two.client], chain.zerostateId, opts);
    expect(result.tip).toEqual(chain.id(57));
  });

  it('throws what is thrown by the callback, whatever that is, and asks no server for it', async () => {
    const { client, standIn } = await serve(chain);
    const thrown = new SourceError('source/upstream', 'a disk elsewhere');
    const onProgress = () => {
      throw thrown;
    };
    await expect(syncCheckpoint([client], chain.zerostateId, { ...opts, onProgress })).rejects.toBe(thrown);
    expect(standIn.asked.filter(({ constructorId }) => constructorId === PROOF)).toHaveLength(1);
  });

  it('stops at the signal, and leaves no connection busy', async () => {
    const { client, standIn } = await serve(chain, {
      answer: (asked) => (asked.constructorId === PROOF ? undefined : chain.answer(asked)),
    });
    const controller = new AbortController();
    const sync = syncCheckpoint([client], chain.zerostateId, { ...opts, signal: controller.signal });
    while (!standIn.asked.some(({ constructorId }) => constructorId === PROOF))
      await new Promise((resolve) => setTimeout(resolve, 2));
    controller.abort();
    await expect(sync).rejects.toMatchObject({ code: 'source/aborted' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['maxHeadAgeSeconds', { maxHeadAgeSeconds: Number.NaN }],
    ['maxHeadAgeSeconds', { maxHeadAgeSeconds: '60 s' }],
    ['maxHeadAgeSeconds', { maxHeadAgeSeconds: 0 }],
    ['maxHeadAgeSeconds', { maxHeadAgeSeconds: Number.POSITIVE_INFINITY }],
    ['witnesses', { witnesses: '0' }],
    ['witnesses', { witnesses: Number.NaN }],
    ['to', { to: '18' }],
    ['to', { to: 9 }],
    ['clock', { clock: 5 }],
    ['clock()', { clock: () => Number.NaN }],
    ['clock()', { clock: () => Date.now() }],
    ['onProgress', { onProgress: 5 }],
    ['acceptStaleStart', { acceptStaleStart: 'no' }],
    ['startWasStale', { startWasStale: 1 }],
    ['resume', { resume: new Uint8Array(4) }],
    ['signal', { signal: {} }],
    ['engine', { engine: 'openssl' }],
    ['witness', { witness: 1 }],
  ])('refuses a wrong %s', async (path, wrong) => {
    const { client } = await serve(chain);
    const from = checkpointFromKeyBlock(chain.blocks.get(10)!.boc, chain.id(10));
    await expect(syncCheckpoint([client], from, wrong)).rejects.toMatchObject({ code: 'usage/bad-option', path });
  });

  it('refuses what are no servers, no start, and no options', async () => {
    const { client, standIn } = await serve(chain);
    const from = chain.zerostateId;
    const run = syncCheckpoint as (...args: readonly unknown[]) => Promise<unknown>;
    const wrong: readonly (readonly [string, ...(readonly unknown[])])[] = [
      ['clients', null, from],
      ['clients', client, from],
      ['clients', [], from],
      ['clients[0]', [null], from],
      ['clients[0]', [standIn.server], from],
      ['clients[1]', [client, 'lite://'], from],
      ['from', [client], null],
      ['from', [client], 'text'],
      ['from', [client], {}],
      ['from', [client], [client]],
      ['options', [client], from, null],
      ['options', [client], from, 5],
    ];
    for (const [path, ...args] of wrong)
      await expect(run(...args)).rejects.toMatchObject({ code: 'usage/bad-option', path });
    expect(standIn.asked).toEqual([]);
  });

  it('refuses one server under two names', async () => {
    const { standIn } = await serve(chain);
    const twice = [connectLite(standIn.server), connectLite({ ...standIn.server, host: 'localhost' })];
    await expect(syncCheckpoint(twice, chain.zerostateId)).rejects.toMatchObject({ code: 'usage/bad-option' });
  });
});

/** The same answer with another word on being complete. */
function lie(tl: Uint8Array, { complete }: { complete: boolean }): Buffer {
  const bytes = Buffer.from(tl);
  bytes.set(Buffer.from(complete ? 'b5757299' : '379779bc', 'hex'), 4);
  return bytes;
}

describe('the age of a head', () => {
  const made = nowSeconds();
  it('is told: a head older than the limit is undecided, not an error', async () => {
    const { client } = await serve(chain);
    const result = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 0.001 });
    expect(result.verdict).toEqual({ status: 'undecided', reason: 'stale-head' });
    expect(result.headAgeSeconds).toBeLessThan(nowSeconds() - made + 60);
  });

  it('cannot be told when this clock and all servers differ, two at least', async () => {
    const servers = [(await serve(chain)).client, (await serve(chain)).client];
    for (const off of [-3600, 3600]) {
      const sync = syncCheckpoint(servers, chain.zerostateId, { clock: () => nowSeconds() + off });
      await expect(sync).rejects.toMatchObject({ code: 'source/clock' });
    }
    const alone = await syncCheckpoint(servers.slice(0, 1), chain.zerostateId, { clock: () => nowSeconds() + 3600 });
    expect(alone.verdict).toEqual({ status: 'undecided', reason: 'stale-head' });
  });

  it('is told though the clock of one server of two is wrong, whoever answers first', async () => {
    const wrong = new LiteChain({ length: 57, firstUtime: chain.blocks.get(1)!.form.genUtime! });
    wrong.clockSkew = 3600;
    const servers = [(await serve(wrong)).client, (await serve(chain)).client];
    for (const these of [servers, [...servers].reverse()]) {
      const result = await syncCheckpoint(these, chain.zerostateId, opts);
      expect(result).toMatchObject({ verdict: { status: 'final' }, witnesses: { agreed: { length: 1 } } });
    }
  });

  it('cannot be told either where the head is the very block that trust began at', async () => {
    const short = new LiteChain({ length: 50, firstUtime: chain.blocks.get(1)!.form.genUtime! });
    const from = checkpointFromKeyBlock(short.blocks.get(50)!.boc, short.id(50));
    const servers = [(await serve(short)).client, (await serve(short)).client];
    const sync = syncCheckpoint(servers, from, { ...opts, clock: () => nowSeconds() + 3000 });
    await expect(sync).rejects.toMatchObject({ code: 'source/clock' });
  });

  it('cannot be told of a head from the future', async () => {
    const future = new LiteChain({ length: 12, firstUtime: Math.floor(nowSeconds()) + 500 });
    const { client } = await serve(future);
    await expect(syncCheckpoint([client], future.zerostateId)).rejects.toMatchObject({ code: 'source/clock' });
  });
});

describe('a start older than the stakes of its set', () => {
  const old = new LiteChain({ length: 57, electedSeconds: -40_000, name: 'old' });

  it('gives no final head by one server, or by one witness', async () => {
    const servers = [await serve(old), await serve(old)];
    const result = await syncCheckpoint(
      servers.map(({ client }) => client),
      old.zerostateId,
      opts,
    );
    expect(result).toMatchObject({ startIsStale: true, verdict: { status: 'undecided', reason: 'stale-set' } });
    expect(result.witnesses.agreed).toHaveLength(1);
    expect(() => blockOfReport(result.report!, result.tipHeader)).toThrow(
      expect.objectContaining({ code: 'trust/not-final' }),
    );
  });

  it('gives one by two witnesses, or where the caller takes it', async () => {
    const servers = [await serve(old), await serve(old), await serve(old)];
    const clients = servers.map(({ client }) => client);
    const result = await syncCheckpoint(clients, old.zerostateId, opts);
    expect(result).toMatchObject({ startIsStale: true, verdict: { status: 'final' } });
    const taken = await syncCheckpoint(clients.slice(0, 1), old.zerostateId, { ...opts, acceptStaleStart: true });
    expect(taken).toMatchObject({ startIsStale: true, verdict: { status: 'final' } });
    for (const { checkpoint } of [result, taken]) expect(checkpoint.staleStart).toBe('accepted');
  });

  it('is kept by the checkpoint that it leads to, from which no head is final either', async () => {
    const { client } = await serve(old);
    const refused = await syncCheckpoint([client], old.zerostateId, { ...opts, to: 45 });
    expect(refused.checkpoint).toMatchObject({ staleStart: 'refused' });
    for (const more of [{}, { to: refused.checkpoint.keyBlock.seqno + 1 }]) {
      const again = await syncCheckpoint([client], refused.checkpoint, { ...opts, ...more });
      expect(again).toMatchObject({ startIsStale: true, verdict: { status: 'undecided', reason: 'stale-set' } });
      expect(again.checkpoint.staleStart).toBe('refused');
      const taken = await syncCheckpoint([client], refused.checkpoint, { ...opts, ...more, acceptStaleStart: true });
      expect(taken).toMatchObject({ verdict: { status: 'final' }, checkpoint: { staleStart: 'accepted' } });
    }
  });

  it('is not forgotten by a run that goes on from an interrupted one', async () => {
    const { client } = await serve(chain);
    const result = await syncCheckpoint([client], atZerostate(), { ...opts, startWasStale: true });
    expect(result).toMatchObject({ startIsStale: true, verdict: { status: 'undecided', reason: 'stale-set' } });
    expect(result.checkpoint.staleStart).toBe('refused');
    expect(() => blockOfReport(result.report!, result.tipHeader)).toThrow(
      expect.objectContaining({ code: 'trust/not-final', message: expect.stringContaining('stale-set') }),
    );
  });

  it('is an exception in the block that such a head makes, where the caller takes it', async () => {
    const { client } = await serve(chain);
    const run = (more: object) => syncCheckpoint([client], atZerostate(), { ...opts, ...more });
    const taken = await run({ startWasStale: true, acceptStaleStart: true });
    expect(blockOfReport(taken.report!, taken.tipHeader).provenance).toMatchObject({
      exceptions: ['accepted-stale-start'],
    });
    expect(taken.report!.warnings).toEqual([
      { code: 'stale-start', message: expect.stringMatching(/^trust began with validators that/) },
    ]);
    const fresh = await run({ acceptStaleStart: true });
    expect(blockOfReport(fresh.report!, fresh.tipHeader).provenance).toMatchObject({ exceptions: [] });
    expect(fresh.report!.warnings).toEqual([]);
  });
});

describe('witnesses', () => {
  it('that name the same head are counted, by name', async () => {
    const servers = [await serve(chain), await serve(chain), await serve(chain)];
    const result = await syncCheckpoint(
      servers.map(({ client }) => client),
      chain.zerostateId,
      { ...opts, witnesses: 2 },
    );
    expect(result.witnesses.agreed).toHaveLength(2);
    expect(servers.map(({ client }) => client.name)).toEqual(expect.arrayContaining([...result.witnesses.agreed]));
  });

  it('that say nothing do not count, and with too few it is undecided: no report says final', async () => {
    const silent = () =>
      serve(chain, {
        answer: (asked) => (asked.constructorId === '1ef7c8fa' ? liteError(651, 'no') : chain.answer(asked)),
      });
    const servers = [(await silent()).client, (await silent()).client];
    const result = await syncCheckpoint(servers, chain.zerostateId, { ...opts, witnesses: 1 });
    expect(result).toMatchObject({
      verdict: { status: 'undecided', reason: 'too-few-witnesses' },
      witnesses: { agreed: [], behind: [{ error: { code: 'source/not-ready' } }] },
    });
    expect([result.report, result.signatures]).toEqual([undefined, undefined]);
    await expect(syncCheckpoint(servers, chain.zerostateId, { witnesses: 2 })).rejects.toMatchObject({
      code: 'usage/bad-option',
    });
  });

  it('are one at least for strict, unless a number is named', async () => {
    const servers = [(await serve(chain)).client, (await serve(chain)).client];
    const strict = { ...opts, strict: true };
    const result = await syncCheckpoint(servers, chain.zerostateId, strict);
    expect(result).toMatchObject({ verdict: { status: 'final' }, witnesses: { agreed: { length: 1 } } });
    const alone = syncCheckpoint(servers.slice(0, 1), chain.zerostateId, strict);
    await expect(alone).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: 'strict',
      message: expect.stringMatching(/^strict: expected a second server/),
    });
    await syncCheckpoint(servers.slice(0, 1), chain.zerostateId, { ...strict, witnesses: 0 });
  });

  it('are not waited for where the only one is of another network, though its head is lower than trust', async () => {
    const stranger = new LiteChain({ length: 3, name: 'another network' });
    const { client } = await serve(stranger);
    const { checkpoint } = await syncCheckpoint([(await serve(chain)).client], chain.zerostateId, opts);
    expect(checkpoint.keyBlock.seqno).toBeGreaterThan(3);
    await expect(syncCheckpoint([client], checkpoint, opts)).rejects.toMatchObject({
      code: 'source/wrong-network',
      retryable: false,
      statements: [{ source: client.name }],
    });
  });

  it('are asked too where the head is the very block that trust began at', async () => {
    const at = { ...opts, witnesses: 1 };
    const from = checkpointFromKeyBlock(chain.blocks.get(50)!.boc, chain.id(50));
    const short = new LiteChain({ length: 50, firstUtime: chain.blocks.get(1)!.form.genUtime! });
    expect(short.id(50)).toEqual(chain.id(50));
    const mute = await serve(short, {
      answer: (asked) => (asked.constructorId === '1ef7c8fa' ? liteError(651, 'no') : short.answer(asked)),
    });
    const servers = [await serve(short), mute, await serve(short)].map(({ client }) => client);
    const result = await syncCheckpoint(servers, from, at);
    expect(result).toMatchObject({ verdict: { status: 'final' }, answers: 0, witnesses: { agreed: { length: 1 } } });
    const alone = await syncCheckpoint([servers[0]!, mute.client], from, at);
    expect(alone).toMatchObject({
      verdict: { status: 'undecided', reason: 'too-few-witnesses' },
      witnesses: { behind: [{ source: mute.client.name }] },
    });
  });

  it('that name another block without a proof are told, and do not agree', async () => {
    const fork = new LiteChain({ length: 57, forkAt: 55 });
    const liar = await serve(chain, {
      answer: (asked) => (asked.constructorId === '1ef7c8fa' ? fork.answer(asked) : chain.answer(asked)),
    });
    const honest = [await serve(chain), await serve(chain)];
    const result = await syncCheckpoint([honest[0]!.client, honest[1]!.client, liar.client], chain.zerostateId, opts);
    expect(result).toMatchObject({
      verdict: { status: 'final' },
      tip: chain.id(57),
      witnesses: { agreed: { length: 1 }, contradicts: [{ source: liar.client.name }] },
      warnings: [expect.objectContaining({ code: 'contradicted' })],
    });
  });

  it('that prove another head show a fork: the run ends, with evidence that holds without a server', async () => {
    const firstUtime = Math.floor(nowSeconds()) - 56;
    const one = new LiteChain({ length: 57, firstUtime, name: 'forked', weights: [10n, 17n, 24n, 31n] });
    const two = new LiteChain({ length: 57, firstUtime, name: 'forked', weights: [10n, 17n, 24n, 31n], forkAt: 55 });
    expect(two.id(54)).toEqual(one.id(54));
    const servers = [await serve(one), await serve(two)];
    const error = await syncCheckpoint(
      servers.map(({ client }) => client),
      one.zerostateId,
      opts,
    ).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ForkError);
    const fork = error as ForkError;
    expect(fork).toMatchObject({ code: 'source/disagree' });
    const proof = verifyForkEvidence(JSON.parse(JSON.stringify(fork.evidence)));
    expect(proof.seqno).toBe(57);
    expect(proof.sides.map(({ source }) => source).sort()).toEqual(servers.map(({ client }) => client.name).sort());
    expect(new Set(proof.sides.map(({ blockId }) => Buffer.from(blockId.rootHash).toString('hex'))).size).toBe(2);
    expect(proof.signedBoth.length).toBe(4);
    expect(proof.signedBothWeight).toBe(82n);
  });
});

describe('a clock that is set while two histories are compared', () => {
  const year = 366 * 86_400;
  /** Runs over two histories. @param isAhead whether the clock is a year ahead, at each time that it is read after the second proof */
  const synced = async (isAhead: (reads: number) => boolean) => {
    const firstUtime = Math.floor(nowSeconds()) - 56;
    const one = new LiteChain({ length: 57, firstUtime, name: 'set' });
    const two = new LiteChain({ length: 57, firstUtime, name: 'set', forkAt: 55 });
    let isShown = false;
    let reads = 0;
    const answer: LiteStandInOptions['answer'] = async (asked) => {
      isShown ||= asked.constructorId === PROOF;
      return await two.answer(asked);
    };
    const servers = [await serve(one), await serve(two, { answer })];
    const clock = () => nowSeconds() + (isShown && isAhead(reads++) ? year : 0);
    const clients = servers.map(({ client }) => client);
    two.head = 56; // so that the first server proves the head
    const result = syncCheckpoint(clients, one.zerostateId, { ...opts, clock }).catch((error: unknown) => error);
    while (servers[0]!.standIn.asked.every(({ constructorId }) => constructorId !== PROOF)) await sleep(1);
    two.head = 57;
    return await result;
  };

  it('does not make a fork a case of old keys', async () => {
    expect(await synced((reads) => reads === 0)).toBeInstanceOf(ForkError);
  });

  it('ends the run where it stays wrong', async () => {
    expect(await synced(() => true)).toMatchObject({ code: 'source/clock' });
  });
});

describe('evidence of a fork', () => {
  it('is refused when it shows none, or was edited', async () => {
    const firstUtime = Math.floor(nowSeconds()) - 56;
    const one = new LiteChain({ length: 15, firstUtime, name: 'forked' });
    const two = new LiteChain({ length: 15, firstUtime, name: 'forked', forkAt: 14 });
    const { forkEvidence } = await import('../../../src/net/lite/fork-evidence.ts');
    const start = checkpointFromKeyBlock(one.blocks.get(10)!.boc, one.id(10));
    const side = (source: string, body: Uint8Array) => ({ source, body });
    const good = forkEvidence(start, [side('a', one.proof(10, 15)), side('b', two.proof(10, 15))]);
    expect(verifyForkEvidence(good).sides.map(({ source }) => source)).toEqual(['a', 'b']);
    const same = forkEvidence(start, [side('a', one.proof(10, 15)), side('b', one.proof(10, 15))]);
    const apart = forkEvidence(start, [side('a', one.proof(10, 15)), side('b', two.proof(10, 14))]);
    const alone = { ...good, sides: good.sides.slice(0, 1) };
    const edited = { ...good, sides: [good.sides[0], { ...good.sides[1], answer: good.sides[0]!.answer }] };
    const odd = { ...good, sides: [good.sides[0], { ...good.sides[1], sha256: good.sides[0]!.sha256 }] };
    for (const wrong of [
      same,
      apart,
      alone,
      edited,
      odd,
      { ...good, schema: 'x' },
      { ...good, checkpoint: {} },
      null,
      [],
    ]) {
      expect(() => verifyForkEvidence(wrong)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(trust|decode)\//) }),
      );
    }
  });
});
