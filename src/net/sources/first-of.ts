/**
 * Combines several servers for availability only: they are asked in order, the next one as soon as one is late. Answers
 * are not cross-checked.
 */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { DEFAULT_DEADLINE_MS, TURN_DEADLINE_MS } from '../../core/base/limits.ts';
import { callback, number, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { LONGEST_TIMEOUT_MS, sleepUnlessStopped, withinOneDeadline } from '../async/timer.ts';
import { effectOf, isA } from '../machine/outcome.ts';
import { grownMs, WAIT_STEP_MS } from '../machine/retry.ts';
import { REST_RULES } from '../machine/standing.ts';
import { type AnswerOfServer, askServers } from './ask-servers.ts';
import { ASK_OPTIONS, type AskOptions, type BlockSource, requireDistinct, type SignedAnswer } from './block-source.ts';
import { noAgreement } from './no-agreement.ts';
import { ownHeads } from './own-heads.ts';
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
