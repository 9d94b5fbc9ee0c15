import type { Builder } from '@ton/core';
import { describe, expect, it } from 'vitest';
import {
  advanceCheckpoint,
  checkpointFromKeyBlock,
  checkpointToJson,
  parseCheckpoint,
  verifyBlockProof,
  verifyHeader,
  verifyStoredProof,
} from '../../../src/chain.ts';
import { FinalityError } from '../../../src/core/base/errors.ts';
import {
  openBlock,
  type PreviousBlocks,
  readBlock,
  readHeader,
  readProvenBlock,
} from '../../../src/core/chain/block-header.ts';
import { readPreviousBlocks } from '../../../src/core/chain/previous-blocks.ts';
import { beginCell, type CoreCell } from '../../helpers/cells.ts';
import {
  type BlockForm,
  blockSignaturesCell,
  committee,
  configCell,
  configProof,
  extBlkRef,
  headerOf,
  headerProof,
  honestLink,
  infoOf,
  type MadeBlock,
  makeBlock,
  proofShowing,
  signBlock,
  storedProof,
  tlForward,
  tlProof,
} from '../../helpers/make-chain.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof FinalityError) return `${error.code} ${error.path}`;
    throw error;
  }
}

const a = committee('a');
const b = committee('b');
const keyForm = { seqno: 100, signedBy: b, prevKeyBlockSeqno: 50, config: configCell({ elected: a }) };
const key100 = makeBlock(keyForm);
const start = checkpointFromKeyBlock(key100.boc, key100.id);
const next = (over: Partial<BlockForm> = {}) => makeBlock({ seqno: 150, signedBy: a, prevKeyBlockSeqno: 100, ...over });
/** The block with another number in the reference to the block before. */
const following = (seqno: number, form: BlockForm) => makeBlock({ ...form, previous: [{ ...key100.id, seqno }] });
const afterKey = (seqno: number) => following(seqno, keyForm);

/** A proof that leaves out the block before. */
const withoutPrevious = (block: MadeBlock) => proofShowing(block.root, [infoOf(block)]);
const cutPrevious = (block: MadeBlock) => {
  const hash = headerOf(block)[1]!.hash();
  return (cell: CoreCell) => cell.hash().equals(hash);
};
const configWithoutPrevious = (block: MadeBlock) => configProof(block, cutPrevious(block));

describe('the block before a block', () => {
  it('has the number before, in a whole block and in a proof of its header that shows it', () => {
    const form = next().form;
    expect(codeOf(() => verifyHeader(next().boc, next().id))).toBe('accepted');
    for (const seqno of [148, 150, 0, 2 ** 32 - 1]) {
      const odd = following(seqno, form);
      expect(
        codeOf(() => verifyHeader(odd.boc, odd.id)),
        String(seqno),
      ).toBe('trust/header block.info.prev_ref');
      expect(codeOf(() => verifyHeader(headerProof(odd), odd.id))).toBe('trust/header block.info.prev_ref');
    }
    expect(verifyHeader(withoutPrevious(next()), next().id)).toEqual(verifyHeader(next().boc, next().id));
  });

  it('must be shown and fit at the destination of a link', () => {
    const walk = (to: MadeBlock, destProof = headerProof(to)) =>
      verifyBlockProof(tlProof(key100.id, to.id, [tlForward({ ...honestLink(key100, to), destProof })]), start);
    expect(walk(next()).tip.seqno).toBe(150);
    const at = 'proof.links[0].dest_proof.info.prev_ref';
    expect(codeOf(() => walk(next(), withoutPrevious(next())))).toBe(`trust/pruned ${at}`);
    expect(codeOf(() => walk(following(147, next().form)))).toBe(`trust/header ${at}`);
  });

  it('must be shown and fit at the source of a forward link', () => {
    const walk = (key: MadeBlock, proof = configProof(key)) =>
      verifyBlockProof(
        tlProof(key.id, next().id, [tlForward({ ...honestLink(key, next()), configProof: proof })]),
        key.id,
      );
    expect(walk(key100).tip.seqno).toBe(150);
    const at = 'proof.links[0].config_proof.info.prev_ref';
    expect(codeOf(() => walk(key100, configWithoutPrevious(key100)))).toBe(`trust/pruned ${at}`);
    expect(codeOf(() => walk(afterKey(98)))).toBe(`trust/header ${at}`);
  });

  it('must be shown and fit in the step of a checkpoint and in the proof that a node stores', () => {
    const form = { seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config: configCell({ elected: b }) };
    const [key200, odd] = [makeBlock(form), following(150, form)];
    const step = (block: MadeBlock, boc: Uint8Array) =>
      advanceCheckpoint({ block: boc, signatures: signBlock(block) }, start);
    expect(step(key200, configProof(key200)).keyBlock).toEqual(key200.id);
    expect(codeOf(() => step(key200, configWithoutPrevious(key200)))).toBe('trust/pruned block.info.prev_ref');
    expect(codeOf(() => step(odd, odd.boc))).toBe('trust/header block.info.prev_ref');
    const signed = (block: MadeBlock) => blockSignaturesCell(block, signBlock(block), 40n);
    expect(verifyStoredProof(storedProof(key200, signed(key200)), start).verdict.status).toBe('final');
    expect(codeOf(() => verifyStoredProof(storedProof(odd, signed(odd)), start))).toBe(
      'trust/header proof.root.info.prev_ref',
    );
  });

  it('is checked in a pinned block where it is shown, and may be pruned', () => {
    const odd = afterKey(98);
    expect(codeOf(() => checkpointFromKeyBlock(odd.boc, odd.id))).toBe('trust/header block.info.prev_ref');
    expect(codeOf(() => checkpointFromKeyBlock(configProof(odd), odd.id))).toBe('trust/header block.info.prev_ref');
    expect(checkpointFromKeyBlock(configWithoutPrevious(key100), key100.id).config).toEqual(start.config);
  });

  it('is checked in the stored proof of a checkpoint where it is shown, and may be pruned', () => {
    const stored = (block: MadeBlock, proof: Uint8Array) =>
      parseCheckpoint(checkpointToJson({ ...start, anchor: block.id, keyBlock: block.id, configProof: proof }));
    expect(stored(key100, configProof(key100))).toEqual(start);
    expect(stored(key100, configWithoutPrevious(key100)).config).toEqual(start.config);
    const odd = afterKey(98);
    expect(stored(odd, configWithoutPrevious(odd)).keyBlock).toEqual(odd.id);
    expect(codeOf(() => stored(odd, configProof(odd)))).toBe('trust/header checkpoint.configProof.info.prev_ref');
  });

  it('is two after a merge and the parent after a split, neither of them a zerostate, and nothing beside', () => {
    const whole = { workchain: 0, prefixBits: 0, prefix: 0n };
    const left = { workchain: 0, prefixBits: 1, prefix: 0n };
    const outcome = (over: Partial<BlockForm>) => {
      const block = makeBlock({ seqno: 7, signedBy: a, prevKeyBlockSeqno: 0, shard: whole, ...over });
      return codeOf(() => verifyHeader(block.boc, block.id)).split(' ')[0];
    };
    const at = (seqno: number) => ({ ...key100.id, workchain: 0, seqno });
    const ref = (seqno: number) => beginCell().store(extBlkRef(at(seqno)));
    const merge = (one: number, two: number) => outcome({ afterMerge: true, previous: [at(one), at(two)] });
    expect([merge(6, 6), merge(6, 1), merge(1, 6)]).toEqual(['accepted', 'accepted', 'accepted']);
    expect([merge(5, 5), merge(7, 6), merge(6, 0), merge(0, 6)]).toEqual(Array(4).fill('trust/header'));
    expect(outcome({ afterSplit: true, shard: left, previous: [at(6)] })).toBe('accepted');
    expect(outcome({ afterSplit: true, shard: left, previous: [at(0)], seqno: 1 })).toBe('trust/header');
    expect(outcome({ afterMerge: true, afterSplit: true, previous: [at(6), at(6)] })).toBe('decode/boc');
    const pair = (one: Builder, two: Builder) => beginCell().storeRef(one.endCell()).storeRef(two.endCell());
    const cells: [Partial<BlockForm>, Builder][] = [
      [{}, ref(6).storeBit(0)],
      [{}, ref(6).storeRef(ref(6).endCell())],
      [{}, pair(ref(6), ref(6))],
      [{ afterMerge: true }, ref(6)],
      [{ afterMerge: true }, pair(ref(6), ref(6)).storeBit(0)],
      [{ afterMerge: true }, pair(ref(6).storeBit(0), ref(6))],
      [{ afterMerge: true }, pair(ref(6), ref(6).storeBit(0))],
    ];
    for (const [form, cell] of cells) expect(outcome({ ...form, prevRef: cell.endCell() })).toBe('decode/boc');
  });
});

describe('the block before a block that is pinned', () => {
  it('is looked at where it is shown, unless nobody is to look', () => {
    const odd = following(120, { seqno: 150, signedBy: a, prevKeyBlockSeqno: 100 });
    const read = (previous: PreviousBlocks) =>
      codeOf(() => readProvenBlock(openBlock(odd.boc, 'block').root, odd.id, 'block', previous));
    expect(['required', 'if-shown', 'unread'].map((how) => read(how as PreviousBlocks))).toEqual([
      'trust/header block.info.prev_ref',
      'trust/header block.info.prev_ref',
      'accepted',
    ]);
  });
});

describe('a merge', () => {
  const header = readHeader(readBlock(openBlock(next().boc, 'block').root, 'block'), 'block');

  it('is none of what cannot be split, nor beside a split', () => {
    for (const over of [
      { shard: 1n, afterMerge: true },
      { afterMerge: true, afterSplit: true },
    ]) {
      expect(codeOf(() => readPreviousBlocks({ ...header, ...over }, 'header'))).toBe('decode/boc header');
    }
  });
});
