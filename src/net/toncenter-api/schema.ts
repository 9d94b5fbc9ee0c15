/**
 * Schemas of zod for answers of servers, and the one function that reads by them. A value that was read is a frozen
 * object with keys in camelCase, without members that are absent or null. `by` makes a schema of a function that reads
 * a value and throws a `DecodeError`.
 */
import * as z from 'zod/mini';
import { DecodeError } from '../../core/base/errors.ts';
import {
  badShape,
  isObject,
  joinPath,
  requireAtMost,
  requireList,
  requireTypeName,
} from '../../core/base/json-structure.ts';
import { ownMembers } from '../../core/base/present.ts';

/** A key without a value: it carries a schema's output type for the compiler. */
declare const output: unique symbol;

/**
 * A schema whose output is a T. Only this file knows that it is one of zod's, so no declaration of the package names
 * zod.
 */
export interface Schema<out T> {
  readonly [output]: T;
}

/** The type of the value that a schema reads. */
export type Output<S> = S extends Schema<infer T> ? T : never;

// The only two conversions between a schema and zod's: the first makes every schema, so the second is safe.
const schema = <T>(made: z.ZodMiniType<T>): Schema<T> => made as unknown as Schema<T>;
const zodOf = <T>(made: Schema<T>): z.ZodMiniType<T> => made as unknown as z.ZodMiniType<T>;

/** Makes a schema of a function. The path in its errors begins at the value that it reads. */
export function by<T>(read: (value: unknown, path: string) => T): Schema<T> {
  return schema(
    z.transform((value, context) => {
      try {
        return read(value, '');
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        context.issues.push({ code: 'custom', input: value, params: { error } });
        return z.NEVER;
      }
    }),
  );
}

export const bool: Schema<boolean> = by((value, path) => {
  if (typeof value === 'boolean') return value;
  throw badShape('boolean', value, path);
});

/** Any JSON, kept as it is. */
export const anyJson: Schema<unknown> = by((value) => value);

/** Makes a schema of `@type`, which some servers leave out. Its output is `undefined`, so the object read has no such key. */
export const typeName = (wanted: string): Schema<unknown> => by((value, path) => requireTypeName(value, wanted, path));

/** Returns the error of a part as an error of the whole, with the part at `place`. */
function under(place: string, { code, message, path = '', hint, cause }: DecodeError): DecodeError {
  const words = path === '' ? message : message.slice(path.length + 2);
  const isJoined = path === '' || path.startsWith('[') || path.startsWith('.');
  const whole = `${place}${isJoined ? '' : '.'}${path}`;
  return new DecodeError(code, words, { path: place === '' ? whole.replace(/^\./, '') : whole, hint, cause });
}

/** Reads JSON by a schema, and reports the first fault. @throws DecodeError naming the path */
export function parseBy<T>(wanted: Schema<T>, json: unknown, path: string): T {
  const parsed = z.safeParse(zodOf(wanted), json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as z.core.$ZodIssueCustom[]; // only `by` makes issues
  throw under(joinPath(path, issue!.path), issue!.params?.error as DecodeError);
}

/**
 * Makes a schema of an array with at most `max` elements. Reading ends at the first bad element: gathering the issues
 * of all elements of a body of a few kilobytes would take minutes.
 */
export function listOf<T>(each: Schema<T>, max: number): Schema<readonly T[]> {
  return by((value) => {
    const list = requireList(value, max, '');
    return Object.freeze(Array.from(list, (element, at) => parseBy(each, element, `[${at}]`)));
  });
}

function ownObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return ownMembers(value);
  throw badShape('object', value, '');
}

/**
 * Makes a schema of an object used as a map, with at most `max` keys. Reading ends at the first bad member, as in
 * lists.
 */
export function mapOf<T>(each: Schema<T>, max: number): Schema<Readonly<Record<string, T>>> {
  return by((value) => {
    const members = Object.entries(ownObject(value));
    requireAtMost(max, members.length, '', ' keys');
    // An object made of entries has even `__proto__` as a key of its own.
    return Object.freeze(Object.fromEntries(members.map(([key, one]) => [key, parseBy(each, one, `.${key}`)])));
  });
}

type Fields = Readonly<Record<string, Schema<unknown>>>;
type NoFields = Readonly<Record<never, Schema<unknown>>>;
type CamelCase<K> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : K;
type MemberName<K> = K extends `@${string}` ? never : CamelCase<K>;

/** The output of `objectOf`: keys in camelCase, `@type` checked and removed. */
type ReadObject<Required, Optional> = { readonly [K in keyof Required as MemberName<K>]: Output<Required[K]> } & {
  readonly [K in keyof Optional as MemberName<K>]?: Exclude<Output<Optional[K]>, undefined>;
};

/**
 * Makes a schema of an object. Unknown keys are ignored, so servers may add some. An optional field that is absent or
 * null becomes an absent key.
 */
export function objectOf<R extends Fields, const O extends Fields = NoFields>(
  required: R,
  optional?: O,
): Schema<ReadObject<R, O>> {
  const shape: Record<string, z.ZodMiniType> = {};
  for (const [key, field] of Object.entries(required)) shape[key] = zodOf(field);
  for (const [key, field] of Object.entries(optional ?? {})) shape[key] = z.optional(zodOf(field));
  const members = schema(z.object(shape));
  const names = Object.keys(shape).map(
    (key) => [key, key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())] as const,
  );
  return by((value) => {
    const json = ownObject(value);
    for (const key in optional) if (json[key] === null) delete json[key];
    const read = ownMembers(parseBy(members, json, ''));
    const named = names.flatMap(([key, name]) => (read[key] === undefined ? [] : [[name, read[key]] as const]));
    return Object.freeze(Object.fromEntries(named)) as ReadObject<R, O>; // `ReadObject` describes exactly this list
  });
}

/** Makes a schema of an object of which any field may be missing. */
export const sparse = <const O extends Fields>(optional: O): Schema<ReadObject<NoFields, O>> => objectOf({}, optional);
