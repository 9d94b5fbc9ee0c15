/** The way down to a shard block is gone once for all facts behind it, and only for what every block on it holds. */
import { describe, expect, it } from 'vitest';
import { recutFact } from '../../../src/core/certificate/build-fact.ts';
import type { FactParts } from '../../../src/core/certificate/fact-parts.ts';
import { judgeFact, noFindings } from '../../../src/core/certificate/judge-fact.ts';
import { unbounded } from '../../../src/core/certificate/work-limit.ts';
import { openBlock } from '../../../src/core/chain/block-header.ts';
import { assumeFinal, factsOf } from '../../../src/core/facts/proven-block.ts';
import { headerProof } from '../../helpers/make-chain.ts';
import { fork, LEFT, leafOf, makeShardBlock, master, prevProof, RIGHT, WHOLE } from '../../helpers/make-shards.ts';

/** A shard that was split: the block before is one of the whole workchain. */
const whole = makeShardBlock(10, WHOLE);
const half = (shard: typeof LEFT) => makeShardBlock(11, shard, { previous: [whole.id], afterSplit: true });
const [left, right] = [half(LEFT), half(RIGHT)];
const top = master(fork(leafOf(left.id), leafOf(right.id)));
const facts = factsOf(assumeFinal(top.block.id));
const place = (first: number) => ({ workchain: 0, address: new Uint8Array(32).fill(first) });
const root = (proof: Uint8Array) => openBlock(proof, 'proof').root;

function absence(first: number, by: typeof left): FactParts {
  const way = { by: 'links' as const, proofs: [root(top.proof), root(prevProof(by))] };
  const part = { account: place(first), lt: 1n, way, block: root(headerProof(whole)), transaction: undefined };
  return recutFact({ kind: 'absent-transaction', ...part }, facts, 'facts');
}

describe('the way down of a fact', () => {
  const one = absence(0x11, left) as FactParts & { kind: 'absent-transaction' };
  const judge = (...parts: readonly FactParts[]) => {
    const findings = noFindings(unbounded());
    return parts.map((part, k) => judgeFact(part, facts, `facts[${k}]`, findings));
  };

  it('serves whatever all of its blocks hold', () => {
    const [first, second] = judge(one, { ...one, account: place(0x22) });
    expect([first, second]).toMatchObject([{ found: false }, { found: false, account: place(0x22) }]);
    expect(second!.path).toEqual(first!.path);
  });

  it('serves nothing that one of its blocks does not hold, though the last one does', () => {
    const other = { ...one, account: place(0x99) };
    expect(() => judge(one, other)).toThrow(expect.objectContaining({ code: 'trust/pruned' }));
    expect(() => judge(other)).toThrow(expect.objectContaining({ code: 'trust/pruned' }));
    expect(judge(one, absence(0x99, right))).toMatchObject([{ found: false }, { found: false }]);
  });
});
