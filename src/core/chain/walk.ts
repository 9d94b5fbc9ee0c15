/**
 * Walks the answer of a lite server from a trusted block to the block it leads to, link by link. What a link proves is
 * `link.ts`; here is the order: every link starts where the one before it ended, and trust ends no older than it began.
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
  type LinkOptions,
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
   * The last block proven. With a clock among the options it is a fresh head only if the last link was a forward one (then
   * there is a `tipHeader`) and the last report says `final`.
   */
  readonly tip: BlockIdExt;
  /** The header of `tip`, when the last link was a forward one. */
  readonly tipHeader?: ProvenHeader;
  /** The last key block whose configuration was proven too: a tip that is a key block is not yet one. */
  readonly checkpoint: Checkpoint;
  /**
   * One for each forward link, in order. With a clock the last one is judged by it; any whose set is past its time has a
   * `stale-set` warning.
   */
  readonly reports: readonly VerificationReport[];
  /**
   * With a clock among the options: whether the set that trust began with, that of the checkpoint or of the first forward
   * link, is past its round and its stakes. Whoever got hold of its old keys could have made the whole walk, its head
   * included, however fresh that looks; nothing in a proof can show otherwise. So the walk tells and does not refuse: go on
   * from such a start only if somebody else vouches for where it ended, and say so by `acceptStaleStart`. `undefined` without a
   * clock: nobody has asked. A checkpoint whose `staleStart` is refused is such a start by any clock.
   */
  readonly startIsStale: boolean | undefined;
  /** What the server says: false means that it stopped short of the block it was asked for. */
  readonly complete: boolean;
}

/** Options of a walk. */
export interface WalkOptions extends StartOptions {
  /** The block that was asked for. Give it: an answer that ends elsewhere is valid in itself. */
  readonly expect?: BlockIdExt;
}

/** The newest block trusted so far, and the key block whose set signs what comes after it. */
interface Newest {
  readonly seqno: number;
  readonly keyBlockSeqno: number;
}

function newestOf(header: Pick<ProvenHeader, 'seqno' | 'keyBlock' | 'prevKeyBlockSeqno'>): Newest {
  const { seqno, keyBlock, prevKeyBlockSeqno } = header;
  return { seqno, keyBlockSeqno: keyBlock ? seqno : prevKeyBlockSeqno };
}

/** Where trust stands, in bytes that nobody else holds. */
interface Start {
  readonly pinned: BlockIdExt;
  readonly anchor: BlockIdExt;
  /** Where the first of the walks that led here began. */
  readonly start: BlockIdExt;
  readonly checkpoint: OwnCheckpoint | undefined;
  readonly newest: Newest;
  /** The end of the time of the set that trust begins with, where that set is known already. */
  readonly first: Pick<ValidatorSet, 'utimeUntil'> | undefined;
  /** What is known of that set already: an earlier walk with a clock looked, or the checkpoint has a mark. */
  readonly isStale: boolean | undefined;
  /** An earlier walk took it by name. */
  readonly isAccepted: boolean;
}

/** Where each walk that was made here ended: what is needed to go on from it. */
const ends = registry<Start>();

/** Where a walk that was made here ended; `undefined` for one that was put together by hand, which proves nothing. */
export function endOf(walk: BlockWalk): Pick<Start, 'pinned' | 'isStale' | 'isAccepted'> | undefined {
  return ends.own(walk);
}

/**
 * A checkpoint that was put together by hand is proven first; a walk has to be the very object.
 * @throws UsageError for a walk that somebody else made; TrustError for such a checkpoint where its proof does not hold
 */
function startOf(trusted: Checkpoint | BlockIdExt | BlockWalk): Start {
  if (isObject(trusted) && Object.hasOwn(trusted, 'tip')) {
    const end = ends.own(trusted);
    if (end !== undefined) return end;
    throw badArgument(
      'trusted',
      'a walk of verifyBlockProof, the very object',
      trusted,
      'instead of a copy, take its checkpoint',
    );
  }
  const isCheckpoint = isObject(trusted) && Object.hasOwn(trusted, 'keyBlock');
  const checkpoint = isCheckpoint ? ownCheckpoint(trusted as Checkpoint) : undefined;
  const pinned = checkpoint?.keyBlock ?? copyBlockId(trusted as BlockIdExt, 'trusted'); // whatever it is, the copy looks
  return {
    pinned,
    anchor: checkpoint?.anchor ?? pinned,
    start: pinned,
    checkpoint,
    // A pinned id may be a key block or not; until its header is shown it can only be followed as a key block.
    newest: { seqno: pinned.seqno, keyBlockSeqno: pinned.seqno },
    first: checkpoint?.validators,
    isStale: checkpoint?.staleStart === 'refused' ? true : undefined,
    isAccepted: false,
  };
}

/**
 * A forward link leads past the newest trusted block, from the very key block that rules there. Stricter than the node: a
 * back link reaches any older key block, and its keys, long out of use and maybe leaked, could otherwise sign a second
 * history that passes by the trusted block.
 */
function requireOnward(link: ForwardLink, newest: Newest, path: string): void {
  if (link.to.seqno <= newest.seqno) {
    throw trustError(
      'trust/backwards',
      `block ${link.to.seqno} is not after block ${newest.seqno}, which is trusted`,
      path,
    );
  }
  if (link.from.seqno !== newest.keyBlockSeqno) {
    throw trustError(
      'trust/not-next',
      `key block ${newest.keyBlockSeqno} rules after block ${newest.seqno}, the link is from ${link.from.seqno}`,
      path,
    );
  }
}

/** A link on the way is judged without the clock: that its set is past its time by now is told beside the verdict. */
function tellStale(
  report: VerificationReport,
  { validators }: TrustedConfig,
  nowSeconds: number | undefined,
): VerificationReport {
  if (nowSeconds === undefined || report.warnings.some(({ code }) => code === 'stale-set')) return report;
  const late = staleSet(validators, present({ nowSeconds }));
  return late.length === 0 ? report : withWarnings(report, late);
}

/** Follows one forward link from a trusted block. */
function follow(
  link: ForwardLink,
  { anchor, start }: Start,
  opts: LinkOptions,
  path: string,
): { config: TrustedConfig; header: ProvenHeader; report: VerificationReport } {
  requireMasterchainId(link.to, `${path}.to`);
  const proofPath = `${path}.config_proof`;
  const config = readTrustedConfig(openProof(link.configProof, proofPath), link.from, proofPath);
  const header = readDestination(link.destProof, link.to, link.toKeyBlock, `${path}.dest_proof`);
  const report = requireFinal(
    sourceOfSet(validatorsOf(config, anchor, 'none', start)),
    header,
    link.signatures,
    opts,
    path,
  );
  return { config, header: headerFacts(header, link.to), report };
}

/**
 * Walks the answers of liteServer.getBlockProof, link by link. The walk starts at a checkpoint, at an id that the caller pins
 * (the first forward link then carries the configuration), or at the end of an earlier walk.
 * @param proof the answer as it came over the wire
 * @throws TrustError naming the rule that is broken and, in `path`, the link; DecodeError, ValidatorSetError; UsageError
 * `bad-option`
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
  requireSameBlock(
    from,
    pinned,
    'the proof does not start at the trusted block',
    'proof.from',
    'trust/not-connected',
    `ask for a proof from the trusted block ${pinned.seqno}`,
  );

  let reached = pinned;
  let latest: TrustedConfig | undefined;
  let tipHeader: ProvenHeader | undefined;
  let { first, newest } = start;
  // The clock judges the newest signatures: a back link after them leads to a block that they vouch for.
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
      const clock = index === head ? nowSeconds : undefined;
      const step = follow(link, start, present({ engine, nowSeconds: clock }), path);
      first ??= step.config.validators;
      latest = step.config;
      newest = newestOf(step.header);
      tipHeader = step.header;
      reports.push(tellStale(step.report, step.config, nowSeconds));
    }
    reached = link.to;
  }
  requireSameBlock(to, reached, 'the proof does not end where it says', 'proof.to');
  if (reached.seqno < pinned.seqno) {
    throw trustError(
      'trust/backwards',
      `the proof ends at block ${reached.seqno}, trust is at ${pinned.seqno}`,
      'proof.to',
      'this may be the replay of an old proof',
    );
  }
  if (expected !== undefined) {
    requireSameBlock(reached, expected, `the proof ends at block ${reached.seqno}`, 'proof.to', 'trust/incomplete');
  }
  const startIsStale = start.isStale === true || first === undefined ? start.isStale : staleBy(first, nowSeconds);
  const isAccepted = acceptStaleStart === true || start.isAccepted;
  const mark = markAfter(start.checkpoint?.staleStart ?? 'none', startIsStale, isAccepted);
  const moved = newestCheckpoint(start.checkpoint, latest, anchor, mark);
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
    pinned: copyBlockId(reached, 'tip'),
    anchor: copyBlockId(anchor, 'anchor'),
    start: start.start,
    checkpoint: ownCheckpoint(checkpoint),
    newest,
    first: first?.utimeUntil === undefined ? undefined : { utimeUntil: first.utimeUntil },
    isStale: startIsStale,
    isAccepted,
  });
}

/** The newer of where the walk began and what it proved. */
function newestCheckpoint(
  start: OwnCheckpoint | undefined,
  latest: TrustedConfig | undefined,
  anchor: BlockIdExt,
  mark: StaleStartMark,
): Checkpoint {
  if (latest !== undefined && (start === undefined || latest.id.seqno > start.keyBlock.seqno)) {
    return checkpointOf(latest, anchor, latest.id.seqno === anchor.seqno ? 'none' : mark); // nothing lies before a pinned block
  }
  if (start !== undefined) return start.checkpoint;
  throw trustError('trust/no-config', 'the proof shows no configuration', 'proof', 'ask for a proof to a newer block');
}
