import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lateNotes } from '../../../src/app/cli/follow/follow-state.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('notes of what was handed out', () => {
  it('writes each note a tenth of a second after the first that waits, and none twice', () => {
    const written: number[] = [];
    const notes = lateNotes<number>((value) => void written.push(value));
    notes.note(1);
    vi.advanceTimersByTime(60);
    notes.note(2);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(40);
    expect(written).toEqual([2]);
    vi.advanceTimersByTime(10_000);
    notes.keep();
    expect(written).toEqual([2]);
  });

  it('writes before the next one is handed out where this thread had no time for its timer', () => {
    const written: number[] = [];
    const notes = lateNotes<number>((value) => void written.push(value));
    const start = performance.now();
    let passedMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + passedMs);
    for (let block = 1; block <= 20; block++) {
      notes.beforeNext();
      expect(block - 1 - (written.at(-1) ?? 0)).toBeLessThanOrEqual(4); // 30 ms each
      notes.note(block);
      passedMs += 30; // and no timer fires
    }
    clock.mockRestore();
  });

  it('tells before the next one that a note could not be written, and writes no more once closed', () => {
    let isFull = true;
    const written: number[] = [];
    const notes = lateNotes<number>((value) => {
      if (isFull) throw new Error('the disk is full');
      written.push(value);
    });
    notes.note(1);
    vi.advanceTimersByTime(100);
    expect(() => notes.beforeNext()).toThrow('the disk is full');
    isFull = false;
    notes.keep();
    notes.beforeNext();
    notes.note(2);
    notes.close();
    vi.advanceTimersByTime(1000);
    expect(written).toEqual([1]);
  });
});
