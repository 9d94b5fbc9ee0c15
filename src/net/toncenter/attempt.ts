/**
 * Sends one HTTP request, and returns its JSON body or throws a `SourceError` of the right class. The body is read as
 * text first and as JSON second; its content type is ignored. Never tries twice.
 */

import { SourceError, type SourceErrorCode, type SourceErrorOptions, UsageError } from '../../core/base/errors.ts';
import { isObject } from '../../core/base/json-structure.ts';
import { decodeUtf8, NOT_UTF8, parseOrNothing, readJsonText } from '../../core/base/json-text.ts';
import { present } from '../../core/base/present.ts';
import { cleanServerText, readServerError } from '../../core/block/envelope.ts';
import type { Timer } from '../async/timer.ts';
import { hintFor } from '../sources/failure-hints.ts';
import { type ApiVersion, classifyFailure, connectionFailure } from './classify.ts';
import type { Endpoint } from './endpoint.ts';
import type { RecordedAnswer } from './toncenter-options.ts';
import { BadEncoding, BodyTooLarge, type Exchange, type HttpTransport } from './transport.ts';

/** Longest `Retry-After` that is obeyed, in milliseconds. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** A request, and the limits of its answer. */
export interface HttpQuestion {
  readonly api: ApiVersion;
  readonly operation: string;
  readonly query: Readonly<Record<string, string>>;
  /** Bytes of the answer, after decompression. */
  readonly maxBytes: number;
  readonly maxValues: number;
}

/** A body that parsed as JSON and is not an error. */
export interface Answer {
  readonly json: unknown;
  /** The body without keys; the same object as `received` where it contained none. */
  readonly body: Uint8Array;
  readonly received: Uint8Array;
  readonly status: number;
}

export interface AttemptContext {
  readonly endpoint: Endpoint;
  readonly transport: HttpTransport;
  readonly onAnswer: ((answer: RecordedAnswer) => void) | undefined;
}

/** Messages for a time limit and for a caller that stops, used by every module that sees one. */
export const NO_ANSWER = 'no whole answer in time';
export const STOPPED = 'stopped by the caller';

/** Makes the errors of one question. */
export type Fail = (code: SourceErrorCode, what: string, options?: SourceErrorOptions) => SourceError;

/** Makes errors for one operation. Text that a server may have written is printed without secrets. */
export function failuresOf(endpoint: Endpoint, operation: string): Fail {
  return (code, what, options = {}) =>
    new SourceError(code, endpoint.redact(`${endpoint.label}: ${operation}: ${what}`), {
      hint: hintFor(code),
      ...options,
      endpoint: endpoint.label,
      serverText: options.serverText === undefined ? undefined : endpoint.redact(options.serverText),
    });
}

/** Reads a number of seconds or an HTTP date as milliseconds from now; `undefined` when absent, past or unreadable. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.min(ms, MAX_RETRY_AFTER_MS);
}

/**
 * Sends the request. An injected fetch may ignore its signal, so the caller must not wait for the promise beyond the
 * timer.
 * @throws SourceError; what `onAnswer` throws is passed on
 */
export async function attempt(
  context: AttemptContext,
  question: HttpQuestion,
  timer: Timer,
  fail: Fail,
): Promise<Answer> {
  const { endpoint } = context;
  let exchange: Exchange;
  try {
    exchange = await context.transport({
      url: endpoint.urlOf(question.operation, question.query),
      headers: endpoint.headers,
      maxBodyBytes: question.maxBytes,
      signal: timer.signal,
    });
  } catch (error) {
    if (timer.expired) throw fail('source/timeout', NO_ANSWER);
    if (timer.signal.aborted) throw fail('source/aborted', STOPPED);
    if (error instanceof BodyTooLarge) {
      throw fail('source/too-large', `the body has more than ${question.maxBytes} bytes`);
    }
    if (error instanceof UsageError) throw error; // a mistake on this side, not the server's
    if (error instanceof BadEncoding) throw fail('source/malformed', error.message);
    const { code, what, hint } = connectionFailure(error, endpoint.redact);
    throw fail(code, what, present({ hint }));
  }
  if (exchange.isRedirect) {
    throw fail('source/malformed', 'the server redirects, and redirects are not followed', {
      status: exchange.status,
      hint: 'if you trust the new address, pass it as the base URL',
    });
  }
  return readAnswer(context, question, exchange, fail);
}

/** Whether JSON text may have been cut: the answer had no length, and the text does not end as it began. */
function mayBeCut({ isEndedByClose }: Exchange, text: string): boolean {
  return isEndedByClose && text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
}

function readAnswer(
  { endpoint, onAnswer }: AttemptContext,
  question: HttpQuestion,
  exchange: Exchange,
  fail: Fail,
): Answer {
  const { api, operation, query } = question;
  const { status, body: received, retryAfter, date } = exchange;
  const strict = decodeUtf8(received);
  const text = strict ?? new TextDecoder().decode(received);
  const redacted = endpoint.redact(text);
  const body = redacted === text ? received : new TextEncoder().encode(redacted);
  onAnswer?.({ source: endpoint.label, operation, query, status, body });
  const { value: json, fault, isExcess } = readJsonText(text, question.maxValues);
  if (fault !== undefined && isExcess) throw fail('source/malformed', fault, { status });
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && isObject(json) && readServerError(json) === undefined) {
    if (strict !== undefined && fault === undefined) return { json, body, received, status };
    // The message is made from the text without keys, because it may quote a part of that text.
    const words = strict === undefined ? NOT_UTF8 : (readJsonText(redacted).fault ?? 'duplicate key in one object');
    throw fail('source/malformed', words, { status, body });
  }
  if (isSuccess && json === undefined && mayBeCut(exchange, text)) {
    throw fail('source/upstream', 'the connection ended within the body', { status });
  }
  if (isSuccess && !isObject(json)) {
    const head = text.trim() === '' ? 'an empty body' : `"${cleanServerText(redacted).slice(0, 200)}"`;
    throw fail('source/malformed', `expected a JSON object, got ${head}`, { status, body });
  }
  // The class is decided by the received body, and quotes come from the text without keys. The other order could cut a
  // key in half, and half a key is no longer recognised.
  const came = classifyFailure(api, status, json, text);
  const quoted = redacted === text ? came : classifyFailure(api, status, parseOrNothing(redacted), redacted);
  const failure = { ...came, serverText: quoted.serverText };
  const words = failure.serverText === undefined ? 'an empty body' : `"${failure.serverText}"`;
  throw fail(failure.code, `${words} (HTTP ${status})`, {
    ...failure,
    status,
    body,
    // A time that the server names is compared with the server's own clock where the answer has it, because our clock
    // may differ.
    retryAfterMs: readRetryAfter(retryAfter, Date.parse(date ?? '') || Date.now()),
  });
}
