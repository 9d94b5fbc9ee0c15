/** Every recorded proof below a block proves what `vectors/inclusion/index.json` says. */
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { parseSignatureList } from '../../src/core/block/signature-list.ts';
import { parseSingleRoot } from '../../src/core/cells/boc.ts';
import { openBlock, readProvenBlock, verifyHeader } from '../../src/core/chain/block-header.ts';
import { readPreviousBlocks } from '../../src/core/chain/previous-blocks.ts';
import { formatAccountId } from '../../src/core/facts/account-id.ts';
import { accountDataOf, verifyAccount } from '../../src/core/facts/account-state.ts';
import type { MessageAddress } from '../../src/core/facts/addresses.ts';
import { verifyBlockTransactions } from '../../src/core/facts/block-list.ts';
import { type MessageFact, messagesOf } from '../../src/core/facts/messages.ts';
import { assumeFinal } from '../../src/core/facts/proven-block.ts';
import { verifyShardBlock, verifyShardTop } from '../../src/core/facts/shard-top.ts';
import { type TransactionFact, verifyTransaction } from '../../src/core/facts/transaction.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { verifyBlock } from '../../src/core/verify/verifier.ts';
import {
  accountOf,
  blockId,
  bytesOf,
  casesOf,
  inclusionCases,
  type MessageJson,
  type TransactionJson,
} from '../helpers/inclusion.ts';
import { shardLink } from '../helpers/shard-link.ts';
import { readVector, readVectorBytes } from '../helpers/vectors.ts';

const TYPES: Readonly<Record<string, readonly string[]>> = { generic: ['ordinary'], 'tick-tock': ['tick', 'tock'] };

function addressText(address: MessageAddress): string | null {
  return address.kind === 'account' ? formatAccountId(address.account, { form: 'user-friendly' }) : null;
}

function expectMessage(message: MessageFact, json: MessageJson): void {
  expect(message.kind).toBe(json.kind);
  expect(encodeHex(message.hash)).toBe(json.hash);
  expect(encodeHex(message.bodyHash)).toBe(json.bodyHash);
  if (json.index !== undefined) expect(message.index).toBe(json.index);
  if (json.src !== undefined) expect(addressText(message.source)).toBe(json.src);
  if (json.dest !== undefined) expect(addressText(message.destination)).toBe(json.dest);
  if (json.op !== undefined && json.op !== null) expect(message.opcode).toBe(json.op);
  if (message.kind === 'internal' && json.value !== undefined) expect(String(message.value.grams)).toBe(json.value);
  if (message.kind !== 'external-in' && json.createdLt !== undefined) {
    expect(String(message.createdLt)).toBe(json.createdLt);
    // Of every message that went out: not enforced, since no split or merge has been seen.
    if (message.direction === 'out') expect(message.createdLt).toBe(message.lt + 1n + BigInt(message.index!));
  }
}

function expectTransaction(fact: TransactionFact, json: TransactionJson): void {
  const { transaction } = fact;
  expect({
    account: encodeHex(fact.account.address),
    lt: String(fact.lt),
    hash: encodeHex(fact.hash),
    now: transaction?.now,
    prevTransHash: encodeHex(transaction!.prevTransHash),
    prevTransLt: String(transaction!.prevTransLt),
    outMsgCount: transaction?.outMsgCount,
    aborted: transaction?.outcome.aborted,
  }).toEqual({
    account: json.account,
    lt: json.lt,
    hash: json.hash,
    now: json.now,
    prevTransHash: json.prevTransHash,
    prevTransLt: json.prevTransLt,
    outMsgCount: json.outMsgCount,
    aborted: json.aborted ?? false,
  });
  expect(TYPES[json.description]).toContain(transaction?.outcome.type);
  const messages = messagesOf(fact);
  const expected = [...(json.inMsg === null ? [] : [json.inMsg]), ...json.outMsgs];
  expect(messages).toHaveLength(expected.length);
  for (const [k, message] of messages.entries()) expectMessage(message, expected[k]!);
}

describe('a recorded proof below a block', () => {
  it('is one of 31 cases, of the eight kinds that the tests below take', () => {
    expect(inclusionCases).toHaveLength(31);
    expect([...new Set(inclusionCases.map(({ kind }) => kind))].sort()).toEqual([
      'account-state',
      'account-state-pruned',
      'block-header',
      'block-transactions',
      'shard-block-proof',
      'signed-chain',
      'transaction',
      'whole-blocks',
    ]);
  });

  it.each(casesOf('account-state'))('proves the account as it stands, or that there is none: $id', (entry) => {
    const account = accountOf(entry.account!);
    const answer = {
      proof: bytesOf(entry, 'proof'),
      ...(entry.files!.shardProof === undefined ? {} : { shardProof: bytesOf(entry, 'shardProof') }),
      ...(entry.files!.state === undefined ? {} : { state: bytesOf(entry, 'state') }),
    };
    const masterchain = assumeFinal(blockId(entry.trusted));
    const fact = verifyAccount(answer, masterchain, account);
    const { exists, shardBlockGenUtime, accountHash, lastTransHash, lastTransLt, balance } = entry.expect;
    expect(fact.found).toBe(exists);
    expect(fact.genUtime).toBe(shardBlockGenUtime);
    expect(encodeHex(fact.block.rootHash)).toBe(entry.shardBlock!.rootHash);
    expect(fact.block.seqno).toBe(entry.shardBlock!.seqno);
    if (fact.found) {
      expect({
        accountHash: encodeHex(fact.accountHash),
        lastTransHash: encodeHex(fact.lastTransHash),
        lastTransLt: String(fact.lastTransLt),
        balance: String(fact.balance.grams),
      }).toEqual({ accountHash, lastTransHash, lastTransLt, balance });
      expect(String(accountDataOf(fact).balance.grams)).toBe(balance);
    } else {
      expect(fact.reason).toBe('no-entry');
    }
    if (account.workchain === 0) {
      expect(verifyShardTop({ shardProof: bytesOf(entry, 'shardProof') }, masterchain, account).id.seqno).toBe(
        fact.block.seqno,
      );
    }
  });

  it.each(casesOf('account-state-pruned'))('proves an account of which only a part is shown: $id', (entry) => {
    const answer = {
      proof: bytesOf(entry, 'proof'),
      shardProof: bytesOf(entry, 'shardProof'),
      state: bytesOf(entry, 'prunedState'),
      shardBlock: blockId(entry.shardBlock!),
    };
    const fact = verifyAccount(answer, assumeFinal(blockId(entry.trusted)), accountOf(entry.account!));
    if (!fact.found) throw new Error('expected an account');
    expect(encodeHex(fact.accountHash)).toBe(entry.expect.accountHash);
    expect(encodeHex(fact.lastTransHash)).toBe(entry.expect.lastTransHash);
    expect(String(fact.balance.grams)).toBe(entry.expect.balance);
    expect(encodeHex(accountDataOf(fact).data!.hash(0))).toBe(entry.expect.dataHash);
  });

  it.each(casesOf('transaction'))('proves the transaction and its messages: $id', (entry) => {
    const { account, lt } = entry.request!;
    const answer = { proof: bytesOf(entry, 'proof'), transaction: bytesOf(entry, 'transaction') };
    const request = { account: accountOf(account!), lt: BigInt(lt!) };
    const fact = verifyTransaction(answer, assumeFinal(blockId(entry.trusted)), request);
    expect(fact.found).toBe(entry.expect.found);
    if (fact.found) expectTransaction(fact, entry.expect.transaction);
  });

  it.each(casesOf('block-transactions'))('proves that these are all transactions of the block: $id', (entry) => {
    const ids = entry.expect.ids.map(({ account, lt, hash }: TransactionJson) => ({
      account: accountOf(account).address,
      lt: BigInt(lt),
      hash: Uint8Array.from(Buffer.from(hash, 'hex')),
    }));
    const block = assumeFinal(blockId(entry.trusted));
    const proof = bytesOf(entry, 'proof');
    for (const list of [verifyBlockTransactions({ proof, ids }, block), verifyBlockTransactions({ proof }, block)]) {
      expect(list.complete).toBe(true);
      expect(
        list.entries.map(({ account, lt, hash }) => [formatAccountId(account), String(lt), encodeHex(hash)]),
      ).toEqual(entry.expect.ids.map(({ account, lt, hash }: TransactionJson) => [account, lt, hash]));
    }
  });

  it.each(casesOf('shard-block-proof'))('leads down to the shard block: $id', (entry) => {
    const answer: unknown = JSON.parse(Buffer.from(bytesOf(entry, 'answer')).toString('utf8'));
    const masterchain = blockId(entry.trusted);
    const requested = blockId(entry.request!.block!);
    const proven = verifyShardBlock(answer, assumeFinal(masterchain), requested);
    expect(proven.id).toEqual(requested);
    expect(proven.path.map(({ by }) => by).filter((by) => by !== 'assumed')).toHaveLength(entry.expect.links ?? 1);
    expect(shardLink(answer, masterchain, requested)).toEqual(requested);
    if (entry.files!.block === undefined) return;
    const list = verifyBlockTransactions({ proof: bytesOf(entry, 'block') }, proven);
    expect(list.complete).toBe(true);
    expect(
      list.entries.map(({ account, lt, hash }) => [formatAccountId(account), String(lt), encodeHex(hash)]),
    ).toEqual(entry.expect.transactions.map(({ account, lt, hash }: TransactionJson) => [account, lt, hash]));
  });

  it.each(casesOf('whole-blocks'))('holds all transactions and messages of two whole blocks: $id', (entry) => {
    const masterchain = assumeFinal(blockId(entry.trusted));
    const lists = [
      ['masterchainBlock', masterchain, entry.expect.masterchainTransactions],
      ['shardBlock', assumeFinal(blockId(entry.shardBlock!)), entry.expect.transactions],
    ] as const;
    for (const [file, block, transactions] of lists) {
      const list = verifyBlockTransactions({ proof: bytesOf(entry, file) }, block);
      expect(list.complete).toBe(true);
      expect(list.entries).toHaveLength(transactions.length);
      for (const [k, fact] of list.entries.entries()) expectTransaction(fact, transactions[k]);
      for (const { account, lt } of list.entries) {
        const fact = verifyTransaction({ proof: bytesOf(entry, file) }, block, { account, lt });
        expectTransaction(
          fact as TransactionFact,
          transactions.find(
            (json: TransactionJson) => json.lt === String(lt) && json.account === encodeHex(account.address),
          ),
        );
      }
    }
  });

  it.each(casesOf('block-header'))('names both blocks before a merge: $id', (entry) => {
    const id = blockId(entry.trusted);
    const { header } = readProvenBlock(openBlock(bytesOf(entry, 'proof'), 'block').root, id, 'block');
    expect(header.afterMerge).toBe(true);
    expect(verifyHeader(bytesOf(entry, 'proof'), id).genUtime).toBe(entry.expect.genUtime);
    expect(readPreviousBlocks(header, 'block')).toEqual(entry.expect.previous.map(blockId));
  });

  it.each(casesOf('signed-chain'))('is final under Simplex signatures: $id', (entry) => {
    // biome-ignore lint/suspicious/noExplicitAny: the shape of this one case
    const { blocks, expect: wanted } = entry as any;
    for (const [k, block] of blocks.entries()) {
      const set = parseSignatureList(readVector(`inclusion/${block.signatures}`));
      const validators = parseValidatorSet(readVector(`inclusion/${block.validators}`));
      const { verdict, coverage } = verifyBlock(set, validators);
      expect(verdict.status === 'final').toBe(wanted.final[k]);
      expect(coverage.signatures).toHaveLength(wanted.signers[k]);
      expect([coverage.signedWeight, coverage.totalWeight].map(String)).toEqual([
        block.signedWeight,
        block.totalWeight,
      ]);
    }
    const root = parseSingleRoot(readVectorBytes('inclusion/signed/testnet-2026-10-simplex/key-block-proof.boc'));
    expect(root.kind).toBe('merkle-proof');
  });
});
