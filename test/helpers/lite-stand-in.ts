/**
 * A real lite server on loopback: the server's side of ADNL over TCP, written anew on `node:crypto`, so that it shares no
 * line with the client under test. What it answers, and what it does wrong, is the test's choice.
 */
import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  type Decipher,
  diffieHellman,
  type KeyObject,
  randomBytes,
  verify,
} from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { hex, tlBytes, u32 } from './tl-answers.ts';

const P = 2n ** 255n - 19n;
const sha = (name: 'sha256' | 'sha512', ...parts: Uint8Array[]) => {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const der = (head: string, key: Uint8Array) => Buffer.concat([Buffer.from(head, 'hex'), key]);
const littleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % P;
    if (bit === '1') result = (result * base) % P;
  }
  return result;
}

/** The Montgomery form of an Ed25519 public key. */
function montgomery(publicKey: Uint8Array): Buffer {
  const y = littleEndian(publicKey) % 2n ** 255n;
  const u = ((1n + y) * power((P + 1n - y) % P, P - 2n)) % P;
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse();
}

interface ServerKeys {
  readonly publicKey: Uint8Array;
  /** For the secrets that it shares with clients. */
  readonly exchange: KeyObject;
}

/** Made once for each seed: OpenSSL takes half a millisecond to read such a key. */
const known = new Map<string, ServerKeys>();

function keysOf(seed: Uint8Array): ServerKeys {
  const name = Buffer.from(seed).toString('latin1');
  let keys = known.get(name);
  if (keys === undefined) {
    const read = (head: string, secret: Uint8Array) =>
      createPrivateKey({ key: der(head, secret), format: 'der', type: 'pkcs8' });
    const signing = createPublicKey(read('302e020100300506032b657004220420', seed));
    keys = {
      publicKey: Uint8Array.from(signing.export({ format: 'der', type: 'spki' }).subarray(-32)),
      exchange: read('302e020100300506032b656e04220420', sha('sha512', seed).subarray(0, 32)),
    };
    known.set(name, keys);
  }
  return keys;
}

export const publicKeyOf = (seed: Uint8Array): Uint8Array => keysOf(seed).publicKey.slice();

/** More than run at the same time. */
const SEEDS = Array.from({ length: 256 }, () => randomBytes(32));
let started = 0;

export const serverKeyId = (publicKey: Uint8Array) => sha('sha256', Buffer.from('c6b41348', 'hex'), publicKey);

/** Keys of both directions, from the 256 bytes of a client. `undefined` where they are for another server, or damaged. */
export function openHandshake(seed: Uint8Array, packet: Uint8Array) {
  const { publicKey, exchange } = keysOf(seed);
  if (!serverKeyId(publicKey).equals(packet.subarray(0, 32))) return undefined;
  const clientKey = packet.subarray(32, 64);
  const digest = packet.subarray(64, 96);
  const secret = diffieHellman({
    privateKey: exchange,
    publicKey: createPublicKey({
      key: { kty: 'OKP', crv: 'X25519', x: montgomery(clientKey).toString('base64url') },
      format: 'jwk',
    }),
  });
  const random = createCipheriv(
    'aes-256-ctr',
    Buffer.concat([secret.subarray(0, 16), digest.subarray(16, 32)]),
    Buffer.concat([digest.subarray(0, 4), secret.subarray(20, 32)]),
  ).update(packet.subarray(96, 256));
  if (!sha('sha256', random).equals(digest)) return undefined;
  return {
    clientKey: Uint8Array.from(clientKey),
    toClient: createCipheriv('aes-256-ctr', random.subarray(0, 32), random.subarray(64, 80)),
    fromClient: createCipheriv('aes-256-ctr', random.subarray(32, 64), random.subarray(80, 96)),
  };
}

/** A frame before it is encrypted. */
export function plainFrame(payload: Uint8Array, nonce: Uint8Array = randomBytes(32)): Buffer {
  return Buffer.concat([u32(payload.length + 64), nonce, payload, sha('sha256', nonce, payload)]);
}

function readTlBytes(bytes: Buffer, at: number): Buffer {
  const short = bytes[at]!;
  if (short < 254) return bytes.subarray(at + 1, at + 1 + short);
  const length = bytes.readUIntLE(at + 1, 3);
  return bytes.subarray(at + 4, at + 4 + length);
}
export const answerMessage = (queryId: Uint8Array, answer: Uint8Array) =>
  Buffer.concat([hex('1684ac0f'), queryId, tlBytes(answer)]);
/** liteServer.error. */
export function liteError(code: number, text: string): Buffer {
  return Buffer.concat([hex('48e1a9bb'), u32(code), tlBytes(Buffer.from(text))]);
}

/** A question as the stand-in sees it. */
export interface LiteAsked {
  readonly request: Buffer;
  /** The constructor, in hex. */
  readonly constructorId: string;
  /** What the client told the server to wait for. */
  readonly waitFor?: { readonly seqno: number; readonly timeoutMs: number };
  readonly queryId: Buffer;
  readonly peer: LitePeer;
}

/** The server's end of one connection, with everything a test may want to do to it. */
export interface LitePeer {
  readonly socket: Socket;
  readonly clientKey: Uint8Array;
  /** The client has shown that it holds this key. */
  isAuthenticated: boolean;
  /** Encrypts and sends a frame. */
  send(payload: Uint8Array): void;
  /** Encrypts any bytes, without sending them. */
  encrypt(bytes: Uint8Array): Buffer;
}

export interface LiteStandInOptions {
  readonly seed?: Uint8Array;
  readonly port?: number;
  /** `undefined`: no answer. */
  readonly answer: (asked: LiteAsked) => Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** In place of the first, empty frame. */
  readonly welcome?: (peer: LitePeer) => void;
  /** In place of sending the frame with an answer. */
  readonly deliver?: (peer: LitePeer, message: Buffer, asked: LiteAsked) => void;
  /** In place of anything: gets the connection as it was accepted. */
  readonly accept?: (socket: Socket) => void;
  /** Default true. */
  readonly answersPings?: boolean;
}

export interface LiteStandIn {
  readonly port: number;
  readonly publicKey: Uint8Array;
  readonly server: { readonly host: string; readonly port: number; readonly publicKey: Uint8Array };
  readonly asked: readonly LiteAsked[];
  /** Connections that were accepted so far. */
  readonly accepted: number;
  pings: number;
  /** Connections open at this moment. */
  readonly open: number;
  /** Connections open now, once those that are being closed are. */
  connections(): Promise<number>;
  /** Breaks every connection, and goes on listening. */
  dropAll(): void;
  close(): Promise<void>;
}

const WAIT = '92b8eaba';

export async function startLiteStandIn(opts: LiteStandInOptions): Promise<LiteStandIn> {
  const seed = opts.seed ?? SEEDS[started++ % SEEDS.length]!;
  const publicKey = publicKeyOf(seed);
  const sockets = new Set<Socket>();
  const asked: LiteAsked[] = [];
  let accepted = 0;

  function serve(socket: Socket): void {
    let received = Buffer.alloc(0);
    let plain = Buffer.alloc(0);
    let fromClient: Decipher | undefined;
    let peer: LitePeer | undefined;
    socket.on('data', (chunk: Buffer) => {
      if (peer === undefined || fromClient === undefined) {
        received = Buffer.concat([received, chunk]);
        if (received.length < 256) return;
        const keys = openHandshake(seed, received.subarray(0, 256));
        if (keys === undefined) {
          socket.destroy();
          return;
        }
        const { toClient, clientKey } = keys;
        fromClient = keys.fromClient;
        peer = {
          socket,
          clientKey,
          isAuthenticated: false,
          encrypt: (bytes) => toClient.update(bytes),
          send: (payload) => void socket.write(toClient.update(plainFrame(payload))),
        };
        if (opts.welcome === undefined) peer.send(Buffer.alloc(0));
        else opts.welcome(peer);
        chunk = received.subarray(256);
        received = Buffer.alloc(0);
      }
      plain = Buffer.concat([plain, fromClient.update(chunk)]);
      while (plain.length >= 4 && plain.length >= 4 + plain.readUInt32LE(0)) {
        const length = plain.readUInt32LE(0);
        const frame = plain.subarray(4, 4 + length);
        plain = plain.subarray(4 + length);
        if (!sha('sha256', frame.subarray(0, -32)).equals(frame.subarray(-32))) {
          socket.destroy();
          return;
        }
        onMessage(peer, Buffer.from(frame.subarray(32, -32)));
      }
    });
  }

  const serverNonce = randomBytes(256);
  const clientNonces = new WeakMap<LitePeer, Buffer>();

  function onMessage(peer: LitePeer, message: Buffer): void {
    const kind = message.subarray(0, 4).toString('hex');
    if (kind === '9a2b084d') {
      standIn.pings += 1;
      if (opts.answersPings !== false) peer.send(Buffer.concat([hex('03fb69dc'), message.subarray(4, 12)]));
    } else if (kind === '12ab5b44') {
      clientNonces.set(peer, Buffer.from(readTlBytes(message, 4)));
      peer.send(Buffer.concat([hex('b64a5de3'), tlBytes(serverNonce)]));
    } else if (kind === 'a69eadf7') {
      const key = message.subarray(8, 40);
      const spki = createPublicKey({ key: der('302a300506032b6570032100', key), format: 'der', type: 'spki' });
      const signed = Buffer.concat([clientNonces.get(peer) ?? Buffer.alloc(0), serverNonce]);
      peer.isAuthenticated = key.equals(peer.clientKey) && verify(null, signed, spki, readTlBytes(message, 40));
    } else if (kind === '7af98bb4') {
      void onQuery(peer, Buffer.from(message.subarray(4, 36)), readTlBytes(message, 36));
    }
  }

  async function onQuery(peer: LitePeer, queryId: Buffer, query: Buffer): Promise<void> {
    if (query.subarray(0, 4).toString('hex') !== 'df068c79') return; // no answer, as the C++ server
    let request = Buffer.from(readTlBytes(query, 4));
    let waitFor: LiteAsked['waitFor'];
    if (request.subarray(0, 4).toString('hex') === WAIT) {
      waitFor = { seqno: request.readInt32LE(4), timeoutMs: request.readInt32LE(8) };
      request = request.subarray(12);
    }
    const constructorId = request.subarray(0, 4).toString('hex');
    const question = { request, constructorId, queryId, peer, ...(waitFor === undefined ? {} : { waitFor }) };
    asked.push(question);
    if (asked.length > 10_000) asked.shift();
    const answer = await opts.answer(question);
    if (answer === undefined || peer.socket.destroyed) return;
    const message = answerMessage(queryId, answer);
    if (opts.deliver === undefined) peer.send(message);
    else opts.deliver(peer, message, question);
  }

  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {}); // the client may go away at any time
    socket.on('close', () => sockets.delete(socket));
    if (opts.accept === undefined) serve(socket);
    else opts.accept(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(opts.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // of a listening TCP server
  const standIn: LiteStandIn = {
    port,
    publicKey,
    server: { host: '127.0.0.1', port, publicKey },
    asked,
    get accepted() {
      return accepted;
    },
    pings: 0,
    get open() {
      return sockets.size;
    },
    async connections() {
      for (let tries = 0; sockets.size > 0 && tries < 50; tries++)
        await new Promise((resolve) => setTimeout(resolve, 10));
      return sockets.size;
    },
    dropAll() {
      for (const socket of sockets) socket.destroy();
    },
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
  return standIn;
}
