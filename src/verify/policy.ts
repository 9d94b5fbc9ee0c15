/** Policies: fills in defaults and refuses any that would let less than the node's 2/3 be final. */
import { UsageError } from '../base/errors.ts';
import { FINALITY_THRESHOLD } from '../base/limits.ts';
import type { Policy, ResolvedPolicy } from './report.ts';

/** @throws UsageError `bad-policy` unless 2/3 <= num/den < 1, and for an unknown word in `onDefect` */
export function resolvePolicy(policy: Policy = {}): ResolvedPolicy {
  const { onDefect = 'reject', threshold = FINALITY_THRESHOLD, acceptClaimed = false, requireBoundId = false } = policy;
  if (typeof acceptClaimed !== 'boolean' || typeof requireBoundId !== 'boolean') {
    throw new TypeError('policy: expected booleans');
  }
  const { num, den } = threshold;
  if (typeof num !== 'bigint' || typeof den !== 'bigint') throw new TypeError('policy: expected bigints');
  const isAtLeastTwoThirds = num * FINALITY_THRESHOLD.den >= den * FINALITY_THRESHOLD.num;
  if (den <= 0n || !isAtLeastTwoThirds || num >= den) {
    throw new UsageError('usage/bad-policy', `expected 2/3 <= threshold < 1, got ${num}/${den}`, { path: 'threshold' });
  }
  if (onDefect !== 'reject' && onDefect !== 'ignore') {
    throw new UsageError('usage/bad-policy', "expected 'reject' or 'ignore'", { path: 'onDefect' });
  }
  return Object.freeze({
    onDefect,
    threshold: Object.freeze({ num, den }),
    acceptClaimed,
    requireBoundId,
  });
}
