import { describe, expect, it } from 'vitest';
import { selectMasterchainValidators, shuffledOrder } from '../../../src/core/validators/select-masterchain.ts';
import { makeSigners } from '../../helpers/make-validators.ts';
import { readVector } from '../../helpers/vectors.ts';

interface Reference {
  readonly catchain_seqno: number;
  readonly subset_order: number[];
  readonly shuffle_examples: { cc_seqno: number; count: number; order: number[] }[];
}
const reference = readVector<Reference>('synthetic/reference.json');

describe('the session order', () => {
  it.each(reference.shuffle_examples)(
    'of $count validators under catchain seqno $cc_seqno is the reference one',
    ({ cc_seqno, count, order }) => {
      expect(shuffledOrder(count, cc_seqno)).toEqual(order);
    },
  );

  it('of the reference set is the reference one', () => {
    expect(shuffledOrder(5, reference.catchain_seqno)).toEqual(reference.subset_order);
  });

  it('is a permutation: it changes neither membership nor weights', () => {
    for (const count of [1, 2, 9, 100, 1000]) {
      expect([...shuffledOrder(count, 12345)].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
    }
  });
});

describe('the masterchain subset', () => {
  const list = makeSigners([5n, 4n, 3n]);

  it('is the first `main` entries in config order, with the end of their round', () => {
    const set = selectMasterchainValidators({ utimeSince: 1, utimeUntil: 9, main: 2, list });
    expect(set).toMatchObject({ totalWeight: 9n, utimeUntil: 9 });
    expect(set.provenance).toEqual({ kind: 'claimed', source: 'configuration' });
    expect(set.validators.map(({ weight }) => weight)).toEqual([5n, 4n]);
  });

  it.each([0, 4, -1, 1.5, Number.NaN])('is refused for main = %d of 3', (main) => {
    expect(() => selectMasterchainValidators({ utimeSince: 1, utimeUntil: 9, main, list })).toThrow(
      expect.objectContaining({
        code: 'validators/bad-main',
        path: 'main',
        hint: expect.stringContaining('only the first `main`'),
      }),
    );
  });

  it('is of a configuration, which has a list', () => {
    for (const none of [{ main: 2 }, { main: 1, list: 'list' }, { main: 1, list: { 0: list[0], length: 1 } }]) {
      expect(() => selectMasterchainValidators(none as never)).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'config' }),
      );
    }
  });

  it('of a configuration that does not say when its round ends is a set that does not either', () => {
    const set = selectMasterchainValidators({ main: 2, list } as never);
    expect([set.totalWeight, 'utimeUntil' in set]).toEqual([9n, false]);
  });
});
