/** Readers of the options that runs over several servers have in common. */
import { requireSeconds } from '../../core/base/arguments.ts';
import { UsageError } from '../../core/base/errors.ts';
import { MAX_HEAD_AGE_SECONDS } from '../../core/base/limits.ts';
import { abortSignal, asGiven, callback, engine, flag, number, type Read } from '../../core/base/options.ts';
import { callbackFailed } from '../async/callbacks.ts';

/** Ten minutes, and one year: a run that is to end at all does not wait longer. */
const [OUTAGE_MS, MAX_OUTAGE_MS] = [600_000, 365 * 86_400_000];

const anyClock = callback(() => Date.now() / 1000) as Read<() => unknown>;

/** A clock, whose time is checked whenever it is read: by a time that is no number, no set would ever be old. */
const clock: Read<() => number> = (given, path) => {
  const read = anyClock(given, path);
  return () => {
    try {
      return requireSeconds(read(), `${path}()`);
    } catch (error) {
      throw error instanceof UsageError ? error : callbackFailed(path, error);
    }
  };
};

const liveReaders = () => ({
  clock,
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
