/**
 * Every new block over lite servers, proven: signatures every few seconds, the blocks between by the hashes that lead down to
 * them. No gap, no duplicate, through restarts and key blocks, at a tenth of the traffic of signatures for every block.
 */

import { requireInteger, requireOptions } from '../base/arguments.ts';
import { SourceError, UsageError } from '../base/errors.ts';
import {
  MAX_CLOCK_SKEW_SECONDS,
  MAX_FOLLOW_HOP,
  MAX_SEQNO,
  NO_NEWS_MS,
  RECONNECT_EARLY_CAP_MS,
  RETRY_BASE_MS,
  SIGN_EVERY_SECONDS,
  STALE_START_WITNESSES,
} from '../base/limits.ts';
import { present } from '../base/present.ts';
import type { Signal } from '../base/runtime-types.ts';
import { readParent } from '../chain/ancestor.ts';
import type { ProvenHeader } from '../chain/block-header.ts';
import { parsePartialBlockProof } from '../chain/block-proof.ts';
import { type Checkpoint, checkpointFromKeyBlock, markedCheckpoint, validatorSetAt } from '../chain/checkpoint.ts';
import { staleBy } from '../chain/link.ts';
import type { BlockIdExt } from '../decode/block-id.ts';
import type { Ed25519Engine } from '../ed25519/engine.ts';
import { sleep } from '../sources/timer.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import { withAcceptedStart } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { LiteServerClient } from './client.ts';
import { blockOf, type Climb, climb, type Leg, type TrustStart } from './climb.ts';
import { type Bottom, descend, TwoHistories } from './descent.ts';
import { Fleet } from './fleet.ts';
import { askHeads, clockError, newestFirst } from './heads.ts';
import { goOnFrom, type Target } from './sync.ts';
import { Way } from './way.ts';
import { askWitnesses, confront } from './witnesses.ts';

/** One block of the chain, final. */
export interface FollowedBlock {
  readonly header: ProvenHeader;
  /** signatures: its own were checked; descendant: a block after it is final, and leads to it hash by hash. */
  readonly provenBy: 'signatures' | 'descendant';
  /** That of this block, or of the one after it whose signatures were checked. */
  readonly report: VerificationReport;
  /** Where a later run can begin, with this block as `after`. */
  readonly checkpoint: Checkpoint;
}

/** Where a follower begins, how often signatures are checked, and what it tells. */
export interface FollowHeadOptions {
  /** The last block that was reported: the next one must follow it. Keep it, and the checkpoint, to go on later. */
  readonly after?: BlockIdExt;
  /** First seqno, above that of the checkpoint's key block. Default: the head at the start. */
  readonly from?: number;
  /** Seconds between blocks whose signatures are checked, and so the longest delay. Default 5; 0: as fast as they come. */
  readonly signEverySeconds?: number;
  /**
   * Go on from a set past its round and its stakes, at the start or after a long sleep, without two further servers that name
   * the same block. Every report that stands on it says so. Default false.
   */
  readonly acceptStaleStart?: boolean;
  /** Unix seconds; default this machine's clock. */
  readonly now?: () => number;
  readonly engine?: Ed25519Engine;
  /** Ends the iteration, without an error. */
  readonly signal?: Signal;
  /** Sees every failure that is tried again. */
  readonly onTrouble?: (error: SourceError) => void;
  /** Milliseconds of trouble without a new block after which its last error is thrown. Default 10 minutes. */
  readonly maxOutageMs?: number;
}

const KEYS = [
  'after',
  'from',
  'signEverySeconds',
  'acceptStaleStart',
  'now',
  'engine',
  'signal',
  'onTrouble',
  'maxOutageMs',
];
/** Shortest time between two looks at a head: a server may answer at once though it was told to wait. */
const NOTHING_NEW_MS = 400;
const DEFAULT_MAX_OUTAGE_MS = 10 * 60 * 1000;

/** The set that signs the first link of a climb. */
function setOf(base: TrustStart, { tl }: Leg): ValidatorSet {
  if ('keyBlock' in base) return validatorSetAt(base);
  const link = parsePartialBlockProof(tl).links.find(({ kind }) => kind === 'forward');
  if (link?.kind !== 'forward') throw new TypeError('a leg without a forward link');
  return validatorSetAt(checkpointFromKeyBlock(link.configProof, link.from));
}

/** @throws SourceError `source/clock` for a proven block that this machine's clock has not come to */
function requirePast({ seqno, genUtime }: ProvenHeader, nowSeconds: number): void {
  if (genUtime <= nowSeconds + MAX_CLOCK_SKEW_SECONDS) return;
  throw clockError(`block ${seqno} was made at ${genUtime}, this machine's clock says ${Math.round(nowSeconds)}`);
}

class Follower {
  readonly #fleet: Fleet;
  readonly #opts: FollowHeadOptions;
  readonly #signal: Signal;
  #trusted: TrustStart;
  /** That of the last signed block: a run that goes on from a block before the next key block begins here. */
  #checkpoint: Checkpoint;
  #bottom: Bottom | undefined;
  /** The answer that proves the last signed block. */
  #leg: Leg | undefined;
  #rulingKeyBlock: number;
  /** Trust has passed a set that was past its stakes, and was taken all the same. */
  #startIsStale = false;
  #way = new Way();

  constructor(servers: readonly LiteServerClient[], checkpoint: Checkpoint, opts: FollowHeadOptions, signal: Signal) {
    this.#fleet = new Fleet(servers);
    this.#opts = opts;
    this.#signal = signal;
    this.#trusted = checkpoint;
    this.#checkpoint = checkpoint;
    this.#rulingKeyBlock = checkpoint.keyBlock.seqno;
    const { after, from } = opts;
    if (after !== undefined) this.#bottom = { seqno: after.seqno, id: after };
    else if (from !== undefined) this.#bottom = { seqno: from - 1 };
  }

  get #link() {
    const { engine } = this.#opts;
    return { signal: this.#signal, ...present({ engine }) };
  }

  /** The newest block a server names, once there is one that was not reported. `undefined`: not yet. */
  async #newest(hasNewsSinceMs: number): Promise<Target | undefined> {
    const reported = this.#bottom?.seqno ?? 0;
    const [client] = this.#fleet.usable();
    const isSlow = performance.now() - hasNewsSinceMs > NO_NEWS_MS;
    if (client === undefined || isSlow || this.#bottom === undefined) {
      const { client: source, head } = newestFirst(await askHeads(this.#fleet, this.#signal))[0]!; // there is one
      return { client: source, block: head.last };
    }
    const question = { afterSeqno: reported + 1, signal: this.#signal, retries: 0 };
    const { claimed } = await this.#fleet.ask(client, (one) => one.masterchainInfo(question));
    return claimed.last.seqno > reported ? { client, block: claimed.last } : undefined;
  }

  /** The next block to be proven by its signatures: the newest, or one on the way where that is far. */
  async #nextTarget(newest: Target): Promise<Target> {
    const bottom = this.#bottom;
    if (bottom === undefined || newest.block.seqno - bottom.seqno <= MAX_FOLLOW_HOP) return newest;
    const [client = newest.client] = this.#fleet.usable();
    const seqno = bottom.seqno + MAX_FOLLOW_HOP;
    return { client, block: (await this.#fleet.ask(client, (one) => one.lookup(seqno, { signal: this.#signal }))).id };
  }

  /** Unix seconds. */
  get #nowSeconds(): number {
    return (this.#opts.now ?? (() => Date.now() / 1000))();
  }

  /** Compares with the other servers where trust begins, wherever it moves on to another set, and where old keys could lie. */
  async #compare({ walk, leg }: Climb, way: Way, nowSeconds: number, baseIsStale: boolean): Promise<void> {
    const isNewSet = walk.checkpoint.keyBlock.seqno !== this.#rulingKeyBlock;
    if (!isNewSet && this.#leg !== undefined && !baseIsStale) return;
    const compared = { tip: walk.tip, way, prover: leg.client };
    const { agreed } = await askWitnesses(this.#fleet, compared, { ...this.#link, baseIsStale, nowSeconds });
    if (!baseIsStale || this.#opts.acceptStaleStart === true || agreed.length >= STALE_START_WITNESSES) return;
    throw new UsageError('usage/bad-option', 'the checkpoint is older than the stakes of its validators', {
      path: 'checkpoint',
      hint: 'whoever has the old keys could have made all that follows: synchronise it first, give two more servers, or take it by name',
    });
  }

  /** Proves what is new. @returns the blocks to report, the oldest first; none while there is nothing new */
  async step(hasNewsSinceMs: number): Promise<readonly FollowedBlock[]> {
    const newest = await this.#newest(hasNewsSinceMs);
    const proven = Math.max(this.#bottom?.seqno ?? 0, blockOf(this.#trusted).seqno);
    if (newest === undefined || newest.block.seqno <= proven) return [];
    const target = await this.#nextTarget(newest);
    const base = this.#trusted;
    const nowSeconds = this.#nowSeconds; // as the climb begins: it may take long, and an old set is old from its first link on
    let first: Leg | undefined;
    let way = this.#way;
    const onStep = (step: Climb) => {
      first ??= step.leg;
      way = way.with(step.leg);
    };
    // No clock: whether a set is too old is asked of the one that the climb begins with, not of the one it ends with.
    const opts = { ...this.#link, namedBy: target.client, onStep };
    const done = await climb(this.#fleet, base, target.block, opts).catch((error: unknown) => {
      if (!this.#signal.aborted) this.#fleet.doubt(target.client, error); // it named a block that nobody can prove
      throw error;
    });
    this.#fleet.believe(target.client);
    const { walk, leg, header, report: judged } = done;
    requirePast(header, this.#nowSeconds);
    const baseIsStale = walk.startIsStale === true || staleBy(setOf(base, first ?? leg), nowSeconds) === true;
    await this.#compare(done, way, nowSeconds, baseIsStale);
    this.#startIsStale ||= baseIsStale;
    const report = this.#startIsStale ? withAcceptedStart(judged) : judged;
    const { parent } = readParent(done.destProof, walk.tip);
    const bottom = this.#bottom ?? { seqno: walk.tip.seqno - 1 };
    const between = await descend(this.#fleet, parent, bottom, { signal: this.#signal }).catch((error: unknown) =>
      this.#onTwoHistories(error),
    );
    const taken = (one: Checkpoint) =>
      this.#startIsStale && one.staleStart !== 'none' ? markedCheckpoint(one, 'accepted') : one;
    const checkpoint = taken(walk.checkpoint);
    const trusted = goOnFrom(walk);
    this.#trusted = 'keyBlock' in trusted ? checkpoint : trusted;
    this.#rulingKeyBlock = walk.checkpoint.keyBlock.seqno;
    this.#leg = leg;
    this.#way = way;
    this.#bottom = { seqno: walk.tip.seqno, id: walk.tip };
    const before = this.#checkpoint.staleStart === 'refused' ? taken(this.#checkpoint) : this.#checkpoint;
    this.#checkpoint = checkpoint;
    // Trust that has moved past a block is no place to go on from with that block as the last one.
    const placeAt = (seqno: number) => (seqno < checkpoint.keyBlock.seqno ? before : checkpoint);
    const signed: FollowedBlock = Object.freeze({
      header,
      provenBy: 'signatures',
      report,
      checkpoint: placeAt(walk.tip.seqno),
    });
    return [
      ...between.map(({ header: older, id }) =>
        Object.freeze({ header: older, provenBy: 'descendant' as const, report, checkpoint: placeAt(id.seqno) }),
      ),
      signed,
    ];
  }

  /** Looks for signatures of the block that the other history has in place of the last one reported: that is evidence. */
  async #onTwoHistories(error: unknown): Promise<never> {
    if (!(error instanceof TwoHistories) || this.#leg === undefined) throw error;
    for (const client of this.#fleet.kept())
      await confront(this.#fleet, client, { way: this.#way }, error.other, this.#link);
    throw error;
  }

  /** Whether another try can help. */
  mayTryAgain(error: SourceError): boolean {
    return error.code !== 'source/disagree' && error.code !== 'source/clock' && this.#fleet.kept().length > 0;
  }
}

/**
 * Reports every block, in order of seqno. The iteration ends when the signal fires or the consumer leaves its loop.
 * @param servers one or more; with several, one that fails or lies is passed over
 * @throws SourceError after `maxOutageMs` of trouble, or when no server is left; ForkError when two blocks of one number are
 * certified; UsageError for options, and for a checkpoint past its stakes that was not accepted
 */
export async function* followHead(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  opts: FollowHeadOptions = {},
): AsyncGenerator<FollowedBlock> {
  requireOptions(opts, KEYS);
  const { signEverySeconds = SIGN_EVERY_SECONDS, maxOutageMs = DEFAULT_MAX_OUTAGE_MS, after, from } = opts;
  const lowest = checkpoint.keyBlock.seqno + 1;
  if (from !== undefined) requireInteger(from, 'from', lowest, MAX_SEQNO);
  if (after !== undefined) requireInteger(after.seqno, 'after.seqno', lowest - 1, MAX_SEQNO);
  if (!(signEverySeconds >= 0)) {
    throw new UsageError('usage/bad-option', 'expected 0 or more seconds', { path: 'signEverySeconds' });
  }
  const signal = opts.signal ?? new AbortController().signal;
  const follower = new Follower(servers, checkpoint, opts, signal);
  let newsMs = performance.now();
  let failures = 0;
  while (!signal.aborted) {
    const startMs = performance.now();
    let pauseMs = signEverySeconds * 1000;
    try {
      const blocks = await follower.step(newsMs);
      failures = 0;
      if (blocks.length > 0) newsMs = performance.now();
      for (const block of blocks) yield block;
      // A key block's own set is shown by the block after it, and far behind the head there is no time to lose.
      const isKeyBlock = blocks.at(-1)?.header.keyBlock === true;
      if (blocks.length === 0) pauseMs = NOTHING_NEW_MS;
      else if (isKeyBlock || blocks.length >= MAX_FOLLOW_HOP) pauseMs = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof SourceError) || !follower.mayTryAgain(error)) throw error;
      if (performance.now() - newsMs > maxOutageMs) throw error;
      opts.onTrouble?.(error);
      pauseMs = Math.min(RECONNECT_EARLY_CAP_MS, RETRY_BASE_MS * 2 ** failures) * (0.5 + Math.random() / 2);
      failures += 1;
    }
    const leftMs = pauseMs - (performance.now() - startMs);
    if (leftMs > 0) await sleep(leftMs, signal).catch(() => {}); // the loop looks at the signal
  }
}
