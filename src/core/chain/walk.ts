/**
 * Verifies the answer of a lite server that leads from a trusted block to another one, link by link. `link.ts` verifies
 * each link, and this file the order: every link starts where the previous one ended, and the end is not older than the
 * start.
 */

import { badArgument, isObject } from '../base/arguments.ts';
import { present } from '../base/present.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import type { StaleStartMark, ValidatorSet } from '../validators/validator-set.ts';
import { withMark, withWarnings } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import { staleSet } from '../verify/warnings.ts';
import { headerFacts, type ProvenHeader, requireMasterchainId } from './block-header.ts';
import { type ForwardLink, parsePartialBlockProof } from './block-proof.ts';
import { type Checkpoint, checkpointOf, markedCheckpoint, type OwnCheckpoint, ownCheckpoint } from './checkpoint.ts';
import {
  checkBackLink,
  markAfter,
  openProof,
  readDestination,
  readLinkOptions,
  requireFinal,
  type StartOptions,
  sourceOfSet,
  staleBy,
} from './link.ts';
import { requireSameBlock, trustError } from './shared-checks.ts';
import { readTrustedConfig, type TrustedConfig, validatorsOf } from './trusted-config.ts';

/** The result of a walk. */
export interface BlockWalk {
  /**
   * The last proven block. With a clock in the options it is a recent head only if the last link was a forward one
   * (then there is a `tipHeader`) and the last report says `final`.
   */
  readonly tip: BlockIdExt;
  /** The header of `tip`, if the last link was a forward one. */
  readonly tipHeader?: ProvenHeader;
  /** The last key block whose configuration was also proven. For a tip that is a key block this is an earlier one. */
  readonly checkpoint: Checkpoint;
  /**
   * One report for each forward link, in order. With a clock the last one is judged by it; any report whose validator
   * set is expired has a `stale-set` warning.
   */
  readonly reports: readonly VerificationReport[];
  /**
   * With a clock in the options: whether the stakes of the validators at the start (of the checkpoint or of the first
   * forward link) were already free. An attacker with these old keys could have made the whole walk with a
   * recent-looking head, and no proof can show it. The walk reports this without failing. Continue from such a start
   * only if an independent source confirms the end, and then pass `acceptStaleStart`. `undefined` without a clock. A
   * checkpoint whose `staleStart` is 'refused' is such a start with any clock.
   */
  readonly startIsStale: boolean | undefined;
  /** The server's claim: false means that it stopped before the requested block. */
  readonly complete: boolean;
}

/** Options of a walk. */
export interface WalkOptions extends StartOptions {
  /** The requested block. Always pass it: an answer that ends at a different block is also valid. */
  readonly expect?: BlockIdExt;
}

/** The newest block trusted so far, and the key block whose validators sign the blocks after it. */
type NewestTrusted = ReturnType<typeof newestOf>;

function newestOf(header: Pick<ProvenHeader, 'seqno' | 'keyBlock' | 'prevKeyBlockSeqno'>) {
  const { seqno, keyBlock, prevKeyBlockSeqno } = header;
  return { seqno, keyBlockSeqno: keyBlock ? seqno : prevKeyBlockSeqno };
}

/** The start of a walk, in bytes that no other code holds. */
interface WalkStart {
  readonly pinned: BlockIdExt;
  readonly anchor: BlockIdExt;
  /** Where the first of the walks that led here began. */
  readonly start: BlockIdExt;
  readonly checkpoint: OwnCheckpoint | undefined;
  readonly newest: NewestTrusted;
  /** The expiry time of the validators at the start, if it is already known. */
  readonly first: Pick<ValidatorSet, 'utimeUntil'> | undefined;
  /**
   * Whether the start is already known to be stale, from an earlier walk with a clock or from the mark of the
   * checkpoint.
   */
  readonly isStale: boolean | undefined;
  /** Whether an earlier walk accepted this stale start. */
  readonly isAccepted: boolean;
}

/** The ends of the walks that were made here, with what is needed to continue. */
const ends = registry<WalkStart>();

/** The end of a walk that was made here; `undefined` for a copy or look-alike, which proves nothing. */
export function endOf(walk: BlockWalk): Pick<WalkStart, 'pinned' | 'isStale' | 'isAccepted'> | undefined {
  return ends.own(walk);
}

/**
 * Reads the start of a walk. A copy of a checkpoint is proven first; a walk has to be the original object.
 * @throws UsageError for a copy of a walk; TrustError for a checkpoint whose proof is invalid
 */
function startOf(trusted: Checkpoint | BlockIdExt | BlockWalk): WalkStart {
  if (isObject(trusted) && Object.hasOwn(trusted, 'tip')) {
    const end = ends.own(trusted);
    if (end !== undefined) return end;
    const hint = 'pass the object itself or its checkpoint, not a copy';
    throw badArgument('trusted', 'the walk that verifyBlockProof returned', trusted, hint);
  }
  const isCheckpoint = isObject(trusted) && Object.hasOwn(trusted, 'keyBlock');
  const checkpoint = isCheckpoint ? ownCheckpoint(trusted as Checkpoint) : undefined;
  const pinned = checkpoint?.keyBlock ?? copyBlockId(trusted as BlockIdExt, 'trusted'); // `copyBlockId` checks it
  return {
    pinned,
    anchor: checkpoint?.anchor ?? pinned,
    start: pinned,
    checkpoint,
    // A pinned id may or may not be a key block. Until its header is shown, only a key block's signatures can follow
    // it.
    newest: { seqno: pinned.seqno, keyBlockSeqno: pinned.seqno },
    first: checkpoint?.validators,
    isStale: checkpoint?.staleStart === 'refused' ? true : undefined,
    isAccepted: false,
  };
}

/**
 * Requires a forward link to lead past the newest trusted block, from the key block whose validators sign there. This
 * is stricter than the node: a back link can reach any older key block. Its keys may have leaked since, and could sign
 * a second history that does not contain the trusted block.
 */
function requireOnward(link: ForwardLink, newest: NewestTrusted, path: string): void {
  if (link.to.seqno <= newest.seqno) {
    const message = `block ${link.to.seqno} is not after block ${newest.seqno}, which is trusted`;
    throw trustError('trust/backwards', message, path);
  }
  if (link.from.seqno !== newest.keyBlockSeqno) {
    const rules = `key block ${newest.keyBlockSeqno} rules after block ${newest.seqno}`;
    throw trustError('trust/not-next', `${rules}, the link is from ${link.from.seqno}`, path);
  }
}

/** Verifies a link without the clock. If the validator set is expired by now, a warning says so next to the verdict. */
function tellStale(report: VerificationReport, { validators }: TrustedConfig, nowSeconds: number | undefined) {
  if (nowSeconds === undefined || report.warnings.some(({ code }) => code === 'stale-set')) return report;
  const late = staleSet(validators, present({ nowSeconds }));
  return late.length === 0 ? report : withWarnings(report, late);
}

/**
 * Verifies the answers of liteServer.getBlockProof, link by link, from a trusted block to a newer or older one.
 * @param trusted a checkpoint; an id that you pin, if the first forward link brings the configuration; or an earlier walk
 * @param proof the answer as it came over the wire
 * @param opts `expect`, the requested block, by default any; `nowSeconds` (Unix seconds) to check that the validator set is
 * recent, by default not checked; `acceptStaleStart`, by default false; `engine` for Ed25519
 * @returns the proven block (`tip`), the last proven key block, and a report for each forward link
 * @throws TrustError naming the broken rule and, in `path`, the link; DecodeError, ValidatorSetError; UsageError
 * `bad-option`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const walk = verifyBlockProof(readFileSync('vectors/examples/block-proof.tl'), checkpoint);
 * console.log(walk.tip.seqno); // 758
 * ```
 */
export function verifyBlockProof(
  proof: Uint8Array,
  trusted: Checkpoint | BlockIdExt | BlockWalk,
  opts: WalkOptions = {},
): BlockWalk {
  const { engine, nowSeconds, expect, acceptStaleStart } = readLinkOptions(opts, ['expect', 'acceptStaleStart']);
  const start = startOf(trusted);
  const { pinned, anchor } = start;
  const expected = expect === undefined ? undefined : copyBlockId(expect, 'expect');
  requireMasterchainId(pinned, 'trusted');
  const { from, to, links, complete } = parsePartialBlockProof(proof);
  const what = 'the proof does not start at the trusted block';
  const hint = `ask for a proof from the trusted block ${pinned.seqno}`;
  requireSameBlock(from, pinned, what, 'proof.from', 'trust/not-connected', hint);

  let reached = pinned;
  let latest: TrustedConfig | undefined;
  let tipHeader: ProvenHeader | undefined;
  let { first, newest } = start;
  // The clock judges the newest signatures: a back link after them leads to a block that they already cover.
  const head = links.map(({ kind }) => kind).lastIndexOf('forward');
  const reports: VerificationReport[] = [];
  for (const [index, link] of links.entries()) {
    const path = `proof.links[${index}]`;
    requireSameBlock(link.from, reached, 'the link does not start where the one before it ended', `${path}.from`);
    if (link.kind === 'back') {
      const header = checkBackLink(link, path);
      if (header.seqno === newest.seqno) newest = newestOf(header);
      tipHeader = undefined;
    } else {
      requireOnward(link, newest, path);
      requireMasterchainId(link.to, `${path}.to`);
      const proofPath = `${path}.config_proof`;
      latest = readTrustedConfig(openProof(link.configProof, proofPath), link.from, proofPath);
      const header = readDestination(link.destProof, link.to, link.toKeyBlock, `${path}.dest_proof`);
      const source = sourceOfSet(validatorsOf(latest, anchor, 'none', start.start));
      const clock = present({ engine, nowSeconds: index === head ? nowSeconds : undefined });
      const report = requireFinal(source, header, link.signatures, clock, path);
      first ??= latest.validators;
      tipHeader = headerFacts(header, link.to);
      newest = newestOf(tipHeader);
      reports.push(tellStale(report, latest, nowSeconds));
    }
    reached = link.to;
  }
  requireSameBlock(to, reached, 'the proof does not end where it says', 'proof.to');
  if (reached.seqno < pinned.seqno) {
    const message = `the proof ends at block ${reached.seqno}, trust is at ${pinned.seqno}`;
    throw trustError('trust/backwards', message, 'proof.to', 'this may be the replay of an old proof');
  }
  if (expected !== undefined) {
    requireSameBlock(reached, expected, `the proof ends at block ${reached.seqno}`, 'proof.to', 'trust/incomplete');
  }
  const startIsStale = start.isStale === true || first === undefined ? start.isStale : staleBy(first, nowSeconds);
  const isAccepted = acceptStaleStart === true || start.isAccepted;
  const mark = markAfter(start.checkpoint?.staleStart ?? 'none', startIsStale, isAccepted);
  const moved = newestCheckpoint(start, latest, mark);
  const checkpoint = isAccepted && moved.staleStart === 'refused' ? markedCheckpoint(moved, 'accepted') : moved;
  const walk: BlockWalk = {
    tip: copyBlockId(reached, 'tip'),
    ...present({ tipHeader }),
    checkpoint,
    reports: Object.freeze(reports.map((report) => withMark(report, mark))),
    startIsStale,
    complete,
  };
  return ends.make(walk, {
    pinned: reached,
    anchor,
    start: start.start,
    checkpoint: ownCheckpoint(checkpoint),
    newest,
    first: first?.utimeUntil === undefined ? undefined : { utimeUntil: first.utimeUntil },
    isStale: startIsStale,
    isAccepted,
  });
}

/** The newer of the start of the walk and what it proved. */
function newestCheckpoint(
  { checkpoint: start, anchor }: WalkStart,
  latest: TrustedConfig | undefined,
  mark: StaleStartMark,
) {
  if (latest !== undefined && (start === undefined || latest.id.seqno > start.keyBlock.seqno)) {
    return checkpointOf(latest, anchor, latest.id.seqno === anchor.seqno ? 'none' : mark); // a pinned block has no earlier start
  }
  if (start !== undefined) return start.checkpoint;
  throw trustError('trust/no-config', 'the proof shows no configuration', 'proof', 'ask for a proof to a newer block');
}
