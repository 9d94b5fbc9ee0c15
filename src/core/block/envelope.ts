/**
 * Unwraps a v2 answer: a bare result, `{ ok, result }`, and JSON-RPC with or without `id`, with `@extra` inside or at
 * the top. Error bodies become a `DecodeError` that carries the server's text. The HTTP status is not used here.
 */
import { memberOf } from '../base/arguments.ts';
import { DecodeError, printable } from '../base/errors.ts';
import { badShape, isList, isObject, type JsonObject, requireObject } from '../base/json-structure.ts';
import { MAX_SERVER_TEXT_CHARS } from '../base/limits.ts';
import { present } from '../base/present.ts';

/** The error of a server that could not answer. */
export interface ServerError {
  /** The server's text, shortened and free of control characters. */
  readonly text: string;
  /** The `code` of the body, when it is an integer. */
  readonly code?: number;
}

/** Text from a server, safe to print, at most 500 characters. */
export function cleanServerText(text: string): string {
  return printable(text, MAX_SERVER_TEXT_CHARS).trim();
}

/** Where an answer may be: under `result` or bare with a type in v2, under the names of its tables in v3. */
const ANSWER_KEYS = ['result', '@type', 'blocks', 'transactions'] as const;

/** Members of an error body. They are read one by one, because a copy of a body with many members takes long. */
const ERROR_KEYS = ['ok', '@type', 'error', 'result', 'error_description', 'code', 'status_code'] as const;

/** Where gateways and frameworks put an error text: as text, a list or an object. */
const WORD_KEYS = ['message', 'detail', 'title', 'msg', 'reason', 'description', 'errors'] as const;
const MAX_WORDS_DEPTH = 4;

/** The first text in a value; empty if the value has no text. */
function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value === 'null' ? '' : value;
  if (depth === MAX_WORDS_DEPTH) return '';
  for (const part of isList(value)
    ? value.slice(0, 1)
    : isObject(value)
      ? WORD_KEYS.map((key) => memberOf(value, key))
      : []) {
    const words = wordsIn(part, depth + 1);
    if (words !== '') return words;
  }
  return '';
}

/** An error text in the place of an answer. */
function hasOnlyWords(body: JsonObject): boolean {
  return wordsIn(body) !== '' && !ANSWER_KEYS.some((key) => Object.hasOwn(body, key));
}

/**
 * Returns the error in a body, or `undefined` if the body is not an error. Servers and gateways send these shapes:
 *  - `ok: false` with the text under `error` or `result`;
 *  - `{ error }` alone;
 *  - `{ error: { code, message } }` of JSON-RPC;
 *  - `{ "@type": "error" }` of tonlib;
 *  - `{ result: "null", status_code, message }` of resellers;
 *  - `{ message }`, `{ detail }` and similar of gateways and frameworks, in a body without an answer.
 */
export function readServerError(given: unknown): ServerError | undefined {
  if (!isObject(given)) return undefined;
  const [ok, type, error, result, description, ...codes] = ERROR_KEYS.map((key) => memberOf(given, key));
  const isError =
    ok === false ||
    type === 'error' ||
    (error !== undefined && error !== null) ||
    (ok === undefined && typeof result === 'string') ||
    hasOnlyWords(given);
  if (!isError) return undefined;
  const words = typeof result === 'string' ? result : '';
  const more = typeof description === 'string' ? `: ${description}` : '';
  const said = (wordsIn(error) && wordsIn(error) + more) || wordsIn(words) || wordsIn(given);
  if (isObject(error)) codes.splice(1, 0, memberOf(error, 'code'));
  const code = codes.find((value): value is number => Number.isSafeInteger(value));
  return { text: said === '' ? 'no message' : cleanServerText(said), ...present({ code }) };
}

function refuseServerError(body: unknown): void {
  const serverError = readServerError(body);
  if (serverError !== undefined) {
    const code = serverError.code === undefined ? '' : ` (code ${serverError.code})`;
    throw new DecodeError('decode/api-error', `the server answered with an error: ${serverError.text}${code}`, {
      hint: 'fetch the block again',
    });
  }
}

/**
 * Returns the answer and its place in the body.
 * @throws DecodeError `decode/api-error` for an error body, `decode/shape` for anything that contains no answer
 */
export function unwrapAnswer(body: unknown): { readonly result: unknown; readonly path: string } {
  const object = requireObject(body, '');
  refuseServerError(object);
  if (Object.hasOwn(object, 'ok') && object.ok !== true) {
    throw badShape('true or false', object.ok, 'ok');
  }
  if (Object.hasOwn(object, 'result')) {
    refuseServerError(object.result);
    return { result: object.result, path: 'result' };
  }
  if (Object.hasOwn(object, 'ok') || Object.hasOwn(object, 'jsonrpc')) {
    throw badShape('an object', undefined, 'result');
  }
  return { result: body, path: '' };
}
