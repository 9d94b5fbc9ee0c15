/** Splits a range into parts of nearly equal size. Each is an audit of its own; together they give the ledger of the whole range. */
import { badOption, requireInteger, requireMembers } from '../../core/base/arguments.ts';
import { MAX_SEQNO } from '../../core/base/limits.ts';
import { MAX_SIGN_EVERY } from './ledger-lines.ts';

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
export function partOfRange(range: SeqnoRange, index: number, count: number, signEvery = 1): SeqnoRange {
  const given = requireMembers(range, '{ from, to }', 'range');
  const from = requireInteger(given.from, 'range.from', 0, MAX_SEQNO);
  const to = requireInteger(given.to, 'range.to', from, MAX_SEQNO);
  requireInteger(signEvery, 'signEvery', 1, MAX_SIGN_EVERY);
  const steps = Math.ceil((to - from + 1) / signEvery);
  requireInteger(count, 'count', 1, MAX_SEQNO);
  requireInteger(index, 'index', 1, count);
  if (count > steps) {
    throw badOption(`expected at most ${steps} parts, got ${count}`, 'count');
  }
  const begin = (at: number): number => from + signEvery * Math.floor((at * steps) / count);
  return { from: begin(index - 1), to: Math.min(to, begin(index) - 1) };
}
