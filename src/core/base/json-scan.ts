/**
 * Looks over JSON text before anything is built of it: how many values it has, how deep they are nested, and whether a key
 * stands twice in one object. Text of a few bytes a value costs many times its size once parsed.
 */
import { MAX_JSON_DEPTH } from './limits.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
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

/** What is odd about JSON text. */
export interface JsonScan {
  /** What is over the limits, in words; then the rest of the text was not looked at. */
  readonly excess?: string;
  /** The first key that stands twice in one object. */
  readonly repeatedKey?: string;
}

/**
 * One pass, no recursion; the text may be no JSON at all. Finds no syntax errors; the parser does.
 * @param maxValues commas and opening brackets, of which each begins a value
 */
export function scanJson(text: string, maxValues: number = Number.POSITIVE_INFINITY): JsonScan {
  const tooMany = { excess: `expected at most ${maxValues} values of JSON, got more` };
  const open: (Keys | undefined)[] = []; // undefined for an array
  let inside: Keys | undefined;
  let repeatedKey: string | undefined;
  let values = 0;
  let stringFrom = -1; // of the last string that was not yet taken for a key
  let stringEnd = -1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        stringFrom = at + 1;
        stringEnd = endOfString(text, at) - 1;
        if (stringEnd < 0) return {}; // no JSON
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
          const key = keyOf(text.slice(stringFrom, stringEnd));
          if (!addKey(inside, key)) repeatedKey ??= key;
        }
        stringFrom = -1;
        break;
    }
  }
  return repeatedKey === undefined ? {} : { repeatedKey };
}
