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

/** What is asked of whom. */
export interface StaggerRules<T> {
  readonly candidates: readonly Candidate<BlockSource>[];
  readonly pool: Pool<BlockSource>;
  readonly ask: (source: BlockSource, opts: AskOptions) => Promise<T>;
  /** Of the question; its signal stops all, and fires when the answer is there. */
  readonly opts: AskOptions;
  /** The caller's own signal: what is unfinished when it fires is no server's fault. */
  readonly caller: Signal | undefined;
  /** Is filled with the failures. */
  readonly heard: SourceStatement[];
  /** Milliseconds that a server has before the next one is asked as well. */
  readonly patienceMs: number;
  /** Whether an answer ends the search; one that does not is kept, in case no server has a better one. Default: any does. */
  readonly isGood?: ((given: Given<T>, poor: readonly Given<T>[]) => boolean) | undefined;
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

/** How long the rest may still take once all were asked and there is an answer, if a poor one. */
const REST_MS = 500;

/** @throws SourceError when no server gave an answer, anything that is no SourceError at once */
export function askStaggered<T>(rules: StaggerRules<T>): Promise<Staggered<T>> {
  const { candidates, pool, ask, opts, caller, heard, patienceMs, isGood = () => true } = rules;
  return new Promise((resolve, reject) => {
    const pending = new Map<BlockSource, { readonly turn: number; readonly startedAt: number }>();
    const late: BlockSource[] = []; // those that did not have it yet
    const everLate = new Set<BlockSource>();
    const poor: Given<T>[] = [];
    let asked = 0;
    let turns = 0;
    let isOver = false;
    let timeout: ReturnType<typeof setTimeout> | undefined;

    /** @param last may throw, as observers do: that is then what came of it */
    function end(last: () => void): void {
      isOver = true;
      clearTimeout(timeout);
      try {
        last();
      } catch (error) {
        reject(error);
      }
    }

    function win(won: Given<T>, wonTurn: number): void {
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

    /** All were asked, and some take long. */
    function waitForRest(): void {
      const [first] = poor;
      if (first !== undefined) timeout ??= setTimeout(() => win(first, Number.POSITIVE_INFINITY), REST_MS);
      // Two that answer in turns would ask each other's turn for ever: it takes one that has said nothing so far.
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

    /** What they did not have when they were asked first they may have now; the slow one may never answer. */
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

    function onAnswer(given: Given<T>): void {
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
        for (const source of pending.keys()) pool.rest(source, undefined, 'slow'); // unfinished at the time limit of the question
      });
    }
    if (opts.signal?.aborted) return;
    opts.signal?.addEventListener('abort', onStop, { once: true });
    askNext();
  });
}
