/**
 * Asks several servers any question on which they must agree. A quorum is a cross-check and a way to stay available.
 * The signatures still have to be verified.
 */

import { isObject } from '../../core/base/arguments.ts';
import { isBytes } from '../../core/base/bytes.ts';
import { FinalityError, SourceError, type SourceStatement, UsageError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { withinOneDeadline } from '../async/timer.ts';
import { askServers } from './ask-servers.ts';
import type { BlockSource } from './block-source.ts';
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
 * answers, each with the `body` where there is one. UsageError for a need that cannot be met.
 */
export async function gatherQuorum<T>(
  sources: readonly BlockSource[],
  need: number,
  ask: (source: BlockSource, opts: { readonly signal: Signal }) => Promise<T>,
  keyOf: (answer: T) => string,
  { graceMs = 0, ...opts }: GatherOptions = {},
): Promise<QuorumOutcome<T>> {
  requireNeed(need, sources.length);
  const heard: QuorumAnswer<T>[] = [];
  let won: string | undefined;
  await withinOneDeadline(`${need} of ${sources.length} servers`, opts, heard, (signal) =>
    askServers<QuorumAnswer<T>>({
      sources,
      signal,
      heard: [], // `statementOf` keeps failures too
      ask: (source) => statementOf(source, () => ask(source, { signal }), keyOf),
      onAnswer({ answer }) {
        heard.push(answer);
        // The first block that enough sources name wins; a later one does not change the result.
        if (answer.key !== undefined && heard.filter(({ key }) => key === answer.key).length >= need)
          won ??= answer.key;
        return won === undefined ? undefined : graceMs;
      },
      onFailure: () => undefined,
    }),
  );
  if (won !== undefined) return outcomeOf(won, heard);
  throw noAgreement(`fewer than ${need} of ${heard.length} servers agree`, heard.map(withoutAnswer));
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
