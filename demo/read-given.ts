/** Bytes of the form to JSON or to bytes, as the command reads its files. */
import { sha256 } from '@noble/hashes/sha2.js';
import { parseJsonBytes } from '../src/core/base/json-text.ts';
// The two things that are no public entry: the command's own bounds, and its reader of JSON, which rejects a repeated key.
import { BODY_LIMITS } from '../src/core/base/limits.ts';
import { DecodeError } from '../src/index.ts';
import type { Given, RunMember } from './protocol.ts';

/** Bytes of one file that are read; of signatures as many as of a server's answer. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
export const MAX_SIGNATURE_BYTES: number = BODY_LIMITS.block.maxBytes;

function requireSize({ name, bytes }: Given, maxBytes: number): void {
  if (bytes.length <= maxBytes) return;
  throw new DecodeError('decode/too-large', `expected at most ${maxBytes} bytes, got more`, { path: name });
}

/** @throws DecodeError */
export function readJson(given: Given): unknown {
  requireSize(given, MAX_FILE_BYTES);
  return parseJsonBytes(given.bytes, given.name);
}

/** @throws DecodeError */
export function readSignatureJson(given: Given): unknown {
  requireSize(given, MAX_SIGNATURE_BYTES);
  return parseJsonBytes(given.bytes, given.name, BODY_LIMITS.block.maxValues);
}

/** Without white space, which is taken out first: any number of blanks is read in one pass. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Returns the bytes of a file, or of base64 text: bags of cells and TL answers never look like text.
 * @throws DecodeError
 */
export function readBinary(given: Given): Uint8Array {
  requireSize(given, MAX_FILE_BYTES);
  const { bytes, name } = given;
  if (bytes.length === 0) throw new DecodeError('decode/length', 'expected bytes, got none', { path: name });
  if (bytes.some((byte) => byte > 0x7e || (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)))
    return bytes;
  const text = new TextDecoder().decode(bytes).replace(/[\t\n\r ]+/g, '');
  try {
    if (BASE64.test(text)) return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // said below
  }
  throw new DecodeError('decode/base64', 'expected a file of bytes, or base64 of one, got other text', { path: name });
}

/** Name and hash of everything that was read, in order. */
export function inputsOf(given: readonly (Given | undefined)[]): RunMember['inputs'] {
  return given.flatMap((one) =>
    one === undefined
      ? []
      : [
          {
            name: one.name,
            sha256: Array.from(sha256(one.bytes), (byte) => byte.toString(16).padStart(2, '0')).join(''),
          },
        ],
  );
}
