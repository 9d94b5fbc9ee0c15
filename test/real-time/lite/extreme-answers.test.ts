/** What a server says is never a mistake of the caller: every member of every answer at its extremes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FinalityError, UsageError } from '../../../src/core/base/errors.ts';
import { sleep } from '../../../src/net/async/timer.ts';
import { certifyTransaction } from '../../../src/net/lite/certify.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { depositsOf } from '../../../src/net/lite/deposits.ts';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import { proveOlderBlock } from '../../../src/net/lite/prove.ts';
import { proveAccount, proveConfig, proveTransaction } from '../../../src/net/lite/prove-facts.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { waitForFinal } from '../../../src/net/lite/wait-for-final.ts';
import { WALLET } from '../../helpers/bridge-network.ts';
import { VAULT } from '../../helpers/deposits.ts';
import { type Extreme, extremesOf, withExtreme } from '../../helpers/lite-members.ts';
import { liteServers } from '../../helpers/lite-servers.ts';
import type { LiteAsked } from '../../helpers/lite-stand-in.ts';
import { oneOffEngine } from '../../helpers/one-off-engine.ts';
import { ownMs } from '../../helpers/own-time.ts';
import { isFull } from '../../helpers/share.ts';
import { type Bridge, startBridgeAt } from '../../helpers/start-bridge.ts';

const options = { maxHeadAgeSeconds: 3600, deadlineMs: 60_000 };
const serve = liteServers();
let bridge: Bridge;
let lt: bigint;
let hash: Uint8Array;

beforeAll(async () => {
  bridge = await startBridgeAt(14, { 7: 1 });
  const { client } = await serve((asked) => bridge.network.answer(asked));
  ({ lt } = bridge.network.deposits[0]!);
  const { fact } = await proveTransaction([client], bridge.network.checkpoint, { account: VAULT, lt }, options);
  if (!fact.found) throw new Error('expected the deposit');
  hash = fact.hash;
});
afterAll(() => bridge.close());

/** How long a liar alone may keep a call. */
const ALONE = { ...options, deadlineMs: 5000 };
/** How long it may keep one beside an honest server, in turns of this process: a busy machine may take as long as it wants. */
const HELD_UP_MS = 3000;

type Call = (servers: readonly LiteServerClient[], given: typeof options) => Promise<unknown>;

/** Every call that asks lite servers, and the kinds of answers that it reads as no other does. */
const CALLS: Readonly<Record<string, readonly [call: Call, kinds: readonly string[]]>> = {
  syncCheckpoint: [
    (servers, given) => syncCheckpoint(servers, bridge.network.checkpoint, { ...given, engine: oneOffEngine }),
    ['head', 'proof'],
  ],
  'syncCheckpoint to a number': [
    (servers, given) => syncCheckpoint(servers, bridge.network.checkpoint, { ...given, engine: oneOffEngine, to: 12 }),
    ['lookup', 'proof'],
  ],
  proveOlderBlock: [
    async (servers, given) => {
      const head = await syncCheckpoint(servers, bridge.network.checkpoint, { ...given, engine: oneOffEngine });
      return await proveOlderBlock(servers, head, 5, { deadlineMs: given.deadlineMs });
    },
    ['lookup', 'proof'],
  ],
  followLite: [
    async (servers) => {
      const signal = AbortSignal.timeout(1500);
      const given = { signal, maxOutageMs: 300, engine: oneOffEngine };
      for await (const one of followLite(servers, bridge.network.checkpoint, given)) return one;
      return undefined;
    },
    ['head'],
  ],
  proveAccount: [(servers, given) => proveAccount(servers, bridge.network.checkpoint, VAULT, given), ['account']],
  proveConfig: [(servers, given) => proveConfig(servers, bridge.network.checkpoint, 34, given), ['config']],
  'proveTransaction by lt': [
    (servers, given) => proveTransaction(servers, bridge.network.checkpoint, { account: VAULT, lt }, given),
    ['lookup by lt', 'shard', 'transaction'],
  ],
  'proveTransaction by hash': [
    (servers, given) =>
      proveTransaction(servers, bridge.network.checkpoint, { account: VAULT, hash, afterLt: 0n }, given),
    ['history', 'shard', 'lookup by lt'],
  ],
  certifyTransaction: [
    (servers, given) =>
      certifyTransaction(servers, bridge.network.checkpoint, { account: VAULT, lt, wallet: WALLET }, given),
    ['lookup by lt', 'shard', 'transaction', 'account'],
  ],
  depositsOf: [
    async (servers, given) => {
      const from = { afterLt: 0n, wallet: WALLET, ...given };
      for await (const one of depositsOf(servers, bridge.network.checkpoint, VAULT, from)) return one;
      return undefined;
    },
    ['history', 'account'],
  ],
  'waitForFinal by number': [
    (servers, given) => waitForFinal(servers, bridge.network.checkpoint, { seqno: 12 }, given),
    ['head', 'lookup'],
  ],
  'waitForFinal of a shard block': [
    async (servers, given) => {
      const account = { account: VAULT, lt };
      const { client } = await serve((asked) => bridge.network.answer(asked));
      const { fact } = await proveTransaction([client], bridge.network.checkpoint, account, options);
      const id = fact.block;
      return await waitForFinal(servers, bridge.network.checkpoint, { id }, given);
    },
    ['shard'],
  ],
};

const KINDS: Readonly<Record<string, string>> = {
  df71a670: 'head',
  '449cea8a': 'proof',
  '250e896b': 'account',
  a1e7401c: 'history',
  ea240fd4: 'transaction',
  '5003a64c': 'shard',
  '191c112a': 'config',
};
function kindOf({ constructorId, request }: LiteAsked): string {
  if (constructorId !== '1ef7c8fa') return KINDS[constructorId] ?? '';
  return request.readUInt32LE(4) === 2 ? 'lookup by lt' : 'lookup';
}

/** The first honest answer of each kind that a call is given. */
async function answersTo(call: Call): Promise<ReadonlyMap<string, Buffer>> {
  const seen = new Map<string, Buffer>();
  const { client } = await serve(async (asked) => {
    const answer = await bridge.network.answer(asked);
    if (!seen.has(kindOf(asked))) seen.set(kindOf(asked), answer);
    return answer;
  });
  await call([client], options);
  return seen;
}

/** What is thrown by a call over a server whose answers of a kind are changed, and over honest ones that are slower. */
async function thrownBy(call: Call, kind: string, extreme: Extreme, honest: number): Promise<unknown> {
  const liar = await serve(async (asked) => {
    const answer = await bridge.network.answer(asked);
    return kindOf(asked) === kind ? withExtreme(answer, extreme) : answer;
  });
  const others = Array.from({ length: honest }, () =>
    serve(async (asked) => {
      if (kindOf(asked) === 'head') await sleep(5);
      return await bridge.network.answer(asked);
    }),
  );
  const all = [liar, ...(await Promise.all(others))];
  try {
    await call(
      all.map(({ client }) => client),
      honest === 0 ? ALONE : options,
    );
    return undefined;
  } catch (error) {
    return error;
  } finally {
    for (const { client, standIn } of all) {
      client.close();
      await standIn.close();
    }
  }
}

/** The numbers of blocks, which are what is asked for next. */
const isNumber = ({ name }: Extreme) => /(?:last|masterchain|id|to|ids\[0\])\.seqno$/.test(name);
const isServers = (error: unknown) =>
  error === undefined || (error instanceof FinalityError && !(error instanceof UsageError));

/** Works on a list, some at a time: most of a call is spent waiting. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** `npm test` tries two values of every number of a block, and one in so many of the others. */
const NTH = 61;
const QUICK = ['00000000', '00000080'];
const isQuick = (extreme: Extreme, k: number) =>
  isNumber(extreme) ? QUICK.includes(extreme.value.toString('hex')) : k % NTH === 0;

describe.each(Object.keys(CALLS))('%s', (name) => {
  it('throws the error of a server for whatever one says, and asks the next one', async () => {
    const [call, kinds] = CALLS[name]!;
    const answers = await answersTo(call);
    const tried = kinds.flatMap((kind) => {
      const answer = answers.get(kind);
      if (answer === undefined) throw new Error(`${name} asks for no ${kind}`);
      return extremesOf(answer).map((extreme) => ({ kind, extreme }));
    });
    const faults: string[] = [];
    const some = tried.filter(({ extreme }, k) => isFull || isQuick(extreme, k));
    await each(some, async ({ kind, extreme }) => {
      const words = `${kind} ${extreme.name} ${extreme.value.toString('hex')}`;
      const alone = await thrownBy(call, kind, extreme, 0);
      if (!isServers(alone)) faults.push(`${words}: ${alone}`);
      if (!isNumber(extreme)) return;
      const start = ownMs();
      const beside = await thrownBy(call, kind, extreme, 1);
      const heldUpMs = ownMs() - start;
      if (beside !== undefined) faults.push(`${words}, beside an honest server: ${beside}`);
      if (heldUpMs > HELD_UP_MS) faults.push(`${words}: holds up an honest server for ${heldUpMs} ms`);
    });
    expect(faults).toEqual([]);
    expect(some.length).toBeGreaterThan(1);
  });
});
