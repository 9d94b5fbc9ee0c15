/** Splits a range into parts of nearly equal size. Each is an audit of its own; together they give the ledger of the whole range. */
import { badOption } from '../../core/base/arguments.ts';

/** First and last seqno of a part, both included. */
export interface SeqnoRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns part `index` (from 1) of `count` of a range. Parts end at signed blocks of the whole range, so that a hash-linked audit in parts
 * has the same rows.
 * @throws UsageError for more parts than there are
 */
export function partOfRange({ from, to }: SeqnoRange, index: number, count: number, signEvery = 1): SeqnoRange {
  const steps = Math.ceil((to - from + 1) / signEvery);
  if (count > steps) throw badOption(`expected at most ${steps} parts, got ${count}`, 'count');
  const begin = (at: number): number => from + signEvery * Math.floor((at * steps) / count);
  return { from: begin(index - 1), to: Math.min(to, begin(index) - 1) };
}
