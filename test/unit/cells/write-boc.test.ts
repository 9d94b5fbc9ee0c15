import { describe, expect, it } from 'vitest';
import { equalBytes } from '../../../src/core/base/bytes.ts';
import { parseBoc } from '../../../src/core/cells/boc.ts';
import { CellBuilder, type NewCell } from '../../../src/core/cells/new-cell.ts';
import { isCanonical, writeBoc } from '../../../src/core/cells/write-boc.ts';

/** A tree of four branches a cell, each leaf with a number of its own. */
function treeOf(leaves: number): NewCell {
  let row = Array.from({ length: leaves }, (_, n) => new CellBuilder().uint(n, 32).build());
  while (row.length > 1) {
    row = Array.from({ length: Math.ceil(row.length / 4) }, (_, n) => {
      const builder = new CellBuilder();
      for (const cell of row.slice(4 * n, 4 * n + 4)) builder.ref(cell);
      return builder.build();
    });
  }
  return row[0]!;
}

describe('a bag that is written', () => {
  it('has more parts than a call may have arguments, and is read back as the same tree', () => {
    const tree = treeOf(50_000);
    const boc = writeBoc(tree);
    const [root] = parseBoc(boc);
    expect(equalBytes(root!.hash(), tree.hash())).toBe(true);
    expect(isCanonical(boc, root!)).toBe(true);
  });
});
