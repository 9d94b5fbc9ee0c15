/**
 * Removes content encodings, each step within a limit: a small body that would grow beyond the limit is rejected early.
 */
import { BadEncoding, BodyTooLarge } from './transport.ts';

/** Encodings of one body. A server compresses once; a gateway in front of it may do so again. */
const MAX_ENCODINGS = 2;

type Zlib = typeof import('node:zlib');
type Inflate = (
  zlib: Zlib,
  bytes: Uint8Array,
) => (bytes: Uint8Array, options: { maxOutputLength: number }, done: Done) => void;
type Done = (error: Error | null, bytes: Uint8Array) => void;

/**
 * Whether a "deflate" body has zlib's header. RFC 9110, 8.4.1.2, requires it, but some servers send bare deflate.
 * Source of the header: RFC 1950, 2.2.
 */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

const DECODERS: Readonly<Record<string, Inflate>> = {
  gzip: (zlib) => zlib.gunzip,
  'x-gzip': (zlib) => zlib.gunzip,
  deflate: (zlib, bytes) => (hasZlibHeader(bytes) ? zlib.inflate : zlib.inflateRaw),
  br: (zlib) => zlib.brotliDecompress,
};

/** Reads the encodings of a header in the order they were applied, without `identity`. @throws BadEncoding */
export function readEncodings(header: string | readonly string[] | undefined): readonly string[] {
  const text = header === undefined || typeof header === 'string' ? (header ?? '') : header.join(',');
  const names = text
    .slice(0, 256)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) {
    throw new BadEncoding(`expected at most ${MAX_ENCODINGS} content encodings, got ${names.length}`);
  }
  const unknown = names.find((name) => !Object.hasOwn(DECODERS, name));
  if (unknown === undefined) return names;
  throw new BadEncoding(`expected gzip, deflate or br, got the content encoding ${JSON.stringify(unknown)}`);
}

function isTooLarge(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

/** Decompresses a body within a limit. @throws BodyTooLarge, or what zlib fails with, as for a body that was cut */
export async function decompress(
  body: Uint8Array,
  encodings: readonly string[],
  maxBodyBytes: number,
): Promise<Uint8Array> {
  let bytes = body;
  for (const encoding of [...encodings].reverse()) {
    const zlib = process.getBuiltinModule('node:zlib');
    bytes = await new Promise<Uint8Array>((resolve, reject) => {
      DECODERS[encoding]!(zlib, bytes)(bytes, { maxOutputLength: maxBodyBytes }, (error, out) => {
        if (error === null) resolve(out);
        else reject(isTooLarge(error) ? new BodyTooLarge() : error);
      });
    });
  }
  return bytes;
}
