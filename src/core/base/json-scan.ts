/**
 * Scans JSON text before it is parsed: counts the values, measures the depth of nesting, and finds keys that one object
 * contains twice. The scan comes first, because small text can become many times larger in memory when it is parsed.
 */
import { MAX_JSON_DEPTH } from './limits.ts';

const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Up to this number of keys an object is searched one by one; a larger object uses a Set. */
const FEW_KEYS = 12;

/** Returns the end of the string that opens at `from`, past its closing quote, or -1 if the string is not closed. */
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

/** Reads the key between quotes. Escapes are resolved, so two spellings of one key are equal. */
function unescapedKey(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw; // the text is not valid JSON, and the parser will reject it
  }
}

/** Keys seen in one open object; `many` replaces the list when there are more than a few. */
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

/** Result of a scan of JSON text. */
export interface JsonScan {
  /** Describes the limit that the text exceeds. The scan ends there. */
  readonly excess?: string;
  /** The first key that one object contains twice. */
  readonly repeatedKey?: string;
}

/**
 * Scans the text in one pass, without recursion. The text may be invalid JSON: the parser finds syntax errors, not the
 * scan.
 * @param maxValues limit of commas and opening brackets, each of which begins a value
 */
export function scanJson(text: string, maxValues: number = Number.POSITIVE_INFINITY): JsonScan {
  const tooMany = { excess: `expected at most ${maxValues} values of JSON, got more` };
  const open: (Keys | undefined)[] = []; // undefined for an array
  let inside: Keys | undefined;
  let repeatedKey: string | undefined;
  let values = 0;
  let stringFrom = -1; // start of the last string that was not used as a key
  let stringEnd = -1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        stringFrom = at + 1;
        stringEnd = endOfString(text, at) - 1;
        if (stringEnd < 0) return {}; // not JSON
        at = stringEnd;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (open.length === MAX_JSON_DEPTH) {
          return { excess: `expected at most ${MAX_JSON_DEPTH} levels of JSON, got more` };
        }
        if (++values > maxValues) return tooMany;
        inside = text.charCodeAt(at) === OPEN_BRACE ? { few: [], many: undefined } : undefined;
        open.push(inside);
        break;
      case COMMA:
        if (++values > maxValues) return tooMany;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        inside = open.at(-1);
        break;
      case COLON:
        if (inside === undefined || stringFrom < 0) break;
        {
          const key = unescapedKey(text.slice(stringFrom, stringEnd));
          if (!addKey(inside, key)) repeatedKey ??= key;
        }
        stringFrom = -1;
        break;
    }
  }
  return repeatedKey === undefined ? {} : { repeatedKey };
}
