/** The ways to a proven masterchain block: the tip of a walk, the key block of a checkpoint. */
import { UsageError } from '../base/errors.ts';
import { type Checkpoint, validatorSetAt } from '../chain/checkpoint.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type BlockWalk, isOwnWalk } from '../chain/walk.ts';
import { differingField } from '../decode/block-id.ts';
import type { VerificationReport } from '../verify/report.ts';
import {
  type BlockProvenance,
  copyId,
  type FinalityException,
  makeProven,
  type ProofStep,
  type ProvenBlock,
} from './proven-block.ts';

/** What a report says of why a block is believed. */
export function provenanceOf(
  { coverage, validators, policy }: VerificationReport,
  more: readonly FinalityException[] = [],
): BlockProvenance {
  const exceptions: FinalityException[] = [
    ...(policy.onDefect === 'ignore' ? (['ignored-defects'] as const) : []),
    ...(policy.acceptClaimed ? (['accepted-claimed-set'] as const) : []),
    ...more,
  ];
  return Object.freeze({
    kind: 'final',
    signatures: coverage.kind,
    validators: validators.provenance,
    signedWeight: coverage.signedWeight,
    totalWeight: coverage.totalWeight,
    exceptions: Object.freeze(exceptions),
  });
}

function unproven(what: string): Error {
  return trustError('trust/unproven-block', `expected ${what} that was made here`, what);
}

/**
 * The block that a walk ended at.
 * @throws TrustError `trust/unproven-block` for a walk that was not made here, `trust/not-final` when a clock says that the
 * signatures are no longer worth anything
 */
export function provenTip(walk: BlockWalk): ProvenBlock {
  if (!isOwnWalk(walk)) throw unproven('walk');
  const { tip, tipHeader, reports, checkpoint, startIsStale } = walk;
  const last = reports.at(-1);
  if (reports.some(({ verdict }) => verdict.status !== 'final') || startIsStale) {
    throw trustError(
      'trust/not-final',
      'a validator set on the way is too old to vouch for a head',
      'walk',
      'start from a newer checkpoint, or walk without a clock when the block is no head',
    );
  }
  if (last === undefined) {
    const block = checkpointBlock(checkpoint);
    return differingField(tip, block.id) === undefined ? block : makeBack(block, tip);
  }
  const signed = copyId(last.coverage.blockId);
  const isTip = differingField(signed, tip) === undefined;
  const path: ProofStep[] = [
    { by: 'signatures', block: signed, ...(isTip && tipHeader !== undefined ? { genUtime: tipHeader.genUtime } : {}) },
    ...(isTip ? [] : [{ by: 'back-link' as const, block: copyId(tip) }]),
  ];
  return makeProven({ id: copyId(tip), globalId: checkpoint.globalId, provenance: provenanceOf(last), path });
}

function makeBack(from: ProvenBlock, tip: BlockWalk['tip']): ProvenBlock {
  const path: ProofStep[] = [...from.path, { by: 'back-link', block: copyId(tip) }];
  return makeProven({ id: copyId(tip), globalId: undefined, provenance: from.provenance, path });
}

/**
 * The key block of a checkpoint, for its own configuration and for what stands under it.
 * @throws TrustError for a checkpoint that its own proof does not bear out; UsageError for what is none
 */
export function checkpointBlock(checkpoint: Checkpoint): ProvenBlock {
  if (typeof checkpoint !== 'object' || checkpoint === null || !('keyBlock' in checkpoint)) {
    throw new UsageError('usage/bad-option', 'expected a checkpoint', { path: 'checkpoint' });
  }
  validatorSetAt(checkpoint); // proves one that was put together by hand
  const keyBlock = copyId(checkpoint.keyBlock);
  const { globalId, genUtime } = checkpoint;
  return makeProven({
    id: keyBlock,
    globalId,
    provenance: Object.freeze({ kind: 'checkpoint', keyBlock, anchor: copyId(checkpoint.anchor) }),
    path: [{ by: 'checkpoint', block: keyBlock, genUtime }],
  });
}
