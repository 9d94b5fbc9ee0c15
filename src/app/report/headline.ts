/** The verdict in one line, which names the block by what is vouched for and by nothing else. Computes no verdict. */
import { encodeHex } from '../../core/base/bytes.ts';
import { sourceOf } from '../../core/verify/check-signatures.ts';
import type { Verdict, VerificationReport } from '../../core/verify/report.ts';

/** Hex digits of a hash that tell it from any other a person has before them. */
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

/** A number that nothing binds is only said: then the block is named by its root hash. */
function blockWords({ coverage, bound }: VerificationReport): string {
  const { seqno, rootHash } = sourceOf(coverage).blockId;
  if (bound.includes('seqno')) return `masterchain block ${seqno}`;
  const digits = encodeHex(rootHash).slice(0, HASH_DIGITS);
  return `block with root hash ${digits}…, claimed to be masterchain block ${seqno}`;
}

export function headlineOf(report: VerificationReport): string {
  return `${verdictWords(report.verdict)}: ${blockWords(report)} (${report.coverage.kind} signatures)`;
}
