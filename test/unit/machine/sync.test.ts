/** What a synchronisation asks of whom, where trust moves, and what it ends with. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import {
  type Led,
  type SyncAction,
  type SyncEvent,
  type SyncPlan,
  startSync,
  stepSync,
  syncStall,
} from '../../../src/net/machine/sync.ts';

const block = (seqno: number, mark = 0): BlockIdExt => ({
  workchain: -1,
  shard: 0x8000000000000000n,
  seqno,
  rootHash: new Uint8Array(32).fill(mark) as BlockIdExt['rootHash'],
  fileHash: new Uint8Array(32).fill(mark) as BlockIdExt['fileHash'],
});
const NOW = 1_000_000;
const NEVER = Number.POSITIVE_INFINITY;
const AGREED = { agreed: 2, contradicts: 0, forked: 0 };
type Action = SyncAction<string>;

/** A synchronisation by hand, from block 10: a zerostate or a pinned block, unless the plan says another. */
function syncOf(over: Partial<SyncPlan<string>> = {}) {
  let state = startSync<string>({
    root: { tip: block(10), genUtime: undefined, isProven: false, prover: undefined },
    startIsStale: false,
    stakesEnd: NEVER,
    isByNumber: false,
    maxAgeSeconds: 60,
    acceptStaleStart: false,
    witnesses: 0,
    servers: 3,
    ...over,
  });
  const clock = { nowSeconds: NOW, kept: 3 };
  const tell = (event: SyncEvent<string>): readonly Action[] => {
    const [after, actions] = stepSync(state, event, { ...clock });
    state = after;
    return actions;
  };
  return {
    clock,
    tell,
    state: () => state,
    begin: () => tell({ kind: 'begin' }),
    /** Pairs of a server and the number of its head; one after `!` is doubted. */
    heads: (id: number, heads: Readonly<Record<string, number>>) =>
      tell({
        kind: 'heads',
        id,
        heads: Object.entries(heads).map(([name, at]) => ({ server: name.replace('!', ''), block: block(at) })),
        doubted: Object.keys(heads).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : [])),
      }),
    named: (id: number, server: string, seqno: number, mark = 0) =>
      tell({ kind: 'named', id, target: { server, block: block(seqno, mark) } }),
    over: (id: number) => tell({ kind: 'names-over', id }),
    held: (id: number, prover: string, seqno: number, led: Partial<Led> = {}) =>
      tell({
        kind: 'held',
        id,
        prover,
        tip: block(seqno),
        genUtime: NOW,
        startIsStale: false,
        stakesEnd: NEVER,
        ...led,
      }),
    arrived: (id: number) => tell({ kind: 'arrived', id }),
    failed: (id: number, more: Partial<Extract<SyncEvent<string>, { kind: 'failed' }>> = {}) =>
      tell({ kind: 'failed', id, ...more }),
    woke: (id: number) => tell({ kind: 'woke', id }),
    compared: (id: number, said = AGREED) => tell({ kind: 'compared', id, ...said }),
  };
}

const climb = (id: number, server: string, seqno: number, isAlone = true, mark = 0) => {
  return { kind: 'climb', id, target: { server, block: block(seqno, mark) }, isAlone };
};
const compare = (id: number, prover: string | undefined, baseIsStale = false) => {
  return { kind: 'compare', id, prover, baseIsStale };
};
const cancel = (id: number) => ({ kind: 'cancel', id });
const take = (id: number) => ({ kind: 'take', id });
const doubt = (server: string, failed?: number) => ({ kind: 'doubt', server, failed });
const wake = (id: number, ms: number) => ({ kind: 'wake', id, ms });
const CHECKPOINT = { tip: block(10), genUtime: NOW - 20, isProven: false, prover: undefined };

describe('servers that name heads', () => {
  it('are asked for them first, and each alone for the newest that it names, two at the same time', () => {
    const { begin, heads, failed } = syncOf();
    expect(begin()).toEqual([{ kind: 'ask-heads', id: 0 }]);
    expect(heads(0, { a: 20, b: 30, c: 25 })).toEqual([climb(1, 'b', 30), climb(2, 'c', 25)]);
    expect(failed(2)).toEqual([climb(3, 'a', 20)]);
  });

  it('are asked for one and the same proof one after the other, the next a second later', () => {
    const { begin, heads, woke } = syncOf();
    begin();
    expect(heads(0, { a: 20, b: 20, c: 20 })).toEqual([climb(1, 'a', 20), wake(2, 1000)]);
    expect(woke(2)).toEqual([climb(2, 'b', 20)]);
    expect(woke(2)).toEqual([]);
  });

  it('are asked for the same proof at once where the first one gives none', () => {
    const { begin, heads, failed, woke } = syncOf();
    begin();
    heads(0, { a: 20, b: 20, c: 20 });
    expect(failed(1)).toEqual([cancel(2), climb(3, 'b', 20), wake(4, 1000)]);
    expect(woke(2)).toEqual([]);
    expect(failed(3)).toEqual([cancel(4), climb(5, 'c', 20)]);
  });

  it('come last where they named a block in vain, before this run or in it', () => {
    const { begin, heads, failed, woke } = syncOf({ servers: 2 });
    begin();
    expect(heads(0, { 'a!': 40, b: 30, c: 25 })).toEqual([climb(1, 'b', 30), climb(2, 'c', 25)]);
    expect(failed(1)).toEqual([climb(3, 'a', 40)]);
    failed(2);
    expect(failed(3)).toEqual([climb(4, 'b', 30, false)]);
    failed(4);
    failed(5);
    expect(failed(6)).toEqual([doubt('a', 6), wake(7, 500)]);
    expect(woke(7)).toEqual([{ kind: 'ask-heads', id: 8 }]);
    expect(heads(8, { a: 50, d: 20 })).toEqual([climb(9, 'd', 20), climb(10, 'a', 50)]);
  });

  it('give way to the first one whose proof holds: trust moves there, and the other is asked again if that leads no further', () => {
    const { begin, heads, held, failed, state } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    expect(held(1, 'a', 20)).toEqual([cancel(2), take(1)]);
    expect(state().place).toEqual({ tip: block(20), genUtime: NOW, isProven: true, prover: 'a' });
    expect(held(1, 'a', 25)).toEqual([take(1)]);
    expect(failed(1)).toEqual([climb(3, 'b', 30)]);
    expect(state().place.tip).toEqual(block(25));
  });

  it('are not asked for what trust has passed', () => {
    const { begin, heads, held, failed } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    held(1, 'a', 35, { genUtime: NOW - 61 });
    expect(failed(1)).toEqual([climb(3, 'a', 40, false)]);
  });

  it('wait with a proof of an older block until the newer one is not proven', () => {
    const { begin, heads, held, failed, arrived, state } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    expect(held(2, 'b', 30)).toEqual([]);
    expect(state().place.isProven).toBe(false);
    expect(failed(1)).toEqual([take(2)]);
    expect(state().place).toMatchObject({ tip: block(30), prover: 'b' });
    expect(arrived(2)).toEqual([compare(3, 'b')]);
  });

  it('wait in vain where the newer block is proven', () => {
    const { begin, heads, held, arrived, state } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    held(2, 'b', 30);
    held(1, 'a', 40);
    expect(state().place.tip).toEqual(block(40));
    expect(arrived(2)).toEqual([]);
    expect(arrived(1)).toEqual([compare(4, 'a')].map((one) => ({ ...one, id: 3 })));
  });

  it('give nothing by a proof whose climb was cancelled: what waits stays what it is', () => {
    const { begin, heads, held, failed, state } = syncOf();
    begin();
    heads(0, { a: 40, b: 30, c: 20 });
    failed(2);
    held(3, 'c', 20);
    expect(held(2, 'b', 30)).toEqual([]);
    expect(failed(1)).toEqual([take(3)]);
    expect(state().place).toMatchObject({ tip: block(20), prover: 'c' });
  });

  it('no longer come last once they led to the block that they named', () => {
    const { begin, heads, failed, woke, held, arrived } = syncOf();
    begin();
    heads(0, { a: 30, b: 20 });
    for (const id of [1, 2, 3, 4]) failed(id); // each alone, then with all servers
    woke(5);
    // Neither led to what it named.
    expect(heads(6, { a: 31, b: 31 })).toEqual([climb(7, 'a', 31), wake(8, 1000)]);
    expect(failed(7)).toEqual([cancel(8), climb(9, 'b', 31)]);
    expect(held(9, 'b', 31, { genUtime: NOW - 40 })).toEqual([take(9)]);
    expect(arrived(9)).toEqual([{ kind: 'ask-heads', id: 10 }]);
    expect(heads(10, { a: 32, b: 32 })).toEqual([climb(11, 'b', 32), wake(12, 1000)]);
  });

  it('keep their turn though another was cancelled: only those that failed come last', () => {
    const { begin, heads, held, arrived } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    held(1, 'a', 40, { genUtime: NOW - 31 });
    expect(arrived(1)).toEqual([{ kind: 'ask-heads', id: 3 }]);
    expect(heads(3, { a: 41, b: 42 })).toEqual([climb(4, 'b', 42), climb(5, 'a', 41)]);
  });

  it('all have to lead to a block after none did alone, the newest first, and who named one in vain is doubted', () => {
    const { begin, heads, failed, held, arrived } = syncOf();
    begin();
    heads(0, { a: 30, b: 40 });
    failed(1);
    expect(failed(2)).toEqual([climb(3, 'b', 40, false)]);
    expect(failed(3)).toEqual([doubt('b', 3), climb(4, 'a', 30, false)]);
    expect(held(4, 'c', 30)).toEqual([take(4)]);
    expect(arrived(4)).toEqual([compare(5, 'c')]);
  });
});

describe('servers that are asked for a block by its number', () => {
  const byNumber = { isByNumber: true, maxAgeSeconds: NEVER };

  it('are gone to as they name it, and no more is waited for once one leads there', () => {
    const { begin, named, held, arrived } = syncOf(byNumber);
    expect(begin()).toEqual([{ kind: 'ask-names', id: 0 }]);
    expect(named(0, 'a', 20)).toEqual([climb(1, 'a', 20)]);
    expect(named(0, 'b', 20, 7)).toEqual([climb(2, 'b', 20, true, 7)]);
    expect(held(1, 'a', 20, { genUtime: 1 })).toEqual([cancel(2), take(1)]);
    expect(arrived(1)).toEqual([cancel(0), compare(3, 'a')]);
    expect(named(0, 'c', 20)).toEqual([]);
  });

  it.each([1, 2])('are not asked beside one that leads (climb %i)', (which) => {
    const { begin, named, held, failed, state } = syncOf(byNumber);
    begin();
    named(0, 'a', 20);
    named(0, 'b', 20, 7);
    held(which, 'x', 15);
    if (which === 2) failed(1);
    expect(state().place.tip).toEqual(block(15));
    expect(named(0, 'c', 20, 8)).toEqual([]);
    expect(failed(which).at(-1)).toMatchObject({ kind: 'climb', isAlone: true });
  });

  it('are all waited for before any is asked for the block of another', () => {
    const { begin, named, failed, over } = syncOf(byNumber);
    begin();
    named(0, 'a', 20);
    expect(failed(1)).toEqual([]);
    expect(named(0, 'b', 20, 7)).toEqual([climb(2, 'b', 20, true, 7)]);
    expect(over(0)).toEqual([]);
    expect(failed(2)).toEqual([climb(3, 'a', 20, false)]);
    failed(3);
    expect(failed(4)).toEqual([doubt('b', 4), wake(5, 500)]);
  });

  it('do not keep the run from ending at the block of its start because the first names another one', () => {
    const { begin, named } = syncOf({ ...byNumber, root: CHECKPOINT });
    begin();
    expect(named(0, 'liar', 10, 7)).toEqual([]);
    expect(named(0, 'b', 10)).toEqual([cancel(0), compare(1, 'b')]);
  });

  it('end the run where none names it', () => {
    const { begin, failed } = syncOf(byNumber);
    begin();
    expect(failed(0)).toEqual([{ kind: 'end', how: 'no-way', why: { failed: 0 } }]);
  });
});

describe('a run', () => {
  it('begins with nothing that was named, moved or compared', () => {
    const nothing = { targets: [], untried: [], namers: { queue: [] }, isOlder: false };
    expect(syncOf().state()).toMatchObject({ ...nothing, hasMoved: false, isComparing: false, ageThen: 0 });
  });

  it('ends where no server answers, unless it had arrived: then with what is proven', () => {
    const { begin, failed } = syncOf();
    begin();
    expect(failed(0)).toEqual([{ kind: 'end', how: 'no-way', why: { failed: 0 } }]);
    const more = syncOf();
    more.begin();
    more.heads(0, { a: 30 });
    more.held(1, 'a', 30, { genUtime: NOW - 31 });
    expect(more.arrived(1)).toEqual([{ kind: 'ask-heads', id: 2 }]);
    expect(more.failed(2)).toEqual([compare(3, 'a')]);
  });

  it('tries four rounds, each after a longer wait, and tells the last failure', () => {
    const { begin, heads, failed, woke } = syncOf();
    begin();
    for (const [round, ms] of [500, 1000, 1500].entries()) {
      const id = round * 4;
      expect(heads(id, { a: 30 })).toEqual([climb(id + 1, 'a', 30)]);
      expect(failed(id + 1)).toEqual([climb(id + 2, 'a', 30, false)]);
      expect(failed(id + 2)).toEqual([doubt('a', id + 2), wake(id + 3, ms)]);
      expect(woke(id + 3)).toEqual([{ kind: 'ask-heads', id: id + 4 }]);
    }
    heads(12, { a: 30 });
    failed(13);
    expect(failed(14)).toEqual([doubt('a', 14), { kind: 'end', how: 'no-way', why: { failed: 14 } }]);
  });

  it('waits longer between rounds where all servers name the very start: the next block is not there yet', () => {
    const { begin, heads, woke } = syncOf();
    begin();
    expect(heads(0, { a: 10, b: 10 })).toEqual([wake(1, 9_000)]);
    woke(1);
    expect(heads(2, { a: 10, b: 9 })).toEqual([wake(3, 1_000)]);
    woke(3);
    expect(heads(4, { a: 10 })).toEqual([wake(5, 27_000)]);
    woke(5);
    expect(heads(6, { a: 10 })).toMatchObject([{ kind: 'end', how: 'no-way' }]);
  });

  it('does not wait so long for the block after one that the servers do not name', () => {
    const { begin, tell } = syncOf({ root: CHECKPOINT });
    begin();
    const other = { server: 'a', block: block(10, 1) };
    expect(tell({ kind: 'heads', id: 0, heads: [other], doubted: [] })).toEqual([wake(1, 500)]);
  });

  it('tries two rounds where all servers answer in a form that is not known, and doubts none for that', () => {
    const { begin, heads, failed, woke } = syncOf();
    begin();
    heads(0, { a: 30 });
    failed(1);
    expect(failed(2, { isUnsupported: true, isOlder: true })).toEqual([wake(3, 500)]);
    woke(3);
    heads(4, { a: 30 });
    failed(5);
    expect(failed(6, { isUnsupported: true, isOlder: true })).toEqual([
      { kind: 'end', how: 'no-way', why: { failed: 6 } },
    ]);
  });

  it.each([
    ['in one round and not in the next', { isUnsupported: true, isOlder: true }, {}],
    ['of whom some answer in a form that is known', { isUnsupported: true }, { isUnsupported: true }],
  ])('tries on with servers that answer in a form that is not known %s', (_, first, second) => {
    const { begin, heads, failed, woke } = syncOf();
    begin();
    heads(0, { a: 30 });
    failed(1);
    failed(2, first);
    woke(3);
    expect(heads(4, {})).toEqual([wake(5, 1000)]);
    woke(5);
    heads(6, { a: 30 });
    failed(7);
    expect(failed(8, second).at(-1)).toEqual(wake(9, 1500));
  });

  it('ends at once where every server is out', () => {
    const { begin, heads, failed, clock } = syncOf();
    begin();
    heads(0, { a: 30 });
    failed(1);
    clock.kept = 0;
    expect(failed(2)).toEqual([doubt('a', 2), { kind: 'end', how: 'no-way', why: { failed: 2 } }]);
  });

  it.each([1, 2])('ends where climb %i is too long for any server', (which) => {
    const { begin, heads, failed } = syncOf();
    begin();
    heads(0, { a: 30 });
    if (which === 2) failed(1);
    expect(failed(which, { isFinal: true })).toEqual([
      cancel(which),
      { kind: 'end', how: 'no-way', why: { failed: which } },
    ]);
  });

  it('asks for heads again where the one that it reached is older than half of what is allowed, three times at most', () => {
    const { begin, heads, held, arrived, clock } = syncOf();
    begin();
    clock.nowSeconds = NOW + 30;
    heads(0, { a: 30 });
    held(1, 'a', 30);
    clock.nowSeconds = NOW + 31;
    for (const [round, id] of [2, 4, 6].entries()) {
      expect(arrived(id - 1)).toEqual([{ kind: 'ask-heads', id }]);
      heads(id, { a: 31 + round });
      held(id + 1, 'a', 31 + round);
    }
    expect(arrived(7)).toEqual([compare(8, 'a')]);
  });

  it('compares what it reached where that is no older than half of what is allowed', () => {
    const { begin, heads, held, arrived, clock } = syncOf();
    begin();
    heads(0, { a: 30 });
    held(1, 'a', 30);
    clock.nowSeconds = NOW + 30;
    expect(arrived(1)).toEqual([compare(2, 'a')]);
  });

  it('asks all servers for a newer head that one named before it asks for heads again', () => {
    const { begin, heads, held, arrived, failed } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    failed(1);
    held(2, 'b', 30, { genUtime: NOW - 31 });
    expect(arrived(2)).toEqual([climb(3, 'a', 40, false)]);
  });

  it('asks two at a time again for newer heads that it knows when the first is too old', () => {
    const { begin, heads, held, arrived } = syncOf();
    begin();
    expect(heads(0, { a: 30, 'b!': 50, 'c!': 40 })).toEqual([climb(1, 'a', 30), climb(2, 'b', 50)]);
    held(1, 'a', 30, { genUtime: NOW - 31 });
    expect(arrived(1)).toEqual([climb(3, 'b', 50), climb(4, 'c', 40)]);
  });

  it('asks for heads at once where it got further in this round, waits where it did not, and ends in the fourth', () => {
    const { begin, heads, held, arrived, failed, woke } = syncOf();
    /** a leads to no block that it names, b to an old one. @returns what is done after that */
    const getsOn = (id: number, old: number) => {
      expect(heads(id, { a: old + 9, b: old })).toHaveLength(2);
      const [a, b] = id === 0 ? [1, 2] : [id + 2, id + 1]; // later, a is asked after b
      failed(a);
      held(b, 'b', old, { genUtime: NOW - 61 });
      arrived(b);
      return failed(id + 3);
    };
    begin();
    expect(getsOn(0, 30)).toEqual([doubt('a', 3), { kind: 'ask-heads', id: 4 }]);
    heads(4, { a: 39 });
    failed(5);
    expect(failed(6)).toEqual([doubt('a', 6), wake(7, 1000)]);
    woke(7);
    expect(getsOn(8, 45)).toEqual([doubt('a', 11), { kind: 'ask-heads', id: 12 }]);
    heads(12, { a: 60 });
    held(13, 'a', 57, { genUtime: NOW - 61 });
    expect(failed(13)).toEqual([climb(14, 'a', 60, false)]);
    expect(failed(14)).toEqual([doubt('a', 14), compare(15, 'a')]);
  });

  it('tells no reason where all that was named is passed and too old', () => {
    const { begin, heads, held, failed, clock } = syncOf();
    begin();
    heads(0, { a: 40 });
    held(1, 'a', 40, { genUtime: NOW - 61 });
    clock.kept = 0;
    expect(failed(1)).toEqual([{ kind: 'end', how: 'no-way', why: undefined }]);
  });

  it('ends with what it had reached where the next round leads nowhere', () => {
    const { begin, heads, held, arrived, failed, clock } = syncOf();
    begin();
    heads(0, { a: 30 });
    held(1, 'a', 30, { genUtime: NOW - 50 });
    arrived(1);
    heads(2, { a: 40 });
    failed(3);
    clock.kept = 0;
    expect(failed(4)).toEqual([doubt('a', 4), compare(5, 'a')]);
  });

  it('never moves on what was cancelled, and not at all once it is over', () => {
    const { begin, heads, held, arrived, compared, failed, woke, named, over, state } = syncOf();
    begin();
    heads(0, { a: 30, b: 30 });
    held(1, 'a', 30);
    arrived(1);
    const before = state();
    for (const nothing of [
      heads(0, { a: 50 }),
      failed(0),
      failed(1),
      arrived(1),
      woke(2),
      named(0, 'a', 50),
      over(0),
      failed(9, { isFinal: true }),
      held(1, 'a', 50),
      held(2, 'a', 50),
    ]) {
      expect(nothing).toEqual([]);
    }
    expect(state()).toEqual(before);
    expect(compared(3).at(-1)).toMatchObject({ kind: 'end', how: 'judged' });
    for (const nothing of [heads(3, { a: 50 }), compared(3), failed(3), arrived(3), woke(3)])
      expect(nothing).toEqual([]);
  });
});

describe('a head that is no newer than what is trusted', () => {
  it('ends the run at the very checkpoint that it began at, with its namer as no witness', () => {
    const { begin, heads, compared } = syncOf({ root: CHECKPOINT });
    begin();
    expect(heads(0, { a: 10, b: 10 })).toEqual([compare(1, 'a')]);
    expect(compared(1)).toMatchObject([{ how: 'judged', verdict: { status: 'final' }, headAgeSeconds: 20 }]);
  });

  it.each<[string, number, number, object]>([
    ['behind', 9, 0, { root: CHECKPOINT }],
    ['behind', 10, 0, {}],
    ['other', 10, 7, { root: CHECKPOINT }],
  ])('is no end where it is %s (block %i, mark %i): the first of them is told', (position, seqno, mark, over) => {
    const { begin, tell, woke, clock } = syncOf(over);
    begin();
    const targets = [seqno, 8].map((at, n) => ({ server: 'ab'[n]!, block: block(at, mark) }));
    expect(tell({ kind: 'heads', id: 0, heads: targets, doubted: [] })).toEqual([wake(1, 500)]);
    woke(1);
    clock.kept = 0;
    const [end] = tell({ kind: 'heads', id: 2, heads: targets, doubted: [] });
    expect(end).toEqual({ kind: 'end', how: 'no-way', why: { position, target: targets[0] } });
  });

  it('ends a run that resumed, at what an earlier one had proven', () => {
    const resumed = { tip: block(20), genUtime: NOW, startIsStale: false, stakesEnd: NEVER };
    const { begin, heads, compared } = syncOf({ resumed, witnesses: 2 });
    begin();
    expect(heads(0, { a: 20, b: 15 })).toEqual([compare(1, undefined)]);
    expect(compared(1)).toMatchObject([{ verdict: { status: 'undecided', reason: 'too-few-witnesses' } }]);
  });

  it.each([19, 20])('ends a run where it is block %i, of whatever chain, and block 20 is proven', (seqno) => {
    const resumed = { tip: block(20), genUtime: NOW, startIsStale: false, stakesEnd: NEVER };
    const { begin, tell } = syncOf({ resumed });
    begin();
    const heads = [{ server: 'a', block: block(seqno, 7) }];
    expect(tell({ kind: 'heads', id: 0, heads, doubted: [] })).toEqual([compare(1, undefined)]);
  });

  it('is passed over by what is gone for with all servers, and each target is gone for once', () => {
    const { begin, heads, failed } = syncOf({ root: CHECKPOINT });
    begin();
    expect(heads(0, { a: 9, 'b!': 30 })).toEqual([climb(1, 'b', 30)]);
    expect(failed(1)).toEqual([climb(2, 'b', 30, false)]);
    expect(failed(2)).toEqual([doubt('b', 2), wake(3, 500)]);
  });

  it('is an end while that is fresh: of two heads that nobody proves the run does not wait for the second', () => {
    const { begin, heads, held, failed } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    held(1, 'a', 30, { genUtime: NOW - 60 });
    expect(failed(1)).toEqual([compare(3, 'a')]);
  });

  it('is an end while that is fresh also after all servers were asked for what is newer', () => {
    const { begin, heads, held, failed } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    failed(1);
    failed(2);
    held(3, 'c', 35, { genUtime: NOW - 60 });
    expect(failed(3)).toEqual([doubt('a', 3), compare(4, 'c')]);
  });

  it('is an end in the last round, old as it is, though servers have not said what their heads are', () => {
    const { begin, heads, woke } = syncOf({ root: { ...CHECKPOINT, genUtime: NOW - 61 } });
    begin();
    for (const [round, ms] of [500, 1000, 1500].entries()) {
      expect(heads(round * 2, { a: 10 })).toEqual([wake(round * 2 + 1, ms)]);
      woke(round * 2 + 1);
    }
    expect(heads(6, { a: 10 })).toEqual([compare(7, 'a')]);
  });

  it('is an end after all servers were asked for what is newer, where it is no longer fresh', () => {
    const { begin, heads, held, failed, woke, clock } = syncOf();
    clock.kept = 2;
    begin();
    heads(0, { a: 40, b: 30 });
    held(1, 'a', 30, { genUtime: NOW - 61 });
    expect(failed(1)).toEqual([climb(3, 'a', 40, false)]);
    // The heads are older than the proof of the block.
    expect(failed(3)).toEqual([doubt('a', 3), { kind: 'wake', id: 4, ms: 500 }]);
    woke(4);
    expect(heads(5, { a: 30, b: 30 })).toEqual([compare(6, 'a')]);
  });

  it('is no end while it is old and a server has not said what its head is', () => {
    const { begin, heads, held, failed, woke, clock } = syncOf();
    clock.kept = 3;
    begin();
    heads(0, { a: 40, b: 30 });
    held(1, 'a', 30, { genUtime: NOW - 61 });
    failed(1);
    expect(failed(3)).toEqual([doubt('a', 3), { kind: 'wake', id: 4, ms: 500 }]);
    expect(woke(4)).toEqual([{ kind: 'ask-heads', id: 5 }]);
    expect(heads(5, { a: 30, b: 30, c: 30 })).toMatchObject([{ kind: 'compare' }]);
  });

  it('ends nothing where no server names a head', () => {
    const { begin, heads, clock } = syncOf();
    begin();
    clock.kept = 0;
    expect(heads(0, {})).toEqual([{ kind: 'end', how: 'no-way', why: undefined }]);
  });
});

describe('a way that nobody leads on from', () => {
  /** Trust is where a led, and the servers are asked for what b named. */
  const led = (over: Partial<SyncPlan<string>> = {}) => {
    const sync = syncOf(over);
    sync.begin();
    sync.heads(0, { a: 40, b: 30 });
    sync.held(1, 'a', 20);
    sync.failed(1);
    sync.failed(3);
    return sync;
  };

  it('is left where a server does not know its end, and the one that led there is doubted', () => {
    const { failed, state } = led();
    expect(state().climbing).toMatchObject({ id: 4, target: { server: 'a' } });
    expect(failed(4, { unknownTo: ['a'] })).toEqual([doubt('a', 4), climb(5, 'b', 30, false)]); // its own way
    expect(failed(5, { unknownTo: ['b'] })).toEqual([doubt('a'), { kind: 'leave' }, climb(6, 'b', 30, false)]);
    expect(state().place.tip).toEqual(block(10));
    expect(failed(6, { unknownTo: ['b'] })).toEqual([doubt('b', 6), wake(7, 500)]);
    // also where another server than the one that named the target says so
    expect(led().failed(4, { unknownTo: ['a', 'c'] })).toContainEqual({ kind: 'leave' });
  });

  it('is not left for any other failure before the last round', () => {
    const { failed, woke, heads } = led();
    failed(4);
    expect(failed(5)).toEqual([doubt('b', 5), wake(6, 500)]);
    woke(6);
    heads(7, {});
    expect(woke(8)).toEqual([{ kind: 'ask-heads', id: 9 }]);
    expect(heads(9, {})).toEqual([doubt('a'), { kind: 'leave' }, wake(10, 1500)]);
  });

  it('is left as often as there are servers, and once more', () => {
    const { failed, held, state } = led({ servers: 1 });
    failed(4);
    for (const id of [5, 6]) {
      expect(failed(id, { unknownTo: ['b'] })).toContainEqual({ kind: 'leave' });
      held(id + 1, 'c', 20);
    }
    expect(state().left).toBe(2);
    expect(failed(7, { unknownTo: ['b'] })).toEqual([doubt('b', 7), wake(8, 500)]);
  });

  it('is not taken again in its round: all servers are asked once for what one of them named', () => {
    const { begin, heads, failed, held, arrived } = syncOf({ startIsStale: true });
    begin();
    heads(0, { a: 40, b: 30 });
    failed(1);
    expect(failed(2)).toEqual([climb(3, 'a', 40, false)]);
    held(3, 'a', 20);
    expect(failed(3)).toEqual([doubt('a', 3), climb(4, 'b', 30, false)]);
    expect(failed(4, { unknownTo: ['b'] })).toEqual([doubt('a'), { kind: 'leave' }, climb(5, 'b', 30, false)]);
    held(5, 'b', 30, { genUtime: NOW - 50 });
    expect(arrived(5)).toEqual([{ kind: 'ask-heads', id: 6 }]);
    expect(heads(6, { a: 41 })).toEqual([climb(7, 'a', 41)]);
  });

  it('is left once in a round for a server that does not lead to its target from the root either', () => {
    const { begin, heads, failed, held, arrived } = syncOf({ startIsStale: true });
    begin();
    heads(0, { a: 40, b: 30 });
    failed(1);
    held(2, 'b', 30, { genUtime: NOW - 90 });
    expect(arrived(2)).toEqual([climb(3, 'a', 40, false)]);
    expect(failed(3, { unknownTo: ['a'] })).toEqual([doubt('b'), { kind: 'leave' }, climb(4, 'a', 40, false)]);
    expect(failed(4, { unknownTo: ['a'] })).toEqual([doubt('a', 4), climb(5, 'b', 30, false)]);
    held(5, 'b', 30, { genUtime: NOW - 90 });
    expect(arrived(5)).toEqual([{ kind: 'ask-heads', id: 6 }]);
  });

  it('that an earlier run was given is left too, and nobody is doubted for it', () => {
    const resumed = { tip: block(20), genUtime: NOW, startIsStale: false, stakesEnd: NEVER };
    const { begin, heads, failed } = syncOf({ resumed });
    begin();
    heads(0, { a: 30 });
    failed(1);
    expect(failed(2, { unknownTo: ['b'] })).toEqual([{ kind: 'leave' }, climb(3, 'a', 30, false)]);
  });

  /** The run has arrived at a block that has become old, and trust is where b led from there. */
  const arrivedAndLed = (over: Partial<SyncPlan<string>>) => {
    const sync = syncOf(over);
    sync.begin();
    sync.heads(0, { a: 30 });
    sync.held(1, 'a', 30, { genUtime: NOW - 50 });
    sync.arrived(1);
    sync.heads(2, { b: 50, c: 40 });
    sync.held(3, 'b', 35);
    sync.failed(3);
    sync.failed(5);
    sync.failed(6);
    return sync;
  };

  it('is not left once the run has arrived from a fresh base', () => {
    const { failed, state } = arrivedAndLed({});
    expect(failed(7, { unknownTo: ['c'] })).toEqual([doubt('c', 7), wake(8, 1000)]);
    expect(state()).toMatchObject({ place: { tip: block(35) }, hasArrived: true });
  });

  it('is left though the run had arrived where its base is stale: old keys may have led there', () => {
    for (const over of [{ startIsStale: true }, { stakesEnd: NOW - 1 }]) {
      const { failed, state } = arrivedAndLed(over);
      expect(failed(7, { unknownTo: ['c'] })).toEqual([doubt('b'), { kind: 'leave' }, climb(8, 'c', 40, false)]);
      expect(state()).toMatchObject({ place: { tip: block(10) }, hasArrived: false });
      expect(failed(8)).toEqual([doubt('c', 8), wake(9, 1000)]);
    }
  });

  it('is an end of a run that has arrived from a stale base, where no server says that it does not know it', () => {
    const { failed, woke, heads, state } = arrivedAndLed({ startIsStale: true });
    failed(7);
    woke(8);
    expect(heads(9, {})).toEqual([wake(10, 1500)]);
    woke(10);
    expect(heads(11, {})).toEqual([compare(12, 'b', true)]);
    expect(state().place.tip).toEqual(block(35));
  });
});

describe('a start that old keys could have made', () => {
  const judged = (sync: ReturnType<typeof syncOf>, said = AGREED) => {
    sync.begin();
    sync.heads(0, { a: 30 });
    sync.held(1, 'a', 30);
    const [asked] = sync.arrived(1);
    const [end] = sync.compared(2, said);
    return { asked, end };
  };
  const stale = { startIsStale: true, mark: 'accepted', verdict: { status: 'final' } };

  it.each<[string, object]>([
    ['its checkpoint says so', { startIsStale: true }],
    ['the stakes of its set have ended', { stakesEnd: NOW - 1 }],
  ])('is known where %s, and two other servers have to agree', (_, over) => {
    const { asked, end } = judged(syncOf(over));
    expect(asked).toEqual(compare(2, 'a', true));
    expect(end).toMatchObject(stale);
    expect(judged(syncOf(over), { ...AGREED, agreed: 1 }).end).toMatchObject({
      verdict: { status: 'undecided', reason: 'stale-set' },
      mark: 'refused',
      isShown: true,
    });
    expect(judged(syncOf({ ...over, acceptStaleStart: true }), { ...AGREED, agreed: 0 }).end).toMatchObject(stale);
    const apart = { ...AGREED, contradicts: 1 };
    expect(judged(syncOf(over), apart).end).toMatchObject({ verdict: { reason: 'contradicted' }, mark: 'refused' });
  });

  it('is none to the last second of the stakes', () => {
    expect(judged(syncOf({ stakesEnd: NOW })).end).toMatchObject({ startIsStale: false });
  });

  it.each<[string, Partial<Led>]>([
    ['the set that an answer begins with is past its stakes', { stakesEnd: NOW - 1 }],
    ['an answer before it began with such a set', { startIsStale: true }],
  ])('is known where %s', (_, led) => {
    for (const which of ['first', 'second', 'all']) {
      const { begin, heads, failed, held, arrived, state } = syncOf();
      begin();
      heads(0, { a: 40, b: 30 });
      if (which !== 'first') failed(1);
      if (which === 'all') failed(2);
      const id = { first: 1, second: 2, all: 3 }[which]!;
      held(id, 'x', 30, led);
      expect(state().startIsStale).toBe(true);
      held(id, 'x', 35);
      expect(arrived(id).at(-1)).toMatchObject({ kind: 'compare', baseIsStale: true });
    }
  });

  it('is known of an answer that had to wait for another server, by the clock when it is taken', () => {
    const { begin, heads, failed, held, clock, state } = syncOf();
    begin();
    heads(0, { a: 40, b: 30 });
    held(2, 'b', 30, { stakesEnd: NOW });
    clock.nowSeconds = NOW + 1;
    failed(1);
    expect(state().startIsStale).toBe(true);
  });

  it('is known where the machine slept before the servers are compared', () => {
    const { begin, heads, held, arrived, clock } = syncOf({ maxAgeSeconds: NEVER });
    begin();
    heads(0, { a: 30 });
    held(1, 'a', 20, { stakesEnd: NOW });
    held(1, 'a', 30, { stakesEnd: NOW + 500 });
    clock.nowSeconds = NOW + 1;
    expect(arrived(1)).toEqual([compare(2, 'a', true)]);
  });

  it('is known where the machine slept while they are compared: a second history then decides nothing', () => {
    for (const [forked, reason] of [
      [1, 'contradicted'],
      [0, 'stale-set'],
    ] as const) {
      const { begin, heads, held, arrived, clock, compared } = syncOf({ maxAgeSeconds: NEVER });
      begin();
      heads(0, { a: 30 });
      held(1, 'a', 30, { stakesEnd: NOW });
      expect(arrived(1)).toEqual([compare(2, 'a')]);
      clock.nowSeconds = NOW + 1;
      expect(compared(2, { agreed: 1, contradicts: 0, forked })).toMatchObject([
        { kind: 'end', startIsStale: true, verdict: { status: 'undecided', reason }, mark: 'refused' },
      ]);
    }
  });

  it('is known of the very checkpoint that is the head', () => {
    const { begin, heads } = syncOf({ root: CHECKPOINT, stakesEnd: NOW - 1 });
    begin();
    expect(heads(0, { a: 10 })).toEqual([compare(1, 'a', true)]);
  });

  it('is known of what an earlier run was given', () => {
    const resumed = { tip: block(20), genUtime: NOW, startIsStale: false, stakesEnd: NOW - 1 };
    const { begin, heads } = syncOf({ resumed });
    begin();
    expect(heads(0, { a: 20 })).toEqual([compare(1, undefined, true)]);
  });
});

describe('why there is no result yet', () => {
  const why = ({ state }: ReturnType<typeof syncOf>) => {
    const { code, head, said } = syncStall(state());
    return [code, head, said];
  };

  it('is told by how far it came', () => {
    const sync = syncOf();
    sync.begin();
    expect(why(sync)).toEqual(['no-server', 10, 10]);
    sync.heads(0, { a: 40, b: 30 });
    expect(why(sync)).toEqual(['not-proven', 10, 40]);
    sync.held(1, 'a', 20);
    expect(why(sync)).toEqual(['catching-up', 20, 40]);
    sync.held(1, 'a', 40, { genUtime: NOW - 31 });
    sync.arrived(1);
    expect(why(sync)).toEqual(['catching-up', 40, 40]);
    sync.heads(3, { a: 39 });
    expect(why(sync)).toEqual(['comparing', 40, 40]);
  });

  it('is no silence of the servers in a later round', () => {
    const sync = syncOf();
    sync.begin();
    sync.heads(0, { a: 30 });
    sync.failed(1);
    sync.failed(2);
    sync.woke(3);
    expect(why(sync)).toEqual(['not-proven', 10, 10]);
  });
});

describe('what is judged', () => {
  const reached = (over: Partial<SyncPlan<string>> = {}, led: Partial<Led> = {}) => {
    const sync = syncOf({ servers: 0, ...over });
    sync.begin();
    sync.heads(0, { a: 30 });
    sync.held(1, 'a', 30, led);
    return { ...sync, asked: sync.arrived(1) };
  };

  it('is final by the set in office, whatever others say without a proof, and tells its age', () => {
    const { compared, clock } = reached();
    clock.nowSeconds = NOW + 60;
    expect(compared(2, { agreed: 0, contradicts: 3, forked: 1 })).toEqual([
      {
        kind: 'end',
        how: 'judged',
        startIsStale: false,
        headAgeSeconds: 60,
        verdict: { status: 'final' },
        isShown: true,
        mark: 'accepted',
      },
    ]);
  });

  it('is undecided below the witnesses that are wanted, and no report is shown', () => {
    const { compared } = reached({ witnesses: 3 });
    expect(compared(2)).toMatchObject([
      { verdict: { status: 'undecided', reason: 'too-few-witnesses' }, isShown: false, mark: 'refused' },
    ]);
    expect(reached({ witnesses: 2 }).compared(2)).toMatchObject([{ verdict: { status: 'final' } }]);
  });

  it('goes for a newer head where this one has become too old while it was compared', () => {
    const { compared, clock, heads, held, arrived, state } = reached();
    clock.nowSeconds = NOW + 61;
    expect(compared(2)).toEqual([{ kind: 'ask-heads', id: 3 }]);
    expect(syncStall(state()).code).toBe('catching-up');
    expect(heads(3, { a: 50 })).toMatchObject([{ kind: 'climb', id: 4 }]);
    held(4, 'a', 50, { genUtime: NOW + 60 });
    expect(arrived(4)).toMatchObject([{ kind: 'compare', id: 5 }]);
    expect(compared(5)).toMatchObject([{ verdict: { status: 'final' }, headAgeSeconds: 1 }]);
  });

  it('is final at the last second of the age that is allowed, and a newer head is gone for where it was as old before', () => {
    const { compared, clock } = reached();
    clock.nowSeconds = NOW + 60;
    expect(compared(2)).toMatchObject([{ verdict: { status: 'final' }, headAgeSeconds: 60 }]);
    const sync = syncOf();
    sync.begin();
    sync.heads(0, { a: 30 });
    sync.held(1, 'a', 30, { genUtime: NOW - 60 });
    sync.arrived(1);
    expect(sync.heads(2, { a: 30 })).toEqual([compare(3, 'a')]);
    sync.clock.nowSeconds = NOW + 1;
    expect(sync.compared(3)).toEqual([{ kind: 'ask-heads', id: 4 }]);
  });

  it('is too old in the fifth round that it became so in', () => {
    const { compared, clock, heads, held, arrived } = reached();
    for (const id of [2, 5, 8, 11]) {
      clock.nowSeconds += 61;
      expect(compared(id)).toEqual([{ kind: 'ask-heads', id: id + 1 }]);
      heads(id + 1, { a: 40 + id });
      held(id + 2, 'a', 40 + id, { genUtime: clock.nowSeconds });
      expect(arrived(id + 2)).toEqual([compare(id + 3, 'a')]);
    }
    clock.nowSeconds += 61;
    expect(compared(14)).toMatchObject([{ kind: 'end', verdict: { status: 'undecided', reason: 'stale-head' } }]);
  });

  /** A run whose trusted block is the head, and too old; the comparison takes some seconds. */
  const atOldHead = (seconds: number) => {
    const sync = syncOf({ root: { ...CHECKPOINT, genUtime: NOW - 100 } });
    const { begin, heads, clock } = sync;
    clock.kept = 1;
    begin();
    expect(heads(0, { a: 10 })).toEqual([compare(1, 'a')]);
    clock.nowSeconds += seconds;
    return sync;
  };
  const STALE = [{ kind: 'end', verdict: { status: 'undecided', reason: 'stale-head' } }];

  it('is looked for once more, and no more, where it was too old before a comparison that took more than three seconds', () => {
    expect(atOldHead(3).compared(1)).toMatchObject(STALE);
    const { compared, heads, clock } = atOldHead(4);
    expect(compared(1)).toEqual([{ kind: 'ask-heads', id: 2 }]);
    expect(heads(2, { a: 10 })).toEqual([compare(3, 'a')]);
    clock.nowSeconds += 4;
    expect(compared(3)).toMatchObject(STALE);
  });

  it('is judged where it is, if no server answers when it is looked for once more', () => {
    const { compared, failed } = atOldHead(4);
    compared(1);
    expect(failed(2)).toEqual([compare(3, undefined)]);
    expect(compared(3)).toMatchObject(STALE);
  });

  it('is not there yet, where one server names the trusted block and no server leads to what another one names', () => {
    const other = { ...CHECKPOINT, tip: block(10, 1) };
    for (const [named, why, over] of [
      [10, { position: 'behind', target: { server: 'a' } }, {}],
      [9, { failed: 14 }, {}], // a server that is behind says nothing about newer blocks
      [10, { failed: 14 }, { root: other }], // nor does one that names a different block of that number
    ] as const) {
      const { begin, heads, failed, woke } = syncOf(over);
      begin();
      let id = 0;
      let actions: readonly Action[] = [];
      for (let round = 1; round <= 4; round++) {
        expect(heads(id, { b: 30, a: named })).toEqual([climb(id + 1, 'b', 30)]);
        expect(failed(id + 1)).toEqual([climb(id + 2, 'b', 30, false)]);
        actions = failed(id + 2, { unknownTo: ['b'] });
        if (round < 4) expect(woke(id + 3)).toEqual([{ kind: 'ask-heads', id: id + 4 }]);
        id += 4;
      }
      expect(actions.at(-1)).toMatchObject({ kind: 'end', how: 'no-way', why });
    }
  });

  it('is undecided where there is no newer head than one that is too old, and that one is proven all the same', () => {
    const { compared, clock, heads } = reached();
    clock.nowSeconds = NOW + 61;
    clock.kept = 1;
    compared(2);
    expect(heads(3, { a: 30 })).toMatchObject([{ kind: 'compare', id: 4 }]);
    expect(compared(4)).toMatchObject([
      { verdict: { status: 'undecided', reason: 'stale-head' }, isShown: true, mark: 'accepted', headAgeSeconds: 61 },
    ]);
  });

  it('tells two histories of the head that was compared, whatever its age', () => {
    const { compared, clock } = reached();
    clock.nowSeconds = NOW + 61;
    expect(compared(2, { agreed: 1, contradicts: 0, forked: 1 })).toMatchObject([
      { kind: 'end', verdict: { status: 'undecided', reason: 'stale-head' } },
    ]);
  });

  it('says that witnesses are missing at once, whatever the age', () => {
    const { compared, clock } = reached({ witnesses: 3 });
    clock.nowSeconds = NOW + 61;
    expect(compared(2)).toMatchObject([{ verdict: { reason: 'too-few-witnesses' } }]);
  });

  it('has an age of nothing where it was made within the seconds that clocks may differ by; later it is no head', () => {
    const { compared } = reached({}, { genUtime: NOW + 30 });
    expect(compared(2)).toMatchObject([{ headAgeSeconds: 0 }]);
    expect(reached({}, { genUtime: NOW + 31 }).asked).toEqual([{ kind: 'end', how: 'clock' }]);
  });

  it('is not from the future either where it is the very checkpoint that trust began at', () => {
    const { begin, heads } = syncOf({ root: { ...CHECKPOINT, genUtime: NOW + 31 } });
    begin();
    expect(heads(0, { a: 10 })).toEqual([{ kind: 'end', how: 'clock' }]);
  });
});

/** What servers do next: which of the open questions is answered, how, and how much time that takes. */
const MOVES = fc.array(
  fc.record({
    which: fc.nat(9),
    what: fc.constantFrom('fail', 'unknown', 'lead', 'arrive', 'over'),
    far: fc.integer({ min: -2, max: 12 }),
    mark: fc.constantFrom(0, 0, 0, 7),
    seconds: fc.constantFrom(0, 0, 1, 20, 70, 5000),
    isStale: fc.constantFrom(false, false, false, true),
    out: fc.constantFrom(0, 0, 0, 0, 1),
  }),
  { maxLength: 80 },
);
const PLANS = fc.record({
  isCheckpoint: fc.boolean(),
  isResumed: fc.constantFrom(false, false, true),
  startIsStale: fc.constantFrom(false, false, false, true),
  isByNumber: fc.boolean(),
  acceptStaleStart: fc.boolean(),
  witnesses: fc.nat(2),
});

it('whatever servers do, a run ends with nothing open, moves only by answers that hold, and is final by all the rules or not', () => {
  const ends = new Map<string, number>();
  fc.assert(
    fc.property(PLANS, MOVES, (plan, moves) => {
      const { isCheckpoint, isResumed, isByNumber, ...more } = plan;
      const led = { tip: block(14), genUtime: NOW - 100, startIsStale: false, stakesEnd: NOW + 4000 };
      const maxAgeSeconds = isByNumber ? NEVER : 60;
      const sync = syncOf({
        ...more,
        ...(isResumed ? { resumed: led } : {}),
        isByNumber,
        maxAgeSeconds,
        root: { ...CHECKPOINT, genUtime: isCheckpoint ? CHECKPOINT.genUtime : undefined },
      });
      const open = new Map<number, Action>();
      const holding = new Map<number, Led & { prover: string }>();
      let place = { tip: isResumed ? led.tip : block(10), isProven: isResumed, genUtime: isCheckpoint ? NOW - 20 : -1 };
      if (isResumed) place.genUtime = led.genUtime;
      let isStale = plan.startIsStale;
      let ended: Extract<Action, { kind: 'end' }> | undefined;
      let said = { agreed: 0, contradicts: 0, forked: 0 };
      let climbs = 0;
      const tell = (event: SyncEvent<string>): void => {
        const comparedAt = sync.clock.nowSeconds;
        for (const action of sync.tell(event)) {
          expect(ended).toBeUndefined();
          if (action.kind === 'end') {
            ended = action;
            if (action.how !== 'judged') continue;
            expect(action.headAgeSeconds).toBe(Math.max(0, comparedAt - place.genUtime));
            expect(action.startIsStale).toBe(isStale);
            const agreed = said.agreed - Number(sync.state().place.isProven && sync.state().place.prover === undefined);
            const isFinal =
              agreed >= plan.witnesses &&
              action.headAgeSeconds <= maxAgeSeconds &&
              (!isStale || said.forked === 0) &&
              (!isStale || plan.acceptStaleStart || (agreed >= 2 && said.contradicts === 0));
            expect(action.verdict.status).toBe(isFinal ? 'final' : 'undecided');
            expect(place.isProven || isCheckpoint).toBe(true);
          } else if (action.kind === 'take') {
            const taken = holding.get(action.id)!;
            expect(taken).toBeDefined();
            expect(open.has(action.id)).toBe(true);
            holding.delete(action.id);
            place = { tip: taken.tip, isProven: true, genUtime: taken.genUtime };
            isStale ||= taken.startIsStale;
          } else if (action.kind === 'cancel') open.delete(action.id);
          else if (action.kind === 'leave') {
            place = { tip: block(10), isProven: false, genUtime: isCheckpoint ? NOW - 20 : -1 };
          } else if (action.kind !== 'doubt') {
            expect(open.has(action.id)).toBe(false);
            open.set(action.id, action);
            if (action.kind === 'climb') {
              climbs += 1;
              expect(action.target.block.seqno).toBeGreaterThan(place.tip.seqno);
            }
          }
        }
        expect(sync.state().place.tip).toEqual(place.tip);
        const kinds = [...open.values()].map((action) => (action.kind === 'climb' ? action.isAlone : action.kind));
        expect(kinds.filter((kind) => kind === true).length).toBeLessThanOrEqual(2);
        if (kinds.includes(false) || kinds.includes('compare') || kinds.includes('ask-heads'))
          expect(kinds).toHaveLength(1);
        if (ended !== undefined) expect(kinds).toEqual([]);
        else expect(kinds.length).toBeGreaterThan(0);
      };
      tell({ kind: 'begin' });
      const idle = { which: 0, what: 'fail', far: 5, mark: 0, seconds: 0, isStale: false, out: 0 };
      for (const move of [...moves, ...Array.from({ length: 200 }, () => idle)]) {
        const waiting = [...open.values()].filter((action) => 'id' in action && !holding.has(action.id));
        const one = waiting[move.which % waiting.length];
        if (ended !== undefined || one === undefined) break;
        if (!('id' in one)) throw new Error('not a question');
        const { id } = one;
        sync.clock.nowSeconds += move.seconds;
        sync.clock.kept = Math.max(0, sync.clock.kept - move.out);
        const target = (server: string, far = move.far) => ({ server, block: block(place.tip.seqno + far, move.mark) });
        if (one.kind === 'wake') {
          open.delete(id);
          tell({ kind: 'woke', id });
        } else if (one.kind === 'compare') {
          open.delete(id);
          isStale ||= one.baseIsStale || (isResumed && sync.clock.nowSeconds > led.stakesEnd);
          said = { agreed: move.which % 4, contradicts: Number(move.mark > 0), forked: Number(move.far < 0) };
          tell({ kind: 'compared', id, ...said });
        } else if (one.kind === 'ask-heads' && move.what !== 'fail') {
          open.delete(id);
          const heads = [target('a'), target('b', move.far + 1), target('c')];
          tell({ kind: 'heads', id, heads, doubted: move.isStale ? ['b'] : [] });
        } else if (one.kind === 'ask-names' && move.what !== 'fail') {
          if (move.what === 'over') {
            open.delete(id);
            tell({ kind: 'names-over', id });
          } else tell({ kind: 'named', id, target: target('abc'[move.which % 3]!) });
        } else if (one.kind === 'climb' && (move.what === 'lead' || move.what === 'arrive')) {
          const tip = move.what === 'lead' ? block(place.tip.seqno + 1) : one.target.block;
          if (tip.seqno <= place.tip.seqno) continue;
          const answer = { tip, genUtime: sync.clock.nowSeconds - 5, startIsStale: move.isStale, stakesEnd: NEVER };
          const prover = one.isAlone ? one.target.server : 'abc'[move.which % 3]!;
          holding.set(id, { ...answer, prover });
          tell({ kind: 'held', id, prover, ...answer });
          if (move.what === 'arrive' && !holding.has(id) && open.has(id)) {
            open.delete(id);
            tell({ kind: 'arrived', id });
          }
        } else {
          open.delete(id);
          tell({ kind: 'failed', id, unknownTo: move.what === 'unknown' ? ['a', 'b', 'c'] : [] });
        }
      }
      expect(ended).toBeDefined();
      expect(climbs).toBeLessThan(300);
      const how = ended!.how === 'judged' ? ended!.verdict.status : ended!.how;
      ends.set(how, (ends.get(how) ?? 0) + 1);
    }),
    { numRuns: 500 },
  );
  // The ends that there are were all seen.
  expect([...ends.keys()].sort()).toEqual(['final', 'no-way', 'undecided']);
});
