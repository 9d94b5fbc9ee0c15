/** 20 000 answers of a server without manners, in two processes of their own. */
import { expect, it } from 'vitest';
import { fuzzRawServer } from '../helpers/raw-fuzz-run.ts';

it.each([1, 2])(
  '10 000 answers give values or typed errors in time, and leave nothing behind: seed %d',
  async (seed) => {
    const { asked, trouble, stillOpen, left, slowest } = await fuzzRawServer(10_000, seed);
    console.log(`seed ${seed}: slowest ${slowest} ms`);
    expect({ asked, trouble, stillOpen, left }).toEqual({ asked: 10_000, trouble: [], stillOpen: 0, left: [] });
  },
  900_000,
);
