/**
 * What a programmer passes to a public function: arguments of the wrong kind or in the wrong order, options that nobody
 * knows. All of it is `usage/bad-option`, with what to pass instead; nothing is ignored. Data from outside is no business
 * of this file: that is read in `decode/`.
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

/** Whether an object is written as `{ … }`, in any realm, or has no prototype: of a Map, a class or `Object.create` nothing is read. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
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
  throw badArgument(path, 'a Unix time in seconds', value, 'Date.now() / 1000 gives it');
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
function closest(key: string, known: readonly string[]): string | undefined {
  const plain = (word: string) => word.replace(/[-_]/g, '').toLowerCase();
  const distances = known.map((word) => editDistance(plain(key), plain(word)));
  const least = Math.min(...distances);
  return least <= CLOSE && 2 * least < key.length ? known[distances.indexOf(least)] : undefined;
}

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
      const meant = there === undefined ? closest(key.slice(0, MAX_KEY_CHARS), known) : undefined;
      const question = meant === undefined ? '' : `; did you mean ${meant}?`;
      throw new UsageError('usage/bad-option', `unknown option${question}`, {
        path: at,
        hint: there ?? `known are ${known.join(', ')}`,
      });
    }
    const option = options[key];
    if (option !== undefined) own[key] = option;
    else if (!HARMLESS.includes(key)) {
      throw badArgument(at, 'a value', undefined, 'leave the option out for its default');
    }
  }
  return own as T; // as its caller declares it; what each member is, is looked at there
}
