/** One time limit over questions to several servers: when the work is over, in whatever way, all that is left is stopped. */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { onAbort } from '../async/on-abort.ts';
import { startTimer, untilAborted } from '../async/timer.ts';
import type { AskOptions } from './block-source.ts';

/**
 * @param heard what was said so far, filled by `work`: it goes into the error when time runs out
 * @param work is given a signal that fires at the limit, when the caller stops, and when the work is over
 * @throws SourceError `source/timeout` or `source/aborted`, or what the work throws
 */
export async function withinOneDeadline<T>(
  name: string,
  opts: Pick<AskOptions, 'signal' | 'deadlineMs'>,
  heard: readonly SourceStatement[],
  work: (signal: Signal) => Promise<T>,
): Promise<T> {
  // Without a limit of its own the work takes as long as the sources' own limits let it.
  const timer = startTimer(opts.deadlineMs ?? Number.POSITIVE_INFINITY, opts.signal);
  const rest = new AbortController();
  const stopRest = () => rest.abort(timer.signal.reason);
  const forget = onAbort(timer.signal, stopRest);
  try {
    return await untilAborted(work(rest.signal), timer.signal);
  } catch (error) {
    if (!timer.signal.aborted) throw error;
    const statements = [...heard];
    if (timer.expired) throw new SourceError('source/timeout', `${name}: no answer in time`, { statements });
    throw new SourceError('source/aborted', `${name}: stopped by the caller`, { statements });
  } finally {
    forget();
    timer.close();
    rest.abort();
  }
}
