/**
 * Answers of v2 servers, without proof: headers of blocks, the chain's head, and the bags of cells of configurations.
 */
import { DecodeError } from '../../core/base/errors.ts';
import { isObject, joinPath } from '../../core/base/json-structure.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_LIST_ROWS, MAX_SEQNO } from '../../core/base/limits.ts';
import { type BlockIdExt, requireMasterchain } from '../../core/block/block-id.ts';
import { unwrapAnswer } from '../../core/block/envelope.ts';
import { blockIdExt, bytes, hash256, int32, int64, uint32, utimeFloat } from './fields.ts';
import { bool, by, listOf, type Output, objectOf, parseBy, type Schema, typeName } from './schema.ts';

/**
 * Reads the result in the envelope of v2. @throws DecodeError naming the JSON path, or `decode/api-error` with the
 * server's message
 */
function parseV2Answer<T>(schema: Schema<T>, json: unknown): T {
  const { result, path } = unwrapAnswer(json);
  return parseBy(schema, result, path);
}

const blockHeaderSchema = objectOf(
  {
    '@type': typeName('blocks.header'),
    id: blockIdExt,
    /** Network: -239 mainnet, -3 testnet. */
    global_id: int32,
    version: uint32,
    after_merge: bool,
    after_split: bool,
    before_split: bool,
    want_merge: bool,
    want_split: bool,
    /** uint32; the JSON prints an int32, which is read modulo 2^32. */
    validator_list_hash_short: uint32,
    catchain_seqno: uint32,
    min_ref_mc_seqno: uint32,
    prev_key_block_seqno: uint32,
    is_key_block: bool,
    start_lt: int64,
    end_lt: int64,
    /** Unix seconds. */
    gen_utime: uint32,
    /** One id, or two after a merge. */
    prev_blocks: listOf(blockIdExt, 2),
  },
  // Sent by the Python server only.
  { flags: uint32, vert_seqno: uint32 },
);
/**
 * The header of a block as a v2 server claims it, without proof. Source: ton `tl/generate/scheme/tonlib_api.tl`,
 * blocks.header.
 */
export type RawBlockHeader = Output<typeof blockHeaderSchema>;

/**
 * Reads the answer of API v2 to getBlockHeader.
 * @param json the parsed body of the answer
 * @returns the parsed result, as the server claims it
 * @throws DecodeError naming the JSON path, or `decode/api-error` with the server's message
 * @example
 * ```ts
 * import { toncenter } from 'ton-finality/servers';
 * const answer = await fetch('https://toncenter.com/api/v2/getBlockHeader?workchain=-1&shard=-9223372036854775808&seqno=59379986');
 * const { id } = toncenter.raw.parseBlockHeader(await answer.json());
 * console.log(id.seqno); // 59379986
 * ```
 */
export function parseBlockHeader(json: unknown): RawBlockHeader {
  return parseV2Answer(blockHeaderSchema, json);
}

/**
 * Reads the answer of API v2 to lookupBlock: the id itself, or wrapped as `{ block_id }`, as one server sends it.
 * @param json the parsed body of the answer
 * @returns the id of the block, as the server claims it
 * @throws DecodeError naming the JSON path, or `decode/api-error` with the server's message
 * @example
 * ```ts
 * import { toncenter } from 'ton-finality/servers';
 * const answer = await fetch('https://toncenter.com/api/v2/lookupBlock?workchain=-1&shard=-9223372036854775808&seqno=59379986');
 * const { seqno } = toncenter.raw.parseLookupBlock(await answer.json());
 * console.log(seqno); // 59379986
 * ```
 */
export function parseLookupBlock(json: unknown): BlockIdExt {
  const { result, path } = unwrapAnswer(json);
  if (isObject(result) && Object.hasOwn(result, 'block_id')) {
    return parseBy(blockIdExt, result.block_id, joinPath(path, ['block_id']));
  }
  return parseBy(blockIdExt, result, path);
}

const shardsSchema = objectOf({ '@type': typeName('blocks.shards'), shards: listOf(blockIdExt, MAX_LIST_ROWS) });

/**
 * Reads the answer of API v2 to shards: the top blocks of all shards, without the masterchain.
 * @param json the parsed body of the answer
 * @returns the ids of the blocks, as the server claims them
 * @throws DecodeError naming the JSON path, also for a masterchain id
 * @example
 * ```ts
 * import { toncenter } from 'ton-finality/servers';
 * const answer = await fetch('https://toncenter.com/api/v2/shards?seqno=59379986');
 * const shards = toncenter.raw.parseShards(await answer.json());
 * console.log(shards.length > 0); // true
 * ```
 */
export function parseShards(json: unknown): readonly BlockIdExt[] {
  const { shards } = parseV2Answer(shardsSchema, json);
  const stray = shards.findIndex((id) => id.workchain === MASTERCHAIN_WORKCHAIN);
  if (stray < 0) return shards;
  const path = joinPath(unwrapAnswer(json).path, ['shards', stray, 'workchain']);
  throw new DecodeError('decode/range', 'expected the top block of a shard, got a masterchain block', { path });
}

const configSchema = objectOf({
  '@type': typeName('configInfo'),
  config: objectOf({ '@type': typeName('tvm.cell'), bytes }),
});

/**
 * Reads the BoC of one configuration parameter, or of the whole configuration.
 * @param json the parsed body of the answer
 * @returns the bytes of the BoC, as the server claims them
 * @throws DecodeError naming the JSON path, also for the empty bytes of a missing parameter
 * @example
 * ```ts
 * import { toncenter } from 'ton-finality/servers';
 * const answer = await fetch('https://toncenter.com/api/v2/getConfigParam?config_id=34&seqno=59238081');
 * const boc = toncenter.raw.parseConfigInfo(await answer.json());
 * console.log(boc.length > 0); // true
 * ```
 */
export function parseConfigInfo(json: unknown): Uint8Array {
  const boc = parseV2Answer(configSchema, json).config.bytes;
  if (boc.length > 0) return boc;
  throw new DecodeError('decode/length', 'expected a bag of cells, got no bytes', {
    path: 'result.config.bytes',
    hint: 'this config parameter does not exist at that block',
  });
}

const masterchainInfoSchema = objectOf(
  {
    '@type': typeName('blocks.masterchainInfo'),
    /** The newest masterchain block the server knows. */
    last: blockIdExt,
    /** The zerostate: seqno 0, and shard 0 where a block would have -2^63. It tells networks apart. */
    init: blockIdExt,
  },
  // A fork sends an empty text.
  { state_root_hash: by((value): Uint8Array | undefined => (value === '' ? undefined : parseBy(hash256, value, ''))) },
);
/** The head and the zerostate that a v2 server claims. Source: ton `tl/generate/scheme/tonlib_api.tl`, blocks.masterchainInfo. */
export type MasterchainInfo = Output<typeof masterchainInfoSchema>;

/**
 * Reads the answer of API v2 to getMasterchainInfo.
 * @param json the parsed body of the answer
 * @returns the parsed result, as the server claims it
 * @throws DecodeError naming the JSON path, also when `last` is not a masterchain block: a different chain, or a seqno
 * that no block has
 * @example
 * ```ts
 * import { toncenter } from 'ton-finality/servers';
 * const answer = await fetch('https://toncenter.com/api/v2/getMasterchainInfo');
 * const { last } = toncenter.raw.parseMasterchainInfo(await answer.json());
 * console.log(last.workchain); // -1
 * ```
 */
export function parseMasterchainInfo(json: unknown): MasterchainInfo {
  const info = parseV2Answer(masterchainInfoSchema, json);
  const path = joinPath(unwrapAnswer(json).path, ['last']);
  const { seqno } = requireMasterchain(info.last, path);
  if (seqno > 0 && seqno <= MAX_SEQNO) return info;
  throw new DecodeError('decode/range', `expected 1 to ${MAX_SEQNO}, got ${seqno}`, { path: `${path}.seqno` });
}

const consensusBlockSchema = objectOf({
  /** The largest seqno that the server's liteservers report. Its block may lack signatures. */
  consensus_block: uint32,
  /** The server's clock, unix seconds; the Python server sends a fraction. */
  timestamp: utimeFloat,
});
/** The newest block of the network as a server claims it: getConsensusBlock of API v2. */
export type ConsensusBlock = Output<typeof consensusBlockSchema>;

/**
 * Reads the answer of API v2 to getConsensusBlock.
 * @param json the parsed body of the answer
 * @returns the parsed result, as the server claims it
 * @throws DecodeError naming the JSON path, or `decode/api-error` with the server's message
 * @example
 * ```ts
 * import { toncenter } from 'ton-finality/servers';
 * const answer = await fetch('https://toncenter.com/api/v2/getConsensusBlock');
 * const block = toncenter.raw.parseConsensusBlock(await answer.json());
 * console.log(block.consensusBlock > 0); // true
 * ```
 */
export function parseConsensusBlock(json: unknown): ConsensusBlock {
  return parseV2Answer(consensusBlockSchema, json);
}
