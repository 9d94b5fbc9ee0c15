/**
 * Writes the Merkle proof of what has been read: every cell that a `Slice` was opened on stays, every other is replaced
 * by its hash. Reading the proof again the same way needs nothing more. The only writer of cells in this library.
 *
 * The same reading of a whole block and of any proof of it gives the same bytes.
 */
import { concatBytes } from '../base/bytes.ts';
import { type Cell, refIndex } from './cell.ts';

const ORDINARY = 0;
/** References, exotic, level mask 1: a pruned branch, and the bits of a first descriptor byte it is made of. */
const PRUNED_DESCRIPTOR = 0x08 + 0x20;
const PRUNED_DATA_BYTES = 36;
const PROOF_DATA_BYTES = 35;

function bigEndian(value: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, k) => Math.floor(value / 256 ** (size - 1 - k)) % 256);
}

function bytesFor(value: number): number {
  let size = 1;
  while (value >= 256 ** size) size++;
  return size;
}

/** merkle_proof#03 (and the mask of a pruned branch, #01), hash and depth at level 0. */
function hashAndDepth(head: readonly number[], cell: Cell): Uint8Array {
  return concatBytes(Uint8Array.from(head), cell.hash(0), bigEndian(cell.depth(0), 2));
}

/**
 * The proof as a bag of cells with one root, a Merkle proof cell.
 * @param root an ordinary cell, the root of what was read
 */
export function buildMerkleProof(root: Cell): Uint8Array {
  const { table } = root;
  const count = table.dataAt.length;
  const shown = (index: number) => table.kind[index] === ORDINARY && table.opened[index] === 1;
  // References lead to later cells, so one pass forward finds all that stay and their borders.
  const wanted = new Uint8Array(count);
  wanted[root.index] = 1;
  const order: number[] = [];
  const position = new Uint32Array(count);
  for (let index = root.index; index < count; index++) {
    if (wanted[index] === 0) continue;
    order.push(index);
    position[index] = order.length; // the proof cell itself is number 0
    if (!shown(index)) continue;
    for (let k = 0; k < (table.descriptor[index]! & 7); k++) wanted[refIndex(table, index, k)] = 1;
  }
  // One pass back gives each cell the level that the pruned branches below it make.
  const mask = new Uint8Array(count);
  for (const index of [...order].reverse()) {
    if (!shown(index)) mask[index] = 1;
    else for (let k = 0; k < (table.descriptor[index]! & 7); k++) mask[index]! |= mask[refIndex(table, index, k)]!;
  }
  const refSize = bytesFor(order.length);
  const parts: Uint8Array[] = [
    Uint8Array.of(0x09, 2 * PROOF_DATA_BYTES),
    hashAndDepth([3], root),
    bigEndian(1, refSize),
  ];
  for (const index of order) {
    if (!shown(index)) {
      const cell = root.at(index);
      parts.push(Uint8Array.of(PRUNED_DESCRIPTOR, 2 * PRUNED_DATA_BYTES), hashAndDepth([1, 1], cell));
      continue;
    }
    const refs = table.descriptor[index]! & 7;
    const bits = table.bitLength[index]!;
    const from = table.dataAt[index]!;
    parts.push(Uint8Array.of(refs | (mask[index]! << 5), (bits >> 3) + ((bits + 7) >> 3)));
    parts.push(table.bytes.subarray(from, from + ((bits + 7) >> 3)));
    for (let k = 0; k < refs; k++) parts.push(bigEndian(position[refIndex(table, index, k)]!, refSize));
  }
  const data = concatBytes(...parts);
  const offsetSize = bytesFor(data.length);
  return concatBytes(
    Uint8Array.of(0xb5, 0xee, 0x9c, 0x72, refSize, offsetSize),
    bigEndian(order.length + 1, refSize),
    bigEndian(1, refSize),
    bigEndian(0, refSize),
    bigEndian(data.length, offsetSize),
    bigEndian(0, refSize),
    data,
  );
}
