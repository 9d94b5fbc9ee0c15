/** When a wait asks for heads, when for a proof, and how long it does neither. */
import { describe, expect, it } from 'vitest';
import { startWait, stepWait, type WaitEvent, type WaitState } from '../../../src/net/machine/wait-for-final.ts';

function run(start: WaitState, events: readonly WaitEvent[]) {
  let state = start;
  return events.map((event) => {
    const [after, action] = stepWait(state, event);
    state = after;
    return action.kind === 'wait' ? action.ms : action.kind;
  });
}

describe('a wait for a block of a number', () => {
  it('asks for its proof once a server names it or a later one, and not before', () => {
    const looks = [3, 14, 15, 16].map((said): WaitEvent => ({ kind: 'looked', said }));
    expect(run(startWait(15, 0), [{ kind: 'begin' }, ...looks])).toEqual(['look', 3000, 500, 'prove', 'prove']);
  });

  it('looks seldom while the block is far, and never waits for less than half a second or more than five', () => {
    expect(run(startWait(1_000_000, 0), [{ kind: 'looked', said: 1 }])).toEqual([5000]);
    const failed = Array.from({ length: 8 }, (): WaitEvent => ({ kind: 'failed', chance: 1 }));
    expect(run(startWait(15, 0), failed)).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000, 5000]);
  });
});

describe('a wait for what any new head may hold', () => {
  it('asks for a proof of each new head once, and ever more seldom where a head that is named is not proven', () => {
    const liar: WaitEvent[] = [
      { kind: 'looked', said: 2 ** 31 - 1 },
      { kind: 'absent', upTo: 7 },
      { kind: 'waited' },
      { kind: 'looked', said: 2 ** 31 - 1 },
      { kind: 'absent', upTo: 7 },
      { kind: 'absent', upTo: 7 },
      { kind: 'absent', upTo: 8 },
    ];
    expect(run(startWait(undefined, 0), liar)).toEqual(['prove', 500, 'look', 'prove', 1000, 2000, 500]);
    const honest: WaitEvent[] = [
      { kind: 'absent', upTo: 7 },
      { kind: 'looked', said: 7 },
      { kind: 'looked', said: 8 },
    ];
    expect(run(startWait(undefined, 0), honest)).toEqual([500, 500, 'prove']);
  });
});
