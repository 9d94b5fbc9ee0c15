/** The world around the code that is bundled for it, while a command runs. */
import type { Port } from '../port.ts';

export const host: { port: Port | undefined } = { port: undefined };

export function port(): Port {
  if (host.port === undefined) throw new Error('no world');
  return host.port;
}

/** Tokens travel as bytes: their number in this list. */
let tokens: unknown[] = [];
const numbers = new Map<unknown, number>();

export function forgetTokens(): void {
  tokens = [];
  numbers.clear();
}

const MAGIC = 0x544f4b4e;

/** @param first four bytes before, by which answers are told apart */
export function tokenBytes(token: unknown, first = MAGIC): Uint8Array {
  let number = numbers.get(token);
  if (number === undefined) {
    number = tokens.push(token) - 1;
    numbers.set(token, number);
  }
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, first, true);
  view.setUint32(4, MAGIC, true);
  view.setUint32(8, number, true);
  return bytes;
}

export function tokenOf(bytes: Uint8Array): unknown {
  if (bytes.length !== 12) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return view.getUint32(4, true) === MAGIC ? tokens[view.getUint32(8, true)] : undefined;
}
