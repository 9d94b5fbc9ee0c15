/**
 * Reads the bits and references of one ordinary cell in order. Rejects a pruned cell: what a proof leaves out is
 * unproven, never absent or zero. `end` rejects remaining data. It knows no schema.
 */
import { DecodeError, TrustError, UnknownKind } from '../base/errors.ts';
import { MAX_CELL_REFS } from '../base/limits.ts';
import { type Cell, OPEN_COST, tableOf } from './cell.ts';

/** A cursor over one cell. Every read throws `DecodeError` `decode/boc` when the cell has no more. */
export class Slice {
  readonly path: string;
  readonly #cell: Cell;
  readonly #bytes: Uint8Array;
  /** Bit positions in the buffer of the whole bag. */
  #at: number;
  readonly #end: number;
  #ref = 0;

  /**
   * @param path names the cell in errors, as in `block.extra`
   * @throws TrustError `trust/pruned` for a pruned branch
   * @throws DecodeError `decode/boc` for any other exotic cell
   */
  constructor(cell: Cell, path: string) {
    if (cell.kind === 'pruned') {
      throw new TrustError('trust/pruned', 'the proof omits this cell, which must be read', {
        path,
        hint: 'ask for a proof that shows this cell; a pruned cell is unproven, not absent',
      });
    }
    if (cell.kind !== 'ordinary') {
      throw new DecodeError('decode/boc', `expected an ordinary cell, got ${cell.kind}`, { path });
    }
    const table = tableOf(cell);
    const { meter } = table;
    if (meter !== undefined) {
      meter.left -= OPEN_COST;
      if (meter.left < 0) throw meter.error(path);
    }
    table.opened[cell.index] = 1;
    this.path = path;
    this.#cell = cell;
    this.#bytes = table.bytes;
    this.#at = table.dataAt[cell.index]! * 8;
    this.#end = this.#at + cell.bitLength;
  }

  /** Index in its bag of the cell that this slice reads. */
  get index(): number {
    return this.#cell.index;
  }

  get bitsLeft(): number {
    return this.#end - this.#at;
  }

  get refsLeft(): number {
    return this.#cell.refCount - this.#ref;
  }

  #take(bits: number): number {
    const at = this.#at;
    if (this.#end - at < bits) throw this.error(`expected ${bits} more bits, got ${this.#end - at}`);
    this.#at = at + bits;
    return at;
  }

  /** An unsigned number of up to 32 bits. */
  uint(bits: number): number {
    let at = this.#take(bits);
    let value = 0;
    for (let left = bits; left > 0; ) {
      const inByte = Math.min(8 - (at & 7), left);
      const part = (this.#bytes[at >> 3]! >> (8 - (at & 7) - inByte)) & ((1 << inByte) - 1);
      value = value * (1 << inByte) + part;
      at += inByte;
      left -= inByte;
    }
    return value;
  }

  bit(): boolean {
    return this.uint(1) === 1;
  }

  int32(): number {
    return this.uint(32) | 0;
  }

  uint64(): bigint {
    return (BigInt(this.uint(32)) << 32n) | BigInt(this.uint(32));
  }

  /** A copy of the next `length` bytes, which need not start at a byte. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length * 8);
    const from = at >> 3;
    const shift = at & 7;
    if (shift === 0) return this.#bytes.slice(from, from + length);
    const out = new Uint8Array(length);
    for (let k = 0; k < length; k++) {
      out[k] = (this.#bytes[from + k]! << shift) | (this.#bytes[from + k + 1]! >> (8 - shift));
    }
    return out;
  }

  /** Skips bits that the caller does not need. */
  skip(bits: number): void {
    this.#take(bits);
  }

  /** Requires a constructor tag. @param name the type, for the error */
  tag(bits: number, value: number, name: string): void {
    const got = this.uint(bits);
    if (got !== value) throw this.wrongTag(got, bits, name);
  }

  wrongTag(got: number, bits: number, wanted: string): DecodeError {
    const tag = got.toString(16).padStart(Math.ceil(bits / 4), '0');
    return this.error(`expected ${wanted}, got tag ${tag}`, new UnknownKind(tag));
  }

  /** The next reference as a cell, unread: it may be pruned. */
  ref(): Cell {
    if (this.refsLeft < 1) throw this.error(`expected another reference, got ${this.#cell.refCount} in all`);
    return this.#cell.ref(this.#ref++);
  }

  /** Opens the next reference. @param name the step from here to there, as in `extra` */
  refSlice(name: string): Slice {
    return new Slice(this.ref(), `${this.path}.${name}`);
  }

  /** Maybe ^X, or HashmapE, which has the same layout: the reference as a cell, unread. */
  maybeRef(): Cell | undefined {
    return this.bit() ? this.ref() : undefined;
  }

  /** Opens the reference of a Maybe ^X or HashmapE. @param name as for `refSlice` */
  maybeSlice(name: string): Slice | undefined {
    return this.bit() ? this.refSlice(name) : undefined;
  }

  skipRefs(count: number): void {
    for (let k = 0; k < Math.min(count, MAX_CELL_REFS); k++) this.ref();
  }

  /** Requires that nothing is left, bits or references. */
  end(): void {
    if (this.bitsLeft !== 0 || this.refsLeft !== 0) {
      throw this.error(`expected the end, got ${this.bitsLeft} more bits and ${this.refsLeft} more references`);
    }
  }

  /** Makes the error for a malformed value in this cell. */
  error(message: string, cause?: unknown): DecodeError {
    return new DecodeError('decode/boc', message, { path: this.path, cause });
  }
}
