/**
 * Reads the wire form of a chain of links from one masterchain block to another. It decides nothing: `walk.ts` verifies
 * it.
 */
import { concatBytes } from '../base/bytes.ts';
import { MAX_PROOF_ANSWER_BYTES, MAX_PROOF_LINKS } from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { readTlBlockId, readTlBool, tlBlockId } from '../block/tl-block-id.ts';
import { readTlVector } from '../tl/bytes.ts';
import { BLOCK_LINK_BACK, BLOCK_LINK_FORWARD, BOOL_TRUE, PARTIAL_BLOCK_PROOF } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import { tlUint32 } from '../tl/writer.ts';
import { type NamedSignatureList, readTlSignatureSet } from './block-signatures.ts';
import { openAnswer, readBag } from './open-answer.ts';

/** A link to a newer block, proven by signatures of the validators that the older block installed. */
export interface ForwardLink {
  readonly kind: 'forward';
  readonly toKeyBlock: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  /** Merkle proof of the header of `to`. */
  readonly destProof: Uint8Array;
  /** Merkle proof of the configuration in `from`. */
  readonly configProof: Uint8Array;
  readonly signatures: NamedSignatureList;
}

/**
 * A link to an older block, proven by the list of earlier blocks in the state of the newer block. It has no signatures.
 */
export interface BackLink {
  readonly kind: 'back';
  readonly toKeyBlock: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  /** Merkle proof of the header of `to`; empty for the zerostate. */
  readonly destProof: Uint8Array;
  /** Merkle proof of the header of `from` and of its state's hash. */
  readonly proof: Uint8Array;
  /** Merkle proof of the state of `from`. */
  readonly stateProof: Uint8Array;
}

/** liteServer.partialBlockProof. */
export interface PartialBlockProof {
  /** false: the server stopped before the requested block. */
  readonly complete: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  readonly links: readonly (ForwardLink | BackLink)[];
}

function readLink(tl: TlReader): ForwardLink | BackLink {
  const id = tl.constructorId('a block link', BLOCK_LINK_FORWARD, BLOCK_LINK_BACK);
  const common = {
    toKeyBlock: readTlBool(tl),
    from: readTlBlockId(tl),
    to: readTlBlockId(tl),
    destProof: readBag(tl),
  };
  if (id === BLOCK_LINK_FORWARD) {
    const configProof = readBag(tl);
    return { kind: 'forward', ...common, configProof, signatures: readTlSignatureSet(tl, common.to) };
  }
  return { kind: 'back', ...common, proof: readBag(tl), stateProof: readBag(tl) };
}

/**
 * Reads the answer of liteServer.getBlockProof. Source: ton `tl/generate/scheme/lite_api.tl`; the schema lines are in
 * `core/tl/constructors.ts`.
 * @throws DecodeError `decode/api-error` with the server's text, `decode/tl`, `decode/too-large`
 */
export function parsePartialBlockProof(bytes: Uint8Array, path = 'proof'): PartialBlockProof {
  return readPartialBlockProof(ownBytes(bytes, path, MAX_PROOF_ANSWER_BYTES), path).proof;
}

/** Reads an answer that is ours, so without a copy of the whole. `linkBytes` are views of it. */
export function readPartialBlockProof(bytes: Uint8Array, path = 'proof') {
  const { tl } = openAnswer(bytes, path, 'a block proof', PARTIAL_BLOCK_PROOF);
  const complete = readTlBool(tl);
  const from = readTlBlockId(tl);
  const to = readTlBlockId(tl);
  const linkBytes: Uint8Array[] = [];
  const links = readTlVector(tl, MAX_PROOF_LINKS, 'links', () => {
    const start = tl.offset;
    const link = readLink(tl);
    linkBytes.push(bytes.subarray(start, tl.offset));
    return link;
  });
  tl.end();
  return { proof: { complete, from, to, links }, linkBytes };
}

/** Makes an answer with one link, cut out of a larger answer. @param link the bytes of the link */
export function oneLinkProof({ from, to }: Pick<ForwardLink, 'from' | 'to'>, link: Uint8Array): Uint8Array {
  const head = [PARTIAL_BLOCK_PROOF, BOOL_TRUE].map(tlUint32);
  return concatBytes(...head, tlBlockId(from), tlBlockId(to), tlUint32(1), link);
}
