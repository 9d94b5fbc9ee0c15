/** Decompresses the embedded kernel with what the runtime brings: raw DEFLATE, RFC 1951. */
import { builtinModule } from './builtin.ts';

/** @throws TypeError on damaged data, or where there is no DecompressionStream */
export async function inflate(deflated: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Base64 by the runtime's own code: ours takes milliseconds before it is warm. @throws DOMException on text that is none */
export function decodeBase64Natively(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** At once, for runtimes with a zlib of their own. @throws Error on damaged data; TypeError where there is none */
export function inflateSync(deflated: Uint8Array): Uint8Array<ArrayBuffer> {
  const zlib = builtinModule('zlib') as { inflateRawSync(data: Uint8Array): Uint8Array }; // its absence is a TypeError next
  return new Uint8Array(zlib.inflateRawSync(deflated));
}
