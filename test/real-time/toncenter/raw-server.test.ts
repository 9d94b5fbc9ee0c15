import { expect, it } from 'vitest';
import { fuzzRawServer } from '../../helpers/raw-fuzz-run.ts';
import { share } from '../../helpers/share.ts';

const ANSWERS = share(300, 1000);

it('answers of a server without manners give values or typed errors in time, and leave nothing behind', async () => {
  const { asked, trouble, stillOpen, left, codes } = await fuzzRawServer(ANSWERS, 20_261_121);
  expect({ asked, trouble, stillOpen, left }).toEqual({ asked: ANSWERS, trouble: [], stillOpen: 0, left: [] });
  // Both good answers and bad ones came through: the replies are not all of one kind.
  expect(Object.keys(codes)).toEqual(expect.arrayContaining(['answer', 'source/malformed', 'source/upstream']));
});
