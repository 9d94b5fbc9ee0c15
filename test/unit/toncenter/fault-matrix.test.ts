import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { MASTERCHAIN_SHARD } from '../../../src/core/base/limits.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { toncenterV3 } from '../../../src/net/toncenter/toncenter-v3.ts';
import { ownMs } from '../../helpers/own-time.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import { FAULT_NAMES, type FaultName } from '../../helpers/stand-in-faults.ts';

const SEQNO = 3082200;
const KEY_BLOCK = 3082181;
const TIMEOUT_MS = 700;
const DEADLINE_MS = 3000;
/** Of a question that ends by itself: a busy machine may let it wait. */
const PATIENCE_MS = 60_000;
const CAP = 512 * 1024;
const KEY = 'matrix-secret-0123456789';

/** Whether a server of this fault lets a question wait until its time is over. */
const isSlow = (url: string) =>
  Object.entries(CODES).some(([fault, code]) => code === 'source/timeout' && url.includes(`/fault/${fault}`));

const optionsFor = (baseUrl: string, retries: number) => ({
  baseUrl,
  apiKey: KEY,
  retries,
  timeoutMs: isSlow(baseUrl) ? TIMEOUT_MS : PATIENCE_MS,
  deadlineMs: isSlow(baseUrl) ? DEADLINE_MS : PATIENCE_MS,
  maxBodyBytes: CAP,
  requestsPerSecond: Number.POSITIVE_INFINITY,
  concurrency: 8,
});

type Operation = (base: string, retries: number) => Promise<unknown>;

const v2 =
  (ask: (source: ReturnType<typeof toncenterV2>) => Promise<unknown>, form = ''): Operation =>
  (base, retries) =>
    ask(toncenterV2(optionsFor(`${base}${form}/api/v2`, retries)));
const v3 =
  (shape: string): Operation =>
  (base, retries) =>
    toncenterV3(optionsFor(`${base}${shape}/api/v3`, retries)).masterchainBlockShardState(SEQNO);
const block = { workchain: -1, shard: MASTERCHAIN_SHARD, seqno: SEQNO };

const OPERATIONS: Record<string, Operation> = {
  getMasterchainBlockSignatures: v2((source) => source.signatures(SEQNO)),
  'getMasterchainBlockSignatures (Python)': v2((source) => source.signatures(SEQNO), '/python'),
  getMasterchainInfo: v2((source) => source.masterchainInfo()),
  getBlockHeader: v2((source) => source.header(SEQNO)),
  lookupBlock: v2((source) => source.lookupBlock(block, { seqno: SEQNO })),
  shards: v2((source) => source.shards(SEQNO)),
  getShardBlockProof: v2((source) => source.shardBlockProof(block, { fromSeqno: SEQNO })),
  getConfigParam: v2((source) => source.configParam(34, KEY_BLOCK)),
  getConsensusBlock: v2((source) => source.consensusBlock()),
  'masterchainBlockShardState (served)': v3(''),
  'masterchainBlockShardState (documented)': v3('/documented'),
};

/** What each fault is, for every operation but those in `TAKEN`. */
const CODES: Record<FaultName, string> = {
  'rate-limit-error': 'source/rate-limited',
  'rate-limit-result': 'source/rate-limited',
  'rate-limit-retry-after': 'source/rate-limited',
  '401': 'source/auth',
  '403': 'source/auth',
  '404': 'source/bad-request',
  '405': 'source/bad-request',
  '422': 'source/bad-request',
  '500': 'source/server',
  '502-html': 'source/upstream',
  '503': 'source/upstream',
  '504': 'source/upstream',
  '542': 'source/upstream',
  'not-ready': 'source/not-ready',
  'ok-false-200': 'source/upstream',
  'json-rpc-error-200': 'source/bad-request',
  'other-envelope': 'source/bad-request',
  'html-200': 'source/malformed',
  empty: 'source/malformed',
  'empty-500': 'source/upstream',
  'not-json': 'source/malformed',
  'json-array': 'source/malformed',
  'slow-headers': 'source/timeout',
  'slow-body': 'source/timeout',
  'endless-body': 'source/too-large',
  'truncated-body': 'source/malformed',
  'wrong-content-length': 'source/upstream',
  'broken-chunks': 'source/upstream',
  'connection-reset': 'source/upstream',
  'gzip-bomb': 'source/too-large',
  'bad-gzip': 'source/upstream',
  redirect: 'source/malformed',
  'wrong-block': 'source/wrong-block',
  'previous-signatures': 'a value', // a readable answer about the right block: the verifier finds it out
  'bad-signature': 'a value',
  'null-list': 'source/malformed',
  'null-result': 'source/malformed',
  'unknown-type': 'source/malformed',
  'ready-after-1': 'source/not-ready',
  'ready-after-3': 'source/not-ready',
  'echoes-the-key': 'source/auth',
};

const V3 = ['masterchainBlockShardState (served)', 'masterchainBlockShardState (documented)'];
/** Operations that take the answer, since what the fault changes is not in it or names no block. */
const TAKEN: Partial<Record<FaultName, readonly string[]>> = {
  'wrong-block': ['getMasterchainInfo', 'shards', 'getConfigParam', 'getConsensusBlock'],
  'null-list': [
    'getMasterchainInfo',
    'getBlockHeader',
    'lookupBlock',
    'getShardBlockProof',
    'getConfigParam',
    'getConsensusBlock',
    ...V3,
  ],
  'null-result': V3,
  'unknown-type': ['getConsensusBlock', ...V3],
};

/** A kind of signatures that is not known may be newer than this version; a type of anything else is only wrong. */
const codeOf = (fault: FaultName, name: string) =>
  fault === 'unknown-type' && /ignatures/.test(name) ? 'source/unsupported' : CODES[fault];

let standIn: StandIn;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeAll(async () => {
  standIn = await startStandIn({ latest: SEQNO });
  // Reading the recorded cells takes the server's time only once.
  standIn.chain.blocks.get(SEQNO)?.header();
  standIn.chain.configParam(KEY_BLOCK, 34);
  process.on('unhandledRejection', onUnhandled);
});
afterAll(async () => {
  process.off('unhandledRejection', onUnhandled);
  await standIn.close();
});

async function outcomeOf(work: Promise<unknown>): Promise<{ code: string; error?: SourceError; ms: number }> {
  const start = ownMs();
  try {
    await work;
    return { code: 'a value', ms: ownMs() - start };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { code: error.code, error, ms: ownMs() - start };
  }
}

describe('every fault in every operation', () => {
  it('is listed in the table of this test', () => {
    expect(Object.keys(CODES).sort()).toEqual([...FAULT_NAMES].sort());
  });

  it.each(Object.entries(OPERATIONS))('has a healthy answer to be kept from: %s', async (_, ask) => {
    expect(await outcomeOf(ask(standIn.origin, 0))).toMatchObject({ code: 'a value' });
  });

  it.each(FAULT_NAMES)('ends in a value or a typed error within its deadline: %s', async (fault) => {
    const outcomes = await Promise.all(
      Object.entries(OPERATIONS).map(async ([name, ask]) => {
        const outcome = await outcomeOf(ask(`${standIn.origin}/fault/${fault}`, 0));
        expect(outcome.ms, name).toBeLessThan(DEADLINE_MS);
        for (let at: unknown = outcome.error; at instanceof Error; at = at.cause) {
          expect(`${at.message} ${at.stack} ${JSON.stringify(at)}`, name).not.toContain(KEY);
        }
        return [name, outcome.code] as const;
      }),
    );
    const codes = Object.fromEntries(outcomes);
    const expected = Object.keys(OPERATIONS).map((name) => [
      name,
      TAKEN[fault]?.includes(name) ? 'a value' : codeOf(fault, name),
    ]);
    expect(codes).toEqual(Object.fromEntries(expected));
  });

  it('is outlived by retries, which end within the deadline too', async () => {
    const faults: FaultName[] = ['503', 'slow-headers', 'connection-reset', 'rate-limit-result', 'slow-body'];
    const outcomes = await Promise.all(
      faults.map(async (fault) => {
        const opts = optionsFor(`${standIn.origin}/fault/${fault}/api/v2`, 3);
        return outcomeOf(toncenterV2({ ...opts, timeoutMs: 200, deadlineMs: 1200 }).header(SEQNO));
      }),
    );
    for (const { ms, error } of outcomes) {
      expect(ms).toBeLessThan(1500);
      expect(error?.attempts).toBeGreaterThan(1);
    }
  });

  it('costs no more memory than the cap allows', async () => {
    const faults: FaultName[] = ['endless-body', 'gzip-bomb'];
    let peak = 0;
    const start = process.memoryUsage().rss;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    for (let round = 0; round < 8; round++) {
      for (const fault of faults) await outcomeOf(OPERATIONS.getBlockHeader!(`${standIn.origin}/fault/${fault}`, 0));
    }
    clearInterval(watch);
    // 8 bombs of 256 MiB and 8 bodies without an end: unbounded, this would be gigabytes.
    expect(peak - start).toBeLessThan(128 * 1024 * 1024);
  });

  it('leaves no connection open and no rejection unhandled', async () => {
    expect(await standIn.connectionsLeft()).toBe(0);
    expect(unhandled).toEqual([]);
  });
});
