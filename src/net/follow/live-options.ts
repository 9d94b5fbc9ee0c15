/** Readers of the options that runs over several servers have in common. */
import { MAX_HEAD_AGE_SECONDS } from '../../core/base/limits.ts';
import { abortSignal, asGiven, callback, engine, flag, number } from '../../core/base/options.ts';

/** Ten minutes, and one year: a run that is to end at all does not wait longer. */
const [OUTAGE_MS, MAX_OUTAGE_MS] = [600_000, 365 * 86_400_000];

const liveReaders = () => ({
  clock: callback(() => Date.now() / 1000),
  witnesses: asGiven, // limited by the number of servers, which the table does not know
  strict: flag(false),
  countEachServer: flag(false),
  onStall: callback(),
  signal: abortSignal,
});

/** The readers of every follower. */
export const followReaders = () => ({
  ...liveReaders(),
  engine,
  maxOutageMs: number(0, MAX_OUTAGE_MS, OUTAGE_MS),
  onTrouble: callback(),
  onWarning: callback(),
});

/** The readers of every call that ends with a result: those of `FactOptions`. */
export const factReaders = () => ({
  ...liveReaders(),
  maxHeadAgeSeconds: number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, MAX_HEAD_AGE_SECONDS),
  deadlineMs: number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
  onProgress: callback(),
});
