/** The world around the code that is bundled for it, while a command runs. */
import type { Port } from '../port.ts';

export const host: { port: Port | undefined } = { port: undefined };

export function port(): Port {
  if (host.port === undefined) throw new Error('no world');
  return host.port;
}

/** Tokens travel as bytes: their number in this list. It is one for all processes, which read one another's files. */
const all = globalThis as { simTokens?: { readonly tokens: unknown[]; readonly numbers: Map<unknown, Uint8Array> } };
all.simTokens ??= { tokens: [], numbers: new Map() };
const { tokens, numbers } = all.simTokens;

export function forgetTokens(): void {
  tokens.length = 0;
  numbers.clear();
}

const MAGIC = 0x544f4b4e;

/** @param first four bytes before, by which answers are told apart */
export function tokenBytes(token: unknown, first = MAGIC): Uint8Array {
  let made = numbers.get(token);
  if (made === undefined) {
    made = Uint8Array.from(new Uint8Array(Uint32Array.of(MAGIC, MAGIC, tokens.push(token) - 1).buffer));
    numbers.set(token, made);
  }
  const bytes = made.slice();
  bytes[0] = first;
  bytes[1] = first >>> 8;
  bytes[2] = first >>> 16;
  bytes[3] = first >>> 24;
  return bytes;
}

/** A view would move the bytes out of the heap. */
export function uint32At(bytes: Uint8Array, at: number): number {
  return Buffer.prototype.readUInt32LE.call(bytes, at);
}

export function tokenOf(bytes: Uint8Array): unknown {
  return bytes.length === 12 && uint32At(bytes, 4) === MAGIC ? tokens[uint32At(bytes, 8)] : undefined;
}
