/** Decompresses the embedded kernel with functions of the runtime: raw DEFLATE, RFC 1951. */
import { builtinModule } from './builtin.ts';

/** Decompresses asynchronously. @throws TypeError on damaged data, or without a DecompressionStream */
export async function inflate(deflated: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Decodes base64 with the runtime's code, since JavaScript code takes milliseconds until it is compiled. @throws
 * DOMException on invalid text
 */
export function decodeBase64Natively(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Decompresses synchronously, in runtimes with a zlib. @throws Error on damaged data; TypeError without a zlib */
export function inflateSync(deflated: Uint8Array): Uint8Array<ArrayBuffer> {
  const zlib = builtinModule('zlib') as { inflateRawSync(data: Uint8Array): Uint8Array }; // without a zlib the next line throws a TypeError
  return new Uint8Array(zlib.inflateRawSync(deflated));
}
