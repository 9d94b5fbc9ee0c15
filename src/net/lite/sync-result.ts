/** The result of a synchronisation: the newest proven block, the verdict, and warnings. */
import { SourceError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { registry } from '../../core/base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../../core/block/block-id.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import { type ProvenHeader, verifyHeader } from '../../core/chain/block-header.ts';
import { type Checkpoint, markedCheckpoint } from '../../core/chain/checkpoint.ts';
import { withMark, withWarnings } from '../../core/verify/own-report.ts';
import type { VerificationReport, Warning } from '../../core/verify/report.ts';
import type { SyncAction, SyncVerdict } from '../machine/sync.ts';
import { distinctWarnings, type WitnessReport, witnessWarnings } from '../sources/witness-report.ts';
import type { LiteServerClient } from './client.ts';
import { blockOf, type Climb, type TrustStart } from './climb.ts';
import type { Fleet } from './fleet.ts';
import type { SyncSettings } from './sync-options.ts';

/** The result of a synchronisation. */
export interface SyncResult {
  /**
   * The verdict. Its `status` is `final` if the block is proven, and a head is also fresh. Otherwise it is `undecided`, with
   * a `reason`:
   * - `stale-set`: the validators of the start can have withdrawn their stakes, and too few further servers name the
   *   block.
   * - `contradicted`: the start is as old as that, and a server names a different block.
   * - `too-few-witnesses`: fewer servers than `witnesses` name the same block.
   * - `stale-head`: all servers are behind, or the network does not advance.
   */
  readonly verdict: SyncVerdict;
  /**
   * The checkpoint to start from next time. After a stale start, its `staleStart` says whether the start was accepted.
   */
  readonly checkpoint: Checkpoint;
  readonly tip: BlockIdExt;
  readonly tipHeader: ProvenHeader;
  /** The signatures of the head, for a policy of your own; absent where there is no report. */
  readonly signatures?: SignatureList;
  /** The report of the head; absent where trust began at the head itself. */
  readonly report?: VerificationReport;
  readonly startIsStale: boolean;
  /** Seconds between the time of the head and the clock when the head was reached. */
  readonly headAgeSeconds: number;
  readonly witnesses: WitnessReport;
  /** Warnings, for example one with the code `contradicted`. The report has them too. */
  readonly warnings: readonly Warning[];
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
}

/**
 * The origin of a result that was made here: a copy of its block, the server that proved it, and the servers that
 * are out.
 */
export interface OwnHead {
  readonly tip: BlockIdExt;
  readonly prover?: LiteServerClient;
  readonly fleet: Fleet;
}

const ownHeads = registry<OwnHead>();

/** Returns the origin of a result; `undefined` for an object that was not made here. */
export function ownHeadOf(result: unknown): OwnHead | undefined {
  return ownHeads.own(result);
}

/** A block that is proven by its own signatures. */
export type Climbed = Pick<Climb, 'walk' | 'header' | 'report' | 'signatures'>;

/** How a run ended, and the block that it ended at. */
export interface Ended extends Pick<OwnHead, 'fleet' | 'prover'> {
  /** The block that trust began at. */
  readonly root: TrustStart;
  /** The last climb; absent where the run ended at its root. */
  readonly reached: Climbed | undefined;
  readonly sum: Pick<SyncResult, 'links' | 'answers' | 'bytes'>;
  readonly witnesses: WitnessReport;
}

/**
 * Makes the result. @param judged the machine's verdict @throws SourceError for a different block than the one that was
 * asked for
 */
export function syncResult(
  judged: Extract<SyncAction<unknown>, { how: 'judged' }>,
  { to, startWasStale }: Pick<SyncSettings, 'to' | 'startWasStale'>,
  { fleet, prover, root, reached, sum, witnesses }: Ended,
): SyncResult {
  const start = root as Checkpoint; // only a checkpoint has a header to end at
  const { tip, checkpoint } = reached?.walk ?? { tip: start.keyBlock, checkpoint: start };
  if (to !== undefined && tip.seqno !== to) {
    throw new SourceError('source/wrong-block', `asked for block ${to}, block ${tip.seqno} was proven`);
  }
  const { verdict, startIsStale, headAgeSeconds, isShown, mark } = judged;
  const warnings = Object.freeze(distinctWarnings(witnessWarnings(tip.seqno, witnesses)));
  const told = (one: VerificationReport) => {
    const marked = withMark(one, startIsStale ? mark : 'none');
    return warnings.length === 0 ? marked : withWarnings(marked, warnings);
  };
  // A pinned block stays pinned, however old.
  const isPinned =
    !startWasStale && checkpoint.staleStart === 'none' && checkpoint.keyBlock.seqno <= blockOf(root).seqno;
  const result: SyncResult = {
    verdict,
    checkpoint: startIsStale && !isPinned ? markedCheckpoint(checkpoint, mark) : checkpoint,
    tip,
    tipHeader: reached?.header ?? verifyHeader(start.configProof, start.keyBlock),
    ...sum,
    ...(reached === undefined || !isShown ? {} : { report: told(reached.report), signatures: reached.signatures }),
    startIsStale,
    headAgeSeconds,
    witnesses: Object.freeze(witnesses),
    warnings,
  };
  return ownHeads.make(result, { tip: copyBlockId(tip, 'tip'), fleet, ...present({ prover }) });
}
