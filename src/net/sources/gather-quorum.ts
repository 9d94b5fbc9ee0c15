/**
 * Asks several servers any question on which they must agree. A quorum is a cross-check and a way to stay available.
 * The signatures still have to be verified.
 */

import { isObject } from '../../core/base/arguments.ts';
import { isBytes } from '../../core/base/bytes.ts';
import { FinalityError, SourceError, type SourceStatement, UsageError } from '../../core/base/errors.ts';
import { abortSignal, number, readOptions, requireType } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { LONGEST_TIMEOUT_MS, withinOneDeadline } from '../async/timer.ts';
import { type AskOptions, type BlockSource, requireDistinct } from './block-source.ts';
import { noAgreement } from './no-agreement.ts';

/** The result of a quorum. */
export interface QuorumOutcome<T> {
  readonly key: string;
  /**
   * The sources that gave the same answer, in the order they answered. The answers may differ in what `keyOf` leaves
   * out.
   */
  readonly agreed: readonly { readonly source: string; readonly answer: T }[];
  /** Sources that failed or answered differently before the quorum was reached. Later sources are not listed. */
  readonly odd: readonly SourceStatement[];
}

/** How long to wait for sources that must agree. */
export interface GatherOptions {
  readonly signal?: Signal;
  /** Milliseconds for the whole question. Default: as long as the slowest source takes. */
  readonly deadlineMs?: number;
  /** Milliseconds that the other sources get to answer once enough agree. Default 0: their questions are stopped. */
  readonly graceMs?: number;
}

/** Checks how many sources have to agree. @throws UsageError for a number that this many sources cannot reach */
export function requireNeed(need: number, count: number): void {
  if (Number.isInteger(need) && need >= 1 && need <= count) return;
  throw new UsageError('usage/bad-option', `expected 1 to ${count} of ${count} sources, got ${need}`, { path: 'need' });
}

/**
 * Asks all sources at once and waits until `need` of them have answers with the same key; the rest are stopped.
 * @param ask is given a signal to pass on
 * @param keyOf returns what must be the same, as text; may throw a DecodeError, which counts as that source's failure
 * @throws SourceError when fewer than `need` agree. Every source is waited for first, and `statements` lists their
 * answers,
 * each with the `body` where there is one. UsageError for a need that cannot be met, or a source given twice.
 */
export async function gatherQuorum<T>(
  asked: readonly BlockSource[],
  need: number,
  ask: (source: BlockSource, opts: { readonly signal: Signal }) => Promise<T>,
  keyOf: (answer: T) => string,
  given: GatherOptions = {},
): Promise<QuorumOutcome<T>> {
  const sources = requireDistinct(asked);
  requireNeed(need, sources.length);
  requireType(ask ?? null, 'function', 'ask');
  requireType(keyOf ?? null, 'function', 'keyOf');
  const { graceMs, ...opts } = readOptions(given, '', {
    signal: abortSignal,
    deadlineMs: number(Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
    graceMs: number(0, LONGEST_TIMEOUT_MS, 0),
  });
  const heard: QuorumAnswer<T>[] = [];
  let won: string | undefined;
  return await askAll({
    name: `${need} of ${sources.length} servers`,
    sources,
    opts,
    heard,
    async ask(source, signal) {
      const statement = await statementOf(source, () => ask(source, { signal }), keyOf);
      heard.push(statement);
      const { key } = statement;
      // The first block that enough sources name wins; a later one does not change the result.
      if (key !== undefined && heard.filter((one) => one.key === key).length >= need) won ??= key;
    },
    restMs: () => (won === undefined ? undefined : graceMs),
    result() {
      if (won !== undefined) return outcomeOf(won, heard);
      throw noAgreement(`fewer than ${need} of ${heard.length} servers agree`, heard.map(withoutAnswer));
    },
  });
}

type QuorumAnswer<T> = SourceStatement & { readonly answer?: T };

async function statementOf<T>(
  { name: source }: BlockSource,
  ask: () => Promise<T>,
  keyOf: (answer: T) => string,
): Promise<QuorumAnswer<T>> {
  const bodyIn = (body: unknown) => (isBytes(body) ? { body } : {});
  try {
    const answer = await ask();
    return { source, key: keyOf(answer), answer, ...bodyIn(isObject(answer) ? answer.body : undefined) };
  } catch (error) {
    // A defect of the program is not an answer of the server.
    if (!(error instanceof FinalityError)) throw error;
    return { source, error, ...bodyIn(error instanceof SourceError ? error.body : undefined) };
  }
}

function outcomeOf<T>(key: string, heard: readonly QuorumAnswer<T>[]): QuorumOutcome<T> {
  const agreed = heard
    .filter((statement) => statement.key === key)
    // A statement with a key has an answer: both are set together.
    .map(({ source, answer }) => ({ source, answer: answer as T }));
  return { key, agreed, odd: heard.filter((statement) => statement.key !== key).map(withoutAnswer) };
}

function withoutAnswer({ source, key, body, error }: SourceStatement): SourceStatement {
  return { source, ...present({ key, body, error }) };
}

/**
 * Asks all sources at once, until each has answered, or enough have and the others had a little more time.
 * @throws SourceError when the time is over, and what `ask` or `result` throws
 */
export function askAll<R>(all: {
  /** The sources, as the error names them. */
  readonly name: string;
  readonly sources: readonly BlockSource[];
  readonly opts: Pick<AskOptions, 'signal' | 'deadlineMs'>;
  /** The answers so far, for the error of a question that takes too long. */
  readonly heard: readonly SourceStatement[];
  /** Asks one source, and keeps its answer. */
  ask(source: BlockSource, signal: Signal): Promise<void>;
  /** Returns the milliseconds left for the rest after this answer; `undefined` while more answers are needed. */
  restMs(source: BlockSource): number | undefined;
  /** Returns the result, by the answers so far. */
  result(): R;
}): Promise<R> {
  const { sources } = all;
  return withinOneDeadline(
    all.name,
    all.opts,
    all.heard,
    (signal) =>
      new Promise<R>((resolve, reject) => {
        let count = 0;
        let grace: ReturnType<typeof setTimeout> | undefined;
        const finish = () => resolve(all.result());
        signal.addEventListener('abort', () => clearTimeout(grace), { once: true });
        for (const source of sources) {
          all
            .ask(source, signal)
            .then(() => {
              const ms = all.restMs(source);
              if (++count === sources.length || ms === 0) finish();
              else if (ms !== undefined) grace ??= setTimeout(finish, ms);
            })
            .catch(reject);
        }
      }),
  );
}
