/** Which lines on standard input acknowledge a block, and which end the run. */
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readWords } from '../../../src/app/cli/command.ts';
import type { FollowStateFile, SavedFollowState } from '../../../src/app/cli/follow/follow-state.ts';
import { HAND_OUT_OPTIONS, handOut, requireNoOtherStdin } from '../../../src/app/cli/follow/hand-out.ts';
import { makeBlockId } from '../../helpers/make-block.ts';

const place = (seqno: number): SavedFollowState => ({ after: makeBlockId(seqno) });

/** A run whose state is in memory. */
function makeRun() {
  const kept: number[] = [];
  const printed: string[] = [];
  let noted: SavedFollowState | undefined;
  const state: FollowStateFile = {
    kept: undefined,
    begin() {},
    beforeNext() {},
    note(one) {
      noted = one;
    },
    keep: () => void kept.push(noted!.after!.seqno),
    close() {},
  };
  const input = new PassThrough();
  const print = async (line: string) => printed.push(line) > 0;
  const hand = handOut(state, { ack: true }, true, { input, print });
  const give = (seqno: number) => hand.give(seqno, `block ${seqno}`, place(seqno));
  const say = async (text: string | Uint8Array) => {
    input.write(text);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { hand, input, kept, printed, give, say };
}

describe('blocks that are acknowledged', () => {
  it('move the state with all before them, in one note for what comes together, whatever the pieces', async () => {
    const { give, say, kept, hand, input } = makeRun();
    for (let seqno = 5; seqno <= 12; seqno++) expect(await give(seqno)).toBe(true);
    expect(kept).toEqual([]);
    await say('7\n');
    await say('8\n9\r\n1');
    await say('0\n');
    expect(kept).toEqual([7, 9, 10]);
    input.end('12\n');
    await hand.finish();
    expect(kept).toEqual([7, 9, 10, 12]);
    await new Promise((resolve) => input.once('end', resolve));
    expect(await give(13)).toBe(false);
  });

  it.each([
    ['no number', 'x\n'],
    ['an empty line', '\n'],
    ['a blank', ' 6\n'],
    ['a sign', '+6\n'],
    ['a leading zero', '06\n'],
    ['another notation', '6e0\n'],
    ['two numbers', '6 7\n'],
    ['a number that is not printed yet', '9\n'],
    ['a number before the first', '4\n'],
    ['a number behind the last', '7\n6\n'],
    ['the same number again', '7\n7\n'],
    ['bytes that are no text', Buffer.from([0xff, 0x36, 0x0a])],
    ['a line without end', '6'.repeat(65)],
  ])('end the run at %s', async (_, text) => {
    const { give, say, hand, kept } = makeRun();
    for (let seqno = 5; seqno <= 8; seqno++) await give(seqno);
    await say(text);
    expect(hand.signal?.aborted).toBe(true);
    expect(await give(9)).toBe(false);
    await expect(hand.finish()).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: 'standard input',
      message: expect.stringMatching(
        /expected (the number of a printed block, from [58] to 8, got|lines of at most 64)/,
      ),
    });
    expect(kept).toEqual(text.toString().startsWith('7\n') ? [7] : []);
  });

  it('end the run at a line where none waits', async () => {
    const { give, say, hand } = makeRun();
    await give(5);
    await say('5\n');
    await say('6\n');
    await expect(hand.finish()).rejects.toMatchObject({ message: expect.stringContaining('expected no line') });
  });

  it('stay unacknowledged where the last line has no newline', async () => {
    const { give, input, hand, kept } = makeRun();
    await give(1);
    await give(12);
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((_text: unknown, done?: unknown) => {
      if (typeof done === 'function') done();
      return true;
    });
    try {
      input.end('1');
      await hand.finish();
      expect(JSON.parse(String(write.mock.calls[0]![0]))).toMatchObject({
        code: 'input-ended',
        message: expect.stringMatching(/last line has no newline.*2 printed blocks are not acknowledged/),
      });
    } finally {
      write.mockRestore();
    }
    expect(kept).toEqual([]);
  });

  it('are 1024 at most: the next one is not printed before one of them is acknowledged', async () => {
    const { give, say, printed, hand, input } = makeRun();
    for (let seqno = 1; seqno <= 1024; seqno++) await give(seqno);
    const next = give(1025);
    await say('');
    expect(printed).toHaveLength(1024);
    await say('1\n');
    expect(await next).toBe(true);
    expect(printed).toHaveLength(1025);
    input.end();
    await hand.finish();
  });

  it('go with a state, and with no other use of standard input', () => {
    const read = (...words: string[]) => readWords({ options: HAND_OUT_OPTIONS }, words).options;
    for (const word of ['--ack', '--sync']) expect(() => read(word)).toThrow(`${word}: requires --state`);
    const both = read('--ack', '--sync', '--state', 's');
    expect(() => requireNoOtherStdin(both, [undefined, '-'])).toThrow(
      /expected standard input to be free, got - for a file/,
    );
    requireNoOtherStdin(both, ['c']);
    requireNoOtherStdin(read('--state', 's'), ['-']);
  });
});

describe('a reader that acknowledges nothing', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is told of after ten seconds, after twenty, after forty', async () => {
    const { give, hand, input } = makeRun();
    const said: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text: unknown, done?: unknown) => {
      said.push(String(text));
      if (typeof done === 'function') done();
      return true;
    });
    try {
      await give(5);
      await give(6);
      const over = hand.finish();
      vi.advanceTimersByTime(50_000);
      expect(said.map((text) => JSON.parse(text))).toMatchObject(
        [10, 20, 40].map((seconds) => ({ code: 'unacknowledged', seconds, seqno: 5 })),
      );
      input.end();
      await over;
    } finally {
      write.mockRestore();
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});
