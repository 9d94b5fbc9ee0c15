/**
 * Any question to several servers that must agree on the answer. A quorum is a cross-check and a way to stay available; it
 * is no substitute for the signatures, which are still to be verified.
 */

import { isObject } from '../../core/base/arguments.ts';
import { isBytes } from '../../core/base/bytes.ts';
import { FinalityError, SourceError, type SourceStatement, UsageError } from '../../core/base/errors.ts';
import { requireNumber, requireOptions, requireSignal, requireType } from '../../core/base/options.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { noAgreement, requireDistinct } from './attribution.ts';
import type { BlockSource } from './block-source.ts';
import { withinOneDeadline } from './shared-deadline.ts';

/** What a quorum came to. */
export interface QuorumOutcome<T> {
  readonly key: string;
  /** The sources that said the same, in the order they answered, and their answers, which may differ in what `keyOf` leaves out. */
  readonly agreed: readonly { readonly source: string; readonly answer: T }[];
  /** Those heard until then that failed or said something else. A source that was not waited for is not listed. */
  readonly odd: readonly SourceStatement[];
}

/** How long sources that must agree are waited for. */
export interface QuorumOptions {
  readonly signal?: Signal;
  /** Milliseconds for all of it. Default: as long as the slowest source takes. */
  readonly deadlineMs?: number;
  /** Milliseconds that the rest may still take to have their say once enough agree. Default 0: they are stopped. */
  readonly graceMs?: number;
}

const QUORUM_OPTIONS: readonly (keyof QuorumOptions)[] = ['signal', 'deadlineMs', 'graceMs'];

/** A timer takes an int32. */
export const MAX_GRACE_MS = 0x7fffffff;

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
  const opts = requireOptions(given, QUORUM_OPTIONS);
  requireSignal(opts.signal, 'signal');
  requireNumber(opts.deadlineMs, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER, 'deadlineMs');
  requireNumber(opts.graceMs, 0, MAX_GRACE_MS, 'graceMs');
  const { graceMs = 0 } = opts;
  const heard: (SourceStatement & { readonly answer?: T })[] = [];
  return await withinOneDeadline(
    `${need} of ${sources.length} servers`,
    opts,
    heard,
    (signal) =>
      new Promise<QuorumOutcome<T>>((resolve, reject) => {
        let won: string | undefined;
        let grace: ReturnType<typeof setTimeout> | undefined;
        const onHeard = (statement: SourceStatement & { readonly answer?: T }) => {
          heard.push(statement);
          const { key } = statement;
          // The first block that enough of them name; a later one does not change that.
          if (key !== undefined && heard.filter((one) => one.key === key).length >= need) won ??= key;
          const isOver = heard.length === sources.length;
          if (won === undefined) {
            if (isOver) reject(failureOf(need, heard));
            return;
          }
          const outcome = won;
          const finish = () => resolve(outcomeOf(outcome, heard));
          if (isOver || graceMs === 0) finish();
          else grace ??= setTimeout(finish, graceMs);
        };
        signal.addEventListener('abort', () => clearTimeout(grace), { once: true });
        for (const source of sources) {
          ask(source, { signal })
            .then((answer) => ({
              source: source.name,
              key: keyOf(answer),
              answer,
              ...bodyIn(isObject(answer) ? answer.body : undefined),
            }))
            .catch((error: unknown) => {
              // A fault of the program is no statement of a server.
              if (!(error instanceof FinalityError)) throw error;
              return { source: source.name, error, ...bodyIn(error instanceof SourceError ? error.body : undefined) };
            })
            .then(onHeard)
            .catch(reject);
        }
      }),
  );
}

function bodyIn(body: unknown): { readonly body?: Uint8Array } {
  return isBytes(body) ? { body } : {};
}

function outcomeOf<T>(key: string, heard: readonly (SourceStatement & { readonly answer?: T })[]): QuorumOutcome<T> {
  const agreed = heard
    .filter((statement) => statement.key === key)
    // A statement with a key has an answer: both are set together.
    .map(({ source, answer }) => ({ source, answer: answer as T }));
  return { key, agreed, odd: heard.filter((statement) => statement.key !== key).map(withoutAnswer) };
}

function withoutAnswer({ source, key, body, error }: SourceStatement): SourceStatement {
  return {
    source,
    ...(key === undefined ? {} : { key }),
    ...(body === undefined ? {} : { body }),
    ...(error === undefined ? {} : { error }),
  };
}

function failureOf(need: number, heard: readonly SourceStatement[]): SourceError {
  return noAgreement(`fewer than ${need} of ${heard.length} servers agree`, heard.map(withoutAnswer));
}
