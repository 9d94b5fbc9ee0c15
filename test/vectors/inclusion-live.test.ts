/** Everything a lite server said about one Simplex-signed block, proven from the zerostate down. */
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { checkpointFromZerostate } from '../../src/core/chain/checkpoint.ts';
import { walkBlockProof } from '../../src/core/chain/walk.ts';
import { parseAccountId } from '../../src/core/facts/account-id.ts';
import { readAccount, verifyAccountState } from '../../src/core/facts/account-state.ts';
import { verifyBlockTransactions } from '../../src/core/facts/block-list.ts';
import { verifyConfigParam } from '../../src/core/facts/config-param.ts';
import { checkpointBlock, provenTip } from '../../src/core/facts/final-block.ts';
import { verifyHistory } from '../../src/core/facts/history.ts';
import { messagesOf } from '../../src/core/facts/messages.ts';
import { shardBlock, shardTop } from '../../src/core/facts/shard-top.ts';
import { verifyTransaction } from '../../src/core/facts/transaction.ts';
import { readAnswer, readAnswerOf } from '../../src/net/lite-api/read-answers.ts';
import { blockOf, LIVE, liveAnswer, liveBytes, liveTransactions } from '../helpers/inclusion.ts';
import { readVectorBytes } from '../helpers/vectors.ts';

const zerostate = checkpointFromZerostate(readVectorBytes('live/answers/zerostate.boc'), LIVE.zerostate);
const walk = walkBlockProof(zerostate, liveBytes('proof-zerostate-to-block.tl'), { to: LIVE.block });
const block = provenTip(walk);

describe('a block that was walked to from the zerostate', () => {
  it('is final under Simplex signatures, and says how it is known', () => {
    expect(block.id).toEqual(LIVE.block);
    expect(block.provenance).toMatchObject({ kind: 'final', signatures: 'simplex', exceptions: [] });
    expect(block.path.map(({ by }) => by)).toEqual(['signatures']);
    expect(checkpointBlock(walk.checkpoint).id).toEqual(LIVE.keyBlock);
  });

  it.each(liveTransactions)(
    'holds the transaction of $file, whole and with its messages',
    ({ file, account, lt, hash }) => {
      const answer = readAnswerOf('transaction', liveBytes(file));
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
    expect(() => readAnswer(liveBytes('transaction-absent.tl'))).toThrow(
      expect.objectContaining({ code: 'decode/api-error' }),
    );
    const proof = blockOf(liveBytes('block.tl'));
    expect(verifyTransaction({ proof }, block, { account: parseAccountId(account!), lt: BigInt(lt!) })).toMatchObject({
      found: false,
      reason: 'account-not-in-block',
    });
  });

  it('holds the transactions of the list, and no others', () => {
    const answer = readAnswerOf('block-transactions', liveBytes('list-transactions.tl'));
    const list = verifyBlockTransactions(answer, block);
    const whole = verifyBlockTransactions({ proof: blockOf(liveBytes('block.tl')) }, block);
    expect(list.complete).toBe(true);
    expect(list.entries.map(({ hash }) => encodeHex(hash))).toEqual(whole.entries.map(({ hash }) => encodeHex(hash)));
    expect(list.entries.map(({ hash }) => encodeHex(hash))).toEqual(liveTransactions.map(({ hash }) => hash));
  });

  it('holds the account of the configuration, and its whole history', () => {
    const { account } = liveAnswer('account-config.tl');
    const id = parseAccountId(account!);
    const fact = verifyAccountState(readAnswerOf('account-state', liveBytes('account-config.tl')), block, id);
    if (!fact.exists) throw new Error('expected an account');
    const last = liveAnswer('transaction-5.tl');
    expect([String(fact.lastTransLt), encodeHex(fact.lastTransHash)]).toEqual([last.lt, last.hash]);
    expect(readAccount(fact).status).toBe('active');
    const list = readAnswerOf('transaction-list', liveBytes('history.tl'));
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
    const fact = verifyAccountState(readAnswerOf('account-state', liveBytes(file)), block, id);
    expect(fact).toMatchObject({ exists: false, reason: 'no-entry' });
  });

  it('shows parameters of the configuration, and that 999 is none, in both forms', () => {
    const fromState = readAnswerOf('config', liveBytes('config-from-state.tl'));
    for (const param of [28, 30, 34]) {
      expect(verifyConfigParam(fromState, block, param)).toMatchObject({ found: true, param });
    }
    expect(verifyConfigParam(fromState, block, 999)).toMatchObject({ found: false, reason: 'not-in-config' });
    const fromKeyBlock = readAnswerOf('config', liveBytes('config-from-key-block.tl'));
    const keyBlock = checkpointBlock(walk.checkpoint);
    for (const param of [28, 34]) {
      const [a, b] = [verifyConfigParam(fromKeyBlock, keyBlock, param), verifyConfigParam(fromState, block, param)];
      expect(a.found && b.found && encodeHex(a.hash) === encodeHex(b.hash)).toBe(true);
    }
    expect(() => verifyConfigParam(fromKeyBlock, block, 34)).toThrow(
      expect.objectContaining({ code: 'trust/not-connected' }),
    );
  });

  it('leads down to the block of a shard, by its list and by its state', () => {
    // The server's proof starts at the key block, which is the newest masterchain block that the shard block needs.
    const keyBlock = checkpointBlock(walk.checkpoint);
    const proof = readAnswerOf('shard-block-proof', liveBytes('shard-block-proof.tl'));
    const listed = shardBlock(liveBytes('shard-block-proof.tl'), keyBlock);
    expect(shardBlock(proof, keyBlock)).toEqual(listed);
    expect(listed.path.map(({ by }) => by)).toEqual(['checkpoint', 'listed']);
    expect(() => shardBlock(proof, block)).toThrow(expect.objectContaining({ code: 'trust/not-connected' }));
    const account = parseAccountId(liveAnswer('account-absent-basechain.tl').account!);
    const state = readAnswerOf('account-state', liveBytes('account-absent-basechain.tl'));
    const top = shardTop(readAnswerOf('all-shards', liveBytes('all-shards.tl')), block, account);
    expect(top.id).toEqual(state.shardBlock);
    expect(top.id).toEqual(shardTop(state, block, account).id);
  });

  it('is described by the header that the server sends', () => {
    expect(readAnswerOf('block-header', liveBytes('header.tl')).id).toEqual(LIVE.block);
  });

  it('is nothing to a server that does not know it', () => {
    expect(() => readAnswer(liveBytes('error-unknown-block.tl'))).toThrow(
      expect.objectContaining({ code: 'decode/api-error' }),
    );
  });
});
