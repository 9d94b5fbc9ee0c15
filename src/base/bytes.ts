/** Byte strings and their text forms. Only canonical base64 is read; nothing here throws. */

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NOT_BASE64 = 0xff;
const BASE64_VALUE = new Uint8Array(128).fill(NOT_BASE64);
/** The digit whose value is zero: it stands in for padding. */
const ZERO_DIGIT = 0x41;
for (let value = 0; value < BASE64_ALPHABET.length; value++) BASE64_VALUE[BASE64_ALPHABET.charCodeAt(value)] = value;

/**
 * Reads standard base64 with padding. Exactly one spelling of every byte string is read: the length is a multiple of
 * four, no character is foreign, the unused bits before the padding are zero. Anything else gives `undefined`.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const length = text.length;
  if (length % 4 !== 0) return undefined;
  if (length === 0) return new Uint8Array(0);
  const padding = text.charCodeAt(length - 1) !== 0x3d ? 0 : text.charCodeAt(length - 2) !== 0x3d ? 1 : 2;
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const wholeGroups = padding === 0 ? length : length - 4;
  let out = 0;
  // Looked at once, at the end: a foreign ASCII character has a value above 63, any other one a code above 127.
  let values = 0;
  let codes = 0;
  let at = 0;
  for (; at < wholeGroups; at += 4) {
    const code0 = text.charCodeAt(at);
    const code1 = text.charCodeAt(at + 1);
    const code2 = text.charCodeAt(at + 2);
    const code3 = text.charCodeAt(at + 3);
    codes |= code0 | code1 | code2 | code3;
    const a = BASE64_VALUE[code0 & 127]!;
    const b = BASE64_VALUE[code1 & 127]!;
    const c = BASE64_VALUE[code2 & 127]!;
    const d = BASE64_VALUE[code3 & 127]!;
    values |= a | b | c | d;
    bytes[out] = (a << 2) | (b >> 4);
    bytes[out + 1] = (b << 4) | (c >> 2);
    bytes[out + 2] = (c << 6) | d;
    out += 3;
  }
  if (padding > 0) {
    const code0 = text.charCodeAt(at);
    const code1 = text.charCodeAt(at + 1);
    const code2 = padding === 1 ? text.charCodeAt(at + 2) : ZERO_DIGIT;
    codes |= code0 | code1 | code2;
    const a = BASE64_VALUE[code0 & 127]!;
    const b = BASE64_VALUE[code1 & 127]!;
    const c = BASE64_VALUE[code2 & 127]!;
    values |= a | b | c;
    const spareBits = padding === 1 ? c & 0x03 : b & 0x0f;
    if (spareBits !== 0) return undefined;
    bytes[out] = (a << 2) | (b >> 4);
    if (padding === 1) bytes[out + 1] = (b << 4) | (c >> 2);
  }
  return values > 63 || codes > 127 ? undefined : bytes;
}

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += BASE64_ALPHABET[group >> 18]! + BASE64_ALPHABET[(group >> 12) & 63]!;
    text += left > 1 ? BASE64_ALPHABET[(group >> 6) & 63]! : '=';
    text += left > 2 ? BASE64_ALPHABET[group & 63]! : '=';
  }
  return text;
}

const HEX = /^(?:[0-9a-f]{2})*$/i;
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Reads hex of either case, without a prefix; `undefined` for anything else. */
export function decodeHex(text: string): Uint8Array | undefined {
  if (!HEX.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** Lower-case hex without a prefix. */
export function encodeHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_OF_BYTE[byte]!;
  return text;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
