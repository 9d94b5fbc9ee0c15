/** The ways to a proven masterchain block: a report, the tip of a walk, the key block of a checkpoint. */
import { badArgument } from '../base/arguments.ts';
import { ownMembers, present } from '../base/present.ts';
import { BLOCK_ID_FIELDS, type BlockIdExt, differingField } from '../block/block-id.ts';
import { type ProvenHeader, requireMasterchainId } from '../chain/block-header.ts';
import { type Checkpoint, ownCheckpoint } from '../chain/checkpoint.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type BlockWalk, endOf } from '../chain/walk.ts';
import { originOf, ownProvenance, type ValidatorSet } from '../validators/validator-set.ts';
import { sourceOf } from '../verify/check-signatures.ts';
import { isProven, resolveContext } from '../verify/context.ts';
import { requireOwnReport, staleStartOf } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import { requireSameNetwork, requireSuccessor } from '../verify/successor.ts';
import {
  type BlockProvenance,
  type FinalityException,
  makeProven,
  type ProofStep,
  type ProvenBlock,
} from './proven-block.ts';
import { unproven } from './refusals.ts';

/**
 * What a report says of why a block is believed.
 * @param header of the block, held against the key block of the set beside the report
 */
export function provenanceOf(report: VerificationReport, header?: ProvenHeader): BlockProvenance {
  const { coverage, policy } = report;
  const validators = ownProvenance(sourceOf(coverage).validators);
  const isCompared = header !== undefined || report.network === 'match';
  const found: readonly (readonly [FinalityException, boolean])[] = [
    ['ignored-defects', policy.onDefect === 'ignore'],
    ['accepted-claimed-set', policy.acceptClaimed && validators.kind === 'claimed'],
    ['accepted-unbound-id', policy.acceptUnbound],
    ['accepted-stale-start', staleStartOf(report) === 'accepted'],
    ['epoch-not-checked', validators.kind === 'proven' && !isCompared],
  ];
  const exceptions = found.flatMap(([name, holds]) => (holds ? [name] : []));
  return Object.freeze({
    kind: 'final',
    signatures: coverage.kind,
    validators,
    signedWeight: coverage.signedWeight,
    totalWeight: coverage.totalWeight,
    exceptions: Object.freeze(exceptions),
  });
}

/** From which block trust was walked to the set of a report; `undefined` for a set that was not proven. */
export function startOf({ coverage }: VerificationReport): BlockIdExt | undefined {
  const origin = originOf(sourceOf(coverage).validators);
  return origin && (ownMembers(origin).start ?? origin.keyBlock);
}

/**
 * Returns the block of a final report as a proven block.
 * @param report of `verifyBlock` or a verifier, the very object
 * @param header of `verifyHeader`, for the same block: needed where the report binds less than the whole id, as for
 * ordinary signatures that were judged without one
 * @returns with every named exception of the policy in its provenance: look there, or refuse blocks that have one. One
 * is `epoch-not-checked`: a proven set, and no header that shows the block to be of its epoch and network
 * @throws TrustError `trust/not-final`, also for a report of a walk or synchronisation whose start is past its time
 * and was not accepted; `trust/header` when the id is not bound as a whole, or the header is of another block;
 * `trust/wrong-network`, `trust/hardfork`, `trust/backwards`, `trust/not-next` when the header shows a block that the
 * set has no word in; UsageError for a report or header not made here
 */
export function blockOfReport(report: VerificationReport, header?: ProvenHeader): ProvenBlock {
  requireOwnReport(report);
  const { coverage, verdict, bound } = report;
  // What the report shows of its block can be written to, this cannot.
  const { blockId, validators } = sourceOf(coverage);
  requireMasterchainId(blockId, 'report');
  if (header !== undefined) requireHeaderOf(blockId, validators, header);
  const { status } = verdict;
  if (status !== 'final' || staleStartOf(report) === 'refused') {
    const { reason = status === 'final' ? 'stale-set' : status } = verdict as { readonly reason?: string }; // of undecided
    throw trustError('trust/not-final', `block ${blockId.seqno} is not final: ${reason}`, 'report');
  }
  if (header === undefined && bound.length < BLOCK_ID_FIELDS.length) {
    throw trustError(
      'trust/header',
      `the signatures bind ${bound.join(' and ')} only`,
      'header',
      'pass the header that verifyHeader gives',
    );
  }
  const time = present({ genUtime: header?.genUtime });
  const path: ProofStep[] = [{ by: 'signatures', block: blockId, ...time }];
  return makeProven({
    id: blockId,
    globalId: header?.globalId ?? validators.globalId,
    provenance: provenanceOf(report, header),
    start: startOf(report),
    path,
  });
}

/** Requires a header to be that of a block, and the block to be one that the set may sign. */
function requireHeaderOf(blockId: BlockIdExt, validators: ValidatorSet, header: ProvenHeader): void {
  if (!isProven(header)) throw badArgument('header', 'a header of verifyHeader, the very object', header);
  // A copy that nobody else holds: the bytes that the caller has can be written to.
  const own = resolveContext({ header }).header!.blockId!; // a header of our own has a block
  const field = differingField(own, blockId);
  if (field !== undefined) {
    throw trustError('trust/header', `the header is of another block than the signatures: ${field} differs`, 'header');
  }
  const origin = originOf(validators);
  if (origin !== undefined) requireSuccessor(origin, header, 'header');
  else requireSameNetwork(header.globalId, validators.globalId ?? header.globalId, 'header');
}

/**
 * Returns the block at the end of a walk as a proven block.
 * @throws TrustError `trust/unproven-block` for a walk that was not made here, `trust/not-final` when a clock says that the
 * signatures are no longer worth anything
 */
export function blockOfWalk(walk: BlockWalk): ProvenBlock {
  const end = endOf(walk);
  if (end === undefined) throw unproven('a walk', 'walk');
  const { pinned: tip, isStale, isAccepted } = end;
  const { tipHeader, reports, checkpoint } = walk;
  const last = reports.at(-1);
  if (reports.some(({ verdict }) => verdict.status !== 'final') || (isStale === true && !isAccepted)) {
    throw trustError(
      'trust/not-final',
      'validators on the way could have withdrawn their stakes',
      'walk',
      'start from a newer checkpoint',
    );
  }
  if (last === undefined) {
    const block = keyBlockOf(checkpoint, isStale === true); // one that was refused was thrown out above
    if (differingField(tip, block.id) === undefined) return block;
    const path: ProofStep[] = [...block.path, { by: 'back-link', block: tip }];
    return makeProven({ id: tip, globalId: undefined, provenance: block.provenance, path });
  }
  const signed = sourceOf(last.coverage).blockId;
  // A walk that ended with a back link has no header of its tip.
  const path: ProofStep[] = [{ by: 'signatures', block: signed, ...present({ genUtime: tipHeader?.genUtime }) }];
  if (differingField(signed, tip) !== undefined) path.push({ by: 'back-link', block: tip });
  return makeProven({
    id: tip,
    globalId: checkpoint.globalId,
    provenance: provenanceOf(last),
    start: startOf(last),
    path,
  });
}

/**
 * Returns the key block of a checkpoint as a proven block, for facts below it.
 * @throws TrustError for a checkpoint that its own proof does not bear out, `trust/stale-start` for one whose trust began with
 * a set
 * past its stakes, which nobody accepted; UsageError for what is none
 */
export function blockOfCheckpoint(checkpoint: Checkpoint): ProvenBlock {
  return keyBlockOf(checkpoint, false);
}

/** @param isAccepted a set past its stakes, found by a clock, was taken by name */
function keyBlockOf(checkpoint: Checkpoint, isAccepted: boolean): ProvenBlock {
  // Proves one that was put together by hand.
  const { keyBlock, anchor, globalId, genUtime, staleStart } = ownCheckpoint(checkpoint);
  if (staleStart === 'refused') {
    throw trustError(
      'trust/stale-start',
      `trust in key block ${keyBlock.seqno} began with validators that could have withdrawn their stakes`,
      'checkpoint',
      'start from a newer checkpoint',
    );
  }
  return makeProven({
    id: keyBlock,
    globalId,
    provenance: {
      kind: 'checkpoint',
      keyBlock,
      anchor,
      exceptions: Object.freeze(isAccepted || staleStart === 'accepted' ? (['accepted-stale-start'] as const) : []),
    },
    path: [{ by: 'checkpoint', block: keyBlock, genUtime }],
  });
}
