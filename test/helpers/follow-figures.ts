/** How well a follower keeps up with a living chain, in figures: what was reported, how late, and what was told. */
import type { SourceError } from '../../src/core/base/errors.ts';
import { followBlocks } from '../../src/net/follow/follow-blocks.ts';
import type { FollowOptions } from '../../src/net/follow/follow-options.ts';
import type { FollowStall } from '../../src/net/follow/stall-reports.ts';
import type { BlockSource } from '../../src/net/sources/block-source.ts';
import type { LivingChain } from './living-chain.ts';

export interface FollowFigures {
  readonly seqnos: readonly number[];
  /** Reports by status. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Milliseconds from the birth of each block to its report. */
  readonly lateMs: readonly number[];
  readonly troubles: readonly SourceError[];
  readonly stalls: readonly FollowStall[];
}

/** @param until asked after each report whether it is enough */
export async function followFigures(
  chain: LivingChain,
  source: BlockSource,
  until: (figures: FollowFigures) => boolean,
  opts: Partial<FollowOptions> = {},
): Promise<FollowFigures> {
  const figures = {
    seqnos: [] as number[],
    verdicts: {} as Record<string, number>,
    lateMs: [] as number[],
    troubles: [] as SourceError[],
    stalls: [] as FollowStall[],
  };
  const reports = followBlocks(source, {
    validators: chain.validators,
    from: chain.first,
    onTrouble: (error) => void figures.troubles.push(error),
    onStall: (stall) => void figures.stalls.push(stall),
    ...opts,
  });
  for await (const { coverage, verdict } of reports) {
    const { seqno } = coverage.blockId;
    figures.seqnos.push(seqno);
    figures.lateMs.push(Math.round(chain.ageMs(seqno)));
    figures.verdicts[verdict.status] = (figures.verdicts[verdict.status] ?? 0) + 1;
    if (until(figures)) break;
  }
  return figures;
}

/** Seqnos from `from` on that are missing, come twice, or stand in the wrong place. */
export function disorder(seqnos: readonly number[], from: number): readonly number[] {
  return seqnos.filter((seqno, at) => seqno !== from + at);
}
