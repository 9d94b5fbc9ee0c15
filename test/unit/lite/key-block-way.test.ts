/** The way along key blocks: which hops it keeps, where two of them part, and from which blocks questions start. */
import { describe, expect, it } from 'vitest';
import { MAX_SYNC_LINKS, MAX_WAY_BYTES } from '../../../src/core/base/limits.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import {
  continued,
  type Hop,
  hopsOf,
  keyBlockOf,
  keyBlocksBelow,
  parting,
  proofOf,
  readHop,
  type Way,
} from '../../../src/net/lite/key-block-way.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { candidateWithoutParent, makeBlockId } from '../../helpers/make-block.ts';
import { honestLink, signBlock, tlForward, tlProof } from '../../helpers/make-chain.ts';

const hop = (from: number, to: number, link?: Uint8Array): Hop => ({
  from: makeBlockId(from),
  to: makeBlockId(to),
  keyBlock: true,
  source: 'a',
  ...(link && { link }),
});
const ends = (way: Way) => way.map(({ from, to }) => [from.seqno, to.seqno]);
const linkBytes = (way: Way) => way.map(({ link }) => link?.length);

describe('a way that is continued', () => {
  it('ends before the first of the later hops, and then has those', () => {
    const way = [hop(0, 10), hop(10, 20), hop(20, 27)];
    expect(ends(continued(way, [hop(20, 30), hop(30, 31)]))).toEqual([
      [0, 10],
      [10, 20],
      [20, 30],
      [30, 31],
    ]);
    expect(continued(way, [])).toEqual(way);
    expect(ends(continued([], way))).toEqual(ends(way));
  });

  it('has no more hops than a sync has links: the newest', () => {
    const way = Array.from({ length: MAX_SYNC_LINKS }, (_, at) => hop(at, at + 1));
    expect(continued(way, [])).toHaveLength(MAX_SYNC_LINKS);
    const longer = continued(way, [hop(MAX_SYNC_LINKS, MAX_SYNC_LINKS + 1)]);
    expect(longer).toHaveLength(MAX_SYNC_LINKS);
    expect(longer[0]?.from.seqno).toBe(1);
    expect(longer.at(-1)?.from.seqno).toBe(MAX_SYNC_LINKS);
  });

  it('keeps the newest links up to its bytes, and every hop', () => {
    const half = new Uint8Array(MAX_WAY_BYTES / 2);
    const small = new Uint8Array(1);
    expect(linkBytes(continued([hop(0, 1, half), hop(1, 2), hop(2, 3, half)], []))).toEqual([
      half.length,
      undefined,
      half.length,
    ]);
    const way = continued([hop(0, 1, small), hop(1, 2, half)], [hop(2, 3, half)]);
    expect(linkBytes(way)).toEqual([undefined, half.length, half.length]);
    expect(way[0]).toEqual(hop(0, 1));
    expect(way[0]).not.toHaveProperty('link');
  });
});

it('the key blocks of a way below a block are named from the newest to the root', () => {
  const way = [hop(0, 10), hop(10, 20), hop(20, 27)];
  const below = (seqno: number) => keyBlocksBelow(way, seqno).map((id) => id.seqno);
  expect(below(27)).toEqual([20, 10, 0]);
  expect(below(21)).toEqual([20, 10, 0]);
  expect(below(20)).toEqual([10, 0]);
  expect(below(0)).toEqual([]);
});

const options = { length: 15, firstUtime: 1_700_000_000, hasStates: true };
const one = new LiteChain(options);
const hops = (chain: LiteChain, from: number, to: number) =>
  hopsOf({ client: { name: 'a' }, tl: chain.proof(from, to) });
type Whole = Hop & { readonly link: Uint8Array };

describe('a hop', () => {
  it('is made of each forward link of an answer, and is an answer of one link again', () => {
    const way = hops(one, 0, 15);
    expect(way).toMatchObject([
      { from: one.id(0), to: one.id(10), keyBlock: true, source: 'a' },
      { from: one.id(10), to: one.id(15), keyBlock: false, source: 'a' },
    ]);
    for (const step of way as readonly Whole[]) {
      expect(hopsOf({ client: { name: 'a' }, tl: proofOf(step) })).toEqual([step]);
      expect(readHop(step)).toMatchObject({ kind: 'forward', from: step.from, to: step.to });
    }
    expect(ends(hops(one, 13, 15))).toEqual([[10, 15]]); // behind a link back
  });

  it('begins at the zerostate or at a key block, whose checkpoint its link has', () => {
    const [first, second] = hops(one, 0, 15) as readonly Whole[];
    expect(keyBlockOf(readHop(first!)).keyBlock).toEqual(one.id(0));
    expect(keyBlockOf(readHop(second!)).keyBlock).toEqual(one.id(10));
  });
});

describe('two ways', () => {
  const two = new LiteChain({ ...options, forkAt: 13 });
  const early = new LiteChain({ ...options, forkAt: 7 });

  it('part at the first hops from one key block to blocks of one number that differ', () => {
    const [ours, theirs] = [hops(one, 0, 15), hops(two, 0, 15)];
    expect(parting(ours, theirs)).toEqual([ours[1], theirs[1]]);
    const before = hops(early, 0, 15);
    expect(parting(ours, before)).toEqual([ours[0], before[0]]);
  });

  it('part at two blocks of one slot, whatever their numbers, and not at one block that was signed twice', () => {
    const inSlot7 = (seqno: number, over = {}) => {
      const [from, to] = [one.blocks.get(10)!, one.blocks.get(seqno)!];
      const set = { ...signBlock(to, to.form.signedBy, 'simplex'), slot: 7, ...over } as SignatureList;
      const tl = tlProof(from.id, to.id, [tlForward(honestLink(from, to, 'simplex', { set }))]);
      return hopsOf({ client: { name: 'a' }, tl });
    };
    const [first, second] = [inSlot7(14), inSlot7(15)];
    expect(parting(first, second)).toEqual([first[0], second[0]]);
    expect(parting(first, inSlot7(15, { slot: 8 }))).toBeUndefined();
    expect(parting(first, inSlot7(14, { candidate: candidateWithoutParent(one.id(14)) }))).toBeUndefined();
  });

  it('part nowhere where they are one way, and where one of them goes on', () => {
    expect(parting(hops(one, 0, 15), hops(one, 0, 15))).toBeUndefined();
    expect(parting(hops(one, 0, 14), hops(one, 0, 15))).toBeUndefined();
    expect(parting(hops(one, 0, 10), hops(one, 10, 15))).toBeUndefined();
  });

  it('do not part from different key blocks of one number', () => {
    expect(parting(hops(one, 10, 15), hops(early, 10, 15))).toBeUndefined();
  });

  it('part by the numbers of their blocks alone where the links were dropped', () => {
    const dropped = (way: Way): Way => way.map(({ link: _, ...rest }) => rest);
    const [ours, theirs] = [dropped(hops(one, 0, 15)), dropped(hops(two, 0, 15))];
    expect(parting(ours, theirs)).toEqual([ours[1], theirs[1]]);
  });
});
