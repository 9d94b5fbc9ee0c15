/** Whatever a server sends: never a result that was not sent, never a crash. The long runs are in `test/slow`. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANSWERS, FIRST, play, playFlipped, playRandom, recorded } from '../helpers/lite-streams.ts';
import { share } from '../helpers/share.ts';

describe('a stream from a server', () => {
  it('as it was recorded gives both answers, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 12 }), (cuts) => {
        expect(play(recorded, cuts)).toEqual(ANSWERS);
      }),
      { numRuns: share(100, 300), endOnFailure: true },
    );
  });

  it('of random bytes gives none', () => playRandom(300));

  it('with one bit changed gives no answer that was not sent', () => playFlipped(300));

  it('with frames repeated, swapped or missing gives at most the first answer', () => {
    const second = FIRST + (recorded.length - FIRST - 16) / 2; // the answers differ by 16 bytes
    const parts = [recorded.subarray(0, FIRST), recorded.subarray(FIRST, second), recorded.subarray(second)];
    for (const order of [
      [0, 1, 1],
      [0, 2, 1],
      [0, 2],
      [1, 2],
      [0, 0, 1, 2],
    ]) {
      expect(play(Buffer.concat(order.map((index) => parts[index]!))).length).toBeLessThanOrEqual(1);
    }
  });
});
