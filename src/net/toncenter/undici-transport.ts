/**
 * Sends requests in Node, Bun and Deno, over undici's `request` with connections of our own. When a request fails, its
 * socket is closed with it. Decompression happens here, not in a stream whose errors might go unseen. Proxies and extra
 * CAs come from the environment: HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS.
 */

import type { Dispatcher } from 'undici';
import { badOption } from '../../core/base/arguments.ts';
import { onAbort } from '../async/on-abort.ts';
import { decompress, readEncodings } from './decompress.ts';
import { BODILESS, type Exchange, type HttpTransport, readAll, type TransportRequest } from './transport.ts';

// The name is not 'undici': Bun replaces that name with a thin layer over its own fetch.
type Undici = typeof import('undici');
const loadUndici = async (): Promise<Undici> => (await import('undici/index.js')) as unknown as Undici; // the same module, by its file

/**
 * Milliseconds that a connection is kept for the next question after a whole answer. It does not keep the process
 * alive.
 */
const KEEP_ALIVE_MS = 4_000;
const MAX_IDLE = 8;
const HTTP_CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
const PIECE_BYTES = 4 * 1024;

/**
 * Reads in small pieces: after a header too many, undici parses everything that it has read, with an error for each
 * further header.
 */
function readInPieces(socket: import('node:net').Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    if (socket.destroyed) return null;
    return read(size ?? (socket.readableLength > PIECE_BYTES ? PIECE_BYTES : undefined));
  };
}

/** Where both spellings are set, the lower-case name wins, as in undici and curl. */
const NAMES = [
  ['http_proxy', 'HTTP_PROXY'],
  ['https_proxy', 'HTTPS_PROXY'],
] as const;

function named(): readonly (readonly [name: string, value: string])[] {
  return NAMES.flatMap((names) => {
    const name = names.find((one) => process.env[one] !== undefined);
    const value = name === undefined ? undefined : process.env[name];
    return name && value ? [[name, value] as const] : [];
  });
}

function hasProxy(): boolean {
  return named().length > 0;
}

function isProxy(value: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(value);
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol) && hostname !== '';
  } catch {
    return false;
  }
}

/**
 * Checks the variables that name proxies, so that a mistake in them is not reported as a failure of the server. @throws
 * UsageError that names the variable but not its value, which may contain a password
 */
function requireProxies(): void {
  for (const [name, value] of named()) {
    if (isProxy(value)) continue;
    const hint = 'write http://HOST:PORT, or unset it';
    throw badOption('expected the URL of an HTTP proxy in this variable of the environment', name, hint);
  }
}

/** At most one connection, with the sockets that were opened for it, including those still connecting. */
interface Line {
  readonly dispatcher: Dispatcher;
  /** Begins the next question: it may open one connection. */
  begin(): void;
  drop(): void;
}

function openLine({ Agent, Client, EnvHttpProxyAgent, buildConnector }: Undici): Line {
  const sockets = new Set<import('node:net').Socket>();
  const connector = buildConnector({ timeout: HTTP_CONNECT_TIMEOUT_MS, keepAlive: true, allowH2: false });
  let mayOpen = true;
  requireProxies();
  const options = {
    connections: 1,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The question's own time limit covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  const connectTo =
    (whom: string): typeof connector =>
    (to, done) => {
      // If a proxy hangs up, undici would open one connection after the other for the same question, without end.
      if (!mayOpen) {
        done(new Error(`${whom} closed the connection`), null);
        return undefined as never;
      }
      mayOpen = false;
      // undici would close a socket that is still connecting only once it is connected.
      const socket = connector(to, done) as unknown as import('node:net').Socket | undefined; // typed as void, returns it
      if (socket !== undefined) {
        sockets.add(socket);
        readInPieces(socket);
        socket.once('close', () => sockets.delete(socket));
      }
      return socket as never;
    };
  const { connections: _, ...proxyOptions } = options;
  const dispatcher = hasProxy()
    ? new EnvHttpProxyAgent({
        ...options,
        connect: connectTo('the server'),
        clientFactory: (proxy) => new Client(proxy, { ...proxyOptions, connect: connectTo('the proxy') }),
      })
    : new Agent({ ...options, connect: connectTo('the server') });
  return {
    dispatcher,
    begin() {
      mayOpen = true;
    },
    drop() {
      mayOpen = false;
      dispatcher.destroy().catch(() => {}); // the request failed before, with an error of its own
      // With an error, because otherwise undici keeps its timer for a socket that is still connecting.
      for (const socket of sockets) socket.destroy(new Error('the request is over'));
    },
  };
}

function headerOf(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

async function exchange(
  line: Line,
  { request }: Undici,
  asked: TransportRequest,
): Promise<Exchange & { keep: boolean }> {
  const { url, headers, maxBodyBytes, signal } = asked;
  const response = await request(url, {
    method: 'GET',
    dispatcher: line.dispatcher,
    signal,
    headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
  });
  const { statusCode: status, body } = response;
  body.on('error', () => {}); // the reader of the body gets this error; without a listener it would end the process
  const isRedirect = status >= 300 && status < 400;
  const isEndedByClose =
    headerOf(response.headers, 'content-length') === undefined &&
    headerOf(response.headers, 'transfer-encoding') === undefined;
  const [retryAfter, date] = ['retry-after', 'date'].map((name) => headerOf(response.headers, name));
  const head = { status, isRedirect, isEndedByClose, retryAfter, date };
  // The rest of this body is not read, so the connection cannot be used again.
  if (isRedirect || BODILESS.has(status)) return { ...head, body: new Uint8Array(0), keep: false };
  const encodings = readEncodings(response.headers['content-encoding']);
  const packed = await readAll(body as AsyncIterable<Uint8Array>, maxBodyBytes);
  return { ...head, body: await decompress(packed, encodings, maxBodyBytes), keep: !isEndedByClose };
}

/**
 * Makes a transport with connections of its own, which no other transport uses. @throws UsageError for an environment
 * variable that does not name a proxy
 */
export function undiciTransport(): HttpTransport {
  requireProxies();
  const idle: Line[] = [];
  let undici: Undici | undefined;
  return async (asked) => {
    undici ??= await loadUndici();
    asked.signal.throwIfAborted();
    const line = idle.pop() ?? openLine(undici);
    line.begin();
    // undici does not settle a question that is still connecting
    const forget = onAbort(asked.signal, () => line.drop());
    let keep = false;
    try {
      const { keep: isWhole, ...answer } = await exchange(line, undici, asked);
      keep = isWhole;
      return answer;
    } finally {
      forget();
      if (keep && idle.length < MAX_IDLE) idle.push(line);
      else line.drop();
    }
  };
}
