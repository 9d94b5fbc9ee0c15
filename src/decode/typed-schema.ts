/**
 * Schemas whose output is the finished value: bytes for base64, bigint for 64-bit text, camelCase keys, frozen objects.
 * A field's own reader may throw a `DecodeError`; it becomes an issue at that field, so `parseTyped` can name the
 * path. Knows nothing of any particular answer.
 */
import * as z from 'zod/mini';
import { DecodeError, type DecodeErrorCode } from '../base/errors.ts';
import { describeJson, joinPath } from './json-structure.ts';

/** A field read by `read`, which throws a `DecodeError` without a path for what it does not take. */
export function field<T>(read: (value: unknown) => T): z.ZodMiniType<T> {
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
export function maybe<T extends z.ZodMiniType>(schema: T) {
  return z.optional(z.nullable(schema));
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
function readEach<T extends z.ZodMiniType>(
  schema: T,
  entries: Iterable<readonly [key: PropertyKey, element: unknown]>,
  onRead: (key: PropertyKey, value: z.output<T>) => void,
): Problem | undefined {
  for (const [key, element] of entries) {
    const parsed = z.safeParse(schema, element, { reportInput: true });
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
export function listOf<T extends z.ZodMiniType>(schema: T, maxLength: number): z.ZodMiniType<readonly z.output<T>[]> {
  const capped = field((value) => {
    if (!Array.isArray(value)) throw new DecodeError('decode/shape', `expected array, got ${describeJson(value)}`);
    if (value.length > maxLength) {
      throw new DecodeError('decode/too-large', `expected at most ${maxLength}, got ${value.length}`);
    }
    return value as unknown[]; // just seen to be an array
  });
  return z.pipe(
    capped,
    z.transform((elements, context) => {
      const list: z.output<T>[] = [];
      const problem = readEach(schema, elements.entries(), (_, element) => list.push(element));
      if (problem === undefined) return Object.freeze(list);
      addProblem(context, problem, elements);
      return z.NEVER;
    }),
  );
}

/** An object used as a map, with at most `maxKeys` keys. */
export function mapOf<T extends z.ZodMiniType>(
  schema: T,
  maxKeys: number,
): z.ZodMiniType<Readonly<Record<string, z.output<T>>>> {
  const capped = field((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new DecodeError('decode/shape', `expected object, got ${describeJson(value)}`);
    }
    const keys = Object.keys(value).length;
    if (keys > maxKeys) throw new DecodeError('decode/too-large', `expected at most ${maxKeys} keys, got ${keys}`);
    return value as Record<string, unknown>; // a non-null object that is no array
  });
  return z.pipe(
    capped,
    z.transform((members, context) => {
      const map: [string, z.output<T>][] = [];
      const problem = readEach(schema, Object.entries(members), (key, member) => map.push([String(key), member]));
      // An object made of entries has even `__proto__` as a key of its own.
      if (problem === undefined) return Object.freeze(Object.fromEntries(map)) as Readonly<Record<string, z.output<T>>>;
      addProblem(context, problem, members);
      return z.NEVER;
    }),
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

function camelCase(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** An object of an answer. Keys that the shape does not name are ignored, so servers may add some. */
export function typed<S extends z.core.$ZodShape>(shape: S): z.ZodMiniType<Typed<z.output<z.ZodMiniObject<S>>>> {
  const names = Object.keys(shape)
    .filter((key) => !key.startsWith('@'))
    .map((key) => [key, camelCase(key)] as const);
  return z.pipe(
    z.object(shape),
    z.transform((json) => {
      const from = json as Readonly<Record<string, unknown>>; // an object with the keys of the shape
      const out: Record<string, unknown> = {};
      for (const [key, name] of names) {
        const value = from[key];
        if (value !== undefined && value !== null) out[name] = value;
      }
      // `Typed` describes exactly this loop: it renames, drops `@…`, and leaves out null and undefined.
      return Object.freeze(out) as Typed<z.output<z.ZodMiniObject<S>>>;
    }),
  );
}

/** `parseStructure` for these schemas: an issue of a field's own reader keeps its code. @throws DecodeError naming the path */
export function parseTyped<T>(schema: z.ZodMiniType<T>, json: unknown, path: string): T {
  const parsed = z.safeParse(schema, json, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problem = problemOf(parsed.error);
  throw new DecodeError(problem.code, problem.message, { path: joinPath(path, problem.path) });
}
