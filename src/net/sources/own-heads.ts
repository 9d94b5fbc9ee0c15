/** Decides whose head counts where several servers each name the newest block that they know. Heads are claims. */

import { QUESTION_DEADLINE_MS, TURN_DEADLINE_MS } from '../../core/base/limits.ts';
import { grownMs } from '../machine/retry.ts';
import { HEAD_JITTER } from '../machine/stall.ts';
import type { AnswerOfServer } from './ask-servers.ts';
import type { BlockSource } from './block-source.ts';
import type { Pool } from './pool.ts';

/** How often a server may lack a block that it named, before its heads do not count. */
const MAX_LACKS = 3;

/** Blocks by which a server that gave none may lead: enough for one that is up to date and slow to give one first. */
const MAX_LEAD = 8;

/** Milliseconds in which a server counts less that did not give what it named: at first, and at most. */
const IN_VAIN_MS = 5_000;
const IN_VAIN_CAP_MS = 60_000;

/** Milliseconds in which signatures are judged: a server whose last ones were not valid counts again after that. */
const TRIAL_MS = 1_000;

/** The memory of one server's heads. */
interface SeenHead {
  head: number;
  /** When the head moved last, or was last compared with the others. */
  atMs: number;
  /** The head, where another server named a higher one. */
  low: number;
  /** How often the server lacked a block that it named, and the block for which it was doubted last. */
  times: number;
  lacked: number;
  /** How often the server was doubted since it gave a block, and the time until which it counts less. */
  vain: number;
  untilMs: number;
  /** The highest block that the server gave since it was doubted last; -1 for none. */
  gave: number;
  /** When the server gave the first signatures after some that were not valid; infinite before. */
  trialMs?: number | undefined;
}

/**
 * Decides whether a server's head can be the newest block. A head that stays the same, or goes back, is a reason to ask
 * the other servers; the highest head then wins. A head is a claim, so a server with a lower one is `behind` only once
 * signatures of a higher block came. Heads of a server that does not give the block that it named do not count for a while.
 * The heads of the other servers are heard now and then, so a head that moves counts only while it keeps up with them.
 * Once a server gave a block, the head of a server that gave none counts for at most `MAX_LEAD` blocks more. A true head
 * is proven by those blocks.
 * @param stallMs how long a head may stay the same before the other servers are asked
 */
export function ownHeads(pool: Pool<BlockSource>, stallMs: number) {
  const seen = new Map<BlockSource, SeenHead>(
    pool.servers.map((one) => [
      one,
      { head: -1, atMs: 0, low: Number.POSITIVE_INFINITY, lacked: 0, times: 0, vain: 0, untilMs: 0, gave: -1 },
    ]),
  );
  const of = (source: BlockSource) => seen.get(source)!; // a server of this pool
  const isInVain = (source: BlockSource) => performance.now() < of(source).untilMs;
  /** Doubts a server because of a block that it named. */
  function doubt(source: BlockSource, seqno: number): void {
    const one = of(source);
    if (seqno <= one.head && !isInVain(source)) {
      pool.doubt(source);
      one.gave = -1;
      one.lacked = seqno;
      one.untilMs = performance.now() + grownMs(IN_VAIN_MS, IN_VAIN_CAP_MS, one.vain++);
    }
  }
  function note({ source, answer }: AnswerOfServer<number>, least = of(source).head + 1): undefined {
    if (answer >= least)
      Object.assign(of(source), { head: answer, atMs: performance.now(), low: Number.POSITIVE_INFINITY });
  }
  /** Returns the highest head that moved lately, which a server that is behind has to reach. */
  function leastFor(source: BlockSource): number {
    const sinceMs = performance.now() - 2 * stallMs;
    const lately = [...seen.values()].filter(({ atMs, untilMs }) => atMs > Math.max(sinceMs, untilMs));
    return Math.max(...lately.map(({ head }) => head)) - (pool.stateOf(source) === 'behind' ? 0 : HEAD_JITTER);
  }
  return {
    /**
     * Whether this head may be used without asking the others. @param poor heads of other servers that were not good
     * enough
     */
    isGood(given: AnswerOfServer<number>, poor: readonly AnswerOfServer<number>[]): boolean {
      const { source, answer } = given;
      const { head, atMs } = of(source);
      note(given);
      if (pool.isDoubted(source) || answer < leastFor(source)) return false;
      const others = poor.filter((one) => !pool.isDoubted(one.source));
      if (others.length > 0) return others.every(({ answer: other }) => answer > other);
      return answer > head || (answer >= head - HEAD_JITTER && performance.now() - atMs < stallMs);
    },
    /** Returns the highest head that counts, or the highest if none does. */
    highest(won: AnswerOfServer<number>, poor: readonly AnswerOfServer<number>[]): number {
      const heads = [...poor.filter((one) => one !== won), won];
      // Only a block that is asked for ends a doubt, so that the heads of doubted servers count again after a while.
      const some = heads.filter(({ source }) => !isInVain(source));
      const counted = some.length > 0 ? some : heads;
      // A server that gave no block leads little beyond those that did: its block must come before its head counts.
      const proven = Math.max(
        ...pool.servers.map((source) => of(source).gave),
        ...counted.map(({ source, answer }) => (of(source).gave < 0 ? -1 : answer)),
      );
      const most = proven < 0 ? Number.POSITIVE_INFINITY : proven + MAX_LEAD;
      const best = Math.min(most, Math.max(...counted.map(({ answer }) => answer)));
      if (counted.length === 1 && !poor.includes(won)) return best;
      for (const one of counted) {
        if (one.answer < best) of(one.source).low = one.answer;
        else {
          // No server knows a newer block: the chain itself stalled, or went back. Ask again after the same time.
          note(one, best);
          if (proven < 0 || of(one.source).gave >= 0) pool.answered(one.source, performance.now());
        }
      }
      return best;
    },
    isBelow: (source: BlockSource, seqno: number) => of(source).low < seqno,
    /** Notes the signatures of a block. Servers whose heads are below it are behind. */
    gave(server: BlockSource, seqno: number): void {
      const one = of(server);
      const nowMs = performance.now();
      // Where its last signatures were not valid, these may not be either.
      const { trialMs = Number.NEGATIVE_INFINITY } = one;
      one.trialMs = nowMs - trialMs < TRIAL_MS ? Math.min(trialMs, nowMs) : undefined;
      if (one.trialMs !== undefined) return;
      if (seqno >= one.lacked) {
        pool.believe(server);
        Object.assign(one, { vain: 0, untilMs: 0, times: 0, gave: Math.max(one.gave, seqno) });
      }
      if (one.low < seqno) one.low = Number.POSITIVE_INFINITY; // it has the block
      for (const [source, { low }] of seen) {
        if (low < seqno && pool.stateOf(source) === 'up') pool.rest(source, undefined, 'behind');
      }
    },
    /** Notes that a server failed to give a block, or that another server gave it first. */
    lacks(server: BlockSource, seqno: number): void {
      const one = of(server);
      if (seqno <= one.head && ++one.times % MAX_LACKS === 0) doubt(server, seqno);
    },
    /** Notes that a server left a question for a block open that other servers do not have. */
    doubt,
    /** Notes that a server gave signatures that are not valid. */
    refuse(server: BlockSource, seqno: number): void {
      of(server).trialMs = Number.POSITIVE_INFINITY;
      doubt(server, seqno);
    },
    /** Whether signatures of the server say nothing before they are judged. */
    isOnTrial: (server: BlockSource) => of(server).trialMs !== undefined,
    /** Returns the milliseconds that a server has where others do not have a block; 0 where it is not waited for. */
    graceMs: (server: BlockSource) =>
      isInVain(server) ? 0 : pool.isDoubted(server) ? TURN_DEADLINE_MS : QUESTION_DEADLINE_MS,
  };
}
