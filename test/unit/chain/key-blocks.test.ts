/** The key blocks that an answer leads over. */
import { expect, it } from 'vitest';
import { keyBlocksOf } from '../../../src/core/chain/key-blocks.ts';
import { LIVE, liveBytes } from '../../helpers/inclusion.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { tlProof } from '../../helpers/make-chain.ts';

it('are those that forward links lead to, in order and with their times', () => {
  const found = keyBlocksOf(liveBytes('proof-zerostate-to-block.tl'));
  expect(found.map(({ block }) => block)).toEqual([LIVE.keyBlock]);
  const chain = new LiteChain({ length: 25, hasStates: true, firstUtime: 1_700_000_000 });
  const times = [10, 20].map((seqno) => ({ block: chain.id(seqno), genUtime: 1_700_000_000 + seqno - 1 }));
  expect(keyBlocksOf(chain.proof(0, 25))).toEqual(times);
  expect(keyBlocksOf(chain.proof(0, 20))).toEqual(times);
});

it('are not those that a back link leads to, nor a block that is none', () => {
  const chain = new LiteChain({ length: 15, hasStates: true });
  const back = tlProof(chain.id(0), chain.id(10), [chain.forwardLink(10, 15), chain.backLink(15, 10)], true);
  expect(keyBlocksOf(back)).toEqual([]);
});
