/**
 * One exchange with a server, from the request to the last byte of the body: what every way of sending has to give.
 * `undici-transport.ts` and `fetch-transport.ts` are the two ways; neither knows JSON, classes or tries.
 */
import { joinBytes } from '../../core/base/bytes.ts';
import type { Signal } from '../../core/base/runtime-types.ts';

export interface TransportRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body after decompression; each step of a decompression is held to it as well. */
  readonly maxBodyBytes: number;
  /** Ends the exchange at once, whatever stage it is in. */
  readonly signal: Signal;
}

export interface Exchange {
  readonly status: number;
  /** The server sends elsewhere, which is not followed: the body was not read. */
  readonly isRedirect: boolean;
  readonly body: Uint8Array;
  readonly retryAfter: string | undefined;
  /** The server's own clock, by which it may have written the header above. */
  readonly date: string | undefined;
  /** Nothing but the end of the connection said where the body ends, so one that was cut looks whole. */
  readonly isEndedByClose: boolean;
}

/**
 * Sends one GET. When it settles nothing of the exchange is left: no bytes arrive, no socket is in use.
 * @throws BodyTooLarge, BadEncoding, or whatever the connection fails with
 */
export type Transport = (request: TransportRequest) => Promise<Exchange>;

/** The body has more bytes than allowed. The caller knows which server it was. */
export class BodyTooLarge extends Error {}

/** A content encoding that is not read here, or more of them than are. */
export class BadEncoding extends Error {}

/** Statuses whose answer has no body, whatever bytes follow. Source: RFC 9110, 15.3.5, 15.3.6, 15.4.5. */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The parts of a body as one; no copy where there is only one. @throws BodyTooLarge, or whatever the connection fails with */
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
