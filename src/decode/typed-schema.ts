/**
 * Schemas whose output is the finished value: bytes for base64, bigint for 64-bit text, camelCase keys, frozen objects.
 * A field's own reader may throw a `DecodeError`; it becomes an issue at that field, so `parseTyped` can name the
 * path. Knows nothing of any particular answer.
 */
import * as z from 'zod/mini';
import { DecodeError, type DecodeErrorCode } from '../base/errors.ts';
import { describeJson, joinPath, parseStructure } from './json-structure.ts';

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
    z.pipe(capped, z.array(schema)),
    z.transform((list) => Object.freeze(list)),
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
    z.pipe(capped, z.record(z.string(), schema)),
    z.transform((map) => Object.freeze(map)),
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
  const parsed = z.safeParse(schema, json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code !== 'custom') return parseStructure(schema, json, path); // it has the words, and throws them
  const code = issue.params?.code as DecodeErrorCode; // only `field` makes issues of this kind
  throw new DecodeError(code, issue.message, { path: joinPath(path, issue.path) });
}
