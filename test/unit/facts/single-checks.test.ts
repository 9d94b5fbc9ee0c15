/** Checks that recorded answers and the listed attacks pass by: each is broken here by the one input that only it refuses. */
import { describe, expect, it } from 'vitest';
import { readProvenBlock } from '../../../src/core/chain/block-header.ts';
import { openProof } from '../../../src/core/chain/link.ts';
import { parseAccountId } from '../../../src/core/facts/account-id.ts';
import { verifyAccount } from '../../../src/core/facts/account-state.ts';
import { isAccount } from '../../../src/core/facts/addresses.ts';
import { verifyBlockTransactions } from '../../../src/core/facts/block-list.ts';
import { verifyConfig } from '../../../src/core/facts/config-param.ts';
import { verifyHistory } from '../../../src/core/facts/history.ts';
import { verifyLibrary } from '../../../src/core/facts/library.ts';
import { assumeFinal, makeProven } from '../../../src/core/facts/proven-block.ts';
import { verifyShardBlock, verifyShardTop } from '../../../src/core/facts/shard-top.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { accountOf, blockId, bytesOf, caseNamed, LIVE, liveAnswer, liveBytes } from '../../helpers/inclusion.ts';

const JETTON = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
const account = accountOf(JETTON.request!.account!);
const shard = assumeFinal(blockId(JETTON.trusted));
const none = new Uint8Array(0);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'taken';
}

describe('what only a masterchain block holds', () => {
  it('is not looked for under a block of a shard', () => {
    for (const ask of [
      () => verifyShardTop({ shardProof: none }, shard, account),
      () => verifyConfig({ configProof: none }, shard, 34),
      () => verifyLibrary({ stateProof: none, dataProof: none }, shard, new Uint8Array(32)),
    ]) {
      expect(codeOf(ask)).toBe('trust/wrong-workchain');
    }
  });
});

describe('the span of logical times of a block', () => {
  it('holds neither its first nor its last number', () => {
    const proof = bytesOf(JETTON, 'proof');
    const { header } = readProvenBlock(openProof(proof, 'proof'), shard.id, 'proof');
    for (const lt of [header.startLt, header.endLt]) {
      expect(verifyTransaction({ proof }, shard, { account, lt })).toMatchObject({
        found: false,
        reason: 'lt-outside-block',
      });
    }
  });
});

describe('a list of transactions without names', () => {
  it('is not all of the block when the server says that it has more', () => {
    const { id, proof } = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');
    const live = assumeFinal(LIVE.block);
    expect(verifyBlockTransactions({ id, proof }, live).complete).toBe(true);
    expect(verifyBlockTransactions({ id, proof, incomplete: true }, live).complete).toBe(false);
  });
});

describe('the list of shards in a block', () => {
  it('is of the network that is known of the block', () => {
    const all = parseLiteAnswer(liveBytes('all-shards.tl'), 'all-shards');
    const under = (globalId: number | undefined) =>
      makeProven({
        id: LIVE.block,
        globalId,
        provenance: { kind: 'assumed' },
        path: [{ by: 'assumed', block: LIVE.block }],
      });
    const other = codeOf(() => verifyShardTop(all, under(undefined), account));
    expect(other).not.toBe('trust/wrong-network');
    expect(codeOf(() => verifyShardTop(all, under(12345), account))).toBe('trust/wrong-network');
  });
});

describe('an address', () => {
  it('that is rewritten is the account that it is rewritten to', () => {
    const anycast = { bytes: Uint8Array.of(0x80), bitLength: 1 };
    const other = { ...account, address: Uint8Array.from(account.address, (byte) => byte ^ 1) };
    expect(isAccount({ kind: 'account', account }, account)).toBe(true);
    expect(isAccount({ kind: 'anycast', account, anycast }, account)).toBe(true);
    expect(isAccount({ kind: 'anycast', account: other, anycast }, account)).toBe(false);
    const variable = (bytes: Uint8Array, bitLength = 256, workchain = account.workchain) =>
      isAccount({ kind: 'variable', workchain, bits: { bytes, bitLength } }, account);
    expect(variable(account.address)).toBe(true);
    expect([variable(other.address), variable(account.address, 255), variable(account.address, 256, 7)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(isAccount({ kind: 'none' }, account)).toBe(false);
  });
});

describe('a line of a list', () => {
  it('with parts that nobody knows is refused', () => {
    const answer = Uint8Array.from(liveBytes('list-transactions.tl'));
    // The constructor, the block, how many were asked for, whether there are more, how many there are: then the first mode.
    const at = 4 + 80 + 4 + 4 + 4;
    const mode = new DataView(answer.buffer).getUint32(at, true);
    expect(mode & ~0x107).toBe(0);
    new DataView(answer.buffer).setUint32(at, mode | 0x200, true);
    expect(codeOf(() => parseLiteAnswer(answer))).toBe('decode/tl');
  });
});

describe('a way down that has no steps', () => {
  it('leads to the masterchain block itself, and to no other', () => {
    const under = assumeFinal(LIVE.block);
    const answer = { kind: 'shard-block-proof', masterchainId: LIVE.block, links: [] };
    expect(verifyShardBlock(answer, under)).toBe(under);
    expect(verifyShardBlock(answer, under, LIVE.block)).toBe(under);
    expect(codeOf(() => verifyShardBlock(answer, under, LIVE.keyBlock))).toBe('trust/incomplete');
    expect(codeOf(() => verifyShardBlock({ ...answer, masterchainId: LIVE.keyBlock }, under))).toMatch(/^trust\//);
  });
});

describe('the history of an account that was proven', () => {
  it('goes on from the same transaction, whoever wrote to what an earlier reading gave', () => {
    const fact = verifyAccount(
      parseLiteAnswer(liveBytes('account-config.tl'), 'account-state'),
      assumeFinal(LIVE.block),
      parseAccountId(liveAnswer('history.tl').account!),
    );
    if (!fact.found) throw new Error('expected an account');
    const read = () => verifyHistory([parseLiteAnswer(liveBytes('history.tl'), 'transaction-list')], fact);
    const hashes = read().map(({ hash }) => Uint8Array.from(hash));
    for (const { hash, transaction } of read()) for (const bytes of [hash, transaction.prevTransHash]) bytes.fill(0);
    expect(read().map(({ hash }) => hash)).toEqual(hashes);
  });
});
