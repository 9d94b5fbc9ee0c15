/** Which server is asked for what on the way from a trusted block to a later one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import {
  type ClimbAction,
  type ClimbEvent,
  type ClimbPlan,
  type ClimbState,
  startClimb,
  stepClimb,
} from '../../../src/net/machine/climb.ts';
import { share } from '../../helpers/share.ts';

const block = (seqno: number, mark = 0): BlockIdExt => ({
  workchain: -1,
  shard: -0x8000000000000000n,
  seqno,
  rootHash: new Uint8Array(32).fill(mark) as BlockIdExt['rootHash'],
  fileHash: new Uint8Array(32).fill(mark) as BlockIdExt['fileHash'],
});
const TARGET = block(1000, 7);
const ALL = ['a', 'b', 'c'];

/** A climb by hand: the servers that are not out, and every action so far. */
function climbOf(plan: Partial<ClimbPlan<string>> = {}) {
  let kept = ALL;
  let state: ClimbState<string> = startClimb({
    from: block(10),
    target: TARGET,
    namedBy: 'a',
    isAlone: false,
    silent: new Set(),
    withoutId: new Set(),
    ...plan,
  });
  const keep = (...servers: string[]) => {
    kept = servers;
  };
  const tell = (event: ClimbEvent): readonly ClimbAction<string>[] => {
    const [after, actions] = stepClimb(state, event, { usable: kept, kept });
    state = after;
    return actions;
  };
  return {
    tell,
    keep,
    begin: () => tell({ kind: 'begin' }),
    /** Begins while only one server is there, so that no other is looked up yet. */
    beginWith(only: string) {
      keep(only);
      tell({ kind: 'begin' });
      keep(...ALL);
    },
    answered: (id: number, to: number, complete = false, links = 16) =>
      tell({ kind: 'answered', id, links, complete, to: block(to) }),
    held: (tip: number) => tell({ kind: 'held', tip: block(tip), isThere: tip === TARGET.seqno }),
    failed: (id: number) => tell({ kind: 'failed', id }),
    named: (id: number, named = TARGET) => tell({ kind: 'named', id, block: named }),
  };
}

describe('a climb', () => {
  it('asks the server that named the target, and no other before one names it too, which all are asked for at once', () => {
    const { begin, failed, named } = climbOf();
    expect(begin()).toEqual([
      { kind: 'ask', id: 0, server: 'a', from: block(10) },
      { kind: 'lookup', id: 1, server: 'b' },
      { kind: 'lookup', id: 2, server: 'c' },
    ]);
    expect(named(1, block(1000, 8))).toEqual([]);
    expect(failed(0)).toEqual([]);
    expect(named(2)).toEqual([{ kind: 'ask', id: 3, server: 'c', from: block(10) }]);
  });

  it('asks no server for a proof that was silent before', () => {
    const { begin, named, answered, held, failed } = climbOf({ silent: new Set(['a', 'b']) });
    expect(begin()).toEqual([{ kind: 'lookup', id: 0, server: 'c' }]);
    expect(named(0)).toEqual([{ kind: 'ask', id: 1, server: 'c', from: block(10) }]);
    answered(1, 100);
    held(100);
    expect(failed(2)).toEqual([{ kind: 'end', how: 'no-way' }]);
    expect(climbOf({ silent: new Set(ALL) }).begin()).toEqual([{ kind: 'end', how: 'no-way' }]);
  });

  it('asks no server again that was silent in it, also after an answer of another one holds', () => {
    for (const isSilent of [true, false]) {
      const { tell, begin, named, answered, held, failed } = climbOf();
      begin();
      named(1);
      expect(tell({ kind: 'failed', id: 0, isSilent })).toEqual([{ kind: 'ask', id: 3, server: 'b', from: block(10) }]);
      answered(3, 100);
      held(100);
      const asked = isSilent ? [] : [{ kind: 'ask', id: 5, server: 'a', from: block(100) }];
      expect(failed(4)).toEqual(asked);
    }
  });

  it('asks no server for the id of a block that left such a question open before, and asks it for proofs', () => {
    const { begin, failed, named } = climbOf({ withoutId: new Set(['a', 'b']) });
    expect(begin()).toEqual([
      { kind: 'ask', id: 0, server: 'a', from: block(10) },
      { kind: 'lookup', id: 1, server: 'c' },
    ]);
    failed(0);
    expect(named(1)).toEqual([{ kind: 'ask', id: 2, server: 'c', from: block(10) }]);
  });

  it('has the next question on its way before an answer is verified', () => {
    const { begin, answered, held } = climbOf();
    begin();
    expect(answered(0, 100)).toEqual([
      { kind: 'ask', id: 3, server: 'a', from: block(100) },
      { kind: 'verify', id: 0, server: 'a' },
    ]);
    expect(answered(3, 1000, true)).toEqual([]); // before its turn
    expect(held(100)).toEqual([{ kind: 'verify', id: 3, server: 'a' }]);
    expect(held(1000)).toEqual([
      { kind: 'cancel', id: 1 },
      { kind: 'cancel', id: 2 },
      { kind: 'end', how: 'there' },
    ]);
  });

  it.each([
    ['ends where it began', 10, false],
    ['goes back', 5, false],
    ['says that it is complete', 100, true],
    ['ends at the target', 1000, false],
    ['goes past the target', 1001, false],
  ])('asks for nothing more from an answer that %s before that is verified', (_, to, complete) => {
    const { begin, answered } = climbOf();
    begin();
    expect(answered(0, to, complete)).toEqual([{ kind: 'verify', id: 0, server: 'a' }]);
  });

  it('goes on from where trust was when an answer is false, and drops the question that followed on it', () => {
    const { begin, answered, tell, keep, named } = climbOf();
    begin();
    answered(0, 100);
    keep('b', 'c');
    expect(tell({ kind: 'false' })).toEqual([{ kind: 'cancel', id: 3 }]);
    expect(answered(3, 200)).toEqual([]); // of the cancelled question
    expect(named(2)).toEqual([{ kind: 'ask', id: 4, server: 'c', from: block(10) }]);
  });

  it('asks a server whose answer could not be read nothing more before another one led on', () => {
    const { begin, answered, tell, named, held, failed } = climbOf();
    begin();
    answered(0, 1000, true);
    expect(tell({ kind: 'false' })).toEqual([]);
    named(1);
    answered(3, 100);
    held(100);
    expect(failed(4)).toEqual([{ kind: 'ask', id: 5, server: 'a', from: block(100) }]);
  });

  it('ends when no server is left, and asks none twice on the way to one answer', () => {
    const { begin, failed, named } = climbOf();
    begin();
    failed(0);
    named(2);
    expect(failed(3)).toEqual([]); // one lookup is still open
    expect(failed(1)).toEqual([{ kind: 'end', how: 'no-way' }]);
    expect(failed(1)).toEqual([]);
  });

  it('alone asks no other server', () => {
    const { begin, failed } = climbOf({ isAlone: true });
    begin();
    expect(failed(0)).toEqual([{ kind: 'end', how: 'no-way' }]);
  });

  it('lets a server that failed try again once an answer held', () => {
    const { begin, failed, named, answered, held } = climbOf();
    begin();
    failed(0);
    named(1);
    answered(3, 100, false);
    held(100);
    expect(failed(4)).toEqual([{ kind: 'ask', id: 5, server: 'a', from: block(100) }]);
  });

  it('asks another server after three short answers in a row; alone it ends', () => {
    for (const isAlone of [false, true]) {
      const { beginWith, answered, held } = climbOf({ isAlone });
      beginWith('a');
      for (const at of [0, 1]) {
        answered(at, 100 + at, false, 1);
        expect(held(100 + at)).toEqual([]);
      }
      answered(2, 102, false, 1);
      const changed = ['cancel', 'lookup', 'lookup'];
      const actions = held(102);
      if (isAlone) expect(actions.at(-1)).toEqual({ kind: 'end', how: 'too-short' });
      else expect(actions.map(({ kind }) => kind)).toEqual(changed);
    }
  });

  it('does not go back to a server with too many short answers after another one led on', () => {
    const { beginWith, answered, held, named } = climbOf();
    beginWith('a');
    let id = 0;
    /** The server whose turn it is gives three short answers. */
    const short = () => {
      let actions: readonly unknown[] = [];
      for (let at = 0; at < 3; at++, id++) {
        answered(id, 100 + id, false, 1);
        actions = held(100 + id);
      }
      return actions;
    };
    expect(short()).toContainEqual({ kind: 'lookup', id: 4, server: 'b' });
    expect(named(4)).toEqual([{ kind: 'ask', id: 6, server: 'b', from: block(102) }]);
    id = 6;
    expect(named(5)).toEqual([]);
    expect(short()).toContainEqual({ kind: 'ask', id: 10, server: 'c', from: block(108) });
    id = 10;
    expect(short().at(-1)).toEqual({ kind: 'end', how: 'no-way' });
  });

  it('asks servers that come back for the id too, though another has not said it yet', () => {
    const { begin, failed, keep } = climbOf();
    keep('a', 'b');
    begin();
    expect(failed(0)).toEqual([]);
    keep('a', 'b', 'c', 'd');
    expect(failed(1)).toEqual([
      { kind: 'lookup', id: 2, server: 'c' },
      { kind: 'lookup', id: 3, server: 'd' },
    ]);
    keep('a', 'c', 'd', 'e');
    expect(failed(2)).toEqual([{ kind: 'lookup', id: 4, server: 'e' }]);
  });

  it('asks nobody because of an answer to a question that was cancelled, though another server is there by then', () => {
    const { begin, answered, failed, keep, tell } = climbOf();
    keep('a', 'b');
    begin();
    answered(0, 100);
    expect(tell({ kind: 'false' })).toEqual([{ kind: 'cancel', id: 2 }]);
    keep('a', 'b', 'c');
    expect(failed(2)).toEqual([]);
    expect(failed(1)).toEqual([{ kind: 'lookup', id: 3, server: 'c' }]);
  });

  it('asks no second server while one is asked, whoever names the target meanwhile, and takes its word for later', () => {
    const { begin, failed, named, answered, held } = climbOf();
    begin();
    failed(0);
    expect(named(1)).toEqual([{ kind: 'ask', id: 3, server: 'b', from: block(10) }]);
    answered(3, 100);
    expect(failed(2)).toEqual([]);
    expect(named(7)).toEqual([]);
    expect(held(100)).toEqual([]); // the next one is still under way
    expect(failed(4)).toEqual([{ kind: 'ask', id: 5, server: 'a', from: block(100) }]);
    const more = climbOf();
    more.begin();
    more.failed(0);
    more.named(1);
    expect(more.named(2)).toEqual([]);
    expect(more.failed(3)).toEqual([{ kind: 'ask', id: 4, server: 'c', from: block(10) }]);
  });

  it('keeps an answer that came before its turn, whatever others say meanwhile', () => {
    const { begin, failed, named, answered, held } = climbOf();
    begin();
    failed(0);
    named(1);
    answered(3, 100);
    answered(4, 1000, true);
    expect(failed(2)).toEqual([]);
    expect(held(100)).toEqual([{ kind: 'verify', id: 4, server: 'b' }]);
  });

  it('asks on from an answer that was to be the last one and was not', () => {
    const { beginWith, answered, held } = climbOf();
    beginWith('a');
    answered(0, 100, true);
    expect(held(100)).toEqual([{ kind: 'ask', id: 1, server: 'a', from: block(100) }]);
  });

  it('does nothing once it is over', () => {
    const { begin, failed, tell } = climbOf({ isAlone: true });
    begin();
    failed(0);
    expect(begin()).toEqual([]);
    expect(tell({ kind: 'held', tip: TARGET, isThere: true })).toEqual([]);
  });

  it('counts short answers in a row only, and ends with the answer that is one too many', () => {
    const { beginWith, answered, held } = climbOf({ target: block(10_000, 7) });
    beginWith('a');
    for (let at = 0; at < 511; at++) {
      answered(at, 100 + at, false, at % 3 === 2 ? 16 : 1);
      expect(held(100 + at)).toEqual([]);
    }
    answered(511, 9000, false, 16);
    expect(held(9000).at(-1)).toEqual({ kind: 'end', how: 'too-long' });
  });

  it('may have as many links as one may, and no answer more', () => {
    const { beginWith, answered, held } = climbOf();
    beginWith('a');
    answered(0, 100, false, 4095);
    expect(held(100)).toEqual([]);
    answered(1, 101, false, 1);
    expect(held(101).at(-1)).toEqual({ kind: 'end', how: 'too-long' });
  });

  it('ends where it takes more links than one may have', () => {
    const { beginWith, answered, held } = climbOf();
    beginWith('a');
    answered(0, 100, false, 1 << 20);
    expect(held(100)).toEqual([
      { kind: 'cancel', id: 1 },
      { kind: 'end', how: 'too-long' },
    ]);
  });
});

it('whatever servers do, a climb ends, with two questions for proofs at most, and only to servers that named the target', () => {
  const what = fc.constantFrom('fail', 'false', 'short', 'on', 'there', 'past', 'other', 'name');
  fc.assert(
    fc.property(fc.array(fc.tuple(what, fc.nat(3)), { maxLength: 60 }), fc.boolean(), (moves, isAlone) => {
      let kept = ALL;
      let state: ClimbState<string> = startClimb({
        from: block(10),
        target: TARGET,
        namedBy: 'a',
        isAlone,
        silent: new Set(),
        withoutId: new Set(),
      });
      let tip = 10;
      const named = new Set(['a']);
      const open = new Map<number, ClimbAction<string> & { server: string }>();
      let ends: string[] = [];
      let lastHeld = 0;
      const tell = (event: ClimbEvent): void => {
        const [after, actions] = stepClimb(state, event, { usable: kept, kept });
        state = after;
        for (const action of actions) {
          if (action.kind === 'ask' || action.kind === 'lookup') open.set(action.id, action);
          if (action.kind === 'ask') {
            expect(named).toContain(action.server);
            expect(kept).toContain(action.server);
          }
          if (action.kind === 'cancel') open.delete(action.id);
          if (action.kind === 'end') ends = [...ends, action.how];
        }
        expect([...open.values()].filter(({ kind }) => kind === 'ask').length).toBeLessThanOrEqual(2);
        for (const action of actions) {
          if (action.kind === 'verify') {
            if (lastHeld > tip) {
              tip = lastHeld;
              tell({ kind: 'held', tip: block(tip), isThere: tip === TARGET.seqno });
            } else {
              kept = kept.filter((one) => one !== action.server);
              tell({ kind: 'false' });
            }
          }
        }
      };
      tell({ kind: 'begin' });
      for (const [move, at] of [...moves, ...Array.from({ length: 200 }, () => ['fail', 0] as const)]) {
        const asked = [...open.values()];
        if (ends.length > 0 || asked.length === 0) break;
        const one = asked[at % asked.length]!;
        open.delete((one as { id: number }).id);
        const { id } = one as { id: number };
        if (move === 'fail') tell({ kind: 'failed', id });
        else if (one.kind === 'lookup') {
          if (move !== 'other') named.add(one.server);
          tell({ kind: 'named', id, block: move === 'other' ? block(1000, 8) : TARGET });
        } else {
          const to = { false: tip, short: tip + 1, on: tip + 16, there: 1000, past: 2000 }[move as 'on'] ?? tip;
          lastHeld = to > 1000 ? 0 : to;
          tell({ kind: 'answered', id, to: block(to), complete: false, links: move === 'short' ? 1 : 16 });
        }
      }
      expect(ends).toHaveLength(1);
      if (ends[0] === 'there') expect(tip).toBe(1000);
    }),
    { numRuns: share(100, 300) },
  );
});
