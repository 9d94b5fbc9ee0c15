/** Compares a row of a ledger with the row that judging the same block again gives. */
import { type AuditRow, isSigned, type SignedAuditBlock } from './ledger-lines.ts';

/** The result of checking one row again. */
export type RowComparison =
  | { readonly outcome: 'agrees' }
  /** The row says that its block was not fetched or is undecided: it makes no claim that could be wrong. */
  | { readonly outcome: 'says-nothing' }
  /**
   * The source has less than the ledger says. `why` is the code of an error, a reason of `undecided`, or a member of
   * the row.
   */
  | { readonly outcome: 'unchecked'; readonly why: string }
  /** The member that differs, its value in the ledger, and its value from the blocks. */
  | { readonly outcome: 'differs'; readonly member: string; readonly ledger: unknown; readonly blocks: unknown };

const unchecked = (why: string): RowComparison => ({ outcome: 'unchecked', why });

function differing(
  members: readonly string[],
  was: object,
  now: object,
  under = '',
): Extract<RowComparison, { outcome: 'differs' }> | undefined {
  for (const member of members) {
    const [ledger, blocks] = [was, now].map((one) => (one as Record<string, unknown>)[member]); // each may have this member
    if (JSON.stringify(ledger) !== JSON.stringify(blocks))
      return { outcome: 'differs', member: under + member, ledger, blocks };
  }
  return undefined;
}

/** Members that depend on which validators an answer lists as signers. */
const SIGNERS = ['kind', 'signedWeight', 'margin', 'absent', 'bad', 'unknown'] as const;

function compareSigned(was: SignedAuditBlock, now: SignedAuditBlock, anySigners: boolean): RowComparison | undefined {
  const wrong = differing(['set', 'totalWeight', 'requiredWeight', ...(anySigners ? [] : SIGNERS)], was, now);
  if (wrong !== undefined || was.setCheck === now.setCheck || was.setCheck === 'not-checked') return wrong;
  return now.setCheck === 'not-checked' ? unchecked('setCheck') : differing(['setCheck'], was, now);
}

/**
 * Compares two rows of one block. `staleStart` does not count: it says how trust began, which depends on the clock and
 * on the start of each run, and nothing about the block.
 * @param was the row of the ledger
 * @param now the row of the same block, judged again
 * @param anySigners whether other validators may have signed: servers may hold different lists for one block
 */
export function compareRows(was: AuditRow, now: AuditRow, anySigners = false): RowComparison {
  if (was.type === 'failure') return { outcome: 'says-nothing' };
  if (now.type === 'failure') return unchecked(now.code);
  const id = differing(['seqno', 'rootHash', 'fileHash'], was.block, now.block, 'block.');
  if (id !== undefined) return id;
  if (was.verdict.status === 'undecided') return { outcome: 'says-nothing' };
  if (now.verdict.status === 'undecided') return unchecked(now.verdict.reason);
  const members = anySigners ? ['status'] : ['status', 'defects'];
  const verdict = differing(members, was.verdict, now.verdict, 'verdict.');
  if (verdict !== undefined) return verdict;
  const signed = isSigned(was) && isSigned(now) ? compareSigned(was, now, anySigners) : undefined;
  if (signed?.outcome === 'differs') return signed;
  if (was.header !== null && now.header !== null) {
    const parent = was.header.parent !== null && now.header.parent !== null ? ['parent'] : [];
    const header = differing(['genUtime', 'keyBlock', 'prevKeyBlock', ...parent], was.header, now.header, 'header.');
    if (header !== undefined) return header;
  }
  if (was.header !== null && (now.header === null || (was.header.parent !== null && now.header.parent === null))) {
    return unchecked('header');
  }
  if (!was.bound.every((field) => now.bound.includes(field))) return unchecked('bound');
  if (isSigned(was) && !isSigned(now)) return unchecked('signedWeight');
  return signed ?? { outcome: 'agrees' };
}
