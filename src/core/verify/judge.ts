/**
 * Applies a policy to a coverage. The default policy equals the node's: a repeated signer, an unknown signer or one
 * invalid signature rejects the whole list; otherwise final means 3 * signed > 2 * total, strictly. Source: ton
 * `crypto/block/signature-set.cpp`, check_signatures.
 */
import { badArgument, badOption } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { BLOCK_ID_FIELDS, type BlockIdExt, type BlockIdField, differingField } from '../block/block-id.ts';
import { signedFields } from '../message/signed-message.ts';
import { originOf, type ValidatorSet } from '../validators/validator-set.ts';
import { sourceOf } from './check-signatures.ts';
import { CONTEXT_KEYS, isProven, resolveContext } from './context.ts';
import { POLICY_KEYS, resolvePolicy } from './policy.ts';
import type { BlockContext, Coverage, Policy, ResolvedPolicy, UndecidedReason, Verdict } from './report.ts';
import { checkSet, isStale } from './set-check.ts';
import { networkCheck, requireNoStranger } from './successor.ts';
import { exceeds } from './weights.ts';

function undecided(reason: UndecidedReason): Verdict {
  return Object.freeze({ status: 'undecided', reason });
}

/** Returns the fields of the block id that the signatures, or the signatures and a proven header, cover. */
export function boundFields(coverage: Coverage, context: BlockContext): readonly BlockIdField[] {
  return isProven(context.header) ? BLOCK_ID_FIELDS : signedFields(coverage.kind);
}

/** Rejects the context of a different block, which would make the verdict wrong. */
function requireContextOfThisBlock(blockId: BlockIdExt, { header }: BlockContext): void {
  const other = header?.blockId ?? blockId;
  const seqno = header?.seqno ?? other.seqno;
  const field = differingField(other, blockId) ?? (seqno === blockId.seqno ? undefined : 'seqno');
  if (field) throw badOption(`of another block: ${field} differs`, 'context.header');
}

/** Whether a block that is requested as a head is too old, or may be. */
function isOldHead({ header, nowSeconds, maxHeadAgeSeconds }: BlockContext): boolean {
  if (nowSeconds === undefined || maxHeadAgeSeconds === undefined) return false;
  return header?.genUtime === undefined || nowSeconds - header.genUtime > maxHeadAgeSeconds;
}

/** Returns the reason not to trust a well-formed set, if there is one. */
function doubt(
  coverage: Coverage,
  validators: ValidatorSet,
  context: BlockContext,
  policy: ResolvedPolicy,
): UndecidedReason | undefined {
  const { kind } = validators.provenance;
  // Any other kind of provenance is a claim.
  if (kind !== 'given' && kind !== 'proven' && !policy.acceptClaimed) return 'claimed-set';
  if (policy.requireProvenSet && kind !== 'proven') return 'claimed-set';
  // A start that was not accepted does not become fresh through later proofs.
  if (isStale(validators, context.nowSeconds) || originOf(validators)?.staleStart === 'refused') return 'stale-set';
  if (context.nowSeconds !== undefined && validators.utimeUntil === undefined) return 'unknown-age';
  if (isOldHead(context)) return 'stale-head';
  if (policy.requireBoundId && boundFields(coverage, context).length < BLOCK_ID_FIELDS.length) return 'unbound-id';
  if (policy.requireHeader && networkCheck(validators, context.header) !== 'match') return 'epoch-not-checked';
  return undefined;
}

/** `judge` with a context and a policy that were already read. */
export function judgeResolved(
  coverage: Coverage,
  validators: ValidatorSet,
  context: BlockContext,
  policy: ResolvedPolicy,
): Verdict {
  const source = sourceOf(coverage);
  // The weight is compared too: a set that was not made here may have changed since.
  if (source.passed !== validators || coverage.totalWeight !== validators.totalWeight) {
    throw badArgument('validators', 'the set that the coverage was made with', validators);
  }
  const set = source.validators;
  requireContextOfThisBlock(source.blockId, context);
  requireNoStranger(set, context.header);
  const { signatures, signedWeight, totalWeight } = coverage;
  if (checkSet(set, context.header) === 'mismatch') return undecided('wrong-validator-set');
  if (signatures.length > 0 && signatures.every(({ outcome }) => outcome === 'unknown-signer')) {
    return undecided('no-known-signer');
  }
  const defects = signatures.filter(({ outcome }) => outcome !== 'valid');
  if (defects.length > 0 && policy.onDefect === 'reject') {
    return Object.freeze({ status: 'rejected', defects: Object.freeze(defects) });
  }
  if (!exceeds(signedWeight, totalWeight, policy.threshold)) return Object.freeze({ status: 'insufficient' });
  const reason = doubt(coverage, set, context, policy);
  return reason === undefined ? Object.freeze({ status: 'final' }) : undecided(reason);
}

/**
 * Returns the verdict for a coverage under a policy. The first of these conditions that holds decides:
 *  - a different set signed, or no known validator;
 *  - a defect, or too little weight;
 *  - a set that is claimed, stale or of unknown age;
 *  - a stale head, an unbound id, or an epoch that was not compared.
 *
 * Otherwise the block is final.
 * @param coverage the original object that `checkSignatures` returned
 * @param validators the set that the coverage was made with
 * @param context `header`, `nowSeconds` (Unix seconds) and `maxHeadAgeSeconds`; by default no clock and no header
 * @param given the policy; by default that of the node: more than 2/3 of the weight, and no defect
 * @returns the verdict; a plain value
 * @throws UsageError `bad-policy`; `bad-option` for the context of a different block, and for members and arguments
 * that are unknown or of a wrong kind; TrustError as `verifyBlock`
 * @example
 * ```ts
 * import { checkSignatures, judge, parseSignatureList, parseValidatorSet } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const verdict = judge(checkSignatures(signatures, validators), validators);
 * console.log(verdict.status); // final
 * ```
 */
export function judge(
  coverage: Coverage,
  validators: ValidatorSet,
  context: BlockContext = {},
  given: Policy = {},
): Verdict {
  const elsewhere = CONTEXT_KEYS.map((key) => [key, 'context is the third argument, the policy the fourth']);
  const policy = requireOptions(given, POLICY_KEYS, 'policy', Object.fromEntries(elsewhere));
  return judgeResolved(coverage, validators, resolveContext(context), resolvePolicy(policy));
}
