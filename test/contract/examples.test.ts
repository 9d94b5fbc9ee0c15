/** The examples run, and refuse what they say they refuse. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  accountOf,
  blockId,
  bytesOf,
  caseNamed,
  LIVE,
  liveAnswer,
  liveBytes,
  liveTransactions,
} from '../helpers/inclusion.ts';
import { ROOT, readVectorBytes } from '../helpers/vectors.ts';

// By the names a user imports, so that the examples and this test hold the same library.
const chain = await import('ton-finality/chain');
const inclusion = await import('ton-finality/inclusion');
const example = (name: string) => import(join(ROOT, 'examples', `${name}.mjs`));

const zerostate = chain.checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const walk = chain.walkBlockProof(zerostate, liveBytes('proof-zerostate-to-block.tl'), { to: LIVE.block });
const live = inclusion.provenTip(walk);

describe('the bridge gate', () => {
  const entry = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
  const block = inclusion.assumeFinal(blockId(entry.trusted));
  const answer = { proof: bytesOf(entry, 'proof'), transaction: bytesOf(entry, 'transaction') };
  const wallet = accountOf(entry.request!.account!);

  it('releases nothing under a block that nobody proved', async () => {
    const { deposit } = await example('bridge-gate');
    const gate = { vault: wallet, wallet };
    expect(() => deposit(block, answer, BigInt(entry.request!.lt!), gate, new Set())).toThrow(
      /nobody proved this block final/,
    );
  });

  it('releases nothing on a transaction without jettons, and on none at all', async () => {
    const { deposit } = await example('bridge-gate');
    const { file, account, lt } = liveTransactions[4]!;
    const vault = inclusion.parseAccountId(account!);
    const paid = inclusion.readAnswerOf('transaction', liveBytes(file));
    expect(() => deposit(live, paid, BigInt(lt!), { vault, wallet: vault }, new Set())).toThrow(/no jettons came in/);
    const proof = { proof: paid.proof };
    expect(() => deposit(live, proof, 5n, { vault, wallet: vault }, new Set())).toThrow(
      /no such transaction: lt-outside-block/,
    );
  });
});

it('the proof of reserves adds up what is proven, and what does not exist is nothing', async () => {
  const { reserves } = await example('proof-of-reserves');
  const pairs = ['account-config.tl', 'account-absent.tl'].map((file) => [
    inclusion.parseAccountId(liveAnswer(file).account!),
    inclusion.readAnswerOf('account-state', liveBytes(file)),
  ]);
  const { total, held, masterchainSeqno } = reserves(live, pairs);
  expect(masterchainSeqno).toBe(LIVE.block.seqno);
  expect(held).toHaveLength(2);
  expect(held[1].balance).toBe(0n);
  expect(total).toBe(held[0].balance);
  expect(() => reserves(live, [pairs[0], pairs[0]])).toThrow(/counted twice/);
});

it('a certificate made on one machine is verified on another from its own anchor', async () => {
  const { make, check } = await example('certificate');
  const { file, account, lt } = liveTransactions[0]!;
  const answer = inclusion.readAnswerOf('transaction', liveBytes(file));
  const fact = { kind: 'transaction', account: inclusion.parseAccountId(account!), lt: BigInt(lt!), answer };
  const bytes = make(zerostate, liveBytes('proof-zerostate-to-block.tl'), fact);
  expect(check(bytes, LIVE.zerostate)).toMatchObject([{ kind: 'transaction', found: true }]);
  expect(() => check(bytes, LIVE.keyBlock)).toThrow(expect.objectContaining({ code: 'cert/anchor' }));
  expect(() => check(bytes, undefined)).toThrow(/undecided: self-consistent/);
});
