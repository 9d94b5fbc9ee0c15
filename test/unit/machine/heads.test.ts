/** Who is asked for a head, who is waited for, and which heads are proven first. */
import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import {
  clocksAgainst,
  type HeadsAction,
  type HeadsEvent,
  highest,
  startHeads,
  stepHeads,
} from '../../../src/net/machine/heads.ts';

const ask = (server: string) => ({ kind: 'ask', server });
const give = (...servers: string[]) => ({ kind: 'give', servers });
const WAKE = { kind: 'wake', ms: 750 };

/** The servers are letters; the clock is moved by `at`. */
function watch() {
  let state = startHeads<string>();
  let nowMs = 0;
  const tell = (event: HeadsEvent<string>): readonly HeadsAction<string>[] => {
    const [after, actions] = stepHeads(state, event);
    state = after;
    return actions;
  };
  return {
    at(ms: number) {
      nowMs = ms;
    },
    look: (servers: string) => tell({ kind: 'look', servers: [...servers], nowMs }),
    answered: (server: string) => tell({ kind: 'answered', server, nowMs }),
    failed: (server: string) => tell({ kind: 'failed', server, nowMs }),
    woken: () => tell({ kind: 'woken' }),
    get isLooking() {
      return state.waitedFor !== undefined;
    },
  };
}

describe('a look at the heads', () => {
  it('asks every server at the same time, and ends when all have answered or failed', () => {
    const { look, answered, failed } = watch();
    expect(look('abc')).toEqual(['a', 'b', 'c'].map(ask));
    expect(answered('b')).toEqual([WAKE]);
    expect(failed('a')).toEqual([]);
    expect(answered('c')).toEqual([give('b', 'c')]);
  });

  it('waits for others three quarters of a second after the first answer, and no longer', () => {
    const { look, answered, failed, woken } = watch();
    look('abc');
    expect(failed('a')).toEqual([]);
    expect(answered('b')).toEqual([WAKE]);
    expect(woken()).toEqual([give('b')]);
    expect(woken()).toEqual([]);
  });

  it('gives an answer that came too late to the next one, which does not ask that server twice at a time', () => {
    const { look, answered, woken } = watch();
    look('abc');
    answered('a');
    woken();
    expect(answered('b')).toEqual([]);
    expect(look('abc')).toEqual([ask('a'), ask('b'), WAKE]);
    expect(answered('a')).toEqual([]);
    expect(answered('b')).toEqual([]);
    expect(answered('c')).toEqual([give('b', 'a', 'c')]);
  });

  it('does not wait for a server that failed or was late the last time, until it is in time again', () => {
    const { at, look, answered, failed } = watch();
    look('abcd');
    answered('a');
    failed('b');
    at(750);
    answered('d');
    at(751);
    expect(answered('c')).toEqual([give('a', 'd', 'c')]);
    look('abcd');
    answered('a');
    expect(answered('d')).toEqual([give('a', 'd')]);
    answered('b');
    at(3000);
    answered('c');
    look('abcd');
    answered('a');
    expect(answered('d')).toEqual([]);
    expect(answered('b')).toEqual([give('b', 'c', 'a', 'd')]);
  });

  it('waits for those that were late where no other answers, for three quarters of a second after the first of them', () => {
    const { look, answered, failed, woken } = watch();
    look('ab');
    failed('a');
    expect(failed('b')).toEqual([give()]);
    expect(look('abc')).toEqual(['a', 'b', 'c'].map(ask));
    expect(failed('c')).toEqual([]);
    expect(answered('b')).toEqual([WAKE]);
    expect(woken()).toEqual([give('b')]);
    look('abc');
    expect(answered('b')).toEqual([give('b')]);
  });

  it('gives none where all fail, and where there is no server', () => {
    const { look, failed } = watch();
    look('a');
    expect(failed('a')).toEqual([give()]);
    expect(look('')).toEqual([give()]);
  });

  it('never leaves its follower without a question, a time or an end, and gives each answer once', () => {
    let seed = 7;
    const draw = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 0x80000000;
      return Math.floor((seed / 0x80000000) * below);
    };
    for (let run = 0; run < 300; run++) {
      const { at, look, answered, failed, woken } = watch();
      const open: string[] = [];
      let [given, came, nowMs, isAwaiting, looks] = [0, 0, 0, false, 0];
      const take = (actions: readonly HeadsAction<string>[]) => {
        for (const action of actions) {
          if (action.kind === 'ask') expect(open).not.toContain(action.server);
          if (action.kind === 'ask') open.push(action.server);
          else if (action.kind === 'wake') isAwaiting = true;
          else {
            given += action.servers.length;
            looks += 1;
            isAwaiting = false;
          }
        }
      };
      for (let turn = 0; turn < 30; turn++) {
        const before = looks;
        take(look('abcd'.slice(draw(3))));
        while (looks === before) {
          expect(open.length + Number(isAwaiting)).toBeGreaterThan(0);
          nowMs += draw(900);
          at(nowMs);
          if (isAwaiting && (open.length === 0 || draw(4) === 0)) {
            isAwaiting = false;
            take(woken());
          } else {
            const [server] = open.splice(draw(open.length), 1);
            const isGood = draw(3) > 0;
            came += Number(isGood);
            take((isGood ? answered : failed)(server!));
          }
        }
      }
      expect(given).toBeLessThanOrEqual(came);
    }
  });
});

const named = (server: string, seqno: number) => ({ server, block: { seqno } as BlockIdExt });

describe('the heads to go for', () => {
  it('begin with the highest of a server in good standing, and end with those of servers that named a block in vain', () => {
    const heads = [named('good', 21), named('quick', 20), named('tired', 25), named('vain', 30), named('out', 40)];
    const [usable, doubted] = [['good', 'quick', 'out'], new Set(['vain'])];
    const standings = {
      usable: () => usable,
      isKept: (one: string) => one !== 'out',
      isDoubted: (one: string) => doubted.has(one),
    };
    const names = (above: number) => highest(standings, heads, above).map(({ server }) => server);
    expect(names(20)).toEqual(['good', 'tired', 'vain']);
    expect(names(19)).toEqual(['good', 'tired', 'quick', 'vain']);
    expect(names(25)).toEqual(['vain']);
    doubted.clear();
    expect(names(19)).toEqual(['good', 'vain', 'tired', 'quick']);
    // One that may be asked again is no longer last.
    doubted.add('quick');
    expect(names(19)).toEqual(['good', 'vain', 'tired', 'quick']);
  });
});

describe('what servers say of this machine’s clock', () => {
  const says = (client: string, now?: number) => ({
    client,
    head: now === undefined ? {} : { now },
    heldAgainst: [1000.4, 1000.4] as const,
  });

  it('counts where all that say a time differ by more than half a minute to the same side, two at least', () => {
    expect(clocksAgainst([says('a', 1031), says('b', 1900), says('c')])).toEqual({ own: 1000, theirs: [1031, 1900] });
    expect(clocksAgainst([says('a', 970), says('b', 100)])).toEqual({ own: 1000, theirs: [970, 100] });
    expect(clocksAgainst([says('a', 1030), says('b', 1900)])).toBeUndefined();
    expect(clocksAgainst([says('a', 970), says('b', 1900)])).toBeUndefined();
    expect(clocksAgainst([says('a', 1900), says('b')])).toBeUndefined();
    expect(clocksAgainst([])).toBeUndefined();
  });

  it('allows half a minute, and holds it against the whole time between question and answer', () => {
    const asked = (at: readonly [number, number], now: number) => ({ client: 'a', head: { now }, heldAgainst: at });
    const both = (at: readonly [number, number], now: number) => clocksAgainst([asked(at, now), asked(at, now)]);
    for (const at of [[1000, 5000] as const, [5000, 1000] as const]) {
      for (const now of [970, 1000, 3000, 5030]) expect(both(at, now)).toBeUndefined();
      for (const now of [969, 5031]) expect(both(at, now)).toEqual({ own: 5000, theirs: [now, now] });
    }
  });

  it('leaves out the one that just proved a block whose time is far from its own, and no other', () => {
    const all = [says('a', 1700), says('b', 1701), says('c', 1702)];
    expect(clocksAgainst(all, { client: 'b', genUtime: 1000 })?.theirs).toEqual([1700, 1702]);
    expect(clocksAgainst(all, { client: 'b', genUtime: 1101 })?.theirs).toEqual([1700, 1701, 1702]);
    expect(clocksAgainst([...all, says('d')], { client: 'd', genUtime: 1000 })?.theirs).toHaveLength(3);
    expect(clocksAgainst(all.slice(0, 2), { client: 'a', genUtime: 1000 })).toBeUndefined();
  });

  it('that are the same come in the order in which their servers are quick, not in the order of arrival', () => {
    const heads = [named('resting', 20), named('slow', 20), named('quick', 20), named('newer', 21)];
    const standings = { usable: () => ['quick', 'slow', 'newer'], isKept: () => true, isDoubted: () => false };
    const names = highest(standings, heads, 19).map(({ server }) => server);
    expect(names).toEqual(['newer', 'quick', 'slow', 'resting']);
  });
});
