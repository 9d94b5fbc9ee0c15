/**
 * The running hash, and the order of lines: what makes a ledger one. Each line ends with the SHA-256 over the hash of the line
 * before (64 characters of hex) and its own text up to its hash, so that a line that was changed, removed or moved before the
 * end is noticed. It finds accidents and lazy edits: whoever writes all hashes anew can be found out only by the blocks.
 */
import { hash as digest } from 'node:crypto';
import { AuditError, FinalityError } from '../base/errors.ts';
import { readJsonText } from '../decode/json-text.ts';
import { contradictionBetween, type NamedSet, namedSet, sameBlockAgain, selfContradiction } from './agreement.ts';
import { parseAuditLine } from './parse-line.ts';
import {
  type AuditBlock,
  type AuditHead,
  type AuditLine,
  type AuditRow,
  type AuditSet,
  isSigned,
  seqnoOf,
} from './row.ts';
import { SeenHashes } from './seen-hashes.ts';
import { setHashOf } from './set-hash.ts';
import { type AuditCounts, AuditTally } from './tally.ts';

/** What stands in for the hash of the line before the first. */
export const NO_HASH = '0'.repeat(64);

const HASH_MEMBER = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_MEMBER_CHARS = ',"hash":""}'.length + 64;
/** What `JSON.stringify` makes of a line: no control characters, and none that are not ASCII. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** A line as it stands in the file, without its newline, and its hash. */
export interface WrittenLine {
  readonly text: string;
  readonly hash: string;
}

/** @param before the hash of the line before, `NO_HASH` for the first */
export function writeLine(line: AuditLine, before: string): WrittenLine {
  const open = JSON.stringify(line).slice(0, -1);
  const hash = digest('sha256', before + open, 'hex');
  return { text: `${open},"hash":"${hash}"}`, hash };
}

/** How far a ledger has come. */
export interface LedgerState {
  /** `undefined` before the first line. */
  readonly head: AuditHead | undefined;
  /** Hash of the last whole line. */
  readonly hash: string;
  /** Whole lines so far. */
  readonly lines: number;
  /** The seqno that the next row must have. */
  readonly next: number;
  /** What the rows so far say. */
  readonly counts: AuditCounts;
  /** Hashes of the sets that were named, and how many validators each has. */
  readonly sets: ReadonlyMap<string, number>;
  /** The last row, if there is one. */
  readonly last: AuditRow | undefined;
  /** Whether a final row has that root hash, in hex. */
  hasFinal(rootHash: string): boolean;
}

/** A server that was not there, a mistyped URL, a folder without the file: the next run may have another one. */
function isOfSource(line: AuditLine): boolean {
  return line.type === 'failure' && line.code.startsWith('source/');
}

/** Takes a ledger line by line. */
export class LedgerCheck implements LedgerState {
  readonly #name: string;
  readonly #sets = new Map<string, number>();
  /** Later blocks by which rows so far are final. */
  readonly #grounds = new Set<number>();
  readonly #named = new Map<string, NamedSet>();
  /** Root hashes of final blocks. */
  readonly #final = new SeenHashes();
  head: AuditHead | undefined;
  hash = NO_HASH;
  lines = 0;
  next = 0;
  readonly #tally = new AuditTally();
  last: AuditRow | undefined;
  #readBytes = 0;
  #firmBytes = 0;

  /** @param name of the file, for errors */
  constructor(name: string) {
    this.#name = name;
  }

  get counts(): AuditCounts {
    return this.#tally;
  }

  /** Bytes of the lines that were read, but for failures at the end that say more of where the blocks were looked for than of them. */
  get firmBytes(): number {
    return this.#firmBytes;
  }

  get sets(): ReadonlyMap<string, number> {
    return this.#sets;
  }

  /** The error for the line that is read, or would be next. */
  broken(message: string, cause?: unknown): AuditError {
    return new AuditError('audit/ledger', message, {
      path: `${this.#name}:${this.lines + 1}`,
      hint: 'the ledger was changed or damaged: take a copy of it, or cut it before this line and run the audit again',
      ...(cause === undefined ? {} : { cause }),
    });
  }

  /** @param text one line, without its newline @throws AuditError `audit/ledger` */
  read(text: string): AuditLine {
    if (!PRINTABLE.test(text)) throw this.broken('expected printable ASCII');
    const said = HASH_MEMBER.exec(text)?.[1];
    if (said === undefined) throw this.broken('expected a hash at the end of the line');
    const hash = digest('sha256', this.hash + text.slice(0, -HASH_MEMBER_CHARS), 'hex');
    if (hash !== said) {
      throw this.broken('the running hash is another one: this line was changed, or one before it removed or moved');
    }
    const { value, fault } = readJsonText(text);
    if (fault !== undefined) throw this.broken(fault);
    let line: AuditLine;
    try {
      line = parseAuditLine(value);
    } catch (error) {
      if (!(error instanceof FinalityError)) throw error;
      throw this.broken(error.message, error);
    }
    this.#add(line);
    this.hash = hash;
    this.lines += 1;
    this.#readBytes += text.length + 1;
    if (!isOfSource(line)) this.#firmBytes = this.#readBytes;
    return line;
  }

  /** A line that is written here and now. */
  write(line: AuditLine): string {
    this.#add(line);
    const { text, hash } = writeLine(line, this.hash);
    this.hash = hash;
    this.lines += 1;
    return text;
  }

  #add(line: AuditLine): void {
    if ((this.head === undefined) !== (line.type === 'audit')) {
      throw this.broken(this.head === undefined ? 'expected the first line of an audit' : 'a second first line');
    }
    if (line.type === 'audit') {
      this.head = line;
      this.next = line.from;
    } else if (line.type === 'set') this.#addSet(line);
    else this.#addRow(line);
  }

  #addSet(line: AuditSet): void {
    if (this.#sets.has(line.set)) throw this.broken('a set that was named before');
    if (setHashOf(line) !== line.set) throw this.broken('the hash of the set is not that of its validators');
    const named = namedSet(line, this.head!); // the first line came first
    if (String(named.total) !== line.totalWeight) throw this.broken('totalWeight: expected the sum of the weights');
    this.#sets.set(line.set, line.validators.length);
    this.#named.set(line.set, named);
  }

  #addRow(row: AuditRow): void {
    const seqno = seqnoOf(row);
    const most = this.head!.to; // the first line came first
    if (seqno !== this.next || seqno > most) {
      const wanted = this.next > most ? `the end, after block ${most}` : `block ${this.next}`;
      throw this.broken(`expected ${wanted}, got block ${seqno}`);
    }
    if (row.type === 'block') this.#requireAgreement(row);
    this.#requireGround(row);
    const between = contradictionBetween(this.last, row);
    if (between !== undefined) throw this.broken(between.message);
    this.#requireNewBlock(row);

    this.#tally.add(row);
    this.next += 1;
    this.last = row;
  }

  #requireNewBlock(row: AuditRow): void {
    if (row.type !== 'block' || row.verdict.status !== 'final') return;
    if (!this.#final.add(row.block.rootHash)) throw this.broken(sameBlockAgain(row).message);
  }

  hasFinal(rootHash: string): boolean {
    return this.#final.has(rootHash);
  }

  /** Blocks that a later one leads down to are final if that one is, by its own signatures. */
  #requireGround(row: AuditRow): void {
    const isFinal = row.type === 'block' && row.verdict.status === 'final';
    if (this.#grounds.delete(seqnoOf(row)) && !(isFinal && isSigned(row))) {
      throw this.broken('blocks before it are final by this one, which is not final by its own signatures');
    }
    if (isFinal && row.provenance.by === 'descendant') this.#grounds.add(row.provenance.seqno);
  }

  #requireAgreement(row: AuditBlock): void {
    const count = row.set === null ? undefined : this.#sets.get(row.set);
    if (isSigned(row) && count !== undefined) {
      const digits = 2 * ((count + 7) >> 3);
      if (row.absent.length !== digits || row.bad.length !== digits) {
        throw this.broken(`expected bitmaps of ${count} validators`);
      }
    }
    const set = row.set === null ? undefined : this.#named.get(row.set);
    const said = selfContradiction(row, this.head!, set); // rows come after the first line
    if (said !== undefined) throw this.broken(said);
  }
}
