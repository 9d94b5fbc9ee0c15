/** Comments in the bodies of messages, as wallets write them. Source: TEP-74 (forward payload), TEP-64 (snake cells). */
import { joinBytes } from '../base/bytes.ts';
import { decodeUtf8 } from '../base/json-text.ts';
import { MAX_COMMENT_BYTES } from '../base/limits.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';

const OP_BITS = 32;
const COMMENT = 0;
const ENCRYPTED = 0x2167da4b;

function opOf(body: Cell): number | undefined {
  return body.kind === 'ordinary' && body.bitLength >= OP_BITS ? new Slice(body, 'body').uint(OP_BITS) : undefined;
}

/** Whether a body is a comment that only its receiver can decrypt. */
export function isEncrypted(body: Cell): boolean {
  return opOf(body) === ENCRYPTED;
}

/**
 * Returns the text of a comment as UTF-8: opcode 0, then whole bytes, continued in the one reference of each cell.
 * @returns `undefined` for any other body: a different opcode, no text, several references, or more than 1024 bytes
 */
export function readComment(body: Cell): Uint8Array | undefined {
  if (opOf(body) !== COMMENT) return undefined;
  const parts: Uint8Array[] = [];
  let left = MAX_COMMENT_BYTES;
  for (let cell: Cell | undefined = body; cell !== undefined; ) {
    if (cell.kind !== 'ordinary' || cell.bitLength % 8 !== 0 || cell.refCount > 1) return undefined;
    const slice = new Slice(cell, 'body');
    if (cell === body) slice.skip(OP_BITS);
    const part = slice.bytes(slice.bitsLeft / 8);
    // A cell without text counts as a byte, so the chain ends.
    left -= Math.max(1, part.length);
    if (left < 0) return undefined;
    parts.push(part);
    cell = cell.refCount === 0 ? undefined : slice.ref();
  }
  const text = joinBytes(parts);
  return decodeUtf8(text) === undefined ? undefined : text;
}
