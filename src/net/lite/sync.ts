/**
 * From a pinned block to today's head, with no server believed: what is proven, how old it is, and what other servers say
 * of it. Interrupted anywhere, it goes on from the last key block that was proven.
 */
import { badArgument, isObject, requireList } from '../../core/base/arguments.ts';
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { MAX_HEAD_AGE_SECONDS, QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, copyBlockId, formatBlockId } from '../../core/block/block-id.ts';
import { provenHeader } from '../../core/chain/block-header.ts';
import { parsePartialBlockProof } from '../../core/chain/block-proof.ts';
import { type Checkpoint, ownCheckpoint } from '../../core/chain/checkpoint.ts';
import { keyBlocksOf } from '../../core/chain/key-blocks.ts';
import { chooseOneOffEngine } from '../../core/ed25519/choose.ts';
import { Tasks } from '../async/tasks.ts';
import { sleep, startTimer, untilAborted } from '../async/timer.ts';
import { Voice } from '../follow/voice.ts';
import { isA, lacksBlock, outcomeOf } from '../machine/outcome.ts';
import {
  type Led,
  type NoWay,
  type SyncAction,
  type SyncEvent,
  type SyncPlan,
  type SyncState,
  startSync,
  stepSync,
  syncStall,
} from '../machine/sync.ts';
import { isOlderForAll } from '../machine/upgrade.ts';
import { hintFor } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import { withVoices } from '../sources/witness-report.ts';
import type { LiteServerClient } from './client.ts';
import { baseOf, blockOf, type Climb, climb, goOnFrom, stakesEndOf, type TrustStart, walkTowards } from './climb.ts';
import { Fleet, requireDistinctServers } from './fleet.ts';
import { askHeads, clockError, requireClock, type ServerHead } from './heads.ts';
import { readSyncOptions, type SyncOptions, type SyncStall } from './sync-options.ts';
import { type Ended, type SyncResult, syncResult } from './sync-result.ts';
import { type Hop, hopsOf, parting, Way } from './way.ts';
import { askWitnesses, judgeParting, type WitnessReport } from './witnesses.ts';

type Event = SyncEvent<LiteServerClient>;
type Action = SyncAction<LiteServerClient>;
/** What takes time. */
type Work = Extract<Action, { kind: 'ask-heads' | 'ask-names' | 'climb' | 'wake' | 'compare' }>;
type Sum = Pick<SyncResult, 'links' | 'answers' | 'bytes'>;

/** A climb that waits until its answer is taken. */
interface Waiting {
  readonly climbed: Climb;
  readonly target: BlockIdExt;
  /** The totals when it began. */
  readonly before: Sum;
  readonly go: () => void;
}

/** Milliseconds for one answer of a server that is asked alone for what it named. */
const NAMER_DEADLINE_MS = 3_000;

const NEVER = Number.POSITIVE_INFINITY;

const machineClock = () => Date.now() / 1000;

/** @param stakesEnd of the set that the way begins with */
function ledBy({ walk, header: { genUtime } }: Pick<Climb, 'walk' | 'header'>, stakesEnd: number): Led {
  return { tip: walk.tip, genUtime, startIsStale: walk.startIsStale === true, stakesEnd };
}

/** The machine, over a fleet and a clock. */
class Sync {
  readonly #fleet: Fleet;
  readonly #opts: SyncOptions;
  readonly #now: () => number;
  readonly #tasks: Tasks<Event>;
  readonly #voice: Voice<Omit<SyncStall, 'forMs'>>;
  #state: SyncState<LiteServerClient>;
  #sum: Sum = { links: 0, answers: 0, bytes: 0 };
  readonly #root: TrustStart;
  #trusted: TrustStart;
  #way = new Way();
  /** Ways that were left because no server led on from their end. They are proven all the same. */
  readonly #strays: (readonly Hop[])[] = [];
  /** What servers said last of the head and the time. */
  #heads: readonly ServerHead[] = [];
  /** The newest block that is proven by its own signatures. */
  #reached:
    | (Pick<Climb, 'walk' | 'header' | 'signatures' | 'report'> & { readonly prover?: LiteServerClient })
    | undefined;
  readonly #failures = new Map<number, SourceError>();
  readonly #waiting = new Map<number, Waiting>();
  #witnesses: WitnessReport | undefined;

  constructor(fleet: Fleet, from: TrustStart, opts: SyncOptions) {
    this.#fleet = fleet;
    this.#opts = opts;
    this.#now = opts.now ?? machineClock;
    this.#root = from;
    this.#trusted = from;
    this.#state = startSync(this.#plan());
    const reason = () => ({ ...syncStall(this.#state), ...present({ error: [...this.#failures.values()].at(-1) }) });
    this.#voice = new Voice({ signal: opts.signal, onStall: opts.onStall, maxOutageMs: NEVER, reason });
    this.#tasks = new Tasks(this.#voice.signal);
  }

  async run(): Promise<SyncResult> {
    this.#voice.listen();
    try {
      for (let event: Event = { kind: 'begin' }; ; event = await this.#tasks.take()) {
        const around = { nowSeconds: this.#now(), kept: this.#fleet.kept().length };
        const [state, actions] = stepSync(this.#state, event, around);
        this.#state = state;
        for (const action of actions) {
          if (action.kind === 'end') return this.#end(action);
          if (action.kind === 'take') await this.#take(action.id, state.startIsStale);
          else this.#do(action);
        }
      }
    } catch (error) {
      this.#voice.requireNoFault();
      throw error;
    } finally {
      this.#tasks.close();
      this.#voice.close();
    }
  }

  #plan(): SyncPlan<LiteServerClient> {
    const { to, maxHeadAgeSeconds = MAX_HEAD_AGE_SECONDS, acceptStaleStart = false, witnesses = 0 } = this.#opts;
    const root = this.#root;
    const tip = blockOf(root);
    const start = 'keyBlock' in root ? root : undefined;
    return {
      // Of a zerostate there is no header to end at.
      root: { tip, genUtime: tip.seqno === 0 ? undefined : start?.genUtime, isProven: false, prover: undefined },
      ...present({ resumed: this.#resume() }),
      startIsStale: this.#opts.startWasStale === true || start?.staleStart === 'refused',
      stakesEnd: start === undefined ? NEVER : stakesEndOf(start),
      isByNumber: to !== undefined,
      maxAgeSeconds: to === undefined ? maxHeadAgeSeconds : NEVER,
      acceptStaleStart,
      witnesses,
      servers: this.#fleet.clients.length,
    };
  }

  /** Proves what an interrupted run had proven. */
  #resume(): Led | undefined {
    const { resume = [], engine } = this.#opts;
    let led: Led | undefined;
    for (const tl of resume) {
      const claimed = parsePartialBlockProof(tl);
      const opts = { nowSeconds: this.#now(), ...present({ engine }) };
      const from = this.#trusted;
      const { isThere: _, ...step } = walkTowards(from, { tl, claimed }, claimed.to, opts);
      this.#way = this.#way.with({ client: { name: 'an earlier run' }, tl });
      this.#reached = step;
      this.#trusted = step.walk;
      led = ledBy(step, led?.stakesEnd ?? stakesEndOf(baseOf(from, claimed)));
    }
    if (this.#reached !== undefined) this.#trusted = goOnFrom(this.#reached.walk);
    return led;
  }

  #do(action: Exclude<Action, { kind: 'end' | 'take' }>): void {
    if (action.kind === 'leave') {
      this.#strays.push(this.#way.hops);
      this.#way = new Way();
      this.#trusted = this.#root;
      this.#reached = undefined;
    } else if (action.kind === 'doubt') {
      const { server, failed } = action;
      const astray = () => new SourceError('source/other-chain', `${server.name}: no server leads on from its proof`);
      this.#fleet.doubt(server, failed === undefined ? astray() : this.#failures.get(failed));
    } else if (action.kind === 'cancel') {
      this.#tasks.cancel(action.id);
      this.#waiting.delete(action.id);
    } else {
      const failed = (error: SourceError) => this.#failed(action, error);
      this.#tasks.begin(action.id, (signal) => this.#work(action, signal), failed);
    }
  }

  #work(action: Work, signal: Signal): Promise<Event> {
    switch (action.kind) {
      case 'ask-heads':
        return this.#askHeads(action.id, signal);
      case 'ask-names':
        return this.#askNames(action.id, signal);
      case 'climb':
        return this.#climb(action, signal);
      case 'compare':
        return this.#compare(action, signal);
      case 'wake':
        return sleep(action.ms, signal).then(() => ({ kind: 'woke', id: action.id }));
    }
  }

  #failed(action: Work, error: SourceError): Event | undefined {
    if (action.kind === 'compare') return undefined; // a fork, or a clock
    const { id } = action;
    this.#failures.set(id, error);
    if (action.kind !== 'climb') return { kind: 'failed', id };
    const said = error.statements.find(({ source }) => source === action.target.server.name)?.error;
    const isUnknown = said instanceof SourceError && lacksBlock(said.code);
    // What servers answer ends nothing: one of them may lie, and the others be slow.
    const isOfServers = error.endpoint !== undefined || error.statements.length > 0;
    const isLast = error === this.#fleet.lastErrorOf(action.target.server);
    const isFinal = isA(error.code, 'final') && !isOfServers && !isLast;
    const isUnsupported = outcomeOf(error) === 'unsupported';
    return { kind: 'failed', id, isUnknown, isFinal, isUnsupported, isOlder: isOlderForAll(error) };
  }

  async #askHeads(id: number, signal: Signal): Promise<Event> {
    this.#heads = await askHeads(this.#fleet, signal, this.#now);
    const heads = this.#heads.map(({ client: server, head }) => ({ server, block: head.last }));
    const doubted = this.#fleet.clients.filter((client) => this.#fleet.isDoubted(client));
    return { kind: 'heads', id, heads, doubted };
  }

  /** Blocks that servers name under a number are told as the answers come in. */
  async #askNames(id: number, signal: Signal): Promise<Event> {
    const to = this.#opts.to!; // names are asked for by that
    const opts = { serverMayWait: true, deadlineMs: QUESTION_DEADLINE_MS, signal };
    let isNamed = false;
    const ask = async (server: LiteServerClient) => {
      try {
        const { id: block } = await this.#fleet.ask(server, (one) => one.lookup(to, opts));
        isNamed = true;
        this.#tasks.put({ kind: 'named', id, target: { server, block } });
      } catch (error) {
        if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
      }
    };
    await Promise.all(this.#fleet.usable().map(ask));
    if (!isNamed) throw noAgreement(`no lite server has block ${to}`, this.#fleet.statements());
    return { kind: 'names-over', id };
  }

  async #climb({ id, target, isAlone }: Extract<Action, { kind: 'climb' }>, signal: Signal): Promise<Event> {
    const before = { ...this.#sum };
    const onStep = (climbed: Climb) => {
      const { leg, base } = climbed;
      const taken = new Promise<void>((go) => {
        if (!this.#tasks.isOpen(id)) return; // it was cancelled
        this.#waiting.set(id, { climbed, target: target.block, before, go });
        this.#tasks.put({ kind: 'held', id, prover: leg.client, ...ledBy(climbed, stakesEndOf(base)) });
      });
      return untilAborted(taken, signal);
    };
    await climb(this.#fleet, this.#trusted, target.block, {
      nowSeconds: this.#now(),
      namedBy: target.server,
      mayWait: true,
      onStep,
      signal,
      isAlone,
      ...(isAlone ? { deadlineMs: NAMER_DEADLINE_MS } : {}),
      ...present({ engine: this.#opts.engine }),
    });
    return { kind: 'arrived', id };
  }

  /** Trust moves to where an answer leads. */
  async #take(id: number, startIsStale: boolean): Promise<void> {
    const { climbed, before, target, go } = this.#waiting.get(id)!; // its answer was told
    const { walk, leg, links, answers, bytes } = climbed;
    if (parting(this.#way.hops, hopsOf(leg.tl, leg.client.name)) !== undefined) this.#strays.push(this.#way.hops);
    this.#way = this.#way.with(leg);
    this.#trusted = goOnFrom(walk);
    this.#reached = { ...climbed, prover: leg.client };
    this.#sum = { links: before.links + links, answers: before.answers + answers, bytes: before.bytes + bytes };
    await this.#opts.onProgress?.({
      checkpoint: walk.checkpoint,
      keyBlocks: keyBlocksOf(leg.tl),
      reports: walk.reports,
      tip: walk.tip,
      target,
      startIsStale,
      ...this.#sum,
      source: leg.client.name,
      answer: leg.tl,
    });
    go();
  }

  /** The block where trust is, and its header; of the very start the checkpoint has it. */
  #head(): Omit<Ended, 'fleet' | 'witnesses' | 'rootSeqno' | keyof Sum> {
    const reached = this.#reached;
    if (reached !== undefined) {
      const { tip, checkpoint } = reached.walk;
      const { header: tipHeader, prover } = reached;
      return { checkpoint, tip, tipHeader, climbed: reached, ...present({ prover }) };
    }
    const start = this.#root as Checkpoint; // else there is no head to end at
    return { checkpoint: start, tip: start.keyBlock, tipHeader: provenHeader(start.configProof, start.keyBlock) };
  }

  async #compare({ id, prover, baseIsStale }: Extract<Action, { kind: 'compare' }>, signal: Signal): Promise<Event> {
    const {
      tip,
      tipHeader: { genUtime },
      climbed,
    } = this.#head();
    requireClock(this.#heads, climbed === undefined || prover === undefined ? undefined : { client: prover, genUtime });
    const way = this.#way;
    const opts = { nowSeconds: this.#now(), baseIsStale, signal, ...present({ engine: this.#opts.engine }) };
    const asked = await askWitnesses(this.#fleet, { tip, way, ...present({ prover }) }, opts);
    // Two histories may have come to light on the way up.
    const forked: SourceStatement[] = [...asked.forked];
    const evidence = [...asked.evidence];
    for (const stray of this.#strays) {
      const parted = parting(way.hops, stray);
      if (parted === undefined) continue;
      const shown = await judgeParting(this.#fleet, parted, opts);
      if (shown !== undefined) evidence.push(shown);
      forked.push({ source: parted[1].source, key: formatBlockId(parted[1].to) });
    }
    const agreed = this.#fleet.voices(asked.agreed, prover);
    this.#witnesses = withVoices({ ...asked, forked, evidence }, agreed);
    const { contradicts } = asked;
    return { kind: 'compared', id, agreed, contradicts: contradicts.length, forked: forked.length };
  }

  #end(action: Extract<Action, { kind: 'end' }>): SyncResult {
    if (action.how === 'no-way') throw this.#noWay(action.why);
    const head = this.#head();
    if (action.how === 'clock') {
      const { seqno, genUtime } = head.tipHeader;
      const words = `head ${seqno} was made at ${genUtime}, this machine's clock says ${Math.round(this.#now())}`;
      throw clockError(words);
    }
    const fleet = this.#fleet;
    const witnesses = this.#witnesses!; // it was judged by them
    const rootSeqno = blockOf(this.#root).seqno;
    return syncResult({ ...head, ...this.#sum, fleet, witnesses, rootSeqno }, action, this.#opts);
  }

  #noWay(why: NoWay<LiteServerClient> | undefined): SourceError {
    if (why === undefined) return noAgreement('no lite server names a block to go to', this.#fleet.statements());
    if ('failed' in why) return this.#failures.get(why.failed)!; // it was kept when it came
    const { server: client, block } = why.target;
    const known = blockOf(this.#trusted);
    if (why.position === 'behind') {
      const message = `${client.name}: the servers' newest block is ${block.seqno}, trust stands at ${known.seqno}`;
      return new SourceError('source/not-ready', message, {
        hint: 'wait for a newer block, or ask other servers: these are behind',
      });
    }
    return new SourceError('source/other-chain', `${client.name}: its block ${known.seqno} is not the trusted one`, {
      endpoint: client.name,
      hint: 'the server is on another chain, or the checkpoint is',
    });
  }
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
  const clients = requireDistinctServers(servers);
  const options = readSyncOptions(opts, blockOf(start).seqno, clients);
  const fleet = new Fleet(clients, 'run', options.countEachServer);
  const engine = options.engine ?? (await chooseOneOffEngine());
  const { deadlineMs } = options;
  const timer = deadlineMs === undefined ? undefined : startTimer(deadlineMs, options.signal);
  const signal = timer?.signal ?? options.signal;
  try {
    return await new Sync(fleet, start, { ...options, engine, ...present({ signal }) }).run();
  } catch (error) {
    if (timer?.expired !== true || !(error instanceof SourceError)) throw fleet.whyOver(error);
    const [hint, statements] = [hintFor('source/timeout'), fleet.statements()];
    throw new SourceError('source/timeout', `not over in ${deadlineMs} ms`, { statements, hint, cause: error });
  } finally {
    timer?.close();
  }
}
