/** The examples run, and refuse what they say they refuse. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginCell } from '../helpers/cells.ts';
import { coreCell } from '../helpers/cut-proofs.ts';
import { accountOf, bytesOf, caseNamed, LIVE, liveAnswer, liveBytes, liveTransactions } from '../helpers/inclusion.ts';
import { everyCell } from '../helpers/make-back-link.ts';
import {
  committee,
  configCell,
  customOf,
  headerProof,
  makeBlock,
  makeZerostate,
  proofShowing,
  signBlock,
} from '../helpers/make-chain.ts';
import { leafOf, answer as shardAnswer, shardBlock, shardHashes, WHOLE } from '../helpers/make-shards.ts';
import { ROOT, readVectorBytes } from '../helpers/vectors.ts';

// By the names a user imports, so that the examples and this test hold the same library.
const chain = await import('ton-finality/chain');
const inclusion = await import('ton-finality/inclusion');
const { verifyBlock } = await import('ton-finality');
const example = (name: string) => import(join(ROOT, 'examples', `${name}.mjs`));

const zerostate = chain.checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const walk = chain.walkBlockProof(zerostate, liveBytes('proof-zerostate-to-block.tl'), { to: LIVE.block });
const live = inclusion.provenTip(walk);

/** A chain of our own that is final, with one shard block, which holds one recorded transaction. */
function depositChain(entry: ReturnType<typeof caseNamed>) {
  const transaction = coreCell(bytesOf(entry, 'transaction'));
  const { workchain, address } = accountOf(entry.request!.account!);
  const lt = BigInt(entry.request!.lt!);
  const setters = committee('gate');
  const zero = makeZerostate(configCell({ elected: setters }));
  const update = beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell();
  // One account with one transaction: long labels of 256 and 64 bits, no extra.
  const leaf = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeBuffer(Buffer.from(address)).storeUint(0, 5);
  leaf.storeUint(5, 4).storeBuffer(Buffer.from(address)).storeUint(0b10, 2).storeUint(64, 7).storeUint(lt, 64);
  const account = leaf.storeUint(0, 5).storeRef(transaction).storeRef(update).endCell();
  const accountBlocks = beginCell().storeBit(true).storeUint(0, 5).storeRef(account).endCell();
  const shard = shardBlock(12, WHOLE, { accountBlocks, ltRange: [lt - 1n, lt + 1n] });
  const tops = shardHashes(leafOf(shard.id), workchain);
  const top = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, shardHashes: tops });
  const checkpoint = chain.checkpointFromZerostate(zero.boc, zero.id);
  const header = chain.provenHeader(headerProof(top), top.id);
  const verified = (policy: object = {}) =>
    verifyBlock(signBlock(top, setters), chain.validatorSetAt(checkpoint), { ...policy, evidence: { header } });
  const down = shardAnswer(top, [{ id: shard.id, proof: proofShowing(top.root, [customOf(top), ...everyCell(tops)]) }]);
  const below = (report: ReturnType<typeof verified>) =>
    inclusion.shardBlock(down, inclusion.finalBlock(report, header), shard.id);
  return {
    block: below(verified()),
    weaker: below(verified({ onDefect: 'ignore' })),
    shard,
    lt,
    answer: { proof: shard.boc, transaction: bytesOf(entry, 'transaction') },
  };
}

describe('the bridge gate', () => {
  const entry = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
  const { block, weaker, shard, lt, answer } = depositChain(entry);
  const vault = accountOf(entry.request!.account!);
  const fact = inclusion.verifyTransaction(answer, block, { account: vault, lt });
  if (!fact.found) throw new Error('expected the deposit');
  const [incoming] = inclusion.messagesOf(fact);
  const jettons = inclusion.decodeJettonNotification(incoming!)!;
  if (jettons.wallet.kind !== 'account') throw new Error('expected an account');
  const gate = { vault, wallet: jettons.wallet.account };
  const other = { workchain: 0, address: new Uint8Array(32).fill(1) };

  it('releases a deposit, once', async () => {
    const { deposit } = await example('bridge-gate');
    const paid = new Set();
    expect(deposit(block, answer, lt, gate, paid)).toMatchObject({ amount: jettons.amount, masterchainSeqno: 1 });
    expect(() => deposit(block, answer, lt, gate, paid)).toThrow(/paid before/);
  });

  const empty = { proof: answer.proof };
  const forged = Uint8Array.from(answer.transaction);
  forged[forged.length - 1]! ^= 1;
  const failed = inclusion.readAnswerOf('transaction', liveBytes(liveTransactions[4]!.file));
  it.each([
    ['under a block that nobody proved', inclusion.assumeFinal(shard.id), answer, lt, gate, /nobody proved this block/],
    ['under a block that was judged by a weaker policy', weaker, answer, lt, gate, /exceptions: ignored-defects/],
    ['under an id', shard.id, answer, lt, gate, /assumed|undefined|expected a block that was proven/],
    ['under another final block', live, answer, lt, gate, /cannot hold/],
    ['at a time at which there was none', block, empty, lt + 9n, gate, /no such transaction: lt-outside-block/],
    ['of another account', block, empty, lt, { ...gate, vault: other }, /no such transaction: account-not-in-block/],
    ['with another transaction beside the proof', block, { ...answer, transaction: forged }, lt, gate, /transaction/],
    [
      'from a wallet that is not its own',
      block,
      answer,
      lt,
      { ...gate, wallet: other },
      /not from our own jetton wallet/,
    ],
  ])('releases nothing %s', async (_, under, shown, at, of, why) => {
    const { deposit } = await example('bridge-gate');
    const paid = new Set();
    expect(() => deposit(under, shown, at, of, paid)).toThrow(why);
    expect(paid.size).toBe(0);
  });

  it('releases nothing on a transaction without jettons, nor on one that failed', async () => {
    const { deposit } = await example('bridge-gate');
    const { account, lt: when } = liveTransactions[4]!;
    const holder = inclusion.parseAccountId(account!);
    expect(() => deposit(live, failed, BigInt(when!), { vault: holder, wallet: holder }, new Set())).toThrow(
      /no jettons came in/,
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
