/** Random transactions mean the same to us and to the reader of @ton/core. `test/slow` reads ten times as many. */
import { expect, it } from 'vitest';
import { LISTED, readByBoth } from '../helpers/random-transactions.ts';

it('a thousand random transactions are read as @ton/core reads them, but for addresses that it does not know', () => {
  let messages = 0;
  let listed = 0;
  for (let seed = 0; seed < 1000; seed++) {
    const { ours, theirs, ...read } = readByBoth(seed);
    messages += read.messages;
    if (theirs === LISTED) listed++;
    else expect(ours, `seed ${seed}`).toEqual(theirs);
  }
  expect(messages).toBeGreaterThan(2000);
  expect(listed).toBeLessThan(150);
});
