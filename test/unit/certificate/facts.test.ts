/** Facts below recorded blocks of mainnet, as a certificate carries them: cut down, and judged again by nothing else. */
import { describe, expect, it } from 'vitest';
import { type FactInput, factPartsOf, recutFact } from '../../../src/core/certificate/build-fact.ts';
import { type FactParts, keyOfWay } from '../../../src/core/certificate/fact-parts.ts';
import { judgeFact } from '../../../src/core/certificate/judge-fact.ts';
import { verifyBlockProof } from '../../../src/core/chain/walk.ts';
import { type AccountFact, type NoAccount, verifyAccount } from '../../../src/core/facts/account-state.ts';
import { blockOfCheckpoint } from '../../../src/core/facts/final-block.ts';
import { assumeFinal, factsOf, type ProvenBlock } from '../../../src/core/facts/proven-block.ts';
import { verifyShardBlock } from '../../../src/core/facts/shard-top.ts';
import { parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { liveZerostate } from '../../helpers/certificates.ts';
import { accountOf, blockId, bytesOf, casesOf, type InclusionCase, LIVE, liveBytes } from '../../helpers/inclusion.ts';

const cutFor = (input: FactInput, block: ProvenBlock) => {
  const facts = factsOf(block);
  return recutFact(factPartsOf(input, facts, 'fact'), facts, 'fact');
};
const judged = (part: FactParts, block: ProvenBlock) => judgeFact(part, factsOf(block), 'fact');
const refused = (part: FactParts, block: ProvenBlock, code: string) =>
  expect(() => judged(part, block)).toThrow(expect.objectContaining({ code }));

describe('a block of a shard', () => {
  const shardBlocks = casesOf('shard-block-proof');
  const read = (entry: InclusionCase) => {
    const links: unknown = JSON.parse(Buffer.from(bytesOf(entry, 'answer')).toString('utf8'));
    const under = assumeFinal(blockId(entry.trusted));
    const block = blockId(entry.request!.block!);
    const part = cutFor({ kind: 'shard-block', block, way: { links } }, under);
    if (part.kind !== 'shard-block' || part.way?.by !== 'links') throw new Error('expected a shard block by links');
    return { links, under, block, part, way: part.way };
  };

  it.each(shardBlocks)('is the one that the links lead down to: $id', (entry) => {
    const { links, under, block, part } = read(entry);
    const { path, provenance } = verifyShardBlock(links, under, block);
    const fact = judged(part, under);
    expect(fact).toMatchObject({ kind: 'shard-block', block, masterchain: under.id, provenance });
    expect(fact.path.map((step) => [step.by, step.block])).toEqual(path.map((step) => [step.by, step.block]));
  });

  it('is no other than the one that is named, and no link of the way is left out or taken twice', () => {
    let ways = 0;
    for (const entry of shardBlocks) {
      const { under, part, way } = read(entry);
      refused({ ...part, seqno: part.seqno + 1 }, under, 'cert/claim');
      refused({ ...part, workchain: 5 }, under, 'trust/not-listed');
      refused({ ...part, shard: part.shard ^ 1n }, under, 'cert/claim');
      const [first, ...rest] = way.proofs;
      if (rest.length === 0) continue;
      ways++;
      const by = (proofs: typeof way.proofs) => ({ ...part, way: { ...way, proofs } });
      refused(by(way.proofs.slice(0, -1)), under, 'cert/claim');
      refused(by([first!, ...way.proofs]), under, 'trust/root-hash');
      refused(by(rest), under, 'trust/root-hash');
    }
    expect(ways).toBeGreaterThan(2);
  });

  it('has one place that leads the way to it: others that lead the same are refused', () => {
    for (const entry of shardBlocks) {
      const { under, part } = read(entry);
      for (const key of [part.key ^ 1n, part.key + 2n]) {
        expect(() => judged({ ...part, key }, under)).toThrow(
          expect.objectContaining({ code: 'cert/not-canonical', path: 'fact' }),
        );
      }
    }
    const [whole, left, right] = [-(2n ** 63n), 2n ** 62n, -(2n ** 62n)] as const;
    expect(keyOfWay(whole, whole)).toBe(2n ** 63n);
    for (const [top, shard] of [
      [whole, left],
      [left, whole],
      [right, left],
    ] as const) {
      expect(keyOfWay(top, shard)).toBe(2n ** 62n);
    }
    expect(keyOfWay(whole, right)).toBe(3n * 2n ** 62n);
  });

  it('is none of the masterchain, which no way leads down to', () => {
    const { under, part } = read(shardBlocks[0]!);
    const { workchain, shard, seqno } = under.id;
    const key = BigInt.asUintN(64, shard);
    refused({ ...part, way: undefined, key, workchain, shard, seqno }, under, 'cert/claim');
  });

  it('stands under the block of the same number in every other place of the way', () => {
    const { under, part } = read(shardBlocks[0]!);
    refused({ ...part, way: undefined }, under, 'cert/claim');
    for (const other of shardBlocks.slice(-1)) refused(part, read(other).under, 'trust/root-hash');
  });
});

describe('an account of a shard', () => {
  it.each(casesOf('account-state'))('is what the answer that it was cut from proves: $id', (entry) => {
    const account = accountOf(entry.account!);
    const answer = {
      proof: bytesOf(entry, 'proof'),
      ...(entry.files!.shardProof === undefined ? {} : { shardProof: bytesOf(entry, 'shardProof') }),
      ...(entry.files!.state === undefined ? {} : { state: bytesOf(entry, 'state') }),
    };
    const under = assumeFinal(blockId(entry.trusted));
    const proven = verifyAccount(answer, under, account);
    const said = (fact: AccountFact | NoAccount) =>
      fact.found
        ? [fact.accountHash, fact.lastTransHash, fact.lastTransLt, fact.balance.grams, fact.block, fact.genUtime]
        : [fact.reason, fact.block, fact.genUtime];
    const part = cutFor({ kind: 'account', account, answer }, under);
    expect(part.kind).toBe(entry.expect.exists ? 'account' : 'absent-account');
    expect(said(judged(part, under) as AccountFact | NoAccount)).toEqual(said(proven)); // a fact of its kind
    if (part.kind !== 'account' && part.kind !== 'absent-account') throw new Error('expected an account');
    refused({ ...part, kind: part.kind === 'account' ? 'absent-account' : 'account' }, under, 'cert/claim');
    if (part.way !== undefined) refused({ ...part, way: undefined }, under, 'trust/wrong-shard');
  });
});

describe('a parameter of the configuration', () => {
  const { checkpoint } = verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), liveZerostate());
  const keyBlock = blockOfCheckpoint(checkpoint);
  const answer = parseLiteAnswer(liveBytes('config-from-key-block.tl'), 'config');

  it('is proven by the key block that holds it, and shown whole', () => {
    const part = cutFor({ kind: 'config', param: 34, answer }, keyBlock);
    expect(judged(part, keyBlock)).toMatchObject({ kind: 'config', found: true, param: 34, block: LIVE.keyBlock });
    refused({ ...part, param: 28 } as FactParts, keyBlock, 'trust/pruned');
  });

  it('stands under no other block', () => {
    const part = cutFor({ kind: 'config', param: 34, answer }, keyBlock);
    refused(part, assumeFinal(LIVE.block), 'trust/root-hash');
  });
});
