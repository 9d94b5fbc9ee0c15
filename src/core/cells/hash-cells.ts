/**
 * Computes hashes and depths of all cells of a bag at all levels, and checks the rules of exotic cells that depend on
 * them. `boc.ts` calls it once. Children come after their parents in a bag, so the pass runs from the last cell to the
 * first.
 *
 * Source: ton `crypto/vm/cells/DataCell.cpp`, CellChecker (check_* and compute_hash).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { DecodeError } from '../base/errors.ts';
import { HASH_BYTES, MAX_CELL_DEPTH, MAX_CELL_LEVEL } from '../base/limits.ts';
import {
  type CellTable,
  EXOTIC_BIT,
  hashNumber,
  LIBRARY,
  MASK_BITS,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  ORDINARY,
  PRUNED,
  refIndex,
} from './cell.ts';

/** Largest hash input: two descriptor bytes, 128 bytes of data, and four depths and hashes. */
const MAX_HASH_INPUT = 2 + 128 + 4 * (2 + HASH_BYTES);

/** One hasher for all cells, which is reset: creating one takes as long as a short hash. */
const start = /* @__PURE__ */ sha256.create();
const hasher = /* @__PURE__ */ sha256.create();

/** Writes the SHA-256 of an input into 32 bytes. */
export function hashInto(digest: Uint8Array, input: Uint8Array): void {
  start._cloneInto(hasher);
  hasher.update(input).digestInto(digest);
}

/** One pass over one bag, with a buffer for hash inputs. */
class Pass {
  readonly #table: CellTable;
  readonly #path: string;
  readonly #input = new Uint8Array(MAX_HASH_INPUT);
  readonly #children = new Uint32Array(4);
  readonly #digest = new Uint8Array(HASH_BYTES);

  constructor(table: CellTable, path: string) {
    this.#table = table;
    this.#path = path;
  }

  #fail(index: number, message: string): DecodeError {
    return new DecodeError('decode/boc', `cell ${index}: ${message}`, { path: this.#path });
  }

  /**
   * Computes the hashes and depths of one cell.
   * @param stored the file contains hashes and depths of this cell; they must equal the computed ones
   */
  cell(index: number, stored: boolean): void {
    const table = this.#table;
    const { descriptor } = table;
    const refs = descriptor[index]! & 7;
    const children = this.#children;
    let below = 0;
    for (let k = 0; k < refs; k++) {
      const child = refIndex(table, index, k);
      children[k] = child;
      below |= descriptor[child]! >> 5;
    }
    const kind = table.kind[index]!;
    const mask = kind === ORDINARY ? below : this.#exotic(index, kind, refs, below);
    if (mask !== descriptor[index]! >> 5) {
      throw this.#fail(index, `level mask ${descriptor[index]! >> 5} where its references make it ${mask}`);
    }
    const merkle = kind === MERKLE_PROOF || kind === MERKLE_UPDATE ? 1 : 0;
    if (kind === PRUNED) this.#storePruned(index, mask);
    else {
      // One hash for level 0 and one for each bit set in the mask.
      for (let level = 0; level <= MAX_CELL_LEVEL; level++) {
        if (level === 0 || ((mask >> (level - 1)) & 1) !== 0) this.#level(index, level, mask, refs, merkle);
      }
    }
    if (stored) this.#compareStored(index, mask);
  }

  /** Checks the rules of exotic cells. Returns the level mask. */
  #exotic(index: number, kind: number, refs: number, below: number): number {
    const table = this.#table;
    const bits = table.bitLength[index]!;
    const data = table.dataAt[index]!;
    switch (kind) {
      case PRUNED: {
        const mask = bits < 16 ? 0 : table.bytes[data + 1]!;
        if (refs !== 0 || mask < 1 || mask > 7 || bits !== 16 + 272 * MASK_BITS[mask]!) {
          throw this.#fail(index, `pruned branch of ${bits} bits and ${refs} references with level mask ${mask}`);
        }
        return mask;
      }
      case LIBRARY:
        if (refs !== 0 || bits !== 264) throw this.#fail(index, `library cell of ${bits} bits and ${refs} references`);
        return 0;
      case MERKLE_PROOF:
        if (refs !== 1 || bits !== 280) throw this.#fail(index, `Merkle proof of ${bits} bits and ${refs} references`);
        this.#merkleChild(index, 0, data + 1, data + 33);
        return below >> 1;
      default:
        if (refs !== 2 || bits !== 552) throw this.#fail(index, `Merkle update of ${bits} bits and ${refs} references`);
        this.#merkleChild(index, 0, data + 1, data + 65);
        this.#merkleChild(index, 1, data + 33, data + 67);
        return below >> 1;
    }
  }

  /** Requires the hash and depth in a Merkle cell to equal those of its reference at level 0. */
  #merkleChild(index: number, k: number, hashAt: number, depthAt: number): void {
    const { bytes, hashes, depths } = this.#table;
    const number = hashNumber(this.#table, this.#children[k]!, 0);
    const from = number * HASH_BYTES;
    let same = ((bytes[depthAt]! << 8) | bytes[depthAt + 1]!) === depths[number];
    for (let at = 0; at < HASH_BYTES; at++) same &&= bytes[hashAt + at] === hashes[from + at];
    if (!same) throw this.#fail(index, 'a Merkle cell names another hash or depth than its reference has');
  }

  /** A pruned branch stores its hashes and depths of lower levels. The depth of the pruned cell is 0. */
  #storePruned(index: number, mask: number): void {
    const { bytes, hashes, depths } = this.#table;
    const count = MASK_BITS[mask]!;
    const first = this.#table.firstHash[index]!;
    const data = this.#table.dataAt[index]!;
    hashes.set(bytes.subarray(data + 2, data + 2 + count * HASH_BYTES), first * HASH_BYTES);
    for (let k = 0; k < count; k++) {
      const at = data + 2 + count * HASH_BYTES + 2 * k;
      const depth = (bytes[at]! << 8) | bytes[at + 1]!;
      if (depth > MAX_CELL_DEPTH) throw this.#fail(index, `depth ${depth}, at most ${MAX_CELL_DEPTH} is allowed`);
      depths[first + k] = depth;
    }
    const length = this.#layData(index, mask);
    hashes.set(this.#hash(length), (first + count) * HASH_BYTES);
    depths[first + count] = 0;
  }

  /** Hashes the buffer. The next call overwrites the result. */
  #hash(length: number): Uint8Array {
    hashInto(this.#digest, this.#input.subarray(0, length));
    return this.#digest;
  }

  /** Writes descriptors and data, the first part of a hash input. Returns its length. */
  #layData(index: number, mask: number): number {
    const { bytes, bitLength, dataAt } = this.#table;
    const bits = bitLength[index]!;
    const input = this.#input;
    this.#layDescriptors(index, mask);
    const from = dataAt[index]!;
    const length = (bits + 7) >> 3;
    // A loop is faster than a subarray object for each short copy. The file has the padding that is hashed.
    for (let at = 0; at < length; at++) input[2 + at] = bytes[from + at]!;
    return 2 + length;
  }

  #layDescriptors(index: number, mask: number): void {
    const bits = this.#table.bitLength[index]!;
    this.#input[0] = (this.#table.descriptor[index]! & (7 | EXOTIC_BIT)) | (mask << 5);
    this.#input[1] = (bits >> 3) + ((bits + 7) >> 3);
  }

  /** The hash and depth of a cell that is not pruned, at a level that is significant for it. */
  #level(index: number, level: number, mask: number, refs: number, merkle: number): void {
    const table = this.#table;
    const { hashes, depths } = table;
    const input = this.#input;
    const children = this.#children;
    const below = mask & ((1 << level) - 1);
    const number = table.firstHash[index]! + MASK_BITS[below]!;
    let length: number;
    if (level === 0) length = this.#layData(index, below);
    else {
      // Above the first level the hash of the level below replaces the data.
      this.#layDescriptors(index, below);
      const from = (number - 1) * HASH_BYTES;
      for (let at = 0; at < HASH_BYTES; at++) input[2 + at] = hashes[from + at]!;
      length = 2 + HASH_BYTES;
    }
    const childLevel = Math.min(level + merkle, MAX_CELL_LEVEL);
    let depth = 0;
    let depthAt = length;
    let hashAt = length + 2 * refs;
    for (let k = 0; k < refs; k++) {
      const child = hashNumber(table, children[k]!, childLevel);
      const childDepth = depths[child]!;
      if (childDepth >= depth) depth = childDepth + 1;
      input[depthAt++] = childDepth >> 8;
      input[depthAt++] = childDepth & 0xff;
      const from = child * HASH_BYTES;
      for (let at = 0; at < HASH_BYTES; at++) input[hashAt + at] = hashes[from + at]!;
      hashAt += HASH_BYTES;
    }
    if (depth > MAX_CELL_DEPTH) throw this.#fail(index, `depth ${depth}, at most ${MAX_CELL_DEPTH} is allowed`);
    depths[number] = depth;
    hashes.set(this.#hash(hashAt), number * HASH_BYTES);
  }

  /**
   * Checks stored hashes and depths: all hashes first, then all depths, for every significant level. Source:
   * DataCell.cpp, serialize.
   */
  #compareStored(index: number, mask: number): void {
    const { bytes, hashes, depths } = this.#table;
    const count = MASK_BITS[mask]! + 1;
    const first = this.#table.firstHash[index]!;
    const hashAt = this.#table.dataAt[index]! - count * (HASH_BYTES + 2);
    const depthAt = hashAt + count * HASH_BYTES;
    let same = true;
    for (let at = 0; at < count * HASH_BYTES; at++) same &&= bytes[hashAt + at] === hashes[first * HASH_BYTES + at];
    for (let k = 0; k < count; k++) {
      same &&= ((bytes[depthAt + 2 * k]! << 8) | bytes[depthAt + 2 * k + 1]!) === depths[first + k];
    }
    if (!same) throw this.#fail(index, 'the stored hash or depth is not that of the cell');
  }
}

/** Fills `table.hashes` and `table.depths`. @throws DecodeError `decode/boc` for a cell that breaks a rule of its kind */
export function hashCells(table: CellTable, storedHashes: Uint8Array, path: string): void {
  const pass = new Pass(table, path);
  for (let index = table.dataAt.length - 1; index >= 0; index--) pass.cell(index, storedHashes[index] !== 0);
}
