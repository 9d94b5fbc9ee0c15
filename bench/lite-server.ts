/**
 * The server side of `bench/lite.ts`, a process of its own: a stand-in lite server before a made network with sets as large as
 * mainnet's, 350 validators of which 100 sign.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { encodeHex } from '../src/core/base/bytes.ts';
import { checkpointToJson } from '../src/core/chain/checkpoint.ts';
import { LiteChain } from '../test/helpers/lite-chain.ts';
import {
  answerMessage,
  type LiteAsked,
  liteError,
  plainFrame,
  startLiteStandIn,
} from '../test/helpers/lite-stand-in.ts';
import type { Committee } from '../test/helpers/make-chain.ts';
import { makeSigners } from '../test/helpers/make-validators.ts';
import { startOf } from '../test/helpers/networks.ts';
import { startLiar } from '../test/live/liar.ts';

const COLD_LINKS = 1250;
const VALIDATORS = 350;
const MAIN = 100;
const SECONDS_PER_BLOCK = 0.4;
const TRANSPORT_BYTES = 700_000;
const GET_BLOCK_PROOF = '449cea8a';

/** What the client's process has to know, sent once the server listens. */
export interface Ready {
  readonly port: number;
  readonly publicKey: string;
  /** All that follow the same chain, liars first; that of `port` where there is one alone. */
  readonly servers: readonly { readonly port: number; readonly publicKey: string }[];
  readonly checkpoint: Readonly<Record<string, unknown>>;
  /** Unix milliseconds at which block 1 is made, one every 400 ms after it. */
  readonly firstMs: number;
  readonly head: number;
  readonly proofBytes: number;
  readonly proofs: number;
}

/** A set of its own every second epoch, of members that hardly change, as in mainnet. */
function committees(): (epoch: number) => Committee {
  const everyone = makeSigners(
    Array.from({ length: VALIDATORS + 50 }, () => 10n),
    'bench',
  );
  return (epoch) => {
    const turn = epoch >> 1;
    const shifted = [...everyone.slice(turn % everyone.length), ...everyone.slice(0, turn % everyone.length)];
    return { signers: shifted.slice(0, VALIDATORS), main: MAIN, shuffle: true };
  };
}

/** The answers of a cold start, as bytes: making them takes minutes, so they are kept in a file. */
interface ColdAnswers {
  readonly checkpoint: Readonly<Record<string, unknown>>;
  readonly info: string;
  readonly header: string;
  /** By the number of the block where each one begins. */
  readonly proofs: Readonly<Record<string, string>>;
  readonly head: number;
}

function makeColdAnswers(file: string): ColdAnswers {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ColdAnswers; // written below
  const chain = new LiteChain({ length: COLD_LINKS, keyEvery: 1, name: 'bench', committeeOf: committees() });
  const proofs: Record<string, string> = {};
  for (let at = 0; at < COLD_LINKS; at += 16) proofs[at] = chain.proof(at, COLD_LINKS).toString('base64');
  const answers = {
    checkpoint: checkpointToJson(startOf(chain)),
    info: chain.masterchainInfoExt().toString('base64'),
    header: chain.header(COLD_LINKS).toString('base64'),
    proofs,
    head: COLD_LINKS,
  };
  writeFileSync(file, JSON.stringify(answers));
  return answers;
}

const bytes = (base64: string) => Buffer.from(base64, 'base64');

function ready(port: number, publicKey: Uint8Array, more: Partial<Ready>): void {
  const told: Ready = {
    port,
    publicKey: encodeHex(publicKey),
    servers: [{ port, publicKey: encodeHex(publicKey) }],
    checkpoint: {},
    firstMs: 0,
    head: 0,
    proofBytes: 0,
    proofs: 0,
    ...more,
  };
  process.send?.(told);
}

async function serveCold(file: string, delayMs: number): Promise<void> {
  const { checkpoint, info, header, proofs, head } = makeColdAnswers(file);
  const ready79 = new Map(Object.entries(proofs).map(([at, text]) => [Number(at), bytes(text)]));
  const headInfo = bytes(info);
  const answer = async ({ constructorId, request }: LiteAsked) => {
    if (constructorId === 'df71a670') {
      // The server's time, as of now: 4 of constructor, 16, an id of 80, the head's time.
      const now = Buffer.from(headInfo);
      now.writeUInt32LE(Math.floor(Date.now() / 1000), 104);
      return now;
    }
    if (constructorId !== GET_BLOCK_PROOF) return bytes(header);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return ready79.get(request.readUInt32LE(8 + 12));
  };
  const standIn = await startLiteStandIn({ answer });
  const proofBytes = [...ready79.values()].reduce((sum, { length }) => sum + length, 0);
  ready(standIn.port, standIn.publicKey, { checkpoint, head, proofBytes, proofs: ready79.size });
}

/** As little work a frame as there can be: the client is what is measured, and both share the machine. */
async function serveTransport(): Promise<void> {
  const time = Buffer.from('0d0053e900000000', 'hex');
  const frame = plainFrame(answerMessage(Buffer.alloc(32), Buffer.alloc(TRANSPORT_BYTES, 7)), Buffer.alloc(32));
  const queryIdAt = 4 + 32 + 4; // behind length, nonce and constructor
  const standIn = await startLiteStandIn({
    answer: () => time,
    deliver(peer, message, { constructorId, queryId }) {
      if (constructorId === '345aad16') return peer.send(message);
      queryId.copy(frame, queryIdAt);
      createHash('sha256')
        .update(frame.subarray(4, -32))
        .digest()
        .copy(frame, frame.length - 32);
      peer.socket.write(peer.encrypt(frame));
    },
  });
  ready(standIn.port, standIn.publicKey, { proofBytes: TRANSPORT_BYTES });
}

/** Blocks come every 400 ms. Told to, the first server goes away for a while. Liars answer before honest ones that are asked in order. */
async function serveFollow(seconds: number, honest: number, liars: number): Promise<void> {
  const length = Math.ceil(seconds / SECONDS_PER_BLOCK) + 200;
  const firstUtime = Math.floor(Date.now() / 1000) + 90; // until then it is made
  const chain = new LiteChain({
    length,
    keyEvery: 400,
    name: 'bench',
    committeeOf: committees(),
    firstUtime,
    blockSeconds: SECONDS_PER_BLOCK,
  });
  const firstMs = firstUtime * 1000;
  const step = () => {
    chain.head = Math.max(1, Math.min(length, Math.floor((Date.now() - firstMs) / (SECONDS_PER_BLOCK * 1000)) + 1));
  };
  setInterval(step, 10);
  step();
  const seed = Buffer.alloc(32, 9);
  const answer = async (asked: LiteAsked) => {
    try {
      return await chain.answer(asked);
    } catch {
      return liteError(651, 'a back link, and this chain has no states'); // a liar asks for one
    }
  };
  let standIn = await startLiteStandIn({ answer, seed });
  const { port, publicKey } = standIn;
  process.on('message', (restMs: number) => {
    void (async () => {
      await standIn.close();
      await new Promise((resolve) => setTimeout(resolve, restMs));
      standIn = await startLiteStandIn({ answer, seed, port });
      process.send?.('back');
    })();
  });
  while (chain.head < 50) await new Promise((resolve) => setTimeout(resolve, 50));
  const checkpoint = checkpointToJson(startOf(chain));
  const others = await Promise.all(Array.from({ length: honest - 1 }, () => startLiteStandIn({ answer })));
  const lying = await Promise.all(Array.from({ length: liars }, (_, at) => startLiar(standIn.server, at + 1)));
  const servers = [...lying, standIn, ...others].map(({ server }) => ({
    port: server.port,
    publicKey: encodeHex(server.publicKey),
  }));
  ready(port, publicKey, { checkpoint, firstMs, head: length, proofBytes: chain.proof(0, 5).length, servers });
}

const [kind, ...rest] = process.argv.slice(2);
if (kind === 'cold') await serveCold(rest[0]!, Number(rest[1]));
else if (kind === 'transport') await serveTransport();
else if (kind === 'follow') await serveFollow(Number(rest[0]), Number(rest[1] ?? 1), Number(rest[2] ?? 0));
