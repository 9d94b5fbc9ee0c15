/** Byte strings and their text forms. Only canonical base64 is read; nothing here throws. */
import { HASH_BYTES } from './limits.ts';

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
export const PAD = 0x3d;
/** The value of each character code, 0xff for a code outside of the alphabet. */
export const BASE64_VALUE = new Uint8Array(256).fill(0xff);
for (let value = 0; value < BASE64_ALPHABET.length; value++) BASE64_VALUE[BASE64_ALPHABET.charCodeAt(value)] = value;

/**
 * Reads standard base64 with padding. Accepts exactly one spelling of every byte string: the length is a multiple of
 * four, every character is in the alphabet, and the unused bits before the padding are zero. Returns `undefined` for
 * anything else.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const { length } = text;
  if (length % 4 !== 0) return undefined;
  const padding = text.charCodeAt(length - 1) !== PAD ? 0 : text.charCodeAt(length - 2) !== PAD ? 1 : 2;
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  // Checked once, after the loop: a foreign ASCII character has a value above 63, and any other character a code above
  // 127.
  let values = 0;
  let codes = 0;
  let group = 0;
  for (let at = 0, out = 0; at < length; at += 4, out += 3) {
    const code0 = text.charCodeAt(at);
    const code1 = text.charCodeAt(at + 1);
    const code2 = text.charCodeAt(at + 2);
    const code3 = text.charCodeAt(at + 3);
    codes |= code0 | code1 | code2 | code3;
    const a = BASE64_VALUE[code0 & 127]!;
    const b = BASE64_VALUE[code1 & 127]!;
    const isLast = at + 4 === length;
    const c = isLast && padding === 2 ? 0 : BASE64_VALUE[code2 & 127]!;
    const d = isLast && padding > 0 ? 0 : BASE64_VALUE[code3 & 127]!;
    values |= a | b | c | d;
    group = (a << 18) | (b << 12) | (c << 6) | d;
    // A typed array ignores stores beyond its end, which are the bytes of the padding.
    bytes[out] = group >> 16;
    bytes[out + 1] = group >> 8;
    bytes[out + 2] = group;
  }
  const unusedBits = group & ((1 << (8 * padding)) - 1);
  return values > 63 || codes > 127 || unusedBits !== 0 ? undefined : bytes;
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

const HEX = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => (byte + 0x100).toString(16).slice(1));

const HEX_VALUE = new Uint8Array(128).fill(0xff);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  HEX_VALUE[digit.charCodeAt(0)] = value;
  HEX_VALUE[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Reads hex of either case, without a prefix; `undefined` for anything else. */
export function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  // Checked once, after the loop, as in base64.
  let values = 0;
  let codes = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = text.charCodeAt(2 * at);
    const low = text.charCodeAt(2 * at + 1);
    const a = HEX_VALUE[high & 127]!;
    const b = HEX_VALUE[low & 127]!;
    codes |= high | low;
    values |= a | b;
    bytes[at] = (a << 4) | b;
  }
  return values > 15 || codes > 127 ? undefined : bytes;
}

/** Reads the 32 bytes of a hash or a key from 64 hex digits of either case, or from base64; `undefined` for anything else. */
export function decodeHash(text: string): Uint8Array | undefined {
  const bytes = text.length === 2 * HASH_BYTES ? decodeHex(text) : decodeBase64(text);
  return bytes?.length === HASH_BYTES ? bytes : undefined;
}

/** Lower-case hex without a prefix. */
export function encodeHex(bytes: Uint8Array): string {
  const length = lengthOfBytes(bytes);
  let text = '';
  for (let at = 0; at < length; at++) text += HEX[bytes[at]!]!;
  return text;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return joinBytes(parts);
}

/** Joins byte strings. Takes a list, since the stack limits how many arguments a call can have. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
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

/** Returns a getter that all typed arrays share. A prototype or a property of the value cannot change its result. */
function ofTypedArrays(name: 'length' | typeof Symbol.toStringTag): () => unknown {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!.get!; // there since ES2015
}

const kindOf = /* @__PURE__ */ ofTypedArrays(Symbol.toStringTag);
const lengthOf = /* @__PURE__ */ ofTypedArrays('length');

/** Whether a value is a Uint8Array of any realm. A Buffer is a Uint8Array. */
export function isBytes(value: unknown): value is Uint8Array {
  return kindOf.call(value) === 'Uint8Array';
}

/** Returns the real length of a byte string. Its `length` property could be overwritten. */
export function lengthOfBytes(bytes: Uint8Array): number {
  return lengthOf.call(bytes) as number; // of a typed array
}

/** Whether a value is a Uint8Array of that many bytes. */
export function isBytesOf(length: number, value: unknown): value is Uint8Array {
  return isBytes(value) && lengthOfBytes(value) === length;
}
