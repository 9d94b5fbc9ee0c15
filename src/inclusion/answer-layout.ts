/** How answers of lite servers are laid out, and how one of several is read. It knows none of them. */
import { MAX_BOC_BYTES, MAX_PROOF_ANSWER_BYTES } from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import { readServerError } from '../chain/block-proof.ts';
import { readTlBytes } from '../tl/bytes.ts';
import { LITE_SERVER_ERROR } from '../tl/constructors.ts';
import { TlReader } from '../tl/reader.ts';

/** Reads one member. */
export type Read<T> = (tl: TlReader) => T;

/** Readers of answers by their constructor ids. */
export type AnswerReaders<T> = Readonly<Record<number, Read<T>>>;

/**
 * The reader of one kind of answer.
 * @param members in the order of the schema, each with what reads it
 * @param unread what follows and is read over
 */
export function layout<T extends { readonly kind: string }>(
  kind: T['kind'],
  members: { readonly [K in keyof Omit<T, 'kind'>]: Read<T[K]> },
  unread?: Read<unknown>,
): Read<T> {
  return (tl) => {
    const read = Object.entries<Read<unknown>>(members).map(([name, member]) => [name, member(tl)] as const);
    unread?.(tl);
    return Object.freeze({ kind, ...Object.fromEntries(read) }) as unknown as T; // each member is of its type, by the parameter
  };
}

export const uint32: Read<number> = (tl) => tl.uint32();

/** A bag of cells, unread. */
export const bag: Read<Uint8Array> = (tl) => readTlBytes(tl, MAX_BOC_BYTES);

export function readVector<T>(tl: TlReader, most: number, name: string, read: Read<T>): readonly T[] {
  const count = tl.uint32();
  if (count > most) throw tl.error(`expected at most ${most} ${name}, got ${count}`);
  return Object.freeze(Array.from({ length: count }, () => read(tl)));
}

/** @throws DecodeError `decode/api-error` with the server's words; `decode/tl`, `decode/too-large` */
export function readBoxed<T>(readers: AnswerReaders<T>, answer: Uint8Array, path: string): T {
  const tl = new TlReader(ownBytes(answer, path, MAX_PROOF_ANSWER_BYTES), path);
  const id = tl.constructorId('an answer with a proof', ...Object.keys(readers).map(Number), LITE_SERVER_ERROR);
  if (id === LITE_SERVER_ERROR) throw readServerError(tl, path);
  const read = readers[id]!(tl);
  tl.end();
  return read;
}
