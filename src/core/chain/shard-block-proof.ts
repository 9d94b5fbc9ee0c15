/**
 * Reads the proof of a shard block: v2 getShardBlockProof, liteServer.shardBlockProof, and objects parsed from either.
 * It decides nothing: `shard-link.ts` verifies it.
 */
import { isBytes } from '../base/bytes.ts';
import { readBase64 } from '../base/fields.ts';
import { badShape, isObject, joinPath, requireList, requireObject, requireTypeName } from '../base/json-structure.ts';
import { MAX_BOC_BYTES, MAX_PROOF_ANSWER_BYTES, MAX_SHARD_BACK_LINKS, MAX_SHARD_LINKS } from '../base/limits.ts';
import { ownBytes, ownList } from '../base/own-bytes.ts';
import { ownMembers } from '../base/present.ts';
import { type BlockIdExt, copyBlockId, readBlockId } from '../block/block-id.ts';
import { unwrapAnswer } from '../block/envelope.ts';
import { readTlBlockId } from '../block/tl-block-id.ts';
import { readTlVector } from '../tl/bytes.ts';
import { SHARD_BLOCK_PROOF } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import type { BackLink } from './block-proof.ts';
import { openAnswer, readBag } from './open-answer.ts';

/** The way from the masterchain block down: each block with the proof that the previous entry lists it or follows it. */
export type ShardLinks = readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];

/** A parsed answer of getShardBlockProof; `verifyShardBlock` checks it. */
export interface ShardBlockProof {
  readonly kind: 'shard-block-proof';
  /** The masterchain block where the proof starts; the server chooses it if you requested none. */
  readonly from: BlockIdExt;
  /** The masterchain block that lists the shard: `from`, or an older block. */
  readonly masterchainId: BlockIdExt;
  /** Links from `from` to `masterchainId`, if these differ. */
  readonly back?: BackLink;
  /** Empty for a masterchain block. */
  readonly links: ShardLinks;
}

/**
 * A parsed answer of liteServer.getShardBlockProof, for `verifyShardBlock`. It starts at the block that lists the
 * shard.
 */
export type ShardProofAnswer = Pick<ShardBlockProof, 'kind' | 'masterchainId' | 'links'>;

/** A proof before verification, whatever its form. */
export interface ShardProof extends Pick<ShardBlockProof, 'from' | 'masterchainId' | 'links'> {
  readonly back: BackLink | undefined;
  /** Where the parts are in the input, for errors. */
  readonly path: string;
}

/** liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink, in a bare vector. */
export function readTlShardLinks(tl: TlReader): ShardLinks {
  return readTlVector(tl, MAX_SHARD_LINKS, 'links', () => Object.freeze({ id: readTlBlockId(tl), proof: readBag(tl) }));
}

function readTl(answer: Uint8Array): ShardProof {
  const path = 'answer';
  const own = ownBytes(answer, path, MAX_PROOF_ANSWER_BYTES);
  const { tl } = openAnswer(own, path, 'a shard block proof', SHARD_BLOCK_PROOF);
  const from = readTlBlockId(tl);
  const links = readTlShardLinks(tl);
  tl.end();
  return { from, masterchainId: from, back: undefined, links, path };
}

/** Copies a parsed proof. Its bags of cells are copied when they are opened. */
function copyProof({ masterchainId, from, back, links }: Partial<ShardBlockProof>): ShardProof {
  const id = copyBlockId(masterchainId!, 'answer.masterchainId'); // `copyBlockId` checks it
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

/** Bags of cells are copied when they are opened; this only reads their length. */
function copyBackLink(link: BackLink, path: string): BackLink {
  const own = ownMembers(link ?? {}) as BackLink; // each member is checked
  return {
    ...own,
    toKeyBlock: own.toKeyBlock === true,
    from: copyBlockId(own.from, `${path}.from`),
    to: copyBlockId(own.to, `${path}.to`),
    destProof: ownBytes(own.destProof, `${path}.destProof`),
  };
}

function readProof(base64: unknown, path: string): Uint8Array {
  return readBase64(base64, path, MAX_BOC_BYTES);
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

/**
 * Reads a proof: JSON in any wrapping, liteServer.shardBlockProof as bytes, or an object parsed from either. @throws
 * DecodeError
 */
export function readShardProof(proof: unknown): ShardProof {
  if (isBytes(proof)) return readTl(proof);
  const own = (isObject(proof) ? ownMembers(proof) : {}) as Partial<ShardBlockProof>; // each member is checked
  return own.kind === 'shard-block-proof' ? copyProof(own) : readJson(proof);
}

/**
 * Reads an answer of v2 getShardBlockProof.
 * @param json the parsed body, in any wrapping
 * @returns the proof, for `verifyShardBlock`
 * @throws DecodeError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { toncenter } from 'ton-finality/servers';
 * const folder = 'vectors/inclusion/shard-block-proof/mainnet-2025-06-48996193';
 * const proof = toncenter.raw.parseShardBlockProof(JSON.parse(readFileSync(`${folder}/answer.json`, 'utf8')));
 * console.log(proof.links.length); // 1
 * ```
 */
export function parseShardBlockProof(json: unknown): ShardBlockProof {
  const { from, masterchainId, back, links } = readJson(json);
  const common = { kind: 'shard-block-proof', from, masterchainId, links: Object.freeze(links) } as const;
  return Object.freeze(back === undefined ? common : { ...common, back });
}
