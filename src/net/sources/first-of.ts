/**
 * Combines several servers for availability only: they are asked in order, the next one as soon as one is late. Answers
 * are not cross-checked.
 */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { DEFAULT_DEADLINE_MS, QUESTION_DEADLINE_MS, TURN_DEADLINE_MS } from '../../core/base/limits.ts';
import { callback, number, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { LONGEST_TIMEOUT_MS, sleepUnlessStopped, withinOneDeadline } from '../async/timer.ts';
import { effectOf, isA } from '../machine/outcome.ts';
import { grownMs } from '../machine/pause.ts';
import { WAIT_STEP_MS } from '../machine/retry.ts';
import { HEAD_JITTER } from '../machine/stall.ts';
import { REST_RULES } from '../machine/standing.ts';
import { type AnswerOfServer, askServers } from './ask-servers.ts';
import { ASK_OPTIONS, type AskOptions, type BlockSource, requireDistinct, type SignedAnswer } from './block-source.ts';
import { noAgreement } from './no-agreement.ts';
import { type Candidate, Pool } from './pool.ts';
import { type HealthChange, observed, type ServerObservers } from './server-events.ts';
import { askSigned, headOf, readSigned } from './signed-answer.ts';

/** When `firstOf` asks the next server as well, and which events it reports. */
export interface FirstOfOptions extends ServerObservers {
  /**
   * Milliseconds that a server has before the next server is asked as well, or all others for a head, without the wait
   * for its turn in its own pace. Where another server does not have the block yet, a third of this time. Default 1 s;
   * `Infinity` waits until the server fails.
   */
  readonly patienceMs?: number;
  /** Called when a server is found healthy, slow, behind or down. */
  readonly onHealth?: (change: HealthChange) => void;
  /** Milliseconds that a server's head may stay the same before the other servers are asked for theirs. Default 5 s. */
  readonly stallMs?: number;
}

/** A probed server may still be dead, so the next server is asked soon. */
const PROBE_PATIENCE_MS = 300;

/** Milliseconds that the remaining servers have once no answer is waited for. */
const REST_MS = 500;

const probesOf = (candidates: readonly Candidate<BlockSource>[]) =>
  new Set(candidates.flatMap(({ source, isProbe }) => (isProbe ? [source] : [])));

interface Won<T> {
  /** The good answer; without one, the first of the poor answers. */
  readonly won: AnswerOfServer<T>;
  readonly poor: readonly AnswerOfServer<T>[];
}

/** Waits for a block in rounds over all servers, because one server may never get it. */
async function inRounds<T>(
  name: string,
  given: AskOptions,
  round: (opts: AskOptions & { readonly signal: Signal }, heard: SourceStatement[]) => Promise<T>,
): Promise<T> {
  const { signal: caller, deadlineMs, waitForBlock = false } = readOptions(given, '', ASK_OPTIONS);
  const start = performance.now();
  const leftMs = (limitMs = DEFAULT_DEADLINE_MS) => Math.max(1, limitMs - (performance.now() - start));
  for (;;) {
    const heard: SourceStatement[] = [];
    const limit = present({ deadlineMs: deadlineMs && leftMs(deadlineMs) });
    try {
      return await withinOneDeadline(name, present({ signal: caller, ...limit }), heard, (signal) =>
        round({ ...limit, signal }, heard),
      );
    } catch (error) {
      const isNotReady = error instanceof SourceError && error.code === 'source/not-ready';
      if (!waitForBlock || !isNotReady || leftMs(deadlineMs) <= WAIT_STEP_MS) throw error;
      await sleepUnlessStopped(WAIT_STEP_MS, caller);
    }
  }
}

/** How often a server may lack a block that it named, before its heads do not count. */
const MAX_LACKS = 3;

/** Blocks by which a server that gave none may lead: enough for one that is up to date and slow to give one first. */
const MAX_LEAD = 8;

/** Milliseconds in which a server counts less that did not give what it named: at first, and at most. */
const IN_VAIN_MS = 5_000;
const IN_VAIN_CAP_MS = 60_000;

/** Milliseconds in which signatures are judged: a server whose last ones were not valid counts again after that. */
const TRIAL_MS = 1_000;

/** The memory of one server's heads. */
interface SeenHead {
  head: number;
  /** When the head moved last, or was last compared with the others. */
  atMs: number;
  /** The head, where another server named a higher one. */
  low: number;
  /** How often the server lacked a block that it named, and the block for which it was doubted last. */
  times: number;
  lacked: number;
  /** How often the server was doubted since it gave a block, and the time until which it counts less. */
  vain: number;
  untilMs: number;
  /** The highest block that the server gave since it was doubted last; -1 for none. */
  gave: number;
  /** When the server gave the first signatures after some that were not valid; infinite before. */
  trialMs?: number | undefined;
}

/**
 * Decides whether a server's head can be the newest block. A head that stays the same, or goes back, is a reason to ask
 * the other servers; the highest head then wins. A head is a claim, so a server with a lower one is `behind` only once
 * signatures of a higher block came. Heads of a server that does not give the block that it named do not count for a while.
 * The heads of the other servers are heard now and then, so a head that moves counts only while it keeps up with them.
 * Once a server gave a block, the head of a server that gave none counts for at most `MAX_LEAD` blocks more. A true head
 * is proven by those blocks.
 * @param stallMs how long a head may stay the same before the other servers are asked
 */
function ownHeads(pool: Pool<BlockSource>, stallMs: number) {
  const seen = new Map<BlockSource, SeenHead>(
    pool.servers.map((one) => [
      one,
      { head: -1, atMs: 0, low: Number.POSITIVE_INFINITY, lacked: 0, times: 0, vain: 0, untilMs: 0, gave: -1 },
    ]),
  );
  const of = (source: BlockSource) => seen.get(source)!; // a server of this pool
  const isInVain = (source: BlockSource) => performance.now() < of(source).untilMs;
  /** Doubts a server because of a block that it named. */
  function doubt(source: BlockSource, seqno: number): void {
    const one = of(source);
    if (seqno <= one.head && !isInVain(source)) {
      pool.doubt(source);
      one.gave = -1;
      one.lacked = seqno;
      one.untilMs = performance.now() + grownMs(IN_VAIN_MS, IN_VAIN_CAP_MS, one.vain++);
    }
  }
  function note({ source, answer }: AnswerOfServer<number>, least = of(source).head + 1): undefined {
    if (answer >= least)
      Object.assign(of(source), { head: answer, atMs: performance.now(), low: Number.POSITIVE_INFINITY });
  }
  /** Returns the highest head that moved lately, which a server that is behind has to reach. */
  function leastFor(source: BlockSource): number {
    const sinceMs = performance.now() - 2 * stallMs;
    const lately = [...seen.values()].filter(({ atMs, untilMs }) => atMs > Math.max(sinceMs, untilMs));
    return Math.max(...lately.map(({ head }) => head)) - (pool.stateOf(source) === 'behind' ? 0 : HEAD_JITTER);
  }
  return {
    /**
     * Whether this head may be used without asking the others. @param poor heads of other servers that were not good
     * enough
     */
    isGood(given: AnswerOfServer<number>, poor: readonly AnswerOfServer<number>[]): boolean {
      const { source, answer } = given;
      const { head, atMs } = of(source);
      note(given);
      if (pool.isDoubted(source) || answer < leastFor(source)) return false;
      const others = poor.filter((one) => !pool.isDoubted(one.source));
      if (others.length > 0) return others.every(({ answer: other }) => answer > other);
      return answer > head || (answer >= head - HEAD_JITTER && performance.now() - atMs < stallMs);
    },
    /** Returns the highest head that counts, or the highest if none does. */
    highest(won: AnswerOfServer<number>, poor: readonly AnswerOfServer<number>[]): number {
      const heads = [...poor.filter((one) => one !== won), won];
      // Only a block that is asked for ends a doubt, so that the heads of doubted servers count again after a while.
      const some = heads.filter(({ source }) => !isInVain(source));
      const counted = some.length > 0 ? some : heads;
      // A server that gave no block leads little beyond those that did: its block must come before its head counts.
      const proven = Math.max(
        ...pool.servers.map((source) => of(source).gave),
        ...counted.map(({ source, answer }) => (of(source).gave < 0 ? -1 : answer)),
      );
      const most = proven < 0 ? Number.POSITIVE_INFINITY : proven + MAX_LEAD;
      const best = Math.min(most, Math.max(...counted.map(({ answer }) => answer)));
      if (counted.length === 1 && !poor.includes(won)) return best;
      for (const one of counted) {
        if (one.answer < best) of(one.source).low = one.answer;
        else {
          // No server knows a newer block: the chain itself stalled, or went back. Ask again after the same time.
          note(one, best);
          if (proven < 0 || of(one.source).gave >= 0) pool.answered(one.source, performance.now());
        }
      }
      return best;
    },
    isBelow: (source: BlockSource, seqno: number) => of(source).low < seqno,
    /** Notes the signatures of a block. Servers whose heads are below it are behind. */
    gave(server: BlockSource, seqno: number): void {
      const one = of(server);
      const nowMs = performance.now();
      // Where its last signatures were not valid, these may not be either.
      const { trialMs = Number.NEGATIVE_INFINITY } = one;
      one.trialMs = nowMs - trialMs < TRIAL_MS ? Math.min(trialMs, nowMs) : undefined;
      if (one.trialMs !== undefined) return;
      if (seqno >= one.lacked) {
        pool.believe(server);
        Object.assign(one, { vain: 0, untilMs: 0, times: 0, gave: Math.max(one.gave, seqno) });
      }
      if (one.low < seqno) one.low = Number.POSITIVE_INFINITY; // it has the block
      for (const [source, { low }] of seen) {
        if (low < seqno && pool.stateOf(source) === 'up') pool.rest(source, undefined, 'behind');
      }
    },
    /** Notes that a server failed to give a block, or that another server gave it first. */
    lacks(server: BlockSource, seqno: number): void {
      const one = of(server);
      if (seqno <= one.head && ++one.times % MAX_LACKS === 0) doubt(server, seqno);
    },
    /** Notes that a server left a question for a block open that other servers do not have. */
    doubt,
    /** Notes that a server gave signatures that are not valid. */
    refuse(server: BlockSource, seqno: number): void {
      of(server).trialMs = Number.POSITIVE_INFINITY;
      doubt(server, seqno);
    },
    /** Whether signatures of the server say nothing before they are judged. */
    isOnTrial: (server: BlockSource) => of(server).trialMs !== undefined,
    /** Returns the milliseconds that a server has where others do not have a block; 0 where it is not waited for. */
    graceMs: (server: BlockSource) =>
      isInVain(server) ? 0 : pool.isDoubted(server) ? TURN_DEADLINE_MS : QUESTION_DEADLINE_MS,
  };
}

const READERS = {
  patienceMs: (ms: unknown, path: string): number =>
    // `number` rejects anything else
    ms === Number.POSITIVE_INFINITY ? ms : number(1, LONGEST_TIMEOUT_MS, 1000)(ms as never, path),
  stallMs: number(1, LONGEST_TIMEOUT_MS, 5000),
  onServer: callback(),
  onHealth: callback(),
};

/**
 * Combines several sources into one that asks them in order: the next one when one fails or takes longer than
 * `patienceMs`. Sources that failed are asked after the others until a probe shows that they have recovered.
 * @param sources one or more sources, each with a name of its own
 * @param given when to ask the next source, and observers; default: after 1 s (`patienceMs`)
 * @returns a source
 * @throws UsageError for no source, or one given twice
 * @example
 * ```ts
 * import { firstOf, toncenterV2 } from 'ton-finality/servers';
 * const source = firstOf([
 *   toncenterV2({ baseUrl: 'https://a.example/api/v2' }),
 *   toncenterV2({ baseUrl: 'https://b.example/api/v2' }),
 * ]);
 * console.log(source.name); // first of (https://a.example/api/v2, https://b.example/api/v2)
 * ```
 */
export function firstOf(sources: readonly BlockSource[], given: FirstOfOptions = {}): BlockSource {
  const list = requireDistinct(sources);
  const { patienceMs, stallMs, onHealth, ...observers } = readOptions(given, '', READERS);
  const name = `first of (${list.map((source) => source.name).join(', ')})`;
  const pool = new Pool(list, REST_RULES.http, onHealth);
  const heads = ownHeads(pool, stallMs);
  /** How many heads did not come in time since one moved. The only server that is up to date may be a slow one. */
  let unheard = 0;
  /** When the heads of all servers were asked for last, and the questions of that time. */
  let heardMs = performance.now();
  let hearing: Promise<void> | undefined;

  /**
   * Asks in rounds, and resolves to the first good answer, or else the first poor one. @param seqno the block that
   * signatures are asked for; none for heads
   */
  function run<T>(
    seqno: number | undefined,
    options: AskOptions,
    one: (source: BlockSource, opts: AskOptions) => Promise<T>,
    isGood: (given: AnswerOfServer<T>, poor: readonly AnswerOfServer<T>[]) => boolean,
    before: ReadonlySet<BlockSource>,
  ): Promise<Won<T>> {
    const isHead = seqno === undefined;
    return inRounds(name, options, async (opts, heard) => {
      const usable = pool
        .inOrder(isHead ? 'head' : 'signatures', patienceMs)
        .filter(({ source }) => !before.has(source));
      const isBelow = ({ source }: Pick<Candidate<BlockSource>, 'source'>) => !isHead && heads.isBelow(source, seqno);
      // One server that named the block goes first: if it made the block up, another may have the block by then.
      const [first, ...others] = usable.filter((one) => !isBelow(one));
      const candidates = [...(first ? [first] : []), ...usable.filter(isBelow), ...others];
      const probes = probesOf(candidates);
      const silent: BlockSource[] = [];
      const poor: AnswerOfServer<T>[] = [];
      let good: AnswerOfServer<T> | undefined;
      let isEarly = false;
      const { slow, late } = await askServers<T>({
        sources: candidates.map(({ source }) => source),
        signal: opts.signal,
        heard,
        restMs: isHead ? grownMs(REST_MS, TURN_DEADLINE_MS, unheard) : REST_MS,
        graceMs: heads.graceMs,
        patienceMs(source) {
          // Where the first head is late, or does not count alone, those of all others are compared: each may be slow.
          const isAlone = source === candidates[0]!.source && !pool.isDoubted(source);
          if (isHead && !isAlone && Number.isFinite(patienceMs)) return 0;
          // A server that does not have the block yet is asked again once all others were asked, so this must be soon.
          const ms = isEarly ? patienceMs / 3 : patienceMs;
          if (!probes.has(source)) return ms;
          pool.probing(source);
          return Math.min(ms, PROBE_PATIENCE_MS);
        },
        ask: (source) =>
          observed(observers, source.name, isHead ? 'latestSeqno' : 'signatures', () => one(source, opts)),
        onAnswer(given, askedAtMs) {
          if (!isGood(given, poor)) {
            poor.push(given);
            return undefined;
          }
          if (isHead || !heads.isOnTrial(given.source)) pool.answered(given.source, askedAtMs);
          good = given;
          return 0;
        },
        onFailure(source, error) {
          const effect = effectOf(error);
          isEarly ||= effect === 'behind';
          if (effect !== 'none' && !isHead) heads.lacks(source, seqno);
          if (effect !== 'none' && effect !== 'behind') pool.rest(source, error);
          if (isA(error.code, 'silence')) silent.push(source);
          return undefined;
        },
      });
      // Unfinished questions are not counted against servers that were not waited for, or whose caller stopped.
      const unfinished =
        options.signal?.aborted === true
          ? []
          : slow.filter((source) => good !== undefined || heads.graceMs(source) > 0);
      for (const source of unfinished) pool.rest(source, undefined, 'slow');
      const won = good ?? poor[0];
      if (isHead) unheard = poor.length > 0 ? unheard + slow.length : 0;
      // A question for heads has no number, and no server is doubted because of it.
      if (late.length > 0 || (won && isBelow(won)))
        for (const source of [...unfinished, ...silent]) (won ? heads.lacks : heads.doubt)(source, seqno!);
      if (won === undefined) throw noAgreement(`none of ${candidates.length} servers gave an answer`, heard);
      if (!opts.signal.aborted && !heads.isOnTrial(won.source))
        for (const source of late) if (source !== won.source) pool.rest(source, undefined, 'behind');
      return { won, poor };
    });
  }

  /** Asks for signatures. @param before the sources whose answers were invalid */
  async function signaturesFrom(
    seqno: number,
    options: AskOptions,
    before: ReadonlySet<BlockSource>,
  ): Promise<SignedAnswer> {
    const ask = (source: BlockSource, one: AskOptions) => askSigned(source, seqno, one);
    const { won } = await run(seqno, options, ask, () => true, before);
    heads.gave(won.source, seqno);
    return passOn(seqno, won, new Set([...before, won.source]));
  }

  /** Passes an answer on under this source. @param gave the sources whose answers are used up with this one */
  function passOn(
    seqno: number,
    { source, answer }: AnswerOfServer<SignedAnswer>,
    gave: ReadonlySet<BlockSource>,
  ): SignedAnswer {
    return Object.freeze({
      ...answer,
      async another(options: AskOptions = {}): Promise<SignedAnswer | undefined> {
        let failure: SourceError | undefined;
        heads.refuse(source, seqno);
        try {
          const inner = await answer.another?.(options);
          if (inner !== undefined)
            return passOn(seqno, { source, answer: readSigned(inner, seqno, source.name) }, gave);
        } catch (error) {
          if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
          failure = error; // the failure is of the servers behind this source; the other sources may still succeed
        }
        if (gave.size < list.length) return await signaturesFrom(seqno, options, gave);
        if (failure !== undefined) throw failure;
        return undefined;
      },
      blame: answer.blame ?? (() => pool.blame(source)),
    });
  }

  /** Hears the heads of the other servers in the background, which probes those that no question needs. */
  async function hear(but: BlockSource, options: AskOptions): Promise<void> {
    const probes = probesOf(pool.inOrder('head', patienceMs));
    const limit = { ...options, deadlineMs: Math.min(stallMs, TURN_DEADLINE_MS) };
    const ask = (signal: Signal) =>
      askServers<number>({
        sources: list.filter((source) => source !== but),
        signal,
        heard: [],
        ask: (one) => observed(observers, one.name, 'latestSeqno', () => headOf(one, { ...limit, signal })),
        onAnswer(given, askedAtMs) {
          if (heads.isGood(given, []) && probes.has(given.source)) pool.answered(given.source, askedAtMs);
          return undefined;
        },
        onFailure: () => undefined,
      });
    await withinOneDeadline(name, limit, [], ask).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
    });
  }

  return Object.freeze({
    name,
    async latestSeqno(options: AskOptions = {}): Promise<number> {
      const { won, poor } = await run(undefined, options, headOf, heads.isGood, new Set());
      const nowMs = performance.now();
      // Where no head was good, all servers were asked.
      if (poor.includes(won)) heardMs = nowMs;
      else if (nowMs - heardMs >= stallMs) {
        heardMs = nowMs;
        const before = hearing;
        hearing = hear(won.source, options);
        hearing.catch(() => {}); // the next look throws it, once
        await before;
      }
      return heads.highest(won, poor);
    },
    signatures: (seqno: number, options: AskOptions = {}) => signaturesFrom(seqno, options, new Set()),
    waitMs: () => Math.min(...list.map((source) => source.waitMs?.() ?? 0)),
  });
}
