/**
 * Looks over the bytes of JSON text before anything is built of it: how many values it has and how deep they are nested.
 * Text of a few bytes a value costs many times its size once parsed. Finds no syntax errors; the parser does.
 */
import { MAX_JSON_DEPTH } from '../base/limits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The place after the closing quote of the string that opens at `from`. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  for (;;) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return bytes.length;
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    at++;
    if (slashes % 2 === 0) return at;
  }
}

/**
 * What is over the limits, in words; `undefined` where nothing is.
 * @param maxValues commas and opening brackets, of which each begins a value
 */
export function jsonExcess(bytes: Uint8Array, maxValues: number): string | undefined {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      continue;
    }
    at++;
    if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      if (++depth > MAX_JSON_DEPTH) return `expected at most ${MAX_JSON_DEPTH} levels of JSON, got more`;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > maxValues) return `expected at most ${maxValues} values of JSON, got more`;
  }
  return undefined;
}
