/**
 * A real HTTP server on loopback that stands in for toncenter: the recorded blocks in the C++ form under `/api/v2`, in
 * the Python form under `/python/api/v2`, v3 under `/api/v3` as served and under `/documented/api/v3` as documented.
 * `/fault/NAME/…` before any of them gives that fault, and a program may choose a fault for each request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerV2, answerV3, type Question, type Reply, type View, v2Error } from './stand-in-answers.ts';
import { type Chain, readChain } from './stand-in-chain.ts';
import { FAULTS, type FaultName } from './stand-in-faults.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly atMs: number;
}

export interface StandIn {
  readonly port: number;
  readonly origin: string;
  readonly chain: Chain;
  /** Requests so far, the newest 10 000. */
  readonly seen: readonly SeenRequest[];
  /** Seqno of the newest block the server admits to. */
  latest: number;
  /** Chooses a fault for a request, or none. */
  chooseFault: (operation: string, seqno: number) => FaultName | undefined;
  /** Questions that are neither answered nor given up by who asked, at the latest after a second. */
  unanswered(): Promise<number>;
  /**
   * Connections still open once the idle ones were let go, at the latest after `withinMs`. A client that broke off a
   * request may have opened the next connection at once (Node's fetch does); it gives it up after some 3 seconds.
   */
  connectionsLeft(withinMs?: number): Promise<number>;
  close(): Promise<void>;
}

/** A request as `more` sees it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly text: string;
}

export interface StandInOptions {
  readonly port?: number;
  readonly chain?: Chain;
  readonly latest?: number;
  /** Answers what is no question of an API; `undefined` for what it does not know. */
  readonly more?: (asked: Asked) => Reply | undefined;
}

const PATH = /^(?:\/fault\/([\w-]+))?(?:\/(python|documented))?\/api\/(v2|v3)\/(\w+)$/;
const MAX_SEEN = 10_000;
const MAX_BODY = 64 * 1024;

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_BODY) break;
  }
  return text;
}

function sendReply(response: ServerResponse, { status, body }: Reply): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'x-api-version': '2.1.0' });
  response.end(text);
}

/** A POST: JSON-RPC, or on the C++ server an operation with its parameters as a JSON object. */
function readPost(text: string, operation: string, view: View): { question: Question; id?: string } | Reply {
  let body: { method?: unknown; params?: unknown; id?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    return v2Error(view.form, view.form === 'cpp' ? 500 : 422, 'failed to parse post request');
  }
  const isRpc = operation === 'jsonRPC';
  const params = isRpc ? (body.params ?? {}) : body;
  if (Array.isArray(params) && params.length > 0) return v2Error(view.form, 422, 'params must contain an object');
  const query = new URLSearchParams(Object.entries(params as object).map(([key, value]) => [key, String(value)]));
  if (!isRpc) return { question: { operation, query } };
  return { question: { operation: String(body.method), query }, id: String(body.id) };
}

export async function startStandIn(opts: StandInOptions = {}): Promise<StandIn> {
  const chain = opts.chain ?? readChain();
  const seen: SeenRequest[] = [];
  const asked = new Map<string, number>();
  const sockets = new Set<Socket>();

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const { method = 'GET', headers } = request;
    seen.push({ method, path: request.url ?? '', headers: { ...headers }, atMs: performance.now() });
    if (seen.length > MAX_SEEN) seen.shift();
    const parts = PATH.exec(pathname);
    if (parts === null) {
      const reply = opts.more?.({ method, path: pathname, text: await readText(request) });
      return sendReply(response, reply ?? v2Error('cpp', 404, 'Not Found'));
    }
    const [, namedFault, variant, api, operation = ''] = parts;
    const form = variant === 'python' ? 'python' : 'cpp';
    const view: View = { chain, form, latest: standIn.latest, documented: variant === 'documented' };
    if (method === 'POST' && api === 'v2' && (form === 'cpp' || operation === 'jsonRPC')) {
      const post = readPost(await readText(request), operation, view);
      if ('status' in post) return sendReply(response, post);
      const reply = answerV2(view, post.question);
      // The C++ server hands the answer of its POST handler on as it is; Python adds what JSON-RPC asks for.
      const rpc = form === 'python' && post.id !== undefined ? { jsonrpc: '2.0', id: post.id } : {};
      return sendReply(response, { ...reply, body: { ...reply.body, ...rpc } });
    }
    if (method !== 'GET' || operation === 'jsonRPC') {
      return sendReply(response, v2Error(form, 405, `method ${method} is not supported`));
    }
    const reply = (query: URLSearchParams) =>
      api === 'v3' ? answerV3(view, { operation, query }) : answerV2(view, { operation, query });
    const seqno = Number(searchParams.get('seqno'));
    const fault = (namedFault as FaultName | undefined) ?? standIn.chooseFault(operation, seqno);
    const times = asked.get(pathname + seqno) ?? 0;
    asked.set(pathname + seqno, times + 1);
    if (fault === undefined || FAULTS[fault] === undefined) return sendReply(response, reply(searchParams));
    FAULTS[fault]({
      request,
      response,
      operation,
      seqno,
      timesAsked: times,
      reply: () => reply(searchParams),
      replyFor(other) {
        const query = new URLSearchParams(searchParams);
        query.set('seqno', String(other));
        return reply(query);
      },
    });
  }

  const open = new Set<ServerResponse>();
  const server: Server = createServer((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    onRequest(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // the client may go away at any time
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(opts.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // of a listening TCP server
  const standIn: StandIn = {
    port,
    origin: `http://127.0.0.1:${port}`,
    chain,
    seen,
    latest: opts.latest ?? Math.max(...chain.blocks.keys()),
    chooseFault: () => undefined,
    async unanswered() {
      for (let tries = 0; open.size > 0 && tries < 50; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
      return open.size;
    },
    async connectionsLeft(withinMs = 6000) {
      const end = performance.now() + withinMs;
      do {
        server.closeIdleConnections();
        await new Promise((resolve) => setTimeout(resolve, 20));
      } while (sockets.size > 0 && performance.now() < end);
      return sockets.size;
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
  return standIn;
}
