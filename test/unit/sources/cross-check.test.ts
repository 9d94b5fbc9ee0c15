import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { claimedValidatorSet } from '../../../src/net/sources/claimed-set.ts';
import { crossCheck } from '../../../src/net/sources/cross-check.ts';
import { onNetwork, requireNetwork } from '../../../src/net/sources/network-guard.ts';
import { noAgreement } from '../../../src/net/sources/no-agreement.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { toncenterV3 } from '../../../src/net/toncenter/toncenter-v3.ts';
import { masterchainRow } from '../../../src/net/toncenter-api/masterchain-shard-state.ts';
import { beginCell, bocOf } from '../../helpers/cells.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import { readChain } from '../../helpers/stand-in-chain.ts';
import { readVector } from '../../helpers/vectors.ts';

const SEQNO = 3082200;
const OPTS = { requestsPerSecond: Number.POSITIVE_INFINITY, concurrency: 8, retries: 0, timeoutMs: 5000 } as const;

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ latest: 3082201 });
});
afterAll(() => standIn.close());

const v2 = (path = '') => toncenterV2({ baseUrl: `${standIn.origin}${path}/api/v2`, ...OPTS });
const v3 = (path = '') => toncenterV3({ baseUrl: `${standIn.origin}${path}/api/v3`, ...OPTS });
const signed = async () => (await v2().signatures(SEQNO)).signatures;

describe('a cross-check', () => {
  it('confirms the block by its header and by its row, and gives the header as claimed', async () => {
    const { blockId } = await signed();
    const checked = await crossCheck(blockId, 'v2', { header: v2(), v3: v3() });
    expect(checked).toEqual({
      header: {
        source: 'claimed',
        blockId,
        seqno: SEQNO,
        genUtime: 1586134655,
        catchainSeqno: 48620,
        validatorListHashShort: 367401899,
        prevKeyBlockSeqno: 3082181,
      },
      confirmedBy: [v2().name, v3().name],
      warnings: [],
    });
  });

  it('calls a set that did not sign the block the wrong set, not the signatures bad', async () => {
    const set = await signed();
    const { header } = await crossCheck(set.blockId, 'v2', { header: v2() });
    const right = parseValidatorSet(readVector('real/mainnet-2020-04-06/block-3082200/validators.json'));
    const adnlAddr = new Uint8Array(32).fill(1);
    const wrong = createValidatorSet(
      right.validators.map((one) => ({ ...one, adnlAddr })),
      { shuffle: false },
    );
    const report = verifyBlock(set, wrong, { context: { header: header! } });
    expect(report.verdict).toMatchObject({ status: 'undecided', reason: 'wrong-validator-set' });
  });

  it('makes a warning of a witness that does not answer', async () => {
    const { blockId } = await signed();
    const checked = await crossCheck(blockId, 'v2', { header: v2('/fault/503'), v3: v3('/fault/not-ready') });
    expect(checked.header).toBeUndefined();
    expect(checked.confirmedBy).toEqual([]);
    expect(checked.warnings).toHaveLength(2);
    expect(checked.warnings[0]).toEqual({
      code: 'not-cross-checked',
      message: expect.stringContaining('No working liteservers'),
    });
  });

  it('says that the documented shape has no hashes to compare', async () => {
    const { blockId } = await signed();
    const { warnings } = await crossCheck(blockId, 'v2', { v3: v3('/documented') });
    expect(warnings).toEqual([
      {
        code: 'not-cross-checked',
        message: `${v3('/documented').name}: no block rows in the answer, so no hashes to compare`,
      },
    ]);
  });

  it('takes the header from v3 when v2 has none', async () => {
    const { blockId } = await signed();
    const checked = await crossCheck(blockId, 'v2', { header: v2('/fault/404'), v3: v3() });
    expect(checked.header?.catchainSeqno).toBe(48620);
    expect(checked.warnings).toHaveLength(1);
  });

  it('is an error when a witness names another block, with both ids', async () => {
    const { blockId } = await signed();
    const other = { ...blockId, fileHash: new Uint8Array(32).fill(9) };
    for (const witnesses of [{ header: v2() }, { v3: v3() }]) {
      const error = await crossCheck(other, 'the signatures', witnesses).catch(
        (error: unknown) => error as SourceError,
      );
      expect(error).toMatchObject({ code: 'source/disagree', retryable: false });
      expect((error as SourceError).statements.map(({ key }) => key?.slice(-64))).toEqual([
        '09'.repeat(32),
        Buffer.from(blockId.fileHash).toString('hex'),
      ]);
    }
  });

  it('is an error when witnesses contradict each other about the validator set', async () => {
    const { blockId } = await signed();
    const liar = {
      name: 'liar',
      header: async () => ({ ...(await v2().header(SEQNO)), catchainSeqno: 1 }),
    };
    await expect(crossCheck(blockId, 'v2', { header: liar, v3: v3() })).rejects.toThrow(
      'servers disagree on the catchainSeqno of block 3082200: liar says 1;',
    );
  });

  it('is an error when a witness answers about another block, or is of another network', async () => {
    const { blockId } = await signed();
    const strangers = [
      [{ header: v2('/fault/wrong-block') }, 'source/wrong-block'],
      [{ v3: v3('/fault/wrong-block') }, 'source/wrong-block'],
      [
        { header: { name: 'x', header: () => Promise.reject(new SourceError('source/wrong-network', 'x: testnet')) } },
        'source/wrong-network',
      ],
      [
        { header: { name: 'x', header: () => Promise.reject(new SourceError('source/disagree', 'two headers')) } },
        'source/disagree',
      ],
      [
        {
          header: {
            name: 'x',
            header: () =>
              Promise.reject(
                noAgreement('none of 2', [
                  { source: 'x', error: new SourceError('source/wrong-block', 'x: another') },
                  { source: 'y', error: new SourceError('source/upstream', 'y: gone') },
                ]),
              ),
          },
        },
        'source/upstream',
      ],
    ] as const;
    for (const [witnesses, code] of strangers) {
      await expect(crossCheck(blockId, 'v2', witnesses), code).rejects.toMatchObject({ code });
    }
  });

  it('is an error when v3 has no row of the block, or two', async () => {
    const { blockId } = await signed();
    const state = await v3().masterchainBlockShardState(SEQNO);
    if (state.kind !== 'blocks') throw new Error('the stand-in serves blocks');
    const none = { name: 'x', masterchainBlockShardState: async () => ({ ...state, blocks: [] }) };
    await expect(crossCheck(blockId, 'v2', { v3: none })).rejects.toMatchObject({ code: 'source/wrong-block' });
    const body = (await (await fetch(`${standIn.origin}/api/v3/masterchainBlockShardState?seqno=${SEQNO}`)).json()) as {
      blocks: unknown[];
    };
    for (const blocks of [[], [...body.blocks, body.blocks[0]]]) {
      const served = toncenterV3({
        baseUrl: 'http://127.0.0.1/v3',
        ...OPTS,
        fetch: async () => Response.json({ blocks }),
      });
      await expect(crossCheck(blockId, 'v2', { v3: served })).rejects.toBeInstanceOf(SourceError);
    }
  });

  it('is stopped by the caller', async () => {
    const { blockId } = await signed();
    const signal = AbortSignal.abort();
    await expect(crossCheck(blockId, 'v2', { header: v2() }, { signal })).rejects.toMatchObject({
      code: 'source/aborted',
    });
  });
});

describe('the network', () => {
  it('is looked at once, before anything else is used', async () => {
    const source = onNetwork('mainnet', v2());
    const before = standIn.seen.length;
    await source.signatures(SEQNO);
    await source.signatures(SEQNO);
    await source.latestSeqno();
    const paths = standIn.seen.slice(before).map(({ path }) => path.replace(/^.*\/(\w+).*$/, '$1'));
    expect(paths).toEqual([
      'getMasterchainInfo',
      'getMasterchainBlockSignatures',
      'getMasterchainBlockSignatures',
      'getMasterchainInfo',
    ]);
  });

  it('of another zerostate is refused', async () => {
    const other = await startStandIn({ chain: readChain('testnet') });
    const source = onNetwork('mainnet', toncenterV2({ baseUrl: `${other.origin}/api/v2`, ...OPTS }));
    await expect(source.latestSeqno()).rejects.toMatchObject({ code: 'source/wrong-network' });
    await expect(source.signatures(other.latest)).rejects.toThrow('not a mainnet server');
    await other.close();
  });
});

describe('a set that a server claims', () => {
  const KEY_BLOCK = 3082181;
  /** Parameter 28: catchain_config_new, with the masterchain's validators shuffled. */
  const shuffled = bocOf(
    beginCell().storeUint(0xc2, 8).storeUint(1, 8).storeUint(250, 32).storeUint(250, 32).storeUint(0, 64).endCell(),
  );
  const absent = new SourceError('source/server', 'no such parameter');
  async function claim(params: Record<number, Uint8Array | SourceError>) {
    const asked: [number, number][] = [];
    const header = await v2().header(SEQNO);
    const ask = async (param: number, seqno: number) => {
      asked.push([param, seqno]);
      const answer = params[param] ?? absent;
      if (answer instanceof SourceError) throw answer;
      return answer;
    };
    return { set: await claimedValidatorSet(header, 'a server', ask), asked };
  }

  it('is parameter 34 of the key block that the header names, marked as claimed', async () => {
    const { set, asked } = await claim({ 34: await v2().configParam(34, KEY_BLOCK), 28: shuffled });
    expect(asked).toEqual([35, 34, 28].map((param) => [param, KEY_BLOCK]));
    const { totalWeight } = parseValidatorSet(readVector('real/mainnet-2020-04-06/block-3082200/validators.json'));
    expect(set).toMatchObject({ totalWeight, shuffle: true, provenance: { kind: 'claimed', source: 'a server' } });
  });

  it('is parameter 35 where there is one', async () => {
    const { set, asked } = await claim({ 35: await v2().configParam(34, KEY_BLOCK), 34: new Uint8Array([1]) });
    expect(asked.map(([param]) => param)).toEqual([35, 28]);
    expect(set.validators.length).toBeGreaterThan(1);
    expect(set.shuffle).toBeUndefined();
  });

  it('is not taken from parameter 34 when it is only not known whether there is a 35', async () => {
    await expect(claim({ 35: new SourceError('source/timeout', 'late'), 34: new Uint8Array([1]) })).rejects.toThrow(
      'late',
    );
  });

  it('of the zerostate is nothing that servers hand out', async () => {
    const header = { ...(await v2().header(SEQNO)), prevKeyBlockSeqno: 0 };
    await expect(claimedValidatorSet(header, 'x', async () => new Uint8Array())).rejects.toThrow('zerostate');
  });

  it('is served by the stand-in as servers do', async () => {
    expect((await v2().configParam(34, 3082181)).length).toBeGreaterThan(500);
    await expect(v2().configParam(35, 3082181)).rejects.toMatchObject({ code: 'source/server' });
  });
});

it.each<[string, () => unknown]>([
  ['onNetwork without a source', () => onNetwork('mainnet', undefined as never)],
  ['onNetwork for a network that nobody knows', () => onNetwork('moon' as never, {} as never)],
  ['requireNetwork without an answer', () => requireNetwork(undefined as never, 'mainnet', 'x')],
  ['requireNetwork for no network', () => requireNetwork({} as never, [] as never, 'x')],
  ['masterchainRow of no rows', () => masterchainRow(undefined as never, 1)],
  ['crossCheck without witnesses', () => crossCheck(undefined as never, 'x', undefined as never)],
])('%s says what to pass', async (_, call) => {
  await expect((async () => await call())()).rejects.toMatchObject({ code: 'usage/bad-option' });
});
