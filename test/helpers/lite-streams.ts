/** Whatever a server sends: never a result that was not sent, never a crash, never more memory than came. */
import { expect } from 'vitest';
import { ChannelFault } from '../../src/net/adnl/fault.ts';
import { AdnlSession } from '../../src/net/adnl/session.ts';
import { openHandshake, plainFrame, publicKeyOf } from './lite-stand-in.ts';
import { tlBytes } from './tl-answers.ts';

const SEED = new Uint8Array(32).fill(5);
const SERVER_KEY = publicKeyOf(SEED);
/** Bytes of an empty frame. */
export const FIRST = 68;

/** The same random bytes each time, so that a recorded stream fits. */
function counted(): (count: number) => Uint8Array {
  let next = 0;
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      next = (next * 73 + 41) & 255;
      return next;
    });
}

const openSession = () => new AdnlSession({ serverKey: SERVER_KEY, nowMs: 0, random: counted() });

const nonce = Buffer.alloc(32, 3);
export const ANSWERS: readonly Buffer[] = ['0d0053e9a3ac3062', 'e591045a00000000010100000f00000000000000a3ac3062'].map(
  (hex) => Buffer.from(hex, 'hex'),
);

/** A whole session as the server sends it: the first frame, then an answer to each of two questions. */
function record(): Buffer {
  const session = openSession();
  const keys = openHandshake(SEED, session.packet)!; // made for this server
  const first = keys.toClient.update(plainFrame(Buffer.alloc(0), nonce));
  session.receive(first, 0);
  const frames = ANSWERS.map((answer, at) => {
    const id = Buffer.from(session.ask(Uint8Array.of(at)).question, 'hex');
    return plainFrame(Buffer.concat([Buffer.from('1684ac0f', 'hex'), id, tlBytes(answer)]), nonce);
  });
  return Buffer.concat([first, ...frames.map((frame) => keys.toClient.update(frame))]);
}
export const recorded: Buffer = record();

/** Plays a stream to a fresh client that asks its two questions as soon as it may. @returns what it took for answers */
export function play(stream: Uint8Array, cuts: readonly number[] = []): Buffer[] {
  const session = openSession();
  const answers: Buffer[] = [];
  let hasAsked = false;
  // The questions go out when the first frame is in, so the stream is always cut there.
  const ends = [...cuts.map((cut) => cut % (stream.length + 1)), Math.min(FIRST, stream.length), stream.length];
  ends.sort((a, b) => a - b);
  let at = 0;
  try {
    for (const end of ends) {
      const received = session.receive(stream.subarray(at, end), 1);
      at = end;
      answers.push(...received.answers.map(({ bytes }) => Buffer.from(bytes)));
      if (received.isReady && !hasAsked) {
        hasAsked = true;
        for (const index of ANSWERS.keys()) session.ask(Uint8Array.of(index));
      }
      if (session.heldBytes > 2 * stream.length + 64 * 1024) throw new Error('more memory than came');
    }
    for (let nowMs = 0; nowMs < 30_000; nowMs += 5000) session.tick(nowMs);
  } catch (error) {
    if (!(error instanceof ChannelFault)) throw error;
  }
  return answers;
}

/** Plays streams of made-up bytes: none of them gives an answer. */
export function playRandom(runs: number): void {
  let state = 1;
  for (let run = 0; run < runs; run++) {
    const stream = Uint8Array.from({ length: run % 600 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 16;
    });
    expect(play(stream)).toEqual([]);
  }
}

/** Plays the recorded stream with one bit changed: no answer that was not sent, and never all of them. */
export function playFlipped(runs: number): void {
  const sent = new Set(ANSWERS.map((answer) => answer.toString('hex')));
  const bits = 8 * recorded.length;
  for (let run = 0; run < runs; run++) {
    const bit = (run * 7919) % bits;
    const stream = Uint8Array.from(recorded);
    stream[bit >> 3]! ^= 1 << (bit & 7);
    const answers = play(stream, [(run * 131) % stream.length]);
    expect(answers.length).toBeLessThan(ANSWERS.length);
    for (const answer of answers) expect(sent).toContain(answer.toString('hex'));
  }
}
