/** Blocks that servers name, held against the newest block that is trusted. Pure. */
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';

/** A block to go for, and who named it. */
export interface Target<S> {
  readonly server: S;
  readonly block: BlockIdExt;
}

/** Where trust is. */
export interface Place<S> {
  readonly tip: BlockIdExt;
  /** Of the tip; of a start that is no checkpoint of a key block it is not known. */
  readonly genUtime: number | undefined;
  /** Whether signatures were verified on the way here: else it is the very block that trust began at. */
  readonly isProven: boolean;
  /** Who gave the last answer; nobody of this run where an earlier one was given it. */
  readonly prover: S | undefined;
}

/**
 * newer: to be climbed to. end: nothing newer than what is trusted. behind: older than the start, and no block to end at. other: it
 * has the number of the start and is another block.
 */
export type Standing = 'newer' | 'end' | 'behind' | 'other';

export function standingOf(block: BlockIdExt, { tip, genUtime, isProven }: Omit<Place<unknown>, 'prover'>): Standing {
  if (block.seqno > tip.seqno) return 'newer';
  if (isProven) return 'end';
  if (block.seqno < tip.seqno || genUtime === undefined) return 'behind';
  return differingField(block, tip) === undefined ? 'end' : 'other';
}

/**
 * Heads, the newest first, those of one number in the order in which they came. Those of servers that named one in vain come last:
 * the same one would be tried first each time.
 */
export function inOrder<S>(heads: readonly Target<S>[], isDoubted: (server: S) => boolean): readonly Target<S>[] {
  const doubt = ({ server }: Target<S>) => Number(isDoubted(server));
  return [...heads].sort((a, b) => doubt(a) - doubt(b) || b.block.seqno - a.block.seqno);
}
