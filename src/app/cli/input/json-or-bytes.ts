/** Reads files in two forms: JSON, which begins with a brace, or bytes. */
import { parseJsonBytes } from '../../../core/base/json-text.ts';
import { inputName, readBytes } from './read-file.ts';

export const OPENING_BRACE = 0x7b;
const SPACE = 0x20;

/** Returns the content of a file: a value for JSON, else the bytes. @throws UsageError, DecodeError */
export async function readJsonOrBytes(
  file: string,
): Promise<{ readonly json: unknown } | { readonly bytes: Uint8Array }> {
  const bytes = await readBytes(file);
  if (bytes.find((byte) => byte > SPACE) !== OPENING_BRACE) return { bytes };
  return { json: parseJsonBytes(bytes, inputName(file)) };
}
