/**
 * Checks the running hash and the order of lines of a ledger. Each line ends with a SHA-256 over the hash of the line
 * before (64 characters of hex) and its own text up to its hash. A line that was changed, removed or moved is therefore
 * detected. The hash detects accidents and careless edits. An attacker can compute all hashes again; only the blocks
 * show that.
 */
import { hash as digest } from 'node:crypto';
import { AuditError, FinalityError } from '../../core/base/errors.ts';
import { readJsonText } from '../../core/base/json-text.ts';
import { resultOrRefusal } from './audit-source.ts';
import {
  BROKEN_HINT,
  broken,
  type Contradiction,
  contradictionInHead,
  contradictionInSet,
  idOf,
  misnumbered,
  selfContradiction,
  type WeighedSet,
  weighedSet,
} from './contradictions.ts';
import { type AuditCounts, AuditTally } from './count-rows.ts';
import { MAX_LINE_BYTES } from './file-lines.ts';
import { type AuditLine, type AuditPlan, type AuditRow, type AuditSet, isFinal, seqnoOf } from './ledger-lines.ts';
import { parseAuditLine } from './parse-line.ts';
import { SeenHashes } from './seen-hashes.ts';
import { Succession, type SuccessionState } from './succession.ts';

/** Used as the hash before the first line. */
export const NO_HASH = '0'.repeat(64);

/** For a first line that is invalid: the file is usually not a ledger, and the user must not truncate it. */
export const NO_LEDGER_HINT =
  'pass a ledger that `ton-finality audit --out` wrote: this file is not one, or its first line was modified';

const HASH_MEMBER = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_MEMBER_CHARS = ',"hash":""}'.length + 64;
/** Matches the lines that `JSON.stringify` makes: no control characters, and ASCII only. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/**
 * Writes a line.
 * @param before the hash of the line before, `NO_HASH` for the first
 * @returns the line as in the file, without its newline, and its hash
 */
export function writeLine(line: AuditLine, before: string) {
  const open = JSON.stringify(line).slice(0, -1);
  const hash = digest('sha256', before + open, 'hex');
  return { text: `${open},"hash":"${hash}"}`, hash };
}

/** Returns a number in the form in which hashes are kept. */
function numberOf(seqno: number): string {
  return seqno.toString(16).padStart(16, '0');
}

/**
 * Returns whether a failure is about the source: a server that was down, a mistyped URL, a folder without the file. The
 * next run may have a different source.
 */
export function isOfSource(line: AuditLine): boolean {
  return line.type === 'failure' && line.code.startsWith('source/');
}

/** A hop whose signed block has no row yet, and the position before it, to which the ledger can be cut. */
interface OpenHop extends Readonly<Pick<LedgerCheck, 'hash' | 'lines' | 'next' | 'bytes'>> {
  readonly succession: SuccessionState;
  /** How many sets were named before it. */
  readonly setCount: number;
  readonly rows: AuditRow[];
  /** Root hashes of its final blocks. */
  readonly finalHashes: Set<string>;
}

/**
 * Checks a ledger line by line. Rows by descendant count once the row of the signed block that leads down to them is
 * there. Until then their hop is open.
 */
export class LedgerCheck {
  readonly #name: string;
  readonly #sets = new Map<string, number>();
  /** A row by descendant names no set: its `null` finds none. */
  readonly #named = new Map<string | null, WeighedSet>();
  /** Root hashes of final blocks. */
  readonly #final = new SeenHashes();
  /** Numbers of all other rows. */
  readonly #notFinal = new SeenHashes();
  readonly #tally = new AuditTally();
  /** Present after the first line. */
  #succession: Succession | undefined;
  #hop: OpenHop | undefined;
  /** `undefined` before the first line. */
  head: AuditPlan | undefined;
  /** Hash of the last complete line. */
  hash = NO_HASH;
  /** Complete lines so far. */
  lines = 0;
  /** The seqno that the next row must have. */
  next = 0;
  /** Bytes of all lines. */
  bytes = 0;
  /**
   * Bytes of the lines, without lines at the end that make no claim about a block: failures of the source, a set
   * without a row, and an open hop.
   */
  firmBytes = 0;
  /** The id of the last key block that is final, as `idOf` gives it; a key block has signatures of its own. */
  lastKeyBlock: string | undefined;
  /** Lines that `take` has not returned yet. */
  #staged: string[] = [];

  /** @param name name of the file, for errors */
  constructor(name: string) {
    this.#name = name;
  }

  /** Counts of the rows so far. */
  get counts(): AuditCounts {
    return this.#tally;
  }

  /** The last row, if there is one. */
  get last(): AuditRow | undefined {
    return this.#succession?.state.last;
  }

  /** Whether the last rows wait for the row of the block that leads down to them. */
  get isOpen(): boolean {
    return this.#hop !== undefined;
  }

  /** Hashes of the sets that were named, and the number of validators in each. */
  get sets(): ReadonlyMap<string, number> {
    return this.#sets;
  }

  /** Makes the error for the line that is being read, or would be next. */
  #broken(message: string, hint = this.lines === 0 ? NO_LEDGER_HINT : BROKEN_HINT, cause?: unknown): AuditError {
    const path = `${this.#name}:${this.lines + 1}`;
    return new AuditError('audit/ledger', message, { path, hint, cause });
  }

  /**
   * Reads a line. @param line without its newline; `undefined` for a line that is too long @throws AuditError
   * `audit/ledger`
   */
  readBytes(line: Uint8Array | undefined): AuditLine {
    if (line === undefined) throw this.#broken(`expected a line of at most ${MAX_LINE_BYTES} bytes, got more`);
    return this.read(Buffer.from(line.buffer, line.byteOffset, line.length).toString('latin1')); // bytes above 127 become characters that are rejected
  }

  /** Reads a line. @param text without its newline @throws AuditError `audit/ledger` */
  read(text: string): AuditLine {
    if (text.endsWith('\r')) {
      const message = 'expected a line that ends with LF, got CRLF: the file has Windows line endings';
      throw this.#broken(message, 'convert the ledger back, for example with dos2unix');
    }
    if (!PRINTABLE.test(text)) throw this.#broken('expected printable ASCII');
    const said = HASH_MEMBER.exec(text)?.[1];
    if (said === undefined) throw this.#broken('expected a hash at the end of the line');
    const hash = digest('sha256', this.hash + text.slice(0, -HASH_MEMBER_CHARS), 'hex');
    if (hash !== said) {
      throw this.#broken('the running hash differs: this line was modified, or an earlier line was removed or moved');
    }
    const { value, fault } = readJsonText(text);
    if (fault !== undefined) throw this.#broken(fault);
    const line = resultOrRefusal(() => parseAuditLine(value));
    if (line instanceof FinalityError) throw this.#broken(line.message, line.hint, line);
    this.#requireFit(line);
    this.#add(line);
    this.#addLine(line, text, hash);
    return line;
  }

  /** Counts a line that was read or written. */
  #addLine(line: AuditLine, text: string, hash: string): void {
    this.hash = hash;
    this.lines += 1;
    this.bytes += text.length + 1;
    if (!this.isOpen && line.type !== 'set' && !isOfSource(line)) this.firmBytes = this.bytes;
  }

  /**
   * Checks the end of a file. An audit that was stopped may leave an unfinished line, but nothing is written after the last block.
   * @param tailBytes bytes after the last complete line @throws AuditError `audit/ledger`
   */
  requireEnd(tailBytes: number): void {
    if (tailBytes === 0 || this.head === undefined || this.next <= this.head.to) return;
    throw this.#broken(`expected the end, after block ${this.head.to}, got ${tailBytes} bytes without a line end`);
  }

  /** Adds a line that this process writes. @throws AuditError `audit/ledger`; nothing has changed then */
  write(line: AuditLine): string {
    this.#requireFit(line);
    return this.#append(line);
  }

  #append(line: AuditLine): string {
    this.#add(line);
    const { text, hash } = writeLine(line, this.hash);
    this.#addLine(line, text, hash);
    return text;
  }

  /** Writes the first line for the next `take`. @throws as `write` */
  begin(head: AuditPlan): void {
    this.#staged.push(`${this.write(head)}\n`);
  }

  /** Writes a line for the next `take`. @returns the contradiction to earlier lines, if any; then nothing is written */
  stage(line: AuditLine): Contradiction | undefined {
    const wrong = this.#contradiction(line);
    if (wrong === undefined) this.#staged.push(`${this.#append(line)}\n`);
    return wrong;
  }

  /**
   * Writes the lines that the ledger does not have yet for the next `take`, up to one failure too many, or a contradiction.
   * @returns the failure that is one too many, or the contradiction
   */
  stageNew(lines: readonly (AuditSet | AuditRow)[], maxFailures: number) {
    for (const line of lines) {
      // A set is named once, and a part that was appended in part continues.
      if (line.type === 'set' ? this.#sets.has(line.set) : seqnoOf(line) < this.next) continue;
      if (line.type === 'failure' && this.counts.failures >= maxFailures) return { tooMany: line };
      const wrong = this.stage(line);
      if (wrong !== undefined) return { wrong };
    }
    return {};
  }

  /** Returns the staged lines, except for those of an open hop, which are dropped. */
  take(): string {
    const { lines } = this;
    this.dropOpen();
    const text = this.#staged.slice(0, this.#staged.length - (lines - this.lines)).join('');
    this.#staged = [];
    return text;
  }

  /** Goes back to before an open hop: the ledger does not say whether its blocks are final. */
  dropOpen(): void {
    const hop = this.#hop;
    if (hop === undefined) return;
    for (const set of [...this.#sets.keys()].slice(hop.setCount)) {
      this.#sets.delete(set);
      this.#named.delete(set);
    }
    this.#succession!.state = hop.succession; // the first line came first
    ({ hash: this.hash, lines: this.lines, next: this.next, bytes: this.bytes } = hop);
    this.#hop = undefined;
  }

  #contradiction(line: AuditLine): Contradiction | undefined {
    const { head } = this;
    if (line.type !== 'audit' && head !== undefined) {
      return line.type === 'set' ? this.#contradictionOfSet(line, head) : this.#contradictionOfRow(line, head);
    }
    if (line.type !== 'audit') return broken('expected the first line of an audit');
    return broken(head === undefined ? contradictionInHead(line) : 'a second first line');
  }

  #contradictionOfSet(line: AuditSet, head: AuditPlan): Contradiction | undefined {
    if (this.#sets.has(line.set)) return broken('a set that was named before');
    return (
      broken(contradictionInSet(line, head)) ??
      this.#succession!.contradictionOfSet(line, this.next) ?? // the first line came first
      this.#notOfItsRow(line, head)
    );
  }

  #contradictionOfRow(row: AuditRow, head: AuditPlan): Contradiction | undefined {
    const seqno = seqnoOf(row);
    if (seqno !== this.next || seqno > head.to) {
      const wanted = this.next > head.to ? `the end, after block ${head.to}` : `block ${this.next}`;
      return broken(`expected ${wanted}, got block ${seqno}`);
    }
    const own = row.type === 'block' ? selfContradiction(row, head, this.#named.get(row.set)) : undefined;
    return broken(own) ?? this.#succession!.contradiction(row) ?? this.#known(row); // the first line came first
  }

  #requireFit(line: AuditLine): void {
    const wrong = this.#contradiction(line);
    if (wrong !== undefined) throw this.#broken(wrong.message, wrong.hint);
  }

  #add(line: AuditLine): void {
    if (line.type === 'audit') {
      this.head = line;
      this.next = line.from;
      this.#succession = new Succession(line);
    } else if (line.type === 'set') {
      this.#succession!.name(line); // the first line came first
      this.#sets.set(line.set, line.validators.length);
      this.#named.set(line.set, weighedSet(line, this.head!));
    } else this.#addRow(line, this.#succession!);
  }

  #addRow(row: AuditRow, succession: Succession): void {
    if (row.type === 'block' && row.provenance.by === 'descendant') {
      const { hash, lines, next, bytes } = this;
      const before = { hash, lines, next, bytes, setCount: this.#sets.size, succession: succession.state };
      this.#hop ??= { ...before, rows: [], finalHashes: new Set() };
      this.#hop.rows.push(row);
      if (isFinal(row)) this.#hop.finalHashes.add(row.block.rootHash);
    } else {
      for (const one of [...(this.#hop?.rows ?? []), row]) this.#count(one);
      this.#hop = undefined;
    }
    succession.add(row);
    this.next += 1;
  }

  #count(row: AuditRow): void {
    this.#tally.add(row);
    if (!isFinal(row)) this.#notFinal.add(numberOf(seqnoOf(row)));
    else {
      this.#final.add(row.block.rootHash);
      if (row.header?.keyBlock === true) this.lastKeyBlock = idOf(row.block);
    }
  }

  /** Checks that a key block with a final row is the block of that row. */
  #notOfItsRow({ provenance }: AuditSet, head: AuditPlan): Contradiction | undefined {
    if (provenance.kind !== 'proven') return undefined;
    const { seqno, rootHash } = provenance.keyBlock;
    if (seqno < head.from || seqno >= (this.#hop ?? this).next) return undefined;
    if (this.#notFinal.has(numberOf(seqno)) || this.#final.has(rootHash)) return undefined;
    return broken(`a set of key block ${seqno}, which is a different block in its row`);
  }

  /** Checks that a block, and its parent, have one number each. */
  #known(row: AuditRow): Contradiction | undefined {
    if (!isFinal(row)) return undefined;
    const { seqno, rootHash } = row.block;
    if (this.hasFinal(rootHash)) {
      return misnumbered(`block ${seqno} has the root hash of an earlier row, both final: one block under two numbers`);
    }
    const parent = row.header?.parent ?? null;
    const { last } = this;
    const isLast = last?.type === 'block' && last.block.rootHash === parent;
    if (parent === null || isLast || !this.hasFinal(parent)) return undefined;
    return misnumbered(
      `block ${seqno} follows block ${parent}, which is final in an earlier row than the one before it`,
    );
  }

  /** Called by `JSON.stringify`, which leaves out getters and maps. */
  toJSON() {
    const { head, hash, lines, next, counts, sets, last } = this;
    return { head, hash, lines, next, counts, sets: Object.fromEntries(sets), last };
  }

  /** Returns whether a final row has this root hash, in hex. */
  hasFinal(rootHash: string): boolean {
    return this.#final.has(rootHash) || this.#hop?.finalHashes.has(rootHash) === true;
  }
}

/** Position of a ledger: how many rows it has, and the next block. */
export type LedgerState = Readonly<
  Pick<LedgerCheck, 'head' | 'hash' | 'lines' | 'next' | 'counts' | 'sets' | 'last' | 'hasFinal'>
>;
