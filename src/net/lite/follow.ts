/**
 * Every new block over lite servers, proven: signatures every few seconds, the blocks between by the hashes that lead down to
 * them. No gap, no duplicate, through restarts and key blocks, at a tenth of the traffic of signatures for every block.
 */

import { SourceError, TrustError } from '../../base/errors.ts';
import {
  MAX_CLOCK_SKEW_SECONDS,
  MAX_FOLLOW_HOP,
  QUESTION_DEADLINE_MS,
  RECONNECT_EARLY_CAP_MS,
  RETRY_BASE_MS,
  STALE_START_WITNESSES,
} from '../../base/limits.ts';
import { present } from '../../base/present.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { readParent } from '../../chain/ancestor.ts';
import type { ProvenHeader } from '../../chain/block-header.ts';
import { type Checkpoint, markedCheckpoint } from '../../chain/checkpoint.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../decode/block-id.ts';
import { withAcceptedStart, withWarnings } from '../../verify/own-report.ts';
import type { VerificationReport } from '../../verify/report.ts';
import { tell } from '../async/callbacks.ts';
import { onAbort } from '../async/on-abort.ts';
import { Tasks } from '../async/tasks.ts';
import { sleep } from '../async/timer.ts';
import { type StallReason, Voice } from '../follow/voice.ts';
import { agreementOf } from '../machine/agreement.ts';
import { highest, type Standings } from '../machine/heads.ts';
import { isA, lacksBlock } from '../machine/outcome.ts';
import { backoffMs, grownMs } from '../machine/pause.ts';
import { type RaceEvent, startRace, stepRace } from '../machine/proof-race.ts';
import { isFarBehind, stallCode } from '../machine/stall.ts';
import type { Target } from '../machine/targets.ts';
import { unsupportedBy } from '../machine/upgrade.ts';
import { noAgreement } from '../sources/attribution.ts';
import { type LiveWarning, warningsOf } from '../sources/witness-report.ts';
import type { LiteServerClient } from './client.ts';
import { blockOf, type Climb, climb, goOnFrom, isBaseStale, type TrustStart } from './climb.ts';
import { type Bottom, type Descent, descend, type OtherBlock, TwoHistories } from './descent.ts';
import { Fleet } from './fleet.ts';
import { type FollowHeadOptions, type FollowHeadSettings, readFollowHeadOptions } from './follow-options.ts';
import { HeadWatch } from './head-watch.ts';
import { clockError, requireClock, type ServerHead } from './heads.ts';
import { Way } from './way.ts';
import {
  askWitness,
  type Confronted,
  confront,
  joinReports,
  reportOf,
  type WitnessOptions,
  type WitnessReport,
} from './witnesses.ts';

/** One block of the chain. It is final where the verdict of its report is. */
export interface FollowedBlock {
  readonly header: ProvenHeader;
  /** signatures: its own were checked; descendant: a block after it was judged by them, and leads to it hash by hash. */
  readonly provenBy: 'signatures' | 'descendant';
  /** That of this block, or of the one after it whose signatures were checked. */
  readonly report: VerificationReport;
  /** Where a later run can begin, with this block as `after`. */
  readonly checkpoint: Checkpoint;
}

/** Shortest time between two looks at the heads, the longest while there is nothing new, and that for an answer near the head. */
const NOTHING_NEW_MS = 400;
const IDLE_CAP_MS = 1_000;
const NEAR_DEADLINE_MS = 3_000;
/** Deadline of a comparison at a key block. */
const COMPARE_DEADLINE_MS = 3_000;
/** Milliseconds for which new blocks wait for it, and then for the proofs of those that name another block. */
const COMPARE_WAIT_MS = 1_500;
const PROVE_OTHER_WAIT_MS = 2_250;
/** Blocks from which on a target is far: more than a round of validators, so that the way there takes several answers. */
const FAR_BLOCKS = 1 << 19;
/** Proofs in a row of a server's own head that are not ready, after which it is doubted. */
const NOT_READY_BEFORE_DOUBT = 3;
/** Failures in a row by which all servers answer in a form that is not known, after which no other try can help. */
const MAX_OLDER = 3;
/** Tries to have two servers agree where trust goes on from an old set. */
const STALE_TRIES = 3;

/** A climb that ended at a head, and the way that it took. */
interface Proven {
  readonly done: Climb;
  readonly way: Way;
}

/** A block that is proven, the way down from it, what servers say of their heads, and how old the base is by which clock. */
type Comparison = readonly [
  best: Proven,
  descent: Descent,
  heads: readonly ServerHead[],
  baseIsStale: boolean,
  nowSeconds: number,
];

/** What one server has to say in a comparison. */
interface Part {
  readonly client: LiteServerClient;
  readonly report: Promise<WitnessReport>;
  isOver: boolean;
  /** It named another block, and is asked to prove it. */
  namesAnother: boolean;
}

/** @throws SourceError `source/clock` for a proven block that this machine's clock has not come to */
function requirePast({ seqno, genUtime }: ProvenHeader, nowSeconds: number): void {
  if (genUtime <= nowSeconds + MAX_CLOCK_SKEW_SECONDS) return;
  throw clockError(`block ${seqno} was made at ${genUtime}, this machine's clock says ${Math.round(nowSeconds)}`);
}

class Follower {
  readonly #fleet: Fleet;
  readonly #opts: FollowHeadSettings;
  readonly #signal: Signal;
  readonly #heads: HeadWatch;
  /** The newest key block that was compared with all servers. Climbs begin here. */
  #base: TrustStart;
  #comparedKeyBlock = -1;
  /** That of the last signed block: a run that goes on from a block before the next key block begins here. */
  #checkpoint: Checkpoint;
  #bottom: Bottom | undefined;
  #way = new Way();
  #startIsStale: boolean;
  #turn = 0;
  #staleTries = 0;
  readonly #notReady = new Map<LiteServerClient, number>();
  /** What the last proof of each server came to, since one held. */
  readonly #unproven = new Map<LiteServerClient, SourceError>();
  #older = 0;
  /** The newest block that a server names. */
  #said = 0;
  /** Servers answered the last look; a proof held since the last failure. */
  #isAnswered = false;
  #isClimbing = false;
  #lastError: SourceError | undefined;
  /** Since when too few servers agree. */
  #fewSinceMs: number | undefined;
  readonly #told = new Set<string>();
  /** Called for each answer that holds. */
  onProof: () => void = () => {};

  constructor(servers: readonly LiteServerClient[], checkpoint: Checkpoint, opts: FollowHeadSettings, signal: Signal) {
    this.#fleet = new Fleet(servers, 'lasting');
    this.#opts = opts;
    this.#signal = signal;
    this.#heads = new HeadWatch(this.#fleet, signal, opts.now);
    this.#base = checkpoint;
    this.#checkpoint = checkpoint;
    this.#startIsStale = checkpoint.staleStart === 'accepted';
    const { after, from } = opts;
    if (after !== undefined) this.#bottom = { seqno: after.seqno, id: after };
    else if (from !== undefined) this.#bottom = { seqno: from - 1 };
  }

  get #link() {
    const { engine } = this.#opts;
    return { signal: this.#signal, ...present({ engine }) };
  }

  /** The newest block that is proven, or that the run before proved. */
  get #proven(): number {
    return Math.max(this.#bottom?.seqno ?? 0, blockOf(this.#base).seqno);
  }

  /** Why there is nothing to hand out. */
  get reason(): StallReason {
    const { head, said } = { head: this.#proven, said: this.#said };
    const areFew = this.#fewSinceMs !== undefined;
    const code = stallCode({ head, said, isAnswered: this.#isAnswered, isClimbing: this.#isClimbing, areFew });
    return { code, head, said, ...present({ error: this.#lastError }) };
  }

  /** Milliseconds for one answer near the head. */
  get #nearMs(): number {
    const everyMs = this.#opts.signEverySeconds * 1000;
    const ms = everyMs > 0 ? Math.min(everyMs, NEAR_DEADLINE_MS) : NEAR_DEADLINE_MS;
    return grownMs(ms, QUESTION_DEADLINE_MS, Math.min(this.failures, 4)); // where all are slow, slow answers are taken
  }

  /** Steps in a row that failed. */
  failures = 0;

  get #standings(): Standings<LiteServerClient> {
    const fleet = this.#fleet;
    return { usable: fleet.usable(), isKept: (one) => fleet.isKept(one), isDoubted: (one) => fleet.isDoubted(one) };
  }

  #warn(warning: LiveWarning): void {
    if (this.#told.has(warning.message)) return;
    this.#told.add(warning.message);
    tell('onWarning', this.#opts.onWarning, Object.freeze(warning));
  }

  /** Tells which servers have been put out since the last time. */
  tellWhoIsOut(): void {
    for (const client of this.#fleet.clients) {
      if (this.#fleet.isKept(client)) continue;
      const error = this.#fleet.lastErrorOf(client);
      const why = error instanceof Error ? error.message : client.name;
      this.#warn({ code: 'server-out', message: `a server is asked no more: ${why}`, servers: [client.name] });
    }
  }

  /** The next block to be proven by its signatures: the head, or one on the way where that is far. */
  async #targetOf({ server, block }: Target<LiteServerClient>, signal: Signal): Promise<BlockIdExt> {
    const bottom = this.#bottom;
    if (bottom === undefined || block.seqno - bottom.seqno <= MAX_FOLLOW_HOP) return block;
    const opts = { signal, deadlineMs: this.#nearMs, retries: 0 };
    return (await this.#fleet.ask(server, (one) => one.lookup(bottom.seqno + MAX_FOLLOW_HOP, opts))).id;
  }

  async #climbTo(head: Target<LiteServerClient>, signal: Signal): Promise<Proven> {
    const client = head.server;
    const block = await this.#targetOf(head, signal);
    const isFar = block.seqno - blockOf(this.#base).seqno > FAR_BLOCKS;
    let way = this.#way;
    const onStep = ({ leg }: Climb) => {
      way = way.with(leg);
      this.#isClimbing = true;
      this.onProof();
    };
    const near = isFar ? {} : { isAlone: true, deadlineMs: this.#nearMs };
    // No clock: whether a set is too old is asked of the one that the climb begins with, not of the one it ends with.
    const done = await climb(this.#fleet, this.#base, block, {
      ...this.#link,
      signal,
      namedBy: client,
      onStep,
      ...near,
    }).catch((error: unknown) => {
      if (!signal.aborted && error instanceof SourceError) this.#blame(client, error);
      throw error;
    });
    this.#unproven.clear();
    this.#older = 0;
    this.#notReady.delete(client);
    this.#fleet.believe(client);
    return { done, way };
  }

  /** It named a block and did not prove it. To be busy or slow is no fault; not to have its own head is, the third time. */
  #blame(client: LiteServerClient, error: SourceError): void {
    this.#unproven.set(client, error);
    if (!lacksBlock(error.code)) return;
    const times = (this.#notReady.get(client) ?? 0) + 1;
    this.#notReady.set(client, times);
    if (times >= NOT_READY_BEFORE_DOUBT) this.#fleet.doubt(client, error);
  }

  /**
   * Has the highest heads proven, each by the server that named it, and takes the highest that is.
   * @throws SourceError when none is
   */
  async #proveHighest(picked: readonly Target<LiteServerClient>[]): Promise<Proven> {
    const tasks = new Tasks<RaceEvent>(this.#signal);
    const proven = new Map<number, Proven>();
    const failures: SourceError[] = [];
    const prove = async (at: number, signal: Signal): Promise<RaceEvent> => {
      proven.set(at, await this.#climbTo(picked[at]!, signal)); // it is one of them
      return { kind: 'proven', at };
    };
    const failed = (at: number, error: SourceError): RaceEvent => {
      failures.push(error);
      return { kind: 'failed', at };
    };
    const woken = (ms: number, signal: Signal) => sleep(ms, signal).then((): RaceEvent => ({ kind: 'woken' }));
    let state = startRace(picked.map(({ block }) => block));
    let event: RaceEvent = { kind: 'begin' };
    try {
      for (;;) {
        const [after, actions] = stepRace(state, event);
        state = after;
        for (const action of actions) {
          if (action.kind === 'prove') {
            const { at } = action;
            tasks.begin(
              at,
              (signal) => prove(at, signal),
              (error) => failed(at, error),
            );
          } else if (action.kind === 'wake')
            tasks.begin(
              -1,
              (signal) => woken(action.ms, signal),
              () => undefined,
            );
          else if (action.best === undefined) throw failures[0];
          else return proven.get(action.best)!; // it was proven
        }
        event = await tasks.take();
      }
    } finally {
      tasks.close();
    }
  }

  /** Other servers, in turn: one, or as many as have to agree. */
  #nextWitnesses(prover: LiteServerClient): readonly LiteServerClient[] {
    const usable = this.#fleet.usable();
    const others = this.#fleet.clients.filter((client) => client !== prover && usable.includes(client));
    const first = others.length === 0 ? 0 : this.#turn++ % others.length;
    return [...others.slice(first), ...others.slice(0, first)].slice(0, Math.max(1, this.#opts.witnesses));
  }

  /** Servers whose last part in a comparison took too long to be waited for. */
  readonly #slow = new Set<LiteServerClient>();

  /** What a comparison that was not waited for came to in the end. */
  #late: { readonly error: unknown } | undefined;

  /** @throws what a comparison came to that was not waited for, such as a fork */
  #requireNothingLate(): void {
    if (this.#late !== undefined) throw this.#late.error;
  }

  /**
   * The comparison. Where trust stands already no server holds up a chain: one that answers slowly is not waited for the next time,
   * one that names another block has some time to prove it. What comes later is heard all the same, and ends the run before the
   * next block.
   */
  async #compareInTime(...args: Comparison): Promise<readonly string[]> {
    const [best, , , baseIsStale] = args;
    const mayBeLate = !baseIsStale && this.#comparedKeyBlock >= 0;
    const { parts: asked, keyBlock, atTip } = this.#parts(...args);
    const parts = [...asked];
    const waited = mayBeLate ? parts.filter(({ client }) => !this.#slow.has(client)) : parts;
    const timer = new AbortController();
    const forget = onAbort(this.#signal, () => timer.abort());
    const within = async (some: readonly Part[], ms: number) => {
      const over = Promise.all(some.map(({ report }) => report));
      await (mayBeLate ? Promise.race([over, sleep(ms, timer.signal)]) : over);
    };
    try {
      await within(waited, COMPARE_WAIT_MS);
      await within(
        waited.filter(({ isOver, namesAnother }) => !isOver && namesAnother),
        PROVE_OTHER_WAIT_MS,
      );
    } finally {
      forget();
      timer.abort();
    }
    await this.#untilAgreed(best, parts, atTip);
    for (const part of parts) if (!part.isOver) this.#hearLate(part, best.done.walk.tip);
    const reports = await Promise.all(parts.filter(({ isOver }) => isOver).map(({ report }) => report));
    const merged = joinReports(reports);
    this.#restContradicting(merged);
    const warnings = this.#warnOf(best.done.walk.tip, merged);
    if (baseIsStale) this.#requireAgreement(merged);
    this.#comparedKeyBlock = Math.max(this.#comparedKeyBlock, keyBlock);
    return warnings;
  }

  /**
   * Waits until as many servers as have to agree do so. Those that were not asked are asked where the others are too few.
   * @param parts those that are asked are put in
   * @throws SourceError while fewer do, TrustError when that takes too long
   */
  async #untilAgreed(best: Proven, parts: Part[], ask: (client: LiteServerClient) => Part): Promise<void> {
    const { witnesses } = this.#opts;
    const { walk, leg } = best.done;
    const reports = () => Promise.all(parts.filter(({ isOver }) => isOver).map(({ report }) => report));
    const isAgreed = async () => joinReports(await reports()).agreed.length >= witnesses;
    for (let isAsked = false; !(await isAgreed()); ) {
      const open = parts.filter(({ isOver }) => !isOver);
      if (open.length > 0) await Promise.race(open.map(({ report }) => report));
      else if (!isAsked) {
        isAsked = true;
        const others = this.#fleet
          .kept()
          .filter((one) => one !== leg.client && parts.every(({ client }) => client !== one));
        parts.push(...others.map(ask));
      } else {
        const merged = joinReports(await reports());
        this.#warnOf(walk.tip, merged);
        this.#fewSinceMs ??= performance.now();
        const { agreed, contradicts, silent, behind } = merged;
        const words = `too-few-witnesses: ${agreed.length} other servers name block ${walk.tip.seqno}, ${witnesses} have to`;
        const hint = 'give more servers, of operators that do not depend on each other';
        if (performance.now() - this.#fewSinceMs > this.#opts.maxOutageMs)
          throw new TrustError('trust/too-few-witnesses', words, { path: 'witnesses', hint });
        const statements = [...contradicts, ...silent, ...behind];
        throw new SourceError('source/not-ready', words, { statements, hint });
      }
    }
    this.#fewSinceMs = undefined;
  }

  /** A server that is not waited for, now and the next time, until it answers in time. */
  #hearLate({ client, report }: Part, tip: BlockIdExt): void {
    this.#slow.add(client);
    report.then(
      (late) => {
        this.#restContradicting(late);
        this.#warnOf(tip, late);
      },
      (error: unknown) => {
        if (!(error instanceof SourceError) || error.code === 'source/disagree') this.#late = { error };
      },
    );
  }

  /** Others are compared first, for a while: it had its say, and its time to prove it. */
  #restContradicting({ contradicts }: WitnessReport): void {
    const names = new Set(contradicts.map(({ source }) => source));
    for (const client of this.#fleet.clients) {
      if (names.has(client.name)) this.#fleet.rest(client, new SourceError('source/disagree', client.name));
    }
  }

  #warnOf(tip: BlockIdExt, report: WitnessReport): readonly string[] {
    const warnings = warningsOf(tip.seqno, report);
    for (const warning of warnings) this.#warn(warning);
    return warnings.map(({ message }) => message);
  }

  /**
   * Asks all other servers where trust begins, at each key block, and where old keys could lie; else one of them.
   * A server that is not as far is compared at the newest block that it has, if that is new.
   * Their reports reject with a ForkError where there is one.
   */
  #parts(...[best, descent, heads, baseIsStale, nowSeconds]: Comparison): {
    readonly parts: readonly Part[];
    readonly keyBlock: number;
    readonly atTip: (client: LiteServerClient) => Part;
  } {
    const { blocks: between, others } = descent;
    const base = this.#base;
    const { walk, leg } = best.done;
    const { tip, tipHeader, checkpoint } = walk;
    const keyBlock = tipHeader?.keyBlock === true ? tip.seqno : checkpoint.keyBlock.seqno;
    const isAll = baseIsStale || keyBlock > this.#comparedKeyBlock;
    const isWhole = baseIsStale || this.#comparedKeyBlock < 0;
    const mustAgree = this.#opts.witnesses > 0; // to be behind is not to agree
    const asked = isAll ? this.#fleet.kept().filter((one) => one !== leg.client) : this.#nextWitnesses(leg.client);
    const newestOf = new Map(heads.map(({ client, head }) => [client, head.last.seqno]));
    const isBehind = (client: LiteServerClient) => (newestOf.get(client) ?? tip.seqno) < tip.seqno;
    const opts = { ...this.#link, baseIsStale, nowSeconds };
    const deadlineMs = isWhole ? QUESTION_DEADLINE_MS : isAll ? COMPARE_DEADLINE_MS : this.#nearMs;
    const compared = { tip, way: best.way, prover: leg.client };
    const startMs = performance.now();

    const partOf = (client: LiteServerClient, ask: (onOther: () => void) => Promise<WitnessReport>): Part => {
      const part = { client, isOver: false, namesAnother: false };
      const report = ask(() => {
        part.namesAnother = true;
      }).finally(() => {
        part.isOver = true;
        if (performance.now() - startMs < COMPARE_WAIT_MS) this.#slow.delete(client);
      });
      report.catch(() => {}); // whoever waits for it is told
      return Object.assign(part, { report });
    };
    const confrontOther = async (other: OtherBlock, onOther: () => void) => {
      onOther();
      return reportOf(await this.#confront(other, best, base, opts));
    };
    const atTip = (client: LiteServerClient) =>
      partOf(client, (onOther) => askWitness(this.#fleet, client, compared, { ...opts, deadlineMs, onOther }));
    const below = (client: LiteServerClient) =>
      partOf(client, async (onOther) => {
        const ours = between.find(({ id }) => id.seqno === newestOf.get(client))?.id;
        if (ours === undefined) return joinReports([]);
        const question = { signal: this.#signal, deadlineMs, retries: 0 };
        const found = await this.#fleet
          .ask(client, (one) => one.lookup(ours.seqno, question))
          .catch((error: unknown) => {
            if (error instanceof SourceError && error.code !== 'source/aborted') return undefined;
            throw error;
          });
        if (found === undefined || differingField(found.id, ours) === undefined) return joinReports([]);
        return await confrontOther({ client, ours, other: found.id }, onOther);
      });
    const parts = [
      ...asked.map((client) => (isWhole || mustAgree || !isBehind(client) ? atTip(client) : below(client))),
      ...others.map((other) => partOf(other.client, (onOther) => confrontOther(other, onOther))),
    ];
    return { parts, keyBlock, atTip };
  }

  /** Asks a server to prove the block that it names in place of one of ours, which is proven by its own signatures for that. */
  async #confront(
    { client, ours, other }: OtherBlock,
    best: Proven,
    base: TrustStart,
    opts: WitnessOptions,
  ): Promise<Confronted> {
    const { leg } = best.done;
    let { way } = best;
    const onStep = (step: Climb) => {
      way = way.with(step.leg);
    };
    const more = { ...this.#link, namedBy: leg.client, isAlone: true, onStep };
    await climb(this.#fleet, base, ours, more).catch((error: unknown) => {
      if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
    });
    const confronted = await confront(this.#fleet, client, { way }, other, opts);
    return confronted;
  }

  /** Two histories by old keys cannot be told apart: other servers have to agree, and none may contradict. */
  #requireAgreement({ agreed, contradicts, forked, silent, behind }: WitnessReport): void {
    const { acceptStaleStart } = this.#opts;
    const said = { agreed: agreed.length, contradicts: contradicts.length, forked: forked.length };
    const agreement = agreementOf(said, { startIsStale: true, acceptStaleStart, witnesses: 0 });
    if (agreement === 'contradicted') {
      const against = acceptStaleStart ? forked : [...contradicts, ...forked];
      throw this.#tooOld(
        `contradicted: ${against.map(({ source }) => source).join(', ')} named another block`,
        'leave out the server that is wrong (--without SERVER), or pin a newer key block and begin there, without the state',
      );
    }
    if (agreement === 'enough') {
      this.#staleTries = 0;
      this.#warn({
        code: 'stale-set',
        message: acceptStaleStart
          ? 'stale-set: the validators that trust goes on from are past their stakes, and are taken all the same'
          : `stale-set: the validators that trust goes on from are past their stakes; ${agreed.join(', ')} agree`,
      });
      return;
    }
    this.#staleTries += 1;
    if (this.#staleTries < STALE_TRIES && agreed.length + silent.length + behind.length >= STALE_START_WITNESSES) {
      const statements = [...silent, ...behind];
      throw new SourceError(
        'source/not-ready',
        'the validators are past their stakes, and too few servers say anything',
        { statements },
      );
    }
    throw this.#tooOld(
      `stale-set: ${agreed.length} other servers agree, ${STALE_START_WITNESSES} have to`,
      'give more servers, of other operators; or pin a newer key block and begin there, without the state; or take it (--accept-stale-start)',
    );
  }

  /** Trust goes on from a set whose old keys an attacker may have. */
  #tooOld(why: string, hint: string): TrustError {
    const { seqno } = blockOf(this.#base);
    const words = `${why}; the validators of key block ${seqno}, which trust goes on from, are past their stakes`;
    return new TrustError('trust/stale-start', words, { path: 'checkpoint', hint });
  }

  /** Proves what is new. @returns the blocks to report, the oldest first; none while there is nothing new */
  async step(): Promise<readonly FollowedBlock[]> {
    const looking = this.#heads.look(this.#nearMs);
    this.#isAnswered = await looking.then(
      () => true,
      () => false,
    );
    const heads = await looking;
    this.#requireNothingLate();
    // What some say of the time, while others have not answered, ends nothing.
    if (heads.length === this.#fleet.kept().length) requireClock(heads);
    this.#said = Math.max(...heads.map(({ head }) => head.last.seqno));
    const proven = this.#proven;
    const named = heads.map(({ client, head }) => ({ server: client, block: head.last }));
    const picked = highest(this.#standings, named, proven);
    if (picked.length === 0) return [];
    const sinceSeconds = this.#opts.now();
    const best = await this.#proveHighest(picked);
    const { done, way } = best;
    const { walk, leg, header } = done;
    requirePast(header, this.#opts.now());
    // The machine may have slept while the proof was asked for: it is as old as its base is by now.
    const nowSeconds = Math.max(sinceSeconds, this.#opts.now());
    const baseIsStale = walk.startIsStale === true || isBaseStale(done.base, nowSeconds);
    const { parent } = readParent(done.destProof, walk.tip);
    const bottom = this.#bottom ?? { seqno: walk.tip.seqno - 1 };
    const servers = [
      leg.client,
      ...heads.filter(({ head }) => head.last.seqno >= parent.seqno).map(({ client }) => client),
    ];
    const opts = { signal: this.#signal, deadlineMs: this.#nearMs, retries: 0, servers };
    const descent = await descend(this.#fleet, parent, bottom, opts).catch((error: unknown) =>
      this.#onTwoHistories(error, baseIsStale),
    );
    const warnings = await this.#compareInTime(best, descent, heads, baseIsStale, nowSeconds);
    const between = descent.blocks;
    this.#requireNothingLate();
    this.#requireThrough([...between.map(({ id }) => id), walk.tip]);
    this.#startIsStale ||= baseIsStale;
    const told = warnings.length === 0 ? done.report : withWarnings(done.report, warnings);
    const report = this.#startIsStale ? withAcceptedStart(told) : told;
    // What stands on such a start says so, in the files that are made of it too.
    const marked = (one: Checkpoint) =>
      this.#startIsStale && one.staleStart !== 'none' ? markedCheckpoint(one, 'accepted') : one;
    const before = this.#checkpoint.staleStart === 'refused' ? marked(this.#checkpoint) : this.#checkpoint;
    const checkpoint = marked(walk.checkpoint);
    const base = goOnFrom(walk);
    this.#base = 'keyBlock' in base ? checkpoint : base;
    this.#way = way;
    this.#bottom = { seqno: walk.tip.seqno, id: walk.tip };
    this.#lastError = undefined;
    this.#isClimbing = false;
    this.#checkpoint = checkpoint;
    const block = (one: ProvenHeader, provenBy: FollowedBlock['provenBy']): FollowedBlock =>
      Object.freeze({
        header: one,
        provenBy,
        report,
        // Trust that has moved past a block is no place to go on from with that block as the last one.
        checkpoint: one.seqno < checkpoint.keyBlock.seqno ? before : checkpoint,
      });
    return [...between.map((one) => block(one.header, 'descendant')), block(header, 'signatures')];
  }

  /** @throws TrustError where the way leads over another block than the one that was pinned */
  #requireThrough(ids: readonly BlockIdExt[]): void {
    const { through } = this.#opts;
    const there = ids.find(({ seqno }) => seqno === through?.seqno);
    if (through === undefined || there === undefined || differingField(there, through) === undefined) return;
    const words = `the way leads over block ${formatBlockId(there)}, the one that is pinned is ${formatBlockId(through)}`;
    throw new TrustError('trust/anchor-hash', words, {
      path: 'through',
      hint: 'believe neither before you know which is right; to begin at the pinned one, remove the state',
    });
  }

  /** Looks for signatures of the block that the other history has in place of the last one reported: that is evidence. */
  async #onTwoHistories(error: unknown, baseIsStale: boolean): Promise<never> {
    if (!(error instanceof TwoHistories) || this.#way.hops.length === 0) throw error;
    const opts = { ...this.#link, baseIsStale, nowSeconds: this.#opts.now() };
    for (const client of this.#fleet.kept()) await confront(this.#fleet, client, { way: this.#way }, error.other, opts);
    throw error;
  }

  /** A failure as it is told: where most servers answer in a form that this program does not know, it says so. */
  asTold(error: SourceError): SourceError {
    const kept = this.#fleet.kept();
    const all = kept.map((client) => ({ source: client.name, ...present({ error: this.#unproven.get(client) }) }));
    const told = unsupportedBy(all);
    this.#older = told === 'all' ? this.#older + 1 : 0;
    if (told === 'few') return error;
    const said = all.filter((one) => 'error' in one);
    return noAgreement(`no lite server proves a block after ${this.#proven}`, said, kept.length - said.length);
  }

  /** What the run ends with. */
  whyOver(error: unknown): unknown {
    return this.#fleet.whyOver(error);
  }

  /** Whether another try can help. */
  mayTryAgain(error: SourceError): boolean {
    if (this.#older >= MAX_OLDER) return false;
    this.#lastError = error;
    this.#isClimbing = false;
    return !isA(error.code, 'ends-following') && this.#fleet.kept().length > 0;
  }
}

/**
 * Reports every block, in order of seqno. The iteration ends when the signal fires or the consumer leaves its loop.
 * @param servers one or more; with several, one that fails or lies is passed over
 * @throws SourceError when no block is proven for `maxOutageMs`, or when no server is left; ForkError when two blocks of one
 * number are certified; UsageError for options and for a callback that throws; TrustError `trust/stale-start` for validators past
 * their stakes, at the start or after a sleep, that were not accepted, where too few servers agree or one contradicts; `trust/too-few-witnesses` when fewer
 * servers agree than have to for `maxOutageMs`
 */
export async function* followHead(
  servers: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  opts: FollowHeadOptions = {},
): AsyncGenerator<FollowedBlock> {
  const settings = readFollowHeadOptions(servers, checkpoint, opts);
  const { signEverySeconds, maxOutageMs, onStall, onTrouble } = settings;
  const isStopped = () => opts.signal?.aborted === true;
  const voice = new Voice({ signal: opts.signal, onStall, maxOutageMs, reason: () => follower.reason });
  const { signal } = voice;
  const follower = new Follower(servers, checkpoint, settings, signal);
  follower.onProof = () => voice.proved();
  let isBehindTold = false;
  let idle = 0;
  try {
    voice.listen();
    while (!signal.aborted) {
      const startMs = performance.now();
      let pauseMs = signEverySeconds * 1000;
      try {
        const blocks = await follower.step();
        follower.failures = 0;
        follower.tellWhoIsOut();
        for (const block of blocks) {
          if (isStopped()) return;
          voice.hush();
          yield block;
        }
        // A key block's own set is shown by the block after it, and far behind the head there is no time to lose.
        const isKeyBlock = blocks.at(-1)?.header.keyBlock === true;
        if (blocks.length > 0) {
          idle = 0;
          voice.listen();
        } else {
          voice.requirePatience();
          pauseMs = grownMs(NOTHING_NEW_MS, IDLE_CAP_MS, idle, 1.3);
          idle += 1;
          const { said, head } = follower.reason;
          if (isFarBehind(said, head) && !isBehindTold) {
            isBehindTold = true;
            voice.say();
          }
        }
        if (isKeyBlock || blocks.length >= MAX_FOLLOW_HOP) pauseMs = 0;
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof SourceError)) throw error;
        const told = follower.asTold(error);
        if (!follower.mayTryAgain(told)) throw follower.whyOver(told);
        follower.tellWhoIsOut();
        voice.requirePatience(told);
        tell('onTrouble', onTrouble, told);
        pauseMs = backoffMs(RETRY_BASE_MS, RECONNECT_EARLY_CAP_MS, follower.failures, Math.random());
        follower.failures += 1;
      }
      const leftMs = pauseMs - (performance.now() - startMs);
      if (leftMs > 0) await sleep(leftMs, signal).catch(() => {}); // the loop looks at the signal
    }
    voice.requireNoFault();
  } finally {
    voice.close();
  }
}
