/**
 * One question to several servers, likeliest first: the next one is asked when one fails, or takes longer than its time. The
 * first good answer wins, the others are stopped, and what was seen of each server is remembered.
 */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { effectOf } from '../machine/outcome.ts';
import type { AskOptions, BlockSource } from './block-source.ts';
import { noAgreement } from './no-agreement.ts';
import type { Candidate, Pool } from './pool.ts';

/** One server and its answer. */
export interface Given<T> {
  readonly source: BlockSource;
  readonly answer: T;
}

export interface StaggerRules<T> {
  /** Milliseconds that a server has before the next one is asked as well. */
  readonly patienceMs: number;
  /** Whether an answer ends the search; one that does not is kept, in case nobody has a better one. Default: any does. */
  readonly isGood?: (given: Given<T>, poor: readonly Given<T>[]) => boolean;
}

export interface Staggered<T> {
  /** The good answer, or of poor ones the first. */
  readonly won: Given<T>;
  readonly poor: readonly Given<T>[];
}

/** A server that is probed may be as dead as before: the next one is asked soon. */
const PROBE_PATIENCE_MS = 300;

/** Milliseconds after which those that did not have the answer yet are asked again, while a slower one is waited for. */
const LATE_MS = 500;

/** A question on its way. */
interface Turn {
  readonly turn: number;
  readonly startedAt: number;
}

/** How long the rest may still take once everybody was asked and there is an answer, if a poor one. */
const REST_MS = 500;

/**
 * @param opts of the question; its signal stops all, and fires when the answer is there
 * @param heard is filled with the failures
 * @param caller the caller's own signal: what is unfinished when it fires is nobody's fault
 * @throws SourceError when nobody gave an answer, anything that is no SourceError at once
 */
export function askStaggered<T>(
  candidates: readonly Candidate<BlockSource>[],
  pool: Pool<BlockSource>,
  one: (source: BlockSource, opts: AskOptions) => Promise<T>,
  opts: AskOptions,
  caller: Signal | undefined,
  heard: SourceStatement[],
  rules: StaggerRules<T>,
): Promise<Staggered<T>> {
  return new Promise((resolve, reject) => {
    const pending = new Map<BlockSource, Turn>();
    const late: BlockSource[] = []; // those that did not have it yet
    const everLate = new Set<BlockSource>();
    const poor: Given<T>[] = [];
    let asked = 0;
    let turns = 0;
    let isOver = false;
    let timeout: ReturnType<typeof setTimeout> | undefined;

    function end(): void {
      isOver = true;
      clearTimeout(timeout);
    }

    function win(won: Given<T>, wonTurn: number): void {
      end();
      try {
        for (const [source, { turn }] of pending) if (turn < wonTurn) pool.rest(source, undefined, 'slow');
        for (const source of late) pool.rest(source, undefined, 'behind');
        resolve({ won, poor });
      } catch (error) {
        reject(error);
      }
    }

    function goOn(): void {
      if (asked < candidates.length) askNext();
      else if (pending.size === 0) conclude();
      else waitForRest();
    }

    /** Everybody was asked, and somebody takes long. */
    function waitForRest(): void {
      if (poor.length > 0) timeout ??= setTimeout(conclude, REST_MS);
      // Two that answer in turns would ask each other's turn for ever: it takes one that has said nothing so far.
      else if (late.length > 0 && [...pending.keys()].some((source) => !everLate.has(source))) {
        timeout ??= setTimeout(askLateAgain, LATE_MS);
      }
    }

    function conclude(): void {
      const [first] = poor;
      if (first !== undefined) win(first, Number.POSITIVE_INFINITY);
      else {
        end();
        reject(noAgreement(`none of ${candidates.length} servers gave an answer`, heard));
      }
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
      if (asked < candidates.length) {
        const { patienceMs } = rules;
        const ms = isProbe ? Math.min(patienceMs, PROBE_PATIENCE_MS) : patienceMs;
        if (ms !== Number.POSITIVE_INFINITY) timeout = setTimeout(askNext, ms);
      } else waitForRest();
    }

    /** What they did not have when they were asked first they may have now; the slow one may never answer. */
    function askLateAgain(): void {
      timeout = undefined;
      if (![...pending.keys()].some((source) => !everLate.has(source))) return;
      for (const source of late.splice(0)) {
        heard.splice(
          heard.findIndex((one) => one.source === source.name),
          1,
        );
        send(source);
      }
    }

    function send(source: BlockSource): void {
      const turn = turns++;
      const startedAt = performance.now();
      pending.set(source, { turn, startedAt });
      one(source, opts)
        .then((answer) => onAnswer({ source, answer }))
        .catch((error: unknown) => onFailure(source, error))
        .catch((error: unknown) => {
          end();
          reject(error);
        });
    }

    function onAnswer(given: Given<T>): void {
      const asking = pending.get(given.source);
      if (isOver || asking === undefined) return;
      pending.delete(given.source);
      const isGood = rules.isGood?.(given, poor) ?? true;
      if (isGood) {
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
      end();
      if (caller?.aborted) return;
      try {
        for (const source of pending.keys()) pool.rest(source, undefined, 'slow'); // unfinished at the time limit of the question
      } catch (error) {
        reject(error); // an observer threw: from a listener it would end the process
      }
    }
    if (opts.signal?.aborted) return;
    opts.signal?.addEventListener('abort', onStop, { once: true });
    askNext();
  });
}
