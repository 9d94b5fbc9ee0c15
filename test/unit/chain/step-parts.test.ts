/** The parts that steps of trust are made of: marks, the bounds of a checkpoint's numbers, and the bytes of single links. */
import { expect, it } from 'vitest';
import { oneLinkProof, readPartialBlockProof } from '../../../src/core/chain/block-proof.ts';
import {
  checkpointFromKeyBlock,
  isCheckpointJson,
  markedCheckpoint,
  validatorSetAt,
} from '../../../src/core/chain/checkpoint.ts';
import { markAfter } from '../../../src/core/chain/link.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { committee, configCell, honestLink, makeBlock, tlForward, tlProof } from '../../helpers/make-chain.ts';

const a = committee('a');
const config = configCell({ elected: a });
const key100 = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 50, config });
const key200 = makeBlock({ seqno: 200, signedBy: a, prevKeyBlockSeqno: 100, config });
const key300 = makeBlock({ seqno: 300, signedBy: a, prevKeyBlockSeqno: 200, config });
const start = checkpointFromKeyBlock(key100.boc, key100.id);

it('a mark that was refused or accepted is kept by a step, with or without a clock, and refused anew past the stakes', () => {
  expect(markAfter('refused', false, false)).toBe('refused');
  expect(markAfter('refused', undefined, true)).toBe('accepted');
  expect(markAfter('accepted', undefined, false)).toBe('accepted');
  expect(markAfter('accepted', true, false)).toBe('refused');
  expect(markAfter('none', undefined, false)).toBe('unknown');
  expect(markAfter('none', false, false)).toBe('none');
});

it('a checkpoint that has a mark is the same object when it is marked so again', () => {
  const marked = markedCheckpoint(start, 'accepted');
  expect(marked.staleStart).toBe('accepted');
  expect(markedCheckpoint(marked, 'accepted')).toBe(marked);
});

it('the numbers of a checkpoint are of 32 bits', () => {
  const refused = expect.objectContaining({ code: 'usage/bad-option' });
  expect(() => validatorSetAt({ ...start, globalId: 2 ** 31 })).toThrow(refused);
  expect(() => validatorSetAt({ ...start, genUtime: 2 ** 32 })).toThrow(refused);
});

it('JSON is known for that of a checkpoint by the beginning of its schema', () => {
  expect(isCheckpointJson({ schema: 'ton-finality/checkpoint@7' })).toBe(true);
  for (const schema of [undefined, 7, 'ton-finality/report@1', 'not ton-finality/checkpoint@']) {
    expect(isCheckpointJson({ schema })).toBe(false);
  }
});

it('each link of an answer has its own bytes, which are an answer by themselves', () => {
  const links = [tlForward(honestLink(key100, key200)), tlForward(honestLink(key200, key300))];
  const { linkBytes } = readPartialBlockProof(tlProof(key100.id, key300.id, links));
  expect(linkBytes.map((bytes) => Buffer.from(bytes))).toEqual(links);
  const second = tlProof(key200.id, key300.id, [links[1]!]);
  expect(Buffer.from(oneLinkProof({ from: key200.id, to: key300.id }, linkBytes[1]!))).toEqual(Buffer.from(second));
});

it('a refusal says what to do where there is something to do, and else names no hint', () => {
  const elsewhere = () =>
    verifyBlockProof(tlProof(key200.id, key300.id, [tlForward(honestLink(key200, key300))]), start);
  const hint = 'ask for a proof from the trusted block 100';
  expect(elsewhere).toThrow(expect.objectContaining({ code: 'trust/not-connected', path: 'proof.from', hint }));
  const gap = [tlForward(honestLink(key100, key200)), tlForward(honestLink(key100, key200))];
  const apart = expect.objectContaining({ code: 'trust/not-connected', path: 'proof.links[1].from', hint: undefined });
  expect(() => verifyBlockProof(tlProof(key100.id, key200.id, gap), start)).toThrow(apart);
});
