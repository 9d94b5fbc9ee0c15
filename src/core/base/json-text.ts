/**
 * JSON text to a value, stricter than `JSON.parse`, and the same for a file and for a body from a server: a key that
 * stands twice in one object, bytes that are no UTF-8 and hostile nesting are refused.
 */
import { DecodeError } from './errors.ts';
import { scanJson } from './json-scan.ts';

/** What text comes to. */
export interface JsonReading {
  /** What `JSON.parse` makes of it; `undefined` for text that is no JSON, or has too much in it. */
  readonly value: unknown;
  /** Why it is refused all the same, or at all. Quotes nothing of the text but a key that stands twice. */
  readonly fault: string | undefined;
  /** The fault is one of size or depth. */
  readonly isExcess?: true;
  readonly hint?: string;
}

/** Reads JSON text. Never throws. */
export function readJsonText(text: string, maxValues?: number): JsonReading {
  const { excess, repeatedKey } = scanJson(text, maxValues);
  if (excess !== undefined) return { value: undefined, fault: excess, isExcess: true };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') return { value, fault: 'expected JSON, got nothing' };
    const hint = text.trimStart().startsWith('<')
      ? 'this is HTML or XML: a proxy answered instead of the API'
      : 'pass the JSON as the server sent it';
    return { value, fault: 'expected JSON, got invalid JSON', hint };
  }
  const twice = (key: string) => `duplicate key ${JSON.stringify(key.slice(0, 64))} in one object`;
  return { value, fault: repeatedKey === undefined ? undefined : twice(repeatedKey) };
}

/** Made when first needed: engines without one must still be able to import this. */
let strictDecoder: TextDecoder | undefined;

/** The text in UTF-8 bytes, without a byte order mark; `undefined` for bytes that are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  strictDecoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Words for bytes that are no UTF-8. */
export const NOT_UTF8 = 'expected JSON, got invalid UTF-8';

/**
 * @param name the file, for errors
 * @throws DecodeError `decode/shape`, never with a piece of the text in its message but the repeated key
 */
export function parseJsonBytes(bytes: Uint8Array, name: string, maxValues?: number): unknown {
  const text = decodeUtf8(bytes);
  const { value, fault, hint }: JsonReading =
    text === undefined ? { value: undefined, fault: NOT_UTF8 } : readJsonText(text, maxValues);
  if (fault === undefined) return value;
  throw new DecodeError('decode/shape', fault, { path: name, hint });
}

/** What is only looked at for its words; `undefined` for text that is no JSON. */
export function parseOrNothing(text: string): unknown {
  return readJsonText(text).value;
}
