/**
 * Copies the signature list of a caller. Every member is read once, checked, and never read again. Hash, check and report therefore use
 * the same values, whatever getters, proxies or other threads do.
 */

import { badArgument, requireMembers } from '../base/arguments.ts';
import { type Hash256, requireUint32 } from '../base/fields.ts';
import { HASH_BYTES, MAX_CANDIDATE_BYTES, MAX_SIGNATURE_ENTRIES, SIGNATURE_BYTES } from '../base/limits.ts';
import { type Own, ownBytes, ownBytesOf, ownList, ownPart } from '../base/own-bytes.ts';
import { type BlockIdExt, copyBlockId } from './block-id.ts';
import type { SignatureEntry, SignatureList } from './signature-set.ts';

/** The members of a set that go into the signed message. */
export type SignedParts =
  | { readonly kind: 'ordinary'; readonly blockId: BlockIdExt }
  | {
      readonly kind: 'simplex';
      readonly blockId: BlockIdExt;
      readonly sessionId: Hash256;
      readonly slot: number;
      readonly candidate: Uint8Array;
    };

const HINT = 'parseSignatureList makes one from the JSON of a server';

/** Copies the members of a list that are signed. @throws DecodeError naming the member; UsageError for a value that is not a signature list */
export function copySignedParts(set: SignatureList): SignedParts {
  const { kind } = requireMembers(set, 'a signature list', 'signatures', HINT);
  if (kind !== 'ordinary' && kind !== 'simplex') throw badArgument('signatures', 'a signature list', set, HINT);
  const blockId = copyBlockId(set.blockId, 'blockId');
  if (kind === 'ordinary') return Object.freeze({ kind, blockId });
  const { sessionId, slot, candidate } = set as Extract<SignatureList, { kind: 'simplex' }>; // `kind` was read once, above
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
export function copySignatureSet(set: SignatureList): Own<SignatureList> {
  const parts = copySignedParts(set);
  const signatures = copyEntries(ownList(set.signatures, 'signatures', MAX_SIGNATURE_ENTRIES));
  return Object.freeze({ ...parts, signatures: Object.freeze(signatures) }) as Own<SignatureList>; // copied above
}
