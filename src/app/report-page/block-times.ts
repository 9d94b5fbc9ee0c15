/** Times of blocks, where a ledger has enough of them. */
import type { PageData } from '../report/audit/page-data.ts';

/** Times of all bins, those between known ones on a straight line; `undefined` where too few are known. */
export function timesOf({ bins }: PageData): number[] | undefined {
  const given = bins.time.flatMap((seconds, n) => (seconds > 0 ? [[n, seconds] as const] : []));
  if (given.length < 2 || given.length < bins.time.length / 2) return undefined;
  let at = 0;
  const times = bins.time.map((_, n) => {
    while (at < given.length - 2 && given[at + 1]![0] < n) at += 1;
    const [[n0, t0], [n1, t1]] = [given[at]!, given[at + 1]!];
    return t0 + ((t1 - t0) * (n - n0)) / (n1 - n0);
  });
  // A ledger may say what it likes of times; a picture needs them in order.
  return times.every((value, n) => n === 0 || value > times[n - 1]!) ? times : undefined;
}
