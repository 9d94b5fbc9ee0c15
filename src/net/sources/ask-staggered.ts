/**
 * Asks several servers one question, the likeliest first. The next server is asked when one fails, or takes longer than
 * its time. The first good answer wins, the other questions are stopped, and the pool remembers how each server did.
 */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { effectOf } from '../machine/outcome.ts';
import type { AskOptions, BlockSource } from './block-source.ts';
import { noAgreement } from './no-agreement.ts';
import type { Candidate, Pool } from './pool.ts';

/** A server and its answer. */
export interface AnswerOfServer<T> {
  readonly source: BlockSource;
  readonly answer: T;
}

/** A question, and the servers to ask in order. */
export interface StaggerRules<T> {
  readonly candidates: readonly Candidate<BlockSource>[];
  readonly pool: Pool<BlockSource>;
  readonly ask: (source: BlockSource, opts: AskOptions) => Promise<T>;
  /** Options of the question. Its signal stops all servers; it also fires when the answer is there. */
  readonly opts: AskOptions;
  /** The caller's own signal. If it fires, unfinished questions are not counted against their servers. */
  readonly caller: Signal | undefined;
  /** Failures are appended to this list. */
  readonly heard: SourceStatement[];
  /** Milliseconds that a server has before the next server is asked as well. */
  readonly patienceMs: number;
  /**
   * Whether an answer ends the search. Other answers are kept, in case no server has a better one. Default: any answer
   * ends it.
   */
  readonly isGood?: ((given: AnswerOfServer<T>, poor: readonly AnswerOfServer<T>[]) => boolean) | undefined;
}

export interface Staggered<T> {
  /** The good answer; without one, the first of the poor answers. */
  readonly won: AnswerOfServer<T>;
  readonly poor: readonly AnswerOfServer<T>[];
}

/** A probed server may still be dead, so the next server is asked soon. */
const PROBE_PATIENCE_MS = 300;

/**
 * Milliseconds after which servers that did not have the answer yet are asked again, while a slower server is waited
 * for.
 */
const LATE_MS = 500;

/** Milliseconds that the remaining servers have once all were asked and there is only a poor answer. */
const REST_MS = 500;

/**
 * Asks the candidates in turn, and resolves to the first good answer, or else the first poor one.
 * @throws SourceError when no server gave an answer; any other error at once
 */
export function askStaggered<T>(rules: StaggerRules<T>): Promise<Staggered<T>> {
  const { candidates, pool, ask, opts, caller, heard, patienceMs, isGood = () => true } = rules;
  return new Promise((resolve, reject) => {
    const pending = new Map<BlockSource, { readonly turn: number; readonly startedAt: number }>();
    const late: BlockSource[] = []; // servers that did not have the answer yet
    const everLate = new Set<BlockSource>();
    const poor: AnswerOfServer<T>[] = [];
    let asked = 0;
    let turns = 0;
    let isOver = false;
    let timeout: ReturnType<typeof setTimeout> | undefined;

    /** @param last may throw, because observers may; the promise is then rejected with that error */
    function end(last: () => void): void {
      isOver = true;
      clearTimeout(timeout);
      try {
        last();
      } catch (error) {
        reject(error);
      }
    }

    function win(won: AnswerOfServer<T>, wonTurn: number): void {
      end(() => {
        for (const [source, { turn }] of pending) if (turn < wonTurn) pool.rest(source, undefined, 'slow');
        for (const source of late) pool.rest(source, undefined, 'behind');
        resolve({ won, poor });
      });
    }

    function goOn(): void {
      const [first] = poor;
      if (asked < candidates.length) askNext();
      else if (pending.size > 0) waitForRest();
      else if (first !== undefined) win(first, Number.POSITIVE_INFINITY);
      else {
        end(() => {
          throw noAgreement(`none of ${candidates.length} servers gave an answer`, heard);
        });
      }
    }

    const hasSilent = () => [...pending.keys()].some((source) => !everLate.has(source));

    /** Waits for the slow servers, after all were asked. */
    function waitForRest(): void {
      const [first] = poor;
      if (first !== undefined) timeout ??= setTimeout(() => win(first, Number.POSITIVE_INFINITY), REST_MS);
      // Late servers are asked again only while another server has not answered at all. Otherwise two late servers
      // would start each other forever.
      else if (late.length > 0 && hasSilent()) timeout ??= setTimeout(askLateAgain, LATE_MS);
    }

    function askNext(): void {
      clearTimeout(timeout);
      timeout = undefined;
      const candidate = candidates[asked];
      if (candidate === undefined || isOver || opts.signal?.aborted) return;
      asked++;
      const { source, isProbe } = candidate;
      if (isProbe) pool.probing(source);
      send(source);
      const ms = isProbe ? Math.min(patienceMs, PROBE_PATIENCE_MS) : patienceMs;
      if (asked === candidates.length) waitForRest();
      else if (ms !== Number.POSITIVE_INFINITY) timeout = setTimeout(askNext, ms);
    }

    /** Asks late servers again: they may have the answer by now, and the slow server may never answer. */
    function askLateAgain(): void {
      timeout = undefined;
      if (!hasSilent()) return;
      for (const source of late.splice(0)) {
        const at = heard.findIndex((one) => one.source === source.name);
        heard.splice(at, 1);
        send(source);
      }
    }

    function send(source: BlockSource): void {
      pending.set(source, { turn: turns++, startedAt: performance.now() });
      ask(source, opts)
        .then(
          (answer) => onAnswer({ source, answer }),
          (error: unknown) => onFailure(source, error),
        )
        .catch((error: unknown) =>
          end(() => {
            throw error;
          }),
        );
    }

    function onAnswer(given: AnswerOfServer<T>): void {
      const asking = pending.get(given.source);
      if (isOver || asking === undefined) return;
      pending.delete(given.source);
      if (isGood(given, poor)) {
        pool.answered(given.source, asking.startedAt);
        win(given, asking.turn);
      } else {
        poor.push(given);
        goOn();
      }
    }

    function onFailure(source: BlockSource, error: unknown): void {
      if (isOver) return;
      if (!(error instanceof SourceError)) throw error;
      pending.delete(source);
      heard.push({ source: source.name, error });
      const effect = effectOf(error);
      if (effect === 'behind') {
        late.push(source);
        everLate.add(source);
      } else if (effect !== 'none') pool.rest(source, error);
      goOn();
    }

    function onStop(): void {
      if (isOver) return;
      end(() => {
        if (caller?.aborted) return;
        // unfinished when the question's time limit is reached
        for (const source of pending.keys()) pool.rest(source, undefined, 'slow');
      });
    }
    if (opts.signal?.aborted) return;
    opts.signal?.addEventListener('abort', onStop, { once: true });
    askNext();
  });
}
