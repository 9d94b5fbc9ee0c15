/**
 * Reads a bag of cells (BoC) strictly: takes bytes, checks and hashes every cell once, and returns the root cells. It
 * knows no schema.
 *
 * References point forward only, as the node requires. One pass from the last cell to the first therefore sees every
 * child before its parents, without recursion or cycles, in time linear in the size of the file.
 */
import { badArgument, isObject, memberOf } from '../base/arguments.ts';
import { isBytes } from '../base/bytes.ts';
import { crc32c } from '../base/crc32c.ts';
import { DecodeError, UsageError } from '../base/errors.ts';
import { requireAtMost } from '../base/json-structure.ts';
import { MAX_BOC_BYTES, MAX_BOC_CELLS, MAX_BOC_ROOTS, MAX_CELL_REFS } from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import { bigEndian, Cell, type CellTable, EXOTIC_BIT, MASK_BITS } from './cell.ts';
import { hashCells } from './hash-cells.ts';

const GENERIC = 0xb5ee9c72;
const INDEXED = 0x68ff65f3;
const INDEXED_CRC = 0xacc3a728;

const WITH_HASHES = 0x10;
/** Bytes of a hash and a depth that a cell stores. */
const STORED_HASH_BYTES = 34;

function broken(message: string, path: string): DecodeError {
  return new DecodeError('decode/boc', message, { path });
}

/**
 * serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) { flags = 0 } size:(## 3) { size <= 4 }
 *   off_bytes:(## 8) { off_bytes <= 8 } cells:(##(size * 8)) roots:(##(size * 8)) { roots >= 1 } absent:(##(size * 8))
 *   { roots + absent <= cells } tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8)) index:has_idx?(cells * ##(off_bytes * 8))
 *   cell_data:(tot_cells_size * [ uint8 ]) crc32c:has_crc32c?uint32 = BagOfCells;
 * serialized_boc_idx#68ff65f3, serialized_boc_idx_crc32c#acc3a728: one whole byte of size, one root, which is cell 0, always an index.
 * Source: ton `crypto/tl/boc.tlb`; `crypto/vm/boc.cpp`, Info::parse_serialized_header.
 */
function readHeader(bytes: Uint8Array, path: string, mostRoots: number) {
  // The longest fixed part: magic, flags, offset size, three counts of four bytes each, and the size in eight bytes.
  if (bytes.length < 10) throw broken(`expected a bag of cells, got ${bytes.length} bytes`, path);
  const magic = bigEndian(bytes, 0, 4);
  if (magic !== GENERIC && magic !== INDEXED && magic !== INDEXED_CRC) {
    throw broken(`expected a bag of cells, got bytes that start with ${magic.toString(16).padStart(8, '0')}`, path);
  }
  const generic = magic === GENERIC;
  const flags = bytes[4]!;
  const hasIndex = !generic || (flags & 0x80) !== 0;
  const hasCrc = generic ? (flags & 0x40) !== 0 : magic === INDEXED_CRC;
  const hasCacheBits = generic && (flags & 0x20) !== 0;
  if (generic && (flags & 0x18) !== 0) throw broken('header: reserved flags are set', path);
  if (hasCacheBits && !hasIndex) throw broken('header: cache bits without an index', path);
  const refSize = generic ? flags & 7 : flags;
  const offsetSize = bytes[5]!;
  if (refSize < 1 || refSize > 4 || offsetSize < 1 || offsetSize > 8) {
    throw broken(`header: references of ${refSize} bytes and offsets of ${offsetSize}`, path);
  }
  let at = 6 + 3 * refSize + offsetSize;
  if (bytes.length < at) throw broken('header: cut short', path);
  const cellCount = bigEndian(bytes, 6, refSize);
  const rootCount = bigEndian(bytes, 6 + refSize, refSize);
  const absent = bigEndian(bytes, 6 + 2 * refSize, refSize);
  const dataSize = bigEndian(bytes, 6 + 3 * refSize, offsetSize);
  requireAtMost(MAX_BOC_CELLS, cellCount, path, ' cells');
  if (rootCount < 1 || rootCount > cellCount || (!generic && rootCount !== 1)) {
    throw broken(`header: ${rootCount} roots of ${cellCount} cells`, path);
  }
  requireAtMost(mostRoots, rootCount, path, ' roots');
  if (absent !== 0) throw broken(`header: ${absent} absent cells`, path);
  const roots: number[] = [];
  if (generic) {
    if (bytes.length - at < rootCount * refSize) throw broken('header: cut short', path);
    for (let k = 0; k < rootCount; k++, at += refSize) {
      const root = bigEndian(bytes, at, refSize);
      if (root >= cellCount) throw broken(`header: root ${k} is cell ${root} of ${cellCount}`, path);
      roots.push(root);
    }
  } else {
    roots.push(0);
  }
  const indexAt = at;
  const dataAt = indexAt + (hasIndex ? cellCount * offsetSize : 0);
  const end = dataAt + dataSize + (hasCrc ? 4 : 0);
  if (bytes.length !== end) throw broken(`expected ${end} bytes as the header says, got ${bytes.length}`, path);
  if (hasCrc) {
    const crc = crc32c(bytes, 0, end - 4);
    const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(end - 4, true);
    if (crc !== stored) throw broken('the checksum does not match: the bytes are damaged', path);
  }
  return { refSize, offsetSize, cellCount, roots, indexAt, hasIndex, hasCacheBits, dataAt, dataSize };
}

/**
 * First pass: finds the place of each cell. A cell is d1 d2 [hashes depths] data references, with d1 = references + 8 *
 * exotic + 16 * with_hashes + 32 * level_mask and d2 = floor(bits / 8) + ceil(bits / 8). Source: ton
 * `crypto/vm/boc.cpp`, CellSerializationInfo::init and get_bits.
 */
function locateCells(
  bytes: Uint8Array,
  header: ReturnType<typeof readHeader>,
  path: string,
): { table: CellTable; storedHashes: Uint8Array } {
  const { refSize, cellCount, dataAt: start } = header;
  const end = start + header.dataSize;
  const dataAt = new Uint32Array(cellCount);
  const bitLength = new Uint16Array(cellCount);
  const descriptor = new Uint8Array(cellCount);
  const kind = new Uint8Array(cellCount);
  const firstHash = new Uint32Array(cellCount);
  const storedHashes = new Uint8Array(cellCount);
  const referenced = new Uint8Array(cellCount);
  for (const root of header.roots) {
    if (referenced[root] !== 0) throw broken(`header: cell ${root} is a root twice`, path);
    referenced[root] = 1;
  }
  let at = start;
  let hashCount = 0;
  for (let index = 0; index < cellCount; index++) {
    if (end - at < 2) throw broken(`cell ${index}: cut short`, path);
    const d1 = bytes[at]!;
    const d2 = bytes[at + 1]!;
    const refs = d1 & 7;
    if (refs > MAX_CELL_REFS) throw broken(`cell ${index}: ${refs} references`, path);
    const hashes = MASK_BITS[d1 >> 5]! + 1;
    const byteLength = (d2 + 1) >> 1;
    let data = at + 2;
    if ((d1 & WITH_HASHES) !== 0) {
      storedHashes[index] = 1;
      data += hashes * STORED_HASH_BYTES;
    }
    at = data + byteLength + refs * refSize;
    if (at > end) throw broken(`cell ${index}: cut short`, path);
    // At most 1023: an odd d2 uses at least one bit for the marker, and an even d2 means at most 127 bytes.
    let bits = byteLength * 8;
    if ((d2 & 1) !== 0) {
      const last = bytes[data + byteLength - 1]!;
      if ((last & 0x7f) === 0) throw broken(`cell ${index}: padding where none is needed`, path);
      bits -= 32 - Math.clz32(last & -last); // one more than the number of trailing zeros: the marker and the padding
    }
    if ((d1 & EXOTIC_BIT) !== 0) {
      const type = bits < 8 ? 0 : bytes[data]!;
      if (type < 1 || type > 4) throw broken(`cell ${index}: unknown exotic cell`, path);
      kind[index] = type;
    }
    dataAt[index] = data;
    bitLength[index] = bits;
    descriptor[index] = d1;
    firstHash[index] = hashCount;
    hashCount += hashes;
    // A cell comes after all cells that refer to it, so an unmarked cell cannot be reached from a root.
    if (referenced[index] === 0) throw broken(`cell ${index}: no root leads to it`, path);
    for (let k = data + byteLength; k < at; k += refSize) {
      const child = bigEndian(bytes, k, refSize);
      if (child <= index || child >= cellCount) {
        throw broken(`cell ${index}: expected references to later cells, got ${child} of ${cellCount}`, path);
      }
      referenced[child] = 1;
    }
    if (header.hasIndex) {
      const entry = bigEndian(bytes, header.indexAt + index * header.offsetSize, header.offsetSize);
      // With cache bits an entry is twice the offset, and its low bit is a hint without meaning here.
      const offset = header.hasCacheBits ? Math.floor(entry / 2) : entry;
      if (offset !== at - start) throw broken(`cell ${index}: ends at ${at - start}, the index says ${offset}`, path);
    }
  }
  if (at !== end) throw broken(`${end - at} bytes after the last cell`, path);
  const hashes = new Uint8Array(hashCount * 32);
  const depths = new Uint16Array(hashCount);
  const opened = new Uint8Array(cellCount);
  return {
    table: { bytes, refSize, dataAt, bitLength, descriptor, kind, firstHash, hashes, depths, opened, meter: undefined },
    storedHashes,
  };
}

/** A bag of cells as an argument: its bytes, or a `Cell` of `@ton/core`, whose `toBoc` is called once. */
export type CellLike = Uint8Array | { toBoc(): Uint8Array };

/** The bytes of a bag, as a copy. @throws UsageError for neither form, and where `toBoc` throws; DecodeError `decode/too-large` */
export function ownBag(boc: CellLike, path: string): Uint8Array {
  if (!isObject(boc) || isBytes(boc)) return ownBytes(boc, path, MAX_BOC_BYTES);
  let write: unknown;
  let bytes: unknown;
  try {
    write = memberOf(boc, 'toBoc');
    if (typeof write === 'function') bytes = write.call(boc);
  } catch (cause) {
    throw new UsageError('usage/bad-option', 'toBoc threw', { path, cause });
  }
  if (typeof write !== 'function') throw badArgument(path, 'a Uint8Array or a Cell', boc);
  return ownBytes(bytes, `${path}.toBoc()`, MAX_BOC_BYTES);
}

/**
 * Parses a bag of cells and hashes all cells. The root hash is computed, never read from the file. It is stricter than
 * the node in ways that cost nothing: it rejects trailing bytes, cells that no root leads to, and a wrong index.
 * @param path names the file in errors
 * @param mostRoots largest number of roots
 * @param look gets the places of the cells before they are hashed; it may throw
 * @throws DecodeError `decode/boc`, or `decode/too-large` above 8 MiB, 262144 cells or `mostRoots`
 */
export function parseBoc(
  boc: CellLike,
  path = 'boc',
  mostRoots: number = MAX_BOC_ROOTS,
  look?: (table: CellTable) => void,
): readonly Cell[] {
  // Copied once, so that the caller cannot change bytes between hashing and reading.
  const bytes = ownBag(boc, path);
  const header = readHeader(bytes, path, mostRoots);
  const { table, storedHashes } = locateCells(bytes, header, path);
  look?.(table);
  hashCells(table, storedHashes, path);
  return header.roots.map((index) => new Cell(table, index));
}

/** Parses a bag with exactly one root, as every proof and block has. */
export function parseSingleRoot(boc: CellLike, path = 'boc', look?: (table: CellTable) => void): Cell {
  const roots = parseBoc(boc, path, undefined, look);
  const root = roots[0];
  if (root === undefined || roots.length !== 1) throw broken(`expected one root, got ${roots.length}`, path);
  return root;
}
