/** Defines the exit codes, a public contract: scripts branch on them. */
import { EngineError, FinalityError, SourceError } from '../../../core/base/errors.ts';
import type { CertifiedFact } from '../../../core/certificate/judge-fact.ts';
import type { Verdict } from '../../../core/verify/report.ts';
import type { Conclusion } from '../../audit/count-rows.ts';

export const EXIT = {
  /** The block is final. */
  final: 0,
  /** Insufficient or rejected; for a fact, proven absent. */
  notFinal: 1,
  /** Usage, malformed input, or an invalid proof. */
  badInput: 2,
  /** A source did not answer. */
  sourceFailed: 3,
  /** An input is wrong or unproven, so there is no verdict. */
  undecided: 4,
  /** A defect of this program, or a failure of the machine. */
  internal: 5,
} as const;

const EXIT_OF: Readonly<Record<Verdict['status'], number>> = {
  final: EXIT.final,
  insufficient: EXIT.notFinal,
  rejected: EXIT.notFinal,
  undecided: EXIT.undecided,
};

export function exitCodeOf({ status }: Verdict): number {
  return EXIT_OF[status];
}

/** Returns the exit code of facts under a final block: whether all of them exist. */
export function exitCodeOfFacts(facts: readonly CertifiedFact[]): number {
  const isAbsent = (fact: CertifiedFact) => 'found' in fact && !fact.found;
  return facts.some(isAbsent) ? EXIT.notFinal : EXIT.final;
}

export const EXIT_OF_AUDIT: Readonly<Record<Conclusion, number>> = {
  final: EXIT.final,
  'not-final': EXIT.notFinal,
  'not-fetched': EXIT.sourceFailed,
  undecided: EXIT.undecided,
};

export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof FinalityError) || error instanceof EngineError) return EXIT.internal;
  if (error.code === 'trust/stale-start' || error.code === 'trust/too-few-witnesses') return EXIT.undecided;
  return error instanceof SourceError ? EXIT.sourceFailed : EXIT.badInput;
}
