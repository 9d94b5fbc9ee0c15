/** What a refusal says of a block that is not the business of a key block: where the block stands, and what to do about it. */
import { describe, expect, it } from 'vitest';
import { verifyHeader } from '../../../src/core/chain/block-header.ts';
import { checkpointFromKeyBlock, validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { createValidatorSet, originOf } from '../../../src/core/validators/validator-set.ts';
import { staleStartOf } from '../../../src/core/verify/own-report.ts';
import { requireNoStranger, requireSuccessor } from '../../../src/core/verify/successor.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import {
  type BlockForm,
  committee,
  configCell,
  headerProof,
  honestLink,
  makeBlock,
  signBlock,
  tlForward,
  tlProof,
} from '../../helpers/make-chain.ts';

const a = committee('a');
const config = configCell({ elected: a });
const key = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config });
const checkpoint = checkpointFromKeyBlock(key.boc, key.id);
const validators = validatorSetAt(checkpoint);
const headerOf = (form: Partial<BlockForm>) => {
  const block = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, ...form });
  return verifyHeader(headerProof(block), block.id);
};

const REFUSED: readonly (readonly [string, Partial<BlockForm>, string, string | undefined])[] = [
  ['of another network', { globalId: 5 }, 'trust/wrong-network', undefined],
  ['older than its key block', { genUtime: 1_499_999 }, 'trust/backwards', 'this may be the replay of an old proof'],
  ['beyond a hardfork', { vertSeqno: 2 }, 'trust/hardfork', 'if you follow the fork, pin it with checkpoint init'],
];

describe.each(REFUSED)('a block %s', (_, form, code, hint) => {
  it('is refused as a successor in the place that its reader names', () => {
    const refuse = () => requireSuccessor(originOf(validators)!, headerOf(form), 'proof.links[3]');
    expect(refuse).toThrow(expect.objectContaining({ code, path: 'proof.links[3]', hint }));
  });

  it('is refused in the place of its header', () => {
    const refuse = () => requireNoStranger(validators, headerOf(form));
    expect(refuse).toThrow(expect.objectContaining({ code, path: 'context.header', hint }));
  });
});

it('a key block that passes over another one is refused in its place, and its reader told the order', () => {
  const refuse = () => requireSuccessor(originOf(validators)!, headerOf({ prevKeyBlockSeqno: 150 }), 'step');
  const hint = 'pass the key blocks one by one, in order';
  expect(refuse).toThrow(expect.objectContaining({ code: 'trust/not-next', path: 'step', hint }));
});

it('a block of the number of the key block is not after it, and one of its second is', () => {
  const origin = originOf(validators)!;
  const judge = (form: Partial<BlockForm>) => () => requireSuccessor(origin, headerOf(form), 'block');
  expect(judge({ seqno: 100 })).toThrow(expect.objectContaining({ code: 'trust/backwards' }));
  expect(judge({ seqno: 101, genUtime: origin.genUtime })).not.toThrow();
});

it('a newer block of a later epoch is refused as its context where it is beyond a hardfork, and else is left to the verdict', () => {
  const judge = (form: Partial<BlockForm>) => () =>
    requireNoStranger(validators, headerOf({ prevKeyBlockSeqno: 150, ...form }));
  expect(judge({ vertSeqno: 2 })).toThrow(expect.objectContaining({ code: 'trust/hardfork' }));
  expect(judge({})).not.toThrow();
  expect(judge({ seqno: 90, prevKeyBlockSeqno: 50, vertSeqno: 0 })).not.toThrow();
});

it('a report by a set of which no one knows how trust began has no such start', () => {
  const next = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config });
  const head = makeBlock({ seqno: 250, signedBy: a, prevKeyBlockSeqno: 200 });
  const links = [tlForward(honestLink(key, next)), tlForward(honestLink(next, head))];
  const walk = verifyBlockProof(tlProof(key.id, head.id, links), checkpoint);
  expect(walk.checkpoint.staleStart).toBe('unknown');
  expect(staleStartOf(verifyBlock(signBlock(head), validatorSetAt(walk.checkpoint)))).toBeUndefined();
});

it('a report names the key block and the anchor that were proven, whatever is written into what the set shows', () => {
  const set = validatorSetAt(checkpointFromKeyBlock(key.boc, key.id));
  if (set.provenance.kind !== 'proven') throw new Error('a set of a checkpoint is proven');
  set.provenance.keyBlock.rootHash.fill(7);
  set.provenance.anchor.fileHash.fill(7);
  const block = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100 });
  expect(verifyBlock(signBlock(block), set).validators.provenance).toEqual({
    kind: 'proven',
    keyBlock: key.id,
    anchor: key.id,
  });
});

it('nothing is known of the key block of a set that is a copy, or that somebody put together by hand', () => {
  expect(originOf(validators)).toMatchObject({ kind: 'proven', keyBlock: key.id });
  expect(originOf({ ...validators })).toBeUndefined();
  expect(originOf(createValidatorSet(validators.validators))).toBeUndefined();
});
