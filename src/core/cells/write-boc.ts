/**
 * Writes bags of cells in one form for each tree, and says of a parsed bag whether it has that form: one root; deeper
 * cells first, among equals by hash, each hash once; numbers of as few bytes as they need; no index, no checksum, no
 * stored hashes. So equal trees are equal bytes.
 */
import { concatBytes, joinBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
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
  refs: readonly Entry[];
  place: number;
}

function refsOf(cell: Cell | LooseCell): readonly (Cell | LooseCell)[] {
  return cell instanceof Cell ? Array.from({ length: cell.refCount }, (_, k) => cell.ref(k)) : cell.refs;
}

/** Every cell of a tree, each hash once, in the order of the file. @throws DecodeError `decode/too-large` above 262144 cells */
function inOrder(root: Cell | LooseCell): Entry[] {
  const found = new Map<string, Entry>();
  const pending: Entry[] = [];
  const entryOf = (cell: Cell | LooseCell): Entry => {
    const key = String.fromCharCode(...cell.hash());
    let entry = found.get(key);
    if (entry === undefined) {
      entry = { cell, key, refs: [], place: 0 };
      if (found.set(key, entry).size > MAX_BOC_CELLS)
        throw new DecodeError('decode/too-large', `expected at most ${MAX_BOC_CELLS} cells`);
      pending.push(entry);
    }
    return entry;
  };
  entryOf(root);
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop())
    entry.refs = refsOf(entry.cell).map(entryOf);
  return [...found.values()].sort((a, b) => b.cell.depth() - a.cell.depth() || (a.key < b.key ? -1 : 1));
}

/** The bag of one tree. @throws DecodeError `decode/too-large` above 262144 cells */
export function writeBoc(root: Cell | LooseCell): Uint8Array {
  const entries = inOrder(root);
  const refSize = bytesFor(entries.length);
  entries.forEach((entry, place) => {
    entry.place = place;
  });
  return bagOf(
    entries.length,
    refSize,
    entries.map(({ cell, refs }) => {
      const size = (cell.bitLength + 7) >> 3;
      let at = 2 + size;
      const bytes = new Uint8Array(at + refSize * refs.length);
      bytes[1] = (cell.bitLength >> 3) + size;
      if (cell instanceof Cell) {
        const { bytes: source, dataAt, descriptor } = tableOf(cell);
        const from = dataAt[cell.index]!;
        bytes[0] = descriptor[cell.index]! & DESCRIPTOR_BITS;
        bytes.set(source.subarray(from, from + size), 2);
      } else {
        bytes[0] = refs.length;
        bytes.set(cell.data, 2);
      }
      for (const { place } of refs) for (let k = refSize; k > 0; ) bytes[at++] = place >> (8 * --k);
      return bytes;
    }),
  );
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
