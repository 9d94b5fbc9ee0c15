/** Computes times of blocks, if a ledger has enough of them. */
import type { PageData } from '../report/audit/page-data.ts';

/** Returns times of all bins, interpolated between known ones; `undefined` if too few are known. */
export function timesOf({ bins }: PageData): number[] | undefined {
  const given = bins.time.flatMap((seconds, n) => (seconds > 0 ? [[n, seconds] as const] : []));
  if (given.length < 2 || given.length < bins.time.length / 2) return undefined;
  let at = 0;
  const times = bins.time.map((_, n) => {
    while (at < given.length - 2 && given[at + 1]![0] < n) at += 1;
    const [[n0, t0], [n1, t1]] = [given[at]!, given[at + 1]!];
    return t0 + ((t1 - t0) * (n - n0)) / (n1 - n0);
  });
  // The times of a ledger may be in any order, but an axis needs them sorted.
  return times.every((value, n) => n === 0 || value > times[n - 1]!) ? times : undefined;
}
