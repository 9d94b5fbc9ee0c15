/**
 * Writes bags of cells in one form for each tree, and says of a parsed bag whether it has that form: one root; deeper
 * cells first, among equals by hash, each hash once; numbers of as few bytes as they need; no index, no checksum, no
 * stored hashes. So equal trees are equal bytes.
 */
import { concatBytes, joinBytes } from '../base/bytes.ts';
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

/** A cell of a bag that is written. */
interface Entry {
  readonly cell: Cell | LooseCell;
  /** Its hash, one byte a character: sorts as the bytes do. */
  readonly key: string;
  readonly depth: number;
  refs: readonly Entry[];
  place: number;
}

function refsOf(cell: Cell | LooseCell): readonly (Cell | LooseCell)[] {
  return cell instanceof Cell ? Array.from({ length: cell.refCount }, (_, k) => cell.ref(k)) : cell.refs;
}

/** Every cell of a tree, each hash once, in the order of the file. @throws RangeError above 262144 cells */
function inOrder(root: Cell | LooseCell): Entry[] {
  const found = new Map<string, Entry>();
  // Two views of one cell are two objects: its index spares a second look at its hash.
  const seen = new Map<object, Map<number, Entry>>();
  const pending: Entry[] = [];
  const entryOf = (cell: Cell | LooseCell): Entry => {
    let ofBag: Map<number, Entry> | undefined;
    if (cell instanceof Cell) {
      const table = tableOf(cell);
      ofBag = seen.get(table) ?? new Map<number, Entry>();
      seen.set(table, ofBag);
      const known = ofBag.get(cell.index);
      if (known !== undefined) return known;
    }
    const key = Reflect.apply(String.fromCharCode, undefined, cell.hash());
    let entry = found.get(key);
    if (entry === undefined) {
      if (found.size === MAX_BOC_CELLS) throw new RangeError(`more than ${MAX_BOC_CELLS} cells`);
      entry = { cell, key, depth: cell.depth(), refs: [], place: 0 };
      found.set(key, entry);
      pending.push(entry);
    }
    if (cell instanceof Cell) ofBag?.set(cell.index, entry);
    return entry;
  };
  entryOf(root);
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop())
    entry.refs = refsOf(entry.cell).map(entryOf);
  return [...found.values()].sort((a, b) => b.depth - a.depth || (a.key < b.key ? -1 : 1));
}

/** Both descriptor bytes and the data, as they stand in a bag. Gives where they end. */
function layContent(out: Uint8Array, at: number, cell: Cell | LooseCell, refs: number): number {
  const { bitLength } = cell;
  const size = (bitLength + 7) >> 3;
  out[at + 1] = (bitLength >> 3) + size;
  if (cell instanceof Cell) {
    const { bytes, dataAt, descriptor } = tableOf(cell);
    const from = dataAt[cell.index]!;
    out[at] = descriptor[cell.index]! & DESCRIPTOR_BITS;
    out.set(bytes.subarray(from, from + size), at + 2);
  } else {
    out[at] = refs;
    out.set(cell.data, at + 2);
  }
  return at + 2 + size;
}

/** The bag of one tree. @throws RangeError above 262144 cells */
export function writeBoc(root: Cell | LooseCell): Uint8Array {
  const entries = inOrder(root);
  const refSize = bytesFor(entries.length);
  let size = 0;
  for (const [place, entry] of entries.entries()) {
    entry.place = place;
    size += 2 + ((entry.cell.bitLength + 7) >> 3) + refSize * entry.refs.length;
  }
  const data = new Uint8Array(size);
  let at = 0;
  for (const { cell, refs } of entries) {
    at = layContent(data, at, cell, refs.length);
    for (const { place } of refs) {
      for (let k = refSize - 1; k >= 0; k--) data[at++] = place >>> (8 * k);
    }
  }
  return bagOf(entries.length, refSize, [data]);
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
