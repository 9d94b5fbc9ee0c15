/**
 * JSON text to a value, stricter than `JSON.parse`, and the same for a file and for a body from a server: a key that
 * stands twice in one object, bytes that are no UTF-8 and hostile nesting are refused.
 */
import { DecodeError } from '../base/errors.ts';
import { MAX_JSON_DEPTH } from '../base/limits.ts';

/** What text comes to. */
export interface JsonReading {
  /** What `JSON.parse` makes of it; `undefined` for text that is no JSON, or too deep to be parsed. */
  readonly value: unknown;
  /** Why it is refused all the same, or at all. Quotes nothing of the text but a key that stands twice. */
  readonly fault: string | undefined;
  readonly hint?: string;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Keys of one object that are compared one by one; more of them go into a Set. */
const FEW_KEYS = 12;

/** The end of the string that opens at `from`, past its closing quote, or -1 where it has none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** The key between quotes; two spellings of one key, by escapes, are one key. */
function keyOf(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw; // the whole text is no JSON then, and refused for that
  }
}

/** Keys seen in one open object; `many` from the moment there are more than a few. */
interface Keys {
  readonly few: string[];
  many: Set<string> | undefined;
}

/** @returns false when the key has been seen before */
function addKey(keys: Keys, key: string): boolean {
  if (keys.many !== undefined) {
    const { size } = keys.many;
    return keys.many.add(key).size > size;
  }
  if (keys.few.includes(key)) return false;
  keys.few.push(key);
  if (keys.few.length > FEW_KEYS) keys.many = new Set(keys.few);
  return true;
}

/** What `JSON.parse` would let through, or would choke on. One pass, no recursion; the text may be no JSON at all. */
function scan(text: string): { readonly isTooDeep: boolean; readonly repeatedKey: string | undefined } {
  const open: (Keys | undefined)[] = []; // undefined for an array
  let inside: Keys | undefined;
  let repeatedKey: string | undefined;
  let stringFrom = -1; // of the last string that was not yet taken for a key
  let stringEnd = -1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        stringFrom = at + 1;
        stringEnd = endOfString(text, at) - 1;
        if (stringEnd < 0) return { isTooDeep: false, repeatedKey };
        at = stringEnd;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (open.length === MAX_JSON_DEPTH) return { isTooDeep: true, repeatedKey };
        inside = text.charCodeAt(at) === OPEN_BRACE ? { few: [], many: undefined } : undefined;
        open.push(inside);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        inside = open.at(-1);
        break;
      case COLON:
        if (inside === undefined || stringFrom < 0) break;
        {
          const key = keyOf(text.slice(stringFrom, stringEnd));
          if (!addKey(inside, key)) repeatedKey ??= key;
        }
        stringFrom = -1;
        break;
    }
  }
  return { isTooDeep: false, repeatedKey };
}

/** Reads JSON text. Never throws. */
export function readJsonText(text: string): JsonReading {
  const { isTooDeep, repeatedKey } = scan(text);
  if (isTooDeep) return { value: undefined, fault: `expected JSON at most ${MAX_JSON_DEPTH} levels deep, got more` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') return { value, fault: 'expected JSON, got nothing' };
    const hint = text.trimStart().startsWith('<')
      ? 'this is HTML or XML: a proxy answered instead of the API'
      : 'give the JSON as the server sent it';
    return { value, fault: 'expected JSON, got text that is none', hint };
  }
  const twice = (key: string) => `the key ${JSON.stringify(key.slice(0, 64))} stands twice in one object`;
  return { value, fault: repeatedKey === undefined ? undefined : twice(repeatedKey) };
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/** The text in UTF-8 bytes, without a byte order mark; `undefined` for bytes that are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Words for bytes that are no UTF-8. */
export const NOT_UTF8 = 'expected JSON, got bytes that are no UTF-8 text';

/**
 * @param name the file, for errors
 * @throws DecodeError `decode/shape`, never with a piece of the text in its message but the repeated key
 */
export function parseJsonBytes(bytes: Uint8Array, name: string): unknown {
  const text = decodeUtf8(bytes);
  const { value, fault, hint }: JsonReading =
    text === undefined ? { value: undefined, fault: NOT_UTF8 } : readJsonText(text);
  if (fault === undefined) return value;
  throw new DecodeError('decode/shape', fault, { path: name, ...(hint === undefined ? {} : { hint }) });
}

/** What is only looked at for its words; `undefined` for text that is no JSON. */
export function parseOrNothing(text: string): unknown {
  return readJsonText(text).value;
}
