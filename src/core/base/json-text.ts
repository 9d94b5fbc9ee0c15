/**
 * Parses JSON text from files and servers, more strictly than `JSON.parse`. Rejects a key that one object contains
 * twice, invalid UTF-8, and hostile nesting.
 */
import { DecodeError } from './errors.ts';
import { scanJson } from './json-scan.ts';

/** Result of reading JSON text. */
export interface JsonReading {
  /** The result of `JSON.parse`; `undefined` for invalid JSON and for text with too many values. */
  readonly value: unknown;
  /** Why the text is rejected. A repeated key is the only part of the text that it quotes. */
  readonly fault: string | undefined;
  /** Set when the text is too large or too deeply nested. */
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
      : 'pass the whole JSON: the text was cut off or changed';
    return { value, fault: 'expected JSON, got invalid JSON', hint };
  }
  const twice = (key: string) => `duplicate key ${JSON.stringify(key.slice(0, 64))} in one object`;
  return { value, fault: repeatedKey === undefined ? undefined : twice(repeatedKey) };
}

/** Created on first use: an engine without TextDecoder must be able to import this file. */
let strictDecoder: TextDecoder | undefined;

/** Decodes UTF-8 without a byte order mark; `undefined` for invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  strictDecoder ??= new TextDecoder('utf-8', { fatal: true });
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Message for bytes that are not valid UTF-8. */
export const NOT_UTF8 = 'expected JSON, got invalid UTF-8';

/**
 * Parses a JSON file.
 * @param name of the file, for errors
 * @throws DecodeError `decode/shape`. A repeated key is the only part of the text that the message quotes.
 */
export function parseJsonBytes(bytes: Uint8Array, name: string, maxValues?: number): unknown {
  const text = decodeUtf8(bytes);
  const { value, fault, hint }: JsonReading =
    text === undefined ? { value: undefined, fault: NOT_UTF8 } : readJsonText(text, maxValues);
  if (fault === undefined) return value;
  throw new DecodeError('decode/shape', fault, { path: name, hint });
}

/** Parses JSON that is only used for an error message; `undefined` for invalid JSON. */
export function parseOrNothing(text: string): unknown {
  return readJsonText(text).value;
}
