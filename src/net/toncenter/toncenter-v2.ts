/**
 * A toncenter-compatible API v2 server: every operation that this library needs. Each answer is typed, and checked to
 * be about what was asked.
 */

import { badOption, requireInt32, requireInteger } from '../../core/base/arguments.ts';
import { DecodeError, FinalityError, SourceError, UsageError } from '../../core/base/errors.ts';
import { INT64_MAX } from '../../core/base/fields.ts';
import { BODY_LIMITS } from '../../core/base/limits.ts';
import { asGiven, readOptions } from '../../core/base/options.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { parseSignatureList, type SignatureList } from '../../core/block/signature-list.ts';
import { parseShardBlockProof, type ShardBlockProof } from '../../core/chain/shard-block-proof.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import { limitUntil } from '../async/timer.ts';
import { codeOfUnreadable } from '../machine/outcome.ts';
import { ASK_OPTIONS, type AskOptions, type BlockSource } from '../sources/block-source.ts';
import { claimedValidatorSet } from '../sources/claimed-set.ts';
import { failureOf } from '../sources/failure-hints.ts';
import { masterchain, misplaced, otherBlock } from '../sources/signed-answer.ts';
import {
  type ConsensusBlock,
  type MasterchainInfo,
  parseBlockHeader,
  parseConfigInfo,
  parseConsensusBlock,
  parseLookupBlock,
  parseMasterchainInfo,
  parseShards,
  type RawBlockHeader,
} from '../toncenter-api/v2-answers.ts';
import { type Asked, createRequester, requireSeqno } from './request.ts';
import type { ToncenterOptions } from './toncenter-options.ts';

/** A block of any workchain by position. `shard` is the signed int64. */
export interface BlockPosition {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}

/** The key by which `lookupBlock` finds a block: exactly one of the three. */
export type LookupBy = { readonly seqno: number } | { readonly lt: bigint } | { readonly unixtime: number };

/** A client of API v2. Every method throws a `SourceError`, or a `UsageError` for an argument that no server could answer. */
export interface ToncenterV2 {
  /** Returns the head and the zerostate as the server claims them. */
  masterchainInfo(opts?: AskOptions): Promise<MasterchainInfo>;
  /** Returns the header of this masterchain block as the server claims it, without proof. */
  header(seqno: number, opts?: AskOptions): Promise<RawBlockHeader>;
  /** Returns the header of a block of any workchain as the server claims it, without proof. */
  blockHeader(block: BlockPosition, opts?: AskOptions): Promise<RawBlockHeader>;
  /** Returns the id of the block of a shard with this seqno, logical time or Unix time, as the server claims it. */
  lookupBlock(shard: Pick<BlockPosition, 'workchain' | 'shard'>, by: LookupBy, opts?: AskOptions): Promise<BlockIdExt>;
  /** Returns the top blocks of all shards as of masterchain block `seqno`, as the server claims them. */
  shards(seqno: number, opts?: AskOptions): Promise<readonly BlockIdExt[]>;
  /**
   * Returns a proof for `verifyShardBlock`. @param opts.fromSeqno the masterchain block the proof starts from; default:
   * the server's newest
   */
  shardBlockProof(block: BlockPosition, opts?: AskOptions & { readonly fromSeqno?: number }): Promise<ShardBlockProof>;
  /**
   * Returns the BoC of one configuration parameter as of masterchain block `seqno`. The answer names no block, so its
   * block is the server's claim.
   */
  configParam(param: number, seqno: number, opts?: AskOptions): Promise<Uint8Array>;
  /** Returns the BoC of the whole configuration. The Python server does not know this operation. */
  configAll(seqno: number, opts?: AskOptions): Promise<Uint8Array>;
  /** Returns the newest block that the server's own liteservers report, and the server's clock. */
  consensusBlock(opts?: AskOptions): Promise<ConsensusBlock>;
  /**
   * Returns the validator set that this server claims for masterchain block `seqno`: parameter 35, else 34, of the key
   * block that its header names. The provenance of the set is `claimed`, so a verdict with it is never final unless you
   * pass `acceptClaimed`. @throws SourceError
   */
  claimedSet(seqno: number, opts?: AskOptions): Promise<ValidatorSet>;
}

const MAX_UINT32 = 0xffffffff;

/** Returns the query of a shard. @throws UsageError, also for a shard as uint64, because no answer would be about it */
function shardQuery({ workchain, shard }: Pick<BlockPosition, 'workchain' | 'shard'>): Record<string, string> {
  if (typeof shard !== 'bigint' || shard === 0n || shard !== BigInt.asIntN(64, shard)) {
    const hint = 'write a signed int64: BigInt.asIntN(64, shard)';
    throw badOption(`expected a shard, got ${shard}`, 'shard', hint);
  }
  return { workchain: String(requireInt32(workchain, 'workchain')), shard: String(shard) };
}

function queryOf(block: BlockPosition): Record<string, string> {
  return { ...shardQuery(block), seqno: requireSeqno(block.seqno) };
}

/** Returns the query of the one key that a block is looked up by. @throws UsageError */
function lookupQuery(by: LookupBy): Record<string, string> {
  const keys = Object.keys(by);
  if (keys.length === 1) {
    if ('seqno' in by) return { seqno: requireSeqno(by.seqno) };
    if ('unixtime' in by) return { unixtime: String(requireInteger(by.unixtime, 'unixtime', 1, MAX_UINT32)) };
    if ('lt' in by && typeof by.lt === 'bigint' && by.lt > 0n && by.lt <= INT64_MAX) return { lt: String(by.lt) };
    if ('lt' in by) {
      throw badOption(`expected 1 to ${INT64_MAX} as a bigint, got ${by.lt}`, 'lt');
    }
  }
  const got = keys.join(' and ') || 'nothing';
  throw badOption(`expected one of seqno, lt and unixtime, got ${got}`, 'by');
}

/** Returns the signatures of an answer, or a message when they are about a different block. @throws DecodeError */
function readSignatures(json: unknown, seqno: number): SignatureList | string {
  let signatures: SignatureList;
  try {
    signatures = parseSignatureList(json);
  } catch (error) {
    const isElsewhere = error instanceof DecodeError && error.code === 'decode/range'; // an id outside the masterchain
    if (isElsewhere && OFF_MASTERCHAIN.test(error.path ?? '')) return error.message;
    throw error;
  }
  return otherBlock(signatures, seqno) ?? signatures;
}

const OFF_MASTERCHAIN = /\bid\.(?:workchain|shard)$/;

/**
 * Creates a source over one server of API v2.
 * @param opts the base URL, and optionally the API key, headers, pace, time limits and observers
 * @returns a source of blocks, with the other operations of API v2
 * @throws UsageError for options that cannot be used
 * @example
 * ```ts
 * import { toncenterV2 } from 'ton-finality/servers';
 * const source = toncenterV2({ baseUrl: 'https://host.example/api/v2' });
 * console.log(source.name); // https://host.example/api/v2
 * ```
 */
export function toncenterV2(opts: ToncenterOptions): BlockSource & ToncenterV2 {
  const requester = createRequester(opts);

  async function ask<T>(
    operation: string,
    query: Readonly<Record<string, string>>,
    limits: keyof typeof BODY_LIMITS,
    asked: Pick<Asked<T>, 'read' | 'mismatch'>,
    given: AskOptions = {},
    more: { readonly fromSeqno?: typeof asGiven } = {},
  ): Promise<T> {
    const options = readOptions(given, '', { ...ASK_OPTIONS, ...more });
    return await requester.ask({ api: 'v2', operation, query, ...BODY_LIMITS[limits], ...asked }, options);
  }

  async function blockHeader(block: BlockPosition, options?: AskOptions): Promise<RawBlockHeader> {
    const asked = { read: parseBlockHeader, mismatch: ({ id }: RawBlockHeader) => misplaced(id, block) };
    return await ask('getBlockHeader', queryOf(block), 'block', asked, options);
  }

  const masterchainInfo = (options?: AskOptions) =>
    ask('getMasterchainInfo', {}, 'block', { read: parseMasterchainInfo }, options);

  async function configParam(param: number, seqno: number, options?: AskOptions): Promise<Uint8Array> {
    // The Python server knows `config_id` only. The seqno is always sent, because the answer does not name its block.
    const query = { config_id: String(requireInt32(param, 'param')), seqno: requireSeqno(seqno) };
    return await ask('getConfigParam', query, 'config', { read: parseConfigInfo }, options);
  }

  const source: BlockSource & ToncenterV2 = {
    name: requester.label,
    waitMs: requester.waitMs,
    masterchainInfo,
    blockHeader,
    latestSeqno: async (options) => (await masterchainInfo(options)).last.seqno,
    async signatures(seqno, options) {
      const query = { seqno: requireSeqno(seqno) };
      const read = (json: unknown, body: Uint8Array) => ({ signatures: readSignatures(json, seqno), body });
      const mismatch = ({ signatures }: ReturnType<typeof read>) =>
        typeof signatures === 'string' ? signatures : undefined;
      const asked = { read, mismatch };
      const { signatures, body } = await ask('getMasterchainBlockSignatures', query, 'block', asked, options);
      // `mismatch` rejects text
      return Object.freeze({ signatures: signatures as SignatureList, source: requester.label, body });
    },
    header: async (seqno, options) => await blockHeader(masterchain(seqno), options),
    async lookupBlock(shard, by, options) {
      const query = { ...shardQuery(shard), ...lookupQuery(by) };
      // After a split or a merge, the block at that time may be in a shard below or above the one named.
      const mismatch = (id: BlockIdExt) =>
        misplaced(id, 'seqno' in by ? { ...shard, seqno: by.seqno } : { ...id, workchain: shard.workchain });
      return await ask('lookupBlock', query, 'block', { read: parseLookupBlock, mismatch }, options);
    },
    shards: async (seqno, options) =>
      await ask('shards', { seqno: requireSeqno(seqno) }, 'block', { read: parseShards }, options),
    async shardBlockProof(block, options = {}) {
      const { fromSeqno } = options;
      const query = queryOf(block);
      if (fromSeqno !== undefined) query.from_seqno = requireSeqno(fromSeqno, 'fromSeqno');
      const mismatch = ({ from, links, masterchainId }: ShardBlockProof) =>
        (fromSeqno === undefined ? undefined : misplaced(from, masterchain(fromSeqno))) ??
        misplaced(links.at(-1)?.id ?? masterchainId, block);
      const asked = { read: parseShardBlockProof, mismatch };
      return await ask('getShardBlockProof', query, 'proof', asked, options, { fromSeqno: asGiven });
    },
    configParam,
    configAll: async (seqno, options) =>
      await ask('getConfigAll', { seqno: requireSeqno(seqno) }, 'config', { read: parseConfigInfo }, options),
    consensusBlock: (options) => ask('getConsensusBlock', {}, 'block', { read: parseConsensusBlock }, options),
    async claimedSet(seqno, given = {}) {
      const { deadlineMs = Number.POSITIVE_INFINITY, ...options } = readOptions(given, '', ASK_OPTIONS);
      // One time limit covers both questions.
      const endMs = performance.now() + deadlineMs;
      const rest = (): AskOptions => ({ ...options, ...limitUntil(endMs) });
      const header = await blockHeader(masterchain(seqno), rest());
      try {
        return await claimedValidatorSet(header, requester.label, (param, at) => configParam(param, at, rest()));
      } catch (error) {
        if (!(error instanceof FinalityError) || error instanceof SourceError || error instanceof UsageError)
          throw error;
        const what = `getConfigParam: a set that cannot be read: ${error.message}`;
        throw failureOf(requester.label, codeOfUnreadable(error), what, { cause: error });
      }
    },
  };
  return Object.freeze(source);
}
