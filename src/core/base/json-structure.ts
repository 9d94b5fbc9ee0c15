/**
 * Reads the structure of an answer: objects, lists and text. Each error has the JSON path, the wanted and the actual
 * value. `fields.ts` reads the contents of fields, such as base64 and numbers.
 */
import { describeValue, isList, isObject } from './arguments.ts';
import { isBytes } from './bytes.ts';
import { DecodeError } from './errors.ts';
import { ownMembers } from './present.ts';

/** Joins a path: `['result', 'signatures', 3]` under `base` becomes `base.result.signatures[3]`. */
export function joinPath(base: string, keys: readonly PropertyKey[]): string {
  let path = base;
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += path === '' ? String(key) : `.${String(key)}`;
  }
  return path;
}

export { describeValue as describeJson, isList, isObject };

/** Makes the error for a value of an unexpected shape. */
export function badShape(
  wanted: string,
  got: unknown,
  path: string,
  more?: { readonly hint?: string | undefined; readonly cause?: unknown },
): DecodeError {
  return new DecodeError('decode/shape', `expected ${wanted}, got ${describeValue(got)}`, { path, ...more });
}

/** Makes the error for a number that is out of range. */
export function badRange(wanted: string | bigint | number, got: unknown, path: string): DecodeError {
  return new DecodeError('decode/range', `expected ${wanted}, got ${got}`, { path });
}

/** An object of JSON, whose members may be missing. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a hint for a value that was not parsed or decoded yet. */
function adviceFor(value: unknown): string | undefined {
  if (typeof value === 'string' || isBytes(value)) return 'parse the text first, with JSON.parse';
  return describeValue(value) === 'a promise' ? 'await it first' : undefined;
}

/**
 * Requires an object of JSON and copies its own members. Members of `Object.prototype` do not come from a file or an
 * answer.
 * @throws DecodeError `decode/shape` for anything but an object
 */
export function requireObject(value: unknown, path: string): JsonObject {
  if (isObject(value) && !isBytes(value) && !(value instanceof Promise)) return ownMembers(value);
  throw badShape('an object', value, path, { hint: adviceFor(value) });
}

/** @throws DecodeError `decode/shape` for anything but text */
export function requireString(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw badShape('string', value, path);
}

/** @throws DecodeError `decode/shape` for anything but a list, `decode/too-large` for more than `max` */
export function requireList(value: unknown, max: number, path: string): readonly unknown[] {
  if (!isList(value)) throw badShape('array', value, path);
  requireAtMost(max, value.length, path);
  return value;
}

/** @throws DecodeError `decode/too-large` */
export function requireAtMost(max: number, count: number, path: string, unit = ''): void {
  if (count > max) throw new DecodeError('decode/too-large', `expected at most ${max}${unit}, got ${count}`, { path });
}

/** Makes the error for an `@type` with an unexpected name, which it quotes. */
export function badTypeName(wanted: string, got: unknown, path: string, cause?: unknown): DecodeError {
  const name = typeof got === 'string' ? JSON.stringify(got.slice(0, 64)) : describeValue(got);
  return new DecodeError('decode/shape', `expected ${wanted}, got ${name}`, { path, cause });
}

/**
 * Requires an `@type` to have the wanted name if it is there. @throws DecodeError `decode/shape` for a different name
 */
export function requireTypeName(got: unknown, wanted: string, path: string): void {
  if (got !== undefined && got !== wanted) throw badTypeName(JSON.stringify(wanted), got, path);
}
