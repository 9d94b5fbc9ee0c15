/** Ten times the random transactions of `test/differential`, others than there. */
import { expect, it } from 'vitest';
import { LISTED, readByBoth } from '../helpers/random-transactions.ts';

it('ten thousand random transactions are read as @ton/core reads them, but for addresses that it does not know', {
  timeout: 900_000,
}, () => {
  let listed = 0;
  for (let seed = 1_000_000; seed < 1_010_000; seed++) {
    const { ours, theirs } = readByBoth(seed);
    if (theirs === LISTED) listed++;
    else expect(ours, `seed ${seed}`).toEqual(theirs);
  }
  expect(listed).toBeLessThan(1500);
});
