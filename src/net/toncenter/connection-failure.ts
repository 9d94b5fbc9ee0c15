/** Makes a class of failure, and a message that is safe to print, from what a connection failed with. */
import type { SourceErrorCode } from '../../core/base/errors.ts';
import { cleanServerText } from '../../core/block/envelope.ts';

/**
 * The codes of OpenSSL and Node for certificates and handshakes that do not hold. Source: Node's documentation of TLS
 * errors.
 */
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|EPROTO$)/;

const MAX_CAUSES = 4;
const CORS_HINT = 'in a browser, check that the server allows the page (CORS), and the page the server (connect-src)';

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
