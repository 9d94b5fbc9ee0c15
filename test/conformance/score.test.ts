/** Scores: what an answer is worth beside what was expected. */
import { describe, expect, it } from 'vitest';
import { runner } from './runner.ts';

const answer = (result: string, value?: object) => ({ answer: { id: 'x', result, ...(value && { value }) } });
const expecting = (result: string, value?: object) => ({ expect: { result, ...(value && { value }) } });

describe('a score', () => {
  const value = { block: { seqno: 3, hash: 'ab' }, list: [1, 2] };
  it.each([
    ['accept', 'accept', 'passed'],
    ['accept', 'reject', 'wrong-reject'],
    ['accept', 'unsupported', 'unsupported'],
    ['reject', 'reject', 'passed'],
    ['reject', 'accept', 'wrong-accept'],
    ['either', 'accept', 'passed'],
    ['either', 'reject', 'passed'],
  ])('of %s answered by %s is %s', (wanted, got, score) => {
    expect(runner.score(expecting(wanted), answer(got)).score).toBe(score);
  });

  it('compares values whatever the order of their members, and takes another value for a wrong accept', () => {
    const same = { list: [1, 2], block: { hash: 'ab', seqno: 3 } };
    expect(runner.score(expecting('accept', value), answer('accept', same)).score).toBe('passed');
    const others = [
      { ...value, list: [2, 1] },
      { ...value, list: [1, '2'] },
      { block: value.block },
      { ...value, more: 1 },
      { ...value, block: { ...value.block, seqno: 4 } },
    ];
    for (const other of others) {
      expect(runner.score(expecting('accept', value), answer('accept', other)).score).toBe('wrong-accept');
      expect(runner.score(expecting('either', value), answer('accept', other)).score).toBe('wrong-accept');
    }
    expect(runner.score(expecting('accept', value), answer('accept')).score).toBe('wrong-accept');
  });

  it('of a fault, or of a case that was never asked, is no pass even where it was to be refused', () => {
    expect(runner.score(expecting('reject'), { fault: 'crash', detail: '' }).score).toBe('crash');
    expect(runner.score(expecting('reject'), { fault: 'timeout', detail: '' }).score).toBe('timeout');
    expect(runner.score(expecting('reject'), undefined).score).toBe('crash');
  });
});
