import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseBoc, parseSingleRoot } from '../../../src/core/cells/boc.ts';
import {
  type BocForm,
  beginCell,
  bocOf,
  CoreCell,
  merkleProof,
  merkleUpdate,
  prune,
  rawCells,
  seededRandom,
  writeBoc,
} from '../../helpers/cells.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import { realBytes, realFiles } from '../../helpers/real.ts';
import { everyNth } from '../../helpers/share.ts';

const LEVELS = [0, 1, 2, 3];

function expectSame(boc: Uint8Array, oracle: CoreCell): void {
  const root = parseSingleRoot(boc);
  for (const level of LEVELS) {
    expect(encodeHex(root.hash(level)), `hash at level ${level}`).toBe(oracle.hash(level).toString('hex'));
    expect(root.depth(level), `depth at level ${level}`).toBe(oracle.depth(level));
  }
}

function randomTree(random: () => number, depth: number): CoreCell {
  const builder = beginCell();
  const bits = Math.floor(random() * 1024);
  for (let bit = 0; bit < bits; bit++) builder.storeBit(random() < 0.5);
  const refs = depth === 0 ? 0 : Math.floor(random() * 5);
  for (let k = 0; k < refs; k++) builder.storeRef(randomTree(random, depth - 1));
  return builder.endCell();
}

function codeOf(boc: Uint8Array): string {
  try {
    parseBoc(boc);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof FinalityError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

const small = beginCell().storeUint(5, 3).storeRef(beginCell().storeUint(1, 16).endCell()).endCell();
const bits = (text: string) => [...text].reduce((cell, bit) => cell.storeBit(bit === '1'), beginCell());

it('a parsed cell hands out nothing through which its bag can be written to', () => {
  const cell = parseSingleRoot(
    writeBoc([{ d1: 0, d2: 2, stored: new Uint8Array(0), data: Uint8Array.of(7), refs: [] }]),
  );
  const before = [...cell.hash()];
  cell.hash().fill(0);
  expect(Reflect.ownKeys(cell)).toEqual([]);
  expect(() => Object.assign(cell, { index: 1 })).toThrow(TypeError);
  expect([...cell.hash()]).toEqual(before);
});

describe('a bag of cells', () => {
  it('gives every recorded bag the hashes and depths that @ton/core gives it, at all four levels', () => {
    const files = realFiles('.boc');
    expect(files.length).toBeGreaterThan(90);
    for (const file of everyNth(files, 3)) {
      const boc = realBytes(file);
      expectSame(boc, CoreCell.fromBoc(Buffer.from(boc))[0]!);
    }
  });

  it('gives generated trees the hashes that @ton/core gives them, in every header form', () => {
    const random = seededRandom(20251120);
    for (let round = 0; round < 60; round++) {
      const tree = randomTree(random, 3);
      expectSame(bocOf(tree), tree);
      const forms: BocForm[] = [
        { refSize: 2, offsetSize: 3 },
        { refSize: 4, offsetSize: 8, index: true },
        { refSize: 3, offsetSize: 4, index: true, crc: true, cacheBits: true },
        { refSize: 2, offsetSize: 3, magic: 'indexed' },
        { refSize: 2, offsetSize: 3, magic: 'indexed-crc' },
      ];
      const form = forms[round % forms.length]!;
      expectSame(writeBoc(rawCells([tree], round % 2 === 0), form), tree);
    }
  });

  it('gives pruned trees, proofs and updates the hashes that @ton/core gives them, nested to level 2', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 40; round++) {
      const left = randomTree(random, 3);
      const right = randomTree(random, 3);
      const cutLeft = prune(left, () => random() < 0.3);
      const cutRight = prune(right, () => random() < 0.3);
      const update = merkleUpdate(cutLeft, cutRight);
      expect(update.level()).toBe(0);
      expectSame(bocOf(update), update);
      expectSame(bocOf(merkleProof(cutLeft)), merkleProof(cutLeft));
      if (cutLeft.level() === 1) expectSame(bocOf(cutLeft), cutLeft);
      const holder = beginCell().storeRef(update).storeRef(right).endCell();
      const cutHolder = prune(holder, (cell) => cell.hash().equals(right.hash()));
      expectSame(
        writeBoc(rawCells([merkleProof(cutHolder)], true), { refSize: 2, offsetSize: 3 }),
        merkleProof(cutHolder),
      );
    }
  });

  it('hashes pruned branches of every level mask; @ton/core throws on masks 2, 4, 5 and 6', () => {
    const expected: Record<number, [number, number, number, number]> = {
      // Which of the stored hashes is the hash at levels 0 to 3; -1 is the cell's own.
      1: [0, -1, -1, -1],
      2: [0, 0, -1, -1],
      3: [0, 1, -1, -1],
      4: [0, 0, 0, -1],
      5: [0, 1, 1, -1],
      6: [0, 0, 1, -1],
      7: [0, 1, 2, -1],
    };
    for (const [text, stored] of Object.entries(expected)) {
      const mask = Number(text);
      const count = mask.toString(2).replaceAll('0', '').length;
      const data = Uint8Array.of(
        1,
        mask,
        ...Array.from({ length: 32 * count }, (_, at) => 1 + (at >> 5)),
        ...Array.from({ length: count }, (_, k) => [0, 10 + k]).flat(),
      );
      const raw = { d1: 8 + 32 * mask, d2: 2 * data.length, stored: new Uint8Array(0), data, refs: [] };
      const cell = parseSingleRoot(writeBoc([raw]));
      stored.forEach((which, level) => {
        if (which < 0) expect(cell.depth(level)).toBe(0);
        else {
          expect(cell.hash(level)).toEqual(new Uint8Array(32).fill(1 + which));
          expect(cell.depth(level)).toBe(10 + which);
        }
      });
      if (mask === 1 || mask === 3 || mask === 7)
        expectSame(writeBoc([raw]), CoreCell.fromBoc(Buffer.from(writeBoc([raw])))[0]!);
      else expect(() => CoreCell.fromBoc(Buffer.from(writeBoc([raw])))[0]!.hash(2)).toThrow();
    }
  });

  it('refuses a pruned branch without a mask byte, which @ton/core accepts', () => {
    const data = Uint8Array.of(1, ...new Uint8Array(34));
    const boc = writeBoc([{ d1: 8 + 32, d2: 70, stored: new Uint8Array(0), data, refs: [] }]);
    expect(() => CoreCell.fromBoc(Buffer.from(boc))).not.toThrow();
    expect(codeOf(boc)).toMatch(/^decode\/boc .*pruned branch of 280 bits/);
  });

  it('keeps several roots apart and lets a caller ask for exactly one', () => {
    const other = beginCell().storeUint(9, 8).endCell();
    const boc = writeBoc(rawCells([small, other]), { roots: [0, 2] });
    const roots = parseBoc(boc).map((root) => encodeHex(root.hash()));
    expect(roots).toEqual(CoreCell.fromBoc(Buffer.from(boc)).map((root) => root.hash().toString('hex')));
    expect(() => parseSingleRoot(boc)).toThrow('boc: expected one root, got 2');
  });

  it('reads padding bit by bit: 1023 bits are the most, and padding on a whole byte is refused', () => {
    for (const length of [0, 1, 7, 8, 9, 1016, 1022, 1023]) {
      const cell = bits('1'.repeat(length)).endCell();
      const parsed = parseSingleRoot(bocOf(cell));
      expect(parsed.bitLength).toBe(length);
      expectSame(bocOf(cell), cell);
    }
    const raw = (d2: number, data: number[]) =>
      writeBoc([{ d1: 0, d2, stored: new Uint8Array(0), data: Uint8Array.from(data), refs: [] }]);
    expect(codeOf(raw(3, [1, 0x80]))).toMatch(/decode\/boc .*padding where none is needed/);
    expect(codeOf(raw(3, [1, 0]))).toMatch(/decode\/boc .*padding where none is needed/);
  });

  it('is not changed by edits of the input after parsing', () => {
    const boc = bocOf(small);
    const root = parseSingleRoot(boc);
    const before = encodeHex(root.ref(0).hash());
    boc.fill(0);
    expect(root.bitLength).toBe(3);
    expect(encodeHex(root.ref(0).hash())).toBe(before);
  });
});

describe('a broken bag of cells', () => {
  it('is refused when cut anywhere', () => {
    const boc = bocOf(small);
    for (let length = 0; length < boc.length; length++) {
      expect(codeOf(boc.subarray(0, length)), `${length} bytes`).toMatch(/^decode\/boc/);
    }
  });

  it('is refused with trailing bytes, and the node’s own checksum does not make up for them', () => {
    expect(codeOf(Uint8Array.of(...bocOf(small), 0))).toMatch(/decode\/boc .*bytes as the header says/);
  });

  it('is refused with bytes between its last cell and its end', () => {
    const boc = writeBoc(rawCells([small]));
    const longer = Uint8Array.of(...boc, 0);
    longer[10]! += 1; // the size of all cells, in bytes 9 and 10
    expect(codeOf(longer)).toMatch(/decode\/boc .*1 bytes after the last cell/);
  });

  it('is refused when a cell refers to itself, backwards, or past the end: there is no cycle', () => {
    const cells = rawCells([small]);
    for (const target of [0, 2, 255]) {
      const broken = cells.map((cell, index) => (index === 0 ? { ...cell, refs: [target] } : cell));
      expect(codeOf(writeBoc(broken))).toMatch(/decode\/boc .*expected references to later cells/);
    }
    const back = [...cells.slice(0, 1), { ...cells[1]!, d1: 1, refs: [0] }];
    expect(codeOf(writeBoc(back))).toMatch(/decode\/boc .*expected references to later cells/);
  });

  it('is refused when a cell is reached from no root: nothing can be smuggled beside a proof', () => {
    const cells = rawCells([small]);
    expect(codeOf(writeBoc([...cells, cells[1]!]))).toMatch(/decode\/boc .*no root leads to it/);
  });

  it('is refused above depth 1024 without recursion, and accepted at 1024', () => {
    const chain = (depth: number) =>
      writeBoc(
        Array.from({ length: depth + 1 }, (_, index) => ({
          d1: index === depth ? 0 : 1,
          d2: 0,
          stored: new Uint8Array(0),
          data: new Uint8Array(0),
          refs: index === depth ? [] : [index + 1],
        })),
        { refSize: 3, offsetSize: 4 },
      );
    expect(parseSingleRoot(chain(1024)).depth()).toBe(1024);
    expect(codeOf(chain(1025))).toMatch(/decode\/boc .*depth 1025/);
    expect(codeOf(chain(100_000))).toMatch(/decode\/boc .*depth 1025/);
  });

  it('is refused when a pruned branch stands for a tree deeper than 1024, or a cell above it would', () => {
    const pruned = (depth: number) => ({
      d1: 8 + 32,
      d2: 72,
      stored: new Uint8Array(0),
      data: Uint8Array.of(1, 1, ...new Uint8Array(32), depth >> 8, depth & 255),
      refs: [],
    });
    const above = { d1: 1 + 32, d2: 0, stored: new Uint8Array(0), data: new Uint8Array(0), refs: [1] };
    expect(parseSingleRoot(writeBoc([pruned(1024)])).depth(0)).toBe(1024);
    expect(codeOf(writeBoc([pruned(1025)]))).toMatch(/depth 1025/);
    expect(parseSingleRoot(writeBoc([above, pruned(1023)])).depth(0)).toBe(1024);
    expect(codeOf(writeBoc([above, pruned(1024)]))).toMatch(/depth 1025/);
  });

  it('hashes a tree of 2^1000 paths once a cell', () => {
    const count = 1001;
    const doubled = writeBoc(
      Array.from({ length: count }, (_, index) => ({
        d1: index === count - 1 ? 0 : 2,
        d2: 0,
        stored: new Uint8Array(0),
        data: new Uint8Array(0),
        refs: index === count - 1 ? [] : [index + 1, index + 1],
      })),
      { refSize: 2, offsetSize: 4 },
    );
    // 2^1000 steps would not end.
    expect(parseSingleRoot(doubled).depth()).toBe(1000);
  });

  it('is refused when it claims more cells, bytes or roots than the caps or the file allow', () => {
    const header = (cells: number, roots: number, size: number) =>
      Uint8Array.of(
        0xb5,
        0xee,
        0x9c,
        0x72,
        4,
        8,
        ...be(cells, 4),
        ...be(roots, 4),
        ...be(0, 4),
        ...be(size, 8),
        ...be(0, 4),
      );
    const be = (value: number, size: number) =>
      Array.from({ length: size }, (_, k) => Math.floor(value / 256 ** (size - 1 - k)) % 256);
    expect(codeOf(header(0xffffffff, 1, 10))).toMatch(/^decode\/too-large/);
    expect(codeOf(header(1, 1, 2 ** 52))).toMatch(/^decode\/boc/);
    expect(codeOf(header(1, 0xffffffff, 2))).toMatch(/^decode\/boc/);
    expect(codeOf(header(0, 0, 0))).toMatch(/^decode\/boc/);
    expect(codeOf(new Uint8Array(8 * 1024 * 1024 + 1))).toMatch(/^decode\/too-large/);
  });

  it('has as many roots as its reader asks for, 64 unless told', () => {
    const bag = (count: number) => {
      const cells = Array.from({ length: count }, (_, k) => beginCell().storeUint(k, 32).endCell());
      return bagOf(...cells);
    };
    expect(parseBoc(bag(64))).toHaveLength(64);
    expect(codeOf(bag(65))).toMatch(/^decode\/too-large .*expected at most 64 roots, got 65/);
    expect(parseBoc(bag(256), 'boc', 256)).toHaveLength(256);
    expect(() => parseBoc(bag(257), 'boc', 256)).toThrow(/at most 256 roots, got 257/);
  });

  it('is refused for reserved flags, absent cells, cache bits without an index, odd sizes and roots that are not there', () => {
    const cells = rawCells([small]);
    const changed = (at: number, value: number) => {
      const boc = writeBoc(cells);
      boc[at] = value;
      return codeOf(boc);
    };
    expect(changed(4, 0x08 + 1)).toMatch(/reserved flags/);
    expect(changed(4, 0x10 + 1)).toMatch(/reserved flags/);
    expect(changed(4, 0x20 + 1)).toMatch(/cache bits without an index/);
    expect(changed(4, 0)).toMatch(/references of 0 bytes/);
    expect(changed(4, 5)).toMatch(/references of 5 bytes/);
    expect(changed(5, 0)).toMatch(/offsets of 0/);
    expect(changed(5, 9)).toMatch(/offsets of 9/);
    expect(changed(8, 1)).toMatch(/1 absent cells/);
    expect(changed(11, 2)).toMatch(/root 0 is cell 2 of 2/);
    expect(changed(0, 0)).toMatch(/bytes that start with 00ee9c72/);
    expect(codeOf(writeBoc(cells, { roots: [0, 0] }))).toMatch(/cell 0 is a root twice/);
    expect(codeOf(writeBoc(cells, { magic: 'indexed', roots: [0, 1] }))).toMatch(/2 roots of 2 cells/);
  });

  it('is refused when a stored hash, depth, index entry, level mask or checksum is not the computed one', () => {
    const cells = rawCells([small], true);
    expect(codeOf(writeBoc(cells))).toBe('accepted');
    for (let at = 0; at < 34; at++) {
      const stored = Uint8Array.from(cells[0]!.stored);
      stored[at]! ^= 1;
      expect(codeOf(writeBoc([{ ...cells[0]!, stored }, cells[1]!]))).toMatch(
        /the stored hash or depth is not that of the cell/,
      );
    }
    expect(codeOf(writeBoc([{ ...cells[0]!, d1: cells[0]!.d1 | 32 }, cells[1]!]))).toMatch(/^decode\/boc/);
    const plain = rawCells([small]);
    expect(codeOf(writeBoc([{ ...plain[0]!, d1: plain[0]!.d1 | 32 }, plain[1]!]))).toMatch(/level mask 1 where/);
    const indexed = writeBoc(plain, { index: true });
    indexed[12]! ^= 1;
    expect(codeOf(indexed)).toMatch(/the index says/);
    const summed = writeBoc(plain, { crc: true });
    summed[summed.length - 1]! ^= 1;
    expect(codeOf(summed)).toMatch(/checksum does not match/);
  });

  it('is refused when a Merkle cell names another hash or depth than its reference has', () => {
    const proof = rawCells([merkleProof(prune(small, (cell) => cell.refs.length === 0))]);
    expect(codeOf(writeBoc(proof))).toBe('accepted');
    for (let at = 1; at < 35; at++) {
      const data = Uint8Array.from(proof[0]!.data);
      data[at]! ^= 1;
      expect(codeOf(writeBoc([{ ...proof[0]!, data }, ...proof.slice(1)]))).toMatch(
        /a Merkle cell names another hash or depth/,
      );
    }
  });

  it('is held in a Merkle update to level 0 of either tree, also where that is pruned two levels up', () => {
    const [original, once] = [new Uint8Array(32).fill(0x11), new Uint8Array(32).fill(0x22)];
    const twice = beginCell()
      .storeUint(0x0103, 16)
      .storeBuffer(Buffer.from([...original, ...once]))
      .storeUint(7, 16)
      .storeUint(9, 16)
      .endCell({ exotic: true });
    // A hash of 32 bytes and a depth of two stand in the update for each tree, hashes first.
    const naming = (which: 0 | 1, hash: Uint8Array, depth: number) => {
      const update = rawCells([merkleUpdate(which === 0 ? twice : small, which === 0 ? small : twice)]);
      const data = Uint8Array.from(update[0]!.data);
      data.set(hash, 1 + 32 * which);
      data.set([0, depth], 65 + 2 * which);
      return writeBoc([{ ...update[0]!, data }, ...update.slice(1)]);
    };
    for (const which of [0, 1] as const) {
      const root = parseSingleRoot(naming(which, original, 7));
      expect([root.level, encodeHex(root.ref(which).hash(0))]).toEqual([1, encodeHex(original)]);
      for (const [hash, depth] of [
        [once, 9],
        [once, 7],
        [original, 9],
        [original, 0],
        [Uint8Array.from(twice.hash()), 0],
      ] as const) {
        expect(codeOf(naming(which, hash, depth))).toMatch(/a Merkle cell names another hash or depth/);
      }
    }
  });

  it('is refused for unknown exotic cells, five references and absent cells', () => {
    const raw = (d1: number, data: number[]) =>
      writeBoc([{ d1, d2: 2 * data.length, stored: new Uint8Array(0), data: Uint8Array.from(data), refs: [] }]);
    expect(codeOf(raw(8, [0]))).toMatch(/unknown exotic cell/);
    expect(codeOf(raw(8, [5]))).toMatch(/unknown exotic cell/);
    expect(codeOf(raw(8, []))).toMatch(/unknown exotic cell/);
    expect(codeOf(raw(5, []))).toMatch(/5 references/);
    expect(codeOf(raw(7 + 16, []))).toMatch(/7 references/);
    expect(codeOf(raw(8, [2, ...new Uint8Array(32)]))).toBe('accepted');
    expect(codeOf(raw(8, [2, ...new Uint8Array(31)]))).toMatch(/library cell of 256 bits/);
  });

  it('never differs from @ton/core where both accept a file with one changed bit', () => {
    const file = bocOf(merkleProof(prune(small, (cell) => cell.refs.length === 0))).slice(0, -4);
    file[4]! &= 0xbf; // without the checksum
    let accepted = 0;
    for (let bit = 0; bit < file.length * 8; bit++) {
      const changed = Uint8Array.from(file);
      changed[bit >> 3]! ^= 0x80 >> (bit & 7);
      if (codeOf(changed) !== 'accepted') continue;
      accepted++;
      expectSame(changed, CoreCell.fromBoc(Buffer.from(changed))[0]!);
    }
    expect(accepted).toBeLessThan(10);
  });
});
