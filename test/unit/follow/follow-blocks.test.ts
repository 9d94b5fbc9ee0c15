import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError, type SourceStatement } from '../../../src/core/base/errors.ts';
import { parseValidatorSet } from '../../../src/core/validators/from-json.ts';
import { staleStartOf } from '../../../src/core/verify/own-report.ts';
import { followBlocks } from '../../../src/net/follow/follow-blocks.ts';
import type { FollowOptions } from '../../../src/net/follow/follow-options.ts';
import type { FollowStall } from '../../../src/net/follow/stall-reports.ts';
import type { FollowLag } from '../../../src/net/machine/follow-blocks.ts';
import type { BlockSource } from '../../../src/net/sources/block-source.ts';
import { crossCheck } from '../../../src/net/sources/cross-check.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { quorumOf } from '../../../src/net/sources/quorum-of.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { makeSignedSet, toAnswer } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import type { FaultName } from '../../helpers/stand-in-faults.ts';
import { readVector } from '../../helpers/vectors.ts';

/** 20 recorded blocks in a row, under one validator set. */
const FIRST = 3082182;
const LAST = 3082201;
const validators = parseValidatorSet(readVector('real/mainnet-2020-04-06/block-3082200/validators.json'));
/** Their signatures bind no number. While those validators were in office the end of the recorded chain is a head. */
const now = () => 1_586_100_000;
const RECORDED = { validators, clock: now, acceptUnbound: true } as const;
const OPTS = { requestsPerSecond: Number.POSITIVE_INFINITY, timeoutMs: 300, retries: 0 } as const;

let standIn: StandIn;
beforeEach(async () => {
  standIn = await startStandIn({ latest: LAST });
});
afterEach(async () => {
  vi.useRealTimers();
  await standIn.close();
});
const server = (path = '', more: { readonly timeoutMs?: number } = {}) =>
  toncenterV2({ baseUrl: `${standIn.origin}${path}/api/v2`, ...OPTS, ...more });

async function seqnosOf(reports: ReturnType<typeof followBlocks>, count: number): Promise<number[]> {
  const seqnos: number[] = [];
  for await (const { coverage, verdict } of reports) {
    expect(verdict.status).toBe('final');
    seqnos.push(coverage.blockId.seqno);
    if (seqnos.length === count) break;
  }
  return seqnos;
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('following blocks', () => {
  it('gives every block once, in order', async () => {
    const reports = followBlocks(server(), { ...RECORDED, from: FIRST });
    expect(await seqnosOf(reports, 20)).toEqual(range(FIRST, LAST));
  });

  it('begins at the head and goes on as the chain grows', async () => {
    standIn.latest = LAST - 3;
    const reports = followBlocks(server(), { ...RECORDED, pollMs: 10 });
    expect((await reports.next()).value?.coverage.blockId.seqno).toBe(LAST - 3);
    // Not before: on a busy machine the head would have moved on by the time it is asked for.
    const grow = setInterval(() => {
      standIn.latest = Math.min(LAST, standIn.latest + 1);
    }, 40);
    expect(await seqnosOf(reports, 3)).toEqual(range(LAST - 2, LAST));
    clearInterval(grow);
  });

  it('has no gap and no duplicate through faults of every kind', async () => {
    const faults: (FaultName | undefined)[] = [
      'connection-reset',
      '502-html',
      'not-ready',
      'wrong-block',
      'truncated-body',
    ];
    let turn = 0;
    standIn.chooseFault = (operation) =>
      operation === 'getMasterchainBlockSignatures' && turn++ % 4 === 1 ? faults[turn % faults.length] : undefined;
    const troubles: SourceError[] = [];
    const reports = followBlocks(server(), {
      ...RECORDED,
      from: FIRST,
      onTrouble: (error) => troubles.push(error),
    });
    expect(await seqnosOf(reports, 10)).toEqual(range(FIRST, FIRST + 9));
    expect(troubles.length).toBeGreaterThan(0);
  });

  it('goes on where it was after the server was restarted', async () => {
    const reports = followBlocks(server(), { ...RECORDED, from: FIRST });
    const before = [(await reports.next()).value, (await reports.next()).value];
    const { port } = standIn;
    await standIn.close();
    setTimeout(async () => {
      standIn = await startStandIn({ port, latest: LAST });
    }, 300);
    const after = [(await reports.next()).value, (await reports.next()).value];
    await reports.return(undefined);
    expect([...before, ...after].map((report) => report!.coverage.blockId.seqno)).toEqual(range(FIRST, FIRST + 3));
  });

  it('goes on when the restarted server is behind what was seen', async () => {
    const reports = followBlocks(server(), { ...RECORDED, from: LAST - 1, pollMs: 10 });
    await reports.next();
    standIn.latest = LAST - 5;
    setTimeout(() => {
      standIn.latest = LAST;
    }, 100);
    expect((await reports.next()).value!.coverage.blockId.seqno).toBe(LAST);
    await reports.return(undefined);
  });

  it('ends when it is told to, without an error, wherever it is', async () => {
    for (const [path, latest] of [
      ['', LAST],
      ['/fault/slow-body', LAST],
      ['/fault/503', LAST],
    ] as const) {
      standIn.latest = latest;
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 50);
      const reports = followBlocks(server(path), { ...RECORDED, from: LAST + 1, signal: stop.signal });
      expect(await reports.next()).toEqual({ done: true, value: undefined });
    }
    expect(await standIn.unanswered()).toBe(0);
  });

  it('throws at once for what only the user can change, and other trouble when it has lasted too long', async () => {
    await expect(followBlocks(server('/fault/401'), RECORDED).next()).rejects.toMatchObject({
      code: 'source/auth',
    });
    const patient = server('', { timeoutMs: 60_000 }); // on a busy machine a question takes longer than 300 ms
    const pruned = followBlocks(patient, { ...RECORDED, from: 5000, maxOutageMs: 200 });
    await expect(pruned.next()).rejects.toMatchObject({ code: 'source/not-ready' });
  });

  it('does not end as if it had been stopped where a source rejects with nothing', async () => {
    const source: BlockSource = { ...server(), latestSeqno: () => Promise.reject(undefined) };
    await expect(followBlocks(source, RECORDED).next()).rejects.toBeUndefined();
  });

  it('asks who knows the set and the header of each block', async () => {
    const source = server();
    const reports = followBlocks(source, {
      ...RECORDED,
      from: FIRST,
      validators: async ({ blockId }) => {
        expect(blockId.seqno).toBeGreaterThanOrEqual(FIRST);
        return validators;
      },
      contextOf: async ({ blockId }, { signal }) => {
        const { header } = await crossCheck(blockId, source.name, { header: source }, signal ? { signal } : {});
        return { header: header! };
      },
    });
    expect(await seqnosOf(reports, 3)).toEqual(range(FIRST, FIRST + 2));
  });

  it('reports an answer with bad signatures as that, and goes on', async () => {
    const statuses: string[] = [];
    standIn.chooseFault = (_, seqno) => (seqno === FIRST + 1 ? 'previous-signatures' : undefined);
    for await (const { verdict } of followBlocks(server(), { ...RECORDED, from: FIRST })) {
      if (statuses.push(verdict.status) === 3) break;
    }
    expect(statuses).toEqual(['final', 'rejected', 'final']);
  });

  it('takes the good list of a quorum when another of its servers sends a bad one', async () => {
    standIn.chooseFault = () => undefined;
    const source = quorumOf([server('/fault/bad-signature'), server(), server('/python')], 3);
    expect(await seqnosOf(followBlocks(source, { ...RECORDED, from: FIRST }), 5)).toEqual(range(FIRST, FIRST + 4));
  });
});

describe('the number of a block', () => {
  it('has to be bound by its signatures, unless the exception is named, which the report shows', async () => {
    const strict = followBlocks(server(), { validators, clock: now, from: FIRST });
    expect((await strict.next()).value?.verdict).toEqual({ status: 'undecided', reason: 'unbound-id' });
    await strict.return(undefined);
    const named = followBlocks(server(), { ...RECORDED, from: FIRST });
    const { value } = await named.next();
    expect(value).toMatchObject({
      verdict: { status: 'final' },
      policy: { acceptUnbound: true, requireBoundId: false },
    });
    await named.return(undefined);
  });

  it.each([{ requireBoundId: false }, { requireBoundId: true, acceptUnbound: true }])(
    'is no matter of %j',
    (policy) => {
      expect(() => followBlocks(server(), { validators, ...policy })).toThrow(
        expect.objectContaining({ code: 'usage/bad-policy' }) as Error,
      );
    },
  );
});

describe('the clock', () => {
  const AFTERWARDS = 1_586_139_556 + 32_768 + 1; // the round is over, and its stakes are free again

  it('judges every block under a set past its stakes, whatever head is named', async () => {
    const stale = { status: 'undecided', reason: 'stale-set' };
    for (const head of [LAST - 2, LAST, 2_000_000_000]) {
      const source: BlockSource = { ...server(), latestSeqno: async () => head };
      const reports = followBlocks(source, { ...RECORDED, from: LAST - 2, clock: () => AFTERWARDS });
      expect((await reports.next()).value?.verdict, `head ${head}`).toEqual(stale);
      await reports.return(undefined);
    }
  });

  it('judges the set that a callback returns when it is asked again', async () => {
    const old = makeSigners([1n, 1n, 1n, 1n], 'old');
    const source: BlockSource = {
      name: 'chain',
      latestSeqno: async () => 120,
      signatures: async (seqno) => ({ signatures: makeSignedSet('simplex', old, seqno), source: 'chain' }),
    };
    const strangers = makeSet(makeSigners([1n, 1n, 1n, 1n], 'strangers'), { utimeUntil: 2_000_000_000 });
    const reports = followBlocks(source, {
      validators: (_, { isAgain }) => (isAgain ? makeSet(old, { utimeUntil: 1_700_000_000 }) : strangers),
      from: 100,
      clock: () => 1_900_000_000,
    });
    expect((await reports.next()).value?.verdict).toEqual({ status: 'undecided', reason: 'stale-set' });
    await reports.return(undefined);
  });

  it('spares a set past its stakes only where the user accepts it, and every report says so', async () => {
    const terms = { ...RECORDED, acceptStaleStart: true, from: LAST - 2 };
    const reports = followBlocks(server(), { ...terms, clock: () => AFTERWARDS });
    const accepted = [];
    for await (const report of reports) if (accepted.push(report) === 3) break;
    expect(accepted.map(({ verdict }) => verdict.status)).toEqual(Array(3).fill('final'));
    expect(accepted.map(staleStartOf)).toEqual(Array(3).fill('accepted'));
    const inTime = await followBlocks(server(), terms).next();
    expect(inTime.value).toMatchObject({ verdict: { status: 'final' } });
    expect(staleStartOf(inTime.value!)).toBeUndefined();
  });

  it('is that of this machine where no other is given', async () => {
    const reports = followBlocks(server(), { validators, acceptUnbound: true });
    expect((await reports.next()).value?.verdict).toEqual({ status: 'undecided', reason: 'stale-set' });
    await reports.return(undefined);
  });

  it('is asked for each head anew', async () => {
    standIn.latest = LAST - 1;
    const times = [now(), AFTERWARDS];
    const reports = followBlocks(server(), { ...RECORDED, clock: () => times.shift()!, pollMs: 5 });
    expect((await reports.next()).value?.verdict.status).toBe('final');
    standIn.latest = LAST;
    expect((await reports.next()).value?.verdict.status).toBe('undecided');
    await reports.return(undefined);
  });
});

describe('a server that gives one block under every number', () => {
  const signers = makeSigners([1n, 1n, 1n, 1n]);
  const set = makeSet(signers, { utimeUntil: 2_000_000_000 });
  const NOW = { clock: () => 1_900_000_000, acceptUnbound: true };
  const proxy = (name: string, lies = (_seqno: number) => true): BlockSource => ({
    name,
    latestSeqno: async () => 110,
    signatures: async (seqno) => {
      const set = makeSignedSet('ordinary', signers, lies(seqno) ? 100 : seqno);
      return { signatures: { ...set, blockId: { ...set.blockId, seqno } }, source: name };
    },
  });

  it('is believed once, and then refused by name, whatever stands between', async () => {
    const wrap = [
      (source: BlockSource) => source,
      (source: BlockSource) => firstOf([source]),
      (source: BlockSource) => quorumOf([source], 1),
    ];
    for (const around of wrap) {
      const seqnos: number[] = [];
      const follow = async () => {
        const source = around(proxy('proxy'));
        for await (const { coverage } of followBlocks(source, {
          validators: set,
          from: 100,
          maxOutageMs: 20,
          ...NOW,
        })) {
          seqnos.push(coverage.blockId.seqno);
        }
      };
      const error = await follow().catch((error: unknown) => error);
      expect(error).toMatchObject({ code: 'source/wrong-block' });
      expect(String(error)).toMatch(/proxy: block 101 comes with root hash [0-9a-f]{64}, which proxy gave for/);
      expect(seqnos).toEqual([100]);
    }
  });

  it('may have been the one before: both are named', async () => {
    const sources = [proxy('liar', (seqno) => seqno === 99), proxy('honest', () => false)];
    const source = { ...sources[0]!, signatures: (seqno: number) => sources[seqno === 99 ? 0 : 1]!.signatures(seqno) };
    const known = quorumOf([source], 1);
    await known.signatures(99);
    await expect(known.signatures(100)).rejects.toMatchObject({ code: 'source/wrong-block' });
    expect(await known.signatures(101)).toBeDefined();
  });

  it('is outvoted in a quorum, and named with its bytes', async () => {
    const odd: SourceStatement[] = [];
    const sources = [proxy('liar', (seqno) => seqno > 100), proxy('b', () => false), proxy('c', () => false)];
    const quorum = quorumOf(sources, 2, { onOdd: (statement) => odd.push(statement), graceMs: 50 });
    for (const seqno of [100, 101]) await quorum.signatures(seqno);
    expect(odd).toMatchObject([{ source: 'liar', error: { code: 'source/wrong-block', endpoint: 'liar' } }]);
  });

  it('does not get past two questions at the same time', async () => {
    const quorum = quorumOf([proxy('liar')], 1);
    const both = await Promise.allSettled([quorum.signatures(101), quorum.signatures(102)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('what followBlocks is given', () => {
  const refuses = (source: unknown, opts: unknown) => () => followBlocks(source as BlockSource, opts as FollowOptions);

  it.each([
    [{ from: 0 }, 'from'],
    [{ from: '5' }, 'from'],
    [{ validators: [] }, 'validators'],
    [{ validators: undefined }, 'validators'],
    [{ signal: {} }, 'signal'],
    [{ engine: 'openssl' }, 'engine'],
    [{ onTrouble: 'log' }, 'onTrouble'],
    [{ clock: 5 }, 'clock'],
    [{ pollMs: Number.NaN }, 'pollMs'],
    [{ lagAfter: 0 }, 'lagAfter'],
    [{ sample: 1 }, 'sample'],
    [{ maxOutageMs: -1 }, 'maxOutageMs'],
    [{ policy: {} }, 'policy'],
    [{ nowSeconds: 5 }, 'nowSeconds'],
  ])('is refused at once where it cannot be used: %j', (opts, path) => {
    expect(refuses(server(), { validators, ...opts })).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path }) as Error,
    );
  });

  it('names the option that was probably meant', () => {
    expect(refuses(server(), { validators, requireBoundID: true })).toThrow(
      /^requireBoundID: unknown option; did you mean requireBoundId\?$/,
    );
    expect(refuses(server(), { validators, onTroubel: () => {} })).toThrow(
      /^onTroubel: unknown option; did you mean onTrouble\?$/,
    );
  });

  it('must be a source, not its URL, and in this order', () => {
    const path = (value: string) => expect.objectContaining({ code: 'usage/bad-option', path: value }) as Error;
    expect(refuses('https://host.example/api/v2', { validators })).toThrow(path('source'));
    expect(refuses({ validators }, server())).toThrow(path('source'));
    expect(refuses(server(), undefined)).toThrow(path('options'));
    expect(refuses(server(), validators)).toThrow(expect.objectContaining({ code: 'usage/bad-option' }) as Error);
  });

  it('is copied: what is changed afterwards changes nothing', async () => {
    const opts = { ...RECORDED, from: FIRST };
    const reports = followBlocks(server(), opts);
    Object.assign(opts, { validators: makeSet(makeSigners([1n])), from: 5 });
    expect(await seqnosOf(reports, 2)).toEqual([FIRST, FIRST + 1]);
  });

  it('is a callback that cannot change what is verified', async () => {
    const reports = followBlocks(server(), {
      ...RECORDED,
      from: FIRST,
      validators(set) {
        set.blockId.rootHash.fill(0);
        for (const { signature } of set.signatures) signature.fill(0);
        return validators;
      },
    });
    const { value } = await reports.next();
    expect(value?.verdict.status).toBe('final');
    expect(value?.coverage.blockId.rootHash.some((byte: number) => byte !== 0)).toBe(true);
    await reports.return(undefined);
  });

  it.each([Number.NaN, 1.5, -1, '7', 2 ** 31])('a head of %s is no head', async (head) => {
    const source = { ...server(), latestSeqno: async () => head as number };
    const reports = followBlocks(source, { ...RECORDED, maxOutageMs: 0 });
    await expect(reports.next()).rejects.toMatchObject({ code: 'source/malformed' });
  });

  it('an answer about another block than was asked for is refused, whoever gives it', async () => {
    const real = server();
    const source = { ...real, signatures: () => real.signatures(FIRST) };
    const reports = followBlocks(source, { ...RECORDED, from: FIRST + 1, maxOutageMs: 0 });
    await expect(reports.next()).rejects.toMatchObject({ code: 'source/wrong-block', endpoint: real.name });
  });
});

describe('an odd server', () => {
  beforeEach(() => void vi.useFakeTimers().setTimerTickMode('nextTimerAsync'));
  const signers = makeSigners([1n, 1n, 1n, 1n]);
  const set = makeSet(signers, { utimeUntil: 2_000_000_000 });
  const notReady = () => new SourceError('source/not-ready', 'odd: no such block');

  /** A chain with these heads, the last one for ever; blocks above the last are not there. */
  function chainWithHeads(...heads: number[]): BlockSource {
    const head = heads.at(-1)!;
    let asked = 0;
    return {
      name: 'odd',
      latestSeqno: async () => heads[Math.min(asked++, heads.length - 1)]!,
      signatures: async (seqno) => {
        if (seqno > head) throw notReady();
        return { signatures: makeSignedSet('simplex', signers, seqno), source: 'odd' };
      },
    };
  }

  it('that fails is told to be the reason for silence, with its error, and a block that is there and not proven is', async () => {
    const chain = chainWithHeads(100);
    const stalls: FollowStall[] = [];
    const source: BlockSource = {
      ...chain,
      async latestSeqno() {
        if (!stalls.some(({ error }) => error?.message === 'odd: down'))
          throw new SourceError('source/upstream', 'odd: down');
        return 100;
      },
      async signatures(seqno) {
        if (!stalls.some(({ error }) => error?.message === 'odd: no signatures'))
          throw new SourceError('source/upstream', 'odd: no signatures');
        return await chain.signatures(seqno);
      },
    };
    const onStall = (stall: FollowStall) => void stalls.push(stall);
    const reports = followBlocks(source, {
      validators: set,
      from: 100,
      stallAfterMs: 1,
      onStall,
      clock: () => 1_999_999_000,
    });
    expect((await reports.next()).value?.coverage.blockId.seqno).toBe(100);
    await reports.return(undefined);
    const errors = (code: string) => stalls.filter((stall) => stall.code === code).map(({ error }) => error?.message);
    expect(stalls[0]).toMatchObject({ code: 'no-server', head: 99, said: 0 });
    expect(new Set(errors('no-server'))).toContain('odd: down');
    expect(new Set(errors('not-proven'))).toContain('odd: no signatures');
  });

  it('that claims a head without signatures does not make that block the proven one in what is told', async () => {
    const stalls: FollowStall[] = [];
    const stop = new AbortController();
    const source: BlockSource = {
      name: 'odd',
      latestSeqno: async () => 2_000_000_000,
      signatures: async () => {
        throw new SourceError('source/upstream', 'odd: no signatures');
      },
    };
    const onStall = (stall: FollowStall) => {
      stalls.push(stall);
      stop.abort();
    };
    const reports = followBlocks(source, {
      validators: set,
      from: 100,
      stallAfterMs: 50,
      onStall,
      signal: stop.signal,
    });
    expect(await reports.next()).toEqual({ done: true, value: undefined });
    expect(stalls[0]).toMatchObject({ code: 'not-proven', head: 99, said: 2_000_000_000 });
  });

  it('whose first head is far too high is followed from the head as it is', async () => {
    const reports = followBlocks(chainWithHeads(2_000_000_000, 100), { validators: set });
    expect((await reports.next()).value?.coverage.blockId.seqno).toBe(100);
    await reports.return(undefined);
  });

  it('whose head was far too high once makes a sample neither skip nor repeat what is left', async () => {
    const source = chainWithHeads(50, 2_000_000_000, 60);
    const reports = followBlocks(source, { validators: set, from: 49, sample: true, pollMs: 1 });
    expect(await seqnosOf(reports, 3)).toEqual([49, 50, 60]);
  });

  it('whose head is too high or goes back does not bring back what was reported', async () => {
    const heads = [52, 2_000_000_000, 40, 40, 40, 53];
    const reports = followBlocks(chainWithHeads(...heads), { validators: set, from: 50, pollMs: 1 });
    expect(await seqnosOf(reports, 4)).toEqual([50, 51, 52, 53]);
  });

  it('that garbles a simplex candidate is asked again', async () => {
    const answer = toAnswer(makeSignedSet('simplex', signers, 100));
    const info = readVector<{ result: { last: { seqno: number } } }>('http/v2-getMasterchainInfo-python-41579322.json');
    info.result.last.seqno = 100;
    let asked = 0;
    const fetch = async (url: string | URL | Request) => {
      if (String(url).includes('getMasterchainInfo')) return Response.json(info);
      return Response.json(asked++ === 0 ? { ...answer, candidate: 'AAAA' } : answer);
    };
    const troubles: SourceError[] = [];
    const source = toncenterV2({ baseUrl: 'https://odd.example', ...OPTS, fetch });
    const reports = followBlocks(source, { validators: set, onTrouble: (error) => troubles.push(error) });
    expect(await seqnosOf(reports, 1)).toEqual([100]);
    expect(troubles).toMatchObject([{ code: 'source/malformed', endpoint: 'https://odd.example' }]);
  });

  const info = readVector<{ result: { last: { seqno: number } } }>('http/v2-getMasterchainInfo-python-41579322.json');
  info.result.last.seqno = 100;
  const head = () => Response.json(info);
  const block = () => Response.json(toAnswer(makeSignedSet('simplex', signers, 100)));
  /** What a run comes to whose server gives these replies, one a question. */
  const run = (...replies: (() => Response)[]) => {
    let asked = 0;
    const source = toncenterV2({ baseUrl: 'https://odd.example', ...OPTS, fetch: async () => replies[asked++]!() });
    return followBlocks(source, { validators: set, clock: now, pollMs: 1 }).next();
  };

  it('that says 404, 410 or 425 is waited for, once there was an answer', async () => {
    const page = () => new Response('<h1>404 Not Found</h1>', { status: 404 });
    const json = (status: number) => () => Response.json({ ok: false, error: 'no', code: status }, { status });
    expect((await run(head, page, page, block)).value?.coverage.blockId.seqno).toBe(100);
    await expect(run(page)).rejects.toMatchObject({ code: 'source/bad-request' });
    for (const status of [400, 404, 410, 425]) {
      expect((await run(head, json(status), block)).value?.coverage.blockId.seqno).toBe(100);
      await expect(run(json(status))).rejects.toMatchObject({ code: 'source/bad-request' });
    }
  });

  it('that refuses the key is believed the third time in a row', async () => {
    const refusal = (status: number) => () => Response.json({ ok: false, error: 'key', code: status }, { status });
    for (const status of [401, 403]) {
      const no = refusal(status);
      expect((await run(head, no, no, block)).value?.coverage.blockId.seqno).toBe(100);
      await expect(run(head, no, no, no)).rejects.toMatchObject({ code: 'source/auth' });
      await expect(run(no)).rejects.toMatchObject({ code: 'source/auth' });
    }
  });
});

describe('where the chain is faster than the allowed rate', () => {
  /** A chain that grows by five blocks with every question, as 2.5 blocks a second do at one question in two seconds. */
  function fastChain(): BlockSource {
    const signers = makeSigners([1n, 1n, 1n, 1n]);
    let head = 100;
    return {
      name: 'fast',
      latestSeqno: async () => head,
      signatures: async (seqno) => {
        head += 5;
        return { signatures: makeSignedSet('simplex', signers, seqno), source: 'fast' };
      },
    };
  }
  const set = makeSet(makeSigners([1n, 1n, 1n, 1n]), { utimeUntil: 2_000_000_000 });

  async function run(sample: boolean, count: number) {
    const lags: FollowLag[] = [];
    const reports = followBlocks(fastChain(), {
      validators: set,
      from: 60,
      sample,
      onLag: (lag) => lags.push(lag),
    });
    return { lags, seqnos: await seqnosOf(reports, count) };
  }

  it('every block is reported and the lag told', async () => {
    const { lags, seqnos } = await run(false, 5);
    expect(seqnos).toEqual(range(60, 64));
    expect(lags[0]).toEqual({ next: 60, head: 100, behind: 41, skipped: 0 });
  });

  it('only the head is reported when asked to sample, and what was left out is told', async () => {
    const { lags, seqnos } = await run(true, 4);
    expect(seqnos[0]).toBe(100);
    expect(lags[0]).toEqual({ next: 100, head: 100, behind: 41, skipped: 40 });
    const left = lags.reduce((sum, { skipped }) => sum + skipped, 0);
    expect(seqnos.at(-1)! - 60 + 1 - seqnos.length).toBe(left);
    expect(new Set(seqnos).size).toBe(seqnos.length);
  });
});
