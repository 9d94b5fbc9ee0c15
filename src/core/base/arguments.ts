/**
 * Checks the arguments of public functions: wrong kinds and wrong orders are `usage/bad-option`, with what to pass
 * instead. Nothing is ignored. `options.ts` reads options, and `fields.ts` reads data from outside.
 */
import { isBytes, lengthOfBytes } from './bytes.ts';
import { UsageError } from './errors.ts';

/** A larger number is not written out in a message: nothing that this library reads has more digits. */
const MAX_NAMED = 1n << 256n;

/** Whether a value is a list; `undefined` for a revoked proxy, which throws on every access. */
function listOrRevoked(value: unknown): boolean | undefined {
  try {
    return Array.isArray(value);
  } catch {
    return undefined;
  }
}

/** Whether a value is a list. A revoked proxy is not. */
export function isList(value: unknown): value is readonly unknown[] {
  return listOrRevoked(value) === true;
}

/** Whether a value is an object that is not a list and can be read without a throw. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && listOrRevoked(value) === false;
}

/** Describes any value by its type and size, without its contents, so that a message cannot leak a secret. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (isBytes(value)) return `${lengthOfBytes(value)} bytes`;
  const list = listOrRevoked(value);
  if (list === undefined) return 'a revoked proxy';
  if (typeof value === 'function') return 'a function';
  try {
    if (list) return `an array of ${(value as readonly unknown[]).length}`;
    if (value instanceof Promise) return 'a promise';
    if (typeof value === 'object') return KINDS.find(([member]) => member in value)?.[1] ?? 'an object';
  } catch {
    return 'an odd object'; // a getter or proxy of the value threw
  }
  if (typeof value === 'bigint' && (value > MAX_NAMED || value < -MAX_NAMED)) return 'a huge bigint';
  return `the ${typeof value} ${String(value)}`;
}

/** Kinds of JSON and of this library's values, each with a member that identifies it. The first match wins. */
const KINDS = [
  ['@type', 'raw JSON'],
  ['ok', 'raw JSON'],
  ['schema', 'raw JSON'],
  ['coverage', 'a report'],
  ['signedWeight', 'a coverage'],
  ['blockId', 'a signature list'],
  ['totalWeight', 'a validator set'],
  ['validators', 'raw JSON'],
  ['keyBlock', 'a checkpoint'],
  ['rootHash', 'a block id'],
  ['list', 'a validator config'],
  ['open', 'an engine'],
  ['latestSeqno', 'a source of blocks'],
] as const;

/** An object whose members may be missing. */
type AnyMembers = Readonly<Record<string, unknown>>;

/** Makes the error for an argument or an option of the wrong kind. @param wanted as in `a block id` */
export function badArgument(path: string, wanted: string, got: unknown, hint?: string): UsageError {
  const name = describeValue(got);
  const advice = name === 'a promise' ? 'await it first' : hint;
  return badOption(`expected ${wanted}, got ${name}`, path, advice);
}

/** Makes the error for an argument or an option with a value that cannot be used. */
export function badOption(message: string, path: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, { path, hint });
}

/** Requires an object. @throws UsageError `bad-option` for anything else, such as `null` or a list */
export function requireMembers(value: unknown, wanted: string, path: string, hint?: string): AnyMembers {
  if (isObject(value) && !isBytes(value) && !(value instanceof Promise)) return value;
  throw badArgument(path, wanted, value, hint);
}

/** Largest number of prototypes that are searched, so that the search of a hostile object ends. */
const MAX_PROTOTYPES = 16;

/**
 * Reads an optional member of an object or its class. Members of `Object.prototype` do not count: they belong to every
 * object.
 */
export function memberOf(value: AnyMembers, name: string): unknown {
  let holder: unknown = value;
  for (let k = 0; k < MAX_PROTOTYPES && isObject(holder); k++) {
    const above: unknown = Object.getPrototypeOf(holder);
    if (above === null && holder !== value) break;
    if (Object.hasOwn(holder, name)) return value[name];
    holder = above;
  }
  return undefined;
}

/** Requires an array. @throws UsageError `bad-option` for anything else */
export function requireArray(value: unknown, path: string): asserts value is readonly unknown[] {
  if (!isList(value)) throw badArgument(path, 'an array', value);
}

/** Requires a whole number with `min <= value <= max`. @throws UsageError `bad-option` */
export function requireInteger(value: unknown, path: string, min: number, max: number): number {
  if (Number.isInteger(value) && min <= (value as number) && (value as number) <= max) return value as number; // an integer is a number
  throw badArgument(path, `a whole number from ${min} to ${max}`, value);
}

/** Requires a signed 32-bit number. @throws UsageError `bad-option` */
export function requireInt32(value: unknown, path: string): number {
  return requireInteger(value, path, -0x80000000, 0x7fffffff);
}

/** From this value on a time is in milliseconds: in seconds it would be in the year 5138. */
const MAX_SECONDS = 1e11;

/** Requires a Unix time in seconds. @throws UsageError `bad-option` for anything else, such as milliseconds */
export function requireSeconds(value: unknown, path: string): number {
  if (typeof value === 'number' && value >= 0 && value < MAX_SECONDS) return value;
  throw badArgument(path, 'a Unix time in seconds', value, 'use Date.now() / 1000');
}
