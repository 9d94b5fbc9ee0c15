/**
 * Hashes and depths of all cells of a bag at all their levels, and the rules of exotic cells that depend on them.
 * Called once by `boc.ts`; children come after parents in a bag, so the pass runs from the last cell to the first.
 *
 * Source: ton `crypto/vm/cells/DataCell.cpp`, CellChecker (check_* and compute_hash).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { DecodeError } from '../base/errors.ts';
import { HASH_BYTES, MAX_CELL_DEPTH, MAX_CELL_LEVEL } from '../base/limits.ts';
import { type CellTable, hashNumber, MASK_BITS, refIndex } from './cell.ts';

const PRUNED = 1;
const LIBRARY = 2;
const MERKLE_PROOF = 3;
export const MERKLE_UPDATE = 4;

const EXOTIC_BIT = 0x08;

/** Two descriptor bytes, 128 of data, and four times a depth and a hash. */
const MAX_HASH_INPUT = 2 + 128 + 4 * (2 + HASH_BYTES);

/** One pass over one bag: holds the buffer that every hash input is laid out in. */
class Pass {
  readonly #table: CellTable;
  readonly #path: string;
  readonly #input = new Uint8Array(MAX_HASH_INPUT);
  readonly #children = new Uint32Array(4);
  /** One hasher for all cells, set back to how it starts: making one takes as long as a short hash. */
  readonly #start = sha256.create();
  readonly #hasher = sha256.create();
  readonly #digest = new Uint8Array(HASH_BYTES);

  constructor(table: CellTable, path: string) {
    this.#table = table;
    this.#path = path;
  }

  #fail(index: number, message: string): DecodeError {
    return new DecodeError('decode/boc', `cell ${index}: ${message}`, { path: this.#path });
  }

  /** @param stored the file holds hashes and depths beside this cell, which must be the right ones */
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
    const mask = kind === 0 ? below : this.#exotic(index, kind, refs, below);
    if (mask !== descriptor[index]! >> 5) {
      throw this.#fail(index, `level mask ${descriptor[index]! >> 5} where its references make it ${mask}`);
    }
    const merkle = kind === MERKLE_PROOF || kind === MERKLE_UPDATE ? 1 : 0;
    if (kind === PRUNED) this.#storePruned(index, mask);
    else {
      // One hash for each level that differs from the one below: 0, and those with their bit in the mask.
      for (let level = 0; level <= MAX_CELL_LEVEL; level++) {
        if (level === 0 || ((mask >> (level - 1)) & 1) !== 0) this.#level(index, level, mask, refs, merkle);
      }
    }
    if (stored) this.#compareStored(index, mask);
  }

  /** The rules of exotic cells; gives the level mask. */
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

  /** The hash and depth that a Merkle cell names must be those of its reference at level 0. */
  #merkleChild(index: number, k: number, hashAt: number, depthAt: number): void {
    const { bytes, hashes, depths } = this.#table;
    const number = hashNumber(this.#table, this.#children[k]!, 0);
    const from = number * HASH_BYTES;
    let same = ((bytes[depthAt]! << 8) | bytes[depthAt + 1]!) === depths[number];
    for (let at = 0; at < HASH_BYTES; at++) same &&= bytes[hashAt + at] === hashes[from + at];
    if (!same) throw this.#fail(index, 'a Merkle cell names another hash or depth than its reference has');
  }

  /** Hashes and depths below its own level stand in the pruned branch itself; its own depth is 0. */
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

  /** The hash of what is laid out, in bytes that the next call writes over. */
  #hash(length: number): Uint8Array {
    this.#start._cloneInto(this.#hasher);
    this.#hasher.update(this.#input.subarray(0, length)).digestInto(this.#digest);
    return this.#digest;
  }

  /** Descriptors and data, the part of a hash input that stands before depths and hashes. Gives its length. */
  #layData(index: number, mask: number): number {
    const { bytes, bitLength, dataAt } = this.#table;
    const bits = bitLength[index]!;
    const input = this.#input;
    this.#layDescriptors(index, mask);
    const from = dataAt[index]!;
    const length = (bits + 7) >> 3;
    // A short copy by hand beats a subarray object for each cell. Padding stands in the file as it is hashed.
    for (let at = 0; at < length; at++) input[2 + at] = bytes[from + at]!;
    return 2 + length;
  }

  #layDescriptors(index: number, mask: number): void {
    const bits = this.#table.bitLength[index]!;
    this.#input[0] = (this.#table.descriptor[index]! & (7 | EXOTIC_BIT)) | (mask << 5);
    this.#input[1] = (bits >> 3) + ((bits + 7) >> 3);
  }

  /** The hash and depth of a cell, not pruned, at a level that is significant for it. */
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
      // Above the first level the hash of the level below stands in for the data.
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

  /** Hashes first, then depths, one of each for every significant level. Source: DataCell.cpp, serialize. */
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
    if (!same) throw this.#fail(index, 'the hash or depth stored beside it is not its own');
  }
}

/** Fills `table.hashes` and `table.depths`. @throws DecodeError `decode/boc` for a cell that breaks a rule of its kind */
export function hashCells(table: CellTable, storedHashes: Uint8Array, path: string): void {
  const pass = new Pass(table, path);
  for (let index = table.dataAt.length - 1; index >= 0; index--) pass.cell(index, storedHashes[index] !== 0);
}
