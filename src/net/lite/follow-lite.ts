/**
 * Follows a chain over lite servers, and proves every new block: the signatures of one block every few seconds, and the
 * blocks between by hashes that lead down to them. There are no gaps or duplicates, also through restarts and key
 * blocks, at a tenth of the traffic of signatures for every block. A machine decides the next action; this file
 * performs it.
 */

import { SourceError, TrustError } from '../../core/base/errors.ts';
import {
  MAX_CLOCK_SKEW_SECONDS,
  MAX_FOLLOW_HOP,
  QUESTION_DEADLINE_MS,
  STALE_START_WITNESSES,
} from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../core/block/block-id.ts';
import { readParent } from '../../core/chain/ancestor.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import { type Checkpoint, markedCheckpoint } from '../../core/chain/checkpoint.ts';
import { withAcceptedStart, withWarnings } from '../../core/verify/own-report.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { tell } from '../async/callbacks.ts';
import { iterateOver } from '../async/read-at-call.ts';
import { sleep } from '../async/timer.ts';
import { Voice } from '../follow/stall-reports.ts';
import type { Scope } from '../machine/comparison.ts';
import {
  type FollowAction,
  type FollowEvent,
  type FollowState,
  nearMs,
  stallOf,
  startFollow,
  stepFollow,
} from '../machine/follow-lite.ts';
import { highest } from '../machine/heads.ts';
import { unsupportedBy } from '../machine/newer-network.ts';
import { isA, lacksBlock } from '../machine/outcome.ts';
import type { Target } from '../machine/targets.ts';
import { Comparisons } from '../sources/comparison.ts';
import { failureOf } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import { type LiveWarning, MORE_SERVERS, tooFewAgree, witnessWarnings } from '../sources/witness-report.ts';
import type { LiteServerClient } from './client.ts';
import { blockOf, type Climb, climb, goOnFrom, isBaseStale, type TrustStart } from './climb.ts';
import { type Descent, descend, TwoHistories } from './descent.ts';
import { Fleet } from './fleet.ts';
import { type FollowLiteOptions, type FollowLiteSettings, readFollowLiteOptions } from './follow-lite-options.ts';
import { type ClimbedHead, questionsAbout, wayUp } from './follow-questions.ts';
import { madeAhead, ofNetwork, requireClock, type ServerHead, watchHeads } from './heads.ts';
import { continued, hopsOf, type Way } from './key-block-way.ts';
import { firstProof } from './proof-race.ts';
import { confront, joinReports, judgeStray, type WitnessReport } from './witnesses.ts';

/** One block of the chain. The block is final if the verdict of its report is. */
export interface FollowedBlock {
  readonly header: ProvenHeader;
  /**
   * signatures: the signatures of this block were verified. descendant: those of a later block were, and hashes lead
   * from it to this block.
   */
  readonly provenBy: 'signatures' | 'descendant';
  /** The report of this block, or of the later block whose signatures were checked. */
  readonly report: VerificationReport;
  /**
   * The checkpoint that a later run can start from, with this block as `after`. Save the block's id first, then the
   * checkpoint: after a crash between the two, the run resumes at the block.
   */
  readonly checkpoint: Checkpoint;
}

/**
 * Blocks from which on a target is far: more than a round of validators, so that the way there takes several answers.
 */
const FAR_BLOCKS = 1 << 19;

type FollowerEvent = FollowEvent<LiteServerClient>;
type FollowerAction = FollowAction<LiteServerClient>;

class Follower {
  readonly #fleet: Fleet;
  readonly #opts: FollowLiteSettings;
  readonly #voice: Voice;
  readonly #signal: Signal;
  readonly #lookAtHeads: ReturnType<typeof watchHeads>;
  readonly #comparisons: Comparisons;
  #state: FollowState<LiteServerClient>;
  /** The newest key block that was compared with all servers. Climbs begin here. */
  #base: TrustStart;
  /** The checkpoint of the last signed block. A run that resumes from a block before the next key block begins here. */
  #checkpoint: Checkpoint;
  /** The last block that was handed out. */
  #last: BlockIdExt | undefined;
  #way: Way = [];
  #startIsStale: boolean;
  #turn = 0;
  #lastError: SourceError | undefined;
  /** The failure of each server's last proof, since a proof of it held. */
  readonly #unproven = new Map<LiteServerClient, SourceError>();
  readonly #told = new Set<string>();
  /** Servers that proved a history without the last block, by validators that can have withdrawn their stakes. */
  readonly #aside = new Set<LiteServerClient>();
  /** Servers that proved a block below which the way down failed. The next try takes another server's proof. */
  readonly #lacking = new Set<LiteServerClient>();
  /** The results of the step under way. */
  #heads: readonly ServerHead[] = [];
  #picked: readonly Target<LiteServerClient>[] = [];
  #best: ClimbedHead | undefined;
  /** The longest way over a stale base that was compared. */
  #stray: Way = [];
  #descent: Descent = { blocks: [], others: [] };
  #heard: WitnessReport = joinReports([]);

  constructor(opts: FollowLiteSettings) {
    const { clients, checkpoint } = opts;
    const { after, from = after === undefined ? undefined : after.seqno + 1, acceptStaleStart, maxOutageMs } = opts;
    this.#fleet = new Fleet(clients, 'lasting', opts.countEachServer);
    this.#opts = opts;
    const { signal, onStall } = opts;
    const reason = () => {
      const { proven: head, said } = this.#state;
      return { code: stallOf(this.#state), head, said, ...present({ error: this.#lastError }) };
    };
    this.#voice = new Voice({ signal, onStall, maxOutageMs, reason });
    this.#signal = this.#voice.signal;
    this.#lookAtHeads = watchHeads(this.#fleet, this.#signal, opts.clock);
    this.#comparisons = new Comparisons(this.#signal, (error) => this.#voice.fail(error));
    this.#base = checkpoint;
    this.#checkpoint = checkpoint;
    this.#startIsStale = checkpoint.staleStart === 'accepted';
    this.#last = after;
    const proven = Math.max((from ?? 1) - 1, checkpoint.keyBlock.seqno);
    const signEveryMs = opts.signEverySeconds * 1000;
    this.#state = startFollow({ proven, next: from, signEveryMs, maxOutageMs, acceptStaleStart });
  }

  get #link() {
    const { clock, engine } = this.#opts;
    return { clock, signal: this.#signal, ...present({ engine }) };
  }

  /** Options of questions near the head. */
  get #near() {
    return { deadlineMs: nearMs(this.#state), retries: 0 };
  }

  #tell(event: FollowerEvent): readonly FollowerAction[] {
    const [state, actions] = stepFollow(this.#state, event);
    this.#state = state;
    return actions;
  }

  async *run(): AsyncGenerator<FollowedBlock> {
    const voice = this.#voice;
    const { to = Number.POSITIVE_INFINITY } = this.#opts;
    let event: FollowerEvent = { kind: 'begin', nowMs: performance.now() };
    try {
      voice.listen();
      while (!this.#signal.aborted) {
        let next: FollowerEvent | undefined;
        for (const action of this.#tell(event)) {
          if (action.kind === 'give') {
            this.#tellWhoIsOut();
            const { first, last } = action;
            const blocks = this.#blocks().filter(({ header: { seqno } }) => seqno >= first && seqno <= last);
            for (const block of blocks) {
              voice.requireNoFault();
              if (this.#signal.aborted) return;
              voice.hush();
              yield block;
              if (block.header.seqno < to) continue;
              // No later look hears of a server that names a different block.
              await this.#comparisons.settled(QUESTION_DEADLINE_MS);
              voice.requireNoFault();
              return;
            }
            voice.listen();
            const isKeyBlock = blocks.at(-1)!.header.keyBlock; // the signed block is the last
            next = { kind: 'taken', isKeyBlock, count: blocks.length, nowMs: performance.now() };
          } else next = (await this.#perform(action)) ?? next;
        }
        event = next!; // the last action ends in an event
      }
    } finally {
      voice.close();
      voice.requireNoFault(); // the consumer may leave after the failure
    }
  }

  /** Performs an action. @returns its event, if it has one */
  async #perform(action: Exclude<FollowerAction, { kind: 'give' }>): Promise<FollowerEvent | undefined> {
    if (action.kind === 'wait') this.#tellWhoIsOut();
    try {
      if (action.kind === 'look')
        return { kind: 'looked', said: await this.#see(), isNewer: this.#picked.length > 0, ...this.#now() };
      if (action.kind === 'prove') return await this.#prove();
      if (action.kind === 'descend') return await this.#descend();
      if (action.kind === 'compare') return await this.#compare(action.scope);
      if (action.kind === 'wait') {
        await sleep(action.ms, this.#signal);
        return { kind: 'waited', nowMs: performance.now() };
      }
    } catch (error) {
      if (this.#signal.aborted) return { kind: 'waited', nowMs: performance.now() }; // the loop checks the signal
      if (!(error instanceof SourceError)) throw error;
      return this.#failed(error);
    }
    this.#act(action, this.#lastError);
    return undefined;
  }

  /** Notes an event while a question is open. */
  #note(event: FollowerEvent, error?: SourceError): void {
    for (const action of this.#tell(event)) this.#act(action, error);
  }

  /** Performs an action that takes no time. @param error the last failure */
  #act(action: FollowerAction, error: SourceError | undefined): void {
    if (action.kind === 'alive') this.#voice.proved();
    else if (action.kind === 'say') this.#voice.say();
    else if (action.kind === 'doubt') this.#fleet.doubt(action.server, error);
    else if (action.kind === 'believe') this.#fleet.believe(action.server);
    else if (action.kind === 'trouble') {
      if (action.few !== undefined) this.#lastError = this.#tooFew(action.few);
      tell('onTrouble', this.#opts.onTrouble, this.#lastError!); // a failure came before this action
    } else if (action.kind === 'warn-stale') {
      const why = this.#opts.acceptStaleStart
        ? ', and are accepted anyway'
        : `; ${this.#heard.agreed.join(', ')} agree`;
      this.#warn({
        code: 'stale-set',
        message: `the current trusted validators can have withdrawn their stakes${why}`,
      });
    } else if (action.kind === 'end') {
      this.#tellWhoIsOut();
      throw this.#endOf(action.how);
    }
  }

  /** Returns the event of a failure. If most servers answer in an unknown form, the event says so. */
  #failed(error: SourceError): FollowerEvent {
    const kept = this.#fleet.kept();
    const all = kept.map((client) => ({ source: client.name, ...present({ error: this.#unproven.get(client) }) }));
    const unsupported = unsupportedBy(all);
    const said = all.filter((one) => 'error' in one);
    const words = `no lite server proves a block after ${this.#state.proven}`;
    this.#lastError = unsupported === 'few' ? error : noAgreement(words, said, kept.length - said.length);
    const mayTryAgain = !isA(this.#lastError.code, 'ends-following') && kept.length > 0;
    return { kind: 'failed', mayTryAgain, isOlder: unsupported === 'all', chance: Math.random(), ...this.#now() };
  }

  #now() {
    return { nowMs: performance.now(), stuckMs: this.#voice.stuckMs };
  }

  #warn(warning: LiveWarning): void {
    if (this.#told.has(warning.message)) return;
    this.#told.add(warning.message);
    tell('onWarning', this.#opts.onWarning, Object.freeze(warning));
  }

  /** Reports the servers that were put out since the last time. */
  #tellWhoIsOut(): void {
    for (const client of this.#fleet.servers) {
      if (this.#fleet.isKept(client)) continue;
      const error = this.#fleet.lastErrorOf(client);
      const why = error instanceof Error ? error.message : client.name;
      this.#warn({ code: 'server-out', message: `the server is not asked again: ${why}`, servers: [client.name] });
    }
  }

  /** Asks all servers for their heads. @returns the highest block that a server names */
  async #see(): Promise<number> {
    const said = await this.#lookAtHeads(nearMs(this.#state));
    const heads = ofNetwork(this.#fleet, this.#checkpoint.anchor, said);
    // Clocks of some servers do not end the run while others have not answered.
    if (heads.length === this.#fleet.kept().length) requireClock(heads);
    this.#heads = heads;
    const others = heads.filter(({ client }) => !this.#aside.has(client));
    if (others.length === 0) throw new SourceError('source/not-ready', 'no other lite server names its newest block');
    const named = others.map(({ client, head }) => ({ server: client, block: head.last }));
    const { proven } = this.#state;
    const whole = named.filter(({ server }) => !this.#lacking.has(server));
    const isLed = whole.some(({ block }) => block.seqno > proven);
    if (!isLed) this.#lacking.clear();
    this.#picked = highest(this.#fleet, isLed ? whole : named, proven);
    return Math.max(...named.map(({ block }) => block.seqno));
  }

  async #climbTo(head: Target<LiteServerClient>, signal: Signal): Promise<Pick<ClimbedHead, 'done' | 'way'>> {
    const { server, block } = head;
    // If the head is far, the next block to prove by its signatures is on the way there.
    const last = (this.#state.next ?? block.seqno) - 1 + MAX_FOLLOW_HOP;
    const lookup = () => this.#fleet.ask(server, (one) => one.lookup(last, { signal, ...this.#near }));
    const target = block.seqno <= last ? block : (await lookup()).id;
    const isFar = target.seqno - blockOf(this.#base).seqno > FAR_BLOCKS;
    let way = this.#way;
    const onStep = ({ leg, walk }: Climb) => {
      way = continued(way, hopsOf(leg));
      this.#note({ kind: 'held', seqno: walk.tip.seqno });
    };
    const near = isFar ? {} : { isAlone: true, deadlineMs: nearMs(this.#state) };
    // Without a clock: the age is judged of the set that the climb begins with, not of the one that it ends with.
    const opts = { ...this.#link, signal, namedBy: server, onStep, ...near };
    const done = await climb(this.#fleet, this.#base, target, opts).catch((error: unknown) => {
      // A busy or slow server is not at fault. A server that lacks its own head three times is.
      if (!signal.aborted && error instanceof SourceError) {
        this.#unproven.set(server, error);
        if (lacksBlock(error.code)) this.#note({ kind: 'unproven', server }, error);
      }
      throw error;
    });
    this.#unproven.clear();
    this.#note({ kind: 'climbed', server });
    return { done, way };
  }

  async #prove(): Promise<FollowerEvent> {
    const sinceSeconds = this.#opts.clock();
    const climbTo = (head: Target<LiteServerClient>, signal: Signal) => this.#climbTo(head, signal);
    const lookAgain = () => this.#see().then(() => this.#picked);
    const { done, way } = await firstProof(this.#fleet, this.#signal, this.#picked, climbTo, lookAgain).catch(
      (error: unknown) => {
        this.#lacking.clear(); // no other server leads further
        throw error;
      },
    );
    const { walk, header } = done;
    const { genUtime } = header;
    const own = this.#opts.clock();
    if (genUtime > own + MAX_CLOCK_SKEW_SECONDS) throw madeAhead(`block ${header.seqno}`, genUtime, own);
    // The machine may sleep at any time, so the age of the base is judged wherever it decides something.
    const isStale = () =>
      walk.startIsStale === true || isBaseStale(done.base, Math.max(sinceSeconds, this.#opts.clock()));
    this.#best = { done, way, isBaseStale: isStale };
    const keyBlock = header.keyBlock ? walk.tip.seqno : walk.checkpoint.keyBlock.seqno;
    return { kind: 'proven', seqno: walk.tip.seqno, keyBlock, baseIsStale: isStale() };
  }

  async #descend(): Promise<FollowerEvent> {
    const { walk, leg, destProof } = this.#best!.done; // the descent begins there
    const { parent } = readParent(destProof, walk.tip);
    const far = this.#heads.filter(({ head }) => head.last.seqno >= parent.seqno);
    const opts = { signal: this.#signal, ...this.#near, servers: [leg.client, ...far.map(({ client }) => client)] };
    const bottom = { seqno: (this.#state.next ?? walk.tip.seqno) - 1, ...present({ id: this.#last }) };
    try {
      this.#descent = await descend(this.#fleet, parent, bottom, opts);
      return { kind: 'descended' };
    } catch (error) {
      if (!(error instanceof TwoHistories)) {
        if (error instanceof SourceError) this.#lacking.add(leg.client);
        throw error;
      }
      return await this.#onTwoHistories(error, this.#last!); // the known block
    }
  }

  /**
   * Looks for signatures of the other history's block at the last reported number, as evidence. Validators in office
   * make it a fork. Old keys make it the claim of one server: the run looks again at what the others prove.
   * @throws ForkError, or the given error, for a fork; TrustError where no server is left
   */
  async #onTwoHistories(error: TwoHistories, last: BlockIdExt): Promise<FollowerEvent> {
    const { done, isBaseStale } = this.#best!; // the descent began there
    const opts = { ...this.#link, isBaseStale };
    if (!isBaseStale()) {
      const way = await this.#wayTo(last);
      for (const client of this.#fleet.kept()) await confront(this.#fleet, client, { way }, error.other, opts);
      throw error;
    }
    const { client } = done.leg;
    this.#aside.add(client);
    const isLast = this.#fleet.kept().every((one) => this.#aside.has(one));
    const ask = async (onOther: () => void) => {
      onOther();
      return await confront(this.#fleet, client, { way: await this.#wayTo(last) }, error.other, opts);
    };
    const onLate = (late: WitnessReport) => this.#warnOf(last, late);
    const terms = { more: [], witnesses: 0, isWhole: isLast, voices: () => 0, onLate };
    const { heard } = await this.#comparisons.compare([{ client, ask }], terms);
    this.#warnOf(last, heard);
    if (isLast) throw this.#contradicted([...this.#aside]);
    this.#fleet.rest(client);
    const words = `the server proves a history without block ${formatBlockId(last)}, by validators that can have withdrawn their stakes`;
    this.#lastError = failureOf(client.name, 'source/wrong-block', words);
    return { kind: 'failed', mayTryAgain: true, isOlder: false, chance: Math.random(), ...this.#now() };
  }

  /** Returns the way to the last reported block. A run that resumed after the block asks servers for that way. */
  async #wayTo(last: BlockIdExt): Promise<Way> {
    const way = this.#way;
    if (way.length > 0 || last.seqno <= blockOf(this.#base).seqno) return way;
    const prover = this.#best!.done.leg.client; // of the history without that block
    const namedBy = this.#fleet.usable().find((client) => client !== prover) ?? prover;
    return await wayUp(this.#fleet, this.#base, last, way, { ...this.#link, namedBy })(QUESTION_DEADLINE_MS);
  }

  /** Compares the tip. A server that is behind is compared at the newest block that it has, if that block is new. */
  async #compare(scope: Scope): Promise<FollowerEvent> {
    const best = this.#best!; // a block was proven
    const { tip } = best.done.walk;
    const prover = best.done.leg.client;
    const { witnesses } = this.#opts;
    const turn = scope === 'turn' ? this.#turn++ : 0;
    const its = { ...best, ...this.#link, from: this.#base, heads: this.#heads, descent: this.#descent };
    const terms = { ...its, scope, turn, witnesses, nearMs: nearMs(this.#state) };
    const { questions, more } = questionsAbout(this.#fleet, terms);
    const onLate = (late: WitnessReport) => {
      this.#restContradicting(late);
      this.#warnOf(tip, late);
    };
    const { heard: told, isEnough } = await this.#comparisons.compare(questions, {
      more,
      witnesses,
      isWhole: scope === 'whole',
      voices: (names) => this.#fleet.voices(names, prover),
      onLate,
    });
    const stray = await judgeStray(this.#fleet, best.way, this.#stray, its);
    // If too few agree, the next try may lead to the other history, and no server may show this one again.
    const baseIsStale = best.isBaseStale();
    if (baseIsStale && best.way.length >= this.#stray.length) this.#stray = best.way;
    const heard = joinReports([told, stray]);
    this.#heard = heard;
    if (isEnough) this.#restContradicting(heard);
    this.#warnOf(tip, heard);
    const { agreed, contradicts, forked, silent, behind } = heard;
    const said = { agreed: this.#agreed, contradicts: contradicts.length, forked: forked.length };
    const all = [...agreed, ...[...silent, ...behind].map(({ source }) => source)];
    const unheard = this.#fleet.voices(all, prover) - said.agreed;
    return { kind: 'compared', baseIsStale, isEnough, said, unheard, chance: Math.random(), nowMs: performance.now() };
  }

  /**
   * Moves servers that contradict behind the others for a while: they have answered, and had time to prove their block.
   */
  #restContradicting({ contradicts }: WitnessReport): void {
    for (const client of this.#fleet.servers) {
      if (contradicts.some(({ source }) => source === client.name)) this.#fleet.rest(client);
    }
  }

  #warnOf({ seqno }: BlockIdExt, report: WitnessReport): void {
    for (const warning of witnessWarnings(seqno, report)) this.#warn(warning);
  }

  /** Returns the failure of a step in which too few servers agree. */
  #tooFew(why: 'too-few-witnesses' | 'stale-set'): SourceError {
    const { contradicts, silent, behind } = this.#heard;
    const missing = [...silent, ...behind];
    if (why === 'stale-set') {
      const words = 'the validators can have withdrawn their stakes; too few servers answer';
      return new SourceError('source/not-ready', words, { statements: missing });
    }
    const statements = [...contradicts, ...missing];
    return new SourceError('source/not-ready', this.#fewAgree, { statements, hint: MORE_SERVERS });
  }

  /** The number of witnesses that name the same block. */
  get #agreed(): number {
    return this.#fleet.voices(this.#heard.agreed, this.#best?.done.leg.client);
  }

  get #fewAgree(): string {
    const { seqno } = this.#best!.done.walk.tip; // a block is being compared
    return tooFewAgree(this.#agreed, seqno, this.#opts.witnesses);
  }

  #endOf(how: Extract<FollowerAction, { kind: 'end' }>['how']): unknown {
    const { contradicts, forked } = this.#heard;
    switch (how) {
      case 'failed':
        return this.#overOldKeys() ?? this.#fleet.whyOver(this.#lastError);
      case 'stands':
        return this.#overOldKeys() ?? this.#voice.outage();
      case 'too-few-witnesses':
        return new TrustError('trust/too-few-witnesses', this.#fewAgree, { path: 'witnesses', hint: MORE_SERVERS });
      case 'contradicted': {
        const against = this.#opts.acceptStaleStart ? forked : [...contradicts, ...forked];
        return this.#contradicted(against.map(({ source: name }) => ({ name })));
      }
      case 'stale-set':
        return this.#tooOld(
          `stale-set: ${this.#agreed} other servers agree, ${STALE_START_WITNESSES} are needed`,
          `${MORE_SERVERS}; or pin a newer key block and start there, without the state; or accept it (--accept-stale-start)`,
        );
    }
  }

  /** Returns the error of a run that other servers did not help after some were put aside. */
  #overOldKeys(): TrustError | undefined {
    const isFinal = this.#lastError !== undefined && isA(this.#lastError.code, 'ends-following');
    if (this.#aside.size === 0 || isFinal) return undefined;
    return this.#contradicted([...this.#aside]);
  }

  #contradicted(servers: readonly { readonly name: string }[]): TrustError {
    return this.#tooOld(
      `contradicted: ${servers.map(({ name }) => name).join(', ')} named a different block`,
      'exclude the server that is wrong (--without SERVER); or pin a newer key block and start there, without the state',
    );
  }

  /** Returns the error for trust that continues from a set whose old keys an attacker may have. */
  #tooOld(why: string, hint: string): TrustError {
    const { seqno } = blockOf(this.#base);
    const words = `${why}; the trusted validators, of key block ${seqno}, can have withdrawn their stakes`;
    return new TrustError('trust/stale-start', words, { path: 'checkpoint', hint });
  }

  /** Returns the blocks to hand out, the oldest first, and moves trust forward. */
  #blocks(): readonly FollowedBlock[] {
    const { done, way, ...best } = this.#best!; // a block was compared
    const baseIsStale = best.isBaseStale();
    const { walk, header } = done;
    const between = this.#descent.blocks;
    this.#requireThrough([...between.map(({ id }) => id), walk.tip]);
    this.#startIsStale ||= baseIsStale;
    const warnings = witnessWarnings(walk.tip.seqno, this.#heard);
    const told = warnings.length === 0 ? done.report : withWarnings(done.report, warnings);
    const report = this.#startIsStale ? withAcceptedStart(told) : told;
    // The clock judged the base of every climb, and not each link: a checkpoint keeps the mark of the one before.
    const mark = this.#startIsStale ? 'accepted' : this.#checkpoint.staleStart;
    const marked = (one: Checkpoint) => (one.staleStart === 'none' ? one : markedCheckpoint(one, mark));
    const before = marked(this.#checkpoint);
    const checkpoint = marked(walk.checkpoint);
    const base = goOnFrom(walk);
    this.#base = 'keyBlock' in base ? checkpoint : base;
    this.#way = way;
    this.#last = walk.tip;
    if (!baseIsStale) this.#aside.clear();
    this.#lacking.clear();
    this.#lastError = undefined;
    this.#checkpoint = checkpoint;
    const block = (one: ProvenHeader, provenBy: FollowedBlock['provenBy']): FollowedBlock =>
      Object.freeze({
        header: one,
        provenBy,
        report,
        // A checkpoint after the block cannot resume with that block as the last one, so it gets the one before.
        checkpoint: one.seqno < checkpoint.keyBlock.seqno ? before : checkpoint,
      });
    return [...between.map((one) => block(one.header, 'descendant')), block(header, 'signatures')];
  }

  /** Requires the pinned block at its number. @throws TrustError for a different block */
  #requireThrough(ids: readonly BlockIdExt[]): void {
    const { through } = this.#opts;
    const there = ids.find(({ seqno }) => seqno === through?.seqno);
    if (through === undefined || there === undefined || differingField(there, through) === undefined) return;
    const words = `the chain has block ${formatBlockId(there)}, the pinned block is ${formatBlockId(through)}`;
    throw new TrustError('trust/anchor-hash', words, {
      path: 'through',
      hint: 'check which one is right; to start at the pinned block, remove the state',
    });
  }
}

/**
 * Yields every block, in order of seqno, proven over lite servers. The iteration ends after block `to`, when the
 * signal fires, or when the consumer leaves its loop.
 * @param clients one or more clients of lite servers; a server that fails or lies is passed over
 * @param checkpoint the key block that you trust, from `readCheckpoint` or `syncCheckpoint`
 * @param opts the first block, witnesses, patience and observers; default: from the head, without end, ten minutes of
 * patience
 * @returns an iteration over proven blocks
 * @throws SourceError when no block is proven for `maxOutageMs`, or when no server is left; ForkError when two blocks
 * of one number are certified; TrustError `trust/stale-start` for validators that can have withdrawn their stakes;
 * TrustError `trust/too-few-witnesses`; UsageError for options, at the first step and not at the call, and for a callback
 * that throws
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, followLite } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * for await (const { header, provenBy } of followLite(clients, readCheckpoint('checkpoint.json'))) {
 *   console.log(header.blockId.workchain, provenBy); // -1 signatures
 *   break;
 * }
 * for (const client of clients) client.close();
 * ```
 */
export function followLite(
  clients: readonly LiteServerClient[],
  checkpoint: Checkpoint,
  opts: FollowLiteOptions = {},
): AsyncGenerator<FollowedBlock> {
  const read = () => readFollowLiteOptions(clients, checkpoint, opts);
  return iterateOver(read, (settings) => new Follower(settings).run());
}
