/** Byte strings and their text forms. Only canonical base64 is read; nothing here throws. */

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NOT_BASE64 = 0xff;
const BASE64_VALUE = new Uint8Array(128).fill(NOT_BASE64);
for (let value = 0; value < BASE64_ALPHABET.length; value++) BASE64_VALUE[BASE64_ALPHABET.charCodeAt(value)] = value;

function base64Value(text: string, at: number): number {
  const char = text.charCodeAt(at);
  return char < 128 ? BASE64_VALUE[char]! : NOT_BASE64;
}

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
  // A foreign character has its top bits set, so one look at the end finds any of them.
  let seen = 0;
  for (let at = 0; at < wholeGroups; at += 4) {
    const a = base64Value(text, at);
    const b = base64Value(text, at + 1);
    const c = base64Value(text, at + 2);
    const d = base64Value(text, at + 3);
    seen |= a | b | c | d;
    bytes[out++] = (a << 2) | (b >> 4);
    bytes[out++] = (b << 4) | (c >> 2);
    bytes[out++] = (c << 6) | d;
  }
  if (padding > 0) {
    const a = base64Value(text, wholeGroups);
    const b = base64Value(text, wholeGroups + 1);
    seen |= a | b;
    bytes[out++] = (a << 2) | (b >> 4);
    if (padding === 2) {
      if ((b & 0x0f) !== 0) return undefined;
    } else {
      const c = base64Value(text, wholeGroups + 2);
      seen |= c;
      if ((c & 0x03) !== 0) return undefined;
      bytes[out++] = (b << 4) | (c >> 2);
    }
  }
  return seen > 63 ? undefined : bytes;
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

/** A text that is equal for equal bytes and different for different ones: a key for maps, not for people. */
export function bytesKey(bytes: Uint8Array): string {
  return String.fromCharCode.apply(null, bytes as unknown as number[]); // an array-like of numbers is all `apply` reads
}
