/** Callers who reuse their buffers, share them with other threads, or hand in objects that answer otherwise each time. */
import { encodeHex } from '../../src/core/base/bytes.ts';

type Map = (bytes: Uint8Array) => Uint8Array;

/** How bytes can be held; each form stands for the same bytes. */
export const FORMS: Readonly<Record<string, Map>> = {
  'a Uint8Array': (bytes) => Uint8Array.from(bytes),
  'a Buffer': (bytes) => Buffer.from(bytes), // small ones share the pool
  'a part of a larger buffer': (bytes) => {
    const whole = new Uint8Array(bytes.length + 100).fill(0xa5);
    whole.set(bytes, 7);
    return whole.subarray(7, 7 + bytes.length);
  },
  'a part of a Buffer': (bytes) => Buffer.concat([Buffer.alloc(5, 1), bytes, Buffer.alloc(5, 2)]).subarray(5, -5),
  'shared memory': (bytes) => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
  },
};

/** Objects that the library made: their identity counts, so they are passed as they are. */
export type Keep = ReadonlySet<unknown>;

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

/** The same value with all its bytes in another form, in new objects. */
export function inForm<T>(value: T, form: Map, keep: Keep = new Set()): T {
  const visit = (part: unknown): unknown => {
    if (keep.has(part)) return part;
    if (part instanceof Uint8Array) return form(part);
    if (Array.isArray(part)) return part.map(visit);
    if (!isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, visit(member)]));
  };
  return visit(value) as T; // the same shape
}

/** All byte arrays inside a value. */
export function bytesIn(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  return isPlain(value) ? Object.values(value).flatMap(bytesIn) : [];
}

/** Changes every byte of every array inside a value. */
export function scramble(value: unknown): void {
  for (const bytes of new Set(bytesIn(value))) for (let at = 0; at < bytes.length; at++) bytes[at]! ^= 0xff;
}

/** A value as text, to be compared with itself later on. */
export function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes ${encodeHex(value)}`;
  if (typeof value === 'bigint') return `bigint ${value}`;
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (!isPlain(value)) return JSON.stringify(value) ?? 'undefined';
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}: ${textOf(member)}`)
    .join(', ')}}`;
}

/**
 * The same value behind proxies that count how often each member is read.
 * @returns the value, and the members that were read more than once
 */
export function counted<T>(value: T, keep: Keep = new Set()): { readonly value: T; readonly repeated: () => string[] } {
  const reads = new Map<string, number>();
  const visit = (part: unknown, path: string): unknown => {
    if (keep.has(part) || !isPlain(part)) return part;
    return new Proxy(part, {
      get(target, key, receiver) {
        const member = Reflect.get(target, key, receiver) as unknown;
        if (typeof key === 'symbol' || typeof member === 'function') return member;
        const at = `${path}.${key}`;
        reads.set(at, (reads.get(at) ?? 0) + 1);
        return visit(member, at);
      },
    });
  };
  return {
    value: visit(value, '') as T, // behind proxies, yet of the same shape
    repeated: () => [...reads].filter(([, count]) => count > 1).map(([path]) => path),
  };
}
