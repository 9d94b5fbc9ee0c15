/**
 * Combines several servers for availability only: they are asked in order, the next one as soon as one is late. Answers
 * are not cross-checked.
 */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { DEFAULT_DEADLINE_MS } from '../../core/base/limits.ts';
import { callback, number, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { LONGEST_TIMEOUT_MS, sleep, withinOneDeadline } from '../async/timer.ts';
import { effectOf } from '../machine/outcome.ts';
import { WAIT_STEP_MS } from '../machine/retry.ts';
import { HEAD_JITTER } from '../machine/stall.ts';
import { REST_RULES } from '../machine/standing.ts';
import { type AnswerOfServer, askServers } from './ask-servers.ts';
import { ASK_OPTIONS, type AskOptions, type BlockSource, requireDistinct, type SignedAnswer } from './block-source.ts';
import { noAgreement } from './no-agreement.ts';
import { Pool } from './pool.ts';
import { type HealthChange, observed, type ServerObservers } from './server-events.ts';
import { readSigned } from './signed-answer.ts';

/** When `firstOf` asks the next server as well, and which events it reports. */
export interface FirstOfOptions extends ServerObservers {
  /**
   * Milliseconds that a server has before the next server is asked as well, without the wait for its turn in its own
   * pace. Default 1 s; `Infinity` waits until the server fails.
   */
  readonly patienceMs?: number;
  /** Called when a server is found healthy, slow, behind or down. */
  readonly onHealth?: (change: HealthChange) => void;
  /** Milliseconds that a server's head may stay the same before the other servers are asked for theirs. Default 5 s. */
  readonly stallMs?: number;
}

/** A probed server may still be dead, so the next server is asked soon. */
const PROBE_PATIENCE_MS = 300;

/** Milliseconds that the remaining servers have once all were asked and there is only a poor answer. */
const REST_MS = 500;

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
      return await withinOneDeadline(name, { ...present({ signal: caller }), ...limit }, heard, (signal) =>
        round({ ...limit, signal }, heard),
      );
    } catch (error) {
      const isNotReady = error instanceof SourceError && error.code === 'source/not-ready';
      if (!waitForBlock || !isNotReady || leftMs(deadlineMs) <= WAIT_STEP_MS) throw error;
      await withinOneDeadline(name, present({ signal: caller }), heard, (signal) => sleep(WAIT_STEP_MS, signal));
    }
  }
}

interface SeenHead {
  readonly head: number;
  /** When the head moved last, or was last compared with the others. */
  readonly atMs: number;
}

/**
 * Decides whether a server's head can be the newest block. A head that stays the same, or goes back, is a reason to ask
 * the other servers; the highest head then wins. Each head is compared with earlier heads of the same server: only where
 * heads stand still can a server with an absurd head make the honest ones look behind.
 * @param stallMs how long a head may stay the same before the other servers are asked
 */
function ownHeads(pool: Pool<BlockSource>, stallMs: number) {
  const seen = new Map<BlockSource, SeenHead>();
  return {
    /**
     * Whether this head may be used without asking the others. @param poor heads of other servers that were not good
     * enough
     */
    isGood({ source, answer }: AnswerOfServer<number>, poor: readonly AnswerOfServer<number>[]): boolean {
      const before = seen.get(source);
      const now = performance.now();
      const hasMoved = before === undefined || answer > before.head;
      if (hasMoved) seen.set(source, { head: answer, atMs: now });
      if (poor.length > 0) return poor.every(({ answer: other }) => answer > other);
      return hasMoved || (answer >= before.head - HEAD_JITTER && now - before.atMs < stallMs);
    },
    /** Returns the highest head; servers with a lower one that gave reason to ask are behind. */
    highest(won: AnswerOfServer<number>, poor: readonly AnswerOfServer<number>[]): number {
      const heads = [...poor.filter((one) => one !== won), won];
      const best = Math.max(...heads.map(({ answer }) => answer));
      if (poor.length === 0) return best;
      for (const { source, answer } of heads) {
        if (answer < best) pool.rest(source, undefined, 'behind');
        else {
          // No server knows a newer block: the chain itself stalled, or went back. Ask again after the same time.
          seen.set(source, { head: answer, atMs: performance.now() });
          pool.answered(source, performance.now());
        }
      }
      return best;
    },
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

  /** Asks in rounds, and resolves to the first good answer, or else the first poor one. */
  function run<T>(
    operation: 'latestSeqno' | 'signatures',
    options: AskOptions,
    one: (source: BlockSource, opts: AskOptions) => Promise<T>,
    isGood: (given: AnswerOfServer<T>, poor: readonly AnswerOfServer<T>[]) => boolean,
    before: ReadonlySet<BlockSource>,
  ): Promise<Won<T>> {
    const question = operation === 'latestSeqno' ? 'head' : 'signatures';
    return inRounds(name, options, async (opts, heard) => {
      const candidates = pool.inOrder(question, patienceMs).filter(({ source }) => !before.has(source));
      const probes = new Set(candidates.flatMap(({ source, isProbe }) => (isProbe ? [source] : [])));
      const poor: AnswerOfServer<T>[] = [];
      let good: AnswerOfServer<T> | undefined;
      const { slow, late } = await askServers<T>({
        sources: candidates.map(({ source }) => source),
        signal: opts.signal,
        heard,
        restMs: REST_MS,
        patienceMs(source) {
          if (!probes.has(source)) return patienceMs;
          pool.probing(source);
          return Math.min(patienceMs, PROBE_PATIENCE_MS);
        },
        ask: (source) => observed(observers, source.name, operation, () => one(source, opts)),
        onAnswer(given, askedAtMs) {
          if (!isGood(given, poor)) {
            poor.push(given);
            return undefined;
          }
          pool.answered(given.source, askedAtMs);
          good = given;
          return 0;
        },
        onFailure(source, error) {
          const effect = effectOf(error);
          if (effect !== 'none' && effect !== 'behind') pool.rest(source, error);
          return undefined;
        },
      });
      // Unfinished questions of a caller that stopped are not counted against their servers.
      if (options.signal?.aborted !== true) for (const source of slow) pool.rest(source, undefined, 'slow');
      const won = good ?? poor[0];
      if (won === undefined) throw noAgreement(`none of ${candidates.length} servers gave an answer`, heard);
      if (!opts.signal.aborted) for (const source of late) pool.rest(source, undefined, 'behind');
      return { won, poor };
    });
  }

  /** Asks for signatures. @param before the sources whose answers were invalid */
  async function signaturesFrom(
    seqno: number,
    options: AskOptions,
    before: ReadonlySet<BlockSource>,
  ): Promise<SignedAnswer> {
    const ask = async (source: BlockSource, one: AskOptions) =>
      readSigned(await source.signatures(seqno, one), seqno, source.name);
    const { won } = await run('signatures', options, ask, () => true, before);
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

  return Object.freeze({
    name,
    async latestSeqno(options: AskOptions = {}): Promise<number> {
      const ask = (source: BlockSource, one: AskOptions) => source.latestSeqno(one);
      const { won, poor } = await run('latestSeqno', options, ask, heads.isGood, new Set());
      return heads.highest(won, poor);
    },
    signatures: (seqno: number, options: AskOptions = {}) => signaturesFrom(seqno, options, new Set()),
    waitMs: () => Math.min(...list.map((source) => source.waitMs?.() ?? 0)),
  });
}
