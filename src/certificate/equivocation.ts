/**
 * Two final blocks in one place: proof that validators signed both. Anybody who has it can show it; whoever signed both
 * weighs more than a third, by counting.
 */
import { encodeHex } from '../base/bytes.ts';
import { CertificateError } from '../base/errors.ts';
import { type BlockIdExt, differingField } from '../decode/block-id.ts';
import { signerIndex } from '../validators/signer-index.ts';
import type { Certificate } from './parse.ts';
import { type Judged, judgeCertificate } from './verify.ts';
import type { CertificateOptions } from './walk-steps.ts';

/** Who signed two blocks that cannot both be. */
export interface Equivocation {
  readonly blocks: readonly [BlockIdExt, BlockIdExt];
  /** Public keys, 32 bytes each, in the order of the first block's list. */
  readonly signers: readonly Uint8Array[];
  /** What they weigh in the list that the first block was signed by. */
  readonly jointWeight: bigint;
  readonly totalWeight: bigint;
}

function requireFinal({ report }: Judged, path: string): void {
  if (report.verdict.status === 'final') return;
  throw new CertificateError('cert/equivocation', `expected a final block, got ${report.verdict.reason}`, { path });
}

function signersOf({ set }: Judged): Set<string> {
  return new Set(set.signatures.map(({ nodeIdShort }) => encodeHex(nodeIdShort)));
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
  const [one, other] = [first.report.block, second.report.block];
  const field = differingField(one, other);
  if (field !== 'rootHash' && field !== 'fileHash') {
    const message =
      field === undefined ? 'both certificates are for one block' : `they are for other places: ${field} differs`;
    throw new CertificateError('cert/equivocation', message, { path: 'b' });
  }
  const others = signersOf(second);
  const index = signerIndex(first.validators);
  const signers: Uint8Array[] = [];
  let jointWeight = 0n;
  for (const { nodeIdShort } of first.set.signatures) {
    const position = others.has(encodeHex(nodeIdShort)) ? index.find(nodeIdShort) : undefined;
    if (position === undefined) continue;
    const validator = first.validators.validators[position]!;
    signers.push(validator.publicKey.slice());
    jointWeight += validator.weight;
  }
  const { totalWeight } = first.validators;
  return Object.freeze({
    blocks: Object.freeze([one, other] as const),
    signers: Object.freeze(signers),
    jointWeight,
    totalWeight,
  });
}
