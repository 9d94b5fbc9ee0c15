/** What a synchronisation ends with: the newest proven block, and what is to be known of it. */
import { SourceError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { registry } from '../../core/base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../../core/block/block-id.ts';
import type { SignatureList } from '../../core/block/signature-set.ts';
import { type ProvenHeader, verifyHeader } from '../../core/chain/block-header.ts';
import { type Checkpoint, markedCheckpoint } from '../../core/chain/checkpoint.ts';
import { withMark, withWarnings } from '../../core/verify/own-report.ts';
import type { VerificationReport, Warning } from '../../core/verify/report.ts';
import type { SyncAction, SyncVerdict } from '../machine/sync.ts';
import { distinctWarnings, type WitnessReport, warningsOf } from '../sources/witness-report.ts';
import type { LiteServerClient } from './client.ts';
import { blockOf, type Climb, type TrustStart } from './climb.ts';
import type { Fleet } from './fleet.ts';
import type { SyncSettings } from './sync-options.ts';

/** The result of a synchronisation. */
export interface SyncResult {
  /**
   * final: the block is proven, and the head among them fresh. stale-set: the start is older than its set's stakes, and too few
   * servers beside the first name the same block. contradicted: it is, and a server names another block. too-few-witnesses:
   * fewer servers than `witnesses` name the same block. stale-head: all servers are behind, or the network stands.
   */
  readonly verdict: SyncVerdict;
  /** Of a stale start, its `staleStart` says whether that was accepted. */
  readonly checkpoint: Checkpoint;
  readonly tip: BlockIdExt;
  readonly tipHeader: ProvenHeader;
  /** Those of the head, for a policy of your own; absent where there is no report. */
  readonly signatures?: SignatureList;
  /** That of the head; absent where the head is the very block that trust began at. */
  readonly report?: VerificationReport;
  readonly startIsStale: boolean;
  /** Seconds between the head and the clock when it was reached. */
  readonly headAgeSeconds: number;
  readonly witnesses: WitnessReport;
  /** What else is to be known, as in `contradicted: …`. They are among the report's as well. */
  readonly warnings: readonly Warning[];
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
}

/** What is known of a result that was made here: its block, in bytes that nobody else holds, who proved it, and who was put out. */
interface OwnHead {
  readonly tip: BlockIdExt;
  readonly prover?: LiteServerClient;
  readonly fleet: Fleet;
}

const ownHeads = registry<OwnHead>();

/** `undefined` for a result that was put together by hand. */
export function ownHeadOf(result: unknown): OwnHead | undefined {
  return ownHeads.own(result);
}

/** A block that is proven by its own signatures. */
export type Reached = Pick<Climb, 'walk' | 'header' | 'report' | 'signatures'>;

/** How a run ended, and what is known of the block where it did. */
export interface Ended extends Pick<OwnHead, 'fleet' | 'prover'> {
  /** Where trust began. */
  readonly root: TrustStart;
  /** Absent where it ended there too. */
  readonly reached: Reached | undefined;
  readonly sum: Pick<SyncResult, 'links' | 'answers' | 'bytes'>;
  readonly witnesses: WitnessReport;
}

/**
 * @param judged what the machine says of it
 * @throws SourceError for another block than the one that was asked for
 */
export function syncResult(
  judged: Extract<SyncAction<unknown>, { how: 'judged' }>,
  { to, startWasStale }: Pick<SyncSettings, 'to' | 'startWasStale'>,
  { fleet, prover, root, reached, sum, witnesses }: Ended,
): SyncResult {
  const start = root as Checkpoint; // of another start there is no head to end at
  const { tip, checkpoint } = reached?.walk ?? { tip: start.keyBlock, checkpoint: start };
  if (to !== undefined && tip.seqno !== to) {
    throw new SourceError('source/wrong-block', `asked for block ${to}, block ${tip.seqno} was proven`);
  }
  const { verdict, startIsStale, headAgeSeconds, isShown, mark } = judged;
  const warnings = Object.freeze(distinctWarnings(warningsOf(tip.seqno, witnesses)));
  const told = (one: VerificationReport) => {
    const marked = withMark(one, startIsStale ? mark : 'none');
    return warnings.length === 0 ? marked : withWarnings(marked, warnings);
  };
  // A block that was pinned stays one, however old.
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
