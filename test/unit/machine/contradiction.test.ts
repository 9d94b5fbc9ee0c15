/** What a server that names another block is asked, and what that comes to. */
import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import {
  type ContradictionAction,
  type ContradictionEvent,
  type NoAnswer,
  startContradiction,
  stepContradiction,
} from '../../../src/net/machine/contradiction.ts';

const block = (seqno: number): BlockIdExt => ({
  workchain: -1,
  shard: 0x8000000000000000n,
  seqno,
  rootHash: new Uint8Array(32) as BlockIdExt['rootHash'],
  fileHash: new Uint8Array(32) as BlockIdExt['fileHash'],
});
const OTHER = block(5000);
const MIB = 1024 * 1024;

/** @param count key blocks of ours, the newest of which is block 4000, the next 3999 … */
function askedWith(count = 3) {
  let state = startContradiction(
    OTHER,
    Array.from({ length: count }, (_, at) => block(4000 - at)),
  );
  const tell = (event: ContradictionEvent): ContradictionAction => {
    const [after, action] = stepContradiction(state, event);
    state = after;
    return action;
  };
  return {
    begin: () => tell({ kind: 'begin' }),
    failed: (why: NoAnswer, forMs = 0) => tell({ kind: 'failed', why, forMs }),
    waited: () => tell({ kind: 'waited' }),
    answered: (bytes = 1000) => tell({ kind: 'answered', bytes }),
    held: (seqno: number, isApart = false, cpuMs = 1) => tell({ kind: 'held', tip: block(seqno), isApart, cpuMs }),
    isFalse: () => tell({ kind: 'false' }),
  };
}
const start = (seqno: number) => ({ kind: 'ask', from: block(seqno), isStart: true });
const onward = (seqno: number) => ({ kind: 'ask', from: block(seqno), isStart: false });
const OPEN = { kind: 'end', how: 'open' };

describe('a server that names another block', () => {
  it('is asked from our newest key block, then from those 1, 2, 4, 8 … earlier, and last from the root', () => {
    const { begin, failed } = askedWith(12);
    const asked = [begin(), ...Array.from({ length: 6 }, () => failed('unknown-block'))];
    expect(asked).toEqual([...[4000, 3999, 3998, 3996, 3992, 3989].map(start), OPEN]);
  });

  it('is asked from the root next where the tries have taken 10 s, and after that no more', () => {
    const { begin, failed } = askedWith(40);
    expect([begin(), failed('unknown-block', 700), failed('unknown-block', 10_000)]).toEqual(
      [4000, 3999, 3996].map(start),
    );
    expect(failed('unknown-block', 10_001)).toEqual(start(3961));
    expect(failed('unknown-block', 10_002)).toEqual(OPEN);
  });

  it('is asked from every second of these key blocks after 0.75 s, and never past the root', () => {
    const { begin, failed } = askedWith(40);
    expect([begin(), ...[750, 751, 752, 753].map((forMs) => failed('unknown-block', forMs))]).toEqual(
      [4000, 3999, 3996, 3984, 3961].map(start),
    );
    expect(failed('unknown-block', 754)).toEqual(OPEN);
    const sooner = askedWith(40);
    expect([sooner.begin(), ...[751, 752, 753, 754].map((forMs) => sooner.failed('unknown-block', forMs))]).toEqual(
      [4000, 3998, 3992, 3968, 3961].map(start),
    );
  });

  it('is asked from each of those so far back that three answers do not lead up to the one before', () => {
    const { begin, failed } = askedWith(400);
    expect([begin(), ...[0, 751, 752, 753, 754].map((forMs) => failed('unknown-block', forMs))]).toEqual(
      [4000, 3999, 3996, 3984, 3936, 3872].map(start),
    );
  });

  it('is asked from the root once where that is the newest', () => {
    const { begin, failed } = askedWith(1);
    expect([begin(), failed('unknown-block')]).toEqual([start(4000), OPEN]);
    const slow = askedWith(1);
    expect([slow.begin(), slow.failed('unknown-block', 11_000)]).toEqual([start(4000), OPEN]);
    expect(askedWith(0).begin()).toEqual(OPEN);
  });

  it('is refuted by a proof that came and is false, and by nothing else', () => {
    const { begin, answered, isFalse } = askedWith();
    begin();
    expect(answered()).toEqual({ kind: 'verify' });
    expect(isFalse()).toEqual({ kind: 'end', how: 'refuted' });
    for (const why of ['unknown-block', 'busy', 'failed'] as const) {
      const { begin, failed, waited } = askedWith();
      let action = begin();
      for (let at = 0; at < 20 && action.kind !== 'end'; at++) action = action.kind === 'wait' ? waited() : failed(why);
      expect([why, action]).toEqual([why, OPEN]);
    }
  });

  it('has two histories shown as soon as its way parts from ours', () => {
    const { begin, answered, held } = askedWith();
    begin();
    answered();
    expect(held(4500, true)).toEqual({ kind: 'end', how: 'apart' });
  });

  it('is no liar where its proof holds and parts from nothing of ours', () => {
    const { begin, answered, held } = askedWith();
    begin();
    answered();
    expect(held(5000)).toEqual(OPEN);
  });

  it('leads on in three answers a key block, then the contradiction stays open', () => {
    const { begin, answered, held } = askedWith();
    begin();
    answered();
    expect(held(4200)).toEqual(onward(4200));
    answered();
    expect(held(4400)).toEqual(onward(4400));
    answered();
    expect(held(4600)).toEqual(OPEN);
  });

  it('has three new answers from an earlier key block', () => {
    const { begin, answered, held, failed } = askedWith();
    begin();
    answered();
    held(4200);
    expect(failed('unknown-block')).toEqual(start(3999));
    answered();
    expect(held(4200)).toEqual(onward(4200));
    answered();
    expect(held(4400)).toEqual(onward(4400));
  });

  it('is asked again from the same block after a while, longer where it is busy', () => {
    const { begin, failed, waited } = askedWith();
    begin();
    expect(failed('failed')).toEqual({ kind: 'wait', ms: 250 });
    expect(waited()).toEqual(onward(4000));
    expect(failed('busy')).toEqual({ kind: 'wait', ms: 1100 });
    expect(waited()).toEqual(onward(4000));
    expect(failed('busy')).toEqual(OPEN);
  });

  it('is asked again as long as the next question begins within 10 s of the first', () => {
    const { begin, failed, waited } = askedWith();
    begin();
    expect(failed('failed', 9_749)).toEqual({ kind: 'wait', ms: 250 });
    waited();
    expect(failed('failed', 9_750)).toEqual(OPEN);
  });

  it.each(['failed', 'busy'] as const)('is not asked again where its 10 s end a millisecond early: %s', (why) => {
    const { begin, failed } = askedWith();
    begin();
    expect(failed(why, 9_999)).toEqual(OPEN); // as long as one question that is not answered in time
  });

  it('costs at most 16 MiB and 5 s of CPU', () => {
    for (const [bytes, cpuMs, isOpen] of [
      [16 * MIB, 1, false],
      [16 * MIB + 1, 1, true],
      [1, 5000, false],
      [1, 5001, true],
    ] as const) {
      const { begin, answered, held } = askedWith();
      begin();
      answered(bytes);
      expect(held(4200, false, cpuMs)).toEqual(isOpen ? OPEN : onward(4200));
    }
  });

  it('spends over all key blocks together', () => {
    const { begin, answered, held, failed } = askedWith();
    begin();
    answered(10 * MIB);
    held(4200);
    expect(failed('unknown-block')).toEqual(start(3999));
    answered(10 * MIB);
    expect(held(4200)).toEqual(OPEN);
  });
});
