/**
 * Asks several servers one question, all at once or one after the other. The next server is asked when one fails, gives
 * an answer that is not enough, or takes longer than its time.
 */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { effectOf } from '../machine/outcome.ts';
import type { BlockSource } from './block-source.ts';

/** A server and its answer. */
export interface AnswerOfServer<T> {
  readonly source: BlockSource;
  readonly answer: T;
}

/** A question, and the servers to ask in order. */
export interface SharedQuestion<T> {
  readonly sources: readonly BlockSource[];
  /** Stops all questions. */
  readonly signal: Signal;
  /** Failures are appended to this list. */
  readonly heard: SourceStatement[];
  ask(source: BlockSource): Promise<T>;
  /** Returns the milliseconds that a server has before the next server is asked as well. Default: all are asked at once. */
  patienceMs?(source: BlockSource): number;
  /**
   * Receives an answer. Returns the milliseconds that the other servers have from now, or `undefined` while more answers
   * are needed.
   */
  onAnswer(given: AnswerOfServer<T>, askedAtMs: number): number | undefined;
  /** Receives a failure, and returns the same. */
  onFailure(source: BlockSource, error: SourceError): number | undefined;
  /**
   * Milliseconds that the remaining servers have once all were asked and one has answered. Until then, servers that did
   * not have the answer yet are asked again. Default: every server is asked once and waited for.
   */
  readonly restMs?: number;
  /** Returns the milliseconds that a server has which has not answered, where others are late. Default 10 s. */
  graceMs?(source: BlockSource): number;
}

/** The servers without an answer at the end of a question. */
export interface Unanswered {
  /** Servers that never answered, of those asked before the one whose answer ended the question; all of them if no answer did. */
  readonly slow: readonly BlockSource[];
  /** Servers that did not have the answer yet at first; one of them may have given it since. */
  readonly late: readonly BlockSource[];
}

/**
 * Milliseconds after which servers that did not have the answer yet are asked again, while a slower server is waited
 * for.
 */
const LATE_MS = 500;

/** Most questions to one server that does not have the answer yet. */
const MAX_QUESTIONS = 3;

/**
 * Asks the servers until an answer ends the question, or no server is left. A signal ends the question as well.
 * @throws any error that is not a SourceError, at once
 */
export function askServers<T>(question: SharedQuestion<T>): Promise<Unanswered> {
  const { sources, signal, heard, patienceMs = () => 0, restMs, graceMs = () => QUESTION_DEADLINE_MS } = question;
  return new Promise((resolve, reject) => {
    const pending = new Map<BlockSource, number>();
    const late: BlockSource[] = [];
    /** How often each server did not have the answer yet. */
    const timesLate = new Map<BlockSource, number>();
    let asked = 0;
    let turns = 0;
    let hasAnswer = false;
    let isOver = false;
    let next: ReturnType<typeof setTimeout> | undefined;
    let last: ReturnType<typeof setTimeout> | undefined;
    let endsAtMs = Number.POSITIVE_INFINITY;

    function end(finish: () => void): void {
      isOver = true;
      clearTimeout(next);
      clearTimeout(last);
      finish();
    }

    /** @param before the turn of the server whose answer ends the question */
    function resolveWith(before = Number.POSITIVE_INFINITY): void {
      const slow = silent().filter((source) => pending.get(source)! < before); // each is pending
      end(() => resolve({ slow, late: [...timesLate.keys()] }));
    }

    /** The earliest end counts. */
    function endIn(ms: number): void {
      const atMs = performance.now() + ms;
      if (atMs >= endsAtMs) return;
      endsAtMs = atMs;
      clearTimeout(last);
      last = setTimeout(resolveWith, ms);
    }

    function goOn(): void {
      if (asked < sources.length) askNext();
      else if (pending.size > 0) waitForRest();
      else resolveWith();
    }

    const silent = () => [...pending.keys()].filter((source) => !timesLate.has(source));
    /** Milliseconds that are left for servers without an answer; 0 where none is waited for. */
    const silentMs = () => Math.max(0, ...silent().map(graceMs));

    /** Waits for the slow servers, after all were asked. */
    function waitForRest(): void {
      if (restMs === undefined) return;
      if (hasAnswer) endIn(restMs);
      // Late servers are asked again only while another server has not answered at all. Otherwise two late servers
      // would start each other forever.
      else if (late.length > 0 && silentMs() > 0) {
        if (mayBeAsked().length > 0) next ??= setTimeout(askLateAgain, LATE_MS);
        else endIn(silentMs());
      } else if (late.length > 0 && silent().length === pending.size) endIn(restMs);
      else if (timesLate.size > 0) endIn(QUESTION_DEADLINE_MS);
    }

    const mayBeAsked = () => late.filter((source) => timesLate.get(source)! < MAX_QUESTIONS); // each was late once

    function askNext(): void {
      clearTimeout(next);
      next = undefined;
      const source = sources[asked];
      if (source === undefined || isOver) return;
      asked++;
      send(source);
      const ms = patienceMs(source);
      if (asked === sources.length) waitForRest();
      else if (ms === 0) askNext();
      else if (ms !== Number.POSITIVE_INFINITY) next = setTimeout(askNext, ms);
    }

    /** Asks late servers again: they may have the answer by now, and the slow server may never answer. */
    function askLateAgain(): void {
      next = undefined;
      const again = silentMs() > 0 ? mayBeAsked() : [];
      if (again.length === 0) waitForRest();
      for (const source of again) {
        late.splice(late.indexOf(source), 1);
        const at = heard.findIndex((one) => one.source === source.name);
        heard.splice(at, 1);
        send(source);
      }
    }

    function send(source: BlockSource): void {
      const turn = turns++;
      const askedAtMs = performance.now();
      pending.set(source, turn);
      /** @param receive returns the milliseconds that the others have */
      const settle = (receive: () => number | undefined) => {
        if (isOver) return;
        pending.delete(source);
        const ms = receive();
        if (ms === 0) resolveWith(turn);
        else {
          if (ms !== undefined) endIn(ms);
          goOn();
        }
      };
      question
        .ask(source)
        .then(
          (answer) =>
            settle(() => {
              hasAnswer = true;
              return question.onAnswer({ source, answer }, askedAtMs);
            }),
          (error: unknown) =>
            settle(() => {
              if (!(error instanceof SourceError)) throw error;
              heard.push({ source: source.name, error });
              if (effectOf(error) === 'behind') {
                late.push(source);
                timesLate.set(source, (timesLate.get(source) ?? 0) + 1);
              }
              return question.onFailure(source, error);
            }),
        )
        .catch((error: unknown) => end(() => reject(error)));
    }

    const onStop = () => {
      if (!isOver) resolveWith();
    };
    if (signal.aborted) return onStop();
    signal.addEventListener('abort', onStop, { once: true });
    askNext();
  });
}
