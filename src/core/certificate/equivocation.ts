/**
 * Two final blocks that cannot both be: proof that validators signed both. Anybody who has it can show it; whoever signed
 * both weighs more than a third, by counting. Where two certificates part at a key block, that is where they are compared:
 * behind it each of them may have signers of its own making.
 */
import { CertificateError } from '../base/errors.ts';
import { type BlockIdExt, differingField } from '../block/block-id.ts';
import { signerIndex } from '../validators/signer-index.ts';
import { contradict, signedBoth } from '../verify/signed-both.ts';
import type { Certificate } from './parse.ts';
import { type Judged, judgeCertificate } from './verify.ts';
import type { CertificateOptions, SignedHop } from './walk-steps.ts';

/** The validators who signed two conflicting blocks. */
export interface Equivocation {
  /**
   * Where the certificates part: two blocks of one number; two candidates of one slot in one Simplex session, whose blocks
   * may have different numbers; or a key block and a later block that says there was none.
   */
  readonly blocks: readonly [BlockIdExt, BlockIdExt];
  /** Public keys, 32 bytes each, in the order of the list that both blocks were signed by. */
  readonly signers: readonly Uint8Array[];
  /** What they weigh in that list: more than a third. */
  readonly jointWeight: bigint;
  readonly totalWeight: bigint;
}

function requireFinal({ report }: Judged, path: string): void {
  if (report.verdict.status === 'final') return;
  throw new CertificateError('cert/equivocation', `expected a final block, got ${report.verdict.reason}`, { path });
}

/**
 * Shows that two certificates contradict each other.
 * @param opts the reader's anchor or checkpoint, for both
 * @throws CertificateError `cert/equivocation` when they do not: other places, or one and the same block; and as
 * `verifyCertificate`
 */
export function findEquivocation(a: Certificate, b: Certificate, opts: CertificateOptions): Equivocation {
  const [first, second] = [judgeCertificate(a, opts), judgeCertificate(b, opts)];
  requireFinal(first, 'a');
  requireFinal(second, 'b');
  // As long as they go over the same key blocks, the same set signs what comes next on both sides.
  for (const [k, one] of first.hops.entries()) {
    const other = second.hops[k];
    if (other === undefined) break;
    if (contradict(one, other)) return equivocationOf(one, other);
    if (differingField(one.id, other.id) !== undefined) break;
  }
  const field = differingField(first.report.block, second.report.block);
  const message =
    field === undefined ? 'both certificates are for one block' : `they are for other places: ${field} differs`;
  throw new CertificateError('cert/equivocation', message, { path: 'b' });
}

function equivocationOf(one: SignedHop, other: SignedHop): Equivocation {
  const { validators } = one;
  const index = signerIndex(validators);
  const { signatures, weight: jointWeight } = signedBoth(one.report, other.report);
  const { totalWeight } = validators;
  if (3n * jointWeight <= totalWeight) {
    throw new CertificateError('cert/equivocation', 'less than a third of one set signed both', { path: 'b' });
  }
  const signers = signatures.map(({ nodeIdShort }) => {
    const position = index.find(nodeIdShort)!; // its signature is valid
    return validators.validators[position]!.publicKey.slice();
  });
  return Object.freeze({
    blocks: Object.freeze([one.id, other.id] as const),
    signers: Object.freeze(signers),
    jointWeight,
    totalWeight,
  });
}
