/** Damaged bags of cells, read by us and by @ton/core: where both accept, all hashes agree; where one refuses, it is known why. */
import { expect, it } from 'vitest';
import { DecodeError } from '../../src/core/base/errors.ts';
import { parseBoc } from '../../src/core/cells/boc.ts';
import { CoreCell } from '../helpers/cells.ts';
import { fuzzChain, makeTargets } from '../helpers/mutate.ts';
import { share } from '../helpers/share.ts';

/** What @ton/core 0.63.1 does not look at, and a proof checker must. */
const ORACLE_ACCEPTS = [
  'the stored hash or depth is not that of the cell',
  'no root leads to it',
  'where its references make it',
  'the index says',
  'after the last cell',
  'as the header says',
  'padding where none is needed',
  'cache bits without an index',
  'reserved flags are set',
  'absent cells',
  'is a root twice',
  'pruned branch of 280 bits',
];

it('agree with @ton/core on every hash and depth, or are refused for a reason that it does not know', () => {
  let agreed = 0;
  const unexplained: string[] = [];
  const read = (file: Uint8Array): string => {
    let theirs: CoreCell[] | undefined;
    try {
      theirs = CoreCell.fromBoc(Buffer.from(file));
    } catch {
      theirs = undefined;
    }
    try {
      const ours = parseBoc(file);
      if (theirs === undefined) unexplained.push('we accept what @ton/core refuses');
      ours.forEach((root, k) => {
        for (const level of [0, 1, 2, 3]) {
          const same = Buffer.from(root.hash(level)).equals(theirs![k]!.hash(level));
          if (!same || root.depth(level) !== theirs![k]!.depth(level)) unexplained.push(`level ${level} differs`);
        }
      });
      agreed++;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const known = ORACLE_ACCEPTS.some((reason) => error.message.includes(reason));
      if (theirs !== undefined && !known) unexplained.push(error.message);
      throw error;
    }
    return '';
  };
  const targets = makeTargets()
    .filter(({ cells, file }) => cells && file.length < 20_000)
    .map((target) => ({ ...target, share: 1, read }));
  const { failures } = fuzzChain(share(400, 1500), 63, targets);
  expect(failures).toEqual([]);
  expect(unexplained).toEqual([]);
  expect(agreed).toBeGreaterThan(50);
});
