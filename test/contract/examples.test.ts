/** The examples run, and refuse what they say they refuse. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginCell, bocOf, type CoreCell } from '../helpers/cells.ts';
import { coreCell, writeBits } from '../helpers/cut-proofs.ts';
import { accountBlocksWith } from '../helpers/dictionaries.ts';
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
import { leafOf, makeShardBlock, answer as shardAnswer, shardHashes, WHOLE } from '../helpers/make-shards.ts';
import { ROOT, readVectorBytes } from '../helpers/vectors.ts';

// By the names a user imports, so that the examples and this test hold the same library.
const chain = await import('ton-finality/chain');
const inclusion = await import('ton-finality/facts');
const { createValidatorSet, verifyBlock } = await import('ton-finality');
const example = (name: string) => import(join(ROOT, 'examples', `${name}.mjs`));

const zerostate = chain.checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const walk = chain.verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), zerostate, { expect: LIVE.block });
const live = inclusion.blockOfWalk(walk);

/** The transaction of whom a message came to, as the chain would make it: recorded messages, an outcome of our own. */
function receipt(message: CoreCell, vault: { address: Uint8Array }, lt: bigint, exitCode: number): CoreCell {
  const steps = beginCell()
    .storeUint(0, 3)
    .storeUint(0, 3)
    .storeUint(0, 1 + 8)
    .storeInt(exitCode, 32);
  const details = steps
    .storeUint(0, 1 + 32)
    .storeUint(0, 256)
    .storeUint(0, 256)
    .endCell();
  const failed = exitCode !== 0;
  // trans_ord, no storage, no credit, code that ran, no actions; not bounced, not destroyed.
  const ran = beginCell()
    .storeUint(0, 4 + 1 + 1 + 1)
    .storeBit(true)
    .storeBit(!failed)
    .storeUint(0, 2 + 4);
  const description = ran.storeRef(details).storeBit(false).storeBit(failed).storeUint(0, 2).endCell();
  const update = beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell();
  return beginCell()
    .storeUint(7, 4)
    .storeBuffer(Buffer.from(vault.address))
    .storeUint(lt, 64)
    .storeUint(0, 256 + 64)
    .storeUint(1_500_000, 32)
    .storeUint(0, 15)
    .storeUint(0b1010, 4)
    .storeRef(beginCell().storeBit(true).storeBit(false).storeRef(message).endCell())
    .storeUint(0, 5)
    .storeRef(update)
    .storeRef(description)
    .endCell();
}

/** A chain of our own that is final, with one shard block, which holds one transaction. */
function chainWith(transaction: CoreCell, { workchain, address }: ReturnType<typeof accountOf>, lt: bigint) {
  const setters = committee('gate');
  const zero = makeZerostate(configCell({ elected: setters }));
  const accountBlocks = accountBlocksWith([{ account: { address }, transactions: [{ lt, cell: transaction }] }]);
  const shard = makeShardBlock(12, WHOLE, { accountBlocks, ltRange: [lt - 1n, lt + 1n] });
  const tops = shardHashes(leafOf(shard.id), workchain);
  const top = makeBlock({ seqno: 1, signedBy: setters, prevKeyBlockSeqno: 0, shardHashes: tops });
  const checkpoint = chain.checkpointFromZerostate(zero.boc, zero.id);
  const header = chain.verifyHeader(headerProof(top), top.id);
  const proven = chain.validatorSetAt(checkpoint);
  const below = (policy: object = {}, validators = proven) => {
    const context = { header };
    const report = verifyBlock(signBlock(top, setters), validators, { ...policy, context });
    const proof = proofShowing(top.root, [customOf(top), ...everyCell(tops)]);
    const down = shardAnswer(top, [{ id: shard.id, proof }]);
    return inclusion.verifyShardBlock(down, inclusion.blockOfReport(report, header), shard.id);
  };
  const answer = { proof: shard.boc, transaction: bocOf(transaction) };
  const given = createValidatorSet(proven.validators, { shuffle: proven.shuffle! });
  return { block: below(), weaker: below({ onDefect: 'ignore' }), given: below({}, given), shard, answer };
}

function cellOf(root: CoreCell, hash: Uint8Array): CoreCell {
  const pending = [root];
  for (let cell = pending.pop(); cell !== undefined; cell = pending.pop()) {
    if (cell.hash().equals(hash)) return cell;
    pending.push(...cell.refs);
  }
  throw new Error('no such cell');
}

it('the bridge is a program of at most 120 lines', () => {
  const lines = readFileSync(join(ROOT, 'examples', 'bridge', 'bridge.mjs'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(120);
});

describe('the bridge gate', () => {
  // A jetton wallet's recorded transaction: what it sent to its owner is what comes in at the vault.
  const entry = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
  const sent = inclusion.verifyTransaction(
    { proof: bytesOf(entry, 'proof'), transaction: bytesOf(entry, 'transaction') },
    inclusion.assumeFinal(blockId(entry.trusted)),
    { account: accountOf(entry.request!.account!), lt: BigInt(entry.request!.lt!) },
  );
  if (!sent.found) throw new Error('expected the transaction of the wallet');
  const message = inclusion.messagesOf(sent).find(({ opcode }) => opcode === 0x7362d09c)!;
  if (message.destination.kind !== 'account') throw new Error('expected an account');
  const vault = message.destination.account;
  const cell = cellOf(coreCell(bytesOf(entry, 'transaction')), message.hash);
  const lt = message.lt + 10n;
  const made = (inMessage: CoreCell, exitCode = 0) => chainWith(receipt(inMessage, vault, lt, exitCode), vault, lt);
  const { block, weaker, given, shard, answer } = made(cell);
  const gate = { vault, wallet: sent.account };
  const other = { workchain: 0, address: new Uint8Array(32).fill(1) };
  const bounced = made(writeBits(cell, 3, '1')); // int_msg_info$0 ihr_disabled bounce bounced
  const failed = made(cell, 50);

  it('releases a deposit, once', async () => {
    const { deposit } = await example('bridge-gate');
    const paid = new Set();
    const released = deposit(block, answer, lt, gate, paid);
    expect(released).toMatchObject({ masterchainSeqno: 1 });
    expect(released.amount).toBeGreaterThan(0n);
    expect(() => deposit(block, answer, lt, gate, paid)).toThrow(/paid before/);
  });

  const empty = { proof: answer.proof };
  const foreign = { ...answer, transaction: failed.answer.transaction };
  it.each([
    [
      'under a block that not proven final',
      inclusion.assumeFinal(shard.id),
      answer,
      lt,
      gate,
      /this block was not proven/,
    ],
    ['under a block that was judged by a weaker policy', weaker, answer, lt, gate, /exceptions: ignored-defects/],
    [
      'under a block whose validators nobody proved',
      given,
      answer,
      lt,
      gate,
      /validator set of this block is not proven/,
    ],
    ['under a copy of a proven block', { ...block }, answer, lt, gate, /expected a block that was proven here/],
    ['under another final block', live, answer, lt, gate, /cannot hold/],
    ['at a time at which there was none', block, empty, lt + 9n, gate, /no such transaction: lt-outside-block/],
    ['of another account', block, empty, lt, { ...gate, vault: other }, /no such transaction: account-not-in-block/],
    ['with another transaction beside the proof', block, foreign, lt, gate, /another transaction than the block holds/],
    ['on a transaction that failed', failed.block, failed.answer, lt, gate, /did not succeed: its code ended with 50/],
    ['on jettons that came back', bounced.block, bounced.answer, lt, gate, /no jettons came in/],
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

  it('releases nothing on a transaction without jettons', async () => {
    const { deposit } = await example('bridge-gate');
    const { file, account, lt: when } = liveTransactions[4]!;
    const holder = inclusion.parseAccountId(account!);
    const shown = inclusion.parseLiteAnswer(liveBytes(file), 'transaction');
    expect(() => deposit(live, shown, BigInt(when!), { vault: holder, wallet: holder }, new Set())).toThrow(
      /no jettons came in/,
    );
  });
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
