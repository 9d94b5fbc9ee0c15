/** A ledger from its file, as a stream: never more than a line of it is held. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { badArgument } from '../../core/base/arguments.ts';
import { UsageError } from '../../core/base/errors.ts';
import { LedgerCheck, type LedgerState } from './ledger-check.ts';
import type { AuditLine } from './ledger-lines.ts';

const CHUNK_BYTES = 1 << 18;
const MIN_CHUNK_BYTES = 1 << 12;

/** Bytes of one line that will be held: a set of 65535 validators has some 7 MB. */
const MAX_LINE_BYTES = 1 << 24;

const NEWLINE = 0x0a;

/** No more than a file has; it may grow meanwhile, and a pipe has no size. */
export function chunkFor({ size }: { readonly size: number }): number {
  return size === 0 ? CHUNK_BYTES : Math.min(CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, size));
}

/** Where the ledger in a file ends, and what of the file comes after. */
export interface LedgerEnd {
  /** Bytes of all lines of the ledger. */
  readonly wholeBytes: number;
  /** Bytes after them: a line that was never finished, and blocks below one with signatures that has no row yet. */
  readonly tailBytes: number;
  readonly state: LedgerState;
}

/** What lines are read from, in order. */
interface Handle {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

/** Lines of a file that end with a newline, and where each begins. @throws AuditError for one that is too long */
export async function* linesOf(
  handle: Handle,
  check: LedgerCheck,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<string[], void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let rest: Buffer[] = [];
  let restBytes = 0;
  let position = 0;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    const lines: string[] = [];
    let from = 0;
    for (;;) {
      const end = chunk.subarray(0, bytesRead).indexOf(NEWLINE, from);
      if (end < 0) break;
      const piece = chunk.subarray(from, end);
      // Bytes above 127 become characters that the check refuses.
      lines.push(restBytes === 0 ? piece.toString('latin1') : Buffer.concat([...rest, piece]).toString('latin1'));
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    if (from < bytesRead) {
      rest.push(Buffer.from(chunk.subarray(from, bytesRead)));
      restBytes += bytesRead - from;
    }
    position += bytesRead;
    if (lines.length > 0) yield lines;
    if (restBytes > MAX_LINE_BYTES) throw check.broken(`expected a line of at most ${MAX_LINE_BYTES} bytes, got more`);
  }
}

/** Opens a pipe without waiting for its other end. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a plain file: what is a folder, a pipe or a device cannot be read by position, or never ends. @throws UsageError */
async function openLedger(file: string): Promise<FileHandle> {
  if (typeof file !== 'string') throw badArgument('file', 'the path of a ledger', file);
  let handle: FileHandle;
  try {
    handle = await open(file, AT_ONCE);
  } catch (cause) {
    const code = String((cause as NodeJS.ErrnoException).code); // whatever was thrown, reading a property is safe
    const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    throw new UsageError('usage/bad-option', why, { path: file, cause });
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new UsageError('usage/bad-option', 'expected a plain file', { path: file });
}

/**
 * The lines of a ledger, in order, each checked: form, running hash, seqno, that its set was named, and that it contradicts
 * neither the first line nor a row before. Rows by descendant are handed out with the row of the block that they lead down from. What comes after the last
 * newline is a line that was never finished; it is left out, and so are rows by descendant before it that wait for that block. An audit
 * whose last row is not `to` of the first line is unfinished.
 * @returns how far it came
 * @throws AuditError `audit/ledger` for a line that was changed, removed or moved, or contradicts another; UsageError for a
 * file that cannot be read
 */
export async function* readLedger(file: string): AsyncGenerator<AuditLine, LedgerEnd> {
  const handle = await openLedger(file);
  try {
    const check = new LedgerCheck(file);
    let open: AuditLine[] = [];
    for await (const texts of linesOf(handle, check, chunkFor(await handle.stat()))) {
      for (const text of texts) {
        const line = check.read(text);
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
    return { wholeBytes: check.bytes, tailBytes: Math.max(0, size - check.bytes), state: check };
  } finally {
    await handle.close();
  }
}

/** Reads a ledger to its end, and lets go of the file whatever `each` throws. @param each sees every line */
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
    if (end === undefined) await lines.return({} as LedgerEnd); // nobody reads what it returns
  }
}
