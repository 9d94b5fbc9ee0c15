/** Several servers for availability only: in order, the next one as soon as one is late. Nobody is cross-checked. */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { DEFAULT_DEADLINE_MS } from '../../core/base/limits.ts';
import { requireNumber, requireOptions, requireType } from '../../core/base/options.ts';
import { sleep, withinOneDeadline } from '../async/timer.ts';
import { HEAD_JITTER } from '../machine/stall.ts';
import { REST_RULES } from '../machine/standing.ts';
import { askStaggered, type Given, type Staggered, type StaggerRules } from './ask-staggered.ts';
import {
  type AskOptions,
  type BlockSource,
  requireAskOptions,
  requireDistinct,
  type SignedAnswer,
} from './block-source.ts';
import { Pool } from './pool.ts';
import { type HealthChange, observed, type ServerObservers } from './server-events.ts';
import { readSigned } from './signed-answer.ts';

/** When `firstOf` asks the next server as well, and what it tells of servers. */
export interface FirstOfOptions extends ServerObservers {
  /**
   * Milliseconds that a server has before the next one is asked as well, its turn in its own pace not counted. Default 1 s;
   * Infinity waits for it to fail.
   */
  readonly patienceMs?: number;
  /** Told when a server is found healthy, slow, behind or down. */
  readonly onHealth?: (change: HealthChange) => void;
  /** Milliseconds that a server's head may stand still before the others are asked for theirs. Default 5 s. */
  readonly stallMs?: number;
}

const WAIT_STEP_MS = 1000;
const DEFAULT_PATIENCE_MS = 1000;
const DEFAULT_STALL_MS = 5000;
const MAX_TIMER_MS = 0x7fffffff; // a timer takes an int32

function isNotReady(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'source/not-ready';
}

/** The wait for a block is done here, in rounds over all servers, and not on one of them. */
async function inRounds<T>(
  name: string,
  given: AskOptions,
  round: (opts: AskOptions, heard: SourceStatement[]) => Promise<T>,
): Promise<T> {
  const opts = requireAskOptions(given);
  const start = performance.now();
  const leftMs = (limitMs: number) => Math.max(1, limitMs - (performance.now() - start));
  for (;;) {
    const heard: SourceStatement[] = [];
    const limit = opts.deadlineMs === undefined ? {} : { deadlineMs: leftMs(opts.deadlineMs) };
    const caller = opts.signal === undefined ? {} : { signal: opts.signal };
    try {
      return await withinOneDeadline(name, { ...caller, ...limit }, heard, (signal) =>
        round({ ...limit, signal }, heard),
      );
    } catch (error) {
      const leftForWait = leftMs(opts.deadlineMs ?? DEFAULT_DEADLINE_MS);
      if (opts.waitForBlock !== true || !isNotReady(error) || leftForWait <= WAIT_STEP_MS) throw error;
      await withinOneDeadline(name, caller, heard, (signal) => sleep(WAIT_STEP_MS, signal));
    }
  }
}

interface SeenHead {
  readonly head: number;
  /** When it moved last, or was compared with the others. */
  readonly atMs: number;
}

/**
 * Whether the head that a server tells can be its newest block: one that stands still, or goes back, is a reason to look at
 * the others, and the one ahead wins. A server's head is compared with its own earlier ones, so that one which names an
 * absurd head does not put the honest ones in the wrong.
 * @param stallMs how long a head may stand before the others are looked at
 */
function ownHeads(pool: Pool<BlockSource>, stallMs: number) {
  const seen = new Map<BlockSource, SeenHead>();
  return {
    /** Whether this head may be taken without a look at the others. @param poor heads that others gave, found wanting */
    isGood({ source, answer }: Given<number>, poor: readonly Given<number>[]): boolean {
      const before = seen.get(source);
      const now = performance.now();
      const hasMoved = before === undefined || answer > before.head;
      if (hasMoved) seen.set(source, { head: answer, atMs: now });
      if (poor.length > 0) return poor.every(({ answer: other }) => answer > other);
      return hasMoved || (answer >= before.head - HEAD_JITTER && now - before.atMs < stallMs);
    },
    /** The highest of the heads; whoever told a lower one and gave reason to look is behind. */
    highest(won: Given<number>, poor: readonly Given<number>[]): number {
      const heads = [...poor.filter((one) => one !== won), won];
      const best = Math.max(...heads.map(({ answer }) => answer));
      if (poor.length === 0) return best;
      for (const { source, answer } of heads) {
        if (answer < best) pool.rest(source, undefined, 'behind');
        else {
          // Nobody knows more: it is the chain that stands, or went back. Looked at again after as long.
          seen.set(source, { head: answer, atMs: performance.now() });
          pool.answered(source, performance.now());
        }
      }
      return best;
    },
  };
}

const OPTIONS = ['patienceMs', 'onServer', 'onHealth', 'stallMs'] as const satisfies readonly (keyof FirstOfOptions)[];

/**
 * Asks the sources in order: the next one when one fails, or takes longer than `patienceMs`. Those that failed are asked
 * after the others until a probe finds them healthy again. @throws UsageError for no source or one given twice
 */
export function firstOf(sources: readonly BlockSource[], given: FirstOfOptions = {}): BlockSource {
  const list = requireDistinct(sources);
  const opts = requireOptions(given, OPTIONS);
  for (const name of ['onServer', 'onHealth'] as const) requireType(opts[name], 'function', name);
  requireNumber(opts.stallMs, 1, MAX_TIMER_MS, 'stallMs');
  const { patienceMs = DEFAULT_PATIENCE_MS, onServer, onHealth, stallMs = DEFAULT_STALL_MS } = opts;
  if (patienceMs !== Number.POSITIVE_INFINITY) requireNumber(patienceMs, 1, MAX_TIMER_MS, 'patienceMs');
  const name = `first of (${list.map((source) => source.name).join(', ')})`;
  const observers = onServer === undefined ? {} : { onServer };
  const pool = new Pool(list, REST_RULES.http, onHealth);
  const heads = ownHeads(pool, stallMs);

  function run<T>(
    operation: 'latestSeqno' | 'signatures',
    options: AskOptions,
    one: (source: BlockSource, opts: AskOptions) => Promise<T>,
    rules: Omit<StaggerRules<T>, 'patienceMs'> & { readonly without?: ReadonlySet<BlockSource> } = {},
  ): Promise<Staggered<T>> {
    const question = operation === 'latestSeqno' ? 'head' : 'signatures';
    const { without, ...rest } = rules;
    return inRounds(name, options, (round, heard) => {
      const candidates = pool.inOrder(question, patienceMs).filter(({ source }) => without?.has(source) !== true);
      const ask = (source: BlockSource, asked: AskOptions) =>
        observed(observers, source.name, operation, () => one(source, asked));
      return askStaggered(candidates, pool, ask, round, options.signal, heard, { patienceMs, ...rest });
    });
  }

  async function signaturesFrom(
    seqno: number,
    options: AskOptions,
    before: ReadonlySet<BlockSource>,
  ): Promise<SignedAnswer> {
    const ask = async (source: BlockSource, one: AskOptions) =>
      readSigned(await source.signatures(seqno, one), seqno, source.name);
    const { won } = await run('signatures', options, ask, { without: before });
    return passOn(seqno, won.source, won.answer, new Set([...before, won.source]));
  }

  /** @param gave the sources whose answers come to an end with this one */
  function passOn(
    seqno: number,
    source: BlockSource,
    answer: SignedAnswer,
    gave: ReadonlySet<BlockSource>,
  ): SignedAnswer {
    return Object.freeze({
      ...answer,
      async another(options: AskOptions = {}): Promise<SignedAnswer | undefined> {
        let failure: SourceError | undefined;
        try {
          const inner = await answer.another?.(options);
          if (inner !== undefined) return passOn(seqno, source, readSigned(inner, seqno, source.name), gave);
        } catch (error) {
          if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
          failure = error; // of the rest behind this source: the other sources may do better
        }
        if (gave.size < list.length) return await signaturesFrom(seqno, options, gave);
        if (failure !== undefined) throw failure;
        return undefined;
      },
      blame(): void {
        if (answer.blame !== undefined) {
          answer.blame();
          return;
        }
        const what = `${source.name}: its signatures were no good, those of another server were`;
        pool.rest(source, new SourceError('source/malformed', what, { endpoint: source.name }));
      },
    });
  }

  return Object.freeze({
    name,
    async latestSeqno(options: AskOptions = {}): Promise<number> {
      const { won, poor } = await run('latestSeqno', options, (source, one) => source.latestSeqno(one), heads);
      return heads.highest(won, poor);
    },
    signatures: (seqno: number, options: AskOptions = {}) => signaturesFrom(seqno, options, new Set()),
    waitMs: () => Math.min(...list.map((source) => source.waitMs?.() ?? 0)),
  });
}
