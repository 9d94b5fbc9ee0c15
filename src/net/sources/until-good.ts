/**
 * Asking until the signatures are good. A server may lie, or give a damaged list: what one gave is reported as bad only when
 * nobody else who can be asked gives better. The one way for a block that is verified, followed or audited.
 */
import { SourceError } from '../../core/base/errors.ts';
import type { SignatureList } from '../../core/block/signature-set.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import type { VerificationReport } from '../../core/verify/report.ts';

/** How answers are got and judged. */
export interface Trial<Answer, Judged> {
  /** @throws what `isRefusal` knows, for an answer that cannot be judged */
  judge(answer: Answer): Judged | Promise<Judged>;
  isGood(judged: Judged): boolean;
  /** Whether an error is of this answer alone. Default: a `SourceError`. */
  isRefusal?(error: unknown): boolean;
  /** The answer of somebody who gave none of these; `undefined` when nobody is left to ask. What it throws ends the trial. */
  another(refused: readonly Answer[]): Promise<Answer | undefined>;
  /** Somebody who was asked after them gave a good answer. */
  blame?(refused: readonly Answer[]): void;
}

/** What the answers came to. */
export interface Tried<Judged> {
  readonly good: Judged | undefined;
  /** All that could be judged, in order; the good one is the last. */
  readonly judged: readonly Judged[];
  /** Of those that could not. */
  readonly errors: readonly unknown[];
}

/** @param given answers that are there already */
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
    const answer = isGiven ? given[at] : await trial.another(refused);
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

/** What a block is worth. */
export interface Assessed {
  readonly report: VerificationReport;
  readonly validators: ValidatorSet;
  /** Judges other signatures by the same set, and by no header. */
  verify(set: SignatureList): VerificationReport;
}

/** Whether it looks as if another validator set signed. */
export function isOfAnotherSet({ verdict }: Pick<VerificationReport, 'verdict'>): boolean {
  if (verdict.status !== 'undecided') return false;
  return verdict.reason === 'no-known-signer' || verdict.reason === 'wrong-validator-set';
}

/** Whether enough of the set signed these hashes. */
export function isSignedEnough({ verdict }: Pick<VerificationReport, 'verdict'>): boolean {
  return verdict.status === 'final' || (verdict.status === 'undecided' && !isOfAnotherSet({ verdict }));
}
