/**
 * Exchanges over a `fetch`: that of browsers, or one the caller injects. Decompression and sockets are the runtime's, so
 * only what comes out of them is bounded here; where Node's own fetch is injected, a body that it cannot unpack may end the
 * process, which is why it is not the default there.
 */
import type { Fetch, Signal } from '../../core/base/runtime-types.ts';
import { BODILESS, BodyTooLarge, type Exchange, readAll, type Transport } from './transport.ts';

/** Whether the answer sends elsewhere, or comes from elsewhere because the fetch went there all the same. */
function isRedirect({ redirected, type, status }: Response): boolean {
  return redirected || type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Not every engine can go through a stream by itself. */
async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Bytes are counted as they come out of decompression, so a small compressed body that swells is stopped as well. On any
 * failure the connection is let go.
 */
export async function readBody(response: Response, maxBytes: number, signal: Signal): Promise<Uint8Array> {
  const stream = response.body;
  if (stream === null || stream === undefined) {
    // No stream in this runtime, or no body at all.
    const bytes = new TextEncoder().encode(await response.text());
    if (bytes.length > maxBytes) throw new BodyTooLarge();
    return bytes;
  }
  const reader = stream.getReader();
  const letGo = () => {
    reader.cancel(signal.reason).catch(() => {}); // a stream that already failed cannot be cancelled, and need not be
  };
  // A fetch may ignore the signal; what it gave must not go on arriving.
  signal.addEventListener('abort', letGo, { once: true });
  try {
    return await readAll(chunksOf(reader), maxBytes);
  } catch (error) {
    letGo();
    throw error;
  } finally {
    signal.removeEventListener('abort', letGo);
  }
}

/** @param fetch looked up at each call where it is the global one, so that a replaced global is seen */
export function fetchTransport(fetch: Fetch = (input, init) => globalThis.fetch(input, init)): Transport {
  return async ({ url, headers, maxBodyBytes, signal }): Promise<Exchange> => {
    const response = await fetch(url, {
      method: 'GET',
      headers,
      // Not "error": that could not be told from a broken connection, and would be tried again.
      // Not "follow" either: it could lead to plain http, or to a machine that only this one reaches.
      redirect: 'manual',
      signal,
    });
    const { status } = response;
    const head = {
      status,
      retryAfter: response.headers.get('retry-after') ?? undefined,
      date: response.headers.get('date') ?? undefined,
      // A fetch does not tell chunks from the end of the connection; in what it hides, nothing was cut.
      isEndedByClose: false,
      isRedirect: isRedirect(response),
    };
    if (head.isRedirect || BODILESS.has(status)) {
      response.body?.cancel().catch(() => {}); // nobody will read it
      return { ...head, body: new Uint8Array(0) };
    }
    return { ...head, body: await readBody(response, maxBodyBytes, signal) };
  };
}
