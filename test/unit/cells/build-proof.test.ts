import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { buildMerkleProof } from '../../../src/core/cells/build-proof.ts';
import type { Cell } from '../../../src/core/cells/cell.ts';
import { openMerkleProof } from '../../../src/core/cells/merkle-proof.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { beginCell, bocOf, CoreCell, rawCells, seededRandom, writeBoc } from '../../helpers/cells.ts';
import { realBytes } from '../../helpers/real.ts';

function randomTree(random: () => number, depth: number): CoreCell {
  const builder = beginCell().storeUint(Math.floor(random() * 2 ** 30), 30);
  const refs = depth === 0 ? 0 : Math.floor(random() * 4);
  for (let k = 0; k < refs; k++) builder.storeRef(randomTree(random, depth - 1));
  return builder.endCell();
}

/** Opens some cells below a root, chosen by a number that depends on the cell alone. @returns what was read */
function readSome(cell: Cell, path: string): string {
  const slice = new Slice(cell, path);
  let seen = String(slice.bitsLeft);
  while (slice.refsLeft > 0) {
    const child = slice.ref();
    if (child.hash(0)[0]! % 3 !== 0) seen += `(${readSome(child, path)})`;
  }
  return seen;
}

describe('the proof of what was read', () => {
  it('stands the same reading, has the root hash of the whole, and is what @ton/core calls a proof', () => {
    const random = seededRandom(99);
    for (let round = 0; round < 40; round++) {
      const tree = randomTree(random, 4);
      const root = parseSingleRoot(bocOf(tree));
      const seen = readSome(root, 'tree');
      const boc = buildMerkleProof(root);
      const proven = openMerkleProof(parseSingleRoot(boc), 'proof');
      expect(encodeHex(proven.hash(0))).toBe(tree.hash().toString('hex'));
      expect(readSome(proven, 'proof')).toBe(seen);
      const oracle = CoreCell.fromBoc(Buffer.from(boc))[0]!;
      expect(oracle.refs[0]!.hash(0)).toEqual(tree.hash());
    }
  });

  it('made of its own reading is itself, byte for byte', () => {
    const root = parseSingleRoot(realBytes('testnet-2025-02/block-27689757/block.boc'));
    const seen = readSome(root.ref(0), 'block.info');
    const first = buildMerkleProof(root.ref(0));
    const again = openMerkleProof(parseSingleRoot(first), 'proof');
    expect(readSome(again, 'proof')).toBe(seen);
    expect(buildMerkleProof(again)).toEqual(first);
  });

  it('can be read where it has 256 cells, which take two bytes to count', () => {
    for (let count = 253; count <= 257; count++) {
      let tree = beginCell().storeUint(count, 32).endCell();
      for (let more = 1; more < count; more++) tree = beginCell().storeUint(more, 16).storeRef(tree).endCell();
      const root = parseSingleRoot(bocOf(tree));
      for (let cell = root, left = count; left > 0; left--) {
        new Slice(cell, 'tree');
        if (left > 1) cell = cell.ref(0);
      }
      const proven = openMerkleProof(parseSingleRoot(buildMerkleProof(root)), 'proof');
      expect(encodeHex(proven.hash(0))).toBe(tree.hash().toString('hex'));
    }
  });

  it('does not depend on the order of cells in the file, nor on cells that the file holds twice', () => {
    const leaf = beginCell().storeUint(1, 8).endCell();
    const left = beginCell().storeUint(2, 8).storeRef(leaf).endCell();
    const right = beginCell().storeUint(3, 8).storeRef(leaf).endCell();
    const tree = beginCell().storeRef(left).storeRef(right).endCell();
    const cells = rawCells([tree]);
    const readAll = (cell: Cell): void => {
      const slice = new Slice(cell, 'tree');
      while (slice.refsLeft > 0) readAll(slice.ref());
    };
    const proofOf = (boc: Uint8Array) => {
      const root = parseSingleRoot(boc);
      readAll(root);
      return buildMerkleProof(root);
    };
    const exchanged = new Map([
      [1, 2],
      [2, 1],
    ]);
    const swapped = [cells[0]!, cells[2]!, cells[1]!, cells[3]!].map((cell) => ({
      ...cell,
      refs: cell.refs.map((ref) => exchanged.get(ref) ?? ref),
    }));
    const doubled = [...cells.slice(0, 3), cells[3]!, cells[3]!].map((cell, at) =>
      at === 2 ? { ...cell, refs: [4] } : cell,
    );
    const plain = proofOf(writeBoc(cells));
    expect(proofOf(writeBoc(swapped))).toEqual(plain);
    expect(proofOf(writeBoc(doubled))).toEqual(plain);
  });

  it('shows a cell whole when one of its copies was read and the other not', () => {
    const leaf = beginCell().storeUint(1, 8).endCell();
    const tree = beginCell().storeRef(leaf).storeRef(beginCell().storeUint(5, 8).storeRef(leaf).endCell()).endCell();
    const cells = rawCells([tree]);
    // The copy that is read stands before the other one in the file, and behind it.
    for (const [read, other] of [
      [2, 3],
      [3, 2],
    ] as const) {
      const copies = [{ ...cells[0]!, refs: [read, 1] }, { ...cells[1]!, refs: [other] }, cells[2]!, cells[2]!];
      const root = parseSingleRoot(writeBoc(copies));
      const slice = new Slice(root, 'tree');
      new Slice(slice.ref(), 'leaf');
      new Slice(slice.ref(), 'other');
      const proven = openMerkleProof(parseSingleRoot(buildMerkleProof(root)), 'proof');
      expect(proven.ref(0).kind).toBe('ordinary');
      expect(proven.ref(1).ref(0).kind).toBe('ordinary');
    }
  });
});
