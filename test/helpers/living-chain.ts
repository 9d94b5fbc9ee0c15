/**
 * A signed chain that grows by the clock, and real servers on loopback that show it, each with moods of its own: closed,
 * hanging, frozen, lying, throttling, or well. Told by a clock that nobody sets.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ValidatorSet } from '../../src/core/validators/validator-set.ts';
import { blockIdToAnswer, corrupted, makeBlockId, makeSignedSet, toAnswer, withEntries } from './make-block.ts';
import { makeSet, makeSigners } from './make-validators.ts';
import { readVector } from './vectors.ts';

/** well: as it should be. Each of the others is one way to fail. */
export type Mood =
  | 'well'
  | 'closed' // connections are refused
  | 'hanging' // questions are taken and never answered
  | 'resetting'
  | 'frozen' // knows no block after the one where its mood began
  | 'rewound' // names an old head, and has everything else
  | 'boasting' // names a head that is nowhere near
  | 'inventing' // names a head that is nowhere near, and forges every block up to it
  | 'forging' // signatures of the right signers over something else
  | 'strangers' // signatures of somebody else
  | 'shifting' // the block before, under the number asked for
  | 'throttling' // 429 with a Retry-After
  | 'failing' // 500 and 503
  | 'garbled'; // half an answer

/** Each way to fail. */
export const FAILING_MOODS: readonly Mood[] = [
  'closed',
  'hanging',
  'resetting',
  'frozen',
  'rewound',
  'boasting',
  'forging',
  'strangers',
  'shifting',
  'throttling',
  'failing',
  'garbled',
];

export interface LivingChain {
  readonly first: number;
  readonly validators: ValidatorSet;
  /** Seqno of the newest block now. */
  head(): number;
  /** Milliseconds since a block was born. */
  ageMs(seqno: number): number;
}

export interface LivingServer {
  readonly baseUrl: string;
  readonly mood: Mood;
  /** Questions so far. */
  readonly asked: number;
  /** Its clock, in milliseconds beside the right one: seen in its Date and Retry-After headers. */
  clockOffMs: number;
  become(mood: Mood): Promise<void>;
  close(): Promise<void>;
}

const SIGNERS = makeSigners([5n, 4n, 3n, 3n]);
const STRANGERS = makeSigners([5n, 4n, 3n, 3n], 'stranger');

export function startLivingChain(msPerBlock: number, first = 1000): LivingChain {
  const start = performance.now();
  return {
    first,
    validators: makeSet(SIGNERS, { utimeUntil: 4_000_000_000 }),
    head: () => first + Math.floor((performance.now() - start) / msPerBlock),
    ageMs: (seqno) => performance.now() - start - (seqno - first) * msPerBlock,
  };
}

type Json = Record<string, unknown>;

interface Reply {
  readonly status: number;
  readonly body: string | Json;
  readonly headers?: Record<string, string>;
}

const INFO = readVector<{ result: Json }>('http/v2-getMasterchainInfo-python-41579322.json');

/** Signing is what costs; several servers show the same blocks. */
const answers = new Map<string, Json>();
function signed(seqno: number, mood: 'well' | 'forging' | 'strangers'): Json {
  const key = `${mood} ${seqno}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const set = makeSignedSet('simplex', mood === 'strangers' ? STRANGERS : SIGNERS, seqno);
  const answer = toAnswer(
    mood === 'forging'
      ? withEntries(
          set,
          set.signatures.map((entry) => corrupted(entry)),
        )
      : set,
  );
  answers.set(key, answer);
  if (answers.size > 300) answers.delete([...answers.keys()][0]!); // it has more than one
  return answer;
}

/** @param mood the first one */
export async function startLivingServer(chain: LivingChain, mood: Mood = 'well'): Promise<LivingServer> {
  let asked = 0;
  let frozenAt = 0;
  let now = mood;
  let server: Server | undefined;
  const sockets = new Set<Socket>();

  /** `undefined` for a question that gets no answer. */
  function replyTo(operation: string | undefined, seqno: number): Reply | undefined {
    if (now === 'hanging') return undefined;
    if (now === 'throttling') {
      const retryAfter = new Date(Date.now() + living.clockOffMs + 1000).toUTCString();
      const body = { ok: false, error: 'Ratelimit exceeded', code: 429 };
      return { status: 429, body, headers: { 'retry-after': retryAfter } };
    }
    if (now === 'failing') return { status: asked % 2 === 0 ? 500 : 503, body: '<html>no</html>' };
    if (now === 'garbled') return { status: 200, body: '{"ok":true,"result":{"@type":"blo' };
    const newest = now === 'frozen' ? frozenAt : chain.head();
    if (operation === 'getMasterchainInfo') {
      const head = now === 'boasting' || now === 'inventing' ? 2_000_000_000 : now === 'rewound' ? chain.first : newest;
      const last = blockIdToAnswer(makeBlockId(head));
      return { status: 200, body: { ...INFO, result: { ...INFO.result, last } } };
    }
    if (now === 'inventing') return { status: 200, body: { ok: true, result: signed(seqno, 'forging') } };
    if (seqno < chain.first || seqno > newest) {
      const error = `LITE_SERVER_NOTREADY: cannot find block seqno=${seqno}: seqno not in db`;
      return { status: 500, body: { ok: false, error, code: 500 } };
    }
    const lie = now === 'forging' || now === 'strangers' ? now : 'well';
    if (now !== 'shifting') return { status: 200, body: { ok: true, result: signed(seqno, lie) } };
    const shifted = signed(Math.max(chain.first, seqno - 1), 'well');
    return { status: 200, body: { ok: true, result: { ...shifted, id: { ...(shifted.id as Json), seqno } } } };
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    asked++;
    if (now === 'resetting') {
      request.socket.resetAndDestroy();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://living');
    const reply = replyTo(pathname.split('/').at(-1), Number(searchParams.get('seqno')));
    if (reply === undefined) return;
    const { status, body, headers } = reply;
    const date = new Date(Date.now() + living.clockOffMs).toUTCString();
    response.writeHead(status, { 'content-type': 'application/json', date, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  async function open(port: number): Promise<number> {
    const one = createServer(onRequest);
    one.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {}); // the client may go away at any time
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      one.once('error', reject);
      one.listen(port, '127.0.0.1', resolve);
    });
    server = one;
    return (one.address() as AddressInfo).port; // of a listening TCP server
  }

  async function shut(): Promise<void> {
    const one = server;
    server = undefined;
    const closed = new Promise<void>((resolve) => (one === undefined ? resolve() : one.close(() => resolve())));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const port = await open(0);
  const living = {
    baseUrl: `http://127.0.0.1:${port}/api/v2`,
    get mood() {
      return now;
    },
    get asked() {
      return asked;
    },
    clockOffMs: 0,
    async become(next: Mood) {
      now = next;
      frozenAt = chain.head();
      if (next === 'closed') await shut();
      else if (server === undefined) await open(port);
    },
    close: shut,
  };
  if (mood === 'closed') await shut();
  return living;
}
