/** A response body, whole or refused: never more bytes than allowed are kept, whatever its headers promise. */

/** Thrown by `readBody`; its caller knows which server it was. */
export class BodyTooLarge extends Error {}

/**
 * Bytes are counted as they come out of decompression, so a small compressed body that swells is stopped as well. On any
 * failure the connection is let go.
 * @throws BodyTooLarge, or whatever the connection fails with
 */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
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
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > maxBytes) throw new BodyTooLarge();
      chunks.push(value);
    }
  } catch (error) {
    letGo();
    throw error;
  } finally {
    signal.removeEventListener('abort', letGo);
  }
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Lets go of a body that nobody will read. */
export function dropBody(response: Response): void {
  response.body?.cancel().catch(() => {});
}
