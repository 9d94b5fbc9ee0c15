/**
 * Asks several servers that must agree: any question, or as one source of blocks. A quorum is a cross-check and a way to
 * stay available. The signatures still have to be verified.
 */

import { badOption, isObject } from '../../core/base/arguments.ts';
import { isBytes } from '../../core/base/bytes.ts';
import { FinalityError, SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { callback, number, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { formatBlockId } from '../../core/block/block-id.ts';
import type { Warning } from '../../core/verify/report.ts';
import { tell } from '../async/callbacks.ts';
import { LONGEST_TIMEOUT_MS, withinOneDeadline } from '../async/timer.ts';
import { effectOf } from '../machine/outcome.ts';
import { REST_RULES } from '../machine/standing.ts';
import { type AnswerOfServer, askServers } from './ask-servers.ts';
import { ASK_OPTIONS, type AskOptions, type BlockSource, requireDistinct, type SignedAnswer } from './block-source.ts';
import { noAgreement } from './no-agreement.ts';
import { type Candidate, Pool } from './pool.ts';
import { seenRootHashes } from './seen-root-hashes.ts';
import { type HealthChange, observed, type ServerObservers } from './server-events.ts';
import { askSigned, headOf } from './signed-answer.ts';
import { isOfServer } from './until-good.ts';

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
  throw badOption(`expected 1 to ${count} of ${count} sources, got ${need}`, 'need');
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

/** Milliseconds that slow servers have to name their heads, once enough others have. */
const QUORUM_GRACE_MS = 500;

/** The part of two answers that must be equal: their lists of signatures may differ. */
const keyOf = ({ signatures }: SignedAnswer): string => formatBlockId(signatures.blockId);

/** How long a quorum waits for the rest, and which events it reports. */
export interface QuorumOfOptions extends ServerObservers {
  /** Milliseconds that the other sources get to answer once enough agree. Default 0: their questions are stopped. */
  readonly graceMs?: number;
  /** Called for every source that failed or answered differently while the others agreed. */
  readonly onOdd?: (statement: SourceStatement) => void;
  /**
   * Called when a server is found healthy or down. A server that is down is not waited for once enough others have
   * named their heads.
   */
  readonly onHealth?: (change: HealthChange) => void;
}

function splitQuorum(need: number, count: number): readonly Warning[] {
  if (need * 2 > count) return [];
  const rest = count - need;
  const message = `${need} of ${count} servers is not more than half: the other ${rest} may name another block`;
  return [Object.freeze({ code: 'split-quorum', message })];
}

/**
 * Combines several sources into one that needs `need` of them to agree. Heads differ from server to server, so the
 * latest seqno is the `need`-th highest that they report: the newest block that enough of them know. An answer with the
 * root hash of a block that the quorum gave under a different number counts as a failure, `source/wrong-block`, of the
 * server that sent it. With half of the sources or fewer, two quorums may name different blocks at the same time;
 * `warnings` of the source then says so.
 * @param sources one or more sources, each with a name of its own
 * @param need how many of them must name the same block, at least 1
 * @param given observers, and how long to wait for the rest once enough agree; default: 0 ms (`graceMs`)
 * @returns a source
 * @throws UsageError for a need that cannot be met, or a source given twice
 * @example
 * ```ts
 * import { quorumOf, toncenterV2 } from 'ton-finality/servers';
 * const servers = ['https://a.example/api/v2', 'https://b.example/api/v2'].map((baseUrl) => toncenterV2({ baseUrl }));
 * const source = quorumOf(servers, 2);
 * console.log(source.name); // 2 of (https://a.example/api/v2, https://b.example/api/v2)
 * ```
 */
export function quorumOf(sources: readonly BlockSource[], need: number, given: QuorumOfOptions = {}): BlockSource {
  const list = requireDistinct(sources);
  requireNeed(need, list.length);
  const { graceMs, onOdd, onHealth, ...observers } = readOptions(given, '', {
    graceMs: number(0, LONGEST_TIMEOUT_MS),
    onOdd: callback(),
    onServer: callback(),
    onHealth: callback(),
  });
  const pool = new Pool(list, REST_RULES.http, onHealth);
  const known = seenRootHashes();

  /**
   * Returns the answer of one source, after checking that its block was not given under a different number. @throws
   * SourceError
   */
  async function signedBy(source: BlockSource, seqno: number, options: AskOptions): Promise<SignedAnswer> {
    const answer = await askSigned(source, seqno, options);
    known.requireNew(answer.signatures.blockId, answer.source, answer.body);
    return answer;
  }

  /**
   * Passes an answer on, with ways to ask for the same block again.
   * @param rest answers of the other servers that agreed
   * @param unheard servers that were not waited for, or answered differently
   */
  function passOn(
    seqno: number,
    { source, answer }: AnswerOfServer<SignedAnswer>,
    rest: readonly AnswerOfServer<SignedAnswer>[],
    unheard: readonly BlockSource[],
  ): SignedAnswer {
    return Object.freeze({
      ...answer,
      async another(options: AskOptions = {}): Promise<SignedAnswer | undefined> {
        const [next, ...more] = rest;
        if (next !== undefined) return passOn(seqno, next, more, unheard);
        for (const [at, one] of unheard.entries()) {
          try {
            const other = await signedBy(one, seqno, options);
            if (keyOf(other) !== keyOf(answer)) continue;
            return passOn(seqno, { source: one, answer: other }, [], unheard.slice(at + 1));
          } catch (error) {
            if (!isOfServer(error) || options.signal?.aborted) throw error;
          }
        }
        return undefined;
      },
      blame: () => pool.blame(source),
    });
  }

  const byName = new Map(list.map((source) => [source.name, source]));
  /** Remembers how each server answered. */
  function remember(good: readonly string[], odd: readonly SourceStatement[], startedAt: number): void {
    for (const name of good) pool.answered(byName.get(name)!, startedAt); // the names are those of the list
    for (const { source, error } of odd) {
      const effect = error instanceof SourceError ? effectOf(error) : 'none';
      if (effect === 'rest' || effect === 'out') pool.rest(byName.get(source)!, error);
    }
  }

  async function signatures(seqno: number, asked: AskOptions = {}): Promise<SignedAnswer> {
    const options = readOptions(asked, '', ASK_OPTIONS);
    const startedAt = performance.now();
    const ask = (source: BlockSource, { signal }: { signal: Signal }) =>
      observed(observers, source.name, 'signatures', () => signedBy(source, seqno, { ...options, signal }));
    const { signal, deadlineMs } = options;
    const limits = present({ signal, deadlineMs, graceMs });
    const { agreed, odd } = await gatherQuorum(list, need, ask, keyOf, limits);
    const names = agreed.map(({ source }) => source);
    // Check again: in the meantime another number may have been given with the same root hash.
    known.note(agreed[0]!.answer.signatures.blockId, names.join(' and ')); // `need` is 1 or more
    for (const statement of odd) tell('onOdd', onOdd, statement);
    remember(names, odd, startedAt);
    // names of the list
    const [first, ...rest] = agreed.map(({ source, answer }) => ({ source: byName.get(source)!, answer }));
    const unheard = list.filter(({ name }) => !names.includes(name));
    return passOn(seqno, first!, rest, unheard); // `need` is 1 or more
  }
  /**
   * Returns the `need`-th highest of the heads: the newest block that enough servers know. @throws SourceError when too
   * few answer
   */
  async function latestSeqno(asked: AskOptions = {}): Promise<number> {
    const options = readOptions(asked, '', ASK_OPTIONS);
    const startedAt = performance.now();
    const isWaitedFor = ({ source, isProbe }: Candidate<BlockSource>) => isProbe || pool.stateOf(source) === 'up';
    const waitedFor = pool.inOrder('head', Number.POSITIVE_INFINITY).filter(isWaitedFor);
    for (const { source, isProbe } of waitedFor) if (isProbe) pool.probing(source);
    const awaited = new Set(waitedFor.map(({ source }) => source));
    const heads: number[] = [];
    const told: string[] = [];
    const failures: SourceStatement[] = [];
    /** Returns the milliseconds that the other servers have. */
    function restMs(source: BlockSource): number | undefined {
      awaited.delete(source);
      if (heads.length < need) return undefined;
      return awaited.size === 0 ? 0 : QUORUM_GRACE_MS;
    }
    await withinOneDeadline(`${need} of ${list.length} servers`, options, failures, (signal) =>
      askServers<number>({
        sources: list,
        signal,
        heard: failures,
        ask: (source) => observed(observers, source.name, 'latestSeqno', () => headOf(source, { ...options, signal })),
        onAnswer({ source, answer }) {
          heads.push(answer);
          told.push(source.name);
          return restMs(source);
        },
        onFailure: restMs,
      }),
    );
    if (heads.length < need) {
      const few = heads.length > 0 ? `only ${heads.length} named a newest block` : 'no server named a newest block';
      throw noAgreement(`${need} of ${list.length} servers are needed and ${few}`, failures);
    }
    for (const failure of failures) tell('onOdd', onOdd, failure);
    remember(told, failures, startedAt);
    for (const source of awaited) pool.rest(source, undefined, 'slow');
    return heads.sort((a, b) => b - a)[need - 1]!; // there are at least `need`
  }

  return Object.freeze({
    name: `${need} of (${list.map(({ name }) => name).join(', ')})`,
    warnings: Object.freeze(splitQuorum(need, list.length)),
    waitMs: () => list.map((source) => source.waitMs?.() ?? 0).sort((a, b) => a - b)[need - 1]!, // `need` is at most their number
    latestSeqno,
    signatures,
  });
}
