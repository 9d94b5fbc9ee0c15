/** Files and stdin to JSON values or bytes, with a size cap. Everything read here is hostile. */
import { createReadStream } from 'node:fs';
import { DecodeError, UsageError } from '../../base/errors.ts';
import { parseJsonText } from '../../decode/json-text.ts';

/** Bytes read from one file. The largest legitimate one, a key block or a config, has well under 1 MiB. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'expected a file, got a directory',
  EACCES: 'no permission to read it',
};

/** What to call the input in errors. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** Reads a whole file, or stdin for `-`. @throws UsageError if it cannot be read, DecodeError `decode/too-large` */
export async function readBytes(file: string): Promise<Uint8Array> {
  const name = inputName(file);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_FILE_BYTES) {
        throw new DecodeError('decode/too-large', `expected at most ${MAX_FILE_BYTES} bytes, got more`, { path: name });
      }
    }
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    const code = String((error as NodeJS.ErrnoException).code); // whatever was thrown, reading a property of it is safe
    throw new UsageError('usage/bad-option', REASONS[code] ?? `cannot be read (${code})`, { path: name, cause: error });
  }
  return Buffer.concat(chunks);
}

/** Reads a file, or stdin for `-`, as JSON. @throws UsageError, DecodeError */
export async function readJson(file: string): Promise<unknown> {
  const bytes = await readBytes(file);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DecodeError('decode/shape', 'expected JSON, got bytes that are no UTF-8 text', {
      path: inputName(file),
      cause,
    });
  }
  return parseJsonText(text, inputName(file));
}
