/**
 * Proves that validators signed two final blocks that contradict each other. Any party with both certificates can show
 * it. The validators that signed both always have more than a third of the weight. Certificates that diverge at a key
 * block are compared there: after it, each may have signers that an attacker made up.
 */

import { type BlockIdExt, differingField } from '../block/block-id.ts';
import { signerIndex } from '../validators/signer-index.ts';
import { contradict, signedBoth } from '../verify/signed-both.ts';
import { certError } from './certificate-error.ts';
import type { Certificate } from './parse.ts';
import { type Judged, judgeCertificate } from './verify.ts';
import type { CertificateOptions, SignedHop } from './walk-steps.ts';

/** The validators that signed two conflicting blocks. */
export interface Equivocation {
  /**
   * Where the certificates diverge: two blocks with one number; two candidates for one slot of a Simplex session, whose
   * blocks may have different numbers; or a key block and a later block that denies it.
   */
  readonly blocks: readonly [BlockIdExt, BlockIdExt];
  /** Public keys, 32 bytes each, in the order of the validator list that signed both blocks. */
  readonly signers: readonly Uint8Array[];
  /** The weight of these validators in this list: more than a third. */
  readonly jointWeight: bigint;
  readonly totalWeight: bigint;
}

function requireFinal({ report }: Judged, path: string): void {
  if (report.verdict.status === 'final') return;
  throw certError('cert/equivocation', `expected a final block, got ${report.verdict.reason}`, path);
}

/**
 * Returns the validators that signed two contradicting certificates.
 * @param a a certificate
 * @param b a certificate from the same anchor or checkpoint
 * @param opts `anchor` or `checkpoint`, which you trust for both; `engine` for Ed25519
 * @returns the contradicting blocks, and the keys and weight of the validators that signed both
 * @throws CertificateError `cert/equivocation` when they do not contradict each other: different places, or the same
 * block; and as `verifyCertificate`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { CertificateError, findEquivocation, parseCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * let result = 'contradiction';
 * try {
 *   findEquivocation(certificate, certificate, { checkpoint });
 * } catch (error) {
 *   if (error instanceof CertificateError) result = error.code;
 * }
 * console.log(result); // cert/equivocation, because a block does not contradict itself
 * ```
 */
export function findEquivocation(a: Certificate, b: Certificate, opts: CertificateOptions): Equivocation {
  const [first, second] = [judgeCertificate(a, opts), judgeCertificate(b, opts)];
  requireFinal(first, 'a');
  requireFinal(second, 'b');
  // While both certificates have the same key blocks, the same validators sign the next block on both sides.
  for (const [k, one] of first.hops.entries()) {
    const other = second.hops[k];
    if (other === undefined) break;
    if (contradict(one, other)) return equivocationOf(one, other);
    if (differingField(one.id, other.id) !== undefined) break;
  }
  const field = differingField(first.report.block, second.report.block);
  const message =
    field === undefined ? 'both certificates are for one block' : `they are for other places: ${field} differs`;
  throw certError('cert/equivocation', message, 'b');
}

function equivocationOf(one: SignedHop, other: SignedHop): Equivocation {
  const { validators } = one;
  const { totalWeight } = validators;
  const index = signerIndex(validators);
  const { signatures, weight: jointWeight } = signedBoth(one.report, other.report);
  if (3n * jointWeight <= totalWeight) {
    throw certError('cert/equivocation', 'less than a third of one set signed both', 'b');
  }
  const signers = signatures.map(({ nodeIdShort }) => {
    const position = index.find(nodeIdShort)!; // its signature is valid, so it has an index
    return validators.validators[position]!.publicKey.slice();
  });
  return Object.freeze({
    blocks: Object.freeze([one.id, other.id] as const),
    signers: Object.freeze(signers),
    jointWeight,
    totalWeight,
  });
}
