/**
 * Schemas of zod for answers of servers, and the one way to read by them. What they give is finished: frozen objects with keys in
 * camelCase, without what is absent or null. Functions that read a value and throw a `DecodeError` are schemas by `by`.
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

/** Nothing has it: it holds a schema's output for the compiler. */
declare const output: unique symbol;

/** A schema whose output is a T. That it is one of zod's is known here alone, so no declaration of the package names zod. */
export interface Schema<out T> {
  readonly [output]: T;
}

/** What a schema gives. */
export type Output<S> = S extends Schema<infer T> ? T : never;

// The only two ways between a schema and zod's: every schema is made here, by the first, so the second holds.
const schema = <T>(made: z.ZodMiniType<T>): Schema<T> => made as unknown as Schema<T>;
const zodOf = <T>(made: Schema<T>): z.ZodMiniType<T> => made as unknown as z.ZodMiniType<T>;

export const flag: Schema<boolean> = schema(z.boolean());
/** Any JSON, kept as it is. */
export const anyJson: Schema<unknown> = schema(z.unknown());

/** What `read` makes of a value. The path in an error of it begins at that value. */
export function by<T>(read: (value: unknown, path: string) => T): Schema<T> {
  return schema(
    z.pipe(
      z.unknown(),
      z.transform((value, context) => {
        try {
          return read(value, '');
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          context.issues.push({ code: 'custom', input: value, params: { error } });
          return z.NEVER;
        }
      }),
    ),
  );
}

/** `@type`, which some servers leave out: a field that is not there at all never comes to its reader. */
export function typeName(wanted: string): Schema<unknown> {
  return schema(z.optional(zodOf(by((value, path) => requireTypeName(value, wanted, path)))));
}

/** The error of a part as that of the whole, in which the part stands at `place`. */
function under(place: string, { code, message, path = '', hint, cause }: DecodeError): DecodeError {
  const words = path === '' ? message : message.slice(path.length + 2);
  const isJoined = place === '' || path === '' || path.startsWith('[') || path.startsWith('.');
  const whole = `${place}${isJoined ? '' : '.'}${path}`;
  return new DecodeError(code, words, { path: place === '' ? whole.replace(/^\./, '') : whole, hint, cause });
}

/** Reads JSON by a schema; told is the first fault. @throws DecodeError naming the path */
export function parseBy<T>(wanted: Schema<T>, json: unknown, path: string): T {
  const parsed = z.safeParse(zodOf(wanted), json, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!; // an error has at least one
  const place = joinPath(path, issue.path);
  // Only `by` makes issues of the first kind; all others are of a type that zod itself looks at.
  if (issue.code === 'custom') throw under(place, issue.params?.error as DecodeError);
  throw badShape((issue as z.core.$ZodIssueInvalidType).expected, issue.input, place);
}

/**
 * An array of at most `max` elements. They are read one by one and the first bad one ends it: with the issues of all of them
 * gathered, a body of a few kilobytes would take minutes.
 */
export function listOf<T>(each: Schema<T>, max: number): Schema<readonly T[]> {
  return by((value) => {
    const list = requireList(value, max, '');
    return Object.freeze(Array.from(list, (element, at) => parseBy(each, element, `[${at}]`)));
  });
}

/** An object used as a map, with at most `max` keys; as lists are, it is read member by member. */
export function mapOf<T>(each: Schema<T>, max: number): Schema<Readonly<Record<string, T>>> {
  return by((value) => {
    if (!isObject(value)) throw badShape('object', value, '');
    const members = Object.entries(value);
    requireAtMost(max, members.length, '', ' keys');
    // An object made of entries has even `__proto__` as a key of its own.
    return Object.freeze(Object.fromEntries(members.map(([key, one]) => [key, parseBy(each, one, `.${key}`)])));
  });
}

type Fields = Readonly<Record<string, Schema<unknown>>>;
type NoFields = Readonly<Record<never, Schema<unknown>>>;
type CamelCase<K> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : K;
type Named<K> = K extends `@${string}` ? never : CamelCase<K>;

/** What `objectOf` gives: keys in camelCase, `@type` looked at and gone. */
type Read<Required, Optional> = { readonly [K in keyof Required as Named<K>]: Output<Required[K]> } & {
  readonly [K in keyof Optional as Named<K>]?: Exclude<Output<Optional[K]>, undefined>;
};

/**
 * An object of an answer. Keys that it does not name are ignored, so servers may add some. Servers leave out what does not
 * apply, or send null: of the optional fields both become an absent key.
 */
export function objectOf<R extends Fields, const O extends Fields = NoFields>(
  required: R,
  optional?: O,
): Schema<Read<R, O>> {
  const shape: Record<string, z.ZodMiniType> = {};
  for (const [key, field] of Object.entries(required)) shape[key] = zodOf(field);
  for (const [key, field] of Object.entries(optional ?? {})) shape[key] = z.optional(z.nullable(zodOf(field)));
  const names = Object.keys(shape)
    .filter((key) => !key.startsWith('@'))
    .map((key) => [key, key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())] as const);
  const own = z.transform((value) => (isObject(value) ? ownMembers(value) : value));
  const renamed = z.transform((read: Readonly<Record<string, unknown>>) => {
    const json = ownMembers(read);
    const out: Record<string, unknown> = {};
    for (const [key, name] of names) if (json[key] !== undefined && json[key] !== null) out[name] = json[key];
    return Object.freeze(out) as Read<R, O>; // `Read` describes exactly this loop
  });
  return schema(z.pipe(z.pipe(own, z.object(shape)), renamed));
}

/** An object of an answer of which any field may be missing. */
export const sparse = <const O extends Fields>(optional: O): Schema<Read<NoFields, O>> => objectOf({}, optional);
