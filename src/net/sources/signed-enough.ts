/** Whether the signatures of an answer are any good, whatever else is in doubt: what they are asked of the next server for. */
import type { VerificationReport } from '../../core/verify/report.ts';

/** Whether it looks as if another validator set signed. */
export function isOfAnotherSet({ verdict }: Pick<VerificationReport, 'verdict'>): boolean {
  if (verdict.status !== 'undecided') return false;
  return verdict.reason === 'no-known-signer' || verdict.reason === 'wrong-validator-set';
}

/** Whether enough of the set signed these hashes. */
export function isSigned({ verdict }: Pick<VerificationReport, 'verdict'>): boolean {
  return verdict.status === 'final' || (verdict.status === 'undecided' && !isOfAnotherSet({ verdict }));
}
