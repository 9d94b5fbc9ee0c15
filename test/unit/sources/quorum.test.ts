import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceError, type SourceStatement, UsageError } from '../../../src/core/base/errors.ts';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import type { AskOptions } from '../../../src/net/sources/block-source.ts';
import { firstOf } from '../../../src/net/sources/first-of.ts';
import { gatherQuorum, quorumOf } from '../../../src/net/sources/quorum-of.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { answer, failing, fakeSource, otherAnswer, otherSigned, signed } from '../../helpers/fake-source.ts';
import { makeBlockId, withEntries } from '../../helpers/make-block.ts';
import { ownMs } from '../../helpers/own-time.ts';

beforeEach(() => void vi.useFakeTimers().setTimerTickMode('nextTimerAsync'));
afterEach(() => void vi.useRealTimers());

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof SourceError)) throw new Error(`expected a SourceError, got ${String(error)}`);
  return error;
}

describe('a quorum', () => {
  it('gives the answer that enough sources agree on, whatever the others say', async () => {
    const sources = [fakeSource('a'), fakeSource('b', { give: otherSigned }), fakeSource('c', { afterMs: 5 })];
    const odd: SourceStatement[] = [];
    const source = quorumOf(sources, 2, { onOdd: (statement) => odd.push(statement) });
    expect((await source.signatures(5)).signatures).toEqual(signed(5));
    expect(odd.map(({ source }) => source)).toEqual(['b']);
    expect(odd[0]?.key).toContain('07'.repeat(32));
  });

  it('compares block ids only: lists of signatures may differ', async () => {
    const fewer = (seqno: number) => withEntries(signed(seqno), signed(seqno).signatures.slice(1).reverse());
    const source = quorumOf([fakeSource('a'), fakeSource('b', { give: fewer })], 2);
    const first = await source.signatures(5);
    const second = await first.another!();
    expect([first, second].map((one) => [one?.source, one?.signatures.signatures.length])).toEqual([
      ['a', 4],
      ['b', 3],
    ]);
    expect(await second!.another!()).toBeUndefined();
  });

  it('takes a mistake of the caller for no failure of a server, when another list is asked for', async () => {
    const first = await quorumOf([fakeSource('a'), toncenterV2({ baseUrl: 'https://b.invalid' })], 1).signatures(5);
    await expect(first.another!({ deadlineMs: -1 })).rejects.toThrow(UsageError);
  });

  it('stops the sources it no longer needs', async () => {
    const slow = fakeSource('c', { afterMs: 10_000 });
    await quorumOf([fakeSource('a'), fakeSource('b'), slow], 2).signatures(5);
    expect(slow.stopped).toEqual(['signatures 5']);
  });

  it('lets the rest have their say when it is given a little time, and no longer', async () => {
    const odd: SourceStatement[] = [];
    const sources = [
      fakeSource('a'),
      fakeSource('b'),
      fakeSource('c', { give: otherSigned, afterMs: 20 }),
      fakeSource('d', { afterMs: 60_000 }),
    ];
    const source = quorumOf(sources, 2, { graceMs: 200, onOdd: (statement) => odd.push(statement) });
    await source.signatures(5);
    expect(odd.map(({ source }) => source)).toEqual(['c']);
    expect(sources[3]!.stopped).toEqual(['signatures 5']);
  });

  it('fails with who said what when too few agree', async () => {
    const sources = [
      fakeSource('a'),
      fakeSource('b', { give: otherSigned }),
      fakeSource('c', { give: failing('source/upstream') }),
    ];
    const error = await failureOf(quorumOf(sources, 2).signatures(5));
    expect(error).toMatchObject({ code: 'source/disagree', retryable: false });
    expect(error.statements.map(({ source, key }) => [source, key === undefined])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ]);
    expect(error.message).toContain('b says (-1,8000000000000000,5):0707');
    expect(error.message).toContain('source/upstream happened');
  });

  it("keeps the odd one's bytes", async () => {
    const servers = ['a', 'b'].map((name, at) =>
      toncenterV2({
        baseUrl: `https://${name}.example`,
        fetch: async () => new Response(JSON.stringify(at === 0 ? answer(5) : otherAnswer(5))),
      }),
    );
    const { statements } = await failureOf(quorumOf(servers, 2).signatures(5));
    expect(statements.map(({ body }) => Buffer.from(body!).toString())).toEqual([
      JSON.stringify(answer(5)),
      JSON.stringify(otherAnswer(5)),
    ]);
  });

  it('keeps the bytes of an answer that was refused', async () => {
    const servers = ['a', 'b'].map((name) =>
      toncenterV2({ baseUrl: `https://${name}.example`, fetch: async () => new Response(JSON.stringify(answer(6))) }),
    );
    const { statements, code } = await failureOf(quorumOf(servers, 2).signatures(5));
    expect(code).toBe('source/wrong-block');
    expect(Buffer.from(statements[0]!.body!).toString()).toBe(JSON.stringify(answer(6)));
  });

  it('takes for latest the k-th highest seqno that is reported', async () => {
    const sources = [7, 9, 8].map((head, at) => fakeSource(String(at), { head }));
    for (const [need, head] of [
      [1, 9],
      [2, 8],
      [3, 7],
    ] as const) {
      expect(await quorumOf(sources, need).latestSeqno()).toBe(head);
    }
  });

  it('does not let one source name a head that nobody else knows', async () => {
    const sources = [
      fakeSource('a', { head: 2 ** 31 - 1 }),
      fakeSource('b', { head: 8 }),
      fakeSource('c', { head: 7 }),
    ];
    expect(await quorumOf(sources, 2).latestSeqno()).toBe(8);
  });

  it('waits only a little for the head of a slow source', async () => {
    const slow = fakeSource('c', { head: 9, afterMs: 60_000 });
    const start = ownMs();
    expect(await quorumOf([fakeSource('a', { head: 7 }), fakeSource('b', { head: 8 }), slow], 2).latestSeqno()).toBe(7);
    expect(ownMs() - start).toBeLessThan(2000);
    expect(slow.stopped).toEqual(['latest']);
  });

  it('has no head when too few tell theirs', async () => {
    const sources = [fakeSource('a'), fakeSource('b', { head: failing('source/auth') })];
    const error = await failureOf(quorumOf(sources, 2).latestSeqno());
    expect(error.code).toBe('source/auth');
    expect(error.message).toContain('2 of 2 servers are needed and only 1 named a newest block');
  });

  it('ends at its deadline, naming those that were heard', async () => {
    const sources = [fakeSource('a', { give: failing('source/auth') }), fakeSource('b', { afterMs: 60_000 })];
    const error = await failureOf(quorumOf(sources, 2).signatures(5, { deadlineMs: 30 }));
    expect(error).toMatchObject({ code: 'source/timeout', statements: [{ source: 'a' }] });
    expect((await failureOf(quorumOf(sources, 2).latestSeqno({ deadlineMs: 30 }))).code).toBe('source/timeout');
  });

  it('refuses options that mean nothing, and asks nobody', async () => {
    const sources = [fakeSource('a'), fakeSource('b')];
    const source = quorumOf(sources, 2);
    const wrong = [{ deadlineMs: 'x' }, { deadlineMs: Number.NaN }, { signal: {} }, { waitForBlock: 1 }, { limit: 5 }];
    for (const opts of wrong as AskOptions[]) {
      await expect(source.signatures(5, opts)).rejects.toMatchObject({ code: 'usage/bad-option' });
      await expect(source.latestSeqno(opts)).rejects.toMatchObject({ code: 'usage/bad-option' });
    }
    expect(sources.flatMap(({ calls }) => calls)).toEqual([]);
  });

  it('is stopped by the caller', async () => {
    const stop = new AbortController();
    const source = fakeSource('a', { afterMs: 60_000 });
    const work = failureOf(quorumOf([source, fakeSource('b')], 2).signatures(5, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 10);
    expect((await work).code).toBe('source/aborted');
    expect(source.stopped).toEqual(['signatures 5']);
  });

  it('is of what the caller asks, by what the caller compares', async () => {
    const sources = ['a', 'b', 'c'].map((name) => fakeSource(name));
    const two = await gatherQuorum(sources, 2, async ({ name }) => (name === 'a' ? 1 : 2), String);
    expect([two.key, two.agreed.map(({ answer }) => answer)]).toEqual(['2', [2, 2]]);
    const { key, agreed, odd } = await gatherQuorum(sources, 3, async () => 'x', String);
    expect([key, agreed.length, odd.length]).toEqual(['x', 3, 0]);
  });

  it('passes on a fault of the program', async () => {
    const broken = async (): Promise<string> => {
      throw new RangeError('a bug');
    };
    await expect(gatherQuorum([fakeSource('a')], 1, broken, String)).rejects.toThrow('a bug');
  });

  it.each([0, 4, 1.5, Number.NaN])('of %d of 3 cannot be', (need) => {
    const sources = ['a', 'b', 'c'].map((name) => fakeSource(name));
    expect(() => quorumOf(sources, need)).toThrow(expect.objectContaining({ path: 'need' }) as Error);
  });

  it('counts no server twice', () => {
    expect(() => quorumOf([fakeSource('a'), fakeSource('a')], 2)).toThrow('must not count twice');
  });
});

describe('in order', () => {
  it('the next source is asked when one fails, and not before', async () => {
    const [a, b, c] = [fakeSource('a', { give: failing('source/auth') }), fakeSource('b'), fakeSource('c')];
    expect((await firstOf([a, b, c]).signatures(5)).signatures).toEqual(signed(5));
    expect([a.calls, b.calls, c.calls].map(({ length }) => length)).toEqual([1, 1, 0]);
  });

  it('all failing is one error that holds every cause, and leaves the most hope there is', async () => {
    const sources = [
      fakeSource('a', { give: failing('source/auth') }),
      fakeSource('b', { give: failing('source/upstream') }),
    ];
    const error = await failureOf(firstOf(sources).signatures(5));
    expect(error).toMatchObject({ code: 'source/upstream', retryable: true, attempts: 4 });
    expect(error.statements.map(({ source }) => source)).toEqual(['a', 'b']);
  });

  it('a block is waited for on all of them', async () => {
    let tries = 0;
    const give = (seqno: number) => (++tries < 2 ? failing('source/not-ready')() : signed(seqno));
    const sources = [fakeSource('a', { give: failing('source/not-ready') }), fakeSource('b', { give })];
    expect((await firstOf(sources).signatures(5, { waitForBlock: true })).signatures).toEqual(signed(5));
    expect(sources[0]!.calls).toHaveLength(2);
  });

  it('the caller stops all', async () => {
    const stop = new AbortController();
    const second = fakeSource('b');
    const work = failureOf(
      firstOf([fakeSource('a', { afterMs: 9999 }), second]).signatures(5, { signal: stop.signal }),
    );
    setTimeout(() => stop.abort(), 10);
    expect((await work).code).toBe('source/aborted');
    expect(second.calls).toEqual([]);
  });
});

describe('with little patience', () => {
  it('the fastest answer wins and the others are stopped', async () => {
    const slow = fakeSource('a', { afterMs: 10_000 });
    expect((await firstOf([slow, fakeSource('b')], { patienceMs: 5 }).signatures(5)).signatures).toEqual(signed(5));
    expect(slow.stopped).toEqual(['signatures 5']);
  });

  it('the next source is asked only when its time has come, or after a failure', async () => {
    const second = fakeSource('b');
    await firstOf([fakeSource('a', { afterMs: 5 }), second], { patienceMs: 500 }).signatures(5);
    expect(second.calls).toEqual([]);
    await firstOf([fakeSource('a', { give: failing('source/auth') }), second], { patienceMs: 10_000 }).signatures(5);
    expect(second.calls).toHaveLength(1);
  });

  it('all failing is one error', async () => {
    const sources = ['a', 'b'].map((name) => fakeSource(name, { give: failing('source/upstream') }));
    expect((await failureOf(firstOf(sources, { patienceMs: 1 }).signatures(5))).statements).toHaveLength(2);
  });

  it('ends at its deadline', async () => {
    const sources = ['a', 'b'].map((name) => fakeSource(name, { afterMs: 60_000 }));
    const error = await failureOf(firstOf(sources, { patienceMs: 1 }).signatures(5, { deadlineMs: 30 }));
    expect(error.code).toBe('source/timeout');
    expect(sources.map(({ stopped }) => stopped.length)).toEqual([1, 1]);
  });
});

it('a block id as text differs where the id does', () => {
  const id = makeBlockId(5);
  const others = [
    { ...id, workchain: 0 },
    { ...id, shard: 1n },
    { ...id, seqno: 6 },
    { ...id, rootHash: id.fileHash },
    { ...id, fileHash: id.rootHash },
  ];
  expect(new Set([id, ...others].map(formatBlockId)).size).toBe(6);
});
