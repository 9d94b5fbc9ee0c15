/**
 * Exchanges in Node, Bun and Deno, over undici's `request` with connections of our own: when one fails, in whatever way, its
 * socket is closed with it, and decompression is not left to a stream that nobody listens to. Proxies and extra CAs are
 * those of the environment: HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS.
 */
import type { Dispatcher } from 'undici';
import { onAbort } from '../async/on-abort.ts';
import { decompress, readEncodings } from './decompress.ts';
import { hasProxy, requireProxies } from './proxies.ts';
import { BODILESS, type Exchange, readAll, type Transport, type TransportRequest } from './transport.ts';

// Not 'undici': Bun puts a thin layer over its own fetch in its place.
type Undici = typeof import('undici');
const loadUndici = async (): Promise<Undici> => (await import('undici/index.js')) as unknown as Undici; // the same module, by its file

/** A connection that an answer came over whole is kept this long for the next question. It keeps no process alive. */
const KEEP_ALIVE_MS = 4_000;
const MAX_IDLE = 8;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
const PIECE_BYTES = 4 * 1024;

/** undici parses what it has read to its end, with an error for each header, after the one that was too many: it reads less at a time. */
function readInPieces(socket: import('node:net').Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    if (socket.destroyed) return null;
    return read(size ?? (socket.readableLength > PIECE_BYTES ? PIECE_BYTES : undefined));
  };
}

/** One connection at most, and the sockets that were opened for it, those still connecting included. */
interface Line {
  readonly dispatcher: Dispatcher;
  /** Begins another question: it may open one connection. */
  begin(): void;
  drop(): void;
}

function openLine({ Agent, Client, EnvHttpProxyAgent, buildConnector }: Undici): Line {
  const sockets = new Set<import('node:net').Socket>();
  const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, keepAlive: true, allowH2: false });
  let mayOpen = true;
  requireProxies();
  const options = {
    connections: 1,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The question's own time limit covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  const connectTo =
    (whom: string): typeof connector =>
    (to, done) => {
      // undici opens one connection after the other for a question whose proxy hangs up, for ever.
      if (!mayOpen) {
        done(new Error(`${whom} closed the connection`), null);
        return undefined as never;
      }
      mayOpen = false;
      // undici closes a socket that is still connecting only once it is connected.
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
      dispatcher.destroy().catch(() => {}); // what it was doing has failed already, and was told
      // With an error, or undici would not stop its clock for a socket that is still connecting.
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
  body.on('error', () => {}); // told to whoever reads it; without a listener it would end the process
  const isRedirect = status >= 300 && status < 400;
  const isEndedByClose =
    headerOf(response.headers, 'content-length') === undefined &&
    headerOf(response.headers, 'transfer-encoding') === undefined;
  const [retryAfter, date] = ['retry-after', 'date'].map((name) => headerOf(response.headers, name));
  const head = { status, isRedirect, isEndedByClose, retryAfter, date };
  // Nobody reads what may follow, so the connection is not used again.
  if (isRedirect || BODILESS.has(status)) return { ...head, body: new Uint8Array(0), keep: false };
  const encodings = readEncodings(response.headers['content-encoding']);
  const packed = await readAll(body as AsyncIterable<Uint8Array>, maxBodyBytes);
  return { ...head, body: await decompress(packed, encodings, maxBodyBytes), keep: !isEndedByClose };
}

/** Connections are this transport's own: nobody else's questions go over them. @throws UsageError for a variable that names no proxy */
export function undiciTransport(): Transport {
  requireProxies();
  const idle: Line[] = [];
  let undici: Undici | undefined;
  return async (asked) => {
    undici ??= await loadUndici();
    asked.signal.throwIfAborted();
    const line = idle.pop() ?? openLine(undici);
    line.begin();
    const forget = onAbort(asked.signal, () => line.drop()); // undici does not settle a question that is still connecting
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
