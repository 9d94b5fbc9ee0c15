/**
 * One HTTP request and what became of it: a JSON body, or a `SourceError` of the right class. Text first, JSON second;
 * the content type is not believed. Never tries twice.
 */

import { SourceError, type SourceErrorCode, type SourceErrorOptions } from '../base/errors.ts';
import { MAX_RETRY_AFTER_MS } from '../base/limits.ts';
import { cleanServerText, readServerError } from '../decode/envelope.ts';
import { isObject } from '../decode/json-structure.ts';
import { parseOrNothing } from '../decode/json-text.ts';
import { hintFor } from '../sources/failure-hints.ts';
import type { Timer } from '../sources/timer.ts';
import { type ApiVersion, classifyFailure } from './classify.ts';
import type { Endpoint } from './endpoint.ts';
import { BodyTooLarge, dropBody, readBody } from './read-body.ts';
import type { RecordedAnswer } from './toncenter-options.ts';

/** What is asked. */
export interface Question {
  readonly api: ApiVersion;
  readonly operation: string;
  readonly query: Readonly<Record<string, string>>;
  readonly maxBodyBytes: number;
}

/** A body that parsed as JSON and is no error. */
export interface Answer {
  readonly json: unknown;
  /** Without keys; the same object as `received` where there was none in it. */
  readonly body: Uint8Array;
  readonly received: Uint8Array;
  readonly status: number;
}

export interface AttemptContext {
  readonly endpoint: Endpoint;
  readonly fetch: typeof globalThis.fetch;
  readonly onAnswer: ((answer: RecordedAnswer) => void) | undefined;
}

/** Words for a time limit, wherever it is seen. */
export const NO_ANSWER = 'no whole answer in time';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A `SourceError` about this question; everything a server may have put into the text is blanked out. */
export function sourceError(
  endpoint: Endpoint,
  operation: string,
  code: SourceErrorCode,
  what: string,
  options: SourceErrorOptions = {},
): SourceError {
  const { serverText } = options;
  const hint = hintFor(code);
  return new SourceError(code, endpoint.redact(`${endpoint.label}: ${operation}: ${what}`), {
    ...(hint === undefined ? {} : { hint }),
    ...options,
    endpoint: endpoint.label,
    serverText: serverText === undefined ? undefined : endpoint.redact(serverText),
  });
}

/** `fetch failed: connect ECONNREFUSED 127.0.0.1:1`: the words of an error and of its causes, as text only. */
function wordsOf(error: unknown, redact: (text: string) => string): string {
  const words: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (at.message !== '' && !words.includes(at.message)) words.push(at.message);
  }
  // Blanked out before it is cut: half a key is no match any more.
  return cleanServerText(redact(words.join(': ') || 'no reason given')).slice(0, 200);
}

/** Seconds or an HTTP date, in milliseconds from now; `undefined` when absent, past or unreadable. */
export function readRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.min(ms, MAX_RETRY_AFTER_MS);
}

/** Whether the answer sends elsewhere, or comes from elsewhere because the fetch went there all the same. */
function isRedirect({ redirected, type, status }: Response): boolean {
  return redirected || type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/**
 * A fetch may ignore its signal, so the caller must not wait for this beyond the timer.
 * @throws SourceError; what `onAnswer` throws is passed on
 */
export async function attempt(
  context: AttemptContext,
  question: Question,
  timer: Timer,
  attempts: number,
): Promise<Answer> {
  const { endpoint } = context;
  const { api, operation, query } = question;
  const fail = (code: SourceErrorCode, what: string, options: SourceErrorOptions = {}) =>
    sourceError(endpoint, operation, code, what, { attempts, ...options });

  let response: Response;
  let body: Uint8Array | undefined;
  try {
    response = await context.fetch(endpoint.urlOf(operation, query), {
      method: 'GET',
      headers: endpoint.headers,
      // Not "error": that could not be told from a broken connection, and would be tried again.
      // Not "follow" either: it could lead to plain http, or to a machine that only this one reaches.
      redirect: 'manual',
      signal: timer.signal,
    });
    if (isRedirect(response)) dropBody(response);
    else body = await readBody(response, question.maxBodyBytes, timer.signal);
  } catch (error) {
    if (timer.expired) throw fail('source/timeout', NO_ANSWER);
    if (timer.signal.aborted) throw fail('source/aborted', 'stopped by the caller');
    if (error instanceof BodyTooLarge) {
      throw fail('source/too-large', `the body has more than ${question.maxBodyBytes} bytes`);
    }
    // Only words are kept: the error of a fetch may hold the request, and with it the key.
    throw fail('source/upstream', `no connection, or it broke: ${wordsOf(error, endpoint.redact)}`);
  }
  if (body === undefined) {
    throw fail('source/malformed', 'the server redirects, which is not followed', {
      status: response.status,
      hint: 'give the address it redirects to as the base URL, if you trust it',
    });
  }
  return readAnswer(context, question, response, body, fail, api);
}

function readAnswer(
  { endpoint, onAnswer }: AttemptContext,
  { operation, query }: Question,
  response: Response,
  received: Uint8Array,
  fail: (code: SourceErrorCode, what: string, options?: SourceErrorOptions) => SourceError,
  api: ApiVersion,
): Answer {
  const { status } = response;
  const text = decoder.decode(received);
  const redacted = endpoint.redact(text);
  const body = redacted === text ? received : encoder.encode(redacted);
  onAnswer?.({ source: endpoint.label, operation, query, status, body });
  const json = parseOrNothing(text); // no JSON: told below, with the status and the first words instead of a SyntaxError
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && isObject(json) && readServerError(json) === undefined) return { json, body, received, status };
  if (isSuccess && !isObject(json)) {
    const head = text.trim() === '' ? 'an empty body' : `"${cleanServerText(redacted).slice(0, 200)}"`;
    throw fail('source/malformed', `expected a JSON object, got ${head}`, { status, body });
  }
  // Classed by what came, quoted from the text without keys: words are cut, and half a key is no match any more.
  const came = classifyFailure(api, status, json, text);
  const quoted = redacted === text ? came : classifyFailure(api, status, parseOrNothing(redacted), redacted);
  const failure = { ...came, serverText: quoted.serverText };
  const words = failure.serverText === undefined ? 'an empty body' : `"${failure.serverText}"`;
  throw fail(failure.code, `${words} (HTTP ${status})`, {
    ...failure,
    status,
    body,
    retryAfterMs: readRetryAfter(response.headers.get('retry-after'), Date.now()),
  });
}
