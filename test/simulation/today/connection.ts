/** In place of `src/net/lite/connection.ts`: questions are read from their TL and put to the world, answers written as TL. */

import type { Signal } from '../../../src/core/base/runtime-types.ts';
import { blockIdAt, tlBlockId } from '../../../src/core/block/tl-block-id.ts';
import { LITE_SERVER_ERROR, PARTIAL_BLOCK_PROOF } from '../../../src/core/tl/constructors.ts';
import { tlUint32 } from '../../../src/core/tl/writer.ts';
import { ChannelFault } from '../../../src/net/adnl/fault.ts';
import {
  BLOCK_HEADER,
  GET_BLOCK_HEADER,
  GET_BLOCK_PROOF,
  GET_MASTERCHAIN_INFO_EXT,
  LOOKUP_BLOCK,
  MASTERCHAIN_INFO_EXT,
  WAIT_MASTERCHAIN_SEQNO,
} from '../../../src/net/lite-api/constructors.ts';
import type { LiteServer } from '../../../src/net/lite-api/global-config.ts';
import type { Answer, Question } from '../port.ts';
import { port, tokenBytes, uint32At } from './host.ts';

/** Servers of a world are told apart by their ports. */
export const FIRST_PORT = 1000;

function readQuestion(request: Uint8Array): Question {
  const waits = uint32At(request, 0) === WAIT_MASTERCHAIN_SEQNO;
  const wait = waits ? { wait: { seqno: uint32At(request, 4), ms: uint32At(request, 8) } } : undefined;
  const rest = waits ? request.subarray(12) : request;
  switch (uint32At(rest, 0)) {
    case GET_MASTERCHAIN_INFO_EXT:
      return { kind: 'head', ...wait };
    case LOOKUP_BLOCK:
      return { kind: 'lookup', seqno: uint32At(rest, 20), ...wait };
    case GET_BLOCK_HEADER:
      return { kind: 'header', id: blockIdAt(rest, 4), ...wait };
    case GET_BLOCK_PROOF:
      return { kind: 'proof', known: blockIdAt(rest, 8), target: blockIdAt(rest, 88), ...wait };
    default:
      return { kind: 'other', ...wait };
  }
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** What is in each answer about a head. */
const HEAD_START = join(...[MASTERCHAIN_INFO_EXT, 0, 0x101, 15, 0].map(tlUint32));
const HEAD_STATE = join(new Uint8Array(32), tlUint32(-1));

function short(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((1 + data.length) / 4) * 4);
  bytes[0] = data.length;
  bytes.set(data, 1);
  return bytes;
}

function writeAnswer(answer: Exclude<Answer, { kind: 'closed' | 'spoiled' }>): Uint8Array {
  switch (answer.kind) {
    case 'head': {
      const { last, utime, now, zerostate } = answer;
      const times = [tlUint32(utime), tlUint32(Math.floor(now))];
      return join(HEAD_START, tlBlockId(last), ...times, HEAD_STATE, zerostate.rootHash, zerostate.fileHash);
    }
    case 'header':
      return join(tlUint32(BLOCK_HEADER), tlBlockId(answer.id), tlUint32(0), short(tokenBytes(answer.block)));
    case 'proof':
      return tokenBytes(answer.proof, PARTIAL_BLOCK_PROOF);
    case 'error': {
      const text = new TextEncoder().encode(answer.text.slice(0, 200));
      return join(tlUint32(LITE_SERVER_ERROR), tlUint32(answer.code), short(text));
    }
    case 'garbage':
      return new Uint8Array(8);
    case 'bytes':
      return answer.bytes;
  }
}

export interface ConnectionOptions {
  readonly open: unknown;
  readonly clientSeed?: Uint8Array;
  readonly onEnd: (connection: Connection) => void;
}

export class Connection {
  readonly #server: number;
  readonly #onEnd: (connection: Connection) => void;
  readonly #waiting = new Set<(fault: unknown) => void>();
  #ended: ChannelFault | undefined;
  isReady = false;

  constructor(server: LiteServer, { onEnd }: ConnectionOptions) {
    this.#server = server.port - FIRST_PORT;
    this.#onEnd = onEnd;
  }

  ask(request: Uint8Array, signal: Signal): Promise<Uint8Array> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const forget = () => {
        this.#waiting.delete(fail);
        signal.removeEventListener('abort', stop);
        takeBack();
      };
      const fail = (fault: unknown) => {
        forget();
        reject(fault);
      };
      const stop = () => fail(signal.reason);
      let takeBack = () => {};
      this.#waiting.add(fail);
      signal.addEventListener('abort', stop, { once: true });
      takeBack = port().ask(this.#server, readQuestion(request), (answer) => {
        if (answer.kind === 'closed' || answer.kind === 'spoiled') return this.close();
        forget();
        this.isReady = true;
        resolve(writeAnswer(answer));
      });
    });
  }

  close(why = new ChannelFault('source/upstream', 'the connection was closed')): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    for (const fail of [...this.#waiting]) fail(why);
    this.#onEnd(this);
  }
}
