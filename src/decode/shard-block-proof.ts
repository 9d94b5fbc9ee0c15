/**
 * v2 getShardBlockProof, getConfigParam and getConfigAll: answers that carry bags of cells. The cells are handed on as
 * bytes; what they prove is not decided here.
 */
import { DecodeError } from '../base/errors.ts';
import { MAX_SHARD_BACK_LINKS, MAX_SHARD_LINKS } from '../base/limits.ts';
import type { BlockIdExt } from './block-id.ts';
import { bytes, flag, typeName } from './field-schemas.ts';
import { listOf, type Schema, typed } from './typed-schema.ts';
import { blockIdExt, parseV2Answer } from './v2-answer.ts';

/** Source: ton `tl/generate/scheme/tonlib_api.tl`, blocks.shardBlockLink. */
export interface ShardBlockLink {
  readonly id: BlockIdExt;
  /** BoC. It proves the block before `id` in the chain. */
  readonly proof: Uint8Array;
}

/** Source: ton `tl/generate/scheme/tonlib_api.tl`, blocks.blockLinkBack. */
export interface BlockLinkBack {
  readonly toKeyBlock: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly destProof: Uint8Array;
  readonly proof: Uint8Array;
  readonly stateProof: Uint8Array;
}

/** The answer of getShardBlockProof as it is read; `verifyShardLink` and `shardBlock` check what it proves. */
export interface ShardBlockProof {
  /** The masterchain block that the proof starts from; the server picks it when none was asked for. */
  readonly from: BlockIdExt;
  readonly mcId: BlockIdExt;
  /** Empty for a masterchain block. */
  readonly links: readonly ShardBlockLink[];
  /** Empty when `from` is `mcId`. */
  readonly mcProof: readonly BlockLinkBack[];
}

const shardBlockProofSchema: Schema<ShardBlockProof> = typed({
  '@type': typeName('blocks.shardBlockProof'),
  from: blockIdExt,
  mc_id: blockIdExt,
  links: listOf(typed({ id: blockIdExt, proof: bytes }), MAX_SHARD_LINKS),
  mc_proof: listOf(
    typed({
      to_key_block: flag,
      from: blockIdExt,
      to: blockIdExt,
      dest_proof: bytes,
      proof: bytes,
      state_proof: bytes,
    }),
    MAX_SHARD_BACK_LINKS,
  ),
});

/** @throws DecodeError */
export function parseShardBlockProof(json: unknown): ShardBlockProof {
  return parseV2Answer(shardBlockProofSchema, json);
}

const configSchema: Schema<{ readonly config: { readonly bytes: Uint8Array } }> = typed({
  '@type': typeName('configInfo'),
  config: typed({ '@type': typeName('tvm.cell'), bytes }),
});

/** The BoC of one config parameter, or of the whole config. @throws DecodeError, also for the empty bytes of a missing parameter */
export function parseConfigInfo(json: unknown): Uint8Array {
  const boc = parseV2Answer(configSchema, json).config.bytes;
  if (boc.length === 0) {
    throw new DecodeError('decode/length', 'expected a bag of cells, got no bytes', {
      path: 'result.config.bytes',
      hint: 'this config parameter does not exist at that block',
    });
  }
  return boc;
}
