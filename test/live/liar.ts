/**
 * A lite server that lies, in front of an honest one: it takes the honest answer and, at most questions, sends another one. It has no
 * keys, so it must neither be believed nor put an honest server out, and it must not hold up a client that has honest servers too.
 */

import { sleep } from '../../src/net/async/timer.ts';
import { connectLite } from '../../src/net/lite/client.ts';
import type { LiteServer } from '../../src/net/lite-api/global-config.ts';
import { ASKS } from '../helpers/lite-servers.ts';
import { type LiteAsked, type LiteStandIn, liteError, startLiteStandIn } from '../helpers/lite-stand-in.ts';
import { u32 } from '../helpers/tl-answers.ts';

const BLOCK_ID_BYTES = 80;
/** In liteServer.masterchainInfoExt: after its constructor, mode, version and capabilities. */
const HEAD_AT = 20;
/** In liteServer.getBlockProof: after its constructor and mode. */
const KNOWN_AT = 8;
const TARGET_AT = KNOWN_AT + BLOCK_ID_BYTES;
/** In liteServer.partialBlockProof: `complete`. */
const COMPLETE_AT = 4;
const TRUE = Buffer.from('b5757299', 'hex');
const FALSE = Buffer.from('379779bc', 'hex');
const SEQNO_IN_ID = 12;
const MOST_REMEMBERED = 256;

/** A linear congruential generator: the same lies in the same order for the same questions. */
function counter(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Liar {
  readonly server: LiteServer;
  /** How often each lie was told. */
  readonly told: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** @param honest the server that the true answers come from */
export async function startLiar(honest: LiteServer, seed = 1): Promise<Liar> {
  const client = connectLite(honest);
  const below = counter(seed);
  const told = new Map<string, number>();
  /** Ids of blocks, and whole answers, that the honest server gave before. */
  const ids: Buffer[] = [];
  const answers = new Map<string, Buffer[]>();
  const remember = <T>(list: T[], one: T) => {
    list.push(one);
    if (list.length > MOST_REMEMBERED) list.shift();
  };
  const any = <T>(list: readonly T[]): T | undefined => list[below(list.length)];

  const patched = (answer: Buffer, at: number, bytes: Uint8Array) => {
    const copy = Buffer.from(answer);
    copy.set(bytes, at);
    return copy;
  };
  /** The proof that an honest server gives between other blocks than those asked for. */
  const proofTo = async (request: Buffer, at: number) => {
    const other = any(ids);
    return other === undefined ? undefined : Buffer.from(await client.ask(patched(request, at, other)));
  };

  type Lie = (truth: Buffer, asked: LiteAsked) => Buffer | undefined | Promise<Buffer | undefined>;
  const everywhere: Record<string, Lie> = {
    truth: (truth) => truth,
    busy: () => liteError(-429, 'too many requests'),
    silence: () => undefined,
    late: async (truth) => {
      await sleep(3000 + below(6000));
      return truth;
    },
    garbage: (truth) => Buffer.alloc(truth.length, 0xa5),
    'an older truth': (_, { constructorId }) => any(answers.get(constructorId) ?? []),
  };
  const headSeqnoAt = HEAD_AT + SEQNO_IN_ID;
  const lies: Record<string, Record<string, Lie>> = {
    [ASKS.head]: {
      ...everywhere,
      'a block on no chain': (truth) => patched(truth, headSeqnoAt + 4, Buffer.alloc(32, below(256))),
      'a block that is not there yet': (truth) =>
        patched(truth, headSeqnoAt, u32(truth.readUInt32LE(headSeqnoAt) + 1 + below(40))),
      'the last of all seqnos': (truth) => patched(truth, headSeqnoAt, u32(2 ** 31 - 1)),
      'a wrong clock': (truth) => patched(truth, HEAD_AT + BLOCK_ID_BYTES + 4, u32(1 + below(2 ** 31))),
    },
    [ASKS.proof]: {
      ...everywhere,
      'the proof of another block': (_, { request }) => proofTo(request, TARGET_AT),
      'a proof from another block': (_, { request }) => proofTo(request, KNOWN_AT),
      'the way back': (_, { request }) => {
        const known = request.subarray(KNOWN_AT, TARGET_AT);
        const target = request.subarray(TARGET_AT);
        return client
          .ask(patched(patched(request, KNOWN_AT, target), TARGET_AT, known))
          .then((answer) => Buffer.from(answer));
      },
      'not complete': (truth) => patched(truth, COMPLETE_AT, FALSE),
      complete: (truth) => patched(truth, COMPLETE_AT, TRUE),
      'a flipped bit': (truth) => {
        const at = below(truth.length);
        return patched(truth, at, Uint8Array.of(truth[at]! ^ (1 << below(8))));
      },
    },
    [ASKS.lookup]: {
      ...everywhere,
      'the header of another block': (_, { request }) =>
        client
          .ask(patched(request, 20, u32(Math.max(1, request.readUInt32LE(20) - 1 - below(3)))))
          .then((answer) => Buffer.from(answer)),
    },
  };

  async function answer(asked: LiteAsked): Promise<Buffer | undefined> {
    const { request, constructorId, waitFor } = asked;
    if (waitFor !== undefined) await sleep(Math.min(waitFor.timeoutMs, 1000));
    let truth: Buffer;
    try {
      truth = Buffer.from(await client.ask(request, { retries: 0 }));
    } catch {
      return liteError(651, 'not found');
    }
    if (constructorId === ASKS.head) remember(ids, truth.subarray(HEAD_AT, HEAD_AT + BLOCK_ID_BYTES));
    const earlier = answers.get(constructorId) ?? [];
    answers.set(constructorId, earlier);
    remember(earlier, truth);
    const kinds = Object.entries(lies[constructorId] ?? everywhere);
    const [name, lie] = kinds[below(kinds.length)]!;
    told.set(name, (told.get(name) ?? 0) + 1);
    try {
      return (await lie(truth, asked)) ?? (name === 'silence' ? undefined : truth);
    } catch {
      return liteError(651, 'not found'); // the honest server has no such answer
    }
  }

  const standIn: LiteStandIn = await startLiteStandIn({ answer });
  return {
    server: standIn.server,
    told,
    async close() {
      await standIn.close();
      client.close();
    },
  };
}
