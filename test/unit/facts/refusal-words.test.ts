/** The words of refusals. */
import { describe, expect, it } from 'vitest';
import { formatAccountId, parseAccountId } from '../../../src/core/facts/account-id.ts';
import { verifyBlockTransactions } from '../../../src/core/facts/block-list.ts';
import { verifyHistory } from '../../../src/core/facts/history.ts';
import { assumeFinal } from '../../../src/core/facts/proven-block.ts';
import { openStateProof } from '../../../src/core/facts/proven-state.ts';
import { verifyOlderBlock, verifyShardBlock } from '../../../src/core/facts/shard-top.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { beginCell, bocOf } from '../../helpers/cells.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import { accountOf, caseNamed, LIVE, liveBytes } from '../../helpers/inclusion.ts';
import { tlProof } from '../../helpers/make-chain.ts';

const refused = (run: () => unknown, code: string, more: object) =>
  expect(run).toThrow(expect.objectContaining({ code, ...more }));

describe('a refusal names the place', () => {
  it('of an answer that is of another kind', () => {
    refused(() => parseLiteAnswer(liveBytes('list-transactions.tl'), 'transaction', 'here'), 'decode/tl', {
      path: 'here',
      message: expect.stringMatching(/expected an answer of the kind transaction, got block-transactions$/),
    });
    refused(() => parseLiteAnswer(liveBytes('list-transactions.tl'), 7 as never, 'here'), 'decode/tl', {
      message: expect.stringMatching(/of the kind the number 7, got block-transactions$/),
    });
  });

  it('of an account that is none', () => {
    for (const text of ['', '0:00', `${2 ** 31}:${'0'.repeat(64)}`]) {
      refused(() => parseAccountId(text), 'decode/shape', { path: 'account' });
    }
    refused(
      () => formatAccountId({ workchain: 200, address: new Uint8Array(32) }, { form: 'user-friendly' }),
      'usage/bad-option',
      {
        path: 'account',
        hint: undefined,
      },
    );
  });

  it('of a proof with other roots, without links, or with one that leads forward', () => {
    refused(() => openStateProof(bocOf(beginCell().endCell()), 'proof'), 'decode/boc', {
      path: 'proof',
      message: expect.stringMatching(/two roots, a block and its state, got 1/),
    });
    const under = assumeFinal(LIVE.block);
    refused(() => verifyOlderBlock(tlProof(LIVE.block, LIVE.block, [], true), under), 'decode/tl', {
      path: 'proof.links',
    });
    refused(
      () => verifyOlderBlock(liveBytes('proof-key-block-to-block.tl'), assumeFinal(LIVE.keyBlock)),
      'usage/bad-option',
      {
        path: 'proof.links[0]',
        hint: expect.stringMatching(/verifyBlockProof/),
      },
    );
  });

  it('of an answer that is nothing at all, and of a list of too many transactions', () => {
    for (const nothing of [undefined, null]) {
      refused(() => verifyShardBlock(nothing, assumeFinal(LIVE.block)), 'decode/shape', { name: 'DecodeError' });
    }
    const many = Array.from({ length: 17 }, (_, n) => beginCell().storeUint(n, 8).endCell());
    const from = { account: { workchain: -1, address: new Uint8Array(32) }, lt: 5n, hash: new Uint8Array(32) };
    refused(() => verifyHistory([{ transactions: bagOf(...many) }], from), 'decode/too-large', {
      path: 'answers[0].transactions',
    });
  });

  it('of a line of a list whose members are no bytes', () => {
    const answer = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');
    for (const [name, odd] of [
      ['account', null],
      ['hash', 'text'],
    ] as const) {
      const ids = [{ ...answer.ids![0]!, [name]: odd }] as never;
      const call = () => verifyBlockTransactions({ ...answer, ids }, assumeFinal(LIVE.block));
      refused(call, 'trust/block-list', { path: 'answer.ids' });
    }
  });

  it('of an account that the block cannot hold, in few characters', () => {
    const entry = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
    const { workchain, address } = accountOf(entry.request!.account!);
    expect(workchain).toBe(0);
    const short = Buffer.from(address).toString('hex').slice(0, 12);
    refused(
      () =>
        verifyTransaction({ proof: liveBytes('zerostate.boc') }, assumeFinal(LIVE.block), {
          account: { workchain, address },
          lt: 5n,
        }),
      'trust/wrong-shard',
      { message: expect.stringMatching(new RegExp(`cannot hold 0:${short}…$`)) },
    );
  });
});
