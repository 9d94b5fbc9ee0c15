/**
 * Any question to several servers that must agree on the answer. A quorum is a cross-check and a way to stay available; it
 * is no substitute for the signatures, which are still to be verified.
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
  /** The sources that said the same, in the order they answered, and their answers, which may differ in what `keyOf` leaves out. */
  readonly agreed: readonly { readonly source: string; readonly answer: T }[];
  /** Those heard until then that failed or said something else. A source that was not waited for is not listed. */
  readonly odd: readonly SourceStatement[];
}

/** How long to wait for sources that must agree. */
export interface QuorumOptions {
  readonly signal?: Signal;
  /** Milliseconds for all of it. Default: as long as the slowest source takes. */
  readonly deadlineMs?: number;
  /** Milliseconds that the rest may still take to have their say once enough agree. Default 0: they are stopped. */
  readonly graceMs?: number;
}

/** @throws UsageError for a need that so many sources cannot meet */
export function requireNeed(need: number, count: number): void {
  if (Number.isInteger(need) && need >= 1 && need <= count) return;
  throw new UsageError('usage/bad-option', `expected 1 to ${count} of ${count} sources, got ${need}`, { path: 'need' });
}

/**
 * Asks all sources at once and waits until `need` of them have answers with the same key; the rest are stopped.
 * @param ask is given a signal to pass on
 * @param keyOf what must be the same, as text; may throw a DecodeError, which counts as that source's failure
 * @throws SourceError when fewer than `need` agree: every source has its say first, and `statements` lists them, each with
 * the `body` of its answer where that has one. UsageError for a need that cannot be met, or a source given twice.
 */
export async function gatherQuorum<T>(
  asked: readonly BlockSource[],
  need: number,
  ask: (source: BlockSource, opts: { readonly signal: Signal }) => Promise<T>,
  keyOf: (answer: T) => string,
  given: QuorumOptions = {},
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
  const heard: Heard<T>[] = [];
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
      // The first block that enough of them name; a later one does not change that.
      if (key !== undefined && heard.filter((one) => one.key === key).length >= need) won ??= key;
    },
    restMs: () => (won === undefined ? undefined : graceMs),
    result() {
      if (won !== undefined) return outcomeOf(won, heard);
      throw noAgreement(`fewer than ${need} of ${heard.length} servers agree`, heard.map(withoutAnswer));
    },
  });
}

type Heard<T> = SourceStatement & { readonly answer?: T };

async function statementOf<T>(
  { name: source }: BlockSource,
  ask: () => Promise<T>,
  keyOf: (answer: T) => string,
): Promise<Heard<T>> {
  const bodyIn = (body: unknown) => (isBytes(body) ? { body } : {});
  try {
    const answer = await ask();
    return { source, key: keyOf(answer), answer, ...bodyIn(isObject(answer) ? answer.body : undefined) };
  } catch (error) {
    // A fault of the program is no statement of a server.
    if (!(error instanceof FinalityError)) throw error;
    return { source, error, ...bodyIn(error instanceof SourceError ? error.body : undefined) };
  }
}

function outcomeOf<T>(key: string, heard: readonly Heard<T>[]): QuorumOutcome<T> {
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
 * Asks all sources at once, until each has had its say, or enough have and the others had a little more time.
 * @throws SourceError when the time is over, and what `ask` or `result` throws
 */
export function askAll<R>(all: {
  /** Who is asked, in words. */
  readonly name: string;
  readonly sources: readonly BlockSource[];
  readonly opts: Pick<AskOptions, 'signal' | 'deadlineMs'>;
  /** What was said so far, for the error of a question that takes too long. */
  readonly heard: readonly SourceStatement[];
  /** Keeps what a source says. */
  ask(source: BlockSource, signal: Signal): Promise<void>;
  /** Milliseconds for the rest after this source was heard; `undefined` while more have to be. */
  restMs(source: BlockSource): number | undefined;
  /** What it came to, by those heard until then. */
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
