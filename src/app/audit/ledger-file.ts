/**
 * Writes the file of a ledger, from the beginning or after its last complete line. Only complete lines are written. If
 * the disk takes less, the file is cut back to the last complete one.
 */
import * as fs from 'node:fs';
import { AuditError } from '../../core/base/errors.ts';
import { type FileLock, lockFile } from '../files/lock-file.ts';
import { codeOf } from '../files/system-error.ts';
import { orRefuse } from '../files/write-file.ts';
import type { LedgerCheck } from './ledger-check.ts';
import { AUDIT_ROW_SCHEMA, type AuditPlan, requireEqualPlans } from './ledger-lines.ts';
import { checkLedger } from './read-ledger.ts';

/** Appends, even if another process writes too. A pipe without a reader is an error; the call does not wait for one. */
const APPEND = fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | (fs.constants.O_NONBLOCK ?? 0);

/**
 * Milliseconds between two calls that bring the file to disk: the most that a power cut costs. A killed process loses
 * nothing.
 */
const SYNC_EVERY_MS = 2000;

export class LedgerFile {
  /** Takes lines for the next `flush`, and knows how far the ledger is. */
  readonly check: LedgerCheck;
  readonly #file: string;
  readonly #handle: number;
  readonly #lock: FileLock;
  #bytes: number;
  #syncedMs = performance.now();

  private constructor(file: string, handle: number, check: LedgerCheck, lock: FileLock) {
    this.#file = file;
    this.#handle = handle;
    this.check = check;
    this.#lock = lock;
    this.#bytes = check.bytes;
  }

  /**
   * Opens a ledger, new or existing, and checks every line. An existing ledger loses what makes no claim at its end: an unfinished line,
   * rows of an open hop, a set without a row, failures of sources. Until it is closed, no other process can open it.
   * @param head what is audited; a ledger of another audit is rejected and stays unchanged
   * @throws AuditError `audit/ledger`, `audit/plan`, `audit/write`; UsageError for a file that cannot be written
   */
  static async open(file: string, head: AuditPlan): Promise<LedgerFile> {
    const lock = await lockFile(file);
    let handle: number;
    try {
      handle = orRefuse(file, () => fs.openSync(file, APPEND, 0o644)); // creates the file, and writes nothing yet
    } catch (error) {
      lock.release();
      throw error;
    }
    try {
      const hint = 'pass the options the ledger was started with, or another file';
      const look = async () => {
        const { state, tailBytes } = await checkLedger(file, (line) => {
          if (line.type !== 'audit') return;
          requireEqualPlans(line, head, 'the ledger is of a different audit', { path: file, hint });
        });
        return { check: state as LedgerCheck, tailBytes }; // the object that read the lines continues with them
      };
      const cut = (bytes: number) => orRefuse(file, () => fs.ftruncateSync(handle, bytes));
      let { check, tailBytes } = await look();
      if (check.firmBytes < check.bytes) {
        cut(check.firmBytes); // those blocks are tried again
        ({ check, tailBytes } = await look());
      }
      if (check.bytes === 0 && tailBytes > 0) requireBegunLedger(file);
      if (tailBytes > 0) cut(check.bytes);
      const ledger = new LedgerFile(file, handle, check, lock);
      if (check.head === undefined) {
        check.begin(head);
        ledger.flush();
      }
      return ledger;
    } catch (error) {
      fs.closeSync(handle);
      lock.release();
      throw error;
    }
  }

  /**
   * Writes the staged lines, except for rows at the end that wait for the block that leads down to them.
   * @throws AuditError `audit/write`; the file then ends with the line before. UsageError when another process may have
   * the file
   */
  flush(): void {
    const text = this.check.take();
    if (text === '') return;
    this.#lock.requireHeld();
    const bytes = Buffer.from(text, 'latin1'); // ASCII
    try {
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(this.#handle, bytes, at);
      this.#bytes += bytes.length;
      this.#requireInPlace();
      if (performance.now() - this.#syncedMs > SYNC_EVERY_MS) this.#sync();
    } catch (error) {
      throw this.#cannotWrite(error);
    }
  }

  /** Fails if the file was deleted or replaced: otherwise rows would be lost and the run would still exit with 0. */
  #requireInPlace(): void {
    const own = fs.fstatSync(this.#handle);
    const named = fs.statSync(this.#file, { throwIfNoEntry: false });
    if (own.size === this.#bytes && named?.ino === own.ino && named.dev === own.dev) return;
    throw new AuditError('audit/write', 'the file was moved, replaced or written to by another program', {
      path: this.#file,
      hint: 'let only one audit use the ledger; the next run checks its rows',
    });
  }

  #cannotWrite(cause: unknown): AuditError {
    if (cause instanceof AuditError) return cause;
    try {
      fs.ftruncateSync(this.#handle, this.#bytes);
    } catch {
      // the next run cuts off an unfinished line
    }
    const why = codeOf(cause) === 'ENOSPC' ? 'the disk is full' : `cannot be written (${codeOf(cause)})`;
    return new AuditError('audit/write', why, {
      path: this.#file,
      cause,
      hint: 'free some space and run the same command again to resume after the last complete line',
    });
  }

  #sync(): void {
    fs.fsyncSync(this.#handle);
    this.#syncedMs = performance.now();
  }

  /** Closes the file without the staged lines. */
  close(): void {
    try {
      this.#sync();
    } catch (error) {
      throw this.#cannotWrite(error);
    } finally {
      fs.closeSync(this.#handle);
      this.#lock.release();
    }
  }
}

/** The characters with which every ledger begins. */
const OPENING = `${JSON.stringify({ type: 'audit', schema: AUDIT_ROW_SCHEMA }).slice(0, -1)},`;

/**
 * Checks that a file without a complete line is the beginning of a ledger. A different file would be lost.
 * @throws AuditError `audit/ledger`
 */
export function requireBegunLedger(file: string): void {
  const start = Buffer.alloc(OPENING.length);
  const handle = fs.openSync(file, 'r');
  try {
    const length = fs.readSync(handle, start, 0, start.length, 0);
    if (OPENING.startsWith(start.toString('latin1', 0, length))) return;
  } finally {
    fs.closeSync(handle);
  }
  throw new AuditError('audit/ledger', 'expected a ledger, got a different file', {
    path: `${file}:1`,
    hint: 'pass the name of a new file, or of a ledger',
  });
}
