/** Random transactions mean the same to us and to the reader of @ton/core. */
import { expect, it } from 'vitest';
import { LISTED, readByBoth } from '../helpers/random-transactions.ts';
import { share } from '../helpers/share.ts';

const COUNT = share(200, 1000);

it('random transactions are read as @ton/core reads them, but for addresses that it does not know', () => {
  let messages = 0;
  let listed = 0;
  for (let seed = 0; seed < COUNT; seed++) {
    const { ours, theirs, ...read } = readByBoth(seed);
    messages += read.messages;
    if (theirs === LISTED) listed++;
    else expect(ours, `seed ${seed}`).toEqual(theirs);
  }
  expect(messages).toBeGreaterThan(2 * COUNT);
  expect(listed).toBeLessThan(0.15 * COUNT);
});
