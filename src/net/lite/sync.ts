/**
 * From a pinned block to today's head, with no server believed: what is proven, how old it is, and what other servers say
 * of it. Interrupted anywhere, it goes on from the last key block that was proven.
 */

import {
  badArgument,
  isObject,
  requireInteger,
  requireList,
  requireOptions,
  requireSeconds,
} from '../../base/arguments.ts';
import { SourceError, type SourceStatement } from '../../base/errors.ts';
import {
  MAX_CLOCK_SKEW_SECONDS,
  MAX_HEAD_AGE_SECONDS,
  MAX_PROOF_LINKS,
  MAX_SEQNO,
  MAX_SHORT_ANSWERS,
  MAX_SYNC_ANSWERS,
  QUESTION_DEADLINE_MS,
  RETRY_BASE_MS,
} from '../../base/limits.ts';
import { requireNumber, requireSignal, requireType } from '../../base/option-values.ts';
import { present } from '../../base/present.ts';
import { privateMember } from '../../base/private-member.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { type ProvenHeader, provenHeader } from '../../chain/block-header.ts';
import { parsePartialBlockProof } from '../../chain/block-proof.ts';
import { type Checkpoint, markedCheckpoint, ownCheckpoint, validatorSetAt } from '../../chain/checkpoint.ts';
import { type KeyBlock, keyBlocksOf } from '../../chain/key-blocks.ts';
import { staleBy } from '../../chain/link.ts';
import type { BlockWalk } from '../../chain/walk.ts';
import { type BlockIdExt, copyBlockId, differingField, formatBlockId } from '../../decode/block-id.ts';
import type { SignatureSet } from '../../decode/signature-set.ts';
import { chooseOneOffEngine } from '../../ed25519/choose.ts';
import type { Ed25519Engine } from '../../ed25519/engine.ts';
import { withAcceptedStart, withStaleStart, withWarnings } from '../../verify/own-report.ts';
import type { VerificationReport } from '../../verify/report.ts';
import { onAbort } from '../async/on-abort.ts';
import { sleep } from '../async/timer.ts';
import { agreementOf } from '../machine/agreement.ts';
import { isA, lacksBlock } from '../machine/outcome.ts';
import { noAgreement } from '../sources/attribution.ts';
import type { LiteServerClient } from './client.ts';
import {
  baseOf,
  blockOf,
  type Climb,
  type ClimbOptions,
  climb,
  isBaseStale,
  type TrustStart,
  walkTowards,
} from './climb.ts';
import { Fleet, requireWitnesses } from './fleet.ts';
import { askHeads, clockError, newestFirst, requireClock, type ServerHead } from './heads.ts';
import { type Hop, hopsOf, parting, Way } from './way.ts';
import { askWitnesses, judgeParting, type WitnessOptions, type WitnessReport } from './witnesses.ts';

/** How far a synchronisation has come. Everything in it is proven. */
export interface SyncProgress {
  /** Where a later run can go on, together with `startIsStale`. */
  readonly checkpoint: Checkpoint;
  /** Those that the last answer led over, in order; the last one may be `tip`. */
  readonly keyBlocks: readonly KeyBlock[];
  /** What the signatures of these come to, in the same order, and those of `tip` where it is no key block. */
  readonly reports: readonly VerificationReport[];
  /** The newest block proven so far, and the one that is gone for. */
  readonly tip: BlockIdExt;
  readonly target: BlockIdExt;
  readonly startIsStale: boolean;
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
  /** The server that gave the last answer. */
  readonly source: string;
  /** That answer, TL: keep it for `resume`. */
  readonly answer: Uint8Array;
}

/** Where the walk ends, who must agree on its end, and what is told on the way. */
export interface SyncOptions {
  /** Unix seconds. Default: this machine's clock, read whenever it matters. */
  readonly now?: () => number;
  /** Seqno of a later block to go to, in place of the head; its age is then not judged. Above that of the start. */
  readonly to?: number;
  /** How many servers beside the one that gave the proof must name the same block, else it is undecided. Default: none must, all are asked. */
  readonly witnesses?: number;
  /** At least one witness, where `witnesses` names no number. Default false. */
  readonly strict?: boolean;
  /** Take a head for final though whoever has the old keys of the start could have made it. Default false. */
  readonly acceptStaleStart?: boolean;
  /** What an interrupted run said of its start, when this one goes on from its checkpoint. */
  readonly startWasStale?: boolean;
  /** Answers that an interrupted run from the same start was given (`SyncProgress.answer`), in order: they are proven again. */
  readonly resume?: readonly Uint8Array[];
  /** Seconds after which a head is stale. Default 60. */
  readonly maxHeadAgeSeconds?: number;
  /** Called after each answer that holds; waited for. What it throws is thrown. */
  readonly onProgress?: (progress: SyncProgress) => void | Promise<void>;
  readonly engine?: Ed25519Engine;
  readonly signal?: Signal;
}

/** Where a synchronisation ended. */
export interface SyncResult {
  /**
   * final: the block is proven, and the head among them fresh. stale-set: the start is older than its set's stakes, and too few
   * servers beside the first name the same block. contradicted: it is, and a server names another block. too-few-witnesses:
   * fewer servers than `witnesses` name the same block. stale-head: all servers are behind, or the network stands.
   */
  readonly verdict:
    | { readonly status: 'final' }
    | {
        readonly status: 'undecided';
        readonly reason: 'stale-set' | 'contradicted' | 'too-few-witnesses' | 'stale-head';
      };
  /** Of a stale start, its `staleStart` says whether that was accepted. */
  readonly checkpoint: Checkpoint;
  readonly tip: BlockIdExt;
  readonly tipHeader: ProvenHeader;
  /** Those of the head, for a policy of your own; absent where there is no report. */
  readonly signatures?: SignatureSet;
  /** That of the head; absent where the head is the very block that trust began at. */
  readonly report?: VerificationReport;
  readonly startIsStale: boolean;
  /** Seconds between the head and the clock when it was reached. */
  readonly headAgeSeconds: number;
  readonly witnesses: WitnessReport;
  /** What else is to be known, as in `contradicted: …`. They are among the report's as well. */
  readonly warnings: readonly string[];
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
}

/** Times that targets are chosen anew because none could be reached, or the one that was had become old. */
const MAX_ROUNDS = 4;

/** Milliseconds for one answer of a server that is asked alone for what it named. */
const NAMER_DEADLINE_MS = 3_000;

/** Milliseconds after which a second server is asked for the same proof. */
const GRACE_MS = 1_000;

const machineClock = () => Date.now() / 1000;

/** Totals over all climbs of a run. */
interface Sum {
  links: number;
  answers: number;
  bytes: number;
}

/** A block to go for, and who named it. */
export interface Target {
  readonly client: LiteServerClient;
  readonly block: BlockIdExt;
}

/** How a climb is tried with the server alone that named the target. */
interface ClimbAlone extends Pick<ClimbOptions, 'isAlone' | 'deadlineMs' | 'signal'> {
  /** Whether its answers are taken. */
  readonly isFree?: Promise<boolean>;
}

/** The newest block that is proven by its own signatures. */
type Reached = Pick<Climb, 'walk' | 'header' | 'signatures' | 'report'> & { readonly prover?: LiteServerClient };

/** Where trust stands after a climb: at the tip where that is a key block, else at the key block that rules there. */
export function goOnFrom(walk: BlockWalk): TrustStart {
  return walk.tipHeader?.keyBlock === true ? walk : walk.checkpoint;
}

async function pause(ms: number, signal: Signal | undefined): Promise<void> {
  await sleep(ms, signal).catch(() => {
    throw new SourceError('source/aborted', 'the synchronisation was stopped by the caller');
  });
}

/** What is known of a result that was made here: its block, in bytes that nobody else holds, who proved it, and who was put out. */
interface OwnHead {
  readonly tip: BlockIdExt;
  readonly prover?: LiteServerClient;
  readonly fleet: Fleet;
}

const ownHeads = privateMember<OwnHead>();

/** `undefined` for a result that was put together by hand. */
export function ownHeadOf(result: unknown): OwnHead | undefined {
  return ownHeads.get(result);
}

/** What is to be known of a comparison beside the verdict. */
export function warningsOf({ seqno }: BlockIdExt, { contradicts, forked }: WitnessReport): readonly string[] {
  const names = (list: readonly SourceStatement[]) => list.map(({ source }) => source).join(', ');
  return [
    ...(contradicts.length === 0
      ? []
      : [`contradicted: ${names(contradicts)} named another block ${seqno}, and gave no proof of it`]),
    ...(forked.length === 0
      ? []
      : [`old-keys: ${names(forked)} proved another history, by validators whose stakes are free again`]),
  ];
}

class Sync {
  readonly #fleet: Fleet;
  readonly #opts: SyncOptions;
  readonly #now: () => number;
  readonly #sum: Sum = { links: 0, answers: 0, bytes: 0 };
  /** Where climbs begin again if what came after it leads nowhere. */
  readonly #base: TrustStart;
  #trusted: TrustStart;
  #way = new Way();
  /** Ways that were left because no server led on from their end. They are proven all the same. */
  readonly #strays: (readonly Hop[])[] = [];
  #startIsStale: boolean;
  /** Where the climbs of this run began. */
  readonly #bases = new Set<Checkpoint | undefined>();
  /** What servers said last of the head and the time. */
  #heads: readonly ServerHead[] = [];
  #reached: Reached | undefined;
  /** Whether `#reached` is a block that was gone for, and not one on the way to it. */
  #hasArrived = false;
  /** Those that did not lead by themselves to what they named. */
  readonly #failedAlone = new Set<LiteServerClient>();

  constructor(fleet: Fleet, from: TrustStart, opts: SyncOptions) {
    this.#fleet = fleet;
    this.#opts = opts;
    this.#now = opts.now ?? machineClock;
    this.#base = from;
    this.#trusted = from;
    const isMarked = 'keyBlock' in from && from.staleStart === 'refused';
    this.#startIsStale = opts.startWasStale === true || isMarked;
  }

  async run(): Promise<SyncResult> {
    this.#resume();
    for (let round = 1; ; round++) {
      const failed = await this.#climb();
      if (failed === undefined) {
        // A long way: by now there are newer blocks, and a head has to be fresh when it is told.
        if (round < MAX_ROUNDS && this.#age(this.#reached!.header) > this.#maxAge / 2) continue;
        return await this.#judge();
      }
      if ('client' in failed) return await this.#atHead(failed);
      if (round >= MAX_ROUNDS || this.#fleet.kept().length === 0) {
        if (this.#hasArrived) return await this.#judge();
        throw failed;
      }
      if (round === MAX_ROUNDS - 1) this.#beginAgain();
      await pause(RETRY_BASE_MS * round, this.#opts.signal);
    }
  }

  /** Proves what an interrupted run had proven. */
  #resume(): void {
    const { resume = [], engine } = this.#opts;
    for (const tl of resume) {
      const claimed = parsePartialBlockProof(tl);
      const opts = { nowSeconds: this.#now(), ...present({ engine }) };
      const from = this.#trusted;
      const { isThere: _, ...step } = walkTowards(from, { tl, claimed }, claimed.to, opts);
      if (this.#reached === undefined) this.#bases.add(baseOf(from, claimed));
      this.#way = this.#way.with({ client: { name: 'an earlier run' }, tl });
      this.#startIsStale ||= step.walk.startIsStale === true;
      this.#trusted = step.walk;
      this.#reached = step;
    }
    if (this.#reached !== undefined) this.#trusted = goOnFrom(this.#reached.walk);
  }

  /**
   * Goes back to where trust began, if it has moved on: a server may have led astray, and not mean to go on.
   * @returns whether there is another way to try
   */
  #beginAgain(): boolean {
    const prover = this.#reached?.prover;
    const isTried = this.#way.hops.length === 0 || this.#strays.length > this.#fleet.clients.length;
    if (this.#hasArrived || isTried) return false;
    if (prover !== undefined) {
      const words = `${prover.name}: no server leads on from its proof`;
      this.#fleet.doubt(prover, new SourceError('source/other-chain', words));
    }
    this.#strays.push(this.#way.hops);
    this.#way = new Way();
    this.#trusted = this.#base;
    this.#reached = undefined;
    return true;
  }

  /**
   * Goes for the newest block that a server can prove.
   * @returns `undefined` once there; the target that is no newer than what is proven; or why no server leads on
   */
  async #climb(): Promise<Target | SourceError | undefined> {
    let failed: SourceError | undefined;
    const { to } = this.#opts;
    const targets: Target[] = [];
    if (to === undefined) {
      targets.push(...(await this.#newestHeads()));
      const end = await this.#tryNamers(targets);
      if (end !== undefined) return end === 'there' ? undefined : end;
    } else {
      for await (const target of this.#named(to)) {
        targets.push(target);
        if (to <= this.#newest.seqno) break;
        if ((await this.#tryNamer(target)) === undefined) return undefined;
      }
    }
    for (const target of targets) {
      if (target.block.seqno <= this.#newest.seqno) {
        if (this.#reached !== undefined) return target;
        const isOther = this.#isOtherStart(target);
        if (isOther === undefined) return target;
        failed ??= isOther;
        continue;
      }
      const error = await this.#tryClimb(target);
      if (error === undefined) return undefined;
      this.#fleet.doubt(target.client, error); // it named a block that nobody can prove
      failed = error;
    }
    return failed ?? noAgreement('no lite server names a block to go to', this.#fleet.statements());
  }

  get #newest(): BlockIdExt {
    return this.#reached?.walk.tip ?? blockOf(this.#trusted);
  }

  /** Whether what is proven is new enough to end at, though servers name newer blocks. */
  get #isFresh(): boolean {
    const { header } = this.#reached ?? {};
    if (header !== undefined) return this.#age(header) <= this.#maxAge;
    return 'keyBlock' in this.#trusted && this.#now() - this.#trusted.genUtime <= this.#maxAge;
  }

  /**
   * First each server is asked for the block that it names itself, and not for long: of those that name blocks which nobody
   * can prove each would else cost two deadlines. Two are asked at the same time; the proof of the older block is taken only
   * where there is none of the newer one.
   * @param targets the newest first
   * @returns `there`; the target that is no newer than what is proven; nothing where more time may help
   */
  async #tryNamers(targets: readonly Target[]): Promise<'there' | Target | undefined> {
    for (let at = 0; at < targets.length; ) {
      const [one, other] = [targets[at]!, targets[at + 1]]; // in range
      if (one.block.seqno <= this.#newest.seqno) {
        const isEnd = this.#reached !== undefined || this.#isOtherStart(one) === undefined;
        return isEnd && this.#isFresh ? one : undefined;
      }
      const from = this.#trusted;
      const stop = new AbortController();
      const forget = this.#opts.signal === undefined ? () => {} : onAbort(this.#opts.signal, () => stop.abort());
      const first = this.#tryNamer(one, stop.signal);
      const isFree = first.then(
        (error) => error !== undefined && this.#trusted === from,
        () => false,
      );
      let second: Promise<unknown> | undefined;
      if (other !== undefined && other.block.seqno > this.#newest.seqno) {
        // The same proof a second time only where the first is late, or is none.
        const isSame = differingField(one.block, other.block) === undefined;
        const turn = isSame ? Promise.race([first, sleep(GRACE_MS, stop.signal).then(() => 'late')]) : 'at once';
        const ask = (due: unknown) => (due === undefined ? undefined : this.#tryNamer(other, stop.signal, isFree));
        second = Promise.resolve(turn).then(ask);
      }
      second?.catch(() => {}); // it is waited for below, unless the first one is there, or fails the run
      try {
        if ((await first) === undefined) return 'there';
        at += 1;
        if (second === undefined || this.#trusted !== from) continue; // from another start it is another question
        if ((await second) === undefined) return 'there';
        at += 1;
      } finally {
        forget();
        stop.abort();
      }
    }
    return undefined;
  }

  /** @returns why the server that names a block does not lead there by itself; `undefined` once there */
  async #tryNamer(target: Target, signal = this.#opts.signal, isFree?: Promise<boolean>): Promise<unknown> {
    try {
      await this.#climbTo(target, { isAlone: true, deadlineMs: NAMER_DEADLINE_MS, ...present({ signal, isFree }) });
      this.#hasArrived = true;
      return undefined;
    } catch (error) {
      if (!(error instanceof SourceError) || this.#opts.signal?.aborted) throw error;
      const isOfServer = error.code === 'source/aborted' || error === this.#fleet.lastErrorOf(target.client);
      if (isA(error.code, 'final') && !isOfServer) throw error;
      this.#failedAlone.add(target.client);
      return error;
    }
  }

  /** Why a head that is no newer than the start is none to end at; `undefined` where it is the very start, with its proof. */
  #isOtherStart({ client, block }: Target): SourceError | undefined {
    const known = blockOf(this.#trusted);
    if (block.seqno < known.seqno || !('keyBlock' in this.#trusted) || known.seqno === 0) {
      const message = `${client.name}: the servers' newest block is ${block.seqno}, trust stands at ${known.seqno}`;
      return new SourceError('source/not-ready', message, {
        hint: 'wait for a newer block, or ask other servers: these are behind',
      });
    }
    if (differingField(block, known) === undefined) return undefined;
    return new SourceError('source/other-chain', `${client.name}: its block ${known.seqno} is not the trusted one`, {
      endpoint: client.name,
      hint: 'the server is on another chain, or the checkpoint is',
    });
  }

  /** @returns why no server leads to a target; `undefined` once there */
  async #tryClimb(target: Target): Promise<SourceError | undefined> {
    for (;;) {
      try {
        await this.#climbTo(target);
        this.#hasArrived = true;
        return undefined;
      } catch (error) {
        if (!(error instanceof SourceError) || isA(error.code, 'final')) throw error;
        const said = error.statements.find(({ source }) => source === target.client.name)?.error;
        const isUnknown = said instanceof SourceError && lacksBlock(said.code);
        const isItsOwnWay = this.#reached?.prover === target.client;
        // Who named the target does not know the block that another server led to: it is on another way.
        if (!isUnknown || isItsOwnWay || !this.#beginAgain()) return error;
      }
    }
  }

  /** Heads that servers name, the newest first. Those that were named in vain come last: the same one would be tried first each time. */
  async #newestHeads(): Promise<readonly Target[]> {
    const heads = await askHeads(this.#fleet, this.#opts.signal, this.#now);
    this.#heads = heads;
    const targets = newestFirst(heads).map(({ client, head }) => ({ client, block: head.last }));
    const isDoubted = ({ client }: Target) => this.#fleet.isDoubted(client) || this.#failedAlone.has(client);
    return [...targets.filter((one) => !isDoubted(one)), ...targets.filter(isDoubted)];
  }

  /** Blocks that servers name under a number, as the answers come in. */
  async *#named(to: number): AsyncGenerator<Target> {
    const { signal } = this.#opts;
    const stop = new AbortController();
    const cancel = () => stop.abort();
    const forget = signal === undefined ? () => {} : onAbort(signal, cancel);
    const opts = { serverMayWait: true, deadlineMs: QUESTION_DEADLINE_MS, signal: stop.signal };
    const asked = new Map(
      this.#fleet.usable().map((client) => [
        client,
        this.#fleet
          .ask(client, (one) => one.lookup(to, opts))
          .then(
            ({ id }) => ({ client, block: id }),
            (error: unknown) => ({ client, error }),
          ),
      ]),
    );
    let isNamed = false;
    try {
      while (asked.size > 0) {
        const answer = await Promise.race(asked.values());
        asked.delete(answer.client);
        if ('block' in answer) {
          isNamed = true;
          yield answer;
        } else if (!(answer.error instanceof SourceError) || signal?.aborted === true) throw answer.error;
      }
    } finally {
      cancel(); // one of them has led there: the others are of no use
      forget();
    }
    if (!isNamed) throw noAgreement(`no lite server has block ${to}`, this.#fleet.statements());
  }

  get #maxAge(): number {
    if (this.#opts.to !== undefined) return Number.POSITIVE_INFINITY;
    return this.#opts.maxHeadAgeSeconds ?? MAX_HEAD_AGE_SECONDS;
  }

  #age({ genUtime }: ProvenHeader): number {
    return Math.max(0, this.#now() - genUtime);
  }

  /**
   * By which clock sets are too old, for the bases of this run and for what servers prove: the machine may have slept since the run
   * began, and an attacker who has got old keys by now could have made what came then.
   */
  #comparing(): WitnessOptions {
    const { signal, engine } = this.#opts;
    const nowSeconds = this.#now();
    this.#startIsStale ||= [...this.#bases].some((base) => isBaseStale(base, nowSeconds));
    return { nowSeconds, baseIsStale: this.#startIsStale, ...present({ signal, engine }) };
  }

  async #climbTo({ client, block: target }: Target, how: ClimbAlone = {}): Promise<void> {
    const { engine, onProgress } = this.#opts;
    const { isFree, signal = this.#opts.signal, ...alone } = how;
    const before = { ...this.#sum };
    let shortAnswers = 0;
    const onStep = async ({ walk, header, report, signatures, base, leg, links, answers, bytes }: Climb) => {
      if (isFree !== undefined && !(await isFree)) throw new SourceError('source/aborted', 'another server leads');
      this.#bases.add(base);
      this.#startIsStale ||= walk.startIsStale === true || isBaseStale(base, this.#now());
      const parted = parting(this.#way.hops, hopsOf(leg.tl, leg.client.name));
      if (parted !== undefined) this.#strays.push(this.#way.hops);
      this.#way = this.#way.with(leg);
      this.#trusted = goOnFrom(walk);
      this.#reached = { walk, header, report, signatures, prover: leg.client };
      this.#sum.links = before.links + links;
      this.#sum.answers = before.answers + answers;
      this.#sum.bytes = before.bytes + bytes;
      await onProgress?.({
        checkpoint: walk.checkpoint,
        keyBlocks: keyBlocksOf(leg.tl),
        reports: walk.reports,
        tip: walk.tip,
        target,
        startIsStale: this.#startIsStale,
        ...this.#sum,
        source: leg.client.name,
        answer: leg.tl,
      });
      const isShort = walk.tip.seqno < target.seqno && hopsOf(leg.tl, client.name).length < MAX_PROOF_LINKS;
      shortAnswers = isShort ? shortAnswers + 1 : 0;
      if (how.isAlone === true && shortAnswers >= MAX_SHORT_ANSWERS) {
        throw new SourceError(
          'source/not-ready',
          `${client.name}: its answers are short, block ${target.seqno} is far`,
        );
      }
    };
    await climb(this.#fleet, this.#trusted, target, {
      nowSeconds: this.#now(),
      namedBy: client,
      mayWait: true,
      onStep,
      ...alone,
      ...present({ signal, engine }),
    });
  }

  /** No server has anything newer than what is proven. */
  async #atHead({ client }: Target): Promise<SyncResult> {
    if (this.#reached !== undefined) return await this.#judge();
    const start = this.#trusted as Checkpoint; // else there would be no target to end at
    const known = start.keyBlock;
    this.#startIsStale ||= staleBy(validatorSetAt(start), this.#now()) === true;
    const header = provenHeader(start.configProof, known);
    const witnesses = await askWitnesses(
      this.#fleet,
      { tip: known, way: this.#way, prover: client },
      this.#comparing(),
    );
    return this.#result(start, known, header, undefined, witnesses);
  }

  async #judge(): Promise<SyncResult> {
    const reached = this.#reached!; // called once there is one
    const { walk, header, prover } = reached;
    if (header.genUtime > this.#now() + MAX_CLOCK_SKEW_SECONDS) {
      throw clockError(
        `head ${header.seqno} was made at ${header.genUtime}, this machine's clock says ${Math.round(this.#now())}`,
      );
    }
    const { genUtime } = header;
    requireClock(this.#heads, prover === undefined ? undefined : { client: prover, genUtime });
    const way = this.#way;
    const opts = this.#comparing();
    const asked = await askWitnesses(this.#fleet, { tip: walk.tip, way, ...present({ prover }) }, opts);
    return this.#result(walk.checkpoint, walk.tip, header, reached, await this.#withStrays(asked, opts));
  }

  /** Two histories may have come to light on the way up. */
  async #withStrays(asked: WitnessReport, opts: WitnessOptions): Promise<WitnessReport> {
    const forked: SourceStatement[] = [...asked.forked];
    const evidence = [...asked.evidence];
    for (const stray of this.#strays) {
      const parted = parting(this.#way.hops, stray);
      if (parted === undefined) continue;
      const shown = await judgeParting(this.#fleet, parted, opts);
      if (shown !== undefined) evidence.push(shown);
      forked.push({ source: parted[1].source, key: formatBlockId(parted[1].to) });
    }
    return { ...asked, forked, evidence };
  }

  #verdict({ agreed, contradicts, forked }: WitnessReport, ageSeconds: number): SyncResult['verdict'] {
    const { acceptStaleStart = false, witnesses = 0 } = this.#opts;
    // No server is a witness of itself: of what an earlier run was given, one of those that agree may have given it.
    const isProverUnknown = this.#reached !== undefined && this.#reached.prover === undefined;
    const others = agreed.length - Number(isProverUnknown);
    const undecided = (reason: Extract<SyncResult['verdict'], { reason: string }>['reason']) =>
      ({ status: 'undecided', reason }) as const;
    const said = { agreed: others, contradicts: contradicts.length, forked: forked.length };
    const agreement = agreementOf(said, { startIsStale: this.#startIsStale, acceptStaleStart, witnesses });
    if (agreement !== 'enough') return undecided(agreement);
    return ageSeconds > this.#maxAge ? undecided('stale-head') : { status: 'final' };
  }

  #result(
    checkpoint: Checkpoint,
    tip: BlockIdExt,
    tipHeader: ProvenHeader,
    shown: Pick<Reached, 'report' | 'signatures'> | undefined,
    witnesses: WitnessReport,
  ): SyncResult {
    if (this.#opts.to !== undefined && tip.seqno !== this.#opts.to) {
      throw new SourceError('source/wrong-block', `asked for block ${this.#opts.to}, block ${tip.seqno} was proven`);
    }
    const headAgeSeconds = this.#age(tipHeader);
    const verdict = this.#verdict(witnesses, headAgeSeconds);
    const warnings = Object.freeze(warningsOf(tip, witnesses));
    const reason = 'reason' in verdict ? verdict.reason : undefined;
    const isRefused = reason === 'stale-set' || reason === 'contradicted';
    // A report says final of its own accord, so there is none where the servers that were wanted do not say so.
    const isShown = reason !== 'too-few-witnesses';
    const told = (one: VerificationReport) => {
      const marked = !this.#startIsStale ? one : isRefused ? withStaleStart(one, 'refused') : withAcceptedStart(one);
      return warnings.length === 0 ? marked : withWarnings(marked, warnings);
    };
    // A block that was pinned stays one, however old.
    const hasMoved = checkpoint.keyBlock.seqno > blockOf(this.#base).seqno;
    const isMarked =
      this.#startIsStale && (this.#opts.startWasStale === true || checkpoint.staleStart !== 'none' || hasMoved);
    const mark = reason === undefined || reason === 'stale-head' ? 'accepted' : 'refused';
    const result: SyncResult = {
      verdict,
      checkpoint: isMarked ? markedCheckpoint(checkpoint, mark) : checkpoint,
      tip,
      tipHeader,
      ...(shown === undefined || !isShown ? {} : { report: told(shown.report), signatures: shown.signatures }),
      startIsStale: this.#startIsStale,
      headAgeSeconds,
      witnesses: Object.freeze(witnesses),
      warnings,
      ...this.#sum,
    };
    ownHeads.put(result, {
      tip: copyBlockId(tip, 'tip'),
      fleet: this.#fleet,
      ...present({ prover: this.#reached?.prover }),
    });
    return Object.freeze(result);
  }
}

const SYNC_NAMES: Readonly<Record<keyof SyncOptions, true>> = {
  now: true,
  to: true,
  witnesses: true,
  strict: true,
  acceptStaleStart: true,
  startWasStale: true,
  resume: true,
  maxHeadAgeSeconds: true,
  onProgress: true,
  engine: true,
  signal: true,
};

/** A copy of the options, each of its type and in its range. @throws UsageError `bad-option` */
function readSyncOptions(given: SyncOptions, startSeqno: number, servers: number): SyncOptions {
  const opts = requireOptions(given, Object.keys(SYNC_NAMES));
  requireType(opts.strict, 'boolean', 'strict');
  const { now, to, witnesses = opts.strict === true ? 1 : 0, resume = [] } = opts;
  for (const name of ['now', 'onProgress'] as const) requireType(opts[name], 'function', name);
  for (const name of ['acceptStaleStart', 'startWasStale'] as const) requireType(opts[name], 'boolean', name);
  requireType(opts.engine, 'object', 'engine');
  requireSignal(opts.signal, 'signal');
  requireNumber(opts.maxHeadAgeSeconds, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, 'maxHeadAgeSeconds');
  requireList(resume, 'resume');
  if (resume.length > MAX_SYNC_ANSWERS) throw badArgument('resume', `at most ${MAX_SYNC_ANSWERS} answers`, resume);
  if (to !== undefined) requireInteger(to, 'to', Math.max(1, startSeqno), MAX_SEQNO);
  requireWitnesses(witnesses, servers);
  const read = { ...opts, witnesses };
  return now === undefined ? read : { ...read, now: () => requireSeconds(now(), 'now()') };
}

/**
 * Goes from a trusted block to the head that lite servers know, link by link.
 * @param servers one or more; with several, one that fails or lies is passed over, and the head is compared
 * @param from a checkpoint, or a block that you pin: a key block or a zerostate
 * @throws SourceError when no server leads on: `statements` say why; `source/clock`; ForkError when two blocks of one number
 * are certified; UsageError. What was proven until then was told by `onProgress`.
 */
export async function syncCheckpoint(
  servers: readonly LiteServerClient[],
  from: Checkpoint | BlockIdExt,
  opts: SyncOptions = {},
): Promise<SyncResult> {
  requireList(servers, 'servers');
  if (!isObject(from)) throw badArgument('from', 'a checkpoint or a block id', from);
  // What was checked is what is used: nobody else holds these.
  const start =
    'keyBlock' in from ? ownCheckpoint(from as Checkpoint).checkpoint : copyBlockId(from as BlockIdExt, 'from');
  const options = readSyncOptions(opts, blockOf(start).seqno, servers.length);
  const fleet = new Fleet(servers);
  const engine = options.engine ?? (await chooseOneOffEngine());
  return await new Sync(fleet, start, { ...options, engine }).run();
}
