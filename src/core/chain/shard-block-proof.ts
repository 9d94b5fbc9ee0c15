/** v2 getShardBlockProof, read in one place for who asks and for who judges. The cells are handed on as bytes. */

import { readBase64 } from '../base/fields.ts';
import { badShape, joinPath, requireList, requireObject, requireString } from '../base/json-structure.ts';
import { MAX_BOC_BYTES, MAX_SHARD_BACK_LINKS, MAX_SHARD_LINKS } from '../base/limits.ts';
import { type BlockIdExt, readBlockId } from '../block/block-id.ts';
import { unwrapAnswer } from '../block/envelope.ts';

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

const TYPE = 'blocks.shardBlockProof';

function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw badShape('true or false', value, path);
}

function readProof(base64: unknown, path: string): Uint8Array {
  return readBase64(requireString(base64, path), path, MAX_BOC_BYTES);
}

/** @returns the proof, and where its parts stand in the input @throws DecodeError */
export function readShardBlockProof(json: unknown): { readonly proof: ShardBlockProof; readonly path: string } {
  const { result, path } = unwrapAnswer(json);
  const answer = requireObject(result, path);
  const at = (...keys: PropertyKey[]) => joinPath(path, keys);
  const type = answer['@type'];
  if (type !== undefined && type !== TYPE) throw badShape(JSON.stringify(TYPE), type, at('@type'));
  const links = requireList(answer.links, MAX_SHARD_LINKS, at('links'));
  const backLinks = requireList(answer.mc_proof, MAX_SHARD_BACK_LINKS, at('mc_proof'));
  const proof = {
    from: readBlockId(answer.from, at('from')),
    mcId: readBlockId(answer.mc_id, at('mc_id')),
    mcProof: backLinks.map((value, k): BlockLinkBack => {
      const linkPath = at('mc_proof', k);
      const link = requireObject(value, linkPath);
      return {
        toKeyBlock: readBoolean(link.to_key_block, `${linkPath}.to_key_block`),
        from: readBlockId(link.from, `${linkPath}.from`),
        to: readBlockId(link.to, `${linkPath}.to`),
        destProof: readProof(link.dest_proof, `${linkPath}.dest_proof`),
        proof: readProof(link.proof, `${linkPath}.proof`),
        stateProof: readProof(link.state_proof, `${linkPath}.state_proof`),
      };
    }),
    links: links.map((value, k): ShardBlockLink => {
      const linkPath = at('links', k);
      const link = requireObject(value, linkPath);
      return { id: readBlockId(link.id, `${linkPath}.id`), proof: readProof(link.proof, `${linkPath}.proof`) };
    }),
  };
  return { proof, path };
}

/** @throws DecodeError */
export function parseShardBlockProof(json: unknown): ShardBlockProof {
  return readShardBlockProof(json).proof;
}
