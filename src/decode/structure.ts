/**
 * Checks the structure of an answer with a zod schema and turns the first issue into a `DecodeError` with its JSON
 * path, what was wanted and what was there. Contents of fields (base64, ranges) are read in `fields.ts`.
 */
import * as z from 'zod/mini';
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

/** A short, safe name for any JSON value: type and size, never contents. */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value} ${String(value)}`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key]; // an own property of a non-null object was just seen
  }
  return at;
}

function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_big':
      return `expected at most ${issue.maximum} of ${issue.origin}`;
    case 'invalid_format':
      return `expected text of the form ${issue.pattern ?? issue.format}`;
    default:
      return issue.message;
  }
}

/** @throws DecodeError `decode/shape` (or `decode/too-large`) naming the first path that does not fit the schema. */
export function parseStructure<T extends z.ZodMiniType>(schema: T, json: unknown, path: string): z.output<T> {
  const parsed = z.safeParse(schema, json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined) throw new DecodeError('decode/shape', 'not the expected structure', { path });
  const at = joinPath(path, issue.path);
  const code = issue.code === 'too_big' ? 'decode/too-large' : 'decode/shape';
  throw new DecodeError(code, `${wanted(issue)}, got ${describeJson(valueAt(json, issue.path))}`, { path: at });
}
