/**
 * Signature lists: `blocks.blockSignatures` and `blocks.blockSignatures.simplex` of v2 getMasterchainBlockSignatures.
 */
import { UnknownKind } from '../base/errors.ts';
import { type Hash256, readBase64, readBase64Exact, readHash256, readUint32 } from '../base/fields.ts';
import { badShape, badTypeName, joinPath, requireList, requireObject, requireString } from '../base/json-structure.ts';
import { MAX_CANDIDATE_BYTES, MAX_SIGNATURE_ENTRIES, SIGNATURE_BYTES } from '../base/limits.ts';
import { type BlockIdExt, readBlockId, requireMasterchain } from './block-id.ts';
import { unwrapAnswer } from './envelope.ts';

/** The entry of one signer. */
export interface SignatureEntry {
  /** The signer: SHA-256 of TL pub.ed25519, see `nodeIdShort`. */
  readonly nodeIdShort: Hash256;
  /** 64 bytes, R || S. */
  readonly signature: Uint8Array;
}

/**
 * The signature list of one block, of either kind. A repeated signer is kept, since the decoder only reads. Source: ton
 * `tl/generate/scheme/tonlib_api.tl`, blocks.blockSignatures and blocks.blockSignatures.simplex.
 */
export type SignatureList = {
  readonly blockId: BlockIdExt;
  readonly signatures: readonly SignatureEntry[];
} & (
  | { readonly kind: 'ordinary' }
  | {
      readonly kind: 'simplex';
      readonly sessionId: Hash256;
      /** uint32; a negative JSON int32 is read modulo 2^32. */
      readonly slot: number;
      /** TL consensus.CandidateHashData, boxed. `signedMessage` checks its contents. */
      readonly candidate: Uint8Array;
    }
);

/**
 * Makes the error for an unknown kind: a name of the same family is newer than this version, any other name is
 * malformed.
 */
function unknownKind(type: unknown, family: string): UnknownKind | undefined {
  return typeof type === 'string' && type.startsWith(family) ? new UnknownKind(type.slice(0, 64)) : undefined;
}

/** The type of an entry may be missing, since older typings of other libraries leave it out. */
function requireEntryType(type: unknown, path: string): void {
  if (type === undefined || type === 'blocks.signature') return;
  throw badShape('"blocks.signature"', type, `${path}.@type`, {
    cause: unknownKind(type, 'blocks.signature'),
  });
}

function readEntry(json: unknown, path: string): SignatureEntry {
  const { '@type': type, node_id_short: nodeIdShort, signature } = requireObject(json, path);
  requireEntryType(type, path);
  const at = { nodeIdShort: `${path}.node_id_short`, signature: `${path}.signature` };
  return Object.freeze({
    nodeIdShort: readHash256(nodeIdShort, at.nodeIdShort),
    signature: readBase64Exact(requireString(signature, at.signature), at.signature, SIGNATURE_BYTES),
  });
}

function readCommon(id: unknown, list: unknown, path: string) {
  const at = { id: joinPath(path, ['id']), signatures: joinPath(path, ['signatures']) };
  const entries = requireList(list, MAX_SIGNATURE_ENTRIES, at.signatures);
  const blockId = requireMasterchain(readBlockId(id, at.id), at.id);
  // `Array.from`, because `map` would skip holes.
  const signatures = Array.from(entries, (entry, index) => readEntry(entry, `${at.signatures}[${index}]`));
  return { blockId, signatures: Object.freeze(signatures) };
}

/**
 * Reads a signature list from the answer of v2 getMasterchainBlockSignatures, bare or in any wrapping (see
 * `envelope.ts`). Unknown keys are ignored; an unknown `@type` is an error, never an empty list.
 * @param json the parsed body
 * @returns the list, of the kind `ordinary` or `simplex`
 * @throws DecodeError naming the JSON path; `decode/api-error` with the server's text for an error body; `decode/range`
 * for an id outside the masterchain (workchain -1, shard -2^63)
 * @example
 * ```ts
 * import { parseSignatureList } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const set = parseSignatureList(simplexSample.signatures);
 * console.log(set.kind, set.blockId.seqno); // simplex 59379986
 * ```
 */
export function parseSignatureList(json: unknown): SignatureList {
  const answer = unwrapAnswer(json);
  const { path } = answer;
  const result = requireObject(answer.result, path);
  const { '@type': type, id, signatures, session_id: sessionId, slot, candidate } = result;
  switch (type) {
    case 'blocks.blockSignatures':
      return Object.freeze({ kind: 'ordinary', ...readCommon(id, signatures, path) });
    case 'blocks.blockSignatures.simplex': {
      const at = {
        sessionId: joinPath(path, ['session_id']),
        slot: joinPath(path, ['slot']),
        candidate: joinPath(path, ['candidate']),
      };
      return Object.freeze({
        kind: 'simplex',
        ...readCommon(id, signatures, path),
        sessionId: readHash256(sessionId, at.sessionId),
        slot: readUint32(slot, at.slot),
        candidate: readBase64(requireString(candidate, at.candidate), at.candidate, MAX_CANDIDATE_BYTES),
      });
    }
    default:
      throw badTypeName(
        '"blocks.blockSignatures" or "blocks.blockSignatures.simplex"',
        type,
        joinPath(path, ['@type']),
        unknownKind(type, 'blocks.blockSignatures'),
      );
  }
}
