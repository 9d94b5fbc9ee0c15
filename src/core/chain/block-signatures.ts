/**
 * Reads signature lists in the forms in which proofs contain them: the cell form that nodes store, and the TL form of
 * lite servers. Both also name the session and the validator set; the JSON form does not.
 */
import { DecodeError } from '../base/errors.ts';
import {
  MAX_CANDIDATE_BYTES,
  MAX_CANDIDATE_CELLS,
  MAX_CELL_CANDIDATE_BYTES,
  MAX_CELL_SIGNATURES,
  MAX_SIGNATURE_ENTRIES,
  SIGNATURE_BYTES,
} from '../base/limits.ts';
import type { Own } from '../base/own-bytes.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import {
  ownSignatureList,
  type SignatureEntry,
  type SignatureList,
  type SimplexParts,
} from '../block/signature-list.ts';
import type { Cell } from '../cells/cell.ts';
import { forEachEntry } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import { readTlBytes, readTlVector } from '../tl/bytes.ts';
import { LITE_SIGNATURE_SET_ORDINARY, LITE_SIGNATURE_SET_SIMPLEX } from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';

/**
 * Signatures, and the numbers that come with them. These numbers are claims until they are compared with a proven
 * header.
 */
export interface NamedSignatureList {
  readonly list: Own<SignatureList>;
  readonly catchainSeqno: number;
  readonly validatorListHashShort: number;
  /** Sum of the signers' weights; the cell form only. */
  readonly signedWeight?: bigint;
}

const BLOCK_SIGNATURES = 0x11;
const BLOCK_SIGNATURES_SIMPLEX = 0x12;
const ED25519_SIGNATURE = 5;
/** sig_pair$_ node_id_short:bits256 sign:CryptoSignature; ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple */
function readSignature(slice: Slice): SignatureEntry {
  const nodeIdShort = slice.bytes(32);
  slice.tag(4, ED25519_SIGNATURE, 'an Ed25519 signature');
  const signature = slice.bytes(SIGNATURE_BYTES);
  slice.end();
  return Object.freeze({ nodeIdShort, signature });
}

/**
 * Reads bytes from a chain of cells: all bits of a cell, then those of its one reference. Source: ton
 * `crypto/block/signature-set.cpp`, BlockSignatureSetSimplex::fetch. The node's reader has no limit; this one has the
 * limit of the node's writer.
 */
export function readCandidate(cell: Cell, path: string): Uint8Array {
  const bytes: number[] = [];
  let pending = 0;
  let pendingBits = 0;
  let next: Cell | undefined = cell;
  for (let count = 0; next !== undefined; count++) {
    const slice: Slice = new Slice(next, path);
    if (count >= MAX_CANDIDATE_CELLS) throw slice.error(`expected a candidate of at most ${MAX_CANDIDATE_CELLS} cells`);
    while (slice.bitsLeft > 0) {
      const take = Math.min(8 - pendingBits, slice.bitsLeft);
      pending = (pending << take) | slice.uint(take);
      pendingBits += take;
      if (pendingBits < 8) continue;
      bytes.push(pending);
      pending = 0;
      pendingBits = 0;
    }
    next = slice.refsLeft > 0 ? slice.ref() : undefined;
    slice.end();
  }
  if (pendingBits !== 0) throw new DecodeError('decode/boc', 'a candidate that ends inside a byte', { path });
  if (bytes.length > MAX_CELL_CANDIDATE_BYTES) {
    throw new DecodeError('decode/boc', `expected a candidate of at most ${MAX_CELL_CANDIDATE_BYTES} bytes`, { path });
  }
  return Uint8Array.from(bytes);
}

/**
 * block_signatures#11 validator_list_hash_short:uint32 catchain_seqno:uint32 sig_count:uint32 sig_weight:uint64
 *   signatures:(HashmapE 16 CryptoSignaturePair) = BlockSignatures;
 * block_signatures_simplex#12 the same, then session_id:bits256 slot:uint32 candidate_data:^Cell = BlockSignatures;
 * Source: ton `crypto/block/block.tlb`; `crypto/block/signature-set.cpp`, unpack_signatures_dict.
 * @param blockId the block that the proof is for: the cell itself does not name it
 */
export function readBlockSignatures(cell: Cell, blockId: BlockIdExt, path: string): NamedSignatureList {
  const slice = new Slice(cell, path);
  const tag = slice.uint(8);
  if (tag !== BLOCK_SIGNATURES && tag !== BLOCK_SIGNATURES_SIMPLEX)
    throw slice.wrongTag(tag, 8, 'block signatures (11 or 12)');
  const validatorListHashShort = slice.uint(32);
  const catchainSeqno = slice.uint(32);
  const count = slice.uint(32);
  const signedWeight = slice.uint64();
  const root = slice.maybeSlice('signatures');
  const signatures: SignatureEntry[] = [];
  if (root !== undefined) {
    forEachEntry(root, 16, MAX_CELL_SIGNATURES, (index, value) => {
      if (index !== signatures.length) throw root.error(`expected entry ${signatures.length}, got ${index}`);
      signatures.push(readSignature(value));
    });
  }
  if (signatures.length !== count) throw slice.error(`expected ${count} signatures, got ${signatures.length}`);
  const simplex = tag === BLOCK_SIGNATURES ? undefined : readSimplex(slice);
  slice.end();
  return { list: ownSignatureList(blockId, signatures, simplex), catchainSeqno, validatorListHashShort, signedWeight };
}

function readSimplex(slice: Slice): SimplexParts {
  const sessionId = slice.bytes(32);
  const slot = slice.uint(32);
  return { sessionId, slot, candidate: readCandidate(slice.ref(), `${slice.path}.candidate_data`) };
}

/** liteServer.signature node_id_short:int256 signature:bytes = liteServer.Signature, in a bare vector. */
function readTlEntries(tl: TlReader): readonly SignatureEntry[] {
  return readTlVector(tl, MAX_SIGNATURE_ENTRIES, 'signatures', (_, k) => {
    const nodeIdShort = tl.int256();
    const signature = readTlBytes(tl, SIGNATURE_BYTES);
    if (signature.length !== SIGNATURE_BYTES) {
      throw tl.error(`signature ${k}: expected ${SIGNATURE_BYTES} bytes, got ${signature.length}`);
    }
    return Object.freeze({ nodeIdShort, signature });
  });
}

/**
 * Reads a boxed liteServer.SignatureSet. Its two forms have the first two numbers in a different order. Source: ton
 * `tl/generate/scheme/lite_api.tl`, liteServer.signatureSet.ordinary and .simplex.
 */
export function readTlSignatureSet(tl: TlReader, blockId: BlockIdExt): NamedSignatureList {
  const id = tl.constructorId('a signature set', LITE_SIGNATURE_SET_ORDINARY, LITE_SIGNATURE_SET_SIMPLEX);
  const isSimplex = id === LITE_SIGNATURE_SET_SIMPLEX;
  const [first, second] = [tl.uint32(), tl.uint32()];
  const [catchainSeqno, validatorListHashShort] = isSimplex ? [first, second] : [second, first];
  const signatures = readTlEntries(tl);
  const simplex = isSimplex
    ? { sessionId: tl.int256(), slot: tl.uint32(), candidate: readTlBytes(tl, MAX_CANDIDATE_BYTES) }
    : undefined;
  return { list: ownSignatureList(blockId, signatures, simplex), catchainSeqno, validatorListHashShort };
}
