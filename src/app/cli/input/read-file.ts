/** Reads files and stdin as JSON, bytes or a checkpoint, with a limit of size. All content is treated as hostile. */

import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { badOption } from '../../../core/base/arguments.ts';
import { DecodeError, UsageError } from '../../../core/base/errors.ts';
import { OPEN_BRACE } from '../../../core/base/json-scan.ts';
import { parseJsonBytes } from '../../../core/base/json-text.ts';
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import { kindOf, othersMayWrite } from '../../files/found-file.ts';
import { cannotRead, codeOf } from '../../files/system-error.ts';
import { withFileName } from '../../files/with-file-name.ts';
import { printEvent } from '../output/print.ts';
import { whileBlocked } from '../stop.ts';
import type { InputLog } from './input-log.ts';
import { badFlag } from './option-rows.ts';

/** Most bytes of one file. The largest valid one, a key block or a configuration, has far less than 1 MiB. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Bytes requested from the system at a time. */
const CHUNK_BYTES = 256 * 1024;

/** Returns the name of an input for errors. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** Yields the chunks of a file, one read after the other: no read is under way when the caller stops early. @throws UsageError */
async function* chunksOf(file: string, mustBePlain: boolean): AsyncGenerator<Uint8Array> {
  // A pipe or device may never have data, and opening a pipe may wait for a writer.
  const mayBlock = !mustBePlain && !(await stat(file)).isFile();
  const done = <T>(work: Promise<T>) => (mayBlock ? whileBlocked(work) : work);
  const handle = await done(open(file, mustBePlain ? constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) : 'r'));
  try {
    const found = await handle.stat();
    if (mustBePlain && !found.isFile()) {
      const hint = 'save it to a file first';
      throw badOption(`expected a plain file, got ${kindOf(found)}`, file, hint);
    }
    for (;;) {
      const { bytesRead, buffer } = await done(handle.read(Buffer.allocUnsafe(CHUNK_BYTES)));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

export interface ReadOptions {
  /** Records what was read. */
  readonly log?: InputLog;
  readonly maxBytes?: number;
  /** Reject a pipe or device instead of waiting for it. Default false. */
  readonly mustBePlain?: boolean;
  /** Most values in the JSON. */
  readonly maxValues?: number;
  /** What to do if there is no such file. */
  readonly ifMissing?: string;
}

/**
 * Reads a whole file, or stdin for `-`.
 * @throws UsageError if it cannot be read, DecodeError `decode/too-large`
 */
export async function readBytes(file: string, options: ReadOptions = {}): Promise<Uint8Array> {
  const { log, maxBytes = MAX_FILE_BYTES, mustBePlain = false, ifMissing } = options;
  const name = inputName(file);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : chunksOf(file, mustBePlain)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) {
        throw new DecodeError('decode/too-large', `expected at most ${maxBytes} bytes, got more`, { path: name });
      }
    }
  } catch (error) {
    if (error instanceof DecodeError || error instanceof UsageError) throw error;
    throw codeOf(error) === undefined ? error : cannotRead(name, error, ifMissing);
  }
  const bytes = Buffer.concat(chunks);
  log?.add(name, bytes);
  return bytes;
}

/** Reads a file, or stdin for `-`, as JSON. @throws UsageError, DecodeError */
export async function readJson(file: string, options?: ReadOptions): Promise<unknown> {
  return parseJsonBytes(await readBytes(file, options), inputName(file), options?.maxValues);
}

/** Reads JSON from a file, or stdin for `-`, and parses it. @throws UsageError; the errors of the parser, which then name the file */
export async function readJsonAs<T>(file: string, parse: (json: unknown) => T, options?: ReadOptions): Promise<T> {
  const json = await readJson(file, options);
  return withFileName(inputName(file), () => parse(json));
}

/** Checks that standard input is read once. @param files by the option that names each @throws UsageError */
export function requireOneStdin(files: Readonly<Record<string, string | undefined>>): void {
  const named = Object.keys(files).filter((name) => files[name] === '-');
  if (named.length > 1) throw badFlag(named[0]!, 'expected - for at most one file');
}

/** Space, tab, line ends, and the three bytes of a byte order mark. */
const BEFORE_JSON = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf];

/** Returns the content of a file: a value for JSON, which is an object, else the bytes. @throws UsageError, DecodeError */
export async function readJsonOrBytes(
  file: string,
): Promise<{ readonly json: unknown } | { readonly bytes: Uint8Array }> {
  const bytes = await readBytes(file);
  if (bytes.find((byte) => !BEFORE_JSON.includes(byte)) !== OPEN_BRACE) return { bytes };
  return { json: parseJsonBytes(bytes, inputName(file)) };
}

/**
 * Reads the file of `--checkpoint`, and notes if other users may write to the file: they choose then which block is trusted.
 * @throws UsageError, DecodeError, TrustError
 */
export async function readCheckpointFlag(
  { checkpoint: file, json = false }: { readonly checkpoint?: string | undefined; readonly json?: boolean },
  options?: ReadOptions,
): Promise<Checkpoint> {
  const ifMissing = 'run ton-finality sync to make a checkpoint from a block you pin';
  if (file === undefined) throw badFlag('checkpoint', 'expected --checkpoint FILE', ifMissing);
  const { parseCheckpoint } = await import('../../../core/chain/checkpoint.ts'); // loaded on use: most runs have no checkpoint
  const checkpoint = await readJsonAs(file, parseCheckpoint, { ...options, ifMissing });
  const found = file === '-' ? undefined : await stat(file);
  if (found?.isFile() && othersMayWrite(found)) {
    const words = `${file}: other users may write to this checkpoint; take that right away with chmod go-w`;
    await printEvent('writable-by-others', words, json);
  }
  return checkpoint;
}
