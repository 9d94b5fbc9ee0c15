/**
 * The proof of a block of a shard: v2 getShardBlockProof, liteServer.shardBlockProof, and what was read of either. Decides
 * nothing: `shard-link.ts` judges it.
 */
import { isBytes } from '../base/bytes.ts';
import { readBase64 } from '../base/fields.ts';
import {
  badShape,
  isObject,
  joinPath,
  requireList,
  requireObject,
  requireString,
  requireTypeName,
} from '../base/json-structure.ts';
import { MAX_BOC_BYTES, MAX_PROOF_ANSWER_BYTES, MAX_SHARD_BACK_LINKS, MAX_SHARD_LINKS } from '../base/limits.ts';
import { ownBytes, ownList } from '../base/own-bytes.ts';
import { ownMembers } from '../base/present.ts';
import { type BlockIdExt, copyBlockId, readBlockId, readTlBlockId } from '../block/block-id.ts';
import { unwrapAnswer } from '../block/envelope.ts';
import { readTlVector } from '../tl/bytes.ts';
import { SHARD_BLOCK_PROOF } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import type { BackLink } from './block-proof.ts';
import { openAnswer, readBag } from './open-answer.ts';

/** From the masterchain block down: each block with the proof that the one before lists it, or follows it. */
export type ShardLinks = readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];

/** A parsed answer of getShardBlockProof; `verifyShardBlock` checks it. */
export interface ShardBlockProof {
  readonly kind: 'shard-block-proof';
  /** The masterchain block that the proof starts from; the server picks it when none was asked for. */
  readonly from: BlockIdExt;
  /** The masterchain block that lists the shard; `from`, or older. */
  readonly masterchainId: BlockIdExt;
  /** From `from` to `masterchainId`, where they differ. */
  readonly back?: BackLink;
  /** Empty for a masterchain block. */
  readonly links: ShardLinks;
}

/** A parsed answer of liteServer.getShardBlockProof, for `verifyShardBlock`: it starts at the block that lists the shard. */
export type ShardProofAnswer = Pick<ShardBlockProof, 'kind' | 'masterchainId' | 'links'>;

/** A proof before it is judged, from whatever form it came in. */
export interface ShardProof extends Pick<ShardBlockProof, 'from' | 'masterchainId' | 'links'> {
  readonly back: BackLink | undefined;
  /** Where the parts stand in the input, for errors. */
  readonly path: string;
}

/** liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink, in a bare vector. */
export function readTlShardLinks(tl: TlReader): ShardLinks {
  return readTlVector(tl, MAX_SHARD_LINKS, 'links', () => Object.freeze({ id: readTlBlockId(tl), proof: readBag(tl) }));
}

function readTl(answer: Uint8Array, path: string): ShardProof {
  const own = ownBytes(answer, path, MAX_PROOF_ANSWER_BYTES);
  const { tl } = openAnswer(own, path, 'a shard block proof', SHARD_BLOCK_PROOF);
  const from = readTlBlockId(tl);
  const links = readTlShardLinks(tl);
  tl.end();
  return { from, masterchainId: from, back: undefined, links, path };
}

/** What was read already, as a copy. Of the bytes one is made where they are opened. */
function copyProof({ masterchainId, from, back, links }: Partial<ShardBlockProof>): ShardProof {
  const id = copyBlockId(masterchainId!, 'answer.masterchainId'); // it looks, as all of these do
  return {
    from: from === undefined ? id : copyBlockId(from, 'answer.from'),
    masterchainId: id,
    back: back === undefined ? undefined : copyBackLink(back, 'answer.back'),
    links: ownList(links!, 'answer.links', MAX_SHARD_LINKS).map((link, k) => {
      const own = ownMembers(link ?? {}) as ShardLinks[number];
      return { ...own, id: copyBlockId(own.id, `answer.links[${k}].id`) };
    }),
    path: 'answer',
  };
}

/** Bytes that are opened are copied there; of the other ones the length is read as it stands. */
function copyBackLink(link: BackLink, path: string): BackLink {
  const own = ownMembers(link ?? {}) as BackLink; // each member is looked at
  return {
    ...own,
    toKeyBlock: own.toKeyBlock === true,
    from: copyBlockId(own.from, `${path}.from`),
    to: copyBlockId(own.to, `${path}.to`),
    destProof: ownBytes(own.destProof, `${path}.destProof`),
  };
}

function readProof(base64: unknown, path: string): Uint8Array {
  return readBase64(requireString(base64, path), path, MAX_BOC_BYTES);
}

function readBackLink(json: unknown, path: string): BackLink {
  const { to_key_block: toKeyBlock, from, to, dest_proof, proof, state_proof } = requireObject(json, path);
  if (typeof toKeyBlock !== 'boolean') throw badShape('true or false', toKeyBlock, `${path}.to_key_block`);
  return {
    kind: 'back',
    toKeyBlock,
    from: readBlockId(from, `${path}.from`),
    to: readBlockId(to, `${path}.to`),
    destProof: readProof(dest_proof, `${path}.dest_proof`),
    proof: readProof(proof, `${path}.proof`),
    stateProof: readProof(state_proof, `${path}.state_proof`),
  };
}

function readJson(json: unknown): ShardProof {
  const { result, path } = unwrapAnswer(json);
  const { '@type': type, from, mc_id, mc_proof, links } = requireObject(result, path);
  const at = (...keys: PropertyKey[]) => joinPath(path, keys);
  requireTypeName(type, 'blocks.shardBlockProof', at('@type'));
  const below = requireList(links, MAX_SHARD_LINKS, at('links'));
  const above = requireList(mc_proof, MAX_SHARD_BACK_LINKS, at('mc_proof'));
  return {
    from: readBlockId(from, at('from')),
    masterchainId: readBlockId(mc_id, at('mc_id')),
    back: above.length === 0 ? undefined : readBackLink(above[0], at('mc_proof', 0)),
    links: below.map((value, k) => {
      const link = at('links', k);
      const { id, proof } = requireObject(value, link);
      return { id: readBlockId(id, `${link}.id`), proof: readProof(proof, `${link}.proof`) };
    }),
    path,
  };
}

/** Reads a proof: JSON in any wrapping, or what was read of JSON or TL. @throws DecodeError */
export function readShardProof(proof: unknown): ShardProof {
  const own = (isObject(proof) ? ownMembers(proof) : {}) as Partial<ShardBlockProof>; // each member is looked at
  return own.kind === 'shard-block-proof' ? copyProof(own) : readJson(proof);
}

/** The same, or liteServer.shardBlockProof as bytes. @throws DecodeError */
export function readShardProofOrTl(proof: unknown): ShardProof {
  return isBytes(proof) ? readTl(proof, 'answer') : readShardProof(proof);
}

/** Reads v2 getShardBlockProof, in any wrapping. @throws DecodeError */
export function parseShardBlockProof(json: unknown): ShardBlockProof {
  const { from, masterchainId, back, links } = readJson(json);
  const common = { kind: 'shard-block-proof', from, masterchainId, links: Object.freeze(links) } as const;
  return Object.freeze(back === undefined ? common : { ...common, back });
}
