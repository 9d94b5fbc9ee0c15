/** Makes proven masterchain blocks: from a report, the end of a walk, or the key block of a checkpoint. */
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
import { unproven } from './fact-checks.ts';
import {
  type BlockFacts,
  type FinalityException,
  factsBelow,
  makeProven,
  type ProofStep,
  type ProvenBlock,
} from './proven-block.ts';

/**
 * Returns why a report trusts its block, and the block where the walk to its validators began: `undefined` for a set that
 * was not proven.
 * @param header of the block, to be compared with the key block of the validators
 */
export function trustOf(report: VerificationReport, header?: ProvenHeader): Pick<BlockFacts, 'provenance' | 'start'> {
  const { coverage, policy } = report;
  const set = sourceOf(coverage).validators;
  const validators = ownProvenance(set);
  const isCompared = header !== undefined || report.network === 'match';
  const found: readonly (readonly [FinalityException, boolean])[] = [
    ['ignored-defects', policy.onDefect === 'ignore'],
    ['accepted-claimed-set', policy.acceptClaimed && validators.kind === 'claimed'],
    ['accepted-unbound-id', policy.acceptUnbound],
    ['accepted-stale-start', staleStartOf(report) === 'accepted'],
    ['epoch-not-checked', validators.kind === 'proven' && !isCompared],
  ];
  const exceptions = Object.freeze(found.flatMap(([name, holds]) => (holds ? [name] : [])));
  const { kind: signatures, signedWeight, totalWeight } = coverage;
  const why = { kind: 'final', signatures, validators, signedWeight, totalWeight, exceptions } as const;
  const origin = originOf(set);
  return { provenance: Object.freeze(why), start: origin && (ownMembers(origin).start ?? origin.keyBlock) };
}

/**
 * Returns the block of a final report as a proven block.
 * @param report the original object that `verifyBlock` or a verifier returned
 * @param header of the same block, that `verifyHeader` returned; required if the report covers only a part of the id,
 * as for ordinary signatures without a header
 * @returns the proven block. Its provenance lists every enabled exception: reject blocks that have one, or handle it.
 * `epoch-not-checked` means that the set is proven and no header shows the block's epoch and network.
 * @throws TrustError `trust/not-final`, also for a report whose start is stale and was not accepted; `trust/header`
 * when the id is not covered as a whole, or the header belongs to a different block; `trust/wrong-network`,
 * `trust/hardfork`, `trust/backwards`, `trust/not-next` when the header shows a block that the set may not sign;
 * UsageError for a report or header that was not made here
 * @example
 * ```ts
 * import { parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { blockOfReport } from 'ton-finality/facts';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const report = verifyBlock(signatures, parseValidatorSet(simplexSample.validators));
 * console.log(blockOfReport(report).id.seqno); // 59379986
 * ```
 */
export function blockOfReport(report: VerificationReport, header?: ProvenHeader): ProvenBlock {
  requireOwnReport(report);
  const { coverage, verdict, bound } = report;
  // A caller can write to the block id that the report shows, but not to this one.
  const { blockId, validators } = sourceOf(coverage);
  requireMasterchainId(blockId, 'report');
  if (header !== undefined) requireHeaderOf(blockId, validators, header);
  const { status } = verdict;
  if (status !== 'final' || staleStartOf(report) === 'refused') {
    const { reason = status === 'final' ? 'stale-set' : status } = verdict as { readonly reason?: string }; // the reason of undecided
    throw trustError('trust/not-final', `block ${blockId.seqno} is not final: ${reason}`, 'report');
  }
  if (header === undefined && bound.length < BLOCK_ID_FIELDS.length) {
    const hint = 'pass the header that verifyHeader gives';
    throw trustError('trust/header', `the signatures bind ${bound.join(' and ')} only`, 'header', hint);
  }
  const path: ProofStep[] = [{ by: 'signatures', block: blockId, ...present({ genUtime: header?.genUtime }) }];
  const globalId = header?.globalId ?? validators.globalId;
  return makeProven({ id: blockId, globalId, ...trustOf(report, header), path });
}

/** Requires a header to belong to a block that the validators may sign. */
function requireHeaderOf(blockId: BlockIdExt, validators: ValidatorSet, header: ProvenHeader): void {
  if (!isProven(header)) throw badArgument('header', 'the header that verifyHeader returned', header);
  // A copy that no other code holds: a caller can write to its own bytes.
  const own = resolveContext({ header }).header!.blockId!; // a header made here has a block
  const field = differingField(own, blockId);
  if (field !== undefined) {
    throw trustError('trust/header', `the header is of another block than the signatures: ${field} differs`, 'header');
  }
  const origin = originOf(validators);
  if (origin !== undefined) requireSuccessor(origin, header, 'header');
  else requireSameNetwork(header.globalId, validators.globalId, 'header');
}

/**
 * Returns the block at the end of a walk as a proven block.
 * @param walk the original object that `verifyBlockProof` returned
 * @returns the proven block
 * @throws TrustError `trust/unproven-block` for a walk that was not made here, `trust/not-final` when a clock shows
 * that the validators are expired
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const walk = verifyBlockProof(readFileSync('vectors/examples/block-proof.tl'), checkpoint);
 * console.log(blockOfWalk(walk).id.seqno); // 758
 * ```
 */
export function blockOfWalk(walk: BlockWalk): ProvenBlock {
  const end = endOf(walk);
  if (end === undefined) throw unproven('a walk', 'walk');
  const { pinned: tip, isStale, isAccepted } = end;
  const { tipHeader, reports, checkpoint } = walk;
  const last = reports.at(-1);
  if (reports.some(({ verdict }) => verdict.status !== 'final') || (isStale && !isAccepted)) {
    const hint = 'start from a newer checkpoint';
    throw trustError('trust/not-final', 'validators on the way could have withdrawn their stakes', 'walk', hint);
  }
  if (last === undefined) {
    const block = keyBlockOf(checkpoint, isStale === true); // a refused start has already thrown above
    const isTip = differingField(tip, block.id) === undefined;
    return makeProven(isTip ? block : { ...factsBelow(block, [{ by: 'back-link', block: tip }]), globalId: undefined });
  }
  const signed = sourceOf(last.coverage).blockId;
  // A walk that ended with a back link does not have the header of its tip.
  const path: ProofStep[] = [{ by: 'signatures', block: signed, ...present({ genUtime: tipHeader?.genUtime }) }];
  if (differingField(signed, tip) !== undefined) path.push({ by: 'back-link', block: tip });
  return makeProven({ id: tip, globalId: checkpoint.globalId, ...trustOf(last), path });
}

/**
 * Returns the key block of a checkpoint as a proven block, for facts below it.
 * @param checkpoint whose key block is returned
 * @returns the proven block
 * @throws TrustError for a checkpoint that its own proof contradicts, `trust/stale-start` for one whose trust began
 * with free stakes and was not accepted; UsageError for anything else
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { blockOfCheckpoint } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/key-block-173.json', 'utf8')));
 * console.log(blockOfCheckpoint(checkpoint).id.seqno); // 173
 * ```
 */
export function blockOfCheckpoint(checkpoint: Checkpoint): ProvenBlock {
  return makeProven(keyBlockOf(checkpoint, false));
}

/**
 * Makes the proven block of a checkpoint. @param isAccepted the caller accepted a start whose stakes a clock showed to
 * be free
 */
function keyBlockOf(checkpoint: Checkpoint, isAccepted: boolean): BlockFacts {
  // Proves a checkpoint that was not made here.
  const { keyBlock, anchor, globalId, genUtime, staleStart } = ownCheckpoint(checkpoint);
  if (staleStart === 'refused') {
    const message = `trust in key block ${keyBlock.seqno} began with validators that could have withdrawn their stakes`;
    throw trustError('trust/stale-start', message, 'checkpoint', 'start from a newer checkpoint');
  }
  const exceptions = isAccepted || staleStart === 'accepted' ? (['accepted-stale-start'] as const) : [];
  return {
    id: keyBlock,
    globalId,
    provenance: { kind: 'checkpoint', keyBlock, anchor, exceptions: Object.freeze(exceptions) },
    path: [{ by: 'checkpoint', block: keyBlock, genUtime }],
  };
}
