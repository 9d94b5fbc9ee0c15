/**
 * Asks for a block until its signatures are valid. A server may lie, or send a damaged list, so bad signatures are
 * reported only when no other server has better ones. Blocks that are verified, followed or audited all use this
 * function.
 */
import { FinalityError, SourceError, UsageError } from '../../core/base/errors.ts';
import type { Own } from '../../core/base/own-bytes.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import type { VerificationReport } from '../../core/verify/report.ts';

/** Returns whether an error is about a server, and not about this program. */
export function isOfServer(error: unknown): error is FinalityError {
  return error instanceof FinalityError && !(error instanceof UsageError);
}

/** How answers are fetched and judged. */
export interface Trial<Answer, Judged> {
  /** Judges one answer. @throws errors that `isRefusal` knows, for an answer that cannot be judged */
  judge(answer: Answer): Judged | Promise<Judged>;
  isGood(judged: Judged): boolean;
  /** Whether an error concerns this answer only. Default: a `SourceError`. */
  isRefusal?(error: unknown): boolean;
  /**
   * Asks a server that gave none of these answers; resolves to `undefined` when no server is left. A SourceError ends
   * the trial as `missing`, unless the caller stopped; any other error is thrown.
   */
  another(refused: readonly Answer[]): Promise<Answer | undefined>;
  /** Called when a later server gave a good answer: these answers were invalid. */
  blame?(refused: readonly Answer[]): void;
}

/** The outcome of a trial. */
export interface Tried<Judged> {
  readonly good: Judged | undefined;
  /** All answers that could be judged, in order; a good one is the last. */
  readonly judged: readonly Judged[];
  /** Errors of the answers that could not be judged. */
  readonly errors: readonly unknown[];
  /** Why the next server could not be asked: it may have a better answer in a moment. */
  readonly missing?: SourceError;
}

/** Judges answers until one is good. @param given answers that are there already */
export async function untilGood<Answer, Judged>(
  given: readonly Answer[],
  trial: Trial<Answer, Judged>,
): Promise<Tried<Judged>> {
  const { isRefusal = (error) => error instanceof SourceError } = trial;
  const refused: Answer[] = [];
  const judged: Judged[] = [];
  const errors: unknown[] = [];
  for (let at = 0; ; at++) {
    const isGiven = at < given.length;
    let answer: Answer | undefined;
    try {
      answer = isGiven ? given[at] : await trial.another(refused);
    } catch (error) {
      if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
      return { good: undefined, judged, errors, missing: error };
    }
    if (answer === undefined) return { good: undefined, judged, errors };
    try {
      const one = await trial.judge(answer);
      judged.push(one);
      if (trial.isGood(one)) {
        if (!isGiven) trial.blame?.(refused);
        return { good: one, judged, errors };
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      errors.push(error);
    }
    refused.push(answer);
  }
}

/** A block's report, and a way to verify other signatures with the same set. */
export interface Assessed {
  readonly report: VerificationReport;
  readonly validators: ValidatorSet;
  /** Verifies other signatures with the same set, and without a header. */
  verify(set: Own<SignatureList>): VerificationReport;
}

/** Whether the report suggests that a different validator set signed. */
export function isOfAnotherSet({ verdict }: Pick<VerificationReport, 'verdict'>): boolean {
  if (verdict.status !== 'undecided') return false;
  return verdict.reason === 'no-known-signer' || verdict.reason === 'wrong-validator-set';
}

/** Whether enough of the set signed these hashes. */
export function isSignedEnough({ verdict }: Pick<VerificationReport, 'verdict'>): boolean {
  return verdict.status === 'final' || (verdict.status === 'undecided' && !isOfAnotherSet({ verdict }));
}

/**
 * Whether no other server can have a better list. A list that does not cover the number may be that of an older block,
 * so it is taken only where no server has one that does.
 */
export function isBest({ verdict }: Pick<VerificationReport, 'verdict'>): boolean {
  return isSignedEnough({ verdict }) && !('reason' in verdict && verdict.reason === 'unbound-id');
}
