/**
 * Removes secrets from text that a server, a proxy or a runtime may have put them into: plain or in another case, with
 * characters escaped as in JSON, percent-encoded, or within base64.
 */
import { encodeBase64 } from '../../core/base/bytes.ts';

const REDACTED = '[redacted]';

/** Base64 of fewer characters could appear in any text by chance. */
const MIN_BASE64_CHARS = 8;

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

const encoder = () => new TextEncoder();

/** Returns a pattern for one character, plain or in any of its JSON and URL spellings. */
function characterPattern(character: string): string {
  const spellings = [escapeForPattern(character)];
  if (/["\\/]/.test(character)) spellings.push(`\\\\${escapeForPattern(character)}`); // \" \\ \/
  if (character.length === 1) spellings.push(`\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const percent = Array.from(encoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
  spellings.push(percent.join(''));
  if (character === ' ') spellings.push('\\+');
  return `(?:${spellings.join('|')})`;
}

/**
 * Returns the base64 characters that depend on the secret alone, where it is part of a longer text: one text for each
 * of its three positions within a group of three bytes.
 */
function base64Cores(secret: string): readonly string[] {
  const bytes = encoder().encode(secret);
  return [0, 1, 2].flatMap((offset) => {
    const padded = new Uint8Array(offset + bytes.length);
    padded.set(bytes, offset);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const core = encodeBase64(padded).slice(first, last);
    return core.length < MIN_BASE64_CHARS ? [] : [core];
  });
}

/** Returns a pattern for either alphabet: `+` and `/`, or `-` and `_`. */
function base64Pattern(core: string): string {
  return Array.from(core, (digit) => {
    if (digit === '+') return '(?:[+-]|%2b)';
    if (digit === '/') return '(?:[/_]|\\\\/|%2f)';
    return digit;
  }).join('');
}

/** Returns a function that removes these secrets. @param secrets must not contain an empty text */
export function createRedaction(secrets: readonly string[]): (text: string) => string {
  // The longest secret first, so that no rest of one remains.
  const sorted = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const patterns = [
    ...sorted.map((secret) => new RegExp(Array.from(secret, characterPattern).join(''), 'gi')),
    ...sorted.flatMap(base64Cores).map((core) => new RegExp(`${base64Pattern(core)}={0,2}`, 'g')),
  ];
  return (text) => patterns.reduce((clean, pattern) => clean.replace(pattern, REDACTED), text);
}
