/**
 * The options of a function: known names only, each of its type and in its range, copied, with its default. One table says all of it,
 *
 *     readOptions(given, '', { pollMs: number(0, HOUR_MS, 400), signal: abortSignal, sample: flag(false), from: optional(seqno) })
 *
 * and its names are checked against the interface of the options by the compiler. A reader is told the value and its path; a plain
 * function `(value, path) => …` reads an option that must be there. What has a default is there in the result, what has none and was
 * not given is left out; the result has no prototype. Anything else throws `usage/bad-option` and says what to pass.
 */
import { badArgument, isObject, requireInteger, requireMembers, requireSeconds } from './arguments.ts';
import { UsageError } from './errors.ts';
import type { Signal } from './runtime-types.ts';

/** Whether an object is written as `{ … }`, in any realm, or has no prototype: of a Map, a class or `Object.create` nothing is read. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

/** Letters one has to add, leave out or change to get from one word to another. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

const MAX_KEY_CHARS = 40;
const CLOSE = 3;

/** The known option that somebody may have meant: other case, other separators, or up to three letters off. */
export function closest(key: string, known: readonly string[]): string | undefined {
  const plain = (word: string) => word.replace(/[-_]/g, '').toLowerCase();
  const distances = known.map((word) => editDistance(plain(key), plain(word)));
  const least = Math.min(...distances);
  return least <= CLOSE && 2 * least < key.length ? known[distances.indexOf(least)] : undefined;
}

/** Names that options had before: the hint leads to the new one. */
const OLD_NAMES = [
  ['evidence', 'context'],
  ['evidenceOf', 'contextOf'],
  ['now', 'clock'],
  ['set', 'signatures'],
] as const;

/** Options that ask for nothing, so that without a value nothing is accepted more readily. */
const HARMLESS = ['engine', 'header', 'ring', 'signal'];

/**
 * Requires options to be a plain object with known members only, each with a value: one that is `undefined` is mostly the
 * slip of somebody who meant to ask for more.
 * @param path what they are called in the error; empty for the options of a function
 * @param elsewhere where members belong that people look for here
 * @returns a copy of them, each read once; it has no prototype, so what is not asked for is not found on one
 * @throws UsageError `bad-option` naming the member and, where close, the one that was meant
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
      throw new UsageError('usage/bad-option', `unknown option${question}`, {
        path: at,
        hint: there ?? `known are ${known.join(', ')}`,
      });
    }
    const option = options[key];
    if (option !== undefined) own[key] = option;
    else if (!HARMLESS.includes(key)) {
      throw badArgument(at, 'a value', undefined, 'omit the option for its default');
    }
  }
  return own as T; // as its caller declares it; what each member is, is looked at there
}

/** Reads the value of one option, `undefined` where it was left out; whatever its type says, it looks at what it gets. @throws UsageError `bad-option` */
export type Read<T> = (value: never, path: string) => T;

/** A reader for every member of the interface. */
type Readers<O> = { readonly [K in keyof O]-?: Read<unknown> };

/** The options, with those there whose reader never gives `undefined`. */
export type Settings<O, R> = O & {
  readonly [K in keyof O & keyof R as R[K] extends Read<infer T>
    ? undefined extends T
      ? never
      : K
    : never]-?: Exclude<O[K], undefined>;
};

/**
 * Options by their table, in its order, as the head of this file says.
 * @param path what they are called in the error; empty for the options of a function
 * @param elsewhere where members belong that people look for here
 * @throws UsageError `bad-option`
 */
export function readOptions<O extends object, const R extends Readers<O>>(
  given: O,
  path: string,
  readers: R,
  elsewhere?: Readonly<Record<string, string>>,
): Settings<O, R> {
  const own = requireOptions(given, Object.keys(readers), path, elsewhere) as Record<string, unknown>; // read below
  for (const [name, read] of Object.entries<Read<unknown>>(readers)) {
    const value = read(own[name] as never, path === '' ? name : `${path}.${name}`);
    if (value !== undefined) own[name] = value;
  }
  return own as unknown as Settings<O, R>; // each was read by its reader
}

/** An option that may be left out, for which there is a value then or none. */
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
      return value as T; // that is what was checked
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

/** What is read elsewhere, with its default. */
export function asGiven(value: unknown): unknown {
  return value;
}

/** @throws UsageError `bad-option` unless it is absent or of this type */
export function requireType(value: unknown, type: 'function' | 'boolean' | 'string' | 'object', path: string): void {
  if (value === undefined || (typeof value === type && value !== null)) return;
  throw badArgument(path, type === 'object' ? 'an object' : `a ${type}`, value);
}

/** @throws UsageError `bad-option` unless it is absent or a number in this range */
export function requireNumber(value: unknown, min: number, max: number, path: string): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return;
  const least = min === Number.MIN_VALUE ? 'a number above 0' : `${min}`;
  const range = max === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${max}`;
  if (typeof value !== 'number') throw badArgument(path, range, value);
  throw new UsageError('usage/bad-option', `expected ${range}, got ${value}`, { path });
}

/** @throws UsageError `bad-option` unless it is absent or a signal */
export function requireSignal(value: unknown, path: string): void {
  const isSignal =
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    'addEventListener' in value &&
    'reason' in value;
  if (value !== undefined && !isSignal) throw badArgument(path, 'an AbortSignal', value);
}

/** @throws UsageError `bad-option` unless it is absent or an engine */
export function requireEngine(value: unknown, path = 'engine'): void {
  if (value === undefined) return;
  if (isObject(value) && typeof value.open === 'function' && typeof value.name === 'string') return;
  throw badArgument(path, 'an engine', value, 'chooseEngine and createWorkerPool make one');
}
