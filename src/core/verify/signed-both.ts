/** Finds the validators that signed two conflicting blocks. */
import { encodeHex, equalBytes } from '../base/bytes.ts';
import { type BlockIdExt, differingField } from '../block/block-id.ts';
import type { SignatureList } from '../block/signature-list.ts';
import type { CheckedSignature, VerificationReport } from './report.ts';

/**
 * The valid signatures of the first block whose signers also signed the second one, and their weight in the first one's
 * set.
 */
export function signedBoth(
  { coverage: one }: VerificationReport,
  { coverage: other }: VerificationReport,
): { readonly signatures: readonly CheckedSignature[]; readonly weight: bigint } {
  const valid = ({ signatures }: typeof one) => signatures.filter(({ outcome }) => outcome === 'valid');
  const others = new Set(valid(other).map(({ nodeIdShort }) => encodeHex(nodeIdShort)));
  const signatures = valid(one).filter(({ nodeIdShort }) => others.has(encodeHex(nodeIdShort)));
  return { signatures, weight: signatures.reduce((sum, { weight }) => sum + weight, 0n) };
}

/** A block and its signatures, with the validators that a key block installed. */
export interface SignedBlock {
  readonly id: BlockIdExt;
  readonly keyBlock: boolean;
  /** Absent if it is not available: then only the block numbers can show a contradiction. */
  readonly signatures?: SignatureList;
}

/** One slot of one session with two different candidates. */
function isOneSlot({ signatures: one }: SignedBlock, { signatures: other }: SignedBlock): boolean {
  return (
    one?.kind === 'simplex' &&
    other?.kind === 'simplex' &&
    one.slot === other.slot &&
    equalBytes(one.sessionId, other.sessionId) &&
    !equalBytes(one.candidate, other.candidate)
  );
}

/** Whether two blocks that name the same previous key block contradict each other. */
export function contradict(one: SignedBlock, other: SignedBlock): boolean {
  if (isOneSlot(one, other)) return true;
  if (one.id.seqno === other.id.seqno) return differingField(one.id, other.id) !== undefined;
  // The later block says that there is no key block between it and the named one.
  return one.id.seqno < other.id.seqno ? one.keyBlock : other.keyBlock;
}
