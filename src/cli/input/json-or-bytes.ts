/** Files that come in two forms: JSON, which opens with a brace, or bytes. */
import { DecodeError } from '../../base/errors.ts';
import { parseJsonText } from '../../decode/json-text.ts';
import { inputName, readBytes } from './read-file.ts';

const OPENING_BRACE = 0x7b;
const SPACE = 0x20;

/** What a file held: a value for JSON, the bytes otherwise. @throws UsageError, DecodeError */
export async function readJsonOrBytes(
  file: string,
): Promise<{ readonly json: unknown } | { readonly bytes: Uint8Array }> {
  const bytes = await readBytes(file);
  if (bytes.find((byte) => byte > SPACE) !== OPENING_BRACE) return { bytes };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { json: parseJsonText(text, inputName(file)) };
  } catch (cause) {
    if (cause instanceof DecodeError) throw cause;
    throw new DecodeError('decode/shape', 'expected JSON, got bytes that are no UTF-8 text', {
      path: inputName(file),
      cause,
    });
  }
}
