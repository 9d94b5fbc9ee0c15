/** Evidence of a fork: what it has to show, what it says of those who signed twice, and what is refused as none. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkpointFromKeyBlock } from '../../../src/chain/checkpoint.ts';
import { type ForkEvidence, forkEvidence, verifyForkEvidence } from '../../../src/lite/evidence.ts';
import { countingEngine } from '../../helpers/counting-engine.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
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
  const { engine, opened } = countingEngine();
  verifyForkEvidence(good, { engine });
  expect(opened()).toBe(2);
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
  refused({ ...good, sides: [first, edited] }, 'decode/shape', 'evidence.sides[1].sha256', /another SHA-256/);
});

it('two answers that lead to one block, or to blocks of two numbers, are no evidence', () => {
  const noFork = /this is no fork/;
  refused(shown(one.proof(10, 15), one.proof(10, 15)), 'trust/incomplete', 'evidence.sides', noFork);
  refused(shown(one.proof(10, 15), two.proof(10, 14)), 'trust/incomplete', 'evidence.sides', noFork);
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
