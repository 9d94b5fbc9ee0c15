/** The examples run, and refuse what they say they refuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LIVE, liveAnswer, liveBytes, liveTransactions } from '../helpers/inclusion.ts';
import { committee, headerProof, makeBlock, signBlock } from '../helpers/make-chain.ts';
import { ROOT, readVectorBytes } from '../helpers/vectors.ts';

// By the names a user imports, so that the examples and this test hold the same library.
const chain = await import('ton-finality/chain');
const inclusion = await import('ton-finality/facts');
const { createValidatorSet, verifyBlock } = await import('ton-finality');
const example = (name: string) => import(join(ROOT, 'examples', `${name}.mjs`));

const zerostate = chain.checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const walk = chain.verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), zerostate, { expect: LIVE.block });
const live = inclusion.blockOfWalk(walk);

it('the bridge is a program of at most 120 lines', () => {
  const lines = readFileSync(join(ROOT, 'examples', 'bridge', 'bridge.mjs'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(120);
});

it('no example accepts a deposit without the rules of acceptDeposit, such as those about a refund', () => {
  const programs = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => readFileSync(join(ROOT, 'examples', file), 'utf8'));
  const readDeposits = programs.filter((text) => /jettonNotificationOf|\bvault\b/.test(text));
  expect(readDeposits.length).toBeGreaterThan(0);
  for (const text of readDeposits) expect(text).toContain('acceptDeposit(');
});

it('the proof of reserves adds up what is proven, and what does not exist is nothing', async () => {
  const { reserves } = await example('proof-of-reserves');
  const pairs = ['account-config.tl', 'account-absent.tl'].map((file) => [
    inclusion.parseAccountId(liveAnswer(file).account!),
    inclusion.parseLiteAnswer(liveBytes(file), 'account-state'),
  ]);
  const { total, held, masterchainSeqno } = reserves(live, pairs);
  expect(masterchainSeqno).toBe(LIVE.block.seqno);
  expect(held).toHaveLength(2);
  expect(held[1].balance).toBe(0n);
  expect(total).toBe(held[0].balance);
  expect(() => reserves(live, [pairs[0], pairs[0]])).toThrow(/counted twice/);
  expect(() => reserves(inclusion.assumeFinal(LIVE.block), pairs)).toThrow(/not proven final/);
  const made = makeBlock({ seqno: 7, signedBy: committee('r'), prevKeyBlockSeqno: 0 });
  const keys = committee('r').signers.map(({ publicKey, weight }) => ({ publicKey, weight }));
  const claimed = createValidatorSet(keys, { provenance: { kind: 'claimed', source: 'a server' } });
  const header = chain.verifyHeader(headerProof(made), made.id);
  const report = verifyBlock(signBlock(made), claimed, { context: { header }, acceptClaimed: true });
  expect(() => reserves(inclusion.blockOfReport(report, header), [])).toThrow(/only with accepted-claimed-set/);
});

it('a certificate made on one machine is verified on another from its own anchor', async () => {
  const { make, check } = await example('certificate');
  const { file, account, lt } = liveTransactions[0]!;
  const answer = inclusion.parseLiteAnswer(liveBytes(file), 'transaction');
  const fact = { kind: 'transaction', account: inclusion.parseAccountId(account!), lt: BigInt(lt!), answer };
  const bytes = make(zerostate, liveBytes('proof-zerostate-to-block.tl'), fact);
  expect(check(bytes, LIVE.zerostate)).toMatchObject([{ kind: 'transaction', found: true }]);
  expect(() => check(bytes, LIVE.keyBlock)).toThrow(expect.objectContaining({ code: 'cert/anchor' }));
  expect(() => check(bytes, undefined)).toThrow(/anchor: expected a value, got nothing/);
  const absent = liveAnswer('account-absent.tl').account!;
  const nobody = {
    kind: 'account',
    account: inclusion.parseAccountId(absent),
    answer: inclusion.parseLiteAnswer(liveBytes('account-absent.tl'), 'account-state'),
  };
  const empty = make(zerostate, liveBytes('proof-zerostate-to-block.tl'), nobody);
  expect(() => check(empty, LIVE.zerostate)).toThrow(/proven absent: account/);
});
