/**
 * One exchange with a server, from the request to the last byte of the body. `undici-transport.ts` and
 * `fetch-transport.ts` implement it; neither knows JSON, error classes or retries.
 */
import { joinBytes } from '../../core/base/bytes.ts';
import type { Signal } from '../../core/base/runtime-types.ts';

export interface TransportRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body after decompression. Each step of a decompression has the same limit. */
  readonly maxBodyBytes: number;
  /** Ends the exchange at once, at any stage. */
  readonly signal: Signal;
}

export interface Exchange {
  readonly status: number;
  /** Whether the server sent a redirect. Redirects are not followed, and their body is not read. */
  readonly isRedirect: boolean;
  readonly body: Uint8Array;
  readonly retryAfter: string | undefined;
  /** The time of the server's own clock, by which it may have written `retryAfter`. */
  readonly date: string | undefined;
  /** Whether only the end of the connection marked the end of the body, so that a cut body would look whole. */
  readonly isEndedByClose: boolean;
}

/**
 * Sends one GET. Once it settles, no more bytes arrive and no socket is in use. @throws BodyTooLarge, BadEncoding, or
 * whatever the connection fails with
 */
export type HttpTransport = (request: TransportRequest) => Promise<Exchange>;

/** The body has more bytes than allowed. The caller knows which server it was. */
export class BodyTooLarge extends Error {}

/** An unknown content encoding, or too many of them. */
export class BadEncoding extends Error {}

/** Statuses whose answer has no body, whatever bytes follow. Source: RFC 9110, 15.3.5, 15.3.6, 15.4.5. */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Joins the parts of a body; does not copy where there is only one. @throws BodyTooLarge, or whatever the connection
 * fails with
 */
export async function readAll(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : joinBytes(chunks);
}
