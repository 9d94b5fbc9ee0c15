/** Everything a server, a gateway, a proxy or a wire may do instead of answering. One function a fault. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Reply } from './stand-in-answers.ts';
import type { Json } from './stand-in-chain.ts';

export interface FaultContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** `/api/v3/` or `/api/v2/` with the operation and query. */
  readonly operation: string;
  readonly seqno: number;
  /** What a healthy server would have said. */
  reply(): Reply;
  /** The same for another block. */
  replyFor(seqno: number): Reply;
  /** How often this question was asked before. */
  readonly timesAsked: number;
}

type Fault = (context: FaultContext) => void;

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

function json(status: number, body: Json, headers?: Record<string, string>): Fault {
  return ({ response }) => send(response, status, JSON.stringify(body), headers);
}

const HTML_502 =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center>nginx</center></body>\r\n</html>\r\n';
const html =
  (status: number): Fault =>
  ({ response }) =>
    send(response, status, HTML_502, { 'content-type': 'text/html' });

function healthy({ response, reply }: FaultContext): void {
  const { status, body } = reply();
  send(response, status, JSON.stringify(body));
}

/** A healthy body with its result changed; whatever has no result is left healthy. */
function altered(change: (result: Json, context: FaultContext) => Json): Fault {
  return (context) => {
    const { status, body } = context.reply();
    const { result } = body as { result?: Json };
    const changed = result === undefined ? body : { ...body, result: change(result, context) };
    send(context.response, status, JSON.stringify(changed));
  };
}

function wrongBlock(context: FaultContext): void {
  const shift = (value: unknown, key: string): unknown => {
    if (key === 'seqno' && typeof value === 'number') return value + 1;
    if (Array.isArray(value)) return value.map((one) => shift(one, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shift(one, name)]));
  };
  const { status, body } = context.reply();
  send(
    context.response,
    status,
    JSON.stringify(shift(body, '')).replace(/("mc_block_seqno":)(\d+)/g, (_, key, n) => `${key}${Number(n) + 1}`),
  );
}

function endless({ response }: FaultContext): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"ok":true,"result":{"x":"');
  const chunk = Buffer.alloc(64 * 1024, 0x61);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

/** 260 kB that swell to 256 MiB: one gzip member, 256 times. */
let bomb: Buffer | undefined;
function gzipBomb({ response }: FaultContext): void {
  bomb ??= Buffer.concat(Array(256).fill(gzipSync(Buffer.alloc(1024 * 1024, 0x20), { level: 9 })));
  send(response, 200, bomb, { 'content-encoding': 'gzip' });
}

const NOT_READY = json(500, { ok: false, error: 'LITE_SERVER_NOTREADY: seqno not in db', code: 500 });

/** A block that is there from the n-th question on, counted from 0. */
function readyAfter(tries: number): Fault {
  return (context) => {
    if (context.timesAsked >= tries) healthy(context);
    else if (context.operation.startsWith('masterchain')) send(context.response, 404, '{"error":"blocks not found"}');
    else NOT_READY(context);
  };
}

export const FAULTS = {
  'rate-limit-error': json(429, { ok: false, code: 429, error: 'Ratelimit exceeded' }),
  'rate-limit-result': json(429, { ok: false, result: 'Ratelimit exceed', code: 429 }),
  'rate-limit-retry-after': json(429, { ok: false, code: 429, error: 'Ratelimit exceeded' }, { 'retry-after': '3600' }),
  '401': json(401, { ok: false, code: 401, error: 'API key does not exist' }),
  '403': json(403, { ok: false, code: 403, error: 'Network not allowed' }),
  '404': json(404, { ok: false, error: 'Not Found', code: 404, '@extra': '_' }),
  '405': json(405, { ok: false, error: 'method GET is not supported', code: 405, '@extra': '_' }),
  '422': json(422, { ok: false, error: 'failed to validate request: seqno should be positive', code: 422 }),
  '500': json(500, { ok: false, error: 'got invalid proof chain', code: 500 }),
  '502-html': html(502),
  '503': json(503, { ok: false, error: 'No working liteservers with ls_index=None, archival=None', code: 503 }),
  '504': json(504, { ok: false, error: 'Liteserver timeout', code: 504 }),
  '542': json(542, { ok: false, error: 'no workers available (archival=0 mode=Single)', code: 542 }),
  'not-ready': NOT_READY,
  'ok-false-200': json(200, { ok: false, error: 'LITE_SERVER_NETWORKtimeout for adnl query', code: 500 }),
  'json-rpc-error-200': json(200, { jsonrpc: '2.0', id: '1', error: { code: -32601, message: 'Method not found' } }),
  'other-envelope': json(405, { result: 'null', id: 'getblock.io', status_code: 405, message: 'Method not allowed' }),
  'html-200': html(200),
  empty: ({ response }) => send(response, 200, ''),
  'empty-500': ({ response }) => send(response, 500, ''),
  'not-json': ({ response }) => send(response, 200, 'pong'),
  'json-array': ({ response }) => send(response, 200, '[]'),
  'slow-headers': () => {},
  'slow-body': (context) => {
    const text = JSON.stringify(context.reply().body);
    context.response.writeHead(200, { 'content-type': 'application/json' });
    context.response.write(text.slice(0, 40));
  },
  'endless-body': endless,
  'truncated-body': (context) => {
    // Whole as HTTP, cut as JSON.
    const text = JSON.stringify(context.reply().body);
    send(context.response, 200, text.slice(0, text.length / 2));
  },
  'wrong-content-length': (context) => {
    const text = JSON.stringify(context.reply().body);
    context.response.writeHead(200, { 'content-length': String(text.length + 100) });
    context.response.write(text);
    setTimeout(() => context.response.destroy(), 5);
  },
  'broken-chunks': (context) => {
    context.response.writeHead(200, { 'content-type': 'application/json' });
    context.response.write(JSON.stringify(context.reply().body).slice(0, 40));
    setTimeout(() => context.response.destroy(), 5);
  },
  'connection-reset': ({ request }) => {
    request.socket.resetAndDestroy();
  },
  'gzip-bomb': gzipBomb,
  'bad-gzip': ({ response }) => send(response, 200, 'not gzip at all', { 'content-encoding': 'gzip' }),
  redirect: ({ response, request }) => {
    const { port } = request.socket.address() as { port: number }; // of a listening TCP server
    response.writeHead(302, { location: `http://localhost:${port}/elsewhere` });
    response.end();
  },
  'wrong-block': wrongBlock,
  'previous-signatures': altered((result, { replyFor, seqno }) => {
    if (!Array.isArray(result.signatures)) return result;
    const { signatures } = (replyFor(seqno - 1).body.result ?? {}) as Json;
    return { ...result, signatures: signatures ?? [] };
  }),
  'bad-signature': altered((result) => {
    if (!Array.isArray(result.signatures)) return result;
    const [first, ...rest] = result.signatures as Json[];
    return { ...result, signatures: [{ ...first, signature: Buffer.alloc(64, 9).toString('base64') }, ...rest] };
  }),
  'null-list': altered((result) => ({
    ...result,
    ...(Array.isArray(result.signatures) ? { signatures: null } : {}),
    ...(Array.isArray(result.shards) ? { shards: null } : {}),
  })),
  'null-result': altered(() => null as never),
  'unknown-type': altered((result) => ({ ...result, '@type': 'blocks.blockSignatures.quantum' })),
  'ready-after-1': readyAfter(1),
  'ready-after-3': readyAfter(3),
  'echoes-the-key': ({ request, response }) => {
    const key = String(request.headers['x-api-key']);
    send(response, 401, JSON.stringify({ ok: false, code: 401, error: `API key ${key} does not exist` }));
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]; // the keys of the object just above
