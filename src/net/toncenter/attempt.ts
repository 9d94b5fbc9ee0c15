/**
 * One HTTP request and what became of it: a JSON body, or a `SourceError` of the right class. Text first, JSON second;
 * the content type is not believed. Never tries twice.
 */

import { SourceError, type SourceErrorCode, type SourceErrorOptions, UsageError } from '../../core/base/errors.ts';
import { isObject } from '../../core/base/json-structure.ts';
import { decodeUtf8, NOT_UTF8, parseOrNothing, readJsonText } from '../../core/base/json-text.ts';
import { MAX_RETRY_AFTER_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import { cleanServerText, readServerError } from '../../core/block/envelope.ts';
import type { Timer } from '../async/timer.ts';
import { hintFor } from '../sources/failure-hints.ts';
import { type ApiVersion, classifyFailure } from './classify.ts';
import { connectionFailure } from './connection-failure.ts';
import type { Endpoint } from './endpoint.ts';
import type { RecordedAnswer } from './toncenter-options.ts';
import { BadEncoding, BodyTooLarge, type Exchange, type Transport } from './transport.ts';

/** What is asked. */
export interface Question {
  readonly api: ApiVersion;
  readonly operation: string;
  readonly query: Readonly<Record<string, string>>;
  /** Of its answer, after decompression. */
  readonly maxBytes: number;
  readonly maxValues: number;
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
  readonly transport: Transport;
  readonly onAnswer: ((answer: RecordedAnswer) => void) | undefined;
}

/** Words for a time limit and for a caller that stops, wherever they are seen. */
export const NO_ANSWER = 'no whole answer in time';
export const STOPPED = 'stopped by the caller';

/** Makes the errors of one question. */
export type Fail = (code: SourceErrorCode, what: string, options?: SourceErrorOptions) => SourceError;

/** Everything that a server may have put into the text is blanked out. */
export function failuresOf(endpoint: Endpoint, operation: string): Fail {
  return (code, what, options = {}) =>
    new SourceError(code, endpoint.redact(`${endpoint.label}: ${operation}: ${what}`), {
      hint: hintFor(code),
      ...options,
      endpoint: endpoint.label,
      serverText: options.serverText === undefined ? undefined : endpoint.redact(options.serverText),
    });
}

/** Seconds or an HTTP date, in milliseconds from now; `undefined` when absent, past or unreadable. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.min(ms, MAX_RETRY_AFTER_MS);
}

/**
 * An injected fetch may ignore its signal, so the caller must not wait for this beyond the timer.
 * @throws SourceError; what `onAnswer` throws is passed on
 */
export async function attempt(context: AttemptContext, question: Question, timer: Timer, fail: Fail): Promise<Answer> {
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
    if (error instanceof UsageError) throw error; // of this side
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

/** Whether JSON text may have been cut: nothing said where it ends, and it does not end as it began. */
function mayBeCut({ isEndedByClose }: Exchange, text: string): boolean {
  return isEndedByClose && text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
}

function readAnswer(
  { endpoint, onAnswer }: AttemptContext,
  question: Question,
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
    // In words of the text without keys: the fault may quote, cut, what the server quotes.
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
  // Classed by what came, quoted from the text without keys: words are cut, and half a key is no match any more.
  const came = classifyFailure(api, status, json, text);
  const quoted = redacted === text ? came : classifyFailure(api, status, parseOrNothing(redacted), redacted);
  const failure = { ...came, serverText: quoted.serverText };
  const words = failure.serverText === undefined ? 'an empty body' : `"${failure.serverText}"`;
  throw fail(failure.code, `${words} (HTTP ${status})`, {
    ...failure,
    status,
    body,
    // A time of the server's is compared with the server's own clock, where it shows it: ours may be set otherwise.
    retryAfterMs: readRetryAfter(retryAfter, Date.parse(date ?? '') || Date.now()),
  });
}
