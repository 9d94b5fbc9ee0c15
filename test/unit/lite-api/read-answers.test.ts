/** Answers of lite servers: every kind as it is laid out, with optional parts, and what is refused. */
import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_TRANSACTIONS } from '../../../src/core/base/limits.ts';
import { verifyBlockTransactions } from '../../../src/core/facts/block-list.ts';
import { assumeFinal } from '../../../src/core/facts/proven-block.ts';
import { verifyShardBlock } from '../../../src/core/facts/shard-top.ts';
import { LITE_SERVER_BUSY, LITE_SERVER_ERROR, SHARD_BLOCK_PROOF } from '../../../src/core/tl/constructors.ts';
import {
  ACCOUNT_STATE,
  ALL_SHARDS_INFO,
  BLOCK_DATA,
  BLOCK_HEADER,
  BLOCK_STATE,
  BLOCK_TRANSACTIONS,
  BLOCK_TRANSACTIONS_EXT,
  CONFIG_INFO,
  CURRENT_TIME,
  LIBRARY_RESULT_WITH_PROOF,
  MASTERCHAIN_INFO,
  MASTERCHAIN_INFO_EXT,
  SHARD_INFO,
  TRANSACTION_INFO,
  TRANSACTION_LIST,
  VERSION,
} from '../../../src/net/lite-api/constructors.ts';
import { type LiteAnswer, parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { readLiteServerError } from '../../../src/net/lite-api/server-error.ts';
import { LIVE, liveBytes } from '../../helpers/inclusion.ts';
import { blockIdBytes, tlBytes, u32, u64 } from '../../helpers/tl-answers.ts';

const refused = (run: () => unknown, code: string, more: object = {}) =>
  expect(run).toThrow(expect.objectContaining({ code, ...more }));

const id = LIVE.block;
const ID = blockIdBytes(id);
const TRUE = Buffer.from('b5757299', 'hex');
const FALSE = Buffer.from('379779bc', 'hex');
/** A bag of some bytes, and what is read from it. */
const bag = (value: number) => ({ bytes: tlBytes(Uint8Array.of(value)), read: Uint8Array.of(value) });
const [one, two, three] = [bag(1), bag(2), bag(3)];
const hash = (value: number) => new Uint8Array(32).fill(value);
const ZEROSTATE = [u32(-1), hash(8), hash(9)];
const zerostate = { rootHash: hash(8), fileHash: hash(9) };

/** An answer of each kind by the schema, and what is read from it. */
const ANSWERS: readonly (readonly [kind: LiteAnswer['kind'], parts: readonly Uint8Array[], read: object])[] = [
  [
    'masterchain-info',
    [u32(MASTERCHAIN_INFO), ID, hash(7), ...ZEROSTATE],
    { last: id, stateRootHash: hash(7), zerostate },
  ],
  [
    'masterchain-info-ext',
    [u32(MASTERCHAIN_INFO_EXT), u32(0), u32(0x101), u64(7n), ID, u32(50), u32(60), hash(7), ...ZEROSTATE],
    { version: 0x101, capabilities: 7n, last: id, lastUtime: 50, now: 60, stateRootHash: hash(7), zerostate },
  ],
  ['time', [u32(CURRENT_TIME), u32(0xfffffff0)], { now: 0xfffffff0 }],
  [
    'version',
    [u32(VERSION), u32(0), u32(0x101), u64((1n << 64n) - 1n), u32(60)],
    { version: 0x101, capabilities: (1n << 64n) - 1n, now: 60 },
  ],
  ['block', [u32(BLOCK_DATA), ID, one.bytes], { id, data: one.read }],
  [
    'state',
    [u32(BLOCK_STATE), ID, hash(1), hash(2), one.bytes],
    { id, rootHash: hash(1), fileHash: hash(2), data: one.read },
  ],
  [
    'account-state',
    [u32(ACCOUNT_STATE), ID, blockIdBytes(LIVE.keyBlock), one.bytes, two.bytes, three.bytes],
    { id, shardBlock: LIVE.keyBlock, shardProof: one.read, proof: two.read, state: three.read },
  ],
  ['transaction', [u32(TRANSACTION_INFO), ID, one.bytes, two.bytes], { id, proof: one.read, transaction: two.read }],
  ['transaction-list', [u32(TRANSACTION_LIST), u32(1), ID, one.bytes], { ids: [id], transactions: one.read }],
  [
    'block-transactions',
    [u32(BLOCK_TRANSACTIONS), ID, u32(9), TRUE, u32(1), u32(2), u64(5n), one.bytes],
    { id, requested: 9, incomplete: true, ids: [{ lt: 5n }], proof: one.read },
  ],
  [
    'block-transactions',
    [u32(BLOCK_TRANSACTIONS_EXT), ID, u32(9), FALSE, one.bytes, two.bytes],
    { id, requested: 9, incomplete: false, transactions: one.read, proof: two.read },
  ],
  [
    'config',
    [u32(CONFIG_INFO), u32(0x8000), ID, one.bytes, two.bytes],
    { mode: 0x8000, id, stateProof: one.read, configProof: two.read },
  ],
  [
    'library',
    [u32(LIBRARY_RESULT_WITH_PROOF), ID, u32(3), u32(1), hash(4), one.bytes, two.bytes, three.bytes],
    { id, mode: 3, libraries: [{ hash: hash(4), data: one.read }], stateProof: two.read, dataProof: three.read },
  ],
  [
    'shard-block-proof',
    [u32(SHARD_BLOCK_PROOF), ID, u32(1), blockIdBytes(LIVE.keyBlock), one.bytes],
    { masterchainId: id, links: [{ id: LIVE.keyBlock, proof: one.read }] },
  ],
  [
    'shard-info',
    [u32(SHARD_INFO), ID, blockIdBytes(LIVE.keyBlock), one.bytes, two.bytes],
    { id, shardBlock: LIVE.keyBlock, shardProof: one.read },
  ],
  ['all-shards', [u32(ALL_SHARDS_INFO), ID, one.bytes, two.bytes], { id, proof: one.read, data: two.read }],
  ['block-header', [u32(BLOCK_HEADER), ID, u32(1), one.bytes], { id, mode: 1, headerProof: one.read }],
];

describe('an answer', () => {
  it.each(ANSWERS)('of the kind %s is read member by member, whole and with nothing behind it', (kind, parts, read) => {
    const bytes = Buffer.concat(parts);
    const answer = parseLiteAnswer(bytes);
    expect(answer).toEqual({ kind, ...read });
    expect(Object.isFrozen(answer)).toBe(true);
    expect(parseLiteAnswer(bytes, kind)).toEqual(answer);
    refused(() => parseLiteAnswer(Buffer.concat([...parts, u32(0)]), undefined, 'here'), 'decode/tl', {
      path: 'here',
      message: expect.stringMatching(/expected the end, got 4 trailing bytes/),
    });
    for (let length = 0; length < bytes.length; length++) {
      refused(() => parseLiteAnswer(bytes.subarray(0, length), undefined, 'here'), 'decode/tl', { path: 'here' });
    }
  });

  it.each(ANSWERS)('of the kind %s is taken for no other kind', (kind, parts) => {
    const bytes = Buffer.concat(parts);
    for (const [other] of ANSWERS) {
      if (other === kind) continue;
      refused(() => parseLiteAnswer(bytes, other, 'here'), 'decode/tl', {
        path: 'here',
        message: expect.stringContaining(`expected an answer of the kind ${other}, got ${kind}`),
      });
    }
  });

  it('of another kind is refused by its constructor: its members are not read', () => {
    const bytes = Buffer.concat([u32(TRANSACTION_LIST), u32(0xffffffff)]);
    refused(() => parseLiteAnswer(bytes, 'block'), 'decode/tl', {
      message: expect.stringMatching(/got transaction-list/),
    });
  });

  it('names a zerostate of the masterchain, and its extended head a mode that is known', () => {
    const info = [u32(MASTERCHAIN_INFO), ID, hash(7), u32(0), hash(8), hash(9)];
    refused(() => parseLiteAnswer(Buffer.concat(info)), 'decode/tl', {
      message: expect.stringMatching(/zerostate of the masterchain, got one of workchain 0/),
    });
    const head = (mode: number) => Buffer.concat([u32(MASTERCHAIN_INFO_EXT), u32(mode), ...ANSWERS[1]![1].slice(2)]);
    expect(parseLiteAnswer(head(1))).toEqual(parseLiteAnswer(head(0)));
    refused(() => parseLiteAnswer(head(2)), 'decode/tl', { message: expect.stringMatching(/mode 0 or 1, got 2/) });
  });
});

describe('a list', () => {
  const transactions = (count: number) =>
    Buffer.concat([u32(TRANSACTION_LIST), u32(count), ...Array.from({ length: count }, () => ID), one.bytes]);
  const links = (count: number) =>
    Buffer.concat([
      u32(SHARD_BLOCK_PROOF),
      ID,
      u32(count),
      ...Array.from({ length: count }, () => [ID, one.bytes]).flat(),
    ]);

  // Source: ton validator/impl/liteserver.cpp, perform_getTransactions answers 16 at most.
  it('of transactions of an account has 16 at most', () => {
    expect(parseLiteAnswer(transactions(16), 'transaction-list').ids).toHaveLength(16);
    refused(() => parseLiteAnswer(transactions(17)), 'decode/tl', {
      message: expect.stringMatching(/expected at most 16 blocks, got 17/),
    });
  });

  // Source: ton validator/impl/liteserver.cpp, continue_getShardBlockProof answers 8 at most.
  it('of links to a shard block has 8 at most, also where it is judged at once', () => {
    expect(parseLiteAnswer(links(8), 'shard-block-proof').links).toHaveLength(8);
    const wanted = { message: expect.stringMatching(/expected at most 8 links, got 9/) };
    refused(() => parseLiteAnswer(links(9)), 'decode/tl', wanted);
    refused(() => verifyShardBlock(links(9), assumeFinal(id)), 'decode/tl', wanted);
  });
});

describe('an error of a server', () => {
  const error = (box: number, text: string) => Buffer.concat([u32(box), u32(-400), tlBytes(Buffer.from(text))]);
  const words = 'x'.repeat(5000);

  it.each([
    [LITE_SERVER_ERROR, -400],
    [LITE_SERVER_BUSY, 429],
  ])('%i is the same to all who read answers, with its words cut', (box, code) => {
    const said = readLiteServerError(error(box, words))!;
    expect(said).toMatchObject({ code, text: expect.stringMatching(/^x+/) });
    expect(said.text.length).toBeLessThanOrEqual(501);
    const wanted = { path: 'answer', message: expect.stringContaining(`${said.text} (code ${code})`) };
    refused(() => parseLiteAnswer(error(box, words)), 'decode/api-error', wanted);
    refused(() => parseLiteAnswer(error(box, words), 'block'), 'decode/api-error', wanted);
    refused(() => verifyShardBlock(error(box, words), assumeFinal(id)), 'decode/api-error', wanted);
  });

  it('has nothing behind it', () => {
    const bytes = Buffer.concat([error(LITE_SERVER_ERROR, 'no'), u32(0)]);
    for (const read of [readLiteServerError, parseLiteAnswer]) refused(() => read(bytes), 'decode/tl');
  });
});

describe('a line of a list', () => {
  const recorded = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');
  const { entries } = verifyBlockTransactions(recorded, assumeFinal(LIVE.block));
  const bytes = (modes: readonly number[]) =>
    Buffer.concat([
      u32(BLOCK_TRANSACTIONS),
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
    const read = parseLiteAnswer(bytes(entries.map(() => mode)), 'block-transactions');
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
      u32(BLOCK_TRANSACTIONS),
      blockIdBytes(LIVE.block),
      u32(0),
      Buffer.from('379779bc', 'hex'),
      u32(count),
      Buffer.alloc(4 * count), // lines that say nothing
      tlBytes(Uint8Array.of(3)),
    ]);
  expect(parseLiteAnswer(list(most), 'block-transactions').ids).toHaveLength(most);
  refused(() => parseLiteAnswer(list(most + 1)), 'decode/tl', {
    message: expect.stringMatching(/at most 65536 transactions, got 65537/),
  });
});

it('an answer with libraries has each with its hash', () => {
  const libraries = [1, 2].map((value) => ({
    hash: new Uint8Array(32).fill(value),
    data: new Uint8Array(8).fill(value),
  }));
  const answer = Buffer.concat([
    u32(LIBRARY_RESULT_WITH_PROOF),
    blockIdBytes(LIVE.block),
    u32(0),
    u32(libraries.length),
    ...libraries.flatMap(({ hash, data }) => [hash, tlBytes(data)]),
    tlBytes(Uint8Array.of(3)),
    tlBytes(Uint8Array.of(4)),
  ]);
  expect(parseLiteAnswer(Uint8Array.from(answer))).toMatchObject({
    kind: 'library',
    libraries,
    stateProof: Uint8Array.of(3),
    dataProof: Uint8Array.of(4),
  });
});
