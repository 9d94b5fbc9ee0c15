/**
 * Builds new ordinary cells from bits and references to new or parsed cells. Referenced trees must be whole: every cell
 * has level 0, so a new cell has one hash and one depth. `write-boc.ts` writes bags.
 */

import { DecodeError } from '../base/errors.ts';
import { HASH_BYTES, MAX_CELL_DEPTH, MAX_CELL_REFS } from '../base/limits.ts';
import { Cell } from './cell.ts';
import { hashInto } from './hash-cells.ts';

const MAX_BITS = 1023;

/** A cell that is not in a bag yet. */
export class NewCell {
  readonly bitLength: number;
  /** The data. If its length is not whole bytes, a one bit and zeros pad the last byte, as in bags. */
  readonly data: Uint8Array;
  readonly refs: readonly (Cell | NewCell)[];
  readonly #hash: Uint8Array;
  readonly #depth: number;

  constructor(data: Uint8Array, bitLength: number, refs: readonly (Cell | NewCell)[]) {
    this.data = data;
    this.bitLength = bitLength;
    this.refs = refs;
    let depth = 0;
    let at = 2 + data.length;
    const hashesAt = at + 2 * refs.length;
    const input = new Uint8Array(hashesAt + HASH_BYTES * refs.length);
    input.set([refs.length, (bitLength >> 3) + data.length]);
    input.set(data, 2);
    refs.forEach((ref, k) => {
      const below = ref.depth();
      depth = Math.max(depth, below + 1);
      input[at++] = below >> 8;
      input[at++] = below;
      input.set(ref.hash(), hashesAt + HASH_BYTES * k);
    });
    if (depth > MAX_CELL_DEPTH)
      throw new DecodeError('decode/too-large', `depth ${depth}, at most ${MAX_CELL_DEPTH} is allowed`);
    this.#depth = depth;
    this.#hash = new Uint8Array(HASH_BYTES);
    hashInto(this.#hash, input);
  }

  /** A copy of the representation hash. */
  hash(): Uint8Array {
    return this.#hash.slice();
  }

  depth(): number {
    return this.#depth;
  }
}

/**
 * Builds one cell. A value that does not fit throws a `RangeError`: this is a mistake of the caller, never of an input.
 */
export class CellBuilder {
  readonly #data = new Uint8Array(128);
  #at = 0;
  readonly #refs: (Cell | NewCell)[] = [];

  /** An unsigned number, or a signed one modulo 2^bits, of up to 32 bits. */
  uint(value: number, bits: number): this {
    this.#take(bits);
    for (let left = bits; left > 0; ) {
      // Writes as many bits as the byte has room for.
      const room = 8 - (this.#at & 7);
      const count = Math.min(room, left);
      left -= count;
      this.#data[this.#at >> 3]! |= (Math.floor(value / 2 ** left) & ((1 << count) - 1)) << (room - count);
      this.#at += count;
    }
    return this;
  }

  /** An unsigned or signed number modulo 2^64. */
  uint64(value: bigint): this {
    return this.uint(Number(BigInt.asUintN(32, value >> 32n)), 32).uint(Number(BigInt.asUintN(32, value)), 32);
  }

  int32(value: number): this {
    return this.uint(value >>> 0, 32);
  }

  bytes(bytes: Uint8Array): this {
    this.#take(8 * bytes.length);
    const shift = this.#at & 7;
    let at = this.#at >> 3;
    for (const byte of bytes) {
      this.#data[at++]! |= byte >> shift;
      if (shift > 0) this.#data[at]! |= (byte << (8 - shift)) & 0xff;
    }
    this.#at += 8 * bytes.length;
    return this;
  }

  /**
   * Returns the cell. @throws RangeError for a fifth reference, and for a cell with pruned branches outside a Merkle
   * cell
   */
  ref(cell: Cell | NewCell): this {
    if (this.#refs.length === MAX_CELL_REFS) throw new RangeError('too much for a cell');
    if (cell instanceof Cell && cell.level !== 0) throw new RangeError('expected a whole cell');
    this.#refs.push(cell);
    return this;
  }

  /** Maybe ^X: a bit, and a reference if there is a value. */
  maybeRef(cell: Cell | NewCell | undefined): this {
    this.uint(cell === undefined ? 0 : 1, 1);
    return cell === undefined ? this : this.ref(cell);
  }

  build(): NewCell {
    const bytes = (this.#at + 7) >> 3;
    const data = this.#data.slice(0, bytes);
    if (this.#at % 8 !== 0) data[bytes - 1]! |= 0x80 >> (this.#at & 7);
    return new NewCell(data, this.#at, [...this.#refs]);
  }

  #take(bits: number): void {
    if (this.#at + bits > MAX_BITS) throw new RangeError('too much for a cell');
  }
}
