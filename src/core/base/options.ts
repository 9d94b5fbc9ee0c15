/**
 * Reads the options of a function: known names only, each with its type, range and default, as a copy. One table has
 * all:
 *
 *     readOptions(given, '', { pollMs: number(0, HOUR_MS, 400), signal: abortSignal, sample: flag(false), from: optional(seqno) })
 *
 * The compiler compares its names with the interface of the options. A reader gets the value and its path. A plain
 * function `(value, path) => …` reads a required option. An option with a default is always in the result; an option
 * without a default is left out if it was not given. The result has no prototype. Anything else throws
 * `usage/bad-option`.
 */
import { badArgument, badOption, isObject, requireInteger, requireMembers, requireSeconds } from './arguments.ts';
import type { Signal } from './runtime-types.ts';

/**
 * Whether an object is a plain object of any realm or has no prototype. Members of a Map or of a class are not read.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

/** Returns whether two words differ by at most this many letters that are added, removed, changed, or swapped with the next. */
function isNear(a: string, b: string, typos: number): boolean {
  if (a === b) return true;
  if (a[0] === b[0]) return isNear(a.slice(1), b.slice(1), typos);
  const without = (i: number, j: number) => isNear(a.slice(i), b.slice(j), typos - 1);
  const letters = a[0] === b[1] && a[1] === b[0] ? 2 : 1;
  return typos > 0 && (without(letters, letters) || without(1, 0) || without(0, 1));
}

const MAX_KEY_CHARS = 40;
const MAX_TYPOS = 3;

/**
 * Returns the known option that the caller probably meant: different case or separators, or up to three typos.
 */
export function closest(key: string, known: readonly string[]): string | undefined {
  const plain = (word: string) => word.replace(/[-_]/g, '').toLowerCase();
  const typed = plain(key);
  for (let typos = 0; typos <= MAX_TYPOS && 2 * typos < typed.length; typos++) {
    const meant = known.find((word) => isNear(typed, plain(word), typos));
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** Former names of options, and names that others have for one: the hint names ours. */
const OLD_NAMES = [
  ['evidence', 'context'],
  ['evidenceOf', 'contextOf'],
  ['now', 'clock'],
  ['set', 'signatures'],
  ['workers', 'threads'],
] as const;

/** Options that demand nothing: leaving out their value does not weaken a check. */
const HARMLESS = ['engine', 'header', 'ring', 'signal'];

/**
 * Requires options to be a plain object with known members, each with a value. `undefined` is rejected, because a
 * caller who passes it mostly meant to demand something.
 * @param path name of the options in the error; empty for the options of a function
 * @param elsewhere members that belong to a different function, with the place where they belong
 * @returns a copy without a prototype, each member read once, so a missing option is not found on a prototype
 * @throws UsageError `bad-option` naming the member and, if there is one, the similar known option
 */
export function requireOptions<T>(
  value: T,
  known: readonly string[],
  path = '',
  elsewhere: Readonly<Record<string, string>> = {},
): T {
  const wanted = 'a plain object with options';
  const options = requireMembers(value, wanted, path || 'options');
  if (!isPlain(options)) throw badArgument(path || 'options', wanted, value);
  const own: Record<string, unknown> = Object.create(null);
  for (const key of Object.getOwnPropertyNames(options)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (!known.includes(key)) {
      const there = Object.hasOwn(elsewhere, key) ? elsewhere[key] : undefined;
      const renamed = OLD_NAMES.find(([old, name]) => old === key && known.includes(name));
      const meant = there === undefined ? (renamed?.[1] ?? closest(key.slice(0, MAX_KEY_CHARS), known)) : undefined;
      const question = meant === undefined ? '' : `; did you mean ${meant}?`;
      throw badOption(`unknown option${question}`, at, there ?? `known are ${known.join(', ')}`);
    }
    const option = options[key];
    if (option !== undefined) own[key] = option;
    else if (!HARMLESS.includes(key)) {
      throw badArgument(at, 'a value', undefined, 'pass a value, or omit an optional one');
    }
  }
  return own as T; // the caller declares the type and checks each member
}

/**
 * Reads the value of one option; `undefined` if the option was not given. The reader checks the value whatever its type
 * says.
 * @throws UsageError `bad-option`
 */
export type Read<T> = (value: never, path: string) => T;

/** A reader for every member of the interface. */
type Readers<O> = { readonly [K in keyof O]-?: Read<unknown> };

/** The options after reading. Members whose reader never returns `undefined` are required. */
export type Settings<O, R> = O & {
  readonly [K in keyof O & keyof R as R[K] extends Read<infer T>
    ? undefined extends T
      ? never
      : K
    : never]-?: Exclude<O[K], undefined>;
};

/**
 * Reads options by their table, in its order, as the head of this file describes.
 * @param path name of the options in the error; empty for the options of a function
 * @param elsewhere members that belong to a different function, with the place where they belong
 * @throws UsageError `bad-option`
 */
export function readOptions<O extends object, const R extends Readers<O>>(
  given: O,
  path: string,
  readers: R,
  elsewhere?: Readonly<Record<string, string>>,
): Settings<O, R> {
  const own = requireOptions(given, Object.keys(readers), path, elsewhere) as Record<string, unknown>; // the loop below reads each member
  for (const [name, read] of Object.entries<Read<unknown>>(readers)) {
    const value = read(own[name] as never, path === '' ? name : `${path}.${name}`);
    if (value !== undefined) own[name] = value;
  }
  return own as unknown as Settings<O, R>; // its reader checked each member
}

/** Makes a reader for an option that may be missing. */
export function optional<T>(read: Read<T>): Read<T | undefined>;
export function optional<T>(read: Read<T>, fallback: T): Read<T>;
export function optional<T>(read: Read<T>, fallback: T | undefined): Read<T | undefined>;
export function optional<T>(read: Read<T>, fallback?: T): Read<T | undefined> {
  return (value, path) => (value === undefined ? fallback : read(value, path));
}

/** Makes readers of options that may be left out, with or without a default. */
interface Optional<T> {
  (): Read<T | undefined>;
  (fallback: T): Read<T>;
}

function optionalIf<T>(check: (value: unknown, path: string) => void): Optional<T> {
  return (fallback?: T) =>
    optional((value, path) => {
      check(value, path);
      return value as T; // `check` has checked it
    }, fallback) as Read<T>;
}

/** true or false. */
export const flag = /* @__PURE__ */ optionalIf<boolean>((value, path) => requireType(value, 'boolean', path));
export const text = /* @__PURE__ */ optionalIf<string>((value, path) => requireType(value, 'string', path));
export const callback = /* @__PURE__ */ optionalIf<(...args: never[]) => unknown>((value, path) =>
  requireType(value, 'function', path),
);
/** A Unix time in seconds. */
export const seconds = /* @__PURE__ */ optionalIf<number>(requireSeconds);
export const abortSignal: Read<Signal | undefined> = /* @__PURE__ */ optionalIf<Signal>(requireSignal)();
export const engine = /* @__PURE__ */ optionalIf<object>(requireEngine)();

/** A number in this range. */
export function number(min: number, max: number): Read<number | undefined>;
export function number(min: number, max: number, fallback: number): Read<number>;
export function number(min: number, max: number, fallback?: number): Read<number | undefined> {
  return optionalIf<number>((value, path) => requireNumber(value, min, max, path))(fallback as number);
}

/** A whole number in this range. */
export function whole(min: number, max: number): Read<number | undefined>;
export function whole(min: number, max: number, fallback: number): Read<number>;
export function whole(min: number, max: number, fallback?: number): Read<number | undefined> {
  return optional((value, path) => requireInteger(value, path, min, max), fallback);
}

/** Accepts any value: its user checks it, and the table gives the default. */
export function asGiven(value: unknown): unknown {
  return value;
}

/** Requires a value to be absent or of this type. @throws UsageError `bad-option` */
export function requireType(value: unknown, type: 'function' | 'boolean' | 'string' | 'object', path: string): void {
  if (value === undefined || (typeof value === type && value !== null)) return;
  throw badArgument(path, type === 'object' ? 'an object' : `a ${type}`, value);
}

/** Requires a value to be absent or a number in this range. @throws UsageError `bad-option` */
export function requireNumber(value: unknown, min: number, max: number, path: string): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return;
  const least = min === Number.MIN_VALUE ? 'a number above 0' : `${min}`;
  const more = min === Number.MIN_VALUE ? least : `${least} or more`;
  const range = max === Number.POSITIVE_INFINITY ? more : `${least} to ${max}`;
  if (typeof value !== 'number') throw badArgument(path, range, value);
  throw badOption(`expected ${range}, got ${value}`, path);
}

/** Requires a value to be absent or a signal. @throws UsageError `bad-option` */
export function requireSignal(value: unknown, path: string): void {
  const isSignal =
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    'addEventListener' in value &&
    'reason' in value;
  if (value !== undefined && !isSignal) throw badArgument(path, 'an AbortSignal', value);
}

/** Requires a value to be absent or an engine. @throws UsageError `bad-option` */
export function requireEngine(value: unknown, path = 'engine'): void {
  if (value === undefined) return;
  if (isObject(value) && typeof value.open === 'function' && typeof value.name === 'string') return;
  throw badArgument(path, 'an engine', value, 'chooseEngine and createWorkerPool make one');
}
