/**
 * No public function answers odd arguments with a raw TypeError or RangeError, a rejection that nobody handles, or the end of the process:
 * sixty values in every place, some of them in every member one level down.
 */
import { describe, expect, it } from 'vitest';
import { publicFunctions, unhandled, walk } from '../helpers/odd-walk.ts';
import { share } from '../helpers/share.ts';

const doors = await publicFunctions();

describe('odd arguments', () => {
  it('are given to the functions of all entries', () => {
    expect(doors.length).toBeGreaterThan(85);
  });

  it.each(doors)('of $name get a typed error, or a value', async (door) => {
    let raw: readonly string[] = [];
    const rejections = await unhandled(async () => {
      raw = await walk(door, share(42, 7));
    });
    expect(raw.slice(0, 5)).toEqual([]);
    expect(rejections).toEqual([]);
  });
});
