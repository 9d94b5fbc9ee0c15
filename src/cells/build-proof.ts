/**
 * Writes the Merkle proof of what has been read: every cell that a `Slice` was opened on stays, every other is replaced
 * by its hash. Reading the proof again the same way needs nothing more.
 *
 * The same reading of a whole block and of any proof of it, in whatever order they hold their cells, gives the same bytes.
 */
import { concatBytes, encodeHex } from '../base/bytes.ts';
import { type Cell, refIndex } from './cell.ts';
import { bigEndianBytes as bigEndian, bytesFor } from './write-boc.ts';

const ORDINARY = 0;
/** References, exotic, level mask 1: a pruned branch, and the bits of a first descriptor byte it is made of. */
const PRUNED_DESCRIPTOR = 0x08 + 0x20;
const PRUNED_DATA_BYTES = 36;
const PROOF_DATA_BYTES = 35;

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
  const refsOf = (index: number) => {
    const length = shown(index) ? table.descriptor[index]! & 7 : 0;
    return Array.from({ length }, (_, k) => refIndex(table, index, k));
  };
  // References lead to later cells, so one pass forward finds all that stay and their borders. A file may hold a cell
  // twice, or pruned and whole: each level-0 hash is kept once, whole if one of its cells was opened.
  const wanted = new Uint8Array(count);
  wanted[root.index] = 1;
  const keys = new Map<number, string>();
  const kept = new Map<string, number>();
  for (let index = root.index; index < count; index++) {
    if (wanted[index] === 0) continue;
    const key = encodeHex(root.at(index).hash(0));
    keys.set(index, key);
    if (!kept.has(key) || shown(index)) kept.set(key, index);
    for (const child of refsOf(index)) wanted[child] = 1;
  }
  // Deeper cells first, so that references lead forward here too; among equals by hash, whatever order the file had.
  const order = [...kept].map(([key, index]) => ({ key, index, depth: root.at(index).depth(0), mask: 0 }));
  order.sort((a, b) => b.depth - a.depth || (a.key < b.key ? -1 : 1));
  const position = new Map(order.map(({ key }, at) => [key, at]));
  const childrenOf = (index: number) => refsOf(index).map((child) => position.get(keys.get(child)!)!);
  // One pass back gives each cell the level that the pruned branches below it make.
  for (let at = order.length - 1; at >= 0; at--) {
    const cell = order[at]!;
    cell.mask = shown(cell.index) ? Math.max(0, ...childrenOf(cell.index).map((child) => order[child]!.mask)) : 1;
  }
  const refSize = bytesFor(order.length);
  const parts: Uint8Array[] = [
    Uint8Array.of(0x09, 2 * PROOF_DATA_BYTES),
    hashAndDepth([3], root),
    bigEndian(1, refSize),
  ];
  for (const { index, mask } of order) {
    if (!shown(index)) {
      parts.push(Uint8Array.of(PRUNED_DESCRIPTOR, 2 * PRUNED_DATA_BYTES), hashAndDepth([1, 1], root.at(index)));
      continue;
    }
    const children = childrenOf(index);
    const bits = table.bitLength[index]!;
    const from = table.dataAt[index]!;
    parts.push(Uint8Array.of(children.length | (mask << 5), (bits >> 3) + ((bits + 7) >> 3)));
    parts.push(table.bytes.subarray(from, from + ((bits + 7) >> 3)));
    for (const child of children) parts.push(bigEndian(child + 1, refSize)); // the proof cell itself is number 0
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
