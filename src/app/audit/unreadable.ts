/** Keeps what should be an answer but cannot be read, so that no audit passes over it without a word. */
import { type FinalityError, SourceError } from '../../core/base/errors.ts';
import type { AuditSource } from './audit-source.ts';

/** Most unreadable entries in a row that are remembered: each accounts for at most one block. */
const MAX_UNNUMBERED = 4096;

/**
 * Unreadable entries of a list in order. They count for the numbers that are missing next to them: after the entry
 * before, and at the beginning before the first readable entry. So the numbers are the same wherever an audit begins.
 */
export class UnnumberedEntries<T> {
  #entries: T[] = [];
  /** Number of the last readable entry; `undefined` before the first. */
  lastSeqno: number | undefined;

  add(entry: T): void {
    if (this.#entries.length === MAX_UNNUMBERED) {
      if (this.lastSeqno !== undefined) return;
      this.#entries.shift(); // the last of them are those before the first block
    }
    this.#entries.push(entry);
  }

  /** Takes the entries since the last readable one, each with its number. @param next number of a readable entry, or the end */
  takeUpTo(next: number): (readonly [number, T])[] {
    const first = this.lastSeqno === undefined ? next - this.#entries.length : this.lastSeqno + 1;
    const numbered = this.#entries.map((entry, n) => [first + n, entry] as const);
    this.#entries = [];
    this.lastSeqno = next;
    return numbered.filter(([seqno]) => seqno >= 0 && seqno < next);
  }
}

/** What cannot be read of a file or a folder. */
export class Unreadable {
  readonly #byNumber = new Map<number, FinalityError>();
  #count = 0;
  #makeFirst: (() => FinalityError) | undefined;
  /** Proofs of unknown blocks. */
  proofs: AuditSource['skipped'];

  /** @param makeError names the place; it is called on demand, since a file may consist of such entries only */
  add(makeError: () => FinalityError): void {
    this.#count += 1;
    this.#makeFirst ??= makeError;
  }

  /** Adds a proof of a block whose number is not known. */
  addProof(error: FinalityError): void {
    this.add(() => error);
    this.proofs = { count: (this.proofs?.count ?? 0) + 1, first: this.proofs?.first ?? error };
  }

  /** Says of which block an entry is. The first entry of a block counts. */
  assign(seqno: number, error: FinalityError): void {
    if (!this.#byNumber.has(seqno)) this.#byNumber.set(seqno, error);
  }

  /** Makes the error of a block without an answer. Where its number is not known, an unreadable entry may be the answer. */
  missingBlock(seqno: number, where: string): FinalityError {
    const known = this.#byNumber.get(seqno);
    if (known !== undefined) return known;
    const first = this.#makeFirst?.().message;
    const also = first === undefined ? '' : `; cannot be read: ${this.#count}, the first is ${first}`;
    return new SourceError('source/missing', `${where}: no signatures of block ${seqno}${also}`, {
      hint: 'give the file that contains the block, or audit a shorter range into a new ledger',
    });
  }
}
