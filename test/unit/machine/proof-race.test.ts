/** Which heads are proven at the same time, how long a higher one is waited for, and which proof is taken. */
import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import {
  type RaceAction,
  type RaceEvent,
  type RaceHead,
  startRace,
  stepRace,
} from '../../../src/net/machine/proof-race.ts';

const block = (seqno: number, fill = 0): BlockIdExt => ({
  workchain: -1,
  shard: 0x8000000000000000n,
  seqno,
  rootHash: new Uint8Array(32).fill(fill) as BlockIdExt['rootHash'],
  fileHash: new Uint8Array(32) as BlockIdExt['fileHash'],
});

const headOf = (head: number | BlockIdExt, isWaitedFor = true) => ({
  block: typeof head === 'number' ? block(head) : head,
  isWaitedFor,
});
const race = (...heads: (number | BlockIdExt)[]) => raceOf(heads.map((head) => headOf(head)));

function raceOf(heads: readonly RaceHead[]) {
  let state = startRace(heads);
  const tell = (event: RaceEvent): readonly RaceAction[] => {
    const [after, actions] = stepRace(state, event);
    state = after;
    return actions;
  };
  return {
    begin: () => tell({ kind: 'begin' }),
    proven: (at: number) => tell({ kind: 'proven', at }),
    failed: (at: number) => tell({ kind: 'failed', at }),
    named: (...seqnos: number[]) => tell({ kind: 'named', heads: seqnos.map((seqno) => headOf(seqno)) }),
    woken: () => tell({ kind: 'woken' }),
  };
}
const prove = (at: number) => ({ kind: 'prove', at });
const end = (best: number | undefined) => ({ kind: 'end', best });
const WAKE = { kind: 'wake', ms: 1000 };
const late = (at: number) => ({ kind: 'late', at });
const LOOK = { kind: 'look' };

describe('the proofs of the highest heads', () => {
  it('are asked for two at a time', () => {
    const { begin, failed } = race(9, 10, 8, 7);
    expect(begin()).toEqual([prove(0), prove(1), WAKE]);
    expect(failed(1)).toEqual([prove(2)]);
    expect(failed(0)).toEqual([prove(3)]);
    expect(failed(2)).toEqual([]);
    expect(failed(3)).toEqual([end(undefined)]);
  });

  it('begin with nothing that is asked for or late', () => {
    expect(startRace([])).toEqual({ heads: [], asked: 0, open: [], overdue: [], best: undefined });
  });

  it('are asked of one server where there is one', () => {
    const { begin, failed } = race(9);
    expect(begin()).toEqual([prove(0), WAKE]);
    expect(failed(0)).toEqual([end(undefined)]);
  });

  it('are asked for a second time only after a second, where two servers name the same block', () => {
    const { begin, woken, proven } = race(9, 9, 8);
    expect(begin()).toEqual([prove(0), WAKE]);
    expect(woken()).toEqual([prove(1), WAKE]);
    expect(proven(1)).toEqual([late(0), end(1)]);
    expect(race(9, block(9, 1)).begin()).toEqual([prove(0), prove(1), WAKE]);
  });

  it('are late where another server was asked a second later and was first, unless nobody waits for them', () => {
    for (const isWaitedFor of [true, false]) {
      const { begin, woken, proven } = raceOf([headOf(9, isWaitedFor), headOf(9)]);
      begin();
      woken();
      expect(proven(1)).toEqual(isWaitedFor ? [late(0), end(1)] : [end(1)]);
    }
    const both = race(9, block(9, 1));
    both.begin();
    expect(both.proven(1)).toEqual([end(1)]); // both were asked at once, and no second is over
    const failed = race(9, 9);
    failed.begin();
    failed.woken();
    failed.failed(0);
    expect(failed.proven(1)).toEqual([end(1)]);
    const lower = race(10, 9);
    lower.begin();
    lower.woken();
    expect(lower.proven(1)).toEqual([WAKE]);
    expect(lower.failed(0)).toEqual([end(1)]);
  });

  it('are asked of the next one at once where the first of two that name the same block fails, and then of no third', () => {
    const { begin, woken, failed } = race(9, 9, 9, 9);
    begin();
    expect(failed(0)).toEqual([prove(1)]);
    expect(woken()).toEqual([prove(2), WAKE]);
    expect(woken()).toEqual([WAKE]);
    expect(failed(1)).toEqual([prove(3)]);
  });

  it('are late, all of them, and two at a time: no further heads are asked for before one of the two fails', () => {
    const { begin, woken, failed } = race(9, 8);
    expect(begin()).toEqual([prove(0), prove(1), WAKE]);
    expect(woken()).toEqual([WAKE]);
    expect(failed(0)).toEqual([]);
    expect(woken()).toEqual([LOOK]);
  });

  it('are late for a second: then heads are asked for again, and one of another server is proven beside', () => {
    const { begin, woken, named, proven, failed } = race(9);
    begin();
    expect(woken()).toEqual([LOOK]);
    expect(named()).toEqual([WAKE]);
    expect(woken()).toEqual([LOOK]);
    expect(named(12, 11)).toEqual([prove(1), WAKE]);
    expect(woken()).toEqual([WAKE]);
    expect(failed(0)).toEqual([prove(2)]);
    expect(proven(1)).toEqual([end(1)]);
  });

  it('change nothing about a proof that came meanwhile', () => {
    const { begin, woken, named, proven } = race(9);
    begin();
    woken();
    expect(proven(0)).toEqual([end(0)]);
    expect(named(12)).toEqual([]);
  });

  it('are taken at once where no higher one can come, and asked for no more', () => {
    for (const other of [9, 10]) {
      const { begin, proven } = race(10, block(other, 1), 8);
      begin();
      expect(proven(0)).toEqual([end(0)]);
    }
  });

  it('are waited for a second where a higher one may come, and no others are begun meanwhile', () => {
    const start = () => {
      const { begin, proven, ...rest } = race(9, 10, 8);
      begin();
      expect(proven(0)).toEqual([WAKE]);
      return { proven, ...rest };
    };
    expect(start().woken()).toEqual([late(1), end(0)]);
    expect(start().proven(1)).toEqual([end(1)]);
    expect(start().failed(1)).toEqual([end(0)]);
  });

  it('are not waited for where their server is not, and are taken where they come first', () => {
    const start = () => raceOf([headOf(9), headOf(10, false)]);
    const [one, other] = [start(), start()];
    one.begin();
    expect(one.proven(0)).toEqual([end(0)]);
    other.begin();
    expect(other.proven(1)).toEqual([end(1)]);
  });

  it('are the higher one where a lower one comes after it', () => {
    const { begin, failed, proven } = race(5, 7, 9, 8);
    begin();
    failed(0);
    expect(proven(1)).toEqual([WAKE]);
    expect(proven(2)).toEqual([end(2)]);
  });

  it('end, whatever comes when, with the highest that came before the end', () => {
    let seed = 3;
    const draw = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 0x80000000;
      return Math.floor((seed / 0x80000000) * below);
    };
    for (let run = 0; run < 2000; run++) {
      const heads = Array.from({ length: 1 + draw(5) }, () => 1 + draw(3));
      const { begin, proven, failed, woken, named } = race(...heads);
      const [open, asked, there] = [[] as number[], new Set<number>(), [] as number[]];
      let [isAwaited, isLooking, best, isOver] = [false, false, undefined as number | undefined, false];
      const take = (actions: readonly RaceAction[]) => {
        for (const action of actions) {
          expect(isOver).toBe(false);
          if (action.kind === 'prove') {
            expect(asked.has(action.at)).toBe(false);
            asked.add(action.at);
            open.push(action.at);
          } else if (action.kind === 'wake') isAwaited = true;
          else if (action.kind === 'look') isLooking = true;
          else if (action.kind === 'late') expect(open).toContain(action.at);
          else [isOver, best] = [true, action.best];
        }
        expect(open.length).toBeLessThanOrEqual(2);
      };
      take(begin());
      while (!isOver) {
        expect(open.length).toBeGreaterThan(0);
        if (isAwaited && draw(4) === 0) {
          isAwaited = false;
          take(woken());
          continue;
        }
        if (isLooking && draw(4) === 0) {
          isLooking = false;
          const more = there.length > 0 ? [] : Array.from({ length: draw(3) }, () => 1 + draw(3));
          heads.push(...more);
          take(named(...more));
          continue;
        }
        const [at] = open.splice(draw(open.length), 1);
        if (draw(2) === 0) take(failed(at!));
        else {
          there.push(heads[at!]!);
          take(proven(at!));
        }
      }
      expect(best === undefined ? undefined : heads[best]).toBe(there.length === 0 ? undefined : Math.max(...there));
      if (best === undefined) expect(asked.size).toBe(heads.length);
    }
  });
});
