/**
 * Checks the structure of an answer with a zod schema and turns the first issue into a `DecodeError` with its JSON
 * path, what was wanted and what was there. Contents of fields (base64, ranges) are read in `fields.ts`.
 */
import * as z from 'zod/mini';
import { describeValue } from '../base/arguments.ts';
import { DecodeError } from '../base/errors.ts';

/** `['result', 'signatures', 3]` under `base` as `base.result.signatures[3]`. */
export function joinPath(base: string, keys: readonly PropertyKey[]): string {
  let path = base;
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += path === '' ? String(key) : `.${String(key)}`;
  }
  return path;
}

export { describeValue as describeJson };

/** An object of JSON; its members are read by name and may be missing. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What to do with a value that is no answer yet. */
function adviceFor(value: unknown): { readonly hint?: string } {
  if (typeof value === 'string') return { hint: 'parse the text first, with JSON.parse' };
  return value instanceof Promise ? { hint: 'await it first' } : {};
}

/** @throws DecodeError `decode/shape` for anything but an object */
export function requireObject(value: unknown, path: string): JsonObject {
  if (isObject(value) && !(value instanceof Promise)) return value;
  throw new DecodeError('decode/shape', `expected an object, got ${describeValue(value)}`, {
    path,
    ...adviceFor(value),
  });
}

/** @throws DecodeError `decode/too-large` */
export function requireAtMost(max: number, count: number, path: string): void {
  if (count > max) throw new DecodeError('decode/too-large', `expected at most ${max}, got ${count}`, { path });
}

/** What a schema wanted and what was there. */
export function wordsOfIssue(issue: z.core.$ZodIssue): string {
  const wanted = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.message;
  return `${wanted}, got ${describeValue(issue.input)}`;
}

/** @throws DecodeError `decode/shape` naming the first path that does not fit the schema. */
export function parseStructure<T extends z.ZodMiniType>(schema: T, json: unknown, path: string): z.output<T> {
  const parsed = z.safeParse(schema, json, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!; // a failure has at least one issue
  throw new DecodeError('decode/shape', wordsOfIssue(issue), { path: joinPath(path, issue.path) });
}
