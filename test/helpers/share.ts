/**
 * How much of a long row of inputs a run tries. `npm test` tries a share of them, so that it takes a minute and a half; `FULL=true`
 * tries all: `npm run test:slow` does so for every file that asks here, and so do the mutants and the runs on other versions of Node.
 */
export const isFull = process.env.FULL === 'true';

/** A number of inputs. */
export const share = (quick: number, full: number): number => (isFull ? full : quick);

/** Every so-manieth of a list, from the one that `turn` names: turns that differ take others, and all turns together take all. */
export const everyNth = <T>(all: readonly T[], nth: number, turn = 0): readonly T[] =>
  isFull ? all : all.filter((_, at) => at % nth === turn % nth);
