/** Replies as no server should give them: every mix of status, encoding, framing, cut and JSON shape, from a seed. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { RawReply } from './raw-server.ts';
import { readVector } from './vectors.ts';

export type Random = () => number;

/** xorshift32: the same replies in the same order for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

const text = (value: string): Buffer => Buffer.from(value, 'utf8');
const INFO = JSON.stringify(readVector('http/v2-getMasterchainInfo-python-41579322.json'));
const SIGNATURES = JSON.stringify(readVector('http/v2-getMasterchainBlockSignatures-ordinary-41089440.json'));
const BLOCKS = JSON.stringify(readVector('http/v3-blocks-testnet-2024.json'));

/** Bodies before any encoding. Each is made once: some are large. */
const SHAPES: Readonly<Record<string, Buffer>> = {
  info: text(INFO),
  signatures: text(SIGNATURES),
  blocks: text(BLOCKS),
  empty: text(''),
  spaces: text('   \n'),
  html: text('<html><body>502 Bad Gateway</body></html>'),
  cut: text(INFO.slice(0, INFO.length >> 1)),
  words: text('{"message":"please come back later"}'),
  detail: text('{"detail":["x"]}'),
  error: text('{"ok":false,"error":"LITE_SERVER_NOTREADY","code":500}'),
  busy: text('{"ok":false,"result":"Ratelimit exceed","code":429}'),
  list: text('[1,2,3]'),
  number: text('7'),
  null: text('null'),
  'not utf-8': Buffer.concat([text('{"ok":true,"result":"'), Buffer.from([0xff, 0xfe, 0xc0]), text('"}')]),
  'a key twice': text('{"ok":true,"ok":false,"result":{},"result":{}}'),
  'a prototype': text('{"__proto__":{"ok":true},"result":{"__proto__":null,"constructor":7}}'),
  'rows without a field': text(`{"blocks":[${Array(20_000).fill('{}').join(',')}]}`),
  'shards without a field': text(`{"ok":true,"result":{"shards":[${Array(20_000).fill('{}').join(',')}]}}`),
  'entries without a field': text(
    `{"ok":true,"result":{"@type":"blocks.blockSignatures","id":{},"signatures":[${Array(20_000).fill('{}').join(',')}]}}`,
  ),
  'many keys': text(`{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`),
  deep: text(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  'deep objects': text(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  'a long text': text(`{"ok":true,"result":"${'x'.repeat(400_000)}"}`),
  'too large': Buffer.alloc(1_100_000, 0x20),
};

const STATUSES = [
  ...Array(12).fill('200 OK'),
  ...[
    '201 Created',
    '204 No Content',
    '205 Reset Content',
    '206 Partial Content',
    '301 Moved',
    '302 Found',
    '304 Not Modified',
  ],
  ...['400 Bad', '401 No', '403 No', '404 No', '405 No', '408 Late', '410 Gone', '422 No', '425 Early', '429 Busy'],
  ...[
    '500 Oops',
    '502 Bad',
    '503 Busy',
    '504 Late',
    '520 Odd',
    '542 Odd',
    '599 Odd',
    '999 Odd',
    '000 Odd',
    'abc Odd',
    '',
  ],
] as readonly string[];

type Encoder = (body: Buffer) => Buffer;
const times = (count: number, encoder: Encoder) => (body: Buffer) => {
  let out = body;
  for (let i = 0; i < count; i++) out = encoder(out);
  return out;
};
const BOMB = gzipSync(Buffer.alloc(16 * 1024 * 1024));
const asIs: Encoder = (body) => body;
const ENCODINGS: readonly (readonly [header: string | undefined, encoder: Encoder])[] = [
  ...Array(6).fill([undefined, asIs]),
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['gzip, gzip', times(2, gzipSync)],
  ['deflate, br', (body) => brotliCompressSync(deflateSync(body))],
  ['gzip, gzip, gzip, gzip, gzip, gzip', times(6, gzipSync)],
  ['gzip', asIs],
  ['br', asIs],
  ['deflate', asIs],
  ['zstd', asIs],
  ['identity', asIs],
  ['gzip', () => BOMB],
  ['gzip, gzip', () => gzipSync(BOMB)],
  [',,,', asIs],
  [`${'gzip,'.repeat(200)}`, asIs],
];

const GOOD = ['info', 'signatures', 'blocks'];

const packed = new Map<Encoder, Map<string, Buffer>>();

/** Packed once: the server must not be what keeps the client waiting. */
function encoded(shape: string, encode: Encoder): Buffer {
  const known = packed.get(encode) ?? new Map<string, Buffer>();
  packed.set(encode, known);
  const bytes = known.get(shape) ?? encode(SHAPES[shape]!);
  known.set(shape, bytes);
  return bytes;
}

const FRAMINGS = [
  ...Array(5).fill('length'),
  ...['chunked', 'chunked', 'close', 'close', 'length short', 'length long', 'length negative', 'length huge'],
  ...[
    'length twice',
    'length and chunked',
    'bad chunk',
    'endless chunk',
    'no last chunk',
    'two answers',
    'long header',
  ],
] as readonly string[];

function chunked(body: Buffer, lastChunk = '0\r\n\r\n'): Buffer {
  return Buffer.concat([text(`${body.length.toString(16)}\r\n`), body, text(`\r\n${lastChunk}`)]);
}

/** The header lines and the bytes behind them. */
function framed(framing: string, body: Buffer): readonly [lines: readonly string[], bytes: Buffer] {
  const length = (value: number | string) => `content-length: ${value}`;
  const CHUNKED = 'transfer-encoding: chunked';
  switch (framing) {
    case 'chunked':
      return [[CHUNKED], body.length === 0 ? text('0\r\n\r\n') : chunked(body)];
    case 'close':
      return [['connection: close'], body];
    case 'length short':
      return [[length(Math.max(0, body.length - 5))], body];
    case 'length long':
      return [[length(body.length + 9)], body];
    case 'length negative':
      return [[length(-1)], body];
    case 'length huge':
      return [[length('99999999999999999999')], body];
    case 'length twice':
      return [[length(body.length), length(body.length + 1)], body];
    case 'length and chunked':
      return [[length(body.length), CHUNKED], chunked(body)];
    case 'bad chunk':
      return [[CHUNKED], Buffer.concat([text('zz\r\n'), body])];
    case 'endless chunk':
      return [[CHUNKED], Buffer.concat([text('fffffffffffffffff\r\n'), body])];
    case 'no last chunk':
      return [[CHUNKED], chunked(body, '')];
    case 'two answers':
      return [
        [length(body.length)],
        Buffer.concat([body, text(`HTTP/1.1 200 OK\r\n${length(INFO.length)}\r\n\r\n${INFO}`)]),
      ];
    case 'long header':
      return [[`x-long: ${'x'.repeat(40_000)}`, length(body.length)], body];
    default:
      return [[length(body.length)], body];
  }
}

export interface NamedReply {
  /** What it is made of, to be told where it did harm. */
  readonly name: string;
  readonly reply: RawReply;
}

/** A reply like no other, made by chance. */
export function randomReply(random: Random): NamedReply {
  const status = pick(random, STATUSES);
  const shape = random() < 0.5 ? pick(random, GOOD) : pick(random, Object.keys(SHAPES));
  const [encoding, encode] = pick(random, ENCODINGS);
  const framing = pick(random, FRAMINGS);
  const after = pick(random, ['keep', 'keep', 'keep', 'end', 'end', 'reset', 'hang'] as const);
  const isCut = random() < 0.3;
  const [lines, bytes] = framed(framing, encoded(shape, encode));
  const head = [
    `HTTP/1.1 ${status}`,
    ...lines,
    ...(encoding === undefined ? [] : [`content-encoding: ${encoding}`]),
    ...(random() < 0.1 ? ['retry-after: 0'] : []),
    ...(random() < 0.05 ? ['keep-alive: timeout=99999'] : []),
  ];
  const whole = Buffer.concat([
    text(random() < 0.05 ? 'HTTP/1.1 103 Early Hints\r\n\r\n' : ''),
    text(`${head.join('\r\n')}\r\n\r\n`),
    bytes,
  ]);
  const sent = isCut ? whole.subarray(0, Math.floor(random() * whole.length)) : whole;
  const middle = Math.floor(random() * sent.length);
  const pieces = random() < 0.3 ? [sent.subarray(0, middle), sent.subarray(middle)] : [sent];
  const name = [status, shape, encoding ?? 'plain', framing, isCut ? `cut at ${sent.length}` : 'whole', after].join(
    ' · ',
  );
  return { name, reply: { pieces, after, pauseMs: pieces.length > 1 ? 5 : 0 } };
}
