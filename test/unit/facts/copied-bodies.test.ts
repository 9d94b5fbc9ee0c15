/** A body that stands in its message is copied: how many cells that takes is told before, each cell counted once. */
import { expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { asCell } from '../../../src/core/facts/messages.ts';
import { beginCell, bocOf, type CoreCell } from '../../helpers/cells.ts';

function told(cell: CoreCell): number[] {
  const cells: number[] = [];
  const copy = asCell(new Slice(parseSingleRoot(bocOf(cell)), 'body'), (count, path) => {
    expect(path).toBe('body');
    cells.push(count);
  });
  expect(Buffer.from(copy.hash())).toEqual(cell.hash());
  return cells;
}

it('all cells below it are counted, and none twice, however many ways lead to it', () => {
  let tree = beginCell().storeUint(7, 32).endCell();
  expect(told(tree)).toEqual([1]);
  for (let depth = 0; depth < 40; depth++)
    tree = beginCell().storeUint(depth, 8).storeRef(tree).storeRef(tree).endCell();
  expect(told(tree)).toEqual([41]);
  const side = beginCell().storeRef(beginCell().storeUint(9, 9).endCell()).endCell();
  expect(told(beginCell().storeRef(tree).storeRef(side).storeRef(side.refs[0]!).endCell())).toEqual([1 + 41 + 2]);
});
