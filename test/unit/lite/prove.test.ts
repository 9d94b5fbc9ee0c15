/** An older block, proven by a head: which heads and numbers are taken, and whose proof counts. */
import { describe, expect, it } from 'vitest';
import type { LiteServerClient } from '../../../src/lite/client.ts';
import { proveBlock } from '../../../src/lite/prove.ts';
import { syncCheckpoint } from '../../../src/lite/sync.ts';
import type { VerificationReport } from '../../../src/verify/report.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { but, liteServers } from '../../helpers/lite-servers.ts';
import { liteError } from '../../helpers/lite-stand-in.ts';

const serve = liteServers();
const chain = new LiteChain({ length: 14, hasStates: true });
const head = { tip: chain.id(14) };
const honest = () => serve((asked) => chain.answer(asked));
const fault = () => Promise.reject(new TypeError('a fault'));

describe('a head', () => {
  it('hands on why it is final, and nothing where trust began at it', async () => {
    const { client } = await honest();
    const synced = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    const { provenance, blockId, tl } = await proveBlock([client], synced, 7);
    expect(provenance).toEqual({ kind: 'ancestor', head: chain.id(14), report: synced.report });
    expect(blockId).toEqual(chain.id(7));
    expect(tl).toEqual(Uint8Array.from(chain.proof(14, 7)));
    expect((await proveBlock([client], head, 13)).provenance).toEqual({ kind: 'ancestor', head: chain.id(14) });
  });

  it('that is not final proves nothing, and nobody is asked', async () => {
    const { client, standIn } = await honest();
    const synced = await syncCheckpoint([client], chain.zerostateId, { maxHeadAgeSeconds: 3600 });
    const before = standIn.asked.length;
    const report = { ...synced.report!, verdict: { status: 'undecided', reason: 'stale-set' } } as VerificationReport;
    await expect(proveBlock([client], { ...head, report }, 7)).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: 'head',
      message: expect.stringMatching(/got one that is undecided/),
    });
    expect(standIn.asked).toHaveLength(before);
  });

  it('whose start is past its stakes proves nothing, unless it was taken all the same', async () => {
    const { client, standIn } = await honest();
    const opts = { maxHeadAgeSeconds: 3600, startWasStale: true };
    const refused = await syncCheckpoint([client], chain.zerostateId, opts);
    const before = standIn.asked.length;
    await expect(proveBlock([client], refused, 7)).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: 'head',
      message: expect.stringMatching(/got one that is undecided: stale-set/),
    });
    expect(standIn.asked).toHaveLength(before);
    const taken = await syncCheckpoint([client], chain.zerostateId, { ...opts, acceptStaleStart: true });
    const { provenance } = await proveBlock([client], taken, 7);
    expect(provenance.report?.warnings).toEqual([expect.stringMatching(/^stale-start: /)]);
  });

  it.each([0, 14, 15, 1.5, Number.NaN, '7' as unknown as number])('has no older block %s', async (seqno) => {
    const { client, standIn } = await honest();
    await expect(proveBlock([client], head, seqno)).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: 'seqno',
      message: expect.stringMatching(/expected 1 to 13, got /),
    });
    expect(standIn.asked).toEqual([]);
  });
});

describe('a proof of an older block', () => {
  it('is taken from whichever server has one that holds', async () => {
    const mute = await serve(but(chain, 'proof', () => liteError(651, 'not in db')));
    const wrong = await serve(but(chain, 'proof', () => chain.proof(14, 8)));
    const { client } = await honest();
    expect((await proveBlock([mute.client, wrong.client, client], head, 7)).blockId).toEqual(chain.id(7));
    await expect(proveBlock([mute.client, wrong.client], head, 7)).rejects.toMatchObject({
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

  it('is not asked for any more after the signal, or a fault of the program', async () => {
    const [one, other] = [await honest(), await honest()];
    const signal = AbortSignal.abort();
    await expect(proveBlock([one.client, other.client], head, 7, { signal })).rejects.toMatchObject({
      code: 'source/aborted',
      statements: [],
    });
    const faulty: LiteServerClient = { ...one.client, lookup: fault };
    await expect(proveBlock([faulty, other.client], head, 7)).rejects.toThrow(new TypeError('a fault'));
    const tl = 'no bytes' as unknown as Uint8Array;
    const odd: LiteServerClient = {
      ...one.client,
      blockProof: async (known, target, opts) => ({ ...(await one.client.blockProof(known, target, opts)), tl }),
    };
    await expect(proveBlock([odd, other.client], head, 7)).rejects.toMatchObject({ name: 'UsageError', path: 'proof' });
    expect(other.standIn.asked).toEqual([]);
  });
});
