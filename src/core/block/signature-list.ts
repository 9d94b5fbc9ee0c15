/**
 * Signature lists: read from `blocks.blockSignatures` and `blocks.blockSignatures.simplex` of v2
 * getMasterchainBlockSignatures, and copied from a caller's object.
 */
import { badArgument, requireMembers } from '../base/arguments.ts';
import { UnknownKind } from '../base/errors.ts';
import { type Hash256, readBase64, readBase64Exact, readHash256, readUint32, requireUint32 } from '../base/fields.ts';
import { badShape, badTypeName, joinPath, requireList, requireObject } from '../base/json-structure.ts';
import { HASH_BYTES, MAX_CANDIDATE_BYTES, MAX_SIGNATURE_ENTRIES, SIGNATURE_BYTES } from '../base/limits.ts';
import { type Own, ownBytes, ownBytesOf, ownList, ownPart } from '../base/own-bytes.ts';
import { type BlockIdExt, copyBlockId, readBlockId, requireMasterchain } from './block-id.ts';
import { unwrapAnswer } from './envelope.ts';

/** The entry of one signer. */
export interface SignatureEntry {
  /** The signer: SHA-256 of TL pub.ed25519, see `nodeIdShort`. */
  readonly nodeIdShort: Hash256;
  /** 64 bytes, R || S. */
  readonly signature: Uint8Array;
}

/** The members that only a simplex list has. */
export interface SimplexParts {
  readonly sessionId: Hash256;
  /** uint32; a negative JSON int32 is read modulo 2^32. */
  readonly slot: number;
  /** TL consensus.CandidateHashData, boxed. `signedMessage` checks its contents. */
  readonly candidate: Uint8Array;
}

/** The members of a list that go into the signed message. */
export type SignedParts = { readonly blockId: BlockIdExt } & (
  | { readonly kind: 'ordinary' }
  | ({ readonly kind: 'simplex' } & SimplexParts)
);

/**
 * The signature list of one block, of either kind. A repeated signer is kept, since the decoder only reads. Source: ton
 * `tl/generate/scheme/tonlib_api.tl`, blocks.blockSignatures and blocks.blockSignatures.simplex.
 */
export type SignatureList = SignedParts & { readonly signatures: readonly SignatureEntry[] };

/** Makes a list of parts that no other code can write to: an ordinary one without `simplex`. */
export function ownSignatureList(
  blockId: BlockIdExt,
  entries: readonly SignatureEntry[],
  simplex?: SimplexParts,
): Own<SignatureList> {
  const common = { blockId, signatures: Object.freeze(entries) };
  const list: SignatureList = simplex ? { kind: 'simplex', ...common, ...simplex } : { kind: 'ordinary', ...common };
  return Object.freeze(list) as Own<SignatureList>; // as the caller says
}

/**
 * Makes the error for an unknown kind: a name of the same family is newer than this version, any other name is
 * malformed.
 */
function unknownKind(type: unknown, family: string): UnknownKind | undefined {
  return typeof type === 'string' && type.startsWith(family) ? new UnknownKind(type.slice(0, 64)) : undefined;
}

function readEntry(json: unknown, path: string): SignatureEntry {
  const { '@type': type, node_id_short: nodeIdShort, signature } = requireObject(json, path);
  // The type may be missing, since older typings of other libraries leave it out.
  if (type !== undefined && type !== 'blocks.signature') {
    const cause = unknownKind(type, 'blocks.signature');
    throw badShape('"blocks.signature"', type, `${path}.@type`, { cause });
  }
  return Object.freeze({
    nodeIdShort: readHash256(nodeIdShort, `${path}.node_id_short`),
    signature: readBase64Exact(signature, `${path}.signature`, SIGNATURE_BYTES),
  });
}

function readCommon(id: unknown, list: unknown, at: (name: string) => string) {
  const path = at('signatures');
  const entries = requireList(list, MAX_SIGNATURE_ENTRIES, path);
  const blockId = requireMasterchain(readBlockId(id, at('id')), at('id'));
  // `Array.from`, because `map` would skip holes.
  const signatures = Array.from(entries, (entry, index) => readEntry(entry, `${path}[${index}]`));
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
 * const signatures = parseSignatureList(simplexSample.signatures);
 * console.log(signatures.kind, signatures.blockId.seqno); // simplex 59379986
 * ```
 */
export function parseSignatureList(json: unknown): SignatureList {
  const answer = unwrapAnswer(json);
  const result = requireObject(answer.result, answer.path);
  const at = (name: string) => joinPath(answer.path, [name]);
  const { '@type': type, id, signatures, session_id: sessionId, slot, candidate } = result;
  switch (type) {
    case 'blocks.blockSignatures':
      return Object.freeze({ kind: 'ordinary', ...readCommon(id, signatures, at) });
    case 'blocks.blockSignatures.simplex':
      return Object.freeze({
        kind: 'simplex',
        ...readCommon(id, signatures, at),
        sessionId: readHash256(sessionId, at('session_id')),
        slot: readUint32(slot, at('slot')),
        candidate: readBase64(candidate, at('candidate'), MAX_CANDIDATE_BYTES),
      });
    default:
      throw badTypeName(
        '"blocks.blockSignatures" or "blocks.blockSignatures.simplex"',
        type ?? result, // without a type, what was passed says more than that nothing is there
        at('@type'),
        unknownKind(type, 'blocks.blockSignatures'),
      );
  }
}

const HINT = 'parseSignatureList makes one from the JSON of a server';

/** Copies the members of a list that are signed. @throws DecodeError naming the member; UsageError for a value that is not a signature list */
export function copySignedParts(list: SignatureList): SignedParts {
  const { kind } = requireMembers(list, 'a signature list', 'signatures', HINT);
  if (kind !== 'ordinary' && kind !== 'simplex')
    throw badArgument('signatures.kind', 'ordinary or simplex', kind, HINT);
  const blockId = copyBlockId(list.blockId, 'blockId');
  if (kind === 'ordinary') return Object.freeze({ kind, blockId });
  const { sessionId, slot, candidate } = list as Extract<SignatureList, { kind: 'simplex' }>; // `kind` was read once, above
  return Object.freeze({
    kind,
    blockId,
    sessionId: ownBytesOf(HASH_BYTES, sessionId, 'sessionId'),
    slot: requireUint32(slot, 'slot'),
    candidate: ownBytes(candidate, 'candidate', MAX_CANDIDATE_BYTES),
  });
}

/** Copies entries into two buffers. Node ids are returned to the caller; the checked signatures are not. */
function copyEntries(entries: readonly SignatureEntry[]): readonly SignatureEntry[] {
  const nodeIds = new Uint8Array(HASH_BYTES * entries.length);
  const signatures = new Uint8Array(SIGNATURE_BYTES * entries.length);
  return entries.map((entry, at) => {
    const path = `signatures[${at}]`;
    const { nodeIdShort, signature } = requireMembers(entry, 'a signature entry', path);
    return Object.freeze({
      nodeIdShort:
        ownPart(nodeIdShort, HASH_BYTES, nodeIds, at) ?? ownBytesOf(HASH_BYTES, nodeIdShort, `${path}.nodeIdShort`), // `ownBytesOf` throws
      signature:
        ownPart(signature, SIGNATURE_BYTES, signatures, at) ??
        ownBytesOf(SIGNATURE_BYTES, signature, `${path}.signature`),
    });
  });
}

/** Copies a list with its entries. @throws as `copySignedParts`, and DecodeError `decode/too-large` for more than 4096 entries */
export function copySignatureList(list: SignatureList): Own<SignatureList> {
  const parts = copySignedParts(list);
  const signatures = copyEntries(ownList(list.signatures, 'signatures', MAX_SIGNATURE_ENTRIES));
  return Object.freeze({ ...parts, signatures: Object.freeze(signatures) }) as Own<SignatureList>; // copied above
}
