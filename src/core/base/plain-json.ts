/** Values as JSON, for objects that have no other form there. */
import { encodeHex, isBytes } from './bytes.ts';

/** The JSON of a value: hashes and keys in hex, weights and shards as decimal text. */
export type Plain<T> = T extends bigint | Uint8Array ? string : { readonly [K in keyof T]: Plain<T[K]> };

/** Converts a value. Members that are `undefined` are left out. */
export function plain<T>(value: T): Plain<T> {
  const text = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, member: unknown) {
    const given = this[name]; // `member` is what its `toJSON` returned: a Buffer has one
    if (typeof given === 'bigint') return String(given);
    return isBytes(given) ? encodeHex(given) : member;
  });
  return JSON.parse(text) as Plain<T>; // `Plain` describes what the text has
}
