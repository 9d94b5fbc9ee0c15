/**
 * Schemas whose output is the finished value: bytes for base64, bigint for 64-bit text, camelCase keys, frozen objects.
 * A field's own reader may throw a `DecodeError`; it becomes an issue at that field, so `parseTyped` can name the
 * path. Knows nothing of any particular answer.
 */
import * as z from 'zod/mini';
import { DecodeError, type DecodeErrorCode } from '../../core/base/errors.ts';
import { describeJson, isObject, joinPath } from '../../core/base/json-structure.ts';
import { ownMembers } from '../../core/base/present.ts';

/** Nothing has it: it holds a schema's output for the compiler. */
declare const output: unique symbol;

/** A schema whose output is a T. That it is one of zod's is known here alone, so no declaration of the package names zod. */
export interface Schema<out T> {
  readonly [output]: T;
}
type Output<S> = S extends Schema<infer T> ? T : never;

// The only two ways between a schema and zod's: every schema is made here, by the first, so the second holds.
const schema = <T>(made: z.ZodMiniType<T>): Schema<T> => made as unknown as Schema<T>;
const zodOf = <T>(made: Schema<T>): z.ZodMiniType<T> => made as unknown as z.ZodMiniType<T>;

export const boolean: Schema<boolean> = schema(z.boolean());
/** Any JSON, kept as it is. */
export const anything: Schema<unknown> = schema(z.unknown());

/** A field read by `read`, which throws a `DecodeError` without a path for what it does not take. */
export function field<T>(read: (value: unknown) => T): Schema<T> {
  return schema(readBy(read));
}

function readBy<T>(read: (value: unknown) => T): z.ZodMiniType<T> {
  return z.pipe(
    z.unknown(),
    z.transform((value, context) => {
      try {
        return read(value);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        context.issues.push({ code: 'custom', message: error.message, input: value, params: { code: error.code } });
        return z.NEVER;
      }
    }),
  );
}

/** A field that may be absent or null. Servers use both for "not applicable", so both become an absent key. */
export function maybe<T>(inner: Schema<T>): Schema<T | null | undefined> {
  return schema(z.optional(z.nullable(zodOf(inner))));
}

/** A field that may not be there at all. */
export function optional<T>(inner: Schema<T>): Schema<T | undefined> {
  return schema(z.optional(zodOf(inner)));
}

/** What a schema gives, changed. */
export function mapped<T, U>(inner: Schema<T>, change: (value: T) => U): Schema<U> {
  return schema(z.pipe(zodOf(inner), z.transform(change)));
}

/** What a schema is given, changed before. */
export function from<T>(change: (value: unknown) => unknown, inner: Schema<T>): Schema<T> {
  return schema(z.pipe(z.transform(change), zodOf(inner)));
}

/** What a schema wanted and what was there. */
function wordsOfIssue(issue: z.core.$ZodIssue): string {
  const wanted = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.message;
  return `${wanted}, got ${describeJson(issue.input)}`;
}

/** What is wrong with a value first, with the path inside it. */
interface Problem {
  readonly code: DecodeErrorCode;
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/**
 * Elements are read one by one and the first bad one ends it: with all their issues gathered, a body of a few kilobytes
 * would take minutes.
 */
function readEach<T>(
  each: z.ZodMiniType<T>,
  entries: Iterable<readonly [key: PropertyKey, element: unknown]>,
  onRead: (key: PropertyKey, value: T) => void,
): Problem | undefined {
  for (const [key, element] of entries) {
    const parsed = z.safeParse(each, element, { reportInput: true });
    if (!parsed.success) {
      const { code, message, path } = problemOf(parsed.error);
      return { code, message, path: [key, ...path] };
    }
    onRead(key, parsed.data);
  }
  return undefined;
}

/** The first issue, in the words of `DecodeError`. */
function problemOf({ issues }: z.core.$ZodError): Problem {
  const issue = issues[0]!; // a failure has at least one issue
  const { path } = issue;
  // Only `field` and what is made of it make issues of this kind.
  if (issue.code === 'custom') return { code: issue.params?.code as DecodeErrorCode, message: issue.message, path };
  return { code: 'decode/shape', message: wordsOfIssue(issue), path };
}

function addProblem(context: z.core.ParsePayload, problem: Problem, input: unknown): void {
  const { code, message, path } = problem;
  context.issues.push({ code: 'custom', message, input, path: [...path], params: { code } });
}

/** An array of at most `maxLength` elements; the length is looked at before any element is. */
export function listOf<T>(each: Schema<T>, maxLength: number): Schema<readonly T[]> {
  const capped = readBy((value) => {
    if (!Array.isArray(value)) throw new DecodeError('decode/shape', `expected array, got ${describeJson(value)}`);
    if (value.length > maxLength) {
      throw new DecodeError('decode/too-large', `expected at most ${maxLength}, got ${value.length}`);
    }
    return value as unknown[]; // just seen to be an array
  });
  return schema(
    z.pipe(
      capped,
      z.transform((elements, context) => {
        const list: T[] = [];
        const problem = readEach(zodOf(each), elements.entries(), (_, element) => list.push(element));
        if (problem === undefined) return Object.freeze(list);
        addProblem(context, problem, elements);
        return z.NEVER;
      }),
    ),
  );
}

/** An object used as a map, with at most `maxKeys` keys. */
export function mapOf<T>(each: Schema<T>, maxKeys: number): Schema<Readonly<Record<string, T>>> {
  const capped = readBy((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new DecodeError('decode/shape', `expected object, got ${describeJson(value)}`);
    }
    const keys = Object.keys(value).length;
    if (keys > maxKeys) throw new DecodeError('decode/too-large', `expected at most ${maxKeys} keys, got ${keys}`);
    return value as Record<string, unknown>; // a non-null object that is no array
  });
  return schema(
    z.pipe(
      capped,
      z.transform((members, context) => {
        const map: [string, T][] = [];
        const problem = readEach(zodOf(each), Object.entries(members), (key, member) =>
          map.push([String(key), member]),
        );
        // An object made of entries has even `__proto__` as a key of its own.
        if (problem === undefined) return Object.freeze(Object.fromEntries(map)) as Readonly<Record<string, T>>;
        addProblem(context, problem, members);
        return z.NEVER;
      }),
    ),
  );
}

type CamelKey<K> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : K;
type Absent = null | undefined;
type Field<K> = K extends `@${string}` ? never : CamelKey<K>;

/** An object of an answer as this library gives it: camelCase, `@type` checked and gone, null and absent both absent. */
export type Typed<T> = {
  readonly [K in keyof T as null extends T[K] ? never : undefined extends T[K] ? never : Field<K>]: T[K];
} & {
  readonly [K in keyof T as null extends T[K] ? Field<K> : undefined extends T[K] ? Field<K> : never]?: Exclude<
    T[K],
    Absent
  >;
};

/** What `typed` makes of a shape. */
type Row<S> = Typed<{ [K in keyof S]: Output<S[K]> }>;

function camelCase(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** An object of an answer. Keys that the shape does not name are ignored, so servers may add some. */
export function typed<S extends Readonly<Record<string, Schema<unknown>>>>(shape: S): Schema<Row<S>> {
  const names = Object.keys(shape)
    .filter((key) => !key.startsWith('@'))
    .map((key) => [key, camelCase(key)] as const);
  const fields = Object.fromEntries(Object.entries(shape).map(([key, each]) => [key, zodOf(each)]));
  const object = from((value) => (isObject(value) ? ownMembers(value) : value), schema(z.object(fields)));
  return mapped(object, (read) => {
    const json = ownMembers(read);
    const out: Record<string, unknown> = {};
    for (const [key, name] of names) {
      const value = json[key];
      if (value !== undefined && value !== null) out[name] = value;
    }
    // `Typed` describes exactly this loop: it renames, drops `@…`, and leaves out null and undefined.
    return Object.freeze(out) as Row<S>;
  });
}

/** Reads JSON by a schema: an issue of a field's own reader keeps its code. @throws DecodeError naming the path */
export function parseTyped<T>(wanted: Schema<T>, json: unknown, path: string): T {
  const read = tryTyped(wanted, json, path);
  if (read instanceof DecodeError) throw read;
  return read;
}

/** The same, with the error as a value. */
export function tryTyped<T>(wanted: Schema<T>, json: unknown, path: string): T | DecodeError {
  const parsed = z.safeParse(zodOf(wanted), json, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problem = problemOf(parsed.error);
  return new DecodeError(problem.code, problem.message, { path: joinPath(path, problem.path) });
}
