/**
 * Reads TL data of fixed length: little-endian integers and int256. `end` rejects trailing bytes. It knows no schema;
 * `bytes.ts` reads `bytes` of any length.
 */
import { DecodeError, UnknownKind } from '../base/errors.ts';
import { HASH_BYTES } from '../base/limits.ts';

/** A cursor over one boxed or bare TL object. Every method throws `DecodeError` `decode/tl` when the data runs out. */
export class TlReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #path: string;
  #at = 0;

  /** @param path names the object in errors, as in `result.candidate` */
  constructor(bytes: Uint8Array, path: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#path = path;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#at;
  }

  uint8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  int32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  /** A copy of the next 32 bytes. */
  int256(): Uint8Array {
    return this.fixed(HASH_BYTES);
  }

  /** A copy of the next `length` bytes. */
  fixed(length: number): Uint8Array {
    const start = this.#take(length);
    return new Uint8Array(this.#bytes.subarray(start, start + length)); // `slice` of a Buffer would not copy
  }

  /** Requires one of the constructor ids of a type. @returns the id */
  constructorId(type: string, ...ids: readonly number[]): number {
    const at = this.#at;
    const id = this.uint32();
    if (ids.includes(id)) return id;
    const got = id.toString(16).padStart(8, '0');
    throw this.error(`expected ${type}, got constructor ${got}`, at, new UnknownKind(got, at === 0));
  }

  /** Requires that nothing is left. */
  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left !== 0) throw this.error(`expected the end, got ${left} trailing bytes`, this.#at);
  }

  error(message: string, at = this.#at, cause?: unknown): DecodeError {
    return new DecodeError('decode/tl', `byte ${at}: ${message}`, { path: this.#path, cause });
  }

  #take(length: number): number {
    const start = this.#at;
    if (this.#bytes.length - start < length) {
      throw this.error(`expected ${length} more bytes, got ${this.#bytes.length - start}`);
    }
    this.#at = start + length;
    return start;
  }
}
