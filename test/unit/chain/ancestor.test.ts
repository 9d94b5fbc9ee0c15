/** The blocks behind a block that is final: the one right before it, and any that its state lists. */
import { describe, expect, it } from 'vitest';
import { proveAncestor, readParent } from '../../../src/core/chain/ancestor.ts';
import { a, key100 } from '../../helpers/make-back-link.ts';
import { makeBlockId } from '../../helpers/make-block.ts';
import { headerProof, makeBlock, tlProof } from '../../helpers/make-chain.ts';

describe('the block before a block', () => {
  const block = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, previous: [{ ...makeBlockId(149) }] });

  it('is read where the header names it, with the header', () => {
    const { header, parent } = readParent(block.boc, block.id);
    expect(header).toMatchObject({ source: 'proven', seqno: 150, blockId: block.id });
    expect(parent).toEqual(makeBlockId(149));
  });

  it('is not read from another block', () => {
    expect(() => readParent(block.boc, key100.id)).toThrow(expect.objectContaining({ code: 'trust/root-hash' }));
    expect(() => readParent(headerProof(block), { ...block.id, seqno: 151 })).toThrow(
      expect.objectContaining({ code: 'trust/header' }),
    );
  });

  it('is one: nothing of the masterchain is ever merged', () => {
    const previous = [makeBlockId(149), makeBlockId(148)];
    const merged = makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, afterMerge: true, previous });
    expect(() => readParent(merged.boc, merged.id)).toThrow(
      expect.objectContaining({ code: 'trust/header', path: 'block.info' }),
    );
  });
});

describe('an older block', () => {
  it('is not proven by an answer without links', () => {
    const head = makeBlockId(150);
    for (const ancestor of [makeBlockId(100), head]) {
      expect(() => proveAncestor(head, tlProof(head, ancestor, []), ancestor)).toThrow(
        expect.objectContaining({ code: 'trust/not-connected', path: 'proof.links' }),
      );
    }
  });
});
