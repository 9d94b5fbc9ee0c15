import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError, type SourceErrorCode } from '../../../src/core/base/errors.ts';
import type { Questions } from '../../../src/net/lite/budget.ts';
import type { LiteServerClient } from '../../../src/net/lite/client.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import type { LiteAskOptions } from '../../../src/net/lite/requester.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';

const MIB = 1_048_576;
const chain = new LiteChain({ length: 20 });

/** A server that answers as told, and what it was asked with. */
function serverAt(port: number, answer: () => { readonly tl: Uint8Array }) {
  const asked: LiteAskOptions[] = [];
  const give = async (...given: readonly unknown[]) => {
    asked.push(given.at(-1) as LiteAskOptions);
    return answer();
  };
  const client = {
    name: `lite://127.0.0.1:${port}`,
    server: { host: '127.0.0.1', port, publicKey: new Uint8Array(32).fill(port) },
    masterchainInfo: give,
    lookup: give,
    blockProof: give,
    accountState: give,
    transaction: give,
    transactions: give,
    shardProof: give,
    ask: async (...given: readonly unknown[]) => (await give(...given)).tl,
    close: vi.fn(),
  } as unknown as LiteServerClient;
  return { client, asked };
}
const ofBytes = (bytes: number) => () => ({ tl: new Uint8Array(bytes) });
const failing = (code: SourceErrorCode, options: { readonly attempts?: number; readonly body?: Uint8Array } = {}) => {
  return () => {
    throw new SourceError(code, 'words', options);
  };
};
const lookup = (seqno: number, opts: LiteAskOptions = {}) => {
  return (one: Questions) => one.lookup(seqno, opts);
};
const proof = (from: number, to: number) => (one: Questions) => one.blockProof(chain.id(from), chain.id(to));

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('what a server answered', () => {
  it('about a block is not asked of it again in the run, and of the others it is', async () => {
    const [one, other] = [serverAt(1, ofBytes(100)), serverAt(2, ofBytes(100))];
    const fleet = new Fleet([one.client, other.client]);
    const first = await fleet.ask(one.client, lookup(7));
    for (let time = 0; time < 5; time++) expect(await fleet.ask(one.client, lookup(7))).toBe(first);
    expect(one.asked).toHaveLength(1);
    expect(await fleet.query(one.client, lookup(7))).toBe(first);
    expect(await fleet.ask(other.client, lookup(7))).not.toBe(first);
    await fleet.ask(one.client, lookup(8));
    expect([one.asked.length, other.asked.length]).toEqual([2, 1]);
  });

  it('to be a proof is not asked again, and whoever changes what is handed out does not change what is remembered', async () => {
    const tl = Uint8Array.from(chain.proof(0, 8));
    const { client, asked } = serverAt(1, () => ({ tl: Uint8Array.from(tl) }));
    const fleet = new Fleet([client]);
    for (let time = 0; time < 3; time++) {
      const answered = await fleet.ask(client, proof(0, 8));
      expect(answered.tl).toEqual(tl);
      answered.tl.fill(0);
    }
    expect(asked).toHaveLength(1);
    await fleet.ask(client, proof(0, 9));
    expect(asked).toHaveLength(2);
  });

  it('is remembered up to a few MiB, the oldest is forgotten first, and what is large is not remembered', async () => {
    const { client, asked } = serverAt(1, ofBytes(MIB));
    const fleet = new Fleet([client]);
    for (const seqno of [1, 2, 3, 4, 5]) await fleet.ask(client, lookup(seqno));
    await fleet.ask(client, lookup(2));
    expect(asked).toHaveLength(5);
    await fleet.ask(client, lookup(1));
    expect(asked).toHaveLength(6);
    const large = serverAt(2, ofBytes(MIB + 1));
    const other = new Fleet([large.client]);
    for (let time = 0; time < 2; time++) await other.ask(large.client, lookup(1));
    expect(large.asked).toHaveLength(2);
  });

  it('does it good only once', async () => {
    const { client } = serverAt(1, ofBytes(100));
    const other = serverAt(2, ofBytes(100));
    const fleet = new Fleet([client, other.client]);
    await fleet.ask(client, lookup(1));
    for (let time = 0; time < 2; time++) fleet.rest(client, new Error('no answer'));
    for (let time = 0; time < 2; time++) await fleet.ask(client, lookup(1));
    fleet.rest(client, new Error('no answer'));
    vi.advanceTimersByTime(120_000 - 1);
    expect(fleet.usable()).toEqual([other.client]);
  });
});

describe('one question', () => {
  async function askedOf(answer: () => never, times: number, length: 'run' | 'lasting' = 'run') {
    const { client, asked } = serverAt(1, answer);
    const fleet = new Fleet([client], length);
    const errors: SourceError[] = [];
    const again = async (count: number) => {
      for (let time = 0; time < count; time++)
        await fleet.ask(client, lookup(7, { retries: 1, serverMayWait: true })).catch((error) => errors.push(error));
    };
    await again(times);
    return { asked, errors, fleet, client, again };
  }

  it.each(['source/not-ready', 'source/other-chain', 'source/missing'] as const)(
    'is put to a server three times at most where it answers %s',
    async (code) => {
      const { asked, errors, client, fleet } = await askedOf(failing(code), 6);
      expect(asked).toHaveLength(3);
      expect(errors).toHaveLength(6);
      expect(errors.at(-1)).toMatchObject({ code, attempts: 0, endpoint: client.name });
      expect(errors.at(-1)!.message).toBe('words');
      await fleet.ask(client, lookup(8)).catch(() => {});
      await fleet.ask(client, proof(0, 7)).catch(() => {});
      expect(asked).toHaveLength(5);
    },
  );

  it('is put to it once more only, without a wait, where it has one answer left', async () => {
    const { asked } = await askedOf(failing('source/not-ready', { attempts: 2 }), 4);
    expect(asked).toMatchObject([
      { retries: 1, serverMayWait: true },
      { retries: 0, serverMayWait: false },
    ]);
    expect(asked).toHaveLength(2);
  });

  it.each(['source/timeout', 'source/upstream', 'source/rate-limited', 'source/aborted'] as const)(
    'that had no answer is not counted: %s',
    async (code) => {
      const { asked } = await askedOf(failing(code, { attempts: 2 }), 6);
      expect(asked).toHaveLength(6);
    },
  );

  it('counts the answers of all its attempts, however it ended', async () => {
    const { client, asked } = serverAt(1, () => {
      const { onAttempt } = asked.at(-1)!;
      onAttempt!(new SourceError('source/rate-limited', 'busy', { body: new Uint8Array(9) }));
      onAttempt!(new SourceError('source/not-ready', 'not yet', { body: new Uint8Array(9) }));
      const late = new SourceError('source/timeout', 'late', { attempts: 3 });
      onAttempt!(late);
      throw late;
    });
    const fleet = new Fleet([client]);
    const codes = [];
    for (let time = 0; time < 5; time++)
      codes.push(await fleet.ask(client, lookup(7)).catch((error: SourceError) => error.code.slice(7)));
    expect(codes).toEqual(['timeout', 'timeout', 'timeout', 'not-ready', 'not-ready']);
    expect(asked).toHaveLength(3);
  });

  it('that the server failed at was answered, where there is an answer', async () => {
    expect((await askedOf(failing('source/server', { body: new Uint8Array(9) }), 6)).asked).toHaveLength(3);
    expect((await askedOf(failing('source/rate-limited', { body: new Uint8Array(9) }), 6)).asked).toHaveLength(6);
  });

  it('does not make a server rest for what it was not asked', async () => {
    const { fleet, client, again } = await askedOf(failing('source/other-chain'), 3);
    const other = serverAt(2, ofBytes(1));
    const two = new Fleet([client, other.client]);
    two.keepOut(fleet);
    await two.ask(client, lookup(7)).catch(() => {});
    expect(two.usable()).toContain(client);
    await again(1);
  });

  it('is asked anew, of what has no end, four seconds after the last time', async () => {
    const { asked, again } = await askedOf(failing('source/not-ready'), 4, 'lasting');
    vi.advanceTimersByTime(3_999);
    await again(1);
    expect(asked).toHaveLength(3);
    vi.advanceTimersByTime(1);
    await again(9);
    expect(asked).toHaveLength(6);
    const run = await askedOf(failing('source/not-ready'), 4);
    vi.advanceTimersByTime(1e9);
    await run.again(1);
    expect(run.asked).toHaveLength(3);
  });

  it('about no block is asked as often as wanted', async () => {
    const { client, asked } = serverAt(1, ofBytes(100));
    const fleet = new Fleet([client]);
    for (let time = 0; time < 9; time++) await fleet.ask(client, (one) => one.masterchainInfo());
    expect(asked).toHaveLength(9);
  });
});

describe('a server whose answers have more bytes than they prove', () => {
  const garbage = (bytes: number) => failing('source/malformed', { body: new Uint8Array(bytes) });

  it('is out when its part of the budget is spent, and the error says what it cost', async () => {
    const honest = serverAt(9, ofBytes(100));
    const liars = [1, 2, 3].map((port) => serverAt(port, garbage(3 * MIB)));
    const fleet = new Fleet([honest.client, ...liars.map(({ client }) => client)]);
    for (let seqno = 1; seqno <= 40; seqno++) {
      for (const client of fleet.kept()) await fleet.ask(client, lookup(seqno)).catch(() => {});
    }
    expect(fleet.kept()).toEqual([honest.client]);
    expect(honest.asked).toHaveLength(40);
    // Parts of 24 MiB each: after 8 answers the rest is less than two answers may have.
    expect(liars.map(({ asked }) => asked.length)).toEqual([8, 8, 8]);
    const [{ client }] = liars as [ReturnType<typeof serverAt>];
    expect(client.close).toHaveBeenCalled();
    expect(fleet.lastErrorOf(client)).toMatchObject({
      code: 'source/budget',
      endpoint: client.name,
      message: `${client.name}: the answers have 24.0 MiB more than they prove, at most 24.0 MiB is allowed`,
      hint: expect.stringContaining('exclude'),
    });
    await expect(fleet.ask(client, lookup(99))).rejects.toMatchObject({ code: 'source/budget' });
    expect(liars[0]!.asked).toHaveLength(8);
  });

  it('may send no more in one answer than half of what is left', async () => {
    const { client, asked } = serverAt(1, ofBytes(8 * MIB));
    const fleet = new Fleet([client, ...[2, 3, 4].map((port) => serverAt(port, ofBytes(1)).client)]);
    for (const seqno of [1, 2]) await fleet.query(client, lookup(seqno, { maxBytes: 1e9 }));
    expect(asked.map(({ maxBytes }) => maxBytes)).toEqual([12 * MIB, 8 * MIB]);
    expect(await new Fleet([client]).query(client, lookup(3))).toBeDefined();
    expect(asked.at(-1)!.maxBytes).toBe(16 * MIB);
  });

  it('is not out for answers that prove something, up to 64 KiB a link, and counts the same answer once', async () => {
    const { client, asked } = serverAt(1, ofBytes(MIB));
    const fleet = new Fleet([client]);
    for (let seqno = 1; seqno <= 200; seqno++) {
      const { tl } = await fleet.ask(client, lookup(seqno));
      fleet.proved(client, tl, 16);
    }
    expect(asked).toHaveLength(200);
    let count = 0;
    for (; fleet.isKept(client); count++) {
      const { tl } = await fleet.ask(client, lookup(1000 + count));
      for (let time = 0; time < 9; time++) fleet.proved(client, tl, 8);
    }
    expect(count).toBe(2 * (72 - 2));
  });

  it('may cost as much again in ten minutes where the run has no end', async () => {
    const { client, asked } = serverAt(1, ofBytes(10 * MIB));
    const lasting = new Fleet([client], 'lasting');
    const run = new Fleet([client]);
    for (let seqno = 1; seqno <= 30; seqno++) {
      await lasting.ask(client, lookup(seqno));
      vi.advanceTimersByTime(100_000); // 12 MiB
      if (run.isKept(client)) await run.ask(client, lookup(seqno));
    }
    expect([lasting.isKept(client), run.isKept(client)]).toEqual([true, false]);
    expect(asked).toHaveLength(30 + 8);
  });

  it('is not out of a run that has no end: it rests, and is asked again once its part has grown', async () => {
    const { client, asked } = serverAt(1, garbage(10 * MIB));
    const honest = serverAt(2, ofBytes(100));
    const fleet = new Fleet([client, honest.client], 'lasting');
    for (let seqno = 1; seqno <= 40; seqno++) await fleet.ask(client, lookup(seqno)).catch(() => {});
    expect(asked).toHaveLength(4); // 40 MiB
    expect([fleet.isKept(client), fleet.usable()]).toEqual([true, [honest.client]]);
    expect(client.close).not.toHaveBeenCalled();
    vi.advanceTimersByTime(600_000);
    expect(fleet.usable()).toContain(client);
    await fleet.ask(client, lookup(41)).catch(() => {});
    expect(asked).toHaveLength(5);
  });

  it('goes on from what it has cost and answered in an earlier part of the run', async () => {
    const { client, asked } = serverAt(1, ofBytes(10 * MIB));
    const before = new Fleet([client]);
    for (let seqno = 1; seqno <= 6; seqno++) await before.ask(client, lookup(seqno));
    const after = new Fleet([client]);
    after.keepOut(before);
    await after.ask(client, lookup(7));
    await after.ask(client, lookup(8));
    expect([after.isKept(client), before.isKept(client)]).toEqual([false, true]);
    expect(asked).toHaveLength(8);
  });
});

describe('answers about what is below a block', () => {
  const account = { workchain: 0, address: new Uint8Array(32) };
  const newest = { lt: 5n, hash: new Uint8Array(32), count: 1 };
  it.each<readonly [string, (one: Questions) => Promise<unknown>]>([
    ['accountState', (one) => one.accountState(chain.id(3), account)],
    ['transaction', (one) => one.transaction(chain.id(3), account, 5n)],
    ['transactions', (one) => one.transactions(account, newest)],
    ['shardProof', (one) => one.shardProof(chain.id(3))],
    ['ask', (one) => one.ask(new Uint8Array(4))],
  ])('count against the same budget: %s', async (_, question) => {
    const { client, asked } = serverAt(1, ofBytes(8 * MIB));
    const fleet = new Fleet([client]);
    let failed: unknown;
    for (let time = 0; time < 100 && failed === undefined; time++) {
      await fleet.query(client, question).catch((error: unknown) => {
        failed = error;
      });
    }
    expect(failed).toMatchObject({ code: 'source/budget' });
    expect(asked.length).toBeLessThan(40);
    for (const { maxBytes } of asked) expect(maxBytes).toBeLessThanOrEqual(16 * MIB);
    expect(fleet.kept()).toEqual([]);
  });
});
