/**
 * Decides which class of failure an answer, or a failed connection, is. Servers report the same situation with different codes and bodies, so
 * the status, the code in the body and the server's message all count. Retries are decided elsewhere.
 */
import type { SourceErrorCode } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { cleanServerText, readServerError } from '../../core/block/envelope.ts';

/** The API version of the operation: v3 has no envelope, and its own meaning of 401 and 404. */
export type ApiVersion = 'v2' | 'v3';

export interface Failure {
  readonly code: SourceErrorCode;
  readonly serverCode?: number;
  readonly serverText?: string;
}

const RATE_LIMIT = /rate ?limit|too many requests/i;
const NOT_READY = /NOTREADY|not in db|block not found|not applied|cannot find block/i;
const V3_NO_BLOCK = /\bblocks? (?:\d+ )?not found/i;
const NETWORK = /LITE_SERVER_NETWORK|time(?:d )?out|deadline exceeded/i;
const UNKNOWN_METHOD = /unknown method|method not found/i;
const KEY = /key|token|auth|network/i;

/**
 * Classifies a failure. The message is cut here, so a caller that prints it has to remove keys before.
 * @param body the parsed JSON, or `undefined` when the text is not JSON
 */
export function classifyFailure(api: ApiVersion, status: number, body: unknown, text: string): Failure {
  const said = readServerError(body);
  const serverText = said?.text ?? (text.trim() === '' ? undefined : cleanServerText(text.slice(0, 200)));
  const code = classOf(api, effectiveStatus(status, said?.code), said !== undefined, serverText ?? '');
  return { code, ...present({ serverCode: said?.code, serverText }) };
}

/** Returns the code in the body where it is an HTTP one: an error inside HTTP 200 is still that error. */
function effectiveStatus(status: number, serverCode: number | undefined): number {
  if (serverCode !== undefined && serverCode >= 400 && serverCode <= 599) return serverCode;
  if (serverCode !== undefined && serverCode <= -32600 && serverCode >= -32700) return 400; // JSON-RPC: the request is wrong
  return status >= 200 && status < 300 ? 500 : status; // `ok: false` without a usable code
}

function classOf(api: ApiVersion, status: number, isErrorBody: boolean, text: string): SourceErrorCode {
  if (status === 429 || (isErrorBody && RATE_LIMIT.test(text))) return 'source/rate-limited';
  if (status === 401 || status === 403) {
    // v3 says 401 where a required parameter is missing.
    return api === 'v3' && status === 401 && isErrorBody && !KEY.test(text) ? 'source/bad-request' : 'source/auth';
  }
  if (status === 404 && api === 'v3' && isErrorBody && V3_NO_BLOCK.test(text)) return 'source/not-ready';
  if (status === 408) return 'source/upstream';
  if (status >= 300 && status < 400) return 'source/malformed';
  if (status < 500) return 'source/bad-request';
  if (isErrorBody && NOT_READY.test(text)) return 'source/not-ready';
  if (isErrorBody && UNKNOWN_METHOD.test(text)) return 'source/bad-request';
  const relayed =
    status === 502 || status === 503 || status === 504 || status === 542 || (status >= 520 && status < 530);
  if (relayed || !isErrorBody || NETWORK.test(text)) return 'source/upstream';
  return 'source/server';
}

/**
 * The codes of OpenSSL and Node for certificates and handshakes that do not hold. Source: Node's documentation of TLS
 * errors.
 */
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|EPROTO$)/;

const MAX_CAUSES = 4;
const CORS_HINT = 'in a browser, check CORS and the connect-src of the page';

/** Yields the error and its causes. Where several addresses were tried, the first of their errors represents all. */
function* causesOf(error: unknown): Generator<Error> {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < MAX_CAUSES; depth++) {
    yield at;
    at = at instanceof AggregateError && at.errors.length > 0 ? (at.errors[0] as unknown) : at.cause;
  }
}

/** Joins the messages of an error and of its causes: `fetch failed: connect ECONNREFUSED 127.0.0.1:1`. */
function wordsOf(error: unknown, redact: (text: string) => string): string {
  const words = new Set<string>();
  for (const { message } of causesOf(error)) if (message !== '') words.add(message);
  // Secrets are removed before the text is cut, because half a key is no longer recognised.
  return cleanServerText(redact([...words].join(': ') || 'no reason given')).slice(0, 200);
}

function isTlsFailure(error: unknown): boolean {
  return [...causesOf(error)].some((one) => 'code' in one && typeof one.code === 'string' && TLS_CODE.test(one.code));
}

/** Whether CORS may be the reason: a page's fetch fails without one where the server does not allow the page. */
function mayBeCors(error: unknown): boolean {
  const { document, WorkerGlobalScope } = globalThis as { document?: unknown; WorkerGlobalScope?: unknown }; // either may be missing
  const isBrowser = document !== undefined || WorkerGlobalScope !== undefined;
  return isBrowser && error instanceof TypeError && error.cause === undefined;
}

/**
 * Returns the error for a failed connection. Only its messages are kept: the error of a fetch may contain the request,
 * and with it the key.
 */
export function connectionFailure(
  error: unknown,
  redact: (text: string) => string,
): { readonly code: SourceErrorCode; readonly what: string; readonly hint?: string } {
  const words = wordsOf(error, redact);
  if (isTlsFailure(error)) return { code: 'source/tls', what: `no safe connection: ${words}` };
  const failure = { code: 'source/upstream', what: `no connection, or it failed: ${words}` } as const;
  return mayBeCors(error) ? { ...failure, hint: CORS_HINT } : failure;
}
