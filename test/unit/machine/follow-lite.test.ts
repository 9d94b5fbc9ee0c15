/** What a follower does next: looks, proofs, comparisons, what is handed out, pauses, and ends. */
import { describe, expect, it } from 'vitest';
import {
  type FollowAction,
  type FollowEvent,
  type FollowPlan,
  nearMs,
  stallOf,
  startFollow,
  stepFollow,
} from '../../../src/net/machine/follow-lite.ts';
import { share } from '../../helpers/share.ts';

const PLAN: FollowPlan = {
  proven: 50,
  next: undefined,
  signEveryMs: 5000,
  maxOutageMs: 600_000,
  acceptStaleStart: false,
};
type Event = FollowEvent<string>;
type Action = FollowAction<string>;
type Compared = Extract<Event, { kind: 'compared' }>;

/** A follower that was told to begin. Servers are letters. */
function follower(over: Partial<FollowPlan> = {}) {
  let state = startFollow<string>({ ...PLAN, ...over });
  let nowMs = 1000;
  let isStale = false;
  const tell = (event: Event): readonly Action[] => {
    const [after, actions] = stepFollow(state, event);
    state = after;
    return actions;
  };
  tell({ kind: 'begin', nowMs });
  return {
    at(ms: number) {
      nowMs = ms;
    },
    begin: () => tell({ kind: 'begin', nowMs }),
    waited: () => tell({ kind: 'waited', nowMs }),
    looked: (said: number, isNewer = true, stuckMs = 0) => tell({ kind: 'looked', said, isNewer, nowMs, stuckMs }),
    held: (seqno = 55) => tell({ kind: 'held', seqno }),
    unproven: (server: string) => tell({ kind: 'unproven', server }),
    climbed: (server: string) => tell({ kind: 'climbed', server }),
    proven: (seqno: number, keyBlock = 50, baseIsStale = false) => {
      isStale = baseIsStale;
      return tell({ kind: 'proven', seqno, keyBlock, baseIsStale });
    },
    descended: () => tell({ kind: 'descended' }),
    compared: (more: Partial<Compared> = {}, agreed = 0, contradicts = 0, forked = 0) =>
      tell({
        ...{ kind: 'compared', baseIsStale: isStale, isEnough: true, unheard: 0, nowMs, chance: 1 },
        ...{ said: { agreed, contradicts, forked }, ...more },
      }),
    taken: (count = 1, isKeyBlock = false) => tell({ kind: 'taken', count, isKeyBlock, nowMs }),
    failed: (more: Partial<Extract<Event, { kind: 'failed' }>> = {}) =>
      tell({ kind: 'failed', mayTryAgain: true, isOlder: false, chance: 1, nowMs, stuckMs: 0, ...more }),
    /** Hands out everything up to a block. */
    to(seqno: number, keyBlock = 50) {
      this.looked(seqno);
      this.proven(seqno, keyBlock);
      this.descended();
      const actions = this.compared();
      this.taken();
      this.waited();
      return actions;
    },
    get reason() {
      return stallOf(state);
    },
    get nearMs() {
      return nearMs(state);
    },
  };
}
const wait = (ms: number) => ({ kind: 'wait', ms });
const give = (first: number, last: number) => ({ kind: 'give', first, last });
const end = (how: string) => ({ kind: 'end', how });
const TROUBLE = { kind: 'trouble' };

describe('a step of a follower', () => {
  it('is a look, a proof, the way down, a comparison, and then what is new', () => {
    const { begin, looked, proven, descended, compared } = follower();
    expect(begin()).toEqual([{ kind: 'look' }]);
    expect(looked(60)).toEqual([{ kind: 'prove' }]);
    expect(proven(60)).toEqual([{ kind: 'descend' }]);
    expect(descended()).toEqual([{ kind: 'compare', scope: 'whole' }]);
    expect(compared()).toEqual([give(60, 60)]);
  });

  it('hands out what comes after the last block, or from the first that is wanted', () => {
    const run = follower({ next: 53 });
    expect(run.to(60)).toEqual([give(53, 60)]);
    expect(run.to(61)).toEqual([give(61, 61)]);
    expect(run.to(70)).toEqual([give(62, 70)]);
  });

  it('compares with all servers at a key block, and with one in turn between', () => {
    const run = follower();
    const scopes = [50, 50, 61, 50, 61, 62].map((keyBlock, at) => {
      run.looked(60 + at);
      run.proven(60 + at, keyBlock);
      const [action] = run.descended();
      run.compared();
      return action;
    });
    const scope = (name: string) => ({ kind: 'compare', scope: name });
    expect(scopes).toEqual(['whole', 'turn', 'all', 'turn', 'turn', 'all'].map(scope));
  });

  it('begins every five seconds, or whatever is wanted, whatever the blocks took', () => {
    const run = follower();
    run.to(60);
    run.at(3500);
    run.waited();
    run.at(6000);
    expect(run.taken(1)).toEqual([wait(2500)]);
    run.at(20_000);
    expect(run.taken(1)).toEqual([wait(0)]);
    const quick = follower({ signEveryMs: 0 });
    expect(quick.taken(1)).toEqual([wait(0)]);
  });

  it('is followed by the next one at once after a key block, and far behind the head', () => {
    const { taken } = follower();
    expect(taken(1, true)).toEqual([wait(0)]);
    expect(taken(255)).toEqual([wait(5000)]);
    expect(taken(256)).toEqual([wait(0)]);
  });
});

describe('where there is nothing new', () => {
  it('heads are looked at again after 0.4 s, and ever more rarely, up to a second', () => {
    const run = follower();
    const pauses = () =>
      Array.from({ length: 6 }, () => {
        run.waited();
        return run.looked(50, false).map((action) => (action.kind === 'wait' ? Math.round(action.ms) : action.kind));
      });
    expect(pauses()[0]).toEqual(['alive', 400]);
    expect(pauses().flat()).toEqual([1000, 1000, 1000, 1000, 1000, 1000]);
    run.to(60);
    expect(pauses().flat()).toEqual([400, 520, 676, 879, 1000, 1000]);
  });

  it('the time that the look took counts', () => {
    const { at, looked, waited } = follower();
    looked(50, false);
    waited();
    at(1100);
    expect(looked(50, false)).toEqual([wait(420)]);
  });

  it('it ends when no block was proven for too long', () => {
    const { looked, waited } = follower();
    looked(50, false);
    waited();
    expect(looked(50, false, 599_999)[0]!.kind).toBe('wait');
    expect(looked(50, false, 600_000)).toEqual([end('stands')]);
  });

  it('it does not end while servers that are behind come nearer', () => {
    const { looked, waited } = follower();
    expect(looked(40, false, 600_000)).toEqual([{ kind: 'alive' }, wait(400)]);
    waited();
    expect(looked(41, false, 600_000)).toEqual([{ kind: 'alive' }, wait(520)]);
    waited();
    expect(looked(41, false, 600_000)).toEqual([end('stands')]);
  });

  it('it tells at once, and once, that all servers are a hundred blocks behind', () => {
    const { looked, waited } = follower({ proven: 500 });
    const kinds = (said: number) => {
      waited();
      return looked(said, false).map(({ kind }) => kind);
    };
    expect(kinds(400)).toEqual(['alive', 'wait']);
    expect(kinds(399)).toEqual(['say', 'wait']);
    expect(kinds(399)).toEqual(['wait']);
  });
});

describe('a failure', () => {
  it('is told and tried again after a pause that doubles up to two seconds, at random', () => {
    const { failed, waited } = follower();
    const pauses = [0, 1, 2, 3, 4].map(() => {
      waited();
      return failed();
    });
    expect(pauses).toEqual([500, 1000, 2000, 2000, 2000].map((ms) => [TROUBLE, wait(ms)]));
    expect(failed({ chance: 0 })).toEqual([TROUBLE, wait(1000)]);
  });

  it('is forgotten with the next look that shows nothing new, and with what is handed out', () => {
    for (const mend of ['look', 'give']) {
      const run = follower();
      run.failed();
      run.waited();
      if (mend === 'look') run.looked(50, false);
      else run.to(60);
      run.waited();
      expect(run.failed()).toEqual([TROUBLE, wait(500)]);
    }
    const run = follower();
    run.failed();
    run.waited();
    run.looked(60);
    expect(run.failed()).toEqual([TROUBLE, wait(1000)]);
  });

  it('ends the run where another try is of no use, and after too long without a block', () => {
    expect(follower().failed({ mayTryAgain: false })).toEqual([end('failed')]);
    expect(follower().failed({ stuckMs: 599_999 })).toEqual([TROUBLE, wait(500)]);
    expect(follower().failed({ stuckMs: 600_000 })).toEqual([end('failed')]);
  });

  it('ends the run the third time in a row that all servers answer in a form that is not known', () => {
    const { failed, climbed } = follower();
    const older = () => failed({ isOlder: true })[0];
    expect([older(), older()]).toEqual([TROUBLE, TROUBLE]);
    failed();
    expect([older(), older()]).toEqual([TROUBLE, TROUBLE]);
    climbed('a');
    expect([older(), older(), older()]).toEqual([TROUBLE, TROUBLE, end('failed')]);
  });

  it('makes answers near the head be waited for longer, up to the deadline of a question', () => {
    const run = follower();
    const waits = Array.from({ length: 7 }, () => {
      const ms = run.nearMs;
      run.failed();
      return ms;
    });
    expect(waits).toEqual([3000, 6000, 10_000, 10_000, 10_000, 10_000, 10_000]);
    expect([0, 300, 3000, 5000].map((signEveryMs) => follower({ signEveryMs }).nearMs)).toEqual([
      1000, 300, 3000, 3000,
    ]);
    const quick = follower({ signEveryMs: 100 });
    for (let times = 0; times < 9; times++) quick.failed();
    expect(quick.nearMs).toBe(1600);
  });
});

describe('a server', () => {
  it('is doubted when the proof of its own head was not there three times in a row', () => {
    const { unproven, climbed } = follower();
    expect([unproven('a'), unproven('b'), unproven('a')]).toEqual([[], [], []]);
    expect(unproven('a')).toEqual([{ kind: 'doubt', server: 'a' }]);
    expect(unproven('a')).toEqual([{ kind: 'doubt', server: 'a' }]);
    expect(climbed('a')).toEqual([{ kind: 'believe', server: 'a' }]);
    expect([unproven('a'), unproven('a'), unproven('b')]).toEqual([[], [], []]);
    expect(unproven('b')).toEqual([{ kind: 'doubt', server: 'b' }]);
  });
});

describe('where others have to agree and too few do', () => {
  function few(maxOutageMs = 600_000) {
    const run = follower({ maxOutageMs });
    return {
      ...run,
      again(ms: number) {
        run.at(ms);
        run.waited();
        run.looked(60);
        run.proven(60);
        run.descended();
        return run.compared({ isEnough: false });
      },
      agree() {
        run.looked(60);
        run.proven(60);
        run.descended();
        return run.compared();
      },
      get reason() {
        return run.reason;
      },
    };
  }
  const fail = { ...TROUBLE, few: 'too-few-witnesses' };

  it('nothing is handed out, it is told, and tried again', () => {
    const run = few();
    expect(run.again(1000)).toEqual([fail, wait(500)]);
    expect(run.reason).toBe('too-few-witnesses');
    expect(run.again(2000)).toEqual([fail, wait(1000)]);
    expect(run.agree()).toEqual([give(60, 60)]);
    expect(run.reason).not.toBe('too-few-witnesses');
  });

  it('it ends after too long, counted from the first time, anew after each block', () => {
    const run = few(1000);
    run.again(1000);
    expect(run.again(2000)[0]).toEqual(fail);
    expect(run.again(2001)).toEqual([end('too-few-witnesses')]);
    const mended = few(1000);
    mended.again(1000);
    mended.agree();
    expect(mended.again(5000)[0]).toEqual(fail);
  });
});

describe('over a set past its stakes', () => {
  const stale = (said: [number, number?, number?], unheard = 0, over: Partial<FollowPlan> = {}) => {
    const run = follower(over);
    run.proven(60, 50, true);
    return { run, actions: run.compared({ unheard }, ...said) };
  };
  const WARN = { kind: 'warn-stale' };

  it('every server is compared each time', () => {
    const run = follower();
    run.to(55);
    run.proven(60, 50, true);
    expect(run.descended()).toEqual([{ kind: 'compare', scope: 'whole' }]);
  });

  it('two others have to agree, or the user takes it, and both are told', () => {
    expect(stale([2]).actions).toEqual([WARN, give(60, 60)]);
    expect(stale([1]).actions).toEqual([end('stale-set')]);
    expect(stale([0], 0, { acceptStaleStart: true }).actions).toEqual([WARN, give(60, 60)]);
  });

  it('is judged by the time after the comparison, in which the machine may have slept', () => {
    const run = follower();
    run.proven(60, 50, false);
    expect(run.compared({ baseIsStale: true }, 5, 0, 1)).toEqual([end('contradicted')]);
    for (const agreed of [0, 1, 5]) {
      const slept = follower();
      slept.proven(60, 50, false);
      // all servers are asked before it decides
      expect(slept.compared({ baseIsStale: true }, agreed)).toEqual([{ ...TROUBLE, few: 'stale-set' }, wait(500)]);
      slept.proven(60, 50, true);
      expect(slept.descended()).toEqual([{ kind: 'compare', scope: 'whole' }]);
    }
  });

  it('one that contradicts ends it, and another history even where the user takes it', () => {
    expect(stale([5, 1]).actions).toEqual([end('contradicted')]);
    expect(stale([5, 0, 1]).actions).toEqual([end('contradicted')]);
    expect(stale([0, 1], 0, { acceptStaleStart: true }).actions).toEqual([WARN, give(60, 60)]);
    expect(stale([5, 0, 1], 0, { acceptStaleStart: true }).actions).toEqual([end('contradicted')]);
  });

  it('another history ends it where too few agree as well: a later try could find enough for that one', () => {
    const run = follower();
    run.proven(60, 50, true);
    expect(run.compared({ isEnough: false }, 1, 1)[0]).toEqual({ ...TROUBLE, few: 'too-few-witnesses' }); // a claim only
    run.proven(60, 50, true);
    expect(run.compared({ isEnough: false }, 1, 0, 1)).toEqual([end('contradicted')]);
  });

  it('others that were silent are asked three times, where with them enough may agree', () => {
    const fail = { ...TROUBLE, few: 'stale-set' };
    const { run, actions } = stale([1], 1);
    expect(actions).toEqual([fail, wait(500)]);
    expect(run.compared({ unheard: 1 }, 1)).toEqual([fail, wait(1000)]);
    expect(run.compared({ unheard: 1 }, 1)).toEqual([end('stale-set')]);
    expect(stale([0], 1).actions).toEqual([end('stale-set')]);
    expect(stale([0], 2).actions[0]).toEqual(fail);
  });

  it('tries are counted anew once two have agreed', () => {
    const { run } = stale([1], 1);
    run.compared({ unheard: 1 }, 1);
    run.compared({}, 2);
    run.proven(61, 50, true);
    expect(run.compared({ unheard: 1 }, 1)[0]).toEqual({ ...TROUBLE, few: 'stale-set' });
    expect(run.compared({ unheard: 1 }, 1)[0]).toEqual({ ...TROUBLE, few: 'stale-set' });
    expect(run.compared({ unheard: 1 }, 1)).toEqual([end('stale-set')]);
  });

  it('they are not where a block under a set in office came between', () => {
    const { run } = stale([1], 1);
    run.compared({ unheard: 1 }, 1);
    run.to(61);
    run.proven(62, 50, true);
    expect(run.compared({ unheard: 1 }, 1)).toEqual([end('stale-set')]);
  });
});

it('takes the same part of the way again for no life', () => {
  const run = follower();
  run.looked(60);
  expect(run.held(55)).toEqual([{ kind: 'alive' }]);
  run.failed();
  run.waited();
  run.looked(60);
  expect([run.held(52), run.held(55)]).toEqual([[], []]);
  expect(run.reason).toBe('catching-up');
  expect(run.held(56)).toEqual([{ kind: 'alive' }]);
});

describe('the reason for silence', () => {
  it('follows what servers say and prove', () => {
    const run = follower();
    expect(run.reason).toBe('no-server');
    run.looked(50, false);
    expect(run.reason).toBe('head-stands');
    run.waited();
    run.looked(60);
    expect(run.reason).toBe('not-proven');
    expect(run.held()).toEqual([{ kind: 'alive' }]);
    expect(run.reason).toBe('catching-up');
    run.failed();
    expect(run.reason).toBe('not-proven');
    run.waited();
    run.failed(); // the look itself
    expect(run.reason).toBe('no-server');
    run.waited();
    expect(run.reason).toBe('no-server');
    run.looked(60);
    run.held();
    run.proven(58);
    run.descended();
    run.compared();
    expect(run.reason).toBe('not-proven');
  });
});

it('a follower hands out each block once, in order, after its comparison, and always does something until it ends', () => {
  let seed = 5;
  const draw = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 0x80000000;
    return Math.floor((seed / 0x80000000) * below);
  };
  const ends = new Set<string>();
  for (let run = 0; run < share(300, 1000); run++) {
    const plan = { ...PLAN, next: draw(2) === 0 ? undefined : 51 + draw(5), acceptStaleStart: draw(2) === 0 };
    const proven = Math.max(PLAN.proven, (plan.next ?? 1) - 1);
    let state = startFollow<string>({ ...plan, proven });
    let [tip, handedOut, keyBlock, compared, isCompared, nowMs] = [proven, proven, 50, -1, false, 0];
    let event: Event | undefined = { kind: 'begin', nowMs };
    for (let turn = 0; turn < 60 && event !== undefined; turn++) {
      const [after, actions]: readonly [typeof state, readonly Action[]] = stepFollow(state, event);
      state = after;
      nowMs += draw(400);
      const now = { nowMs, stuckMs: draw(30) === 0 ? 700_000 : 0 };
      expect(actions.length).toBeGreaterThan(0);
      event = undefined;
      for (const action of actions) {
        // One thing to wait for at a time, and it comes last.
        expect(event).toBeUndefined();
        const fails = draw(8) === 0;
        if (action.kind === 'end') ends.add(action.how);
        else if (action.kind === 'wait') event = { kind: 'waited', nowMs: nowMs + action.ms };
        else if (action.kind === 'give') {
          expect(isCompared).toBe(true);
          isCompared = false;
          if (turn > 0 && handedOut > proven) expect(action.first).toBe(handedOut + 1);
          else expect(action.first).toBe(plan.next ?? action.last);
          expect(action.last).toBe(tip);
          handedOut = action.last;
          compared = Math.max(compared, keyBlock);
          event = { kind: 'taken', count: action.last - action.first + 1, isKeyBlock: draw(2) === 0, nowMs };
        } else if (['look', 'prove', 'descend', 'compare'].includes(action.kind) && fails) {
          event = { kind: 'failed', mayTryAgain: draw(9) > 0, isOlder: false, chance: draw(2), ...now };
        } else if (action.kind === 'look') {
          const said = handedOut + draw(3);
          event = { kind: 'looked', said, isNewer: said > handedOut, ...now };
        } else if (action.kind === 'prove') {
          tip = handedOut + 1 + draw(9);
          keyBlock = Math.max(keyBlock, tip - draw(30));
          event = { kind: 'proven', seqno: tip, keyBlock, baseIsStale: draw(4) === 0 };
        } else if (action.kind === 'descend') event = { kind: 'descended' };
        else if (action.kind === 'compare') {
          if (compared < keyBlock) expect(action.scope).not.toBe('turn');
          isCompared = true;
          const said = { agreed: draw(4), contradicts: Number(draw(9) === 0), forked: Number(draw(20) === 0) };
          const [baseIsStale, isEnough] = [draw(4) === 0, draw(4) > 0];
          event = { kind: 'compared', baseIsStale, isEnough, said, unheard: draw(3), nowMs, chance: 0.5 };
        }
      }
      if (event === undefined) expect(actions.at(-1)!.kind).toBe('end');
    }
  }
  expect([...ends].sort()).toEqual(['contradicted', 'failed', 'stale-set', 'stands']);
});
