/**
 * Writes bags of cells in one form for each tree, and says of a parsed bag whether it has that form: one root; deeper
 * cells first, among equals by hash, each hash once; numbers of as few bytes as they need; no index, no checksum, no
 * stored hashes. So equal trees are equal bytes.
 */
import { concatBytes, encodeHex, joinBytes } from '../base/bytes.ts';
import { MAX_BOC_CELLS } from '../base/limits.ts';
import { Cell, hashNumber, tableOf } from './cell.ts';

const MAGIC = [0xb5, 0xee, 0x9c, 0x72] as const;
/** All of a first descriptor byte but the bit that says that hashes stand beside the cell. */
const DESCRIPTOR_BITS = 0xef;
const TOP_LEVEL = 3;

export function bigEndianBytes(value: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, k) => Math.floor(value / 256 ** (size - 1 - k)) % 256);
}

/** The fewest bytes that hold a number. */
export function bytesFor(value: number): number {
  let size = 1;
  while (value >= 256 ** size) size++;
  return size;
}

/** An ordinary cell that is in no bag yet; `NewCell` is one. */
export interface LooseCell {
  readonly bitLength: number;
  /** The last byte padded with a one bit and zeros where the length is not whole bytes, as bags have it. */
  readonly data: Uint8Array;
  readonly refs: readonly (Cell | LooseCell)[];
  /** Tells it from every other cell of the tree. */
  hash(): Uint8Array;
  /** More than that of every cell below it. */
  depth(): number;
}

interface Entry {
  readonly cell: Cell | LooseCell;
  readonly key: string;
  readonly depth: number;
  readonly refs: readonly (Cell | LooseCell)[];
}

function refsOf(cell: Cell | LooseCell): readonly (Cell | LooseCell)[] {
  return cell instanceof Cell ? Array.from({ length: cell.refCount }, (_, k) => cell.ref(k)) : cell.refs;
}

/** Both descriptor bytes and the data, as they stand in a bag. */
function contentOf(cell: Cell | LooseCell, refs: number): Uint8Array {
  const { bitLength } = cell;
  const size = (bitLength + 7) >> 3;
  const d2 = (bitLength >> 3) + size;
  if (!(cell instanceof Cell)) return concatBytes(Uint8Array.of(refs, d2), cell.data);
  const { bytes, dataAt, descriptor } = tableOf(cell);
  const from = dataAt[cell.index]!;
  return concatBytes(Uint8Array.of(descriptor[cell.index]! & DESCRIPTOR_BITS, d2), bytes.subarray(from, from + size));
}

/** Every cell of a tree, each hash once, in the order of the file. @throws RangeError above 262144 cells */
function inOrder(root: Cell | LooseCell): Entry[] {
  const found = new Map<string, Entry>();
  const pending: (Cell | LooseCell)[] = [root];
  // Two views of one cell are two objects: the index spares a second hash in hex.
  const seen = new Map<object, Set<number>>();
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    if (cell instanceof Cell) {
      const indexes = seen.get(tableOf(cell)) ?? new Set();
      seen.set(tableOf(cell), indexes);
      if (indexes.has(cell.index)) continue;
      indexes.add(cell.index);
    }
    const key = encodeHex(cell.hash());
    if (found.has(key)) continue;
    const refs = refsOf(cell);
    found.set(key, { cell, key, depth: cell.depth(), refs });
    if (found.size > MAX_BOC_CELLS) throw new RangeError(`more than ${MAX_BOC_CELLS} cells`);
    pending.push(...refs);
  }
  return [...found.values()].sort((a, b) => b.depth - a.depth || (a.key < b.key ? -1 : 1));
}

/** The bag of one tree. @throws RangeError above 262144 cells */
export function writeBoc(root: Cell | LooseCell): Uint8Array {
  const entries = inOrder(root);
  const position = new Map(entries.map(({ key }, at) => [key, at]));
  const refSize = bytesFor(entries.length);
  const parts: Uint8Array[] = [];
  for (const { cell, refs } of entries) {
    parts.push(contentOf(cell, refs.length));
    for (const ref of refs) parts.push(bigEndianBytes(position.get(encodeHex(ref.hash()))!, refSize));
  }
  return bagOf(entries.length, refSize, parts);
}

/** A bag with one root, the first of its cells. @param parts the cells, in order */
export function bagOf(count: number, refSize: number, parts: readonly Uint8Array[]): Uint8Array {
  const data = joinBytes(parts);
  const offsetSize = bytesFor(data.length);
  return concatBytes(
    Uint8Array.of(...MAGIC, refSize, offsetSize),
    bigEndianBytes(count, refSize),
    bigEndianBytes(1, refSize),
    bigEndianBytes(0, refSize),
    bigEndianBytes(data.length, offsetSize),
    bigEndianBytes(0, refSize),
    data,
  );
}

/**
 * Whether a bag that was parsed is what `writeBoc` makes of its tree. The parser has taken it, so all that is left open is
 * the header's form, stored hashes, and which cells stand where.
 * @param root the one root that the parser gave
 */
export function isCanonical(boc: Uint8Array, root: Cell): boolean {
  const table = tableOf(root);
  const count = table.dataAt.length;
  const refSize = bytesFor(count);
  const at = 6 + 3 * refSize;
  const offsetSize = boc[5]!;
  const headerBytes = at + offsetSize + refSize;
  const head = Uint8Array.of(...MAGIC, refSize, bytesFor(Math.max(boc.length - headerBytes, 0)));
  if (root.index !== 0 || head.some((byte, k) => boc[k] !== byte)) return false;
  let depth = Number.POSITIVE_INFINITY;
  let previous = 0;
  for (let index = 0; index < count; index++) {
    if ((table.descriptor[index]! & ~DESCRIPTOR_BITS) !== 0) return false;
    const number = hashNumber(table, index, TOP_LEVEL);
    const own = table.depths[number]!;
    if (own > depth || (own === depth && !isLess(table.hashes, previous, number))) return false;
    depth = own;
    previous = number;
  }
  return true;
}

/** Whether hash number `a` comes before hash number `b`. */
function isLess(hashes: Uint8Array, a: number, b: number): boolean {
  for (let k = 0; k < 32; k++) {
    const difference = hashes[32 * a + k]! - hashes[32 * b + k]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
