/**
 * Reads TL wire data: little-endian integers, int256, and `bytes`. Only the one canonical spelling of a value is read,
 * and `end` refuses trailing bytes. It knows no schema.
 */
import { DecodeError } from '../base/errors.ts';
import { HASH_BYTES } from '../base/limits.ts';

const LONG_BYTES_MARK = 0xfe;

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
    return this.#bytes.slice(start, start + length);
  }

  /**
   * TL `bytes`: one length byte below 254, or fe and three; the data; zeros up to a multiple of four. A long form
   * where the short one would do, and non-zero padding, are refused, so that read and write are inverse.
   * @param maxLength the most bytes the caller is willing to hold
   */
  bytes(maxLength: number): Uint8Array {
    const start = this.#at;
    let length: number = this.#bytes[this.#take(1)]!;
    if (length > LONG_BYTES_MARK) throw this.error('a length byte of ff, which no TL value here needs', start);
    if (length === LONG_BYTES_MARK) {
      const at = this.#take(3);
      length = this.#bytes[at]! | (this.#bytes[at + 1]! << 8) | (this.#bytes[at + 2]! << 16);
      if (length < LONG_BYTES_MARK) throw this.error(`long form for a length of ${length}`, start);
    }
    if (length > maxLength) throw this.error(`expected at most ${maxLength} bytes, got ${length}`, start);
    const data = this.fixed(length);
    while ((this.#at - start) % 4 !== 0) {
      if (this.#bytes[this.#take(1)] !== 0) throw this.error('non-zero padding', this.#at - 1);
    }
    return data;
  }

  /** Requires a constructor id. @param name the constructor, for the error */
  constructorId(id: number, name: string): void {
    const at = this.#at;
    const got = this.uint32();
    if (got !== id) throw this.unknownConstructor(got, name, at);
  }

  /** Requires that nothing is left. */
  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left !== 0) throw this.error(`expected the end, got ${left} trailing bytes`, this.#at);
  }

  unknownConstructor(got: number, wanted: string, at: number): DecodeError {
    return this.error(`expected ${wanted}, got constructor ${got.toString(16).padStart(8, '0')}`, at);
  }

  error(message: string, at = this.#at): DecodeError {
    return new DecodeError('decode/tl', `byte ${at}: ${message}`, { path: this.#path });
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
