/** Whether a validator set is judged by the clock when a head is asked for. */
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { Evidence } from '../verify/report.ts';
import { isStale } from '../verify/set-check.ts';

/**
 * A set that was proven from a checkpoint always is: old keys can be sold. One that the caller hands over, or accepts
 * from a server, is the caller's to vouch for: its age is told, and decides only when asked to.
 * @param isHead whether the newest block was asked for, not one by its seqno
 */
export function headClock(
  isHead: boolean,
  requireFresh: boolean,
  validators: ValidatorSet,
): { readonly evidence: Evidence; readonly warnings: readonly string[] } {
  if (!isHead) return { evidence: {}, warnings: [] };
  const nowSeconds = Math.floor(Date.now() / 1000);
  if (requireFresh || validators.provenance.kind === 'proven') return { evidence: { nowSeconds }, warnings: [] };
  if (!isStale(validators, nowSeconds)) return { evidence: {}, warnings: [] };
  const until = new Date((validators.utimeUntil ?? 0) * 1000).toISOString().slice(0, 10);
  const warning = `the set served until ${until}, too long ago to vouch for a head of today: see --require-fresh`;
  return { evidence: {}, warnings: [warning] };
}
