/**
 * Sends requests over a `fetch`: that of a browser, or one that the caller injects. Sockets and decompression belong to
 * the runtime, so only their output is bounded here. Node's own fetch may end the process at a body that it cannot
 * decompress, so it is not the default in Node.
 */
import type { Fetch, Signal } from '../../core/base/runtime-types.ts';
import { BODILESS, BodyTooLarge, type Exchange, type HttpTransport, readAll } from './transport.ts';

/** Whether the answer is a redirect, or the fetch followed one although it was asked not to. */
function isRedirect({ redirected, type, status }: Response): boolean {
  return redirected || type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Yields the chunks of a stream, because not every engine can iterate over one. */
async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Reads a body. Bytes are counted after decompression, so that a small compressed body that grows is stopped as well.
 * The connection is released on any failure.
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
    // a stream that has already failed cannot be cancelled, and need not be
    reader.cancel(signal.reason).catch(() => {});
  };
  // A fetch may ignore the signal, so its stream is cancelled here: no more bytes are to arrive.
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

/**
 * Makes a transport of a fetch. @param fetch default: the global one, looked up at each call, so that a replaced global
 * is seen
 */
export function fetchTransport(fetch: Fetch = (input, init) => globalThis.fetch(input, init)): HttpTransport {
  return async ({ url, headers, maxBodyBytes, signal }): Promise<Exchange> => {
    const response = await fetch(url, {
      method: 'GET',
      headers,
      // "error" would look like a broken connection, and would be tried again. "follow" could lead to plain http, or to
      // a host that only this machine can reach.
      redirect: 'manual',
      signal,
    });
    const { status } = response;
    const head = {
      status,
      retryAfter: response.headers.get('retry-after') ?? undefined,
      date: response.headers.get('date') ?? undefined,
      // A fetch does not say whether the length, the chunks or the end of the connection ended the body, so a cut is
      // not assumed.
      isEndedByClose: false,
      isRedirect: isRedirect(response),
    };
    if (head.isRedirect || BODILESS.has(status)) {
      response.body?.cancel().catch(() => {}); // the body is not needed
      return { ...head, body: new Uint8Array(0) };
    }
    return { ...head, body: await readBody(response, maxBodyBytes, signal) };
  };
}
