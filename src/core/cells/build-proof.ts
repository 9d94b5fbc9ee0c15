/**
 * Writes the Merkle proof of what was read: every cell that a `Slice` was opened on stays, and its hash replaces every
 * other cell. Reading the proof in the same way needs no further cell.
 *
 * Reading a whole block gives the same proof bytes as reading any proof of this block, whatever the order of their
 * cells.
 */

import { concatBytes, encodeHex, equalBytes } from '../base/bytes.ts';
import { type Cell, EXOTIC_BIT, MERKLE_UPDATE, ORDINARY, refIndex, tableOf } from './cell.ts';
import { bagOf, bigEndianBytes as bigEndian, bytesFor, cellBytes, dataOf } from './write-boc.ts';

/** A cell in the form that the proof has. */
interface ShownCell {
  readonly index: number;
  readonly key: string;
  readonly depth: number;
  /** Below a Merkle update a cut branch is one level higher, so two of its hashes may matter. */
  readonly belowUpdate: boolean;
  mask: number;
}

/**
 * A pruned branch: the hashes of the tree's own levels, then the depths of these levels.
 * @param mask 1, and below an update 3, or 2 where both hashes are equal; of these masks only 3 has two lower levels
 */
function prunedBranch(cell: Cell, mask: number): Uint8Array {
  const levels = mask === 3 ? [0, 1] : [0];
  const data = concatBytes(
    Uint8Array.of(1, mask),
    ...levels.map((level) => cell.hash(level)),
    ...levels.map((level) => bigEndian(cell.depth(level), 2)),
  );
  return cellBytes(EXOTIC_BIT | (mask << 5), 8 * data.length, data, [], 0);
}

/** Makes a bag of cells whose one root is the Merkle proof. @param root an ordinary cell, the root of what was read */
export function buildMerkleProof(root: Cell): Uint8Array {
  const table = tableOf(root);
  const count = table.dataAt.length;
  const isUpdate = (index: number) => table.kind[index] === MERKLE_UPDATE;
  const shown = (index: number) => (table.kind[index] === ORDINARY || isUpdate(index)) && table.opened[index] === 1;
  const refsOf = (index: number) => {
    const length = shown(index) ? table.descriptor[index]! & 7 : 0;
    return Array.from({ length }, (_, k) => refIndex(table, index, k));
  };
  const keyOf = (index: number) => encodeHex(root.at(index).hash(0));
  const keyBelow = (index: number) => `${keyOf(index)}:${encodeHex(root.at(index).hash(1))}`;
  // References lead to later cells, so one forward pass finds all cells that stay, and their borders. A file may
  // contain a cell twice, or pruned and whole. Each level-0 hash is kept once, whole if one of its cells was opened.
  const wanted = new Uint8Array(count);
  wanted[root.index] = 1;
  const keys = new Map<number, string>();
  const kept = new Map<string, ShownCell>();
  const keep = (index: number, key: string, depth: number, belowUpdate: boolean) =>
    kept.set(key, { index, key, depth, belowUpdate, mask: 0 });
  for (let index = root.index; index < count; index++) {
    if (wanted[index] === 0) continue;
    const key = keyOf(index);
    keys.set(index, key);
    if (!kept.has(key) || shown(index)) keep(index, key, root.at(index).depth(0), false);
    for (const child of refsOf(index)) {
      if (isUpdate(index)) keep(child, keyBelow(child), root.at(child).depth(1), true);
      else wanted[child] = 1;
    }
  }
  // Deeper cells come first, so that references lead forward; cells of equal depth are sorted by hash. The order of the
  // file has no effect.
  const order = [...kept.values()];
  order.sort((a, b) => b.depth - a.depth || (a.key < b.key ? -1 : 1));
  const position = new Map(order.map(({ key }, at) => [key, at]));
  const isShown = ({ index, belowUpdate }: ShownCell) => !belowUpdate && shown(index);
  const childrenOf = (cell: ShownCell) =>
    !isShown(cell)
      ? []
      : refsOf(cell.index).map((child) => position.get(isUpdate(cell.index) ? keyBelow(child) : keys.get(child)!)!);
  // One backward pass gives each cell its level, from the pruned branches below it.
  for (let at = order.length - 1; at >= 0; at--) {
    const cell = order[at]!;
    let below = 0;
    for (const child of childrenOf(cell)) below |= order[child]!.mask;
    const { index, belowUpdate } = cell;
    if (belowUpdate) cell.mask = equalBytes(root.at(index).hash(0), root.at(index).hash(1)) ? 2 : 3;
    else if (!isShown(cell)) cell.mask = 1;
    else cell.mask = isUpdate(index) ? below >> 1 : below;
  }
  const refSize = bytesFor(order.length + 1); // the cells and the proof cell
  // merkle_proof#03, hash and depth at level 0
  const proof = concatBytes(Uint8Array.of(3), root.hash(0), bigEndian(root.depth(0), 2));
  const cells = [cellBytes(EXOTIC_BIT | 1, 8 * proof.length, proof, [1], refSize)];
  for (const cell of order) {
    const { index, mask } = cell;
    if (!isShown(cell)) {
      cells.push(prunedBranch(root.at(index), mask));
      continue;
    }
    const children = childrenOf(cell).map((child) => child + 1); // the proof cell itself is number 0
    const descriptor = children.length | (isUpdate(index) ? EXOTIC_BIT : 0) | (mask << 5);
    cells.push(cellBytes(descriptor, table.bitLength[index]!, dataOf(table, index), children, refSize));
  }
  return bagOf(cells, refSize);
}
