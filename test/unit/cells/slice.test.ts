import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { openMerkleProof, requireRootHash } from '../../../src/core/cells/merkle-proof.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { beginCell, bocOf, type CoreCell, merkleProof, prune, prunedBranch } from '../../helpers/cells.ts';

const parse = (cell: CoreCell) => parseSingleRoot(bocOf(cell));

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof FinalityError)) throw error;
    return `${error.code} ${error.path}`;
  }
}

describe('a slice', () => {
  it('reads back numbers of every width from every bit offset', () => {
    const field = fc
      .integer({ min: 1, max: 32 })
      .chain((bits) => fc.tuple(fc.constant(bits), fc.integer({ min: 0, max: 2 ** bits - 1 })));
    fc.assert(
      fc.property(fc.array(field, { maxLength: 30 }), (fields) => {
        const builder = beginCell();
        for (const [bits, value] of fields) builder.storeUint(value, bits);
        const slice = new Slice(parse(builder.endCell()), 'cell');
        for (const [bits, value] of fields) expect(slice.uint(bits)).toBe(value);
        slice.end();
      }),
    );
  });

  it('reads back signed numbers, 64-bit numbers and bytes at every bit offset', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => 7 * at + 3);
    for (let offset = 0; offset < 16; offset++) {
      const cell = beginCell()
        .storeUint(0, offset)
        .storeInt(-239, 32)
        .storeUint(0xfedcba9876543210n, 64)
        .storeBuffer(Buffer.from(bytes))
        .storeBit(1)
        .endCell();
      const slice = new Slice(parse(cell), 'cell');
      slice.skip(offset);
      expect(slice.int32()).toBe(-239);
      expect(slice.uint64()).toBe(0xfedcba9876543210n);
      expect(slice.bytes(32)).toEqual(bytes);
      expect(slice.bit()).toBe(true);
      slice.end();
    }
  });

  it('throws with its path when the cell has no more, and when it has more than the schema', () => {
    const parsed = parse(beginCell().storeUint(1, 5).storeRef(beginCell().endCell()).endCell());
    const at = () => new Slice(parsed, 'block.info');
    expect(codeOf(() => at().uint(6))).toBe('decode/boc block.info');
    expect(codeOf(() => at().bytes(1))).toBe('decode/boc block.info');
    expect(codeOf(() => at().skip(6))).toBe('decode/boc block.info');
    expect(codeOf(() => at().skipRefs(2))).toBe('decode/boc block.info');
    expect(codeOf(() => at().end())).toBe('decode/boc block.info');
    const unreadRef = at();
    unreadRef.skip(5);
    expect(codeOf(() => unreadRef.end())).toBe('decode/boc block.info');
    unreadRef.ref();
    unreadRef.end();
    expect(codeOf(() => at().refSlice('prev_ref').uint(1))).toBe('decode/boc block.info.prev_ref');
  });

  it('does not open a pruned branch, nor any other exotic cell', () => {
    const holder = beginCell().storeRef(beginCell().storeUint(1, 8).endCell()).endCell();
    const proof = merkleProof(prune(holder, (cell) => cell.refs.length === 0));
    const root = openMerkleProof(parse(proof), 'proof');
    const slice = new Slice(root, 'root');
    expect(codeOf(() => slice.refSlice('child'))).toBe('trust/pruned root.child');
    expect(codeOf(() => new Slice(parse(proof), 'root'))).toBe('decode/boc root');
  });
});

describe('a Merkle proof', () => {
  const holder = beginCell().storeRef(beginCell().storeUint(1, 8).endCell()).endCell();

  it('gives the object it proves, whose level-0 hash is that of the whole tree', () => {
    const cut = prune(holder, (cell) => cell.refs.length === 0);
    const root = openMerkleProof(parse(merkleProof(cut)), 'proof');
    requireRootHash(root, Uint8Array.from(holder.hash()), 'proof');
    const other = Uint8Array.from(holder.hash());
    other[31]! ^= 1;
    expect(codeOf(() => requireRootHash(root, other, 'proof'))).toBe('trust/root-hash proof');
  });

  it('is refused when it is an ordinary cell, or when it misses parts that only another proof would hold', () => {
    expect(codeOf(() => openMerkleProof(parse(holder), 'proof'))).toBe('decode/boc proof');
    // A branch pruned two levels up leaves the proof itself at level 1.
    const deep = beginCell()
      .storeUint(1, 8)
      .storeUint(3, 8)
      .storeBuffer(holder.hash())
      .storeBuffer(holder.hash())
      .storeUint(1, 16)
      .storeUint(1, 16)
      .endCell({ exotic: true });
    expect(parse(merkleProof(deep)).level).toBe(1);
    expect(codeOf(() => openMerkleProof(parse(merkleProof(deep)), 'proof'))).toBe('decode/boc proof');
    expect(parse(merkleProof(prunedBranch(holder))).level).toBe(0);
  });
});
