/** Renders the verdict in one line. It names the block only by what signatures or proofs cover. It computes no verdict. */
import { encodeHex } from '../../core/base/bytes.ts';
import { sourceOf } from '../../core/verify/check-signatures.ts';
import type { Verdict, VerificationReport } from '../../core/verify/report.ts';

/** Enough hex digits of a hash for a person to tell it from others. */
const HASH_DIGITS = 16;

function verdictWords(verdict: Verdict): string {
  switch (verdict.status) {
    case 'final':
      return 'FINAL';
    case 'insufficient':
      return 'NOT FINAL, insufficient weight';
    case 'rejected':
      return `NOT FINAL, rejected for ${verdict.defects.length} bad ${verdict.defects.length === 1 ? 'entry' : 'entries'}`;
    case 'undecided':
      return `UNDECIDED, ${verdict.reason}`;
  }
}

/** Names a block. If nothing covers its number, the number is a claim, and the root hash names the block. */
function blockWords({ coverage, bound }: VerificationReport): string {
  const { seqno, rootHash } = sourceOf(coverage).blockId;
  if (bound.includes('seqno')) return `masterchain block ${seqno}`;
  const digits = encodeHex(rootHash).slice(0, HASH_DIGITS);
  return `block with root hash ${digits}…, claimed to be masterchain block ${seqno}`;
}

export function headlineOf(report: VerificationReport): string {
  return `${verdictWords(report.verdict)}: ${blockWords(report)} (${report.coverage.kind} signatures)`;
}
