/** Who is compared with a proven block, how long each is waited for, and when enough agree. */
import { describe, expect, it } from 'vitest';
import {
  type ComparisonAction,
  type ComparisonEvent,
  inTurn,
  scopeOf,
  startComparison,
  stepComparison,
} from '../../../src/net/machine/comparison.ts';

/** @param slow a letter for each server that is asked: s where it was too slow the last time */
function comparison(slow: string, { more = 0, witnesses = 0, isWhole = false } = {}) {
  let state = startComparison(
    [...slow].map((one) => one === 's'),
    more,
    witnesses,
    isWhole,
  );
  let agreed = 0;
  const tell = (event: ComparisonEvent): readonly ComparisonAction[] => {
    const [after, actions] = stepComparison(state, event);
    state = after;
    return actions;
  };
  return {
    begin: () => tell({ kind: 'begin' }),
    other: (at: number) => tell({ kind: 'names-another', at }),
    over: (at: number, agrees = true) => {
      agreed += Number(agrees);
      return tell({ kind: 'over', at, voices: agreed });
    },
    waited: () => tell({ kind: 'waited' }),
  };
}
const ask = (at: number) => ({ kind: 'ask', at });
const wait = (ms: number) => ({ kind: 'wait', ms });
const ENOUGH = { kind: 'end', isEnough: true };
const FEW = { kind: 'end', isEnough: false };

describe('who is compared', () => {
  it('is every server, each waited for, where trust begins and where old keys could lie', () => {
    expect(scopeOf(100, -1, false)).toBe('whole');
    expect(scopeOf(0, -1, false)).toBe('whole');
    expect(scopeOf(100, 100, true)).toBe('whole');
  });

  it('is every server at a key block, and one in turn between', () => {
    expect([99, 100, 101].map((keyBlock) => scopeOf(keyBlock, 100, false))).toEqual(['turn', 'turn', 'all']);
    expect([0, 1].map((keyBlock) => scopeOf(keyBlock, 0, false))).toEqual(['turn', 'all']);
  });

  it('is another one each time, or as many as have to agree', () => {
    const others = ['a', 'b', 'c'];
    expect([0, 1, 2, 3, 4].map((turn) => inTurn(others, turn, 0))).toEqual([['a'], ['b'], ['c'], ['a'], ['b']]);
    expect([0, 1, 2].map((turn) => inTurn(others, turn, 2).join(''))).toEqual(['ab', 'bc', 'ca']);
    expect(inTurn(others, 1, 9)).toEqual(['b', 'c', 'a']);
    expect(inTurn([], 5, 2)).toEqual([]);
  });
});

describe('a comparison where trust stands', () => {
  it('ends when all are over, and at once where there is no other server', () => {
    const { begin, over } = comparison('..');
    expect(begin()).toEqual([ask(0), ask(1), wait(1000)]);
    expect(over(1)).toEqual([]);
    expect(over(0, false)).toEqual([ENOUGH]);
    expect(comparison('').begin()).toEqual([ENOUGH]);
  });

  it('waits for slow servers a second, and the next time not at all', () => {
    const { begin, over, waited } = comparison('..');
    begin();
    over(0);
    expect(waited()).toEqual([ENOUGH]);
    const again = comparison('.s');
    expect(again.begin()).toEqual([ask(0), ask(1), wait(1000)]);
    expect(again.over(0)).toEqual([ENOUGH]);
    expect(comparison('s').begin()).toEqual([ask(0), ENOUGH]);
  });

  it('gives one that names another block two and a quarter seconds more to prove it', () => {
    const { begin, other, over, waited } = comparison('...');
    begin();
    expect(other(1)).toEqual([]);
    over(0);
    expect(waited()).toEqual([wait(2250)]);
    expect(over(2)).toEqual([]);
    expect(over(1, false)).toEqual([ENOUGH]);
  });

  it('gives no more time than that, none to one that is over, and none to one that was not waited for', () => {
    const late = comparison('..');
    late.begin();
    late.other(0);
    late.waited();
    expect(late.other(1)).toEqual([]);
    expect(late.waited()).toEqual([ENOUGH]);
    const over = comparison('..');
    over.begin();
    over.other(0);
    over.over(0, false);
    expect(over.waited()).toEqual([ENOUGH]);
    const slow = comparison('.s');
    slow.begin();
    slow.other(1);
    expect(slow.waited()).toEqual([ENOUGH]);
  });
});

describe('a comparison where trust begins', () => {
  it('waits for every server, slow ones too, and is over by no time', () => {
    const { begin, over } = comparison('s.', { isWhole: true });
    expect(begin()).toEqual([ask(0), ask(1)]);
    expect(over(1)).toEqual([]);
    expect(over(0, false)).toEqual([ENOUGH]);
  });
});

describe('where others have to agree', () => {
  it('those under way are waited for until as many do, and no longer', () => {
    const { begin, over, waited } = comparison('...', { witnesses: 2 });
    begin();
    over(0);
    expect(waited()).toEqual([]);
    expect(over(1, false)).toEqual([]);
    expect(over(2)).toEqual([ENOUGH]);
    const early = comparison('s..', { witnesses: 1 });
    early.begin();
    early.over(1, false);
    expect(early.over(2)).toEqual([ENOUGH]);
  });

  it('those that were not asked are asked, once, where the others are too few', () => {
    const { begin, over } = comparison('.', { witnesses: 2, more: 2 });
    expect(begin()).toEqual([ask(0), wait(1000)]);
    expect(over(0)).toEqual([ask(1), ask(2)]);
    expect(over(2, false)).toEqual([]);
    expect(over(1)).toEqual([ENOUGH]);
    const early = comparison('..', { witnesses: 2, more: 1 });
    early.begin();
    early.over(0, false);
    expect(early.waited()).toEqual([ask(2)]);
    expect(early.over(2, false)).toEqual([]);
    expect(early.over(1)).toEqual([FEW]);
    const few = comparison('.', { witnesses: 1, more: 1 });
    few.begin();
    expect(few.over(0, false)).toEqual([ask(1)]);
    expect(few.over(1, false)).toEqual([FEW]);
  });

  it('a server that delays its answer, or the proof of a different block, does not keep those from being asked', () => {
    const silent = comparison('.', { witnesses: 1, more: 2 });
    silent.begin();
    expect(silent.waited()).toEqual([ask(1), ask(2)]);
    expect(silent.over(1)).toEqual([ENOUGH]);
    const liar = comparison('.', { witnesses: 1, more: 2 });
    liar.begin();
    liar.other(0);
    expect(liar.waited()).toEqual([wait(2250)]);
    expect(liar.waited()).toEqual([ask(1), ask(2)]);
    expect(liar.over(2)).toEqual([ENOUGH]);
    const again = comparison('s', { witnesses: 1, more: 1 });
    expect(again.begin()).toEqual([ask(0), ask(1)]);
    expect(again.over(1)).toEqual([ENOUGH]);
  });

  it('there are too few where no server is left', () => {
    const { begin, over } = comparison('.', { witnesses: 2 });
    begin();
    expect(over(0)).toEqual([FEW]);
    expect(comparison('', { witnesses: 1 }).begin()).toEqual([FEW]);
    expect(comparison('', { witnesses: 1, more: 1 }).begin()).toEqual([ask(0)]);
  });
});

it('a comparison waits for an answer or a time until it ends, asks nobody twice, and is enough only where it is', () => {
  let seed = 11;
  const draw = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 0x80000000;
    return Math.floor((seed / 0x80000000) * below);
  };
  for (let run = 0; run < 3000; run++) {
    const slow = Array.from({ length: draw(4) }, () => '.s'[draw(2)]).join('');
    const opts = { more: draw(3), witnesses: draw(4), isWhole: draw(2) === 0 };
    const { begin, other, over, waited } = comparison(slow, opts);
    const [open, asked, agreed] = [[] as number[], new Set<number>(), new Set<number>()];
    let [awaited, end] = [0, undefined as boolean | undefined];
    const take = (actions: readonly ComparisonAction[]) => {
      for (const action of actions) {
        expect(end).toBeUndefined();
        if (action.kind === 'ask') {
          expect(asked.has(action.at)).toBe(false);
          asked.add(action.at);
          open.push(action.at);
        } else if (action.kind === 'wait') awaited += 1;
        else end = action.isEnough;
      }
    };
    take(begin());
    while (end === undefined) {
      expect(open.length).toBeGreaterThan(0);
      const what = draw(4);
      if (what === 0 && awaited > 0) {
        awaited -= 1;
        take(waited());
      } else if (what === 1) take(other(open[draw(open.length)]!));
      else {
        const [at] = open.splice(draw(open.length), 1);
        const agrees = draw(2) === 0;
        if (agrees) agreed.add(at!);
        take(over(at!, agrees));
      }
    }
    expect(end).toBe(agreed.size >= opts.witnesses);
    if (!end) expect([open.length, asked.size]).toEqual([0, slow.length + opts.more]);
    if (opts.isWhole && opts.witnesses === 0) expect(open).toEqual([]);
  }
});
