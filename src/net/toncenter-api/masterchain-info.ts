/** v2 getMasterchainInfo and getConsensusBlock: where a server thinks the chain's head is. Both are only its word. */
import { DecodeError } from '../../core/base/errors.ts';
import { joinPath } from '../../core/base/json-structure.ts';
import { MAX_SEQNO } from '../../core/base/limits.ts';
import { type BlockIdExt, requireMasterchain } from '../../core/block/block-id.ts';
import { unwrapAnswer } from '../../core/block/envelope.ts';
import { hash256, typeName, uint32, utimeFloat } from './field-schemas.ts';
import { from, maybe, type Schema, typed } from './typed-schema.ts';
import { blockIdExt, parseV2Answer } from './v2-answer.ts';

/** Source: ton `tl/generate/scheme/tonlib_api.tl`, blocks.masterchainInfo. */
export interface MasterchainInfo {
  /** The newest masterchain block the server knows. */
  readonly last: BlockIdExt;
  /** The zerostate: seqno 0, and shard 0 where a block would have -2^63. It tells networks apart. */
  readonly init: BlockIdExt;
  /** Absent where a fork sends an empty text. */
  readonly stateRootHash?: Uint8Array;
}

const masterchainInfoSchema: Schema<MasterchainInfo> = typed({
  '@type': typeName('blocks.masterchainInfo'),
  last: blockIdExt,
  init: blockIdExt,
  state_root_hash: maybe(from((value) => (value === '' ? undefined : value), maybe(hash256))),
});

/** @throws DecodeError, also when `last` is no block of the masterchain: another chain, or a seqno that no block has */
export function parseMasterchainInfo(json: unknown): MasterchainInfo {
  const info = parseV2Answer(masterchainInfoSchema, json);
  const path = joinPath(unwrapAnswer(json).path, ['last']);
  const { seqno } = requireMasterchain(info.last, path);
  if (seqno === 0 || seqno > MAX_SEQNO) {
    throw new DecodeError('decode/range', `expected 1 to ${MAX_SEQNO}, got ${seqno}`, { path: `${path}.seqno` });
  }
  return info;
}

/** Where a server believes the network to be: getConsensusBlock of API v2. A claim. */
export interface ConsensusBlock {
  /** Largest seqno that the server's liteservers report. It says nothing about signatures. */
  readonly consensusBlock: number;
  /** The server's clock, unix seconds; the Python server sends a fraction. */
  readonly timestamp: number;
}

const consensusBlockSchema: Schema<ConsensusBlock> = typed({ consensus_block: uint32, timestamp: utimeFloat });

/** @throws DecodeError */
export function parseConsensusBlock(json: unknown): ConsensusBlock {
  return parseV2Answer(consensusBlockSchema, json);
}
