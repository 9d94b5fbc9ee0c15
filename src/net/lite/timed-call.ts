/** Runs a call over lite servers: within its time limit, and with reports while there is no result. */
import { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { startTimer } from '../async/timer.ts';
import { withVoice } from '../follow/stall-reports.ts';
import { isA } from '../machine/outcome.ts';
import { hintFor } from '../sources/failure-hints.ts';
import type { Fleet } from './fleet.ts';
import type { SyncOptions, SyncStall } from './sync-options.ts';

/** Returns why a call has no result yet. */
export type Reason = () => Omit<SyncStall, 'forMs'>;

/** Receives the reason of the part of a call that is under way. */
export type TellReason = (reason: Reason) => void;

/** How long a call may take, and whom it tells that it takes long. */
type RunTerms = Pick<SyncOptions, 'deadlineMs' | 'signal' | 'onStall'>;

/**
 * Runs the work of a call.
 * @param from the newest trusted block, until the work tells a reason of its own
 * @param work is given a signal that fires at the limit, or when the caller stops
 * @throws SourceError `source/timeout` with the failure of each server; the reason why no server is left. A fork and a
 * wrong clock are thrown even after the limit
 */
export async function runOver<T>(
  fleet: Fleet,
  { deadlineMs, signal, onStall }: RunTerms,
  { seqno }: BlockIdExt,
  work: (signal: Signal, onReason: TellReason) => Promise<T>,
): Promise<T> {
  const timer = deadlineMs === undefined ? undefined : startTimer(deadlineMs, signal);
  let reason: Reason = () => ({ code: 'no-server', head: seqno, said: seqno });
  const onReason: TellReason = (next) => {
    reason = next;
  };
  try {
    const voice = { signal: timer?.signal ?? signal, onStall, reason: () => reason() };
    return await withVoice(voice, (stop) => work(stop, onReason));
  } catch (error) {
    const isLate = timer?.expired === true && error instanceof SourceError && !isA(error.code, 'ends-following');
    if (!isLate) throw fleet.whyOver(error);
    const [hint, statements] = [hintFor('source/timeout'), fleet.statements()];
    const { code, head, said, error: last } = reason();
    const why = last?.message ?? 'none';
    const words = `no result in ${deadlineMs} ms (${code}: block ${head} of ${said}; the last failure: ${why})`;
    throw new SourceError('source/timeout', words, { statements, hint, cause: error });
  } finally {
    timer?.close();
  }
}
