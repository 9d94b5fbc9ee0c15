/**
 * Opens a Merkle proof. `hash-cells.ts` has checked that the hash and depth in the proof are those of its contents. The
 * caller checks whether the hash is the trusted one.
 */
import { equalBytes } from '../base/bytes.ts';
import { DecodeError, TrustError } from '../base/errors.ts';
import type { Cell } from './cell.ts';

/**
 * The proven root inside a Merkle proof cell.
 * !merkle_proof#03 {X:Type} virtual_hash:bits256 depth:uint16 virtual_root:^X = MERKLE_PROOF X;
 * Source: ton `crypto/block/block.tlb`; `crypto/vm/cells/MerkleProof.cpp`, virtualize.
 */
export function openMerkleProof(cell: Cell, path: string): Cell {
  if (cell.kind !== 'merkle-proof') {
    const got = cell.kind === 'ordinary' ? 'an ordinary cell' : `a ${cell.kind} cell`;
    throw new DecodeError('decode/boc', `expected a Merkle proof, got ${got}`, { path });
  }
  // A proof with pruned branches of a higher level would only be valid inside a different proof.
  if (cell.level !== 0) {
    throw new DecodeError('decode/boc', `expected a whole Merkle proof, got one of level ${cell.level}`, { path });
  }
  return cell.ref(0);
}

/** Requires the level-0 hash of a root. @throws TrustError `trust/root-hash` */
export function requireRootHash(root: Cell, rootHash: Uint8Array, path: string): void {
  if (!equalBytes(root.hash(0), rootHash)) {
    throw new TrustError('trust/root-hash', 'the root hash is not that of the block it is for', {
      path,
      hint: 'the proof or file is of another block, or was changed',
    });
  }
}
