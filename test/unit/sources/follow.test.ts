import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/base/errors.ts';
import { toncenterV2 } from '../../../src/http/toncenter-v2.ts';
import type { BlockSource } from '../../../src/sources/block-source.ts';
import { crossCheck } from '../../../src/sources/cross-check.ts';
import { type FollowLag, followBlocks } from '../../../src/sources/follow.ts';
import { quorumOf } from '../../../src/sources/quorum.ts';
import { validatorSetFromJson } from '../../../src/validators/from-json.ts';
import { makeSignedSet, toAnswer } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import type { FaultName } from '../../helpers/stand-in-faults.ts';
import { readVector } from '../../helpers/vectors.ts';

/** 20 recorded blocks in a row, under one validator set. */
const FIRST = 3082182;
const LAST = 3082201;
const validators = validatorSetFromJson(readVector('real/mainnet-2020-04-06/block-3082200/validators.json'));
const OPTS = { requestsPerSecond: Number.POSITIVE_INFINITY, timeoutMs: 300, retries: 0 } as const;

let standIn: StandIn;
beforeEach(async () => {
  standIn = await startStandIn({ latest: LAST });
});
afterEach(() => standIn.close());
const server = (path = '') => toncenterV2({ baseUrl: `${standIn.origin}${path}/api/v2`, ...OPTS });

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
    const reports = followBlocks(server(), { validators, from: FIRST });
    expect(await seqnosOf(reports, 20)).toEqual(range(FIRST, LAST));
  });

  it('begins at the head and goes on as the chain grows', async () => {
    standIn.latest = LAST - 3;
    const reports = followBlocks(server(), { validators, pollMs: 10 });
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
    const reports = followBlocks(server(), { validators, from: FIRST, onTrouble: (error) => troubles.push(error) });
    expect(await seqnosOf(reports, 10)).toEqual(range(FIRST, FIRST + 9));
    expect(troubles.length).toBeGreaterThan(0);
  });

  it('goes on where it was after the server was restarted', async () => {
    const reports = followBlocks(server(), { validators, from: FIRST });
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
    const reports = followBlocks(server(), { validators, from: LAST - 1, pollMs: 10 });
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
      const reports = followBlocks(server(path), { validators, from: LAST + 1, signal: stop.signal });
      expect(await reports.next()).toEqual({ done: true, value: undefined });
    }
    expect(await standIn.unanswered()).toBe(0);
  });

  it('throws at once for what only the user can change, and other trouble when it has lasted too long', async () => {
    await expect(followBlocks(server('/fault/401'), { validators }).next()).rejects.toMatchObject({
      code: 'source/auth',
    });
    const pruned = followBlocks(server(), { validators, from: 5000, maxOutageMs: 200 });
    await expect(pruned.next()).rejects.toMatchObject({ code: 'source/not-ready' });
    await expect(followBlocks(server(), { validators, from: 0 }).next()).rejects.toMatchObject({ path: 'from' });
  });

  it('asks who knows the set and the header of each block', async () => {
    const source = server();
    const reports = followBlocks(source, {
      from: FIRST,
      validators: async ({ blockId }) => {
        expect(blockId.seqno).toBeGreaterThanOrEqual(FIRST);
        return validators;
      },
      evidenceOf: async ({ blockId }, { signal }) => {
        const { header } = await crossCheck(blockId, source.name, { header: source }, signal ? { signal } : {});
        return { header: header! };
      },
    });
    expect(await seqnosOf(reports, 3)).toEqual(range(FIRST, FIRST + 2));
  });

  it('reports an answer with bad signatures as that, and goes on', async () => {
    const statuses: string[] = [];
    standIn.chooseFault = (_, seqno) => (seqno === FIRST + 1 ? 'previous-signatures' : undefined);
    for await (const { verdict } of followBlocks(server(), { validators, from: FIRST })) {
      if (statuses.push(verdict.status) === 3) break;
    }
    expect(statuses).toEqual(['final', 'rejected', 'final']);
  });

  it('takes the good list of a quorum when another of its servers sends a bad one', async () => {
    standIn.chooseFault = () => undefined;
    const source = quorumOf([server('/fault/bad-signature'), server(), server('/python')], 3);
    expect(await seqnosOf(followBlocks(source, { validators, from: FIRST }), 5)).toEqual(range(FIRST, FIRST + 4));
  });
});

describe('an odd server', () => {
  const signers = makeSigners([1n, 1n, 1n, 1n]);
  const set = makeSet(signers);
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
        return toAnswer(makeSignedSet('simplex', signers, seqno));
      },
    };
  }

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

  it('whose gateway says 404 in no JSON is waited for, once there was an answer', async () => {
    const info = readVector<{ result: { last: { seqno: number } } }>('http/v2-getMasterchainInfo-python-41579322.json');
    info.result.last.seqno = 100;
    const page = () => new Response('<h1>404 Not Found</h1>', { status: 404 });
    const json = () => Response.json({ ok: false, error: 'Not Found', code: 404 }, { status: 404 });
    const block = () => Response.json(toAnswer(makeSignedSet('ordinary', signers, 100)));
    const run = (...replies: (() => Response)[]) => {
      let asked = 0;
      const source = toncenterV2({ baseUrl: 'https://odd.example', ...OPTS, fetch: async () => replies[asked++]!() });
      return followBlocks(source, { validators: set }).next();
    };
    const head = () => Response.json(info);
    expect((await run(head, page, page, block)).value?.coverage.blockId.seqno).toBe(100);
    await expect(run(page)).rejects.toMatchObject({ code: 'source/bad-request' });
    await expect(run(head, json)).rejects.toMatchObject({ code: 'source/bad-request' });
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
        return toAnswer(makeSignedSet('ordinary', signers, seqno));
      },
    };
  }
  const set = makeSet(makeSigners([1n, 1n, 1n, 1n]));

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
