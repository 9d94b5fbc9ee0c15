/** Evidence of a fork: what it has to show, what it says of those who signed twice, and what is refused as none. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkpointFromKeyBlock, checkpointFromZerostate, validatorSetAt } from '../../../src/core/chain/checkpoint.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { Fleet } from '../../../src/net/lite/fleet.ts';
import { forkEvidence, verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { type Hop, hopsOf } from '../../../src/net/lite/key-block-way.ts';
import { judgeParting } from '../../../src/net/lite/witnesses.ts';
import { evidenceOf, type ForkEvidence, SIGNED_TWICE_SCHEMA } from '../../../src/net/sources/fork-error.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { entryOf, toAnswer } from '../../helpers/make-block.ts';
import { committee, honestLink, signBlock, tlForward, tlProof } from '../../helpers/make-chain.ts';

const firstUtime = 1_700_000_000;
const members = committee('evidence', [10n, 17n, 24n, 31n]);
const common = { length: 15, firstUtime, hasStates: true, committeeOf: () => members };
const one = new LiteChain(common);
const two = new LiteChain({ ...common, forkAt: 13 });
const start = checkpointFromKeyBlock(one.blocks.get(10)!.boc, one.id(10));
const side = (source: string, body: Uint8Array) => ({ source, body });
const shown = (a: Uint8Array, b: Uint8Array) => forkEvidence(start, [side('a', a), side('b', b)]);
const good = shown(one.proof(10, 15), two.proof(10, 15));
const [first, second] = good.sides as [ForkEvidence['sides'][0], ForkEvidence['sides'][0]];
const refused = (json: unknown, code: string, path: string, message = /./) =>
  expect(() => verifyForkEvidence(json)).toThrow(
    expect.objectContaining({ code, path, message: expect.stringMatching(message) }),
  );

/** The answer that leads to a block, signed by some only. */
function signedBy(chain: LiteChain, seqno: number, positions: readonly number[]): Uint8Array {
  const [from, to] = [chain.blocks.get(10)!, chain.blocks.get(seqno)!];
  const all = signBlock(to, members, 'simplex');
  const set = { ...all, signatures: positions.map((at) => all.signatures[at]!) };
  return tlProof(from.id, to.id, [tlForward(honestLink(from, to, 'simplex', { set }))], true);
}

it('evidence names the block number, both servers, and the answers with their hashes', () => {
  expect(good).toMatchObject({ schema: 'ton-finality/fork-evidence@1', seqno: 15 });
  const sha256 = (tl: Uint8Array) => createHash('sha256').update(tl).digest('hex');
  expect([first, second]).toEqual(
    [one, two].map((chain, k) => ({
      source: 'ab'[k],
      answer: Buffer.from(chain.proof(10, 15)).toString('base64'),
      sha256: sha256(chain.proof(10, 15)),
    })),
  );
});

it('evidence shows who signed both blocks and what they weigh, those alone', () => {
  const ids = signBlock(one.blocks.get(15)!, members, 'simplex').signatures.map(({ nodeIdShort }) => nodeIdShort);
  const all = verifyForkEvidence(good);
  expect(all).toMatchObject({ seqno: 15, signedBoth: ids, signedBothWeight: 82n, totalWeight: 82n });
  expect(all.sides.map(({ blockId }) => blockId)).toEqual([one.id(15), two.id(15)]);
  const some = verifyForkEvidence(shown(signedBy(one, 15, [0, 2, 3]), signedBy(two, 15, [1, 2, 3])));
  expect(some).toMatchObject({ signedBoth: [ids[2], ids[3]], signedBothWeight: 55n, totalWeight: 82n });
});

it('evidence is judged by the engine that is given', () => {
  const engine = countingEngine();
  verifyForkEvidence(good, { engine });
  expect(engine.opened).toBe(2);
});

it('evidence names servers in few words that can be printed', () => {
  const noisy = { ...good, sides: [{ ...first, source: `\u202e${'x'.repeat(2 ** 20)}` }, second] };
  const { source } = verifyForkEvidence(noisy).sides[0];
  expect(source.length).toBeLessThanOrEqual(501);
  expect(source).toMatch(/^x+…?$/);
});

it('evidence is refused for what is wrong with the file, by the name of the member', () => {
  refused({ ...good, schema: 'ton-finality/fork-evidence@2' }, 'decode/shape', 'evidence.schema');
  refused({ ...good, sides: [] }, 'decode/shape', 'evidence.sides', /two sides, got 0/);
  refused({ ...good, sides: [first] }, 'decode/shape', 'evidence.sides', /two sides, got 1/);
  refused({ ...good, sides: [first, second, first] }, 'decode/too-large', 'evidence.sides');
  const edited = { ...second, sha256: first.sha256 };
  refused({ ...good, sides: [first, edited] }, 'decode/shape', 'evidence.sides[1].sha256', /a different SHA-256/);
});

it('two answers that lead to one block, or to blocks of two numbers, are no evidence', () => {
  const noFork = /expected two blocks that contradict each other: this is not a fork/;
  refused(shown(one.proof(10, 15), one.proof(10, 15)), 'trust/incomplete', 'evidence.sides', noFork);
  refused(shown(one.proof(10, 15), two.proof(10, 14)), 'trust/incomplete', 'evidence.sides', noFork);
});

it('a fork at a key block is shown there, by the set that signed both sides, whatever the ways lead to', () => {
  const longer = { length: 25, firstUtime, committeeOf: (epoch: number) => committee(`epoch ${epoch}`) };
  const ours = new LiteChain(longer);
  // Behind the forked key block others sign, who have nothing to do with it.
  const theirs = new LiteChain({
    ...longer,
    forkAt: 13,
    committeeOf: (epoch) => committee(epoch < 2 ? `epoch ${epoch}` : 'others'),
  });
  const from = checkpointFromKeyBlock(ours.blocks.get(10)!.boc, ours.id(10));
  const signers = signBlock(ours.blocks.get(20)!).signatures.map(({ nodeIdShort }) => nodeIdShort);
  for (const [a, b] of [
    [25, 25],
    [25, 24],
    [20, 22],
  ] as const) {
    const evidence = forkEvidence(from, [side('a', ours.proof(10, a)), side('b', theirs.proof(10, b))]);
    const proof = verifyForkEvidence(evidence);
    expect(proof).toMatchObject({ seqno: 20, signedBoth: signers, signedBothWeight: proof.totalWeight });
    expect(proof.sides.map(({ blockId, walk }) => [blockId, walk?.tip])).toEqual([
      [ours.id(20), ours.id(a)],
      [theirs.id(20), theirs.id(b)],
    ]);
  }
});

it('a key block that the other side passes over is a fork, of two numbers', () => {
  const dense = new LiteChain({ ...common, keyEvery: 5 });
  const sparse = new LiteChain({ ...common, keyEvery: 20 });
  expect(sparse.id(0)).toEqual(dense.id(0));
  const from = checkpointFromZerostate(dense.zerostate.boc, dense.id(0));
  const sides = [side('a', dense.proof(0, 15)), side('b', sparse.proof(0, 15))] as const;
  for (const [a, b] of [sides, [sides[1], sides[0]]] as const) {
    const { seqno, sides: found, signedBothWeight } = verifyForkEvidence(forkEvidence(from, [a, b]));
    expect([seqno, new Set(found.map(({ blockId }) => blockId.seqno))]).toEqual([5, new Set([5, 15])]);
    expect(signedBothWeight).toBe(82n);
  }
});

it('two candidates in one slot are a fork, of two numbers', () => {
  const inSlot = (chain: LiteChain, seqno: number, slot: number) => {
    const [block, to] = [chain.blocks.get(10)!, chain.blocks.get(seqno)!];
    const unsigned = { ...signBlock(to, members, 'simplex'), slot };
    const message = signedMessage(unsigned);
    const signatures = members.signers.map((signer) => entryOf(signer, message));
    const set = { ...unsigned, signatures };
    return tlProof(block.id, to.id, [tlForward(honestLink(block, to, 'simplex', { set }))], true);
  };
  expect(verifyForkEvidence(shown(inSlot(one, 15, 7), inSlot(two, 14, 7)))).toMatchObject({
    seqno: 14,
    sides: [{ blockId: one.id(15) }, { blockId: two.id(14) }],
  });
  refused(shown(inSlot(one, 15, 7), inSlot(two, 14, 8)), 'trust/incomplete', 'evidence.sides', /this is not a fork/);
});

it('an answer that ends with a back link is no evidence: nobody’s signature is under its block', () => {
  const backward = (chain: LiteChain) =>
    tlProof(chain.id(10), chain.id(14), [chain.forwardLink(10, 15), chain.backLink(15, 14)], true);
  for (const [a, b] of [
    [backward(one), two.proof(10, 14)],
    [one.proof(10, 14), backward(two)],
  ] as const) {
    refused(shown(a, b), 'trust/incomplete', 'evidence.sides', /signatures of both blocks/);
  }
});

describe('evidence of signatures as servers over HTTP send them', () => {
  const bytes = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
  const listOf = (chain: LiteChain, seqno: number, kind: 'simplex' | 'ordinary' = 'simplex') =>
    bytes(toAnswer(signBlock(chain.blocks.get(seqno)!, members, kind)));
  const shownBoth = (a: Uint8Array, b: Uint8Array) =>
    evidenceOf(SIGNED_TWICE_SCHEMA, 15, validatorSetAt(start), [side('a', a), side('b', b)]);
  const twice = shownBoth(listOf(one, 15), listOf(two, 15));

  it('shows who signed both blocks, without a checkpoint', () => {
    expect(twice).toMatchObject({ schema: SIGNED_TWICE_SCHEMA, seqno: 15 });
    const proof = verifyForkEvidence(JSON.parse(JSON.stringify(twice)));
    expect(proof).toMatchObject({ seqno: 15, signedBothWeight: 82n, totalWeight: 82n });
    expect(proof.checkpoint).toBeUndefined();
    expect(proof.sides.map(({ blockId }) => blockId)).toEqual([one.id(15), two.id(15)]);
  });

  it('may stand beside a proof from a key block', () => {
    const { validators: _, ...rest } = shownBoth(one.proof(10, 15), listOf(two, 15));
    const proof = verifyForkEvidence({ ...rest, checkpoint: good.checkpoint });
    expect(proof).toMatchObject({ seqno: 15, checkpoint: { keyBlock: one.id(10) }, signedBothWeight: 82n });
  });

  it('is refused where the signatures leave the number open, or are too few', () => {
    const open = shownBoth(listOf(one, 15, 'ordinary'), listOf(two, 15, 'ordinary'));
    refused(open, 'trust/incomplete', 'evidence.sides[0].answer', /undecided/);
    const all = signBlock(two.blocks.get(15)!, members, 'simplex');
    const few = bytes(toAnswer({ ...all, signatures: all.signatures.slice(0, 2) }));
    refused(shownBoth(listOf(one, 15), few), 'trust/incomplete', 'evidence.sides[1].answer', /insufficient/);
  });

  it('is refused for a proof without a checkpoint, and for one block, or blocks of two numbers', () => {
    refused(shownBoth(one.proof(10, 15), listOf(two, 15)), 'decode/shape', 'evidence.sides[0]', /a checkpoint/);
    refused(shownBoth(listOf(one, 15), listOf(one, 15)), 'trust/incomplete', 'evidence.sides');
    refused(shownBoth(listOf(one, 15), listOf(two, 14)), 'trust/incomplete', 'evidence.sides');
    // One set may serve under two key blocks: a list of signatures does not say which of them it follows.
    const dense = new LiteChain({ ...common, keyEvery: 5 });
    const from = checkpointFromZerostate(dense.zerostate.boc, dense.id(0));
    const { validators: _, ...rest } = shownBoth(dense.proof(0, 5), listOf(dense, 8));
    refused(
      {
        ...rest,
        checkpoint: forkEvidence(from, [side('a', dense.proof(0, 5)), side('b', dense.proof(0, 5))]).checkpoint,
      },
      'trust/incomplete',
      'evidence.sides',
    );
  });

  it('is not taken for evidence of two proofs', () => {
    const { validators: _, ...rest } = twice;
    const relabelled = { ...rest, checkpoint: good.checkpoint, schema: good.schema };
    expect(() => verifyForkEvidence(relabelled)).toThrow();
  });
});

it('two histories of which one has lost its links, because its way was long, are old keys or a contradiction, without evidence', async () => {
  const [ours, theirs] = [one, two].map(
    (chain) => hopsOf({ client: { name: 'a server' }, tl: chain.proof(10, 15) })[0]!,
  ) as [Hop, Hop];
  const [ourEnd, theirEnd] = [ours, theirs].map(({ link: _, ...hop }) => hop) as [Hop, Hop];
  const judged = (parted: readonly [Hop, Hop], nowSeconds: number) =>
    judgeParting(new Fleet([]), parted, { clock: () => nowSeconds });
  const message = expect.stringMatching('15 after key block 10: ');
  const refusal = { name: 'SourceError', code: 'source/disagree', message };
  const [now, later] = [firstUtime + 60, 2 ** 31 - 1];
  await expect(judged([ours, theirEnd], now)).rejects.toMatchObject(refusal);
  expect(await judged([ours, theirEnd], later)).toBeUndefined();
  for (const seconds of [now, later]) await expect(judged([ourEnd, theirEnd], seconds)).rejects.toMatchObject(refusal);
});
