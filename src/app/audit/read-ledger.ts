/** Reads a ledger from its file as a stream, one line in memory at a time. */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { badArgument } from '../../core/base/arguments.ts';
import { badFile } from '../files/system-error.ts';
import { chunksOf, linesIn, openToRead } from './file-lines.ts';
import { LedgerCheck, type LedgerState } from './ledger-check.ts';
import type { AuditLine, AuditPlan } from './ledger-lines.ts';

/** The end of the ledger in a file, and the rest of the file after it. */
export interface LedgerEnd {
  /** Bytes of all lines of the ledger. */
  readonly wholeBytes: number;
  /** Bytes after the ledger: an unfinished line, and rows whose signed block has no row yet. */
  readonly tailBytes: number;
  readonly state: LedgerState;
}

/** Flags that open a pipe without waiting for its other end. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a plain file. A folder, pipe or device cannot be read by position, or never ends. @throws UsageError */
async function openLedger(file: string): Promise<FileHandle> {
  if (typeof file !== 'string') throw badArgument('file', 'the path of a ledger', file);
  const handle = await openToRead(file, AT_ONCE);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw badFile(file, 'expected a plain file');
}

/**
 * Yields the lines of a ledger, in order. Each is checked: form, running hash, seqno, a named set, and no contradiction to earlier
 * lines. A row by descendant follows once the row of its signed block is read. An unfinished last line is left out, and so are rows
 * that wait for a signed block. An audit whose last row is not `to` of the first line is unfinished. After that row, an unfinished
 * line is an error too.
 * @param file path of the ledger
 * @returns the lines; the generator's return value is the state of the ledger and the size of the rest of the file
 * @throws AuditError `audit/ledger` for a line that was changed, removed or moved, or contradicts another; UsageError for a file that
 * cannot be read
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { parseValidatorSet } from 'ton-finality';
 * import { auditFiles, auditRange, readLedger } from 'ton-finality/audit';
 * import { opensslEngine } from 'ton-finality/node';
 * import { simplexSample } from 'ton-finality/sample';
 * writeFileSync('answers.json', JSON.stringify(simplexSample.signatures));
 * const trust = { validators: parseValidatorSet(simplexSample.validators), engine: opensslEngine };
 * const blocks = auditFiles('answers.json');
 * for await (const _ of auditRange({ from: 59379986, to: 59379986, blocks, ...trust, out: 'rows.ndjson' }));
 * for await (const line of readLedger('rows.ndjson')) {
 *   if (line.type !== 'block') continue;
 *   console.log(line.verdict.status); // final
 * }
 * ```
 */
export async function* readLedger(file: string): AsyncGenerator<AuditLine, LedgerEnd> {
  const handle = await openLedger(file);
  try {
    const check = new LedgerCheck(file);
    let open: AuditLine[] = [];
    for await (const lines of linesIn(chunksOf(handle, file), false)) {
      for (const bytes of lines) {
        const line = check.readBytes(bytes);
        if (check.isOpen) open.push(line);
        else if (open.length === 0) yield line;
        else {
          yield* [...open, line];
          open = [];
        }
      }
    }
    check.dropOpen();
    const { size } = await handle.stat();
    const tailBytes = Math.max(0, size - check.bytes);
    check.requireEnd(tailBytes);
    return { wholeBytes: check.bytes, tailBytes, state: check };
  } finally {
    await handle.close();
  }
}

/** Returns the first line of a ledger; `undefined` for a file without a complete line. @throws as `readLedger` */
export async function readPlan(file: string): Promise<AuditPlan | undefined> {
  for await (const line of readLedger(file)) return line as AuditPlan; // the first line is one
  return undefined;
}

/** Reads a ledger to its end, and closes the file whatever `each` throws. @param each called for every line */
export async function checkLedger(file: string, each: (line: AuditLine) => void = () => {}): Promise<LedgerEnd> {
  const lines = readLedger(file);
  let end: LedgerEnd | undefined;
  try {
    while (end === undefined) {
      const { done, value } = await lines.next();
      if (done === true) end = value;
      else each(value);
    }
    return end;
  } finally {
    if (end === undefined) await lines.return({} as LedgerEnd); // its return value is not used
  }
}
