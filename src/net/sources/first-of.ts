/** Several servers for availability only: in order, the next one as soon as one is late. Nobody is cross-checked. */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { DEFAULT_DEADLINE_MS } from '../../core/base/limits.ts';
import { callback, number, readOptions } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import { LONGEST_TIMEOUT_MS, sleep, withinOneDeadline } from '../async/timer.ts';
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

/** When `firstOf` asks the next server as well, and which events it reports. */
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

/** The wait for a block is done here, in rounds over all servers, and not on one of them. */
async function inRounds<T>(
  name: string,
  given: AskOptions,
  round: (opts: AskOptions, heard: SourceStatement[]) => Promise<T>,
): Promise<T> {
  const { signal: caller, deadlineMs, waitForBlock = false } = requireAskOptions(given);
  const start = performance.now();
  const leftMs = (limitMs = DEFAULT_DEADLINE_MS) => Math.max(1, limitMs - (performance.now() - start));
  for (;;) {
    const heard: SourceStatement[] = [];
    const limit = present({ deadlineMs: deadlineMs && leftMs(deadlineMs) });
    try {
      return await withinOneDeadline(name, { ...present({ signal: caller }), ...limit }, heard, (signal) =>
        round({ ...limit, signal }, heard),
      );
    } catch (error) {
      const isNotReady = error instanceof SourceError && error.code === 'source/not-ready';
      if (!waitForBlock || !isNotReady || leftMs(deadlineMs) <= WAIT_STEP_MS) throw error;
      await withinOneDeadline(name, present({ signal: caller }), heard, (signal) => sleep(WAIT_STEP_MS, signal));
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

const READERS = {
  patienceMs: (ms: unknown, path: string): number =>
    ms === Number.POSITIVE_INFINITY ? ms : number(1, LONGEST_TIMEOUT_MS, 1000)(ms as never, path), // which looks at it
  stallMs: number(1, LONGEST_TIMEOUT_MS, 5000),
  onServer: callback(),
  onHealth: callback(),
};

/**
 * Combines several sources: asks them in order, the next one when one fails or takes longer than `patienceMs`. Those that
 * failed are asked after the others until a probe finds them healthy again.
 * @throws UsageError for no source or one given twice
 * @example
 * ```ts
 * import { firstOf, toncenterV2 } from 'ton-finality/servers';
 * const source = firstOf([
 *   toncenterV2({ baseUrl: 'https://a.example/api/v2' }),
 *   toncenterV2({ baseUrl: 'https://b.example/api/v2' }),
 * ]);
 * console.log(source.name); // first of (https://a.example/api/v2, https://b.example/api/v2)
 * ```
 */
export function firstOf(sources: readonly BlockSource[], given: FirstOfOptions = {}): BlockSource {
  const list = requireDistinct(sources);
  const { patienceMs, stallMs, onHealth, ...observers } = readOptions(given, '', READERS);
  const name = `first of (${list.map((source) => source.name).join(', ')})`;
  const pool = new Pool(list, REST_RULES.http, onHealth);
  const heads = ownHeads(pool, stallMs);

  function run<T>(
    operation: 'latestSeqno' | 'signatures',
    options: AskOptions,
    one: (source: BlockSource, opts: AskOptions) => Promise<T>,
    isGood: StaggerRules<T>['isGood'],
    before: ReadonlySet<BlockSource> = new Set(),
  ): Promise<Staggered<T>> {
    const question = operation === 'latestSeqno' ? 'head' : 'signatures';
    return inRounds(name, options, (opts, heard) => {
      const candidates = pool.inOrder(question, patienceMs).filter(({ source }) => !before.has(source));
      const ask = (source: BlockSource, asked: AskOptions) =>
        observed(observers, source.name, operation, () => one(source, asked));
      return askStaggered({ candidates, pool, ask, opts, caller: options.signal, heard, patienceMs, isGood });
    });
  }

  /** @param before the sources whose answers were no good */
  async function signaturesFrom(
    seqno: number,
    options: AskOptions,
    before: ReadonlySet<BlockSource>,
  ): Promise<SignedAnswer> {
    const ask = async (source: BlockSource, one: AskOptions) =>
      readSigned(await source.signatures(seqno, one), seqno, source.name);
    const { won } = await run('signatures', options, ask, undefined, before);
    return passOn(seqno, won, new Set([...before, won.source]));
  }

  /** @param gave the sources whose answers come to an end with this one */
  function passOn(
    seqno: number,
    { source, answer }: Given<SignedAnswer>,
    gave: ReadonlySet<BlockSource>,
  ): SignedAnswer {
    return Object.freeze({
      ...answer,
      async another(options: AskOptions = {}): Promise<SignedAnswer | undefined> {
        let failure: SourceError | undefined;
        try {
          const inner = await answer.another?.(options);
          if (inner !== undefined)
            return passOn(seqno, { source, answer: readSigned(inner, seqno, source.name) }, gave);
        } catch (error) {
          if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
          failure = error; // of the rest behind this source: the other sources may do better
        }
        if (gave.size < list.length) return await signaturesFrom(seqno, options, gave);
        if (failure !== undefined) throw failure;
        return undefined;
      },
      blame: answer.blame ?? (() => pool.blame(source)),
    });
  }

  return Object.freeze({
    name,
    async latestSeqno(options: AskOptions = {}): Promise<number> {
      const { won, poor } = await run('latestSeqno', options, (source, one) => source.latestSeqno(one), heads.isGood);
      return heads.highest(won, poor);
    },
    signatures: (seqno: number, options: AskOptions = {}) => signaturesFrom(seqno, options, new Set()),
    waitMs: () => Math.min(...list.map((source) => source.waitMs?.() ?? 0)),
  });
}
