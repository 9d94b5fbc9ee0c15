/** One verdict over several lists of signatures of one block, as a quorum gives them. */
import { DecodeError, SourceError, type SourceStatement } from '../base/errors.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { FetchedBlock, FetchedSet } from './fetch-block.ts';

export interface Judged extends FetchedSet {
  readonly report: VerificationReport;
}

/** The verdict over all lists. */
export interface JudgedAll {
  readonly best: Judged;
  /** What was wrong with the others. */
  readonly warnings: readonly string[];
  /** Final, or so but for a doubt about set or number: another list of signatures would not be better. */
  readonly isGood: boolean;
}

const BAD_LIST = 2;

/** How good a list of signatures is: final, or so but for a doubt about set or number, or neither. */
function rankOf({ verdict, coverage, requiredWeight }: VerificationReport): number {
  if (verdict.status === 'final') return 0;
  return verdict.status === 'undecided' && coverage.signedWeight >= requiredWeight ? 1 : BAD_LIST;
}

/**
 * Judges each list of signatures by itself: servers of a quorum agree on the block, not on the list, so one good list is
 * enough, and what is wrong with another is a warning.
 * @throws DecodeError for a file, SourceError for servers, when not one list can be judged
 */
export function judgeAll(sets: FetchedBlock['sets'], verifySet: (set: SignatureSet) => VerificationReport): JudgedAll {
  const judged: Judged[] = [];
  const unreadable: (SourceStatement & { readonly error: DecodeError })[] = [];
  for (const { set, source } of sets) {
    try {
      judged.push({ set, source, report: verifySet(set) });
    } catch (error) {
      // Some of an answer is read only when it is verified, such as the candidate of a simplex set.
      if (!(error instanceof DecodeError) || source === undefined) throw error;
      unreadable.push({ source, error });
    }
  }
  const faults = unreadable.map(({ source, error }) => `${source}: signatures that cannot be read: ${error.message}`);
  const [best] = [...judged].sort((a, b) => rankOf(a.report) - rankOf(b.report)); // stable: the first of the best
  if (best === undefined) {
    throw new SourceError('source/malformed', faults.join('; '), {
      statements: unreadable,
      cause: unreadable[0]!.error, // there is one set or more
      hint: 'ask another server',
    });
  }
  const isGood = rankOf(best.report) < BAD_LIST;
  const lesser = judged.filter(({ report }) => isGood && rankOf(report) > rankOf(best.report));
  const notFinal = lesser.map(
    ({ source, report }) => `${source ?? 'a server'}: its list of signatures is not final: ${report.verdict.status}`,
  );
  return { best, warnings: [...faults, ...notFinal], isGood };
}
