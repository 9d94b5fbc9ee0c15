/** The wire form of a chain of links from one masterchain block to another. Decides nothing: `walk.ts` judges it. */
import { concatBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { MAX_BOC_BYTES, MAX_PROOF_ANSWER_BYTES, MAX_PROOF_LINKS, MAX_SERVER_TEXT_CHARS } from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import { type BlockIdExt, readTlBlockId } from '../decode/block-id.ts';
import { cleanServerText } from '../decode/envelope.ts';
import { readTlBool, tlBlockId } from '../decode/tl-block-id.ts';
import { readTlBytes } from '../tl/bytes.ts';
import {
  BLOCK_LINK_BACK,
  BLOCK_LINK_FORWARD,
  BOOL_TRUE,
  LITE_SERVER_ERROR,
  PARTIAL_BLOCK_PROOF,
} from '../tl/constructors.ts';
import { TlReader } from '../tl/reader.ts';
import { tlUint32 } from '../tl/writer.ts';
import { type NamedSignatureSet, readTlSignatureSet } from './block-signatures.ts';

/** To a newer block, shown by the signatures of the set that the older one installed. */
export interface ForwardLink {
  readonly kind: 'forward';
  readonly toKeyBlock: boolean;
  readonly from: BlockIdExt;
  readonly to: BlockIdExt;
  /** Merkle proof of the header of `to`. */
  readonly destProof: Uint8Array;
  /** Merkle proof of the configuration in `from`. */
  readonly configProof: Uint8Array;
  readonly signatures: NamedSignatureSet;
}

/** To an older block, shown by the list of earlier blocks in the state of the newer one. No signatures. */
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
  /** false: the server stopped before the block it was asked for. */
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
    destProof: readTlBytes(tl, MAX_BOC_BYTES),
  };
  if (id === BLOCK_LINK_FORWARD) {
    const configProof = readTlBytes(tl, MAX_BOC_BYTES);
    return { kind: 'forward', ...common, configProof, signatures: readTlSignatureSet(tl, common.to) };
  }
  return { kind: 'back', ...common, proof: readTlBytes(tl, MAX_BOC_BYTES), stateProof: readTlBytes(tl, MAX_BOC_BYTES) };
}

/** The rest of liteServer.error, behind its constructor id, as the error to throw. */
export function readServerError(tl: TlReader, path: string): DecodeError {
  const code = tl.int32();
  const words = cleanServerText(new TextDecoder().decode(readTlBytes(tl, 8 * MAX_SERVER_TEXT_CHARS)));
  return new DecodeError('decode/api-error', `the lite server answered with an error: ${words} (code ${code})`, {
    path,
  });
}

/**
 * Reads the answer of liteServer.getBlockProof as it came over the wire.
 * Source: ton `tl/generate/scheme/lite_api.tl`; the schema lines stand in `tl/constructors.ts`.
 * @throws DecodeError `decode/api-error` with the server's words, `decode/tl`, `decode/too-large`
 */
export function parsePartialBlockProof(bytes: Uint8Array, path = 'proof'): PartialBlockProof {
  return readPartialBlockProof(bytes, path).proof;
}

/** The same, with the bytes of each link. They are nobody else's. */
export function readPartialBlockProof(
  bytes: Uint8Array,
  path = 'proof',
): { readonly proof: PartialBlockProof; readonly linkBytes: readonly Uint8Array[] } {
  const own = ownBytes(bytes, path, MAX_PROOF_ANSWER_BYTES);
  const tl = new TlReader(own, path);
  const id = tl.constructorId('a block proof', PARTIAL_BLOCK_PROOF, LITE_SERVER_ERROR);
  if (id === LITE_SERVER_ERROR) throw readServerError(tl, path);
  const complete = readTlBool(tl);
  const from = readTlBlockId(tl);
  const to = readTlBlockId(tl);
  const count = tl.uint32();
  if (count > MAX_PROOF_LINKS) throw tl.error(`expected at most ${MAX_PROOF_LINKS} links, got ${count}`);
  const links: (ForwardLink | BackLink)[] = [];
  const linkBytes: Uint8Array[] = [];
  for (let k = 0; k < count; k++) {
    const start = tl.offset;
    links.push(readLink(tl));
    linkBytes.push(own.subarray(start, tl.offset));
  }
  tl.end();
  return { proof: { complete, from, to, links }, linkBytes };
}

/** An answer that is one link, cut out of another answer. @param link the bytes of the link */
export function oneLinkProof({ from, to }: Pick<ForwardLink, 'from' | 'to'>, link: Uint8Array): Uint8Array {
  const head = [PARTIAL_BLOCK_PROOF, BOOL_TRUE].map(tlUint32);
  return concatBytes(...head, tlBlockId(from), tlBlockId(to), tlUint32(1), link);
}
