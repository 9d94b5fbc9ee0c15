/** Who signed two blocks: what makes a contradiction somebody's fault. */
import { encodeHex } from '../base/bytes.ts';
import type { CheckedSignature, VerificationReport } from './report.ts';

/** The valid signatures of the first block whose signers signed the second one, too, and what they weigh in the first one's set. */
export function signedBoth(
  { coverage: one }: VerificationReport,
  { coverage: other }: VerificationReport,
): { readonly signatures: readonly CheckedSignature[]; readonly weight: bigint } {
  const valid = ({ signatures }: typeof one) => signatures.filter(({ outcome }) => outcome === 'valid');
  const others = new Set(valid(other).map(({ nodeIdShort }) => encodeHex(nodeIdShort)));
  const signatures = valid(one).filter(({ nodeIdShort }) => others.has(encodeHex(nodeIdShort)));
  return { signatures, weight: signatures.reduce((sum, { weight }) => sum + weight, 0n) };
}
