/** Followers beside liars whose clocks are wrong, while the honest servers are slow to name their heads. */
import { afterEach, expect, it } from 'vitest';
import { connectLite } from '../../../src/net/lite/client.ts';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import type { FollowLiteOptions } from '../../../src/net/lite/follow-lite-options.ts';
import { ForkError } from '../../../src/net/lite/witnesses.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { type LiteAsked, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';

const started: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

const HEAD = 'df71a670';
const LOOKUP = '1ef7c8fa';
const PROOF = '449cea8a';
/** The first bytes of an answer with proofs of a block. */
const PROOF_ANSWER = '48e1a9bb';
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
type Answer = (asked: LiteAsked) => Promise<Uint8Array>;

async function serve(answer: Answer) {
  const standIn = await startLiteStandIn({ answer });
  const client = connectLite(standIn.server);
  started.push(standIn, client);
  return client;
}

/** Follows a chain. @returns the blocks, the codes of warnings and the error, if it ends with one */
async function followed(
  chain: LiteChain,
  answers: Answer[],
  opts: FollowLiteOptions,
  onBlock: (seqno: number) => void,
) {
  const clients = await Promise.all(answers.map(serve));
  const [seen, warned]: [number[], string[]] = [[], []];
  const all: FollowLiteOptions = {
    ...opts,
    engine: oneOffEngine,
    countEachServer: true,
    onWarning: ({ code }) => void warned.push(code),
  };
  try {
    for await (const { header } of followLite(clients, startOf(chain), all)) {
      seen.push(header.seqno);
      onBlock(header.seqno);
    }
  } catch (error) {
    return { seen, warned, error };
  }
  return { seen, warned, error: undefined };
}

it.each([0, 4_000])('a fork by keys in office ends as a fork, though its proof comes after %d ms', async (lateMs) => {
  const options = { length: 30, firstUtime: Math.floor(Date.now() / 1000) - 30, name: 'forked' };
  const chain = new LiteChain(options);
  const fork = new LiteChain({ ...options, forkAt: 14 });
  chain.head = 12;
  let isTurned = false;
  const liar: Answer = async (asked) => await (isTurned ? fork : chain).answer(asked);
  const honest: Answer = async (asked) => {
    if (isTurned && asked.constructorId === HEAD) await wait(6_000);
    if (isTurned && asked.constructorId === PROOF) await wait(lateMs);
    return await chain.answer(asked);
  };
  const { error } = await followed(chain, [liar, liar, honest], { from: 12, to: 20, signEverySeconds: 1 }, (seqno) => {
    if (seqno === 12) {
      isTurned = true;
      fork.clockSkew = -3600;
      chain.head = 20;
      fork.head = 14;
    } else if (fork.head < 20) fork.head++;
  });
  expect(error).toBeInstanceOf(ForkError);
});

it('a fork that is proven late ends the run, though no server answers any more', async () => {
  const options = { length: 20, firstUtime: Math.floor(Date.now() / 1000) - 20, name: 'forked' };
  const chain = new LiteChain(options);
  const fork = new LiteChain({ ...options, forkAt: 14 });
  chain.head = 12;
  let [isTurned, isDown] = [false, false];
  const liar: Answer = async (asked) =>
    isDown ? liteError(500, 'down') : await (isTurned ? fork : chain).answer(asked);
  const honest: Answer = async (asked) => {
    if (isTurned && asked.constructorId === PROOF) await wait(4_000);
    else if (isDown) return liteError(500, 'down');
    return await chain.answer(asked);
  };
  const opts = { from: 12, signEverySeconds: 1, maxOutageMs: 8_000 };
  const { error } = await followed(chain, [liar, honest], opts, (seqno) => {
    isTurned = true;
    isDown = seqno === 15;
    chain.head = 15;
    fork.head = 15;
  });
  expect(error).toBeInstanceOf(ForkError);
});

it('liars with old keys and wrong clocks do not end a run beside honest servers', async () => {
  const halfDay = 43_200;
  const firstUtime = Math.floor(Date.now() / 1000) - 43 * halfDay - 5;
  const options = { length: 44, blockSeconds: halfDay, firstUtime, electedSeconds: 6 * halfDay, name: 'old' };
  const chain = new LiteChain(options);
  const fork = new LiteChain({ ...options, forkAt: 8 });
  chain.head = 42;
  let isTurned = false;
  let slow = 0;
  const honest: Answer = async (asked) => {
    if (isTurned && asked.constructorId === HEAD && slow++ < 2) await wait(900);
    return await chain.answer(asked);
  };
  const liar: Answer = async (asked) => {
    if (isTurned && asked.constructorId === HEAD) return chain.masterchainInfoExt(Math.floor(Date.now() / 1000) - 3600);
    if (isTurned && asked.constructorId === LOOKUP) return await fork.answer(asked);
    const answer = await chain.answer(asked);
    const isProof = Buffer.from(answer.subarray(0, 4)).toString('hex') === PROOF_ANSWER;
    return isTurned && isProof ? await fork.answer(asked) : answer;
  };
  const opts = { from: 42, to: 44, witnesses: 1, signEverySeconds: 3, acceptStaleStart: true };
  const { seen, warned, error } = await followed(chain, [honest, honest, liar, liar], opts, (seqno) => {
    if (seqno !== 42) return;
    isTurned = true;
    fork.head = 44;
    chain.head = 44;
  });
  expect([seen, error]).toEqual([[42, 43, 44], undefined]);
  expect(warned).toContain('old-keys');
});
