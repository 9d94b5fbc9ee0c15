/**
 * Whether the head that a server tells can be its newest block: one that stands still, or goes back, is a reason to look at
 * the others, and the one ahead wins. A server's head is compared with its own earlier ones, so that one which names an
 * absurd head does not put the honest ones in the wrong.
 */
import { HEAD_JITTER } from '../machine/stall.ts';
import type { BlockSource } from './block-source.ts';
import type { Pool } from './pool.ts';
import type { Given } from './staggered.ts';

export interface HeadWatch {
  /** Whether this head may be taken without a look at the others. @param poor heads that others gave, found wanting */
  isGood(given: Given<number>, poor: readonly Given<number>[]): boolean;
  /** The highest of the heads; whoever told a lower one and gave reason to look is behind. */
  highest(won: Given<number>, poor: readonly Given<number>[]): number;
}

interface Seen {
  readonly head: number;
  /** When it moved last, or was compared with the others. */
  readonly atMs: number;
}

/** @param stallMs how long a head may stand before the others are looked at */
export function createHeadWatch(pool: Pool<BlockSource>, stallMs: number): HeadWatch {
  const seen = new Map<BlockSource, Seen>();
  return Object.freeze({
    isGood({ source, answer }: Given<number>, poor: readonly Given<number>[]): boolean {
      const before = seen.get(source);
      const now = performance.now();
      const hasMoved = before === undefined || answer > before.head;
      if (hasMoved) seen.set(source, { head: answer, atMs: now });
      if (poor.length > 0) return poor.every(({ answer: other }) => answer > other);
      return hasMoved || (answer >= before.head - HEAD_JITTER && now - before.atMs < stallMs);
    },
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
  });
}
