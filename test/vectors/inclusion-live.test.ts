/** Everything a lite server said about one Simplex-signed block, proven from the zerostate down. */
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import { verifyBlockProof } from '../../src/core/chain/walk.ts';
import { parseAccountId } from '../../src/core/facts/account-id.ts';
import { accountDataOf, verifyAccount } from '../../src/core/facts/account-state.ts';
import { verifyBlockTransactions } from '../../src/core/facts/block-list.ts';
import { verifyConfig } from '../../src/core/facts/config-param.ts';
import { blockOfCheckpoint, blockOfWalk } from '../../src/core/facts/final-block.ts';
import { verifyHistory } from '../../src/core/facts/history.ts';
import { messagesOf } from '../../src/core/facts/messages.ts';
import { verifyShardBlock, verifyShardTop } from '../../src/core/facts/shard-top.ts';
import { verifyTransaction } from '../../src/core/facts/transaction.ts';
import { parseLiteAnswer } from '../../src/net/lite-api/read-answers.ts';
import { blockOf, LIVE, liveAnswer, liveBytes, liveTransactions } from '../helpers/inclusion.ts';
import { readVectorBytes } from '../helpers/vectors.ts';

const zerostate = checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const walk = verifyBlockProof(liveBytes('proof-zerostate-to-block.tl'), zerostate, { expect: LIVE.block });
const block = blockOfWalk(walk);

describe('a block that was walked to from the zerostate', () => {
  it('is final under Simplex signatures, and says how it is known', () => {
    expect(block.id).toEqual(LIVE.block);
    expect(block.provenance).toMatchObject({ kind: 'final', signatures: 'simplex', exceptions: [] });
    expect(block.path.map(({ by }) => by)).toEqual(['signatures']);
    expect(blockOfCheckpoint(walk.checkpoint).id).toEqual(LIVE.keyBlock);
  });

  it.each(liveTransactions)(
    'holds the transaction of $file, whole and with its messages',
    ({ file, account, lt, hash }) => {
      const answer = parseLiteAnswer(liveBytes(file), 'transaction');
      const request = {
        account: parseAccountId(account!),
        lt: BigInt(lt!),
        hash: Uint8Array.from(Buffer.from(hash!, 'hex')),
      };
      const fact = verifyTransaction(answer, block, request);
      if (!fact.found) throw new Error('expected a transaction');
      expect(encodeHex(fact.hash)).toBe(hash);
      expect(fact.masterchain).toEqual(LIVE.block);
      messagesOf(fact);
      // The same from the whole block.
      const whole = verifyTransaction({ proof: blockOf(liveBytes('block.tl')) }, block, request);
      expect(whole).toEqual(fact);
    },
  );

  it('holds none where the server refused to say more', () => {
    const { account, lt } = liveAnswer('transaction-absent.tl');
    expect(() => parseLiteAnswer(liveBytes('transaction-absent.tl'))).toThrow(
      expect.objectContaining({ code: 'decode/api-error' }),
    );
    const proof = blockOf(liveBytes('block.tl'));
    expect(verifyTransaction({ proof }, block, { account: parseAccountId(account!), lt: BigInt(lt!) })).toMatchObject({
      found: false,
      reason: 'account-not-in-block',
    });
  });

  it('holds the transactions of the list, and no others', () => {
    const answer = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');
    const list = verifyBlockTransactions(answer, block);
    const whole = verifyBlockTransactions({ proof: blockOf(liveBytes('block.tl')) }, block);
    expect(list.complete).toBe(true);
    expect(list.entries.map(({ hash }) => encodeHex(hash))).toEqual(whole.entries.map(({ hash }) => encodeHex(hash)));
    expect(list.entries.map(({ hash }) => encodeHex(hash))).toEqual(liveTransactions.map(({ hash }) => hash));
  });

  it('holds the account of the configuration, and its whole history', () => {
    const { account } = liveAnswer('account-config.tl');
    const id = parseAccountId(account!);
    const fact = verifyAccount(parseLiteAnswer(liveBytes('account-config.tl'), 'account-state'), block, id);
    if (!fact.found) throw new Error('expected an account');
    const last = liveAnswer('transaction-5.tl');
    expect([String(fact.lastTransLt), encodeHex(fact.lastTransHash)]).toEqual([last.lt, last.hash]);
    expect(accountDataOf(fact).status).toBe('active');
    const list = parseLiteAnswer(liveBytes('history.tl'), 'transaction-list');
    const history = verifyHistory([list], fact);
    expect(history.map(({ lt }) => lt)[0]).toBe(fact.lastTransLt);
    expect(history[0]!.provenance).toEqual(fact.provenance);
    const given = verifyHistory([list], { account: id, lt: fact.lastTransLt, hash: fact.lastTransHash });
    expect(given.map(({ hash }) => hash)).toEqual(history.map(({ hash }) => hash));
    expect(given[0]!.provenance).toEqual({ kind: 'given' });
    for (const entry of history) messagesOf(entry);
  });

  it.each(['account-absent.tl', 'account-absent-basechain.tl'])('holds no account where %s says so', (file) => {
    const id = parseAccountId(liveAnswer(file).account!);
    const fact = verifyAccount(parseLiteAnswer(liveBytes(file), 'account-state'), block, id);
    expect(fact).toMatchObject({ found: false, reason: 'no-entry' });
  });

  it('shows parameters of the configuration, and that 999 is none, in both forms', () => {
    const fromState = parseLiteAnswer(liveBytes('config-from-state.tl'), 'config');
    for (const param of [28, 30, 34]) {
      expect(verifyConfig(fromState, block, param)).toMatchObject({ found: true, param });
    }
    expect(verifyConfig(fromState, block, 999)).toMatchObject({ found: false, reason: 'not-in-config' });
    const fromKeyBlock = parseLiteAnswer(liveBytes('config-from-key-block.tl'), 'config');
    const keyBlock = blockOfCheckpoint(walk.checkpoint);
    for (const param of [28, 34]) {
      const [a, b] = [verifyConfig(fromKeyBlock, keyBlock, param), verifyConfig(fromState, block, param)];
      expect(a.found && b.found && encodeHex(a.hash) === encodeHex(b.hash)).toBe(true);
    }
    expect(() => verifyConfig(fromKeyBlock, block, 34)).toThrow(
      expect.objectContaining({ code: 'trust/not-connected' }),
    );
  });

  it('leads down to the block of a shard, by its list and by its state', () => {
    // The server's proof starts at the key block, which is the newest masterchain block that the shard block needs.
    const keyBlock = blockOfCheckpoint(walk.checkpoint);
    const proof = parseLiteAnswer(liveBytes('shard-block-proof.tl'), 'shard-block-proof');
    const listed = verifyShardBlock(liveBytes('shard-block-proof.tl'), keyBlock);
    expect(verifyShardBlock(proof, keyBlock)).toEqual(listed);
    expect(listed.path.map(({ by }) => by)).toEqual(['checkpoint', 'listed']);
    expect(() => verifyShardBlock(proof, block)).toThrow(expect.objectContaining({ code: 'trust/not-connected' }));
    const account = parseAccountId(liveAnswer('account-absent-basechain.tl').account!);
    const state = parseLiteAnswer(liveBytes('account-absent-basechain.tl'), 'account-state');
    const top = verifyShardTop(parseLiteAnswer(liveBytes('all-shards.tl'), 'all-shards'), block, account);
    expect(top.id).toEqual(state.shardBlock);
    expect(top.id).toEqual(verifyShardTop(state, block, account).id);
  });

  it('is described by the header that the server sends', () => {
    expect(parseLiteAnswer(liveBytes('header.tl'), 'block-header').id).toEqual(LIVE.block);
  });

  it('is nothing to a server that does not know it', () => {
    expect(() => parseLiteAnswer(liveBytes('error-unknown-block.tl'))).toThrow(
      expect.objectContaining({ code: 'decode/api-error' }),
    );
  });
});
