/** What an answer gives beside its proofs, and what a caller asks: each thing that is off by one is told. */
import { describe, expect, it } from 'vitest';
import { MAX_HISTORY_TRANSACTIONS } from '../../../src/core/base/limits.ts';
import { checkpointFromZerostate } from '../../../src/core/chain/checkpoint.ts';
import { formatAccountId, parseAccountId, requireAccount } from '../../../src/core/facts/account-id.ts';
import { accountDataOf, verifyAccount } from '../../../src/core/facts/account-state.ts';
import { verifyBlockTransactions } from '../../../src/core/facts/block-list.ts';
import { verifyConfig } from '../../../src/core/facts/config-param.ts';
import { blockOfCheckpoint } from '../../../src/core/facts/final-block.ts';
import { verifyHistory } from '../../../src/core/facts/history.ts';
import { verifyLibrary } from '../../../src/core/facts/library.ts';
import { messagesOf } from '../../../src/core/facts/messages.ts';
import { assumeFinal } from '../../../src/core/facts/proven-block.ts';
import { verifyOlderBlock, verifyShardBlock, verifyShardTop } from '../../../src/core/facts/shard-top.ts';
import { verifyTransaction } from '../../../src/core/facts/transaction.ts';
import { parseLiteAnswer } from '../../../src/net/lite-api/read-answers.ts';
import { beginCell, bocOf, merkleProof, prune } from '../../helpers/cells.ts';
import { bagOf, cellAt, coreCell, coreRoots, replaceAt, writeBits } from '../../helpers/cut-proofs.ts';
import { accountsWith } from '../../helpers/dictionaries.ts';
import {
  accountOf,
  blockId,
  blockOf,
  bytesOf,
  caseNamed,
  casesOf,
  LIVE,
  liveAnswer,
  liveBytes,
} from '../../helpers/inclusion.ts';
import { a, backLink, key100, listed, newerBlock } from '../../helpers/make-back-link.ts';
import {
  committee,
  configCell,
  honestLink,
  makeBlock,
  makeState,
  makeZerostate,
  tlBack,
  tlForward,
  tlProof,
  wholeProof,
} from '../../helpers/make-chain.ts';

const refused = (run: () => unknown, code: string, message = /./) =>
  expect(run).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));

const JETTON = caseNamed('transaction/mainnet-2026-05-jetton-notification-1');
const block = assumeFinal(blockId(JETTON.trusted));
const request = { account: accountOf(JETTON.request!.account!), lt: BigInt(JETTON.request!.lt!) };
const proof = bytesOf(JETTON, 'proof');
const live = assumeFinal(LIVE.block);

describe('a transaction that is given', () => {
  const transaction = coreCell(bytesOf(JETTON, 'transaction'));

  it('is no other of the same account and time', () => {
    const now = 4 + 256 + 64 + 256 + 64;
    const other = writeBits(transaction, now, transaction.bits.at(now) ? '0' : '1');
    refused(
      () => verifyTransaction({ proof, transaction: bocOf(other) }, block, request),
      'trust/transaction-hash',
      /than the block holds/,
    );
  });

  it('is whole', () => {
    const messages = cellAt(transaction, [0]);
    const part = prune(transaction, (cell) => cell.hash().equals(messages.hash()));
    for (const given of [bocOf(part), bocOf(merkleProof(transaction))]) {
      refused(
        () => verifyTransaction({ proof, transaction: given }, block, request),
        'trust/transaction-hash',
        /a part of one/,
      );
    }
  });

  it('has no contents where the proof shows a part of it', () => {
    const entry = caseNamed('shard-block-proof/mainnet-1459996-sixteen-shards-with-transactions');
    const [listed] = entry.expect.transactions;
    const hasHash = (hash: string) => (cell: typeof transaction) => cell.hash().toString('hex') === hash;
    const root = coreCell(bytesOf(entry, 'block'));
    const find = (cell: typeof transaction): typeof transaction | undefined =>
      hasHash(listed.hash)(cell) ? cell : cell.refs.map(find).find((found) => found !== undefined);
    const inner = find(root)!.refs[0]!.hash().toString('hex');
    const part = bocOf(merkleProof(prune(root, hasHash(inner))));
    const asked = { account: accountOf(listed.account), lt: BigInt(listed.lt) };
    const fact = verifyTransaction({ proof: part }, assumeFinal(blockId(entry.request!.block!)), asked);
    expect(fact).toMatchObject({ found: true });
    expect(fact).not.toHaveProperty('transaction');
  });

  it('may be left out, and then has no contents', () => {
    const fact = verifyTransaction({ proof }, block, request);
    expect(fact).toMatchObject({ found: true });
    expect(fact).not.toHaveProperty('transaction');
    refused(() => messagesOf(fact as never), 'trust/state-missing');
    refused(() => verifyTransaction({ proof }, block, { ...request, requireSuccess: true }), 'trust/state-missing');
  });
});

describe('what is asked for', () => {
  it('may name the hash, of 32 bytes', () => {
    const { hash } = verifyTransaction({ proof }, block, request) as { hash: Uint8Array }; // it is there
    expect(verifyTransaction({ proof }, block, { ...request, hash }).found).toBe(true);
    refused(() => verifyTransaction({ proof }, block, { ...request, hash: hash.subarray(1) }), 'usage/bad-option');
  });

  it('is a logical time of 64 bits', () => {
    for (const lt of [-1n, 2n ** 64n, 5, '5']) {
      refused(() => verifyTransaction({ proof }, block, { ...request, lt: lt as bigint }), 'usage/bad-option');
    }
    for (const lt of [0n, 2n ** 64n - 1n]) {
      expect(verifyTransaction({ proof }, block, { ...request, lt }).found).toBe(false);
    }
  });

  it('is an account of a 32-bit workchain and 32 bytes', () => {
    const { address } = request.account;
    for (const account of [
      { workchain: 0.5, address },
      { workchain: 2 ** 31, address },
      { workchain: 0, address: address.subarray(1) },
      { workchain: 0, address: Array.from(address) },
      undefined,
    ]) {
      refused(() => requireAccount(account as never), 'usage/bad-option');
    }
    const [lowest, highest] = [-(2 ** 31), 2 ** 31 - 1].map((workchain) => requireAccount({ workchain, address }));
    expect([lowest!.workchain, highest!.workchain]).toEqual([-(2 ** 31), 2 ** 31 - 1]);
  });

  it('is a parameter of the key block, and then no state is given beside it', () => {
    const { stateProof } = parseLiteAnswer(liveBytes('config-from-state.tl'), 'config');
    const answer = parseLiteAnswer(liveBytes('config-from-key-block.tl'), 'config');
    const keyBlock = assumeFinal(LIVE.keyBlock);
    expect(verifyConfig(answer, keyBlock, 34).found).toBe(true);
    refused(() => verifyConfig({ ...answer, stateProof }, keyBlock, 34), 'trust/contradiction');
  });

  it('is a parameter of 32 bits', () => {
    const answer = parseLiteAnswer(liveBytes('config-from-state.tl'), 'config');
    for (const param of [0.5, 2 ** 31, Number.NaN, '34']) {
      refused(() => verifyConfig(answer, live, param as number), 'usage/bad-option');
    }
    const fact = verifyConfig(answer, live, 34);
    expect(fact.genUtime).toBeGreaterThan(1_500_000_000);
    expect(fact.path.at(-1)).toMatchObject({ genUtime: fact.genUtime });
    expect(fact.path).toHaveLength(1);
  });
});

describe('a transaction that did not succeed', () => {
  it('says why', () => {
    const seen = new Set<string>();
    for (const entry of casesOf('transaction')) {
      if (entry.files!.transaction === undefined) continue;
      const asked = { account: accountOf(entry.request!.account!), lt: BigInt(entry.request!.lt!) };
      const given = { proof: bytesOf(entry, 'proof'), transaction: bytesOf(entry, 'transaction') };
      const under = assumeFinal(blockId(entry.trusted));
      const fact = verifyTransaction(given, under, asked);
      if (!fact.found) continue;
      const { outcome } = fact.transaction!;
      const run = () => verifyTransaction(given, under, { ...asked, requireSuccess: true });
      if (outcome.success) expect(run().found).toBe(true);
      else refused(run, 'trust/aborted');
      seen.add(String(outcome.success));
    }
    expect(seen.has('true')).toBe(true);
  });
});

describe('a list of transactions', () => {
  const answer = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');
  const changed = (at: number, change: object) =>
    verifyBlockTransactions(
      { ...answer, ids: answer.ids!.map((id, k) => (k === at ? { ...id, ...change } : id)) },
      live,
    );

  it('names no other account, time or hash than the block has at that place', () => {
    const [first] = answer.ids!;
    expect(Object.keys(first!).length).toBeGreaterThan(1);
    for (const at of [0, answer.ids!.length - 1]) {
      refused(() => changed(at, { account: new Uint8Array(32).fill(0xee) }), 'trust/block-list', /is not the block's/);
      refused(() => changed(at, { lt: 1n }), 'trust/block-list', /is not the block's/);
      refused(() => changed(at, { hash: new Uint8Array(32) }), 'trust/block-list', /is not the block's/);
    }
  });

  it('is read as it was sent', () => {
    const { entries } = verifyBlockTransactions({ proof: answer.proof }, live);
    const sent = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');
    expect(sent.ids).toEqual(entries.map(({ account, lt, hash }) => ({ account: account.address, lt, hash })));
    refused(() => parseLiteAnswer(liveBytes('list-transactions.tl'), 'transaction'), 'decode/tl', /block-transactions/);
  });

  it('may name only some of the three', () => {
    for (const { account, lt, hash } of verifyBlockTransactions(answer, live).entries.slice(0, 1)) {
      for (const id of [{ account: account.address }, { lt }, { hash }, {}]) {
        const ids = [id, ...answer.ids!.slice(1)];
        expect(verifyBlockTransactions({ ...answer, ids }, live).complete).toBe(true);
      }
    }
  });

  it('is neither longer nor shorter than what the block has', () => {
    refused(() => verifyBlockTransactions({ ...answer, ids: answer.ids!.slice(0, -1) }, live), 'trust/block-list');
    refused(
      () => verifyBlockTransactions({ ...answer, ids: [...answer.ids!, answer.ids![0]!] }, live),
      'trust/block-list',
      /are listed/,
    );
    const { id, proof: shown } = answer;
    const none = { id, proof: shown, transactions: new Uint8Array(0) };
    for (const short of [{ ...answer, ids: [] }, none]) {
      refused(() => verifyBlockTransactions(short, live), 'trust/block-list', /more than 0$/);
    }
  });

  it('may bring the transactions themselves, each at its place', () => {
    const roots = liveTransactionRoots();
    const { id, proof: shown } = answer;
    const whole = verifyBlockTransactions({ id, proof: shown, transactions: bagOf(...roots) }, live);
    expect(whole.entries.every(({ transaction }) => transaction !== undefined)).toBe(true);
    expect(whole.complete).toBe(true);
    refused(
      () => verifyBlockTransactions({ id, proof: shown, transactions: bagOf(...roots.slice(0, -1)) }, live),
      'trust/block-list',
    );
    const now = 4 + 256 + 64 + 256 + 64;
    const other = writeBits(roots[0]!, now, roots[0]!.bits.at(now) ? '0' : '1');
    refused(
      () => verifyBlockTransactions({ id, proof: shown, transactions: bagOf(other, ...roots.slice(1)) }, live),
      'trust/block-list',
    );
    expect(verifyBlockTransactions({ ...answer, transactions: new Uint8Array(0) }, live).complete).toBe(true);
    expect(verifyBlockTransactions({ proof: blockOf(liveBytes('block.tl')) }, live).genUtime).toBeGreaterThan(0);
    const swapped = [roots[1]!, roots[0]!, ...roots.slice(2)];
    refused(
      () => verifyBlockTransactions({ id, proof: shown, transactions: bagOf(...swapped) }, live),
      'trust/block-list',
    );
    refused(
      () => verifyBlockTransactions({ id, proof: shown, transactions: bagOf(...roots.slice(1)) }, live),
      'trust/block-list',
    );
  });

  it('brings beside its ids no transaction but the one that each of them names', () => {
    const roots = liveTransactionRoots();
    const both = (...cells: typeof roots) =>
      verifyBlockTransactions({ ...answer, transactions: bagOf(...cells) }, live);
    expect(both(...roots).entries.map(({ transaction }) => transaction?.now)).not.toContain(undefined);
    const now = 4 + 256 + 64 + 256 + 64;
    const forged = writeBits(roots[0]!, now, roots[0]!.bits.at(now) ? '0' : '1');
    refused(() => both(forged, ...roots.slice(1)), 'trust/block-list', /than the block holds/);
    const messages = cellAt(roots[0]!, [0]);
    const part = prune(roots[0]!, (cell) => cell.hash().equals(messages.hash()));
    refused(() => both(part, ...roots.slice(1)), 'trust/block-list', /a part of one/);
    refused(() => both(merkleProof(roots[0]!), ...roots.slice(1)), 'trust/block-list', /a part of one/);
    refused(() => both(...roots.slice(0, -1)), 'trust/block-list', /6 are listed, given are 5/);
    const surplus = beginCell().storeUint(1, 8).endCell();
    refused(() => both(...roots, surplus), 'trust/block-list', /6 are listed, given are 7/);
  });

  it('may bring as many of them as a server sends at once, 256, and is compared then', () => {
    const { id, proof: shown } = answer;
    const [root] = liveTransactionRoots();
    const bag = (count: number) => {
      const others = Array.from({ length: count - 1 }, (_, k) => beginCell().storeUint(k, 32).endCell());
      return verifyBlockTransactions({ id, proof: shown, transactions: bagOf(root!, ...others) }, live);
    };
    for (const count of [65, 256]) refused(() => bag(count), 'trust/block-list');
    refused(() => bag(257), 'decode/too-large');
  });

  function liveTransactionRoots() {
    const files = ['transaction-0.tl', 'transaction-1.tl', 'transaction-2.tl', 'transaction-3.tl', 'transaction-4.tl'];
    return [...files, 'transaction-5.tl'].map((file) =>
      coreCell(parseLiteAnswer(liveBytes(file), 'transaction').transaction),
    );
  }
});

describe('a call', () => {
  const wrong = (run: () => unknown, path: string) =>
    expect(run).toThrow(expect.objectContaining({ code: 'usage/bad-option', path }));
  const ask = (over: object) => verifyTransaction({ proof }, block, { ...request, ...over });
  const list = parseLiteAnswer(liveBytes('list-transactions.tl'), 'block-transactions');
  const listing = (over: object) => verifyBlockTransactions(list, live, over);
  const [first] = verifyBlockTransactions(list, live).entries;
  const { address } = first!.account;

  it('is refused for an option of another name or type, so that nobody asks for success in vain', () => {
    wrong(() => ask({ requireSucess: true }), 'requireSucess');
    for (const requireSuccess of [1, 'true', null, {}]) wrong(() => ask({ requireSuccess }), 'requireSuccess');
    wrong(() => verifyAccount({ proof }, block, request.account, { bag: 'optionl' as 'optional' }), 'bag');
    wrong(() => verifyAccount({ proof }, block, request.account, { keep: true } as object), 'keep');
    for (const reverse of [0, 'yes']) wrong(() => listing({ reverse }), 'reverse');
    wrong(() => listing({ limit: 5 }), 'limit');
    for (const limit of ['5', Number.NaN, -1]) wrong(() => verifyHistory([], {} as never, { limit } as never), 'limit');
    wrong(() => formatAccountId(request.account, { form: 'hex' as 'raw' }), 'form');
    wrong(() => formatAccountId(request.account, { testOnly: 1 } as never), 'testOnly');
    wrong(() => formatAccountId(request.account, { bounceable: 'no' } as never), 'bounceable');
  });

  it('is refused for a place in a list that is none', () => {
    wrong(() => listing({ after: { address: new Uint8Array(5), lt: 5n } }), 'after.address');
    for (const lt of [5, '5', -1n, 2n ** 64n]) wrong(() => listing({ after: { address, lt } }), 'after.lt');
    wrong(() => listing({ after: null }), 'after');
    wrong(() => listing({ after: { address, lt: 5n, hash: address } }), 'after.hash');
  });

  it('is refused for parts of an answer of another type', () => {
    wrong(() => verifyTransaction({ proof: 'x' } as never, block, request), 'proof');
    wrong(() => verifyTransaction({ proof, transaction: null } as never, block, request), 'transaction');
    wrong(() => verifyTransaction({ proof, id: 5 } as never, block, request), 'answer.id');
    wrong(() => verifyAccount({} as never, live, request.account), 'answer');
    const state = parseLiteAnswer(liveBytes('account-config.tl'), 'account-state');
    const holder = accountOf(liveAnswer('account-config.tl').account!);
    wrong(() => verifyAccount({ ...state, shardBlock: null } as never, live, holder), 'answer.shardblk');
    wrong(() => verifyAccount({ ...state, state: null } as never, live, holder), 'state');
    const absent = parseLiteAnswer(liveBytes('account-absent-basechain.tl'), 'account-state');
    const nobody = accountOf(liveAnswer('account-absent-basechain.tl').account!);
    const bare = { ...absent, proof: new Uint8Array(0), state: null };
    refused(() => verifyAccount(bare as never, live, nobody), 'decode/boc', /^proof/);
    wrong(() => verifyAccount({ ...state, shardProof: null } as never, live, request.account), 'shard_proof');
    refused(
      () => verifyAccount({ ...state, shardProof: null } as never, live, holder),
      'trust/contradiction',
      /answer\.shard_proof/,
    );
    const { configProof } = parseLiteAnswer(liveBytes('config-from-state.tl'), 'config');
    const noState = (mode: number) => () => verifyConfig({ mode, configProof, stateProof: null } as never, live, 34);
    wrong(noState(0), 'state_proof');
    refused(noState(0x8000), 'trust/contradiction', /^state_proof/);
    refused(noState(2 ** 32 - 1), 'trust/contradiction', /^state_proof/);
    for (const odd of [-1, 2 ** 32, 0.5]) wrong(noState(odd), 'answer.mode');
    wrong(() => verifyBlockTransactions({ ...list, ids: 5 } as never, live), 'answer.ids');
    wrong(() => verifyBlockTransactions({ ...list, incomplete: 0 } as never, live), 'answer.incomplete');
    wrong(() => verifyBlockTransactions({ ...list, transactions: null } as never, live), 'transactions');
    const links = parseLiteAnswer(liveBytes('shard-block-proof.tl'), 'shard-block-proof');
    const under = assumeFinal(links.masterchainId);
    wrong(() => verifyShardBlock({ ...links, links: 5 }, under), 'answer.links');
    wrong(() => verifyShardBlock({ ...links, links: [null] }, under), 'answer.links[0].id');
    wrong(() => verifyShardBlock({ ...links, masterchainId: undefined }, under), 'answer.masterchainId');
    wrong(() => verifyShardBlock(links, under, 5 as never), 'expect');
    wrong(
      () => verifyLibrary({ stateProof: proof, dataProof: proof, libraries: [null] } as never, live, address),
      'answer.hash',
    );
    wrong(
      () => verifyHistory([null] as never, { account: request.account, lt: 5n, hash: address }),
      'answers[0].transactions',
    );
  });
});

describe('the start of a history', () => {
  const account = accountOf(liveAnswer('history.tl').account!);
  const list = parseLiteAnswer(liveBytes('history.tl'), 'transaction-list');
  const fact = verifyAccount(parseLiteAnswer(liveBytes('account-config.tl'), 'account-state'), live, account);
  if (!fact.found) throw new Error('expected an account');
  const start = { account, lt: fact.lastTransLt, hash: fact.lastTransHash };

  it('is an account, a logical time and a hash', () => {
    const { hash: _, ...noHash } = start;
    for (const wrong of [
      noHash,
      { ...start, lt: 5 },
      { ...start, hash: start.hash.subarray(1) },
      { ...start, hash: undefined },
    ]) {
      refused(() => verifyHistory([list], wrong as never), 'usage/bad-option');
    }
  });

  it('leads over as many transactions as are allowed, and no more', () => {
    const all = verifyHistory([list], start);
    expect(verifyHistory([list], start, { limit: all.length })).toHaveLength(all.length);
    refused(() => verifyHistory([list], start, { limit: all.length - 1 }), 'trust/history', /more than/);
    refused(() => verifyHistory([list], start, { limit: 0 }), 'trust/history', /more than 0 /);
    expect(verifyHistory([], start, { limit: 0 })).toEqual([]);
    expect(all.every((one) => one.found && one.kind === 'history')).toBe(true);
  });

  it('has at most as many transactions in one answer as a server gives', () => {
    const [newest] = coreRoots(list.transactions);
    const others = (count: number) => Array.from({ length: count }, (_, k) => beginCell().storeUint(k, 32).endCell());
    const bag = (count: number) => [{ transactions: bagOf(newest!, ...others(count - 1)) }];
    refused(() => verifyHistory(bag(MAX_HISTORY_TRANSACTIONS), start), 'trust/history');
    refused(() => verifyHistory(bag(MAX_HISTORY_TRANSACTIONS + 1), start), 'decode/too-large');
  });

  it('is not moved by whoever writes to what came out', () => {
    const all = verifyHistory([list], start);
    const second = Uint8Array.from(all[1]!.hash);
    all[0]!.transaction.prevTransHash.fill(0);
    all[0]!.hash.fill(0);
    expect(all[1]!.hash).toEqual(second);
    expect(start.hash).toEqual(fact.lastTransHash);
    const mine = verifyAccount(parseLiteAnswer(liveBytes('account-config.tl'), 'account-state'), live, account);
    if (!mine.found) throw new Error('expected an account');
    mine.lastTransHash.fill(0);
    expect(verifyHistory([list], mine).map(({ lt }) => lt)).toEqual(all.map(({ lt }) => lt));
  });

  it('is no transaction of which a part is cut off, and the first one ever has none before it', () => {
    const roots = coreRoots(list.transactions);
    const [newest] = roots;
    const inner = cellAt(newest!, [0]);
    const part = prune(newest!, (cell) => cell.hash().equals(inner.hash()));
    refused(() => verifyHistory([{ transactions: bocOf(part) }], start), 'trust/history', /another transaction/);
    const now = 4 + 256 + 64 + 256 + 64;
    const other = writeBits(newest!, now, newest!.bits.at(now) ? '0' : '1');
    refused(() => verifyHistory([{ transactions: bocOf(other) }], start), 'trust/history', /another transaction/);
    const first = writeBits(newest!, 4 + 256 + 64 + 256, '0'.repeat(64));
    const from = { ...start, hash: Uint8Array.from(first.hash()) };
    refused(
      () => verifyHistory([{ transactions: bagOf(first, roots[1]!) }], from),
      'trust/history',
      /before the first one/,
    );
  });
});

describe('an account that is given', () => {
  const committeeOf = committee('given');
  const address = new Uint8Array(32).fill(0x55);
  const account = { workchain: -1, address };
  /** A masterchain block whose state holds these cells under the account's place. */
  const holding = (cell: ReturnType<typeof coreCell> | undefined) => {
    const accounts = accountsWith(cell === undefined ? [] : [{ account, cell }]);
    const stateCell = makeState({ seqno: 5, config: configCell({ elected: committeeOf }), accounts });
    const made = makeBlock({ seqno: 5, signedBy: committeeOf, prevKeyBlockSeqno: 0, state: stateCell });
    return { answer: { proof: bagOf(merkleProof(made.root), merkleProof(stateCell)) }, under: assumeFinal(made.id) };
  };
  const contents = (coins: number) =>
    beginCell()
      .storeBit(true)
      .storeUint(0b100, 3)
      .storeInt(-1, 8)
      .storeBuffer(Buffer.from(address))
      .storeUint(0, 3 + 3 + 3 + 32 + 1 + 64)
      .storeCoins(coins)
      .storeUint(0, 1 + 2)
      .storeRef(beginCell().storeUint(1, 1).endCell())
      .endCell();

  it('is no other with the same address', () => {
    const own = contents(5).asBuilder().endCell();
    const { answer, under } = holding(own);
    expect(verifyAccount({ ...answer, state: bocOf(own) }, under, account)).toMatchObject({ found: true });
    refused(
      () => verifyAccount({ ...answer, state: bocOf(contents(6)) }, under, account),
      'trust/account-hash',
      /is not the one of/,
    );
  });

  it('is whole, or a proof of a part', () => {
    const own = contents(5);
    const { answer, under } = holding(own);
    const inner = cellAt(own, [0]);
    const part = prune(own, (cell) => cell.hash().equals(inner.hash()));
    refused(() => verifyAccount({ ...answer, state: bocOf(part) }, under, account), 'trust/account-hash', /part/);
    expect(verifyAccount({ ...answer, state: bocOf(merkleProof(part)) }, under, account)).toMatchObject({
      found: true,
    });
  });

  it('is for the block that the answer is for', () => {
    const answer = parseLiteAnswer(liveBytes('account-config.tl'), 'account-state');
    const own = accountOf(liveAnswer('account-config.tl').account!);
    refused(() => verifyAccount({ ...answer, id: LIVE.keyBlock }, live, own), 'trust/not-connected');
    const entry = casesOf('account-state').find(({ id }) => id.includes('mainnet-2025-06'))!;
    const holder = accountOf(entry.account!);
    const [shardProof, proof, state] = ['shardProof', 'proof', 'state'].map((name) => bytesOf(entry, name));
    const id = blockId(entry.trusted);
    const shard = verifyShardTop({ shardProof: shardProof! }, assumeFinal(id), holder);
    expect(verifyAccount({ id, proof: proof!, state: state! }, shard, holder).found).toBe(true);
  });

  it('does not exist where it was deleted, or never was', () => {
    const none = beginCell().storeBit(false).endCell();
    const deleted = holding(none);
    expect(verifyAccount(deleted.answer, deleted.under, account)).toMatchObject({
      found: false,
      reason: 'deleted',
      account,
      block: deleted.under.id,
    });
    const empty = holding(undefined);
    expect(verifyAccount(empty.answer, empty.under, account)).toMatchObject({ found: false, reason: 'no-entry' });
  });

  it('has contents only where they were shown', () => {
    const own = contents(5);
    const { answer, under } = holding(own);
    const shown = verifyAccount(answer, under, account, { bag: 'optional' });
    expect(shown).toMatchObject({ found: true });
    if (shown.found) expect(shown.cell).toBeDefined();
    const cut = holding(own);
    const [header, state] = coreRoots(cut.answer.proof);
    const hidden = bagOf(header!, merkleProof(prune(state!.refs[0]!, (cell) => cell.hash(0).equals(own.hash()))));
    const bare = verifyAccount({ proof: hidden }, cut.under, account, { bag: 'optional' });
    expect(bare).not.toHaveProperty('cell');
    refused(() => accountDataOf(bare as never), 'trust/state-missing');
  });
});

describe('an account of a workchain without shards', () => {
  const entry = casesOf('account-state').find(({ id }) => id.includes('mainnet-2025-06'))!;
  const under = assumeFinal(blockId(entry.trusted));
  const none = new Uint8Array(0);
  const account = { workchain: 7, address: accountOf(entry.account!).address };
  const shardProof = bytesOf(entry, 'shardProof');
  const noBlock = {
    workchain: -0x80000000,
    shard: 0n,
    seqno: 0,
    rootHash: new Uint8Array(32),
    fileHash: new Uint8Array(32),
  };

  it('does not exist, as the list of shards shows', () => {
    for (const more of [{}, { state: none }, { shardBlock: noBlock }]) {
      expect(verifyAccount({ shardProof, proof: none, ...more }, under, account)).toMatchObject({
        found: false,
        reason: 'no-shard',
        account,
        block: under.id,
        genUtime: expect.any(Number),
      });
    }
  });

  it('is neither in a shard that the answer names, nor given', () => {
    const shardBlock = blockId(entry.shardBlock!);
    const proof = bytesOf(entry, 'proof');
    for (const more of [{ shardBlock }, { proof }, { state: bytesOf(entry, 'state') }, { shardBlock, proof }]) {
      refused(() => verifyAccount({ shardProof, proof: none, ...more }, under, account), 'trust/contradiction');
    }
    refused(
      () => verifyAccount({ shardProof, proof, shardBlock: noBlock }, under, accountOf(entry.account!)),
      'trust/contradiction',
    );
    refused(() => verifyAccount({ shardProof, proof: none }, under, accountOf(entry.account!)), 'trust/contradiction');
    refused(() => verifyShardTop({ shardProof }, under, account), 'trust/not-listed');
  });
});

describe('a list of all shards that is given', () => {
  const all = parseLiteAnswer(liveBytes('all-shards.tl'), 'all-shards');
  const account = { workchain: 0, address: new Uint8Array(32) };

  it('is the one of the block', () => {
    expect(verifyShardTop(all, live, account).id.workchain).toBe(0);
    const list = coreCell(all.data);
    const other = replaceAt(list, [0], (cell) => cell.asBuilder().storeBit(false).endCell());
    for (const data of [bocOf(other), bocOf(beginCell().storeBit(false).endCell())]) {
      refused(() => verifyShardTop({ ...all, data }, live, account), 'trust/not-listed', /not the one of the block/);
    }
    refused(
      () => verifyShardTop({ ...all, data: bocOf(list.asBuilder().storeBit(false).endCell()) }, live, account),
      'decode/boc',
    );
    refused(() => verifyShardTop(all, live, { ...account, workchain: 7 }), 'trust/not-listed');
    const bare = makeBlock({ seqno: 5, signedBy: committee('bare'), prevKeyBlockSeqno: 0 });
    const given = { ...all, id: bare.id, proof: wholeProof(bare.root) };
    refused(() => verifyShardTop(given, assumeFinal(bare.id), account), 'trust/not-listed', /not the one of the block/);
  });
});

describe('the way down to a block of a shard', () => {
  it('has one step for each block, with its time where a header was shown', () => {
    const entry = casesOf('account-state').find(({ id }) => id.includes('mainnet-2025-06'))!;
    const under = assumeFinal(blockId(entry.trusted));
    const { path } = verifyShardTop({ shardProof: bytesOf(entry, 'shardProof') }, under, accountOf(entry.account!));
    expect(path.map(({ by, block: { workchain } }) => [by, workchain])).toEqual([
      ['assumed', -1],
      ['listed', 0],
    ]);
    expect(path[0]).toHaveProperty('genUtime');
    for (const way of casesOf('shard-block-proof')) {
      const answer: unknown = JSON.parse(Buffer.from(bytesOf(way, 'answer')).toString());
      const found = verifyShardBlock(answer, assumeFinal(blockId(way.trusted)));
      expect(found.path.slice(0, -1).filter(({ genUtime }) => genUtime === undefined).length).toBeLessThanOrEqual(1);
      if (way.expect.links > 1) expect(found.path.at(-2)).toHaveProperty('genUtime');
    }
  });
});

describe('an older block', () => {
  const older = makeBlock({ seqno: 120, signedBy: a, prevKeyBlockSeqno: 100 });
  const newer = newerBlock(listed(key100, older));
  const under = assumeFinal(newer.block.id);
  const back = (to: typeof older) => tlBack(backLink(newer, to));
  const proofTo = (to: typeof older, links = [back(to)]) => tlProof(newer.block.id, to.id, links);

  it('is proven by the list in the state of a newer one', () => {
    const found = verifyOlderBlock(proofTo(older), under);
    expect(found.id).toEqual(older.id);
    expect(found.path.map(({ by }) => by)).toEqual(['assumed', 'back-link']);
  });

  it('is not proven by a proof that starts or ends elsewhere, has no link, or leads forward', () => {
    refused(() => verifyOlderBlock(proofTo(older), assumeFinal(older.id)), 'trust/not-connected', /does not start/);
    refused(
      () => verifyOlderBlock(tlProof(newer.block.id, key100.id, [back(older)]), under),
      'trust/not-connected',
      /does not end/,
    );
    refused(() => verifyOlderBlock(proofTo(older, []), under), 'decode/tl', /expected a link/);
    const onward = makeBlock({ seqno: 130, signedBy: a, prevKeyBlockSeqno: 100 });
    const forward = tlProof(key100.id, onward.id, [tlForward(honestLink(key100, onward))]);
    refused(() => verifyOlderBlock(forward, assumeFinal(key100.id)), 'usage/bad-option', /a link back/);
    refused(() => verifyOlderBlock(proofTo(older, [back(older), back(older)]), under), 'trust/not-connected');
  });
});

describe('a state', () => {
  const by = committee('state');
  const config = configCell({ elected: by });
  const none = new Uint8Array(0);

  it('of a zerostate has no block that leads to it, and any other has one', () => {
    const zerostate = makeZerostate(config);
    const start = blockOfCheckpoint(checkpointFromZerostate(zerostate.boc, zerostate.id));
    const configProof = wholeProof(zerostate.root);
    const fact = verifyConfig({ stateProof: none, configProof }, start, 34);
    expect(fact).toMatchObject({ found: true, genUtime: 1_400_000, block: zerostate.id });
    refused(
      () => verifyConfig({ stateProof: none, configProof }, assumeFinal({ ...zerostate.id, seqno: 1 }), 34),
      'trust/state-hash',
    );
    const other = makeZerostate(config, -5);
    refused(
      () => verifyConfig({ stateProof: none, configProof: wholeProof(other.root) }, start, 34),
      'trust/root-hash',
    );
  });

  it('is of the block that leads to it: its number, its shard, its network', () => {
    const of = (form: Partial<Parameters<typeof makeState>[0]>) => {
      const state = makeState({ seqno: 5, config, ...form });
      const made = makeBlock({ seqno: 5, signedBy: by, prevKeyBlockSeqno: 0, state });
      const proofs = { stateProof: wholeProof(made.root), configProof: wholeProof(state) };
      return () => verifyConfig(proofs, assumeFinal(made.id), 34);
    };
    expect(of({})()).toMatchObject({ found: true, genUtime: 1_500_000 });
    refused(of({ seqno: 6 }), 'trust/header', /seqno is 6 in the state, 5 in the id/);
    refused(of({ shard: { workchain: 0, prefixBits: 0, prefix: 0n } }), 'trust/header', /workchain/);
    refused(of({ globalId: -5 }), 'trust/wrong-network');
  });

  it('comes in one bag with its block, and nothing else does', () => {
    const bag = parseLiteAnswer(liveBytes('account-config.tl'), 'account-state').proof;
    const [header, state] = coreRoots(bag);
    const account = accountOf(liveAnswer('account-config.tl').account!);
    for (const proof of [bagOf(header!), bagOf(header!, state!, beginCell().endCell())]) {
      refused(() => verifyAccount({ proof }, live, account), 'decode/boc', /expected two roots/);
    }
  });
});

describe('text for an account', () => {
  it('in the form of wallets has no room for a workchain of more than eight bits', () => {
    const { address } = request.account;
    const form = 'user-friendly';
    for (const workchain of [-128, 127]) {
      expect(parseAccountId(formatAccountId({ workchain, address }, { form }))).toMatchObject({ workchain });
    }
    for (const workchain of [-129, 128]) {
      refused(() => formatAccountId({ workchain, address }, { form }), 'usage/bad-option', /no room/);
    }
  });

  /** CRC-16/XMODEM, behind the 34 bytes that it is of. */
  const withChecksum = (...bytes: number[]) => {
    let crc = 0;
    for (const byte of bytes) {
      for (let bit = 7; bit >= 0; bit--) {
        const carry = ((crc >> 15) ^ (byte >> bit)) & 1;
        crc = ((crc << 1) & 0xffff) ^ (carry === 1 ? 0x1021 : 0);
      }
    }
    return Buffer.from([...bytes, crc >> 8, crc & 255]);
  };

  it('is of a kind that is known, and as long as it has to be', () => {
    const rest = [0, ...new Array<number>(32).fill(0xfb)];
    expect(parseAccountId(withChecksum(0x11, ...rest).toString('base64'))).toMatchObject({ bounceable: true });
    refused(() => parseAccountId(withChecksum(0x31, ...rest).toString('base64')), 'decode/shape', /unknown kind/);
    const longer = Buffer.concat([withChecksum(0x11, ...rest), Buffer.alloc(3)]).toString('base64');
    refused(() => parseAccountId(longer), 'decode/shape');
    // Two letters of base64 that URLs write otherwise: both spellings are read, and no mixture of them.
    const plain = withChecksum(0x11, 0, ...new Array<number>(32).fill(0xff)).toString('base64');
    const mixed = plain.replace('/', '_');
    expect(mixed).toMatch(/[/].*|_.*[/]/);
    refused(() => parseAccountId(mixed), 'decode/shape');
    expect(parseAccountId(plain.replaceAll('/', '_').replaceAll('+', '-'))).toMatchObject({ workchain: 0 });
  });

  it('is text, of one alphabet, and of a 32-bit workchain', () => {
    for (const text of [undefined, 5, {}]) refused(() => parseAccountId(text as never), 'decode/shape');
    const raw = '0'.repeat(64);
    for (const workchain of [-(2 ** 31), 2 ** 31 - 1])
      expect(parseAccountId(`${workchain}:${raw}`)).toMatchObject({ workchain });
    for (const workchain of [-(2 ** 31) - 1, 2 ** 31])
      refused(() => parseAccountId(`${workchain}:${raw}`), 'decode/shape');
  });
});
