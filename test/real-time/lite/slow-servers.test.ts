/** Servers that cost a call its time: that name blocks which nobody has, that answer in small pieces, or not at all. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError } from '../../../src/core/base/errors.ts';
import { certifyTransaction } from '../../../src/net/lite/certify.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { type DepositsOptions, depositsOf } from '../../../src/net/lite/deposits.ts';
import { followLite } from '../../../src/net/lite/follow-lite.ts';
import { proveAccount, proveConfig, proveTransaction } from '../../../src/net/lite/prove-facts.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import type { FactOptions, SyncStall } from '../../../src/net/lite/sync-options.ts';
import { VAULT } from '../../helpers/deposits.ts';
import { liteServers, lookedUp } from '../../helpers/lite-servers.ts';
import type { LiteAsked } from '../../helpers/lite-stand-in.ts';
import { type Bridge, startBridgeAt } from '../../helpers/start-bridge.ts';

const BLOCKS = 14;
const HISTORY = 'a1e7401c';
const SHARD_PROOF = '5003a64c';
const options = { maxHeadAgeSeconds: 3600 };
const serve = liteServers();
let bridge: Bridge;
let honest: LiteServerClient;
let lt: bigint;

beforeAll(async () => {
  bridge = await startBridgeAt(BLOCKS, { 7: 20, 9: 20 });
  ({ lt } = bridge.network.deposits[0]!);
  honest = connectLite(bridge.lite.server);
});
afterAll(async () => {
  honest.close();
  await bridge.close();
});

/** Answers as an honest server, but lists the shard's block in a masterchain block of this number. */
const listedIn = (seqno: number, change: (asked: LiteAsked, answer: Buffer) => Buffer = (_, answer) => answer) =>
  serve(async (asked) => {
    const answer = Buffer.from(await bridge.network.answer(asked));
    if (asked.constructorId === SHARD_PROOF) answer.writeUInt32LE(seqno, 16);
    return change(asked, answer);
  });

describe('a certificate', () => {
  it('waits for no block above the head, however many servers name one, and whatever heads they name', async () => {
    const high = 0x7ffffff0;
    const withHead = (asked: LiteAsked, answer: Buffer) => {
      if (asked.constructorId === 'df71a670') answer.writeUInt32LE(high + 9, 32);
      return answer;
    };
    const liars = [await listedIn(high), await listedIn(high + 1, withHead), await listedIn(high + 2, withHead)];
    const servers = [...liars.map(({ client }) => client), honest];
    const wanted = { account: VAULT, lt };
    const { fact } = await certifyTransaction(servers, bridge.network.checkpoint, wanted, options);
    expect(fact).toMatchObject({ found: true, lt });
    for (const { asked } of [...liars.map(({ standIn }) => standIn), bridge.lite]) {
      const waits = asked.filter(({ waitFor }) => (waitFor?.seqno ?? 0) > BLOCKS && (waitFor?.seqno ?? 0) < high + 9);
      expect(waits).toEqual([]);
    }
    expect(lookedUp(bridge.lite).filter((seqno) => seqno > BLOCKS && seqno < high + 9)).toEqual([]);
  });

  it('is made of a block that only one server has yet', async () => {
    const behind = await serve(async (asked) => {
      const answer = Buffer.from(await bridge.network.answer(asked));
      if (asked.constructorId === 'df71a670') answer.writeUInt32LE(5, 32);
      return answer;
    });
    const servers = [behind.client, honest];
    const { fact } = await certifyTransaction(servers, bridge.network.checkpoint, { account: VAULT, lt }, options);
    expect(fact.found).toBe(true);
  });
});

async function scan(servers: readonly LiteServerClient[], over: Partial<DepositsOptions> = {}) {
  const found: bigint[] = [];
  const given = { afterLt: 0n, ...options, ...over };
  for await (const one of depositsOf(servers, bridge.network.checkpoint, VAULT, given)) found.push(one.lt);
  return found;
}
const pagesOf = (asked: readonly LiteAsked[]) => asked.filter(({ constructorId }) => constructorId === HISTORY).length;

describe('a scan', () => {
  it('asks a server that gives one transaction a page once, where another one gives more', async () => {
    const dripping = await serve(async (asked) => {
      const request = Buffer.from(asked.request);
      if (asked.constructorId === HISTORY) request.writeUInt32LE(1, 4);
      return await bridge.network.answer({ ...asked, request });
    });
    const slower = await serve(async (asked) => {
      if (asked.constructorId !== HISTORY) await new Promise((resolve) => setTimeout(resolve, 20)); // the other proves the head
      return await bridge.network.answer(asked);
    });
    const all = bridge.network.deposits.map(({ lt }) => lt);
    expect(await scan([dripping.client, slower.client])).toEqual(all);
    expect([dripping, slower].map(({ standIn }) => pagesOf(standIn.asked))).toEqual([1, 3]);
    // It is all that there is: the scan goes on with it.
    expect(await scan([dripping.client])).toEqual(all);
  });

  it('reads what it is given when it is called', async () => {
    const given = { afterLt: 0n, ...options };
    const vault = { ...VAULT, address: VAULT.address.slice() };
    const servers = [honest];
    const scanned = depositsOf(servers, bridge.network.checkpoint, vault, given);
    given.afterLt = bridge.network.deposits.at(-1)!.lt;
    vault.address.fill(0);
    servers.length = 0;
    const found: bigint[] = [];
    for await (const one of scanned) found.push(one.lt);
    expect(found).toEqual(bridge.network.deposits.map(({ lt }) => lt));
    const more = { maxOutageMs: 60_000 };
    const clients = [honest];
    const followed = followLite(clients, bridge.network.checkpoint, more);
    more.maxOutageMs = -1;
    clients.length = 0;
    expect((await followed.next()).value).toHaveProperty('header');
    await followed.return(undefined);
    // What cannot be read is told by the first step, as anything else.
    const wrong = depositsOf([honest], bridge.network.checkpoint, VAULT, { afterLt: 5 as never });
    await expect(wrong.next()).rejects.toMatchObject({ code: 'usage/bad-option', path: 'afterLt' });
  });
});

describe('a call that gets no answer', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true }),
  );
  afterEach(() => void vi.useRealTimers());

  /** A client that never answers one kind of question, and says when it is asked. */
  async function mute(name: keyof LiteServerClient) {
    const { client } = await serve((asked) => bridge.network.answer(asked));
    let tell = () => {};
    const asked = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const silent = (...args: readonly unknown[]) =>
      new Promise((_, reject) => {
        const { signal } = args.at(-1) as { signal: AbortSignal };
        signal.addEventListener('abort', () => reject(new SourceError('source/aborted', 'stopped')));
        tell();
      });
    return { client: { ...client, [name]: silent } as LiteServerClient, asked };
  }

  type Ask = (servers: readonly LiteServerClient[], more: FactOptions) => Promise<unknown>;
  const wanted = () => ({ account: VAULT, lt });
  const trusted = () => bridge.network.checkpoint;
  const calls: readonly [name: string, question: keyof LiteServerClient, ask: Ask][] = [
    ['proveAccount', 'accountState', (servers, more) => proveAccount(servers, trusted(), VAULT, more)],
    ['proveConfig', 'ask', (servers, more) => proveConfig(servers, trusted(), 34, more)],
    ['proveTransaction', 'transaction', (servers, more) => proveTransaction(servers, trusted(), wanted(), more)],
    ['certifyTransaction', 'transaction', (servers, more) => certifyTransaction(servers, trusted(), wanted(), more)],
    ['certifyTransaction', 'ask', (servers, more) => certifyTransaction(servers, trusted(), wanted(), more)],
    ['depositsOf', 'transactions', (servers, more) => scan(servers, more)],
  ];
  it.each(calls)(
    '%s says so in whatever it waits for (%s), and ends after ten minutes',
    async (name, question, ask) => {
      const { client, asked } = await mute(question);
      const told: SyncStall[] = [];
      const run = ask([client], { ...options, onStall: (stall) => void told.push(stall) });
      const ended = expect(run).rejects.toMatchObject({
        code: 'source/timeout',
        message: expect.stringMatching('^no result in 600000 ms '),
      });
      await asked;
      await vi.advanceTimersByTimeAsync(10_000);
      const isBeforeHead = question === 'ask' && name === 'certifyTransaction';
      expect(told).toMatchObject([{ code: isBeforeHead ? 'no-server' : 'not-proven' }]);
      expect(told[0]!.forMs).toBeGreaterThanOrEqual(10_000);
      await vi.advanceTimersByTimeAsync(591_000);
      await ended;
      expect(told.length).toBe(6); // after 10 s, 20 s, 40 s and so on
    },
  );

  it.each(calls)('%s ends with what onStall throws while it waits (%s)', async (_, question, ask) => {
    const { client, asked } = await mute(question);
    const onStall = () => {
      throw new RangeError('mine');
    };
    const ended = expect(ask([client], { ...options, onStall })).rejects.toMatchObject({
      code: 'usage/callback',
      path: 'onStall',
    });
    await asked;
    await vi.advanceTimersByTimeAsync(10_000);
    await ended;
  });

  it('ends at the signal and at the time limit, though its onProgress never returns', async () => {
    const { client } = await serve((asked) => bridge.network.answer(asked));
    for (const ask of [
      (more: object) => syncCheckpoint([client], trusted(), { ...options, ...more }),
      (more: object) => proveAccount([client], trusted(), VAULT, { ...options, ...more }),
      (more: object) => certifyTransaction([client], trusted(), wanted(), { ...options, ...more }),
    ]) {
      const stop = new AbortController();
      const onProgress = () => {
        stop.abort();
        return new Promise<void>(() => {});
      };
      await expect(ask({ onProgress, signal: stop.signal })).rejects.toMatchObject({ code: 'source/aborted' });
      const late = ask({ onProgress: () => new Promise<void>(() => {}), deadlineMs: 500 });
      await expect(late).rejects.toMatchObject({ code: 'source/timeout' });
    }
  });
});
