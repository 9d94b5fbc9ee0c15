/** Answers of lite servers with optional parts, put together by hand as the schema has them, and the words of refusals. */
import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_TRANSACTIONS } from '../../../src/base/limits.ts';
import { formatAccountId, parseAccountId } from '../../../src/inclusion/account-id.ts';
import { readAnswer, readAnswerOf } from '../../../src/inclusion/answers.ts';
import { verifyBlockTransactions } from '../../../src/inclusion/block-list.ts';
import { verifyHistory } from '../../../src/inclusion/history.ts';
import { assumeFinal } from '../../../src/inclusion/proven-block.ts';
import { openStateProof } from '../../../src/inclusion/proven-state.ts';
import { olderBlock, shardBlock } from '../../../src/inclusion/shard-top.ts';
import { verifyTransaction } from '../../../src/inclusion/transaction.ts';
import { LITE_BLOCK_TRANSACTIONS, LITE_LIBRARY_RESULT_WITH_PROOF } from '../../../src/tl/constructors.ts';
import { beginCell, bocOf } from '../../helpers/cells.ts';
import { bagOf } from '../../helpers/cut-proofs.ts';
import { accountOf, caseNamed, LIVE, liveBytes } from '../../helpers/inclusion.ts';
import { tlBytes } from '../../helpers/lite-stand-in.ts';
import { blockIdBytes } from '../../helpers/make-block.ts';
import { tlProof } from '../../helpers/make-chain.ts';

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const refused = (run: () => unknown, code: string, more: object) =>
  expect(run).toThrow(expect.objectContaining({ code, ...more }));

describe('a line of a list', () => {
  const recorded = readAnswerOf('block-transactions', liveBytes('list-transactions.tl'));
  const { entries } = verifyBlockTransactions(recorded, assumeFinal(LIVE.block));
  const bytes = (modes: readonly number[]) =>
    Buffer.concat([
      u32(LITE_BLOCK_TRANSACTIONS),
      blockIdBytes(LIVE.block),
      u32(recorded.requested),
      Buffer.from('379779bc', 'hex'), // boolFalse
      u32(modes.length),
      ...modes.flatMap((mode, at) => {
        const { account, lt, hash } = entries[at]!;
        return [
          u32(mode),
          ...((mode & 1) === 0 ? [] : [account.address]),
          ...((mode & 2) === 0 ? [] : [u64(lt)]),
          ...((mode & 4) === 0 ? [] : [hash]),
          ...((mode & 0x100) === 0 ? [] : [Buffer.alloc(4 + 4 + 36 + 8, 7)]),
        ];
      }),
      tlBytes(recorded.proof),
    ]);

  it.each([
    [0, []],
    [1, ['account']],
    [2, ['lt']],
    [4, ['hash']],
    [7, ['account', 'lt', 'hash']],
    [0x100, []],
    [0x107, ['account', 'lt', 'hash']],
  ])('of mode %i has the parts that it says', (mode, names) => {
    const read = readAnswerOf('block-transactions', bytes(entries.map(() => mode)));
    const all = entries.map(({ account, lt, hash }) => ({ account: account.address, lt, hash }));
    const wanted = all.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => names.includes(name))));
    expect(read.ids).toEqual(wanted);
    expect(verifyBlockTransactions(read, assumeFinal(LIVE.block))).toMatchObject({ complete: true });
  });
});

it('a list has as many lines as a block may have transactions, and no more', () => {
  const most = MAX_BLOCK_TRANSACTIONS;
  const list = (count: number) =>
    Buffer.concat([
      u32(LITE_BLOCK_TRANSACTIONS),
      blockIdBytes(LIVE.block),
      u32(0),
      Buffer.from('379779bc', 'hex'),
      u32(count),
      Buffer.alloc(4 * count), // lines that say nothing
      tlBytes(Uint8Array.of(3)),
    ]);
  expect(readAnswerOf('block-transactions', list(most)).ids).toHaveLength(most);
  refused(() => readAnswer(list(most + 1)), 'decode/tl', {
    message: expect.stringMatching(/at most 65536 transactions, got 65537/),
  });
});

it('an answer with libraries has each with its hash', () => {
  const libraries = [1, 2].map((value) => ({
    hash: new Uint8Array(32).fill(value),
    data: new Uint8Array(8).fill(value),
  }));
  const answer = Buffer.concat([
    u32(LITE_LIBRARY_RESULT_WITH_PROOF),
    blockIdBytes(LIVE.block),
    u32(0),
    u32(libraries.length),
    ...libraries.flatMap(({ hash, data }) => [hash, tlBytes(data)]),
    tlBytes(Uint8Array.of(3)),
    tlBytes(Uint8Array.of(4)),
  ]);
  expect(readAnswer(Uint8Array.from(answer))).toMatchObject({
    kind: 'library',
    libraries,
    stateProof: Uint8Array.of(3),
    dataProof: Uint8Array.of(4),
  });
});

describe('a refusal names the place', () => {
  it('of an answer that is of another kind', () => {
    refused(() => readAnswerOf('transaction', liveBytes('list-transactions.tl'), 'here'), 'decode/tl', {
      path: 'here',
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
    refused(() => olderBlock(tlProof(LIVE.block, LIVE.block, [], true), under), 'decode/tl', { path: 'proof.links' });
    refused(
      () => olderBlock(liveBytes('proof-key-block-to-block.tl'), assumeFinal(LIVE.keyBlock)),
      'usage/bad-option',
      {
        path: 'proof.links[0]',
        hint: expect.stringMatching(/walkBlockProof/),
      },
    );
  });

  it('of an answer that is nothing at all, and of a list of too many transactions', () => {
    for (const nothing of [undefined, null]) {
      refused(() => shardBlock(nothing, assumeFinal(LIVE.block)), 'decode/shape', { name: 'DecodeError' });
    }
    const many = Array.from({ length: 17 }, (_, n) => beginCell().storeUint(n, 8).endCell());
    const from = { account: { workchain: -1, address: new Uint8Array(32) }, lt: 5n, hash: new Uint8Array(32) };
    refused(() => verifyHistory([{ transactions: bagOf(...many) }], from), 'decode/too-large', {
      path: 'answers[0].transactions',
    });
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
