/** An older block, proven by a head: which heads and numbers are taken, and whose proof counts. */
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { proveOlder, proveOlderBlock } from '../../../src/net/lite/prove.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { SyncResult } from '../../../src/net/lite/sync-result.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { ASKS, but, liteServers } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';
import { blockIdBytes } from '../../helpers/tl-answers.ts';

const serve = liteServers();
const firstUtime = Math.floor(Date.now() / 1000) - 14;
const chain = new LiteChain({ length: 14, hasStates: true, firstUtime });
/** The same chain when it was shorter. */
const atTen = new LiteChain({ length: 10, hasStates: true, firstUtime });
const honest = () => serve((asked) => chain.answer(asked));
/** The newest block, as a synchronisation gives it. */
let made: Promise<SyncResult> | undefined;
const headOf = async () => {
  made ??= syncCheckpoint([(await honest()).client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
  return await made;
};
const fault = () => Promise.reject(new TypeError('a fault'));

describe('a head', () => {
  it('hands on why it is final, and nothing where trust began at it', async () => {
    const { client } = await honest();
    const synced = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    const { provenance, blockId, tl } = await proveOlderBlock([client], synced, 7);
    expect(provenance).toEqual({ kind: 'ancestor', head: chain.id(14), report: synced.report });
    expect(blockId).toEqual(chain.id(7));
    expect(tl).toEqual(Uint8Array.from(chain.proof(14, 7)));
    const { checkpoint } = await syncCheckpoint([client], chain.zerostateId, { to: 11 });
    const behind = await serve((asked) =>
      asked.constructorId === ASKS.head ? atTen.masterchainInfoExt() : chain.answer(asked),
    );
    const begun = await syncCheckpoint([behind.client], checkpoint, { maxHeadAgeSeconds: 3600 });
    expect(begun).toMatchObject({ tip: chain.id(10), answers: 0 });
    expect((await proveOlderBlock([client], begun, 7)).provenance).toEqual({ kind: 'ancestor', head: chain.id(10) });
  });

  it('that was typed, copied, or is another thing proves nothing, and no server is asked', async () => {
    const { client, standIn } = await honest();
    const head = await headOf();
    const before = standIn.asked.length;
    const { report, tip } = head;
    const typed: unknown[] = [
      { tip },
      { tip, verdict: { status: 'final' } },
      { tip: chain.id(13), verdict: { status: 'final' }, report },
      { ...head },
      structuredClone({ tip, verdict: head.verdict }),
      report,
      tip,
      null,
      14,
    ];
    for (const one of typed) {
      await expect(proveOlderBlock([client], one as SyncResult, 7)).rejects.toMatchObject({
        code: 'usage/bad-option',
        path: 'head',
        message: expect.stringMatching(/the result object of syncCheckpoint/),
      });
    }
    expect(standIn.asked).toHaveLength(before);
  });

  it('proves of its own block, whatever was written into it since', async () => {
    const { client } = await honest();
    const head = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    head.tip.rootHash.fill(0);
    expect((await proveOlderBlock([client], head, 7)).provenance.head).toEqual(chain.id(14));
  });

  it('asks a server that was put out on the way to it nothing more', async () => {
    const network = { rootHash: chain.zerostateId.rootHash, fileHash: chain.zerostateId.fileHash };
    const stranger = new LiteChain({ length: 20, name: 'stranger' });
    const other = await serve((asked) => stranger.answer(asked), { network });
    const slow = await serve(
      (asked) => (asked.constructorId === ASKS.lookup ? liteError(429, 'too many') : chain.answer(asked)),
      {
        network,
      },
    );
    const servers = [other.client, slow.client];
    const head = await syncCheckpoint(servers, chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    const before = other.standIn.asked.length;
    await expect(proveOlderBlock(servers, head, 7)).rejects.toMatchObject({ code: 'source/rate-limited' });
    expect(other.standIn.asked).toHaveLength(before);
  });

  it('that is old proves what is before it all the same', async () => {
    const { client } = await honest();
    const old = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 0.001 });
    expect(old.verdict).toEqual({ status: 'undecided', reason: 'stale-head' });
    expect((await proveOlderBlock([client], old, 7)).blockId).toEqual(chain.id(7));
  });

  it('whose start is past its stakes proves nothing, unless it was taken all the same', async () => {
    const { client, standIn } = await honest();
    const opts = { maxHeadAgeSeconds: 3600, startWasStale: true };
    const refused = await syncCheckpoint([client], chain.zerostateId, opts);
    const before = standIn.asked.length;
    await expect(proveOlderBlock([client], refused, 7)).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: 'head',
      message: expect.stringMatching(/got one that is undecided: stale-set/),
    });
    expect(standIn.asked).toHaveLength(before);
    const taken = await syncCheckpoint([client], chain.zerostateId, { ...opts, acceptStaleStart: true });
    const { provenance } = await proveOlderBlock([client], taken, 7);
    expect(provenance.report?.warnings).toEqual([expect.objectContaining({ code: 'stale-start' })]);
  });

  it.each([0, 14, 15, 1.5, Number.NaN, '7' as unknown as number])('has no older block %s', async (seqno) => {
    const head = await headOf();
    const { client, standIn } = await honest();
    await expect(proveOlderBlock([client], head, seqno)).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: 'seqno',
      message: expect.stringMatching(/expected 1 to 13, got /),
    });
    expect(standIn.asked).toEqual([]);
  });
});

describe('a proof of an older block', () => {
  it('is asked first of the server that proved the head', async () => {
    const [mute, prover] = [await serve(but(chain, 'proof', () => liteError(651, 'not in db'))), await honest()];
    const servers = [mute.client, prover.client];
    const head = await syncCheckpoint(servers, chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    const before = mute.standIn.asked.length;
    await proveOlderBlock(servers, head, 7);
    expect(mute.standIn.asked).toHaveLength(before);
  });

  it('is taken from whichever server has one that holds', async () => {
    const head = await headOf();
    const mute = await serve(but(chain, 'proof', () => liteError(651, 'not in db')));
    const wrong = await serve(but(chain, 'proof', () => chain.proof(14, 8)));
    const { client } = await honest();
    expect((await proveOlderBlock([mute.client, wrong.client, client], head, 7)).blockId).toEqual(chain.id(7));
    await expect(proveOlderBlock([mute.client, wrong.client], head, 7)).rejects.toMatchObject({
      message: expect.stringMatching(/^no lite server proves block 7: /),
      statements: [
        { source: mute.client.name, error: { code: 'source/not-ready' } },
        {
          source: wrong.client.name,
          error: {
            code: 'source/malformed',
            body: Uint8Array.from(chain.proof(14, 8)),
            cause: { code: 'trust/incomplete' },
          },
        },
      ],
    });
  });

  it('that ends short of the block, and says so, puts no server out', async () => {
    const head = await headOf();
    const whole = chain.proof(14, 7);
    const short = Buffer.concat([whole.subarray(0, 4), Buffer.from('379779bc', 'hex')]); // boolFalse, and the ids of the head twice
    const answers = [
      Buffer.concat([short, blockIdBytes(chain.id(14)), blockIdBytes(chain.id(14)), Buffer.alloc(4)]),
      Buffer.concat([short, blockIdBytes(chain.id(14)), blockIdBytes(chain.id(10)), Buffer.alloc(4)]),
    ];
    for (const answer of answers) {
      const { client } = await serve(but(chain, 'proof', () => answer));
      const run = proveOlderBlock([client], head, 7);
      await expect(run).rejects.toMatchObject({
        code: 'source/not-ready',
        retryable: true,
        statements: [{ source: client.name, error: { code: 'source/not-ready', endpoint: client.name } }],
      });
      const fleet = new Fleet([client]);
      const { tip } = head;
      await expect(proveOlder(fleet, { tip }, 7, {})).rejects.toMatchObject({ code: 'source/not-ready' });
      expect(fleet.isKept(client)).toBe(true);
      expect((await proveOlderBlock([client, (await honest()).client], head, 7)).blockId).toEqual(chain.id(7));
    }
    // One that says that it is complete, and is not, is a lie.
    const lie = Buffer.from(answers[1]!);
    Buffer.from('b5757299', 'hex').copy(lie, 4);
    const { client } = await serve(but(chain, 'proof', () => lie));
    const fleet = new Fleet([client]);
    await expect(proveOlder(fleet, { tip: head.tip }, 7, {})).rejects.toMatchObject({ code: 'source/malformed' });
    expect(fleet.isKept(client)).toBe(false);
  });

  it('is asked of each server briefly first, then of those that were late with the whole time', async () => {
    const { tip } = await headOf();
    const named = await Promise.all([honest(), honest(), honest()]);
    const asked: (readonly [number, number | undefined])[] = [];
    const failing = (
      code: 'source/timeout' | 'source/not-ready',
      at: number,
      answersFrom: number,
    ): LiteServerClient => {
      const { client } = named[at]!;
      const lookup: LiteServerClient['lookup'] = async (seqno, opts) => {
        asked.push([at, opts?.deadlineMs]);
        if ((opts?.deadlineMs ?? 0) >= answersFrom) return await client.lookup(seqno, opts);
        throw new SourceError(code, client.name, { endpoint: client.name });
      };
      return { ...client, lookup };
    };
    const never = Number.POSITIVE_INFINITY;
    const fleet = () =>
      new Fleet([
        failing('source/timeout', 0, never),
        failing('source/not-ready', 1, never),
        failing('source/timeout', 2, 3_001),
      ]);
    const brief = [0, 1, 2].map((at) => [at, 3_000]);
    expect((await proveOlder(fleet(), { tip }, 7, {})).blockId).toEqual(chain.id(7));
    expect(asked.splice(0)).toEqual([...brief, [0, 10_000], [2, 10_000]]);
    expect((await proveOlder(fleet(), { tip }, 7, { deadlineMs: 4_000 })).blockId).toEqual(chain.id(7));
    expect(asked.splice(0)).toEqual([...brief, [0, 4_000], [2, 4_000]]);
    await expect(proveOlder(fleet(), { tip }, 7, { deadlineMs: 2_000 })).rejects.toMatchObject({
      statements: { length: 3 },
    });
    expect(asked).toEqual([0, 1, 2].map((at) => [at, 2_000]));
  });

  it('is not asked for any more after the signal, or a fault of the program', async () => {
    const head = await headOf();
    const [one, other] = [await honest(), await honest()];
    const signal = AbortSignal.abort();
    await expect(proveOlderBlock([one.client, other.client], head, 7, { signal })).rejects.toMatchObject({
      code: 'source/aborted',
      statements: [],
    });
    const faulty: LiteServerClient = { ...one.client, lookup: fault };
    await expect(proveOlderBlock([faulty, other.client], head, 7)).rejects.toThrow(new TypeError('a fault'));
    const tl = 'no bytes' as unknown as Uint8Array;
    const odd: LiteServerClient = {
      ...one.client,
      blockProof: async (known, target, opts) => ({ ...(await one.client.blockProof(known, target, opts)), tl }),
    };
    await expect(proveOlderBlock([odd, other.client], head, 7)).rejects.toMatchObject({
      name: 'UsageError',
      path: 'proof',
    });
    expect(other.standIn.asked).toEqual([]);
  });
});
