/** Which server is asked for the next page of a list: one that sends little at a time, or late, comes after the others. */
import { expect, it } from 'vitest';
import { inPageOrder } from '../../../src/net/machine/page-order.ts';

it('prefers servers whose pages are whole and quick, then those that it does not know, each by the time of a row', () => {
  const pages = {
    short: { rows: 1, ms: 5, isShort: true },
    slow: { rows: 16, ms: 251, isShort: false },
    slower: { rows: 16, ms: 9_000, isShort: false },
    good: { rows: 16, ms: 250, isShort: false },
    quick: { rows: 16, ms: 50, isShort: false },
    drip: { rows: 1, ms: 3_000, isShort: true },
    last: { rows: 2, ms: 240, isShort: false },
    single: { rows: 1, ms: 250, isShort: false },
    brief: { rows: 16, ms: 8, isShort: true },
  };
  const names = ['drip', 'new', 'short', 'slower', 'good', 'slow', 'quick', 'other', 'last', 'brief', 'single'];
  const order = inPageOrder(names, (name) => (pages as Record<string, (typeof pages)['slow']>)[name]);
  expect(order).toEqual([
    'quick',
    'good',
    'last',
    'single',
    'new',
    'other',
    'brief',
    'short',
    'slow',
    'slower',
    'drip',
  ]);
});
