/** Waiting for a block, or for the block of a transaction, over lite servers on loopback. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptDeposit } from '../../../src/core/facts/deposit.ts';
import { connectLite, type LiteServerClient } from '../../../src/net/lite/client.ts';
import { verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { type WaitOptions, type WaitProgress, waitForFinal } from '../../../src/net/lite/wait-for-final.ts';
import { ForkError } from '../../../src/net/sources/fork-error.ts';
import { account, VAULT } from '../../helpers/deposits.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { ASKS, but, liteServers } from '../../helpers/lite-servers.ts';
import { type LiteAsked, liteError } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { revoked } from '../../helpers/odd-values.ts';
import { type Bridge, startBridge } from '../../helpers/start-bridge.ts';

const serve = liteServers();
const firstUtime = Math.floor(Date.now() / 1000) - 16;
const made = { length: 16, hasStates: true, firstUtime };
const chain = new LiteChain(made);
const checkpoint = startOf(chain);
const options = { maxHeadAgeSeconds: 3600 };
const honest = (one = chain) => serve((asked) => one.answer(asked));

beforeEach(() => {
  chain.head = 12;
});

/** What was told, and the chain that grows to 16 once it is waited for. */
function growing(one = chain, to = 16) {
  const told: WaitProgress[] = [];
  const onProgress = (progress: WaitProgress) => {
    told.push(progress);
    if (progress.state !== 'proving') one.head = to;
  };
  return { told, states: () => told.map(({ state }) => state), opts: { ...options, onProgress } };
}

/** Timers that this process has. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('a block that is waited for', () => {
  it('is given once it is final, by its number or its id, and what happens meanwhile is told', async () => {
    const { client } = await honest();
    for (const wanted of [{ seqno: 15 }, { id: chain.id(15) }]) {
      chain.head = 12;
      const { told, states, opts } = growing();
      const { block, ...more } = await waitForFinal([client], checkpoint, wanted, opts);
      expect(block).toMatchObject({ id: chain.id(15) });
      expect(more).toMatchObject({ warnings: [], witnesses: { agreed: [] }, checkpoint: { keyBlock: chain.id(10) } });
      expect(states()).toEqual(['waiting', 'proving']);
      expect(told.map(({ said }) => said)).toEqual([12, 16]);
    }
  });

  it('is given at once where it is there, before the checkpoint too', async () => {
    const { client } = await honest();
    const { checkpoint: newest } = await syncCheckpoint([client], checkpoint, options);
    for (const seqno of [12, 11, 10, 7]) {
      const { states, opts } = growing();
      expect((await waitForFinal([client], newest, { seqno }, opts)).block.id).toEqual(chain.id(seqno));
      expect(states()).toEqual(['proving']);
    }
  });

  it('is named by its members, and a slip in one is told with what was meant', async () => {
    const { client } = await honest();
    await expect(waitForFinal([client], checkpoint, { seqnoo: 15 } as never, options)).rejects.toMatchObject({
      code: 'usage/bad-option',
      message: 'wanted.seqnoo: unknown option; did you mean seqno?',
    });
    await expect(waitForFinal([client], checkpoint, {} as never, options)).rejects.toThrow('seqno, id or account');
  });

  it('is never final where another one has its number', async () => {
    const { client } = await honest();
    const id = { ...chain.id(11), rootHash: new Uint8Array(32) };
    await expect(waitForFinal([client], checkpoint, { id }, options)).rejects.toMatchObject({
      code: 'trust/not-final',
      path: 'wanted.id',
    });
  });

  it('is waited for no longer once every server has lied', async () => {
    // The header of the block before, under the id that was asked for.
    const exchanged = async (asked: LiteAsked) => {
      const before = Buffer.from(asked.request);
      before.writeUInt32LE(before.readUInt32LE(20) - 1, 20);
      const [answer, other] = await Promise.all(
        [asked.request, before].map(async (request) => Buffer.from(await chain.answer({ ...asked, request }))),
      );
      return Buffer.concat([answer!.subarray(0, 84), other!.subarray(84)]); // constructor and id of the one
    };
    const { client } = await serve(but(chain, 'lookup', exchanged));
    const { states, opts } = growing();
    const run = waitForFinal([client], checkpoint, { seqno: 11 }, { ...opts, deadlineMs: 5000 });
    await expect(run).rejects.toMatchObject({ code: expect.not.stringContaining('timeout') });
    expect(states()).toEqual(['proving']);
  });

  it('is not waited for by a clock that all servers contradict, and is where one of them says nothing', async () => {
    const clock = () => Date.now() / 1000 - 1000;
    const servers = [(await honest()).client, (await honest()).client];
    const given = { ...options, clock, deadlineMs: 20_000 };
    await expect(waitForFinal(servers, checkpoint, { seqno: 15 }, given)).rejects.toMatchObject({
      code: 'source/clock',
    });
    const { client: silent } = await serve(but(chain, 'head', () => undefined));
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const beside = { ...given, onProgress, signal: stop.signal };
    await expect(waitForFinal([...servers, silent], checkpoint, { seqno: 15 }, beside)).rejects.toMatchObject({
      code: 'source/aborted',
    });
  });

  it('is told as failed, and is not taken for one to come, where a server lacks an old block', async () => {
    const { client: known } = await honest();
    const { checkpoint: newest } = await syncCheckpoint([known], checkpoint, options);
    let missing = 2;
    const { client } = await serve(
      but(chain, 'lookup', (asked) =>
        asked.request.readUInt32LE(20) === 7 && missing-- > 0 ? liteError(651, 'not in db') : chain.answer(asked),
      ),
    );
    const { states, opts } = growing();
    expect((await waitForFinal([client], newest, { seqno: 7 }, opts)).block.id).toEqual(chain.id(7));
    expect(states()).toEqual(['proving', 'failed', 'proving']);
  });

  it('is what a fork ends, with evidence, while it is waited for', async () => {
    const other = new LiteChain({ ...made, forkAt: 14 });
    other.head = 12;
    const { opts } = growing();
    const onProgress = (progress: WaitProgress) => {
      opts.onProgress(progress);
      other.head = chain.head;
    };
    const servers = [(await honest()).client, (await honest(other)).client];
    const error = await waitForFinal(servers, checkpoint, { seqno: 15 }, { ...options, onProgress }).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(ForkError);
    expect(verifyForkEvidence((error as ForkError).evidence).seqno).toBeGreaterThanOrEqual(14);
  });

  it('is not given by a liar who names it before it is there, and is by an honest server beside', async () => {
    const ahead = new LiteChain(made);
    const liar = await serve(but(chain, 'head', () => ahead.masterchainInfoExt()));
    const { states, opts } = growing();
    const { client } = await honest();
    expect((await waitForFinal([liar.client, client], checkpoint, { seqno: 15 }, opts)).block.id).toEqual(chain.id(15));
    expect(states()).toEqual(['proving', 'failed', 'proving']);
  });

  it('is waited for at another server where one dies, and where the only one does until it is too late', async () => {
    const [first, second] = [await honest(), await honest()];
    const { opts } = growing();
    const onProgress = async (progress: WaitProgress) => {
      if (progress.state === 'waiting') await first.standIn.close();
      opts.onProgress(progress);
    };
    const servers = [first.client, second.client];
    const { block } = await waitForFinal(servers, checkpoint, { seqno: 15 }, { ...options, onProgress });
    expect(block.id).toEqual(chain.id(15));
    const told: (string | undefined)[] = [];
    const gone = await honest();
    await gone.standIn.close();
    const late = waitForFinal(
      [gone.client],
      checkpoint,
      { seqno: 15 },
      {
        ...options,
        deadlineMs: 300,
        onProgress: ({ state, error }) => void told.push(state, error?.code),
      },
    );
    await expect(late).rejects.toMatchObject({
      code: 'source/timeout',
      message: expect.stringMatching(/^no result in 300 ms \(.*; the last failure: no .*no connection.*\)$/),
      cause: { code: 'source/aborted' },
    });
    expect(new Set(told)).toEqual(new Set(['failed', 'source/upstream']));
  });
});

describe('a wait that is stopped', () => {
  const stopped = { name: 'SourceError', code: 'source/aborted' };
  const cases: [string, (stop: AbortController) => Promise<[LiteServerClient, WaitOptions]>][] = [
    [
      'before it begins',
      async (stop) => {
        stop.abort();
        return [(await honest()).client, options];
      },
    ],
    [
      'while it waits for the block',
      async (stop) => [(await honest()).client, { ...options, onProgress: () => stop.abort() }],
    ],
    [
      'while it asks for heads',
      async (stop) => [
        (
          await serve(
            but(chain, 'head', () => {
              stop.abort();
              return new Promise(() => {});
            }),
          )
        ).client,
        options,
      ],
    ],
    [
      'before it asks for the proof',
      async (stop) => {
        chain.head = 16;
        return [(await honest()).client, { ...options, onProgress: () => stop.abort() }];
      },
    ],
    [
      'while it asks for the proof',
      async (stop) => {
        chain.head = 16;
        const proof = () => {
          stop.abort();
          return new Promise<Buffer>(() => {});
        };
        return [(await serve(but(chain, 'proof', proof))).client, options];
      },
    ],
    [
      'after servers failed',
      async (stop) => [
        (await serve(() => liteError(500, 'no'))).client,
        { ...options, onProgress: ({ state }) => state === 'failed' && stop.abort() } as WaitOptions,
      ],
    ],
    [
      'while its callback does not return',
      async (stop) => [
        (await honest()).client,
        {
          ...options,
          onProgress: () => {
            setTimeout(() => stop.abort(), 1);
            return new Promise<void>(() => {});
          },
        },
      ],
    ],
  ];
  it.each(cases)('%s, ends as that, and leaves no timer', async (_, begin) => {
    const stop = new AbortController();
    const [client, opts] = await begin(stop);
    const before = timers();
    const run = waitForFinal([client], checkpoint, { seqno: 15 }, { ...opts, signal: stop.signal });
    await expect(run).rejects.toMatchObject(stopped);
    client.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('ends with what its callbacks throw, as theirs', async () => {
    const { client } = await honest();
    const onProgress = () => {
      throw new RangeError('mine');
    };
    await expect(waitForFinal([client], checkpoint, { seqno: 15 }, { ...options, onProgress })).rejects.toMatchObject({
      code: 'usage/callback',
      path: 'onProgress',
      cause: expect.any(RangeError),
    });
  });

  it('does not begin with arguments that are none, and asks no server', async () => {
    const { client, standIn } = await honest();
    const id = chain.id(15);
    const bad: unknown[] = [
      undefined,
      null,
      15,
      {},
      { seqno: 0 },
      { seqno: 1.5 },
      { seqno: 5, id },
      { id: { ...id, rootHash: 'x' } },
      { id: chain.zerostateId },
      revoked({ seqno: 5 }),
      [{ seqno: 5 }],
      { account: VAULT },
      { account: VAULT, lt: 5 },
      { account: VAULT, lt: 5n, hash: new Uint8Array(32) },
      { account: VAULT, hash: new Uint8Array(32) },
      { account: VAULT, hash: new Uint8Array(31), afterLt: 0n },
      { seqno: 5, lt: 5n },
    ];
    for (const wanted of bad) {
      const run = waitForFinal([client], checkpoint, wanted as { seqno: number }, options);
      await expect(run).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
    for (const more of [{ deadlineMs: 0 }, { deadlineMs: 1e9 }, { to: 5 }, { acceptStaleStart: true }, { limit: 0 }]) {
      const run = waitForFinal([client], checkpoint, { seqno: 5 }, { ...options, ...more } as WaitOptions);
      await expect(run).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
    await expect(waitForFinal([client], checkpoint, { seqno: 5 }, { witnesses: 3 })).rejects.toMatchObject({
      path: 'witnesses',
    });
    expect(standIn.asked).toEqual([]);
  });

  it('is not ended by a start that is too old without saying so', async () => {
    const { client } = await honest();
    const years = { maxHeadAgeSeconds: 1e9, clock: () => Date.now() / 1000 + 1e8 };
    const run = waitForFinal([client], checkpoint, { seqno: 11 }, years);
    await expect(run).rejects.toMatchObject({ code: 'trust/stale-start' });
  });
});

describe('the block of a transaction', () => {
  let bridge: Bridge;
  let client: LiteServerClient;
  beforeAll(async () => {
    bridge = await startBridge({ firstUtime: Math.floor(Date.now() / 1000) - 30 });
    for (let k = 0; k < 5; k++) bridge.nextBlock();
    client = connectLite(bridge.lite.server);
  });
  afterAll(async () => {
    client.close();
    await bridge.close();
  });
  /** The vault gets a deposit while it is waited for. */
  const soon = () => {
    const states: string[] = [];
    const onProgress = ({ state }: WaitProgress) => {
      states.push(state);
      if (state !== 'waiting') return;
      bridge.network.deposit('ton');
      bridge.nextBlock();
    };
    return { states, opts: { ...options, onProgress } };
  };

  it('is waited for by its time, by its hash, and by the id of the block of its shard', async () => {
    const { network } = bridge;
    const first = soon();
    const lt = BigInt(network.head + 1) * 1_000_000n + 10n;
    const byTime = await waitForFinal([client], network.checkpoint, { account: VAULT, lt }, first.opts);
    expect(first.states).toEqual(['proving', 'waiting', 'proving']);
    expect(byTime).toMatchObject({ fact: { found: true, lt }, block: { id: byTime.fact.block } });
    expect(byTime.block.id.workchain).toBe(0);
    const terms = { ...network.terms('TON'), nowSeconds: Math.floor(Date.now() / 1000) };
    expect(acceptDeposit({ facts: [byTime.fact] }, terms).recipient).toBe('alice');

    const { hash } = byTime.fact;
    const wanted = { account: VAULT, hash, afterLt: 0n };
    const byHash = await waitForFinal([client], network.checkpoint, wanted, options);
    expect(byHash).toMatchObject({ fact: { found: true, lt, hash }, block: { id: byTime.block.id } });

    const { id } = byTime.block;
    const byId = await waitForFinal([client], byHash.checkpoint, { id }, options);
    expect(byId.block.id).toEqual(id);
    const never = { ...id, fileHash: new Uint8Array(32) };
    const late = waitForFinal([client], byHash.checkpoint, { id: never }, { ...options, deadlineMs: 400 });
    await expect(late).rejects.toMatchObject({ code: 'source/timeout' });
  });

  it('is found beside a server that names heads that are none, which costs it few questions', async () => {
    const { network } = bridge;
    const ghost = (asked: LiteAsked) => {
      const head = network.chain.masterchainInfoExt();
      const at = head.indexOf(Buffer.from(network.chain.id(network.head).rootHash));
      head.writeUInt32LE(0x7fffffff, at - 4);
      return asked.constructorId === ASKS.head ? head : network.answer(asked);
    };
    const liar = await serve(ghost);
    const { states, opts } = soon();
    const lt = BigInt(network.head + 1) * 1_000_000n + 10n;
    const wanted = { account: VAULT, lt };
    const { fact } = await waitForFinal([liar.client, client], network.checkpoint, wanted, opts);
    expect(fact.lt).toBe(lt);
    expect(states.filter((state) => state === 'proving').length).toBeLessThanOrEqual(4);
    const alone = waitForFinal([liar.client], network.checkpoint, wanted, { ...options, deadlineMs: 1500 });
    await expect(alone).rejects.toMatchObject({ code: 'source/timeout' });
    expect(liar.standIn.asked.length).toBeLessThan(60);
  });

  it('waits for an account that is not there yet, and for a hash that no transaction has', async () => {
    const { checkpoint: from } = bridge.network;
    const hash = new Uint8Array(32);
    for (const own of [account(0x12), VAULT]) {
      const states: string[] = [];
      const opts = { ...options, deadlineMs: 600, onProgress: ({ state }: WaitProgress) => void states.push(state) };
      const run = waitForFinal([client], from, { account: own, hash, afterLt: 0n }, opts);
      await expect(run).rejects.toMatchObject({ code: 'source/timeout' });
      expect(states.slice(0, 2)).toEqual(['proving', 'waiting']);
    }
  });
});

it('asks seldom while nothing happens', async () => {
  const { client, standIn } = await honest();
  const run = waitForFinal([client], checkpoint, { seqno: 16 }, { ...options, deadlineMs: 1300 });
  await expect(run).rejects.toMatchObject({ code: 'source/timeout' });
  expect(standIn.asked.filter(({ constructorId }) => constructorId === ASKS.head).length).toBeLessThanOrEqual(3);
});
