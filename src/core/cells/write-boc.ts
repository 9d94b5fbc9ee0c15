/**
 * Writes bags of cells in one canonical form, so equal trees give equal bytes, and checks whether a parsed bag has this
 * form:
 *  - one root;
 *  - deeper cells first, cells of equal depth sorted by hash, each hash once;
 *  - numbers in as few bytes as possible;
 *  - without index, checksum or stored hashes.
 */
import { concatBytes, joinBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { MAX_BOC_CELLS, MAX_CELL_LEVEL } from '../base/limits.ts';
import { Cell, type CellTable, hashNumber, tableOf } from './cell.ts';
import type { NewCell } from './new-cell.ts';

const MAGIC = [0xb5, 0xee, 0x9c, 0x72] as const;
/** All bits of a first descriptor byte except the bit for stored hashes. */
const DESCRIPTOR_BITS = 0xef;

export function bigEndianBytes(value: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, k) => Math.floor(value / 256 ** (size - 1 - k)) % 256);
}

/** The smallest number of bytes that holds a number. */
export function bytesFor(value: number): number {
  let size = 1;
  while (value >= 256 ** size) size++;
  return size;
}

/** A cell of a bag that is being written. */
interface CellEntry {
  readonly cell: Cell | NewCell;
  /** The hash as a string with one character for each byte, which sorts like the bytes. */
  readonly key: string;
  refs: readonly CellEntry[];
  place: number;
}

function refsOf(cell: Cell | NewCell): readonly (Cell | NewCell)[] {
  return cell instanceof Cell ? Array.from({ length: cell.refCount }, (_, k) => cell.ref(k)) : cell.refs;
}

/**
 * All cells of a tree in the order of the file, each hash once. @throws DecodeError `decode/too-large` above 262144
 * cells
 */
function inOrder(root: Cell | NewCell): CellEntry[] {
  const found = new Map<string, CellEntry>();
  const pending: CellEntry[] = [];
  const entryOf = (cell: Cell | NewCell): CellEntry => {
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

/**
 * Writes one cell of a bag.
 * @param descriptor its first byte
 * @param data padded to whole bytes
 * @param refs the places of its references
 */
export function cellBytes(
  descriptor: number,
  bitLength: number,
  data: Uint8Array,
  refs: readonly number[],
  refSize: number,
): Uint8Array {
  let at = 2 + data.length;
  const bytes = new Uint8Array(at + refSize * refs.length);
  bytes.set([descriptor, (bitLength >> 3) + data.length]);
  bytes.set(data, 2);
  for (const place of refs) for (let k = refSize; k > 0; ) bytes[at++] = place >> (8 * --k);
  return bytes;
}

/** The data of a parsed cell, padded, in the buffer of its bag. */
export function dataOf({ bytes, dataAt, bitLength }: CellTable, index: number): Uint8Array {
  return bytes.subarray(dataAt[index]!, dataAt[index]! + ((bitLength[index]! + 7) >> 3));
}

/** Writes one tree as a bag. @throws DecodeError `decode/too-large` above 262144 cells */
export function writeBoc(root: Cell | NewCell): Uint8Array {
  const entries = inOrder(root);
  const refSize = bytesFor(entries.length);
  entries.forEach((entry, place) => {
    entry.place = place;
  });
  const cells = entries.map(({ cell, refs }) => {
    const places = refs.map(({ place }) => place);
    if (!(cell instanceof Cell)) return cellBytes(refs.length, cell.bitLength, cell.data, places, refSize);
    const table = tableOf(cell);
    const descriptor = table.descriptor[cell.index]! & DESCRIPTOR_BITS;
    return cellBytes(descriptor, cell.bitLength, dataOf(table, cell.index), places, refSize);
  });
  return bagOf(cells, refSize);
}

/** Writes a bag whose one root is the first of its cells. */
export function bagOf(cells: readonly Uint8Array[], refSize: number): Uint8Array {
  const data = joinBytes(cells);
  const offsetSize = bytesFor(data.length);
  return concatBytes(
    Uint8Array.of(...MAGIC, refSize, offsetSize),
    bigEndianBytes(cells.length, refSize),
    bigEndianBytes(1, refSize),
    bigEndianBytes(0, refSize),
    bigEndianBytes(data.length, offsetSize),
    bigEndianBytes(0, refSize),
    data,
  );
}

/**
 * Whether a parsed bag equals what `writeBoc` writes for its tree. The parser accepted the bag, so only the form of the
 * header, stored hashes, and the order of cells remain to be compared.
 * @param root the one root from the parser
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
    const number = hashNumber(table, index, MAX_CELL_LEVEL);
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
