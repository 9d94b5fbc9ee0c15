/**
 * Proves the way from a pinned block to the current head without trusting any server, and compares the head with other
 * servers. An interrupted run can resume from the last proven key block.
 */
import { badArgument, isObject, requireArray } from '../../core/base/arguments.ts';
import { SourceError } from '../../core/base/errors.ts';
import { MAX_PROOF_ANSWER_BYTES, QUESTION_DEADLINE_MS, TURN_DEADLINE_MS } from '../../core/base/limits.ts';
import { ownBytes } from '../../core/base/own-bytes.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, copyBlockId } from '../../core/block/block-id.ts';
import { readPartialBlockProof } from '../../core/chain/block-proof.ts';
import { type Checkpoint, ownCheckpoint } from '../../core/chain/checkpoint.ts';
import { keyBlocksOf } from '../../core/chain/key-blocks.ts';
import { chooseOneOffEngine } from '../../core/ed25519/choose.ts';
import { Tasks } from '../async/tasks.ts';
import { sleep, untilAborted } from '../async/timer.ts';
import { isOlderForAll } from '../machine/newer-network.ts';
import { isA, outcomeOf } from '../machine/outcome.ts';
import {
  type Led,
  type NoWay,
  type SyncAction,
  type SyncEvent,
  type SyncState,
  startSync,
  stepSync,
  syncStall,
} from '../machine/sync.ts';
import { failureOf } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import { withVoices } from '../sources/witness-report.ts';
import type { LiteServerClient } from './client.ts';
import {
  baseOf,
  blockOf,
  type Climb,
  climb,
  goOnFrom,
  requireServerFault,
  type SilentServers,
  stakesEndOf,
  type TrustStart,
  walkTowards,
} from './climb.ts';
import { Fleet, requireDistinctServers } from './fleet.ts';
import { askHeads, madeAhead, ofNetwork, requireClock, type ServerHead } from './heads.ts';
import { continued, hopsOf, parting, type Way } from './key-block-way.ts';
import { readSyncOptions, type SyncOptions, type SyncSettings } from './sync-options.ts';
import { type Climbed, type SyncResult, syncResult } from './sync-result.ts';
import { runOver, type TellReason } from './timed-call.ts';
import { askWitnesses, joinReports, judgeStray, type WitnessReport } from './witnesses.ts';

type RunEvent = SyncEvent<LiteServerClient>;
type RunAction = SyncAction<LiteServerClient>;
type ActionOf<K> = Extract<RunAction, { readonly kind: K }>;
/** Questions to servers. */
type Work = Exclude<RunAction, ActionOf<'end' | 'take' | 'leave' | 'doubt' | 'cancel' | 'wake'>>;

const NEVER = Number.POSITIVE_INFINITY;

/** Returns the state of trust after a climb. @param stakesEnd of the first set on the way */
function ledBy({ walk, header: { genUtime } }: Pick<Climb, 'walk' | 'header'>, stakesEnd: number): Led {
  return { tip: walk.tip, genUtime, startIsStale: walk.startIsStale === true, stakesEnd };
}

/** Runs the machine over a fleet and a clock. */
class Sync {
  readonly #fleet: Fleet;
  readonly #opts: SyncSettings;
  /** Fires at the time limit, and when the caller stops. */
  readonly #signal: Signal;
  readonly #tasks: Tasks<RunEvent>;
  #state: SyncState<LiteServerClient>;
  readonly #root: TrustStart;
  #way: Way = [];
  /** Proven ways that were left because no server led further from their end. */
  readonly #strays: Way[] = [];
  /** The last claims of servers about the head and the time. */
  #heads: readonly ServerHead[] = [];
  /** The newest block that is proven by its own signatures. */
  #reached: Climbed | undefined;
  #sum = { links: 0, answers: 0, bytes: 0 };
  readonly #failures = new Map<number, SourceError>();
  /** Servers that were silent in this round. */
  readonly #silent: SilentServers = new Map();
  /** Servers that do not know the block that the last climb led to. */
  readonly #unknownTo = new Set<LiteServerClient>();
  /** Climbs that wait until their answer is taken. */
  readonly #waiting = new Map<number, (startIsStale: boolean) => Promise<void>>();
  #witnesses: WitnessReport | undefined;

  constructor(fleet: Fleet, root: TrustStart, opts: SyncSettings, signal: Signal, onReason: TellReason) {
    this.#fleet = fleet;
    this.#opts = opts;
    this.#signal = signal;
    this.#tasks = new Tasks(signal);
    this.#root = root;
    const { to, maxHeadAgeSeconds, acceptStaleStart, witnesses, startWasStale } = opts;
    const tip = blockOf(root);
    const start = 'keyBlock' in root ? root : undefined;
    this.#state = startSync<LiteServerClient>({
      // A zerostate has no header, so a run cannot end there.
      root: { tip, genUtime: tip.seqno === 0 ? undefined : start?.genUtime, isProven: false, prover: undefined },
      startIsStale: startWasStale || start?.staleStart === 'refused',
      stakesEnd: start === undefined ? NEVER : stakesEndOf(start),
      isByNumber: to !== undefined,
      maxAgeSeconds: to === undefined ? maxHeadAgeSeconds : NEVER,
      acceptStaleStart,
      witnesses,
      servers: fleet.servers.length,
    });
    onReason(() => {
      const stall = syncStall(this.#state);
      const error = [...this.#failures.values()].at(-1) ?? (stall.code === 'no-server' ? this.#lacks() : undefined);
      return { ...stall, ...present({ error }) };
    });
  }

  async run(): Promise<SyncResult> {
    const step = (state: SyncState<LiteServerClient>, event: RunEvent) => {
      const stepped = stepSync(state, event, { nowSeconds: this.#opts.clock(), kept: this.#fleet.kept().length });
      this.#state = stepped[0];
      return stepped;
    };
    try {
      await this.#resume();
      return await this.#tasks.run(this.#state, { kind: 'begin' }, step, (action) => this.#perform(action));
    } catch (error) {
      throw error === this.#signal.reason ? new SourceError('source/aborted', 'stopped by the caller') : error;
    }
  }

  /** The block that climbs begin at. */
  get #trusted(): TrustStart {
    return this.#reached === undefined ? this.#root : goOnFrom(this.#reached.walk);
  }

  /** Proves again what an interrupted run had proven. */
  async #resume(): Promise<void> {
    const { resume, engine, clock } = this.#opts;
    for (const given of resume) {
      // Thousands of links take minutes: timers and the caller's stop have their turn after each answer.
      await sleep(0, this.#signal);
      const tl = ownBytes(given, 'proof', MAX_PROOF_ANSWER_BYTES);
      const claimed = readPartialBlockProof(tl).proof;
      const opts = { nowSeconds: clock(), ...present({ engine }) };
      const step = walkTowards(this.#trusted, { tl, claimed }, claimed.to, opts);
      this.#way = continued(this.#way, hopsOf({ client: { name: 'an earlier run' }, tl }));
      const { plan, stakesEnd } = this.#state;
      const resumed = ledBy(step, Math.min(stakesEnd, stakesEndOf(baseOf(this.#trusted, claimed))));
      this.#reached = step;
      this.#state = startSync({ ...plan, resumed });
    }
  }

  async #perform(action: RunAction): Promise<SyncResult | undefined> {
    if (action.kind === 'end') return this.#end(action);
    if (action.kind === 'take') {
      await this.#waiting.get(action.id)!(this.#state.startIsStale); // the climb waits for its answer
    } else if (action.kind === 'leave') {
      this.#strays.push(this.#way);
      this.#way = [];
      this.#reached = undefined;
      this.#fleet.excuseStrangers();
    } else if (action.kind === 'doubt') {
      const { server, failed } = action;
      const astray = () => new SourceError('source/other-chain', `${server.name}: no server continues its proof`);
      this.#fleet.doubt(server, failed === undefined ? astray() : this.#failures.get(failed));
    } else if (action.kind === 'cancel') {
      this.#tasks.cancel(action.id);
      this.#waiting.delete(action.id);
    } else if (action.kind === 'wake') {
      this.#tasks.wake(action.id, action.ms, { kind: 'woke', id: action.id });
    } else {
      const failed = (error: SourceError) => this.#failed(action, error);
      this.#tasks.begin(action.id, (signal) => this.#work(action, signal), failed);
    }
    return undefined;
  }

  #work(action: Work, signal: Signal): Promise<RunEvent> {
    if (action.kind === 'climb') return this.#climb(action, signal);
    if (action.kind === 'compare') return this.#compare(action, signal);
    this.#silent.clear();
    return action.kind === 'ask-heads' ? this.#askHeads(action.id, signal) : this.#askNames(action.id, signal);
  }

  #failed(action: Work, error: SourceError): RunEvent | undefined {
    if (action.kind === 'compare') return undefined; // a fork, or a clock
    const { id } = action;
    this.#failures.set(id, error);
    if (action.kind !== 'climb') return { kind: 'failed', id };
    // Failures of servers do not end the run: one server may lie, and others may be slow.
    const isOfServers = error.endpoint !== undefined || error.statements.length > 0;
    const isLast = error === this.#fleet.lastErrorOf(action.target.server);
    // Old keys can make a way of any length: the way to what another server names may be shorter.
    const isOwnWay = action.isAlone && error.code === 'source/too-large';
    const isFinal = isA(error.code, 'final') && !isOfServers && !isLast && !isOwnWay;
    const isUnsupported = outcomeOf(error) === 'unsupported';
    const unknownTo = [...this.#unknownTo];
    return { kind: 'failed', id, unknownTo, isFinal, isUnsupported, isOlder: isOlderForAll(error) };
  }

  async #askHeads(id: number, signal: Signal): Promise<RunEvent> {
    const zero = 'anchor' in this.#root ? this.#root.anchor : blockOf(this.#root);
    this.#heads = ofNetwork(this.#fleet, zero, await askHeads(this.#fleet, signal, this.#opts.clock));
    const heads = this.#heads.map(({ client: server, head }) => ({ server, block: head.last }));
    const doubted = this.#fleet.servers.filter((client) => this.#fleet.isDoubted(client));
    return { kind: 'heads', id, heads, doubted };
  }

  /** Asks for the block of a number. The targets are events, as the answers come in. */
  async #askNames(id: number, signal: Signal): Promise<RunEvent> {
    const to = this.#opts.to!; // only a run with `to` asks for names
    const opts = { serverMayWait: true, deadlineMs: QUESTION_DEADLINE_MS, signal };
    let isNamed = false;
    const ask = async (server: LiteServerClient) => {
      try {
        const { id: block } = await this.#fleet.ask(server, (one) => one.lookup(to, opts));
        isNamed = true;
        this.#tasks.put({ kind: 'named', id, target: { server, block } });
      } catch (error) {
        requireServerFault(error);
      }
    };
    await Promise.all(this.#fleet.usable().map(ask));
    if (!isNamed) throw this.#lacks()!;
    return { kind: 'names-over', id };
  }

  /** The error of servers that lack the block which is asked for, or do not name it in time. */
  #lacks(): SourceError | undefined {
    const { to } = this.#opts;
    return to === undefined ? undefined : noAgreement(`no lite server has block ${to}`, this.#fleet.statements());
  }

  async #climb({ id, target, isAlone }: ActionOf<'climb'>, signal: Signal): Promise<RunEvent> {
    const { clock, engine } = this.#opts;
    const onStep = (step: Climb) => {
      const taken = new Promise<void>((go) => {
        if (!this.#tasks.isOpen(id)) return; // the task was cancelled
        this.#waiting.set(id, (startIsStale) => this.#take(step, target.block, startIsStale).then(go));
        this.#tasks.put({ kind: 'held', id, prover: step.leg.client, ...ledBy(step, stakesEndOf(step.base)) });
      });
      return untilAborted(taken, signal);
    };
    await climb(this.#fleet, this.#trusted, target.block, {
      nowSeconds: clock(),
      namedBy: target.server,
      mayWait: true,
      onStep,
      signal,
      isAlone,
      // Alone, a server has less time: it may only be slow.
      ...(isAlone ? { deadlineMs: TURN_DEADLINE_MS } : { silent: this.#silent, unknownTo: this.#unknownTo }),
      ...present({ engine }),
    });
    return { kind: 'arrived', id };
  }

  /** Moves trust to the block that an answer leads to. */
  async #take(step: Climb, target: BlockIdExt, startIsStale: boolean): Promise<void> {
    const { checkpoint, reports, tip } = step.walk;
    const { client, tl: answer } = step.leg;
    const hops = hopsOf(step.leg);
    if (parting(this.#way, hops) !== undefined) this.#strays.push(this.#way);
    this.#way = continued(this.#way, hops);
    this.#reached = step;
    const { links, answers, bytes } = this.#sum;
    this.#sum = { links: links + step.leg.links, answers: answers + 1, bytes: bytes + answer.length };
    const [keyBlocks, source] = [keyBlocksOf(answer), client.name];
    const progress = { checkpoint, keyBlocks, reports, tip, target, startIsStale, ...this.#sum, source, answer };
    // The caller's stop and the time limit hold for this, too.
    await untilAborted(Promise.resolve(this.#opts.onProgress?.(progress)), this.#signal);
  }

  async #compare({ id, prover, baseIsStale }: ActionOf<'compare'>, signal: Signal): Promise<RunEvent> {
    const { clock, engine } = this.#opts;
    const { tip, prover: client, genUtime } = this.#state.place;
    requireClock(this.#heads, client && { client, genUtime: genUtime! }); // a proven block has a time
    const compared = { tip, way: this.#way, ...present({ prover }) };
    const isBaseStale = () => baseIsStale || clock() > this.#state.stakesEnd;
    const opts = { clock, isBaseStale, signal, ...present({ engine }) };
    // Over a stale base, a server may know the true history and be late to prove it.
    const open = baseIsStale ? [] : (this.#witnesses?.contradicts ?? []);
    const asked = await askWitnesses(this.#fleet, compared, { ...opts, open });
    // The way up may have shown two histories.
    const strays = this.#strays.map((stray) => judgeStray(this.#fleet, compared.way, stray, opts));
    const all = joinReports([asked, ...(await Promise.all(strays))]);
    const agreed = this.#fleet.voices(asked.agreed, prover);
    // including servers that an earlier comparison put out
    const refuted = [...(this.#witnesses?.refuted ?? []), ...asked.refuted];
    this.#witnesses = withVoices({ ...all, refuted }, agreed);
    return { kind: 'compared', id, agreed, contradicts: asked.contradicts.length, forked: all.forked.length };
  }

  #end(action: ActionOf<'end'>): SyncResult {
    if (action.how === 'no-way') throw this.#noWay(action.why);
    const { tip, genUtime, prover } = this.#state.place;
    if (action.how === 'clock') throw madeAhead(`head ${tip.seqno}`, genUtime!, this.#opts.clock()); // a proven head has a time
    return syncResult(action, this.#opts, {
      root: this.#root,
      reached: this.#reached,
      sum: this.#sum,
      witnesses: this.#witnesses!, // the comparison came before
      fleet: this.#fleet,
      ...present({ prover }),
    });
  }

  #noWay(why: NoWay<LiteServerClient> | undefined): SourceError {
    if (why === undefined) return noAgreement('no lite server names a newest block', this.#fleet.statements());
    if ('failed' in why) return this.#failures.get(why.failed)!; // each failure was kept
    const { server, block } = why.target;
    const known = blockOf(this.#trusted).seqno;
    if (why.position === 'behind') {
      const words = `${server.name}: its newest block is ${block.seqno}, the trusted block is ${known}`;
      const hint = 'wait, or ask other servers';
      return new SourceError('source/not-ready', words, { hint });
    }
    return failureOf(server.name, 'source/other-chain', `its block ${known} is not the trusted one`);
  }
}

/**
 * Does the work of `syncCheckpoint` over the fleet of a larger run, with its budgets and the servers that are out.
 * @param from a copy that the caller cannot change
 * @param onReason receives a function that says why there is no result yet, for a run that reports this itself
 */
export async function syncOver(
  fleet: Fleet,
  from: TrustStart,
  given: SyncOptions,
  onReason?: TellReason,
): Promise<SyncResult> {
  const options = readSyncOptions(given, blockOf(from).seqno, fleet.servers);
  const engine = options.engine ?? (await chooseOneOffEngine());
  return await runOver(fleet, options, blockOf(from), (signal, tell) =>
    new Sync(fleet, from, { ...options, engine }, signal, onReason ?? tell).run(),
  );
}

/**
 * Proves the way from a trusted block to the head of the chain, link by link.
 * @param clients one or more clients of lite servers; with several, the head is compared, and a server that fails or
 * lies is passed over
 * @param from a checkpoint, or a block that you pin: a key block or a zerostate
 * @param opts where to end, which servers must agree, and time limits; default: the head, at most 60 s old
 * @returns the verdict, the proven head, and a checkpoint to start from next time
 * @throws SourceError when no server leads further: `statements` has each server's reason; SourceError `source/clock`;
 * ForkError when two blocks of one number are certified; UsageError. `onProgress` has received everything that was
 * proven before
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { readCheckpoint } from 'ton-finality/node';
 * import { connectLite, parseGlobalConfig, syncCheckpoint } from 'ton-finality/servers';
 * const { servers } = parseGlobalConfig(JSON.parse(readFileSync('global.config.json', 'utf8')));
 * const clients = servers.map((server) => connectLite(server));
 * const { verdict, checkpoint } = await syncCheckpoint(clients, readCheckpoint('checkpoint.json'));
 * console.log(verdict.status, checkpoint.keyBlock.seqno >= 0); // final true
 * for (const client of clients) client.close();
 * ```
 */
export async function syncCheckpoint(
  clients: readonly LiteServerClient[],
  from: Checkpoint | BlockIdExt,
  opts: SyncOptions = {},
): Promise<SyncResult> {
  requireArray(clients, 'clients');
  if (!isObject(from)) throw badArgument('from', 'a checkpoint or a block id', from);
  // The value that was checked is used: the caller cannot change this copy.
  const start =
    'keyBlock' in from ? ownCheckpoint(from as Checkpoint).checkpoint : copyBlockId(from as BlockIdExt, 'from');
  const distinct = requireDistinctServers(clients);
  const options = readSyncOptions(opts, blockOf(start).seqno, distinct);
  return await syncOver(new Fleet(distinct, 'run', options.countEachServer), start, opts);
}
