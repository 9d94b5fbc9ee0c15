/** Which block of a source is handed out next: looks at the head, lag, samples, heads that were far too high, and ends. */
import { describe, expect, it } from 'vitest';
import {
  type BlocksAction,
  type BlocksEvent,
  type BlocksPlan,
  startBlocks,
  stepBlocks,
} from '../../../src/net/machine/follow-blocks.ts';
import { share } from '../../helpers/share.ts';

const PLAN: BlocksPlan = { from: undefined, pollMs: 400, lagAfter: 10, sample: false, maxStandMs: 600_000 };

function follower(over: Partial<BlocksPlan> = {}) {
  let state = startBlocks({ ...PLAN, ...over });
  let nowMs = 0;
  const tell = (event: BlocksEvent): readonly BlocksAction[] => {
    const [after, actions] = stepBlocks(state, event);
    state = after;
    return actions;
  };
  return {
    at(ms: number) {
      nowMs = ms;
    },
    begin: () => tell({ kind: 'begin' }),
    waited: () => tell({ kind: 'waited', nowMs }),
    looked: (said: number, stuckMs = 0) => tell({ kind: 'looked', said, nowMs, stuckMs }),
    taken: () => tell({ kind: 'taken', nowMs }),
    beyond: (head: number) => tell({ kind: 'beyond', head, nowMs }),
    get next() {
      return state.next;
    },
  };
}
const LOOK = { kind: 'look' };
const ALIVE = { kind: 'alive' };
const SAY = { kind: 'say' };
const WAIT = { kind: 'wait', ms: 400 };
const give = (seqno: number, head: number) => ({ kind: 'give', seqno, head });
const lag = (next: number, head: number, behind: number, skipped = 0) => ({ kind: 'lag', next, head, behind, skipped });

describe('blocks that are followed', () => {
  it('begin at the head, and go on with each block as it comes', () => {
    const { begin, looked, taken, waited } = follower();
    expect(begin()).toEqual([LOOK]);
    expect(looked(100)).toEqual([give(100, 100)]);
    expect(taken()).toEqual([LOOK]);
    expect(looked(100)).toEqual([WAIT]);
    expect(waited()).toEqual([LOOK]);
    expect(looked(102)).toEqual([give(101, 102)]);
    expect(taken()).toEqual([give(102, 102)]);
  });

  it('are not asked for early any more once a head that was made up is taken back', () => {
    const { looked, taken, at } = follower({ from: 100 });
    expect(looked(1_000_000).at(-1)).toEqual(give(100, 1_000_000));
    at(6000);
    expect(taken()).toEqual([LOOK]);
    expect(looked(100)).toEqual([SAY, WAIT]);
  });

  it('go on up to the true head, and no further, once one that was made up is taken back', () => {
    const { looked, taken, at } = follower({ from: 100 });
    looked(1_000_000);
    at(6000);
    taken();
    expect(looked(102)).toEqual([SAY, give(101, 102)]);
    expect(taken()).toEqual([give(102, 102)]);
    expect(taken()).toEqual([LOOK]);
  });

  it('begin where the caller wants, and are waited for until they are there', () => {
    const early = follower({ from: 95 });
    expect(early.looked(100)).toEqual([give(95, 100)]);
    const late = follower({ from: 103 });
    expect(late.looked(100)).toEqual([ALIVE, WAIT]);
    expect(late.looked(102)).toEqual([ALIVE, WAIT]);
    expect(late.looked(103)).toEqual([give(103, 103)]);
  });

  it('are handed out while the head is looked at every five seconds', () => {
    const { at, looked, taken } = follower({ from: 1, lagAfter: 1000 });
    looked(100);
    at(5000);
    expect(taken()).toEqual([give(2, 100)]);
    at(5001);
    expect(taken()).toEqual([LOOK]);
    expect(looked(90)).toEqual([SAY, give(3, 100)]);
    at(10_001);
    expect(taken()).toEqual([give(4, 100)]);
  });
});

describe('a follower that is behind', () => {
  it('says how far, from ten blocks on', () => {
    const { looked, taken } = follower({ from: 91 });
    expect(looked(100)).toEqual([lag(91, 100, 10), give(91, 100)]);
    expect(taken()).toEqual([give(92, 100)]);
  });

  it('goes on at the head where it samples, and looks at the head after each', () => {
    const { looked, taken } = follower({ from: 80, sample: true });
    expect(looked(100)).toEqual([lag(100, 100, 21, 20), give(100, 100)]);
    expect(taken()).toEqual([LOOK]);
    expect(looked(109)).toEqual([give(101, 109)]);
    expect(taken()).toEqual([give(102, 109)]);
    const close = follower({ from: 92, sample: true });
    close.looked(100);
    expect(close.taken()).toEqual([give(93, 100)]);
  });
});

describe('a head that had been far too high', () => {
  it('is taken back, with what it made the run leave out', () => {
    const { looked, beyond, taken } = follower({ from: 90, sample: true });
    looked(2_000_000);
    expect(beyond(99)).toEqual([give(99, 99)]);
    taken();
    looked(2_000_000);
    expect(beyond(99)).toEqual([LOOK]);
    expect(looked(101)).toEqual([give(100, 101)]);
  });

  it('is taken back where the run began at it', () => {
    const { looked, beyond } = follower();
    looked(2_000_000);
    expect(beyond(100)).toEqual([give(100, 100)]);
  });

  it('brings no block twice, and none before the first that is wanted', () => {
    const { looked, taken, beyond, next } = follower({ from: 100 });
    looked(100);
    taken();
    expect(looked(101)).toEqual([give(101, 101)]);
    expect(beyond(100)).toEqual([LOOK]);
    expect(looked(100)).toEqual([WAIT]);
    expect(next).toBe(100); // as it was at the start
    const first = follower({ from: 100 });
    first.looked(100);
    expect(first.beyond(50)).toEqual([LOOK]);
    expect(first.next).toBe(100);
    const head = follower();
    head.looked(5);
    head.beyond(0);
    expect(head.next).toBe(1);
  });

  it('is not looked at again at once, however long the question took', () => {
    const { at, looked, beyond } = follower();
    looked(200);
    at(9000);
    expect(beyond(100)).toEqual([give(100, 100)]);
  });
});

describe('a head that stands', () => {
  it('ends the run after too long, and not while servers that are behind come nearer', () => {
    const { looked } = follower({ from: 103 });
    expect(looked(100, 700_000)).toEqual([ALIVE, WAIT]);
    expect(looked(100, 599_999)).toEqual([WAIT]);
    expect(looked(101, 700_000)).toEqual([ALIVE, WAIT]);
    expect(looked(101, 600_000)).toEqual([{ kind: 'end' }]);
  });

  it('does not end it while there is a block to hand out', () => {
    const { looked, taken } = follower({ from: 90, lagAfter: 1000 });
    expect(looked(100, 700_000)).toEqual([give(90, 100)]);
    expect(taken()).toEqual([give(91, 100)]);
  });

  it('is told at once where it is far before the first block that is wanted, or goes back', () => {
    expect(follower({ from: 201 }).looked(100)).toEqual([ALIVE, WAIT]);
    const far = follower({ from: 202 });
    expect(far.looked(100)).toEqual([ALIVE, SAY, WAIT]);
    expect(far.looked(100)).toEqual([WAIT]);
    expect(far.looked(97)).toEqual([SAY, WAIT]);
  });
});

it('a follower hands out each block once, in order, whatever heads are named, and leaves out none unless it samples', () => {
  let seed = 9;
  const draw = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 0x80000000;
    return Math.floor((seed / 0x80000000) * below);
  };
  for (let run = 0; run < share(300, 1000); run++) {
    const from = draw(2) === 0 ? undefined : 40 + draw(30);
    const sample = draw(3) === 0;
    let state = startBlocks({ ...PLAN, from, sample, lagAfter: 1 + draw(12) });
    let [head, nowMs, last] = [50, 0, undefined as number | undefined];
    let event: BlocksEvent | undefined = { kind: 'begin' };
    for (let turn = 0; turn < 80 && event !== undefined; turn++) {
      const [after, actions]: readonly [typeof state, readonly BlocksAction[]] = stepBlocks(state, event);
      state = after;
      nowMs += draw(900);
      head += draw(3);
      event = undefined;
      for (const action of actions) {
        expect(event).toBeUndefined();
        if (action.kind === 'look') {
          const said = draw(9) === 0 ? head + draw(100) : head - draw(3);
          event = { kind: 'looked', said, nowMs, stuckMs: draw(60) === 0 ? 600_000 : 0 };
        } else if (action.kind === 'wait') event = { kind: 'waited', nowMs: nowMs + action.ms };
        else if (action.kind === 'give') {
          expect(action.seqno).toBeLessThanOrEqual(action.head);
          if (action.seqno > head) {
            event = { kind: 'beyond', head, nowMs };
            continue;
          }
          if (last !== undefined && !sample) expect(action.seqno).toBe(last + 1);
          if (last !== undefined) expect(action.seqno).toBeGreaterThan(last);
          else if (!sample && from !== undefined) expect(action.seqno).toBe(from);
          expect(action.seqno).toBeGreaterThanOrEqual(from ?? 1);
          last = action.seqno;
          event = { kind: 'taken', nowMs };
        }
      }
      if (event === undefined) expect(actions.at(-1)).toEqual({ kind: 'end' });
    }
  }
});
