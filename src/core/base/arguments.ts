/**
 * What a programmer passes to a public function: arguments of the wrong kind or in the wrong order. All of it is `usage/bad-option`,
 * with what to pass instead; nothing is ignored. Options are read in `options.ts`, data from outside in `fields.ts`.
 */
import { isBytes, lengthOfBytes } from './bytes.ts';
import { UsageError } from './errors.ts';

/** Numbers with more digits than any that is read are not written out. */
const MAX_NAMED = 1n << 256n;

/** Whether a value is a list; `undefined` of a proxy that was revoked, which throws whatever it is asked. */
function listOrRevoked(value: unknown): boolean | undefined {
  try {
    return Array.isArray(value);
  } catch {
    return undefined;
  }
}

/** Whether a value is a list, which a proxy that was revoked is not. */
export function isList(value: unknown): value is readonly unknown[] {
  return listOrRevoked(value) === true;
}

/** Whether a value is an object that can be looked at, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && listOrRevoked(value) === false;
}

/** A short, safe name for any value: type and size, never contents. */
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
    return 'an odd object'; // its own code threw
  }
  if (typeof value === 'bigint' && (value > MAX_NAMED || value < -MAX_NAMED)) return 'a huge bigint';
  return `the ${typeof value} ${String(value)}`;
}

/** The JSON that things are read from, and what this library hands out, by a member that tells them; the first that fits. */
const KINDS = [
  ['@type', 'raw JSON'],
  ['ok', 'raw JSON'],
  ['schema', 'raw JSON'],
  ['coverage', 'a report'],
  ['signedWeight', 'a coverage'],
  ['blockId', 'a signature set'],
  ['totalWeight', 'a validator set'],
  ['validators', 'raw JSON'],
  ['keyBlock', 'a checkpoint'],
  ['rootHash', 'a block id'],
  ['list', 'a validator config'],
  ['open', 'an engine'],
  ['latestSeqno', 'a source of blocks'],
] as const;

/** An object whose members are read by name and may be missing. */
type Members = Readonly<Record<string, unknown>>;

/** The error for an argument or an option of the wrong kind. @param wanted as in `a block id` */
export function badArgument(path: string, wanted: string, got: unknown, hint?: string): UsageError {
  const name = describeValue(got);
  const advice = name === 'a promise' ? 'await it first' : hint;
  return new UsageError('usage/bad-option', `expected ${wanted}, got ${name}`, { path, hint: advice });
}

/** @throws UsageError `bad-option` for what is not an object, such as `null` or a list */
export function requireMembers(value: unknown, wanted: string, path: string, hint?: string): Members {
  if (isObject(value) && !isBytes(value) && !(value instanceof Promise)) return value;
  throw badArgument(path, wanted, value, hint);
}

/** Prototypes of one object that are looked at. */
const MAX_PROTOTYPES = 16;

/** A member that may be left out, read of an object or of its class: what stands on the prototype of all objects is nobody's. */
export function memberOf(value: Members, name: string): unknown {
  let holder: unknown = value;
  for (let k = 0; k < MAX_PROTOTYPES && isObject(holder); k++) {
    const above: unknown = Object.getPrototypeOf(holder);
    if (above === null && holder !== value) break;
    if (Object.hasOwn(holder, name)) return value[name];
    holder = above;
  }
  return undefined;
}

/** @throws UsageError `bad-option` for what is no array */
export function requireList(value: unknown, path: string): asserts value is readonly unknown[] {
  if (!isList(value)) throw badArgument(path, 'an array', value);
}

/** @throws UsageError `bad-option` unless `min <= value <= max`, both whole numbers */
export function requireInteger(value: unknown, path: string, min: number, max: number): number {
  if (Number.isInteger(value) && min <= (value as number) && (value as number) <= max) return value as number; // an integer is a number
  throw badArgument(path, `a whole number from ${min} to ${max}`, value);
}

/** Seconds from here on are milliseconds: as seconds they would be the year 5138. */
const MAX_SECONDS = 1e11;

/** @throws UsageError `bad-option` for what is no Unix time in seconds, milliseconds among it */
export function requireSeconds(value: unknown, path: string): number {
  if (typeof value === 'number' && value >= 0 && value < MAX_SECONDS) return value;
  throw badArgument(path, 'a Unix time in seconds', value, 'use Date.now() / 1000');
}
