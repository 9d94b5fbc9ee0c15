/** Transactions, accounts and parameters below a final block, recorded and made. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { parseAccountId } from '../../src/core/facts/account-id.ts';
import { assumeFinal } from '../../src/core/facts/proven-block.ts';
import { verifyShardTop } from '../../src/core/facts/shard-top.ts';
import { parseLiteAnswer } from '../../src/net/lite-api/read-answers.ts';
import { beginCell, bocOf, CoreCell, merkleProof, merkleUpdate, prune } from '../../test/helpers/cells.ts';
import { bagOf, coreCell, coreRoots, cutOut, replaceAt } from '../../test/helpers/cut-proofs.ts';
import { accountBlock, accountsWith, dictionaryCell, noSum } from '../../test/helpers/dictionaries.ts';
import {
  blockId,
  bytesOf,
  caseNamed,
  type InclusionCase,
  LIVE,
  liveAnswer,
  liveBytes,
} from '../../test/helpers/inclusion.ts';
import { everyCell } from '../../test/helpers/make-back-link.ts';
import {
  committee,
  configCell,
  configProof,
  headerOf,
  type MadeBlock,
  makeBlock,
  makeState,
  proofShowing,
  sha256,
  updateOf,
} from '../../test/helpers/make-chain.ts';
import { leafOf, makeShardBlock, shardHashes, WHOLE } from '../../test/helpers/make-shards.ts';
import { type AccountParts, tlAccount, tlConfig, tlTransaction } from '../../test/helpers/tl-answers.ts';
import { brokenAnswers } from './broken-answers.ts';
import { type Bad, Book, bad, base64, below, blockJson, hex, type Json, odd, randomOf } from './cases.ts';

// Transactions ------------------------------------------------------------------------------------------------------

interface Transaction {
  readonly form: string;
  readonly block: BlockIdExt;
  readonly account: string;
  readonly lt: bigint;
  readonly hash: string;
  readonly proof: Uint8Array;
  readonly transaction: Uint8Array;
  readonly source: string;
}

const RECORDED: readonly (readonly [string, string])[] = [
  ['testnet-masterchain', 'transaction/testnet-27798862'],
  ['jetton-notification', 'transaction/mainnet-2026-05-jetton-notification-1'],
  ['jetton-notification-2', 'transaction/mainnet-2026-05-jetton-notification-2'],
  ['external-out', 'transaction/2025-07-external-out'],
];

function recordedTransactions(): readonly Transaction[] {
  const indexed = RECORDED.map(([form, id]): Transaction => {
    const entry = caseNamed(id);
    return {
      form,
      block: blockOfReport(entry.trusted),
      account: entry.request!.account!,
      lt: BigInt(entry.request!.lt!),
      hash: entry.expect.transaction.hash,
      proof: bytesOf(entry, 'proof'),
      transaction: bytesOf(entry, 'transaction'),
      source: `vectors/inclusion/${id}`,
    };
  });
  return indexed;
}

const flipped = (account: string, at: number): string => {
  const place = account.indexOf(':') + 1 + at;
  const digit = (Number.parseInt(account[place]!, 16) ^ 1).toString(16);
  return account.slice(0, place) + digit + account.slice(place + 1);
};

export function makeTransaction(): Book {
  const book = new Book('transaction');
  const all = recordedTransactions();
  all.forEach((t, n) => {
    const other = all[(n + 2) % all.length]!; // the next one may be of the same block
    const input = (over: Partial<Transaction> & { named?: BlockIdExt } = {}): Json => {
      const { block, account, lt, proof, transaction } = { ...t, ...over };
      return {
        block: blockJson(block),
        account,
        lt: lt.toString(),
        answer: base64(tlTransaction(over.named ?? block, proof, transaction)),
      };
    };
    const none = new Uint8Array(0);
    const found = {
      comment: 'A recorded transaction with its proof.',
      input: input(),
      value: { found: true, hash: t.hash },
    };
    const bare = {
      comment: 'A proof of the transaction without its contents: the hash is proven all the same.',
      input: input({ transaction: none }),
      value: found.value,
    };
    const place = (rule: string, ...flags: string[]) => ({ rule, form: t.form, flags, source: t.source });
    const lt = t.lt + 1n;
    const proof = coreCell(t.proof);

    book.pair(place('fact-of-this-block', 'WRONG_BLOCK'), '', found, [
      bad(
        'root-hash',
        'The final block has another root hash.',
        input({ block: { ...t.block, rootHash: sha256(t.block.rootHash) } }),
      ),
      bad('other-block', 'Another block is final, and the answer is about that one.', input({ block: other.block })),
      bad(
        'seqno',
        'The final block has another number than the header.',
        input({ block: { ...t.block, seqno: t.block.seqno + 1 } }),
      ),
      bad(
        'answer-about-other',
        'The answer says that it is about another block.',
        input({ named: { ...t.block, seqno: t.block.seqno + 1 } }),
      ),
      bad('other-proof', 'The proof is that of another block.', input({ proof: other.proof })),
    ]);
    const workchain = t.block.workchain === -1 ? 0 : -1;
    book.pair(place('account-in-shard', 'WRONG_BLOCK'), '', found, [
      bad(
        'workchain',
        'The same 256 bits in another workchain, whose accounts the block does not hold.',
        input({ account: `${workchain}${t.account.slice(t.account.indexOf(':'))}` }),
      ),
      bad(
        'workchain-absent',
        'The same, to be shown absent: a block of another workchain proves no absence.',
        input({ account: `${workchain}${t.account.slice(t.account.indexOf(':'))}`, transaction: none, lt }),
      ),
    ]);
    book.pair(place('transaction-of-account-and-time', 'WRONG_BLOCK'), '', found, [
      bad('lt', 'Another logical time of the account, with these contents.', input({ lt })),
      bad('lt-before', 'The logical time before, with these contents.', input({ lt: t.lt - 1n })),
      bad('other-contents', 'The contents of another transaction.', input({ transaction: other.transaction })),
    ]);
    const whole = coreCell(t.transaction);
    book.pair(place('contents-whole'), '', found, [
      bad('proof', 'The contents inside a Merkle proof.', input({ transaction: bocOf(merkleProof(whole)) })),
      bad(
        'pruned',
        'Contents of which a part is cut off.',
        input({ transaction: bocOf(prune(whole, (cell) => cell !== whole)) }),
      ),
      bad('two-roots', 'Contents with a second root.', input({ transaction: bagOf(whole, beginCell().endCell()) })),
      bad('no-bag', 'Contents that are no bag of cells.', input({ transaction: Uint8Array.of(1, 2, 3) })),
    ]);
    const headerHash = proof.refs[0]!.refs[0]!.hash(0).toString('hex');
    const extraHash = proof.refs[0]!.refs[3]!.hash(0).toString('hex');
    book.pair(place('pruned-is-not-absent', 'PRUNED'), '', bare, [
      bad(
        'root',
        'The whole block is cut off.',
        input({ transaction: none, proof: bocOf(cutOut(proof, proof.refs[0]!.hash(0).toString('hex'))) }),
      ),
      bad('header', 'The header is cut off.', input({ transaction: none, proof: bocOf(cutOut(proof, headerHash)) })),
      bad(
        'extra',
        'The way to the accounts is cut off.',
        input({ transaction: none, proof: bocOf(cutOut(proof, extraHash)) }),
      ),
      bad(
        'accounts',
        'The list of accounts is cut off, and said to lack the account.',
        input({
          transaction: none,
          proof: bocOf(cutOut(proof, proof.refs[0]!.refs[3]!.refs[2]!.hash(0).toString('hex'))),
        }),
      ),
    ]);
    book.pair(place('merkle-proof-of-link'), '', found, [
      bad('in-a-proof', 'A proof inside a proof.', input({ proof: bocOf(merkleProof(proof)) })),
      bad('two-roots', 'A bag with two roots.', input({ proof: bagOf(proof, whole) })),
      bad('nothing', 'No proof at all.', input({ proof: none })),
      bad('behind-cut', 'The proof is cut short.', input({ proof: t.proof.subarray(0, t.proof.length - 3) })),
    ]);
    const good = tlTransaction(t.block, t.proof, t.transaction);
    book.pair(
      place('answer-form'),
      '',
      found,
      brokenAnswers(good).map(([name, comment, bytes]) => bad(name, comment, { ...input(), answer: base64(bytes) })),
    );
    // Absence is proven, not said.
    const absent = (name: string, comment: string, over: Partial<Transaction>) => ({
      name,
      comment,
      input: input({ transaction: none, ...over }),
      value: { found: false },
    });
    const outside = absent('outside', 'A logical time that the block cannot hold.', { lt: 5n });
    book.pair(place('absence-is-proven', 'PRUNED'), 'outside-', outside, [
      bad('with-contents', 'Shown to be absent, and given all the same.', input({ lt: 5n })),
      bad(
        'header-cut',
        'The block’s span of logical times is cut off.',
        input({ lt: 5n, transaction: none, proof: bocOf(cutOut(proof, headerHash)) }),
      ),
    ]);
  });
  makeOwnTransactions(book);
  return book;
}

/** Blocks with accounts of our own: dictionaries of one and two accounts, with a transaction or two each. */
function makeOwnTransactions(book: Book): void {
  for (const count of [1, 2] as const) {
    for (let n = 0; n < 3; n++) {
      const random = randomOf(`transaction made ${count} ${n}`);
      const start = BigInt(1000 + below(random, 1e9));
      const address = (bit: number) =>
        Buffer.from(sha256(Buffer.from(`account ${count} ${n} ${bit}`))).fill(bit === 0 ? 0x12 : 0x92, 0, 1);
      const transactionOf = (owner: Buffer, lt: bigint, now = 1_600_000_000) =>
        beginCell()
          .storeUint(7, 4)
          .storeBuffer(owner)
          .storeUint(lt, 64)
          .storeUint(0, 256)
          .storeUint(0, 64)
          .storeUint(now, 32)
          .storeUint(0, 15)
          .storeUint(2, 2)
          .storeUint(2, 2)
          .storeUint(0, 5)
          .storeRef(beginCell().storeBit(0).storeBit(0).endCell())
          .storeRef(beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell())
          // tick-tock: tick, no storage fees to speak of, compute skipped, no action
          .storeRef(
            beginCell()
              .storeUint(0b001, 3)
              .storeBit(0)
              .storeUint(0, 4)
              .storeBit(0)
              .storeBit(0)
              .storeBit(0)
              .storeUint(0b00, 2)
              .storeBit(0)
              .storeBit(1)
              .storeBit(0)
              .endCell(),
          )
          .endCell();
      const blockOfAccount = (owner: Buffer, stated: Buffer, lt: bigint, transaction: CoreCell, keyBits: number) => {
        const key = BigInt(`0x${owner.toString('hex')}`);
        const value = accountBlock(stated, [{ lt, cell: transaction }]);
        return dictionaryCell([{ key, value }], keyBits, noSum(5));
      };
      const [one, two] = [address(0), address(1)];
      const lt = start + 3n;
      const transaction = transactionOf(one, lt);
      const listOf = (leaf: CoreCell) => {
        const root =
          count === 1
            ? leaf
            : beginCell()
                .storeUint(0, 2)
                .storeRef(leaf)
                .storeRef(blockOfAccount(two, two, lt + 1n, transactionOf(two, lt + 1n), 255))
                .storeUint(0, 5)
                .endCell();
        return beginCell().storeBit(1).storeUint(0, 5).storeRef(root).endCell();
      };
      const keyBits = count === 1 ? 256 : 255;
      const blockWith = (leaf: CoreCell): MadeBlock =>
        makeShardBlock(10 + below(randomOf(`seqno ${count} ${n}`), 1e7), WHOLE, {
          accountBlocks: listOf(leaf),
          ltRange: [start, start + 10n],
        });
      const good = blockWith(blockOfAccount(one, one, lt, transaction, keyBits));
      const whole = (block: MadeBlock) => bocOf(merkleProof(block.root));
      const input = (
        block: MadeBlock,
        account: Buffer,
        at: bigint,
        contents?: CoreCell,
        proof = whole(block),
      ): Json => ({
        block: blockJson(block.id),
        account: `0:${account.toString('hex')}`,
        lt: at.toString(),
        answer: base64(tlTransaction(block.id, proof, contents === undefined ? new Uint8Array(0) : bocOf(contents))),
      });
      const form = count === 1 ? 'made-one-account' : 'made-two-accounts';
      const value = { found: true, hash: transaction.hash().toString('hex') };
      const found = {
        comment: 'A transaction in a block of our own.',
        input: input(good, one, lt, transaction),
        value,
      };
      const foreignEntry = blockWith(blockOfAccount(one, two, lt, transaction, keyBits));
      const foreignTransaction = transactionOf(two, lt);
      const foreign = blockWith(blockOfAccount(one, one, lt, foreignTransaction, keyBits));
      const late = transactionOf(one, lt + 2n);
      const later = blockWith(blockOfAccount(one, one, lt, late, keyBits));
      book.pair(
        { rule: 'transaction-of-account-and-time', form, flags: ['WRONG_BLOCK'] },
        `${n}-`,
        found,
        [
          bad(
            'entry-of-other',
            'The account’s entry says that it is another account’s.',
            input(foreignEntry, one, lt, transaction),
          ),
          bad(
            'says-other-time',
            'The transaction under a logical time says that it is of another.',
            input(later, one, lt, late),
          ),
          bad(
            'other-account',
            'Another account than the one that has the transaction.',
            input(good, two, lt, transaction),
          ),
          bad(
            'other-contents',
            'A transaction of this account and logical time that is not the one in the block.',
            input(good, one, lt, transactionOf(one, lt, 1_600_000_001)),
          ),
        ],
        [
          odd(
            'says-other-account',
            'The transaction under the account’s key says that it is another account’s.',
            'The node compares its hash and its logical time, and leaves the account to those who made the block.',
            input(foreign, one, lt, foreignTransaction),
            { found: true, hash: foreignTransaction.hash().toString('hex') },
          ),
        ],
      );
      const accounts = listOf(blockOfAccount(one, one, lt, transaction, keyBits));
      const shown = headerOf(good);
      const extra = good.root.refs[3]!;
      const proofTo = (...cells: CoreCell[]) => proofShowing(good.root, [...shown, extra, ...cells]);
      const partly = bocOf(
        merkleProof(prune(good.root, (cell) => transaction.refs.some((ref) => ref.hash().equals(cell.hash())))),
      );
      const shownInPart = {
        comment: 'The proof shows the first cell of the transaction and cuts off what is below: its hash is proven.',
        input: input(good, one, lt, undefined, partly),
        value,
      };
      book.pair({ rule: 'contents-whole', form, flags: ['PRUNED'] }, `${n}-`, shownInPart, [
        bad('part-given', 'The same, and the first cell alone as the contents.', {
          ...input(good, one, lt),
          answer: base64(tlTransaction(good.id, partly, bocOf(prune(transaction, (cell) => cell !== transaction)))),
        }),
        bad(
          'other-time',
          'The same, at a logical time that has no transaction, and its contents.',
          input(good, one, lt + 1n, transaction, partly),
        ),
      ]);
      book.accept(
        { rule: 'contents-whole', form, flags: [] },
        `${n}-shown-in-part-and-given`,
        'The proof shows the first cell of the transaction, and the whole stands beside it.',
        input(good, one, lt, transaction, partly),
        value,
      );
      const span = { rule: 'absence-is-proven', form: `${form}-span`, flags: ['PRUNED'] };
      const atStart = {
        comment: 'The logical time at which the block begins, which no transaction has: the header shows it.',
        input: input(good, one, start, undefined, proofShowing(good.root, shown)),
        value: { found: false },
      };
      book.pair(span, `${n}-`, atStart, [
        bad(
          'inside',
          'A logical time inside the block, shown by the header alone.',
          input(good, one, start + 1n, undefined, proofShowing(good.root, shown)),
        ),
      ]);
      book.accept(
        span,
        `${n}-end`,
        'The logical time at which the block ends.',
        input(good, one, start + 10n, undefined, proofShowing(good.root, shown)),
        { found: false },
      );
      const gone = address(0).fill(0x13, 0, 1);
      const absent = {
        comment: 'An account that the block’s list, shown as far as it has to be, does not hold.',
        input: input(good, gone, lt, undefined, proofTo(accounts, accounts.refs[0]!, ...accounts.refs[0]!.refs)),
        value: { found: false },
      };
      book.pair({ rule: 'absence-is-proven', form, flags: ['PRUNED'] }, `${n}-account-`, absent, [
        bad('list-cut', 'The list of accounts is cut off.', input(good, gone, lt, undefined, proofTo())),
        bad(
          'node-cut',
          'The place where the account would be is cut off.',
          input(good, gone, lt, undefined, proofTo(accounts)),
        ),
        bad('with-contents', 'Shown to be absent, and given all the same.', input(good, gone, lt, transaction)),
      ]);
      const other = {
        comment: 'A logical time that the account has no transaction at.',
        input: input(good, one, lt + 2n),
        value: { found: false },
      };
      book.pair({ rule: 'absence-is-proven', form, flags: ['PRUNED'] }, `${n}-time-`, other, [
        bad('list-cut', 'The list of accounts is cut off.', input(good, one, lt + 2n, undefined, proofTo())),
        bad(
          'with-contents',
          'Shown to be absent, and the contents of another one given.',
          input(good, one, lt + 2n, transaction),
        ),
      ]);
    }
  }
}

// Accounts ----------------------------------------------------------------------------------------------------------

interface Account extends AccountParts {
  readonly form: string;
  readonly account: string;
  readonly source: string;
  readonly expected: Json;
}

function recordedAccounts(): readonly Account[] {
  const of = (form: string, id: string): Account => {
    const entry = caseNamed(id);
    const masterchain = blockOfReport(entry.trusted);
    const files = (entry.files ?? {}) as Readonly<Record<string, string>>;
    const state = files.state === undefined ? undefined : bytesOf(entry, 'state');
    return {
      form,
      account: entry.account!,
      id: masterchain,
      shardBlock: shardBlockOf(entry, masterchain),
      ...(files.shardProof === undefined ? {} : { shardProof: bytesOf(entry, 'shardProof') }),
      proof: bytesOf(entry, 'proof'),
      ...(state === undefined ? {} : { state }),
      source: `vectors/inclusion/${id}`,
      expected: expectedAccount(entry, state),
    };
  };
  return [
    ...[193, 194, 195, 196, 197].map((n) => of(`basechain-${n}`, `account-state/mainnet-2025-06-48996${n}`)),
    of('basechain', 'account-state/mainnet-2026-07-basechain'),
    of('masterchain', 'account-state/mainnet-2026-07-masterchain'),
    of('absent', 'account-state/mainnet-2026-07-absent'),
    ...['account-config.tl', 'account-absent.tl'].map((file): Account => {
      const { kind: _, ...parts } = parseLiteAnswer(liveBytes(file), 'account-state');
      const { account } = liveAnswer(file);
      const exists = file === 'account-config.tl';
      const expected = exists
        ? {
            exists,
            stateHash: coreCell(parts.state).hash(0).toString('hex'),
            lastLt: lastLtIn(parts.proof, coreCell(parts.state)),
          }
        : { exists };
      return {
        form: file.replace('account-', 'live-').replace('.tl', ''),
        account: account!,
        source: `vectors/live/answers/${file}`,
        expected,
        ...parts,
      };
    }),
  ];
}

/**
 * The account with the lowest bit of its balance flipped. account$1 addr:MsgAddressInt storage_stat:StorageInfo
 * storage:AccountStorage; storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
 * due_payment:(Maybe Grams); account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection ...
 * Source: ton `crypto/block/block.tlb`.
 */
function withOtherBalance(account: CoreCell): CoreCell {
  const slice = account.beginParse();
  slice.skip(1);
  slice.loadAddress();
  slice.loadVarUint(3); // cells
  slice.loadVarUint(3); // bits
  if (slice.loadUint(3) === 1) slice.skip(256); // storage_extra_info$001 dict_hash
  slice.skip(32); // last_paid
  slice.loadMaybeCoins(); // due_payment
  slice.skip(64); // last_trans_lt
  if (slice.loadCoins() === 0n) throw new Error('an account without a balance');
  const at = account.bits.length - slice.remainingBits - 1;
  const builder = beginCell();
  for (let k = 0; k < account.bits.length; k++) builder.storeBit(account.bits.at(k) !== (k === at));
  for (const ref of account.refs) builder.storeRef(ref);
  return builder.endCell();
}

const UNREAD_LABEL =
  'tonlib reads the proofs, which belong to the block that was asked for, and not what the answer says of itself; to refuse is sane.';

/** A recording that leaves the file hash out gets one: nothing here depends on it, and no block has a hash of zeros. */
function blockOfReport(named: InclusionCase['trusted']): BlockIdExt {
  const id = blockId(named);
  return named.fileHash === null ? { ...id, fileHash: sha256(id.rootHash) } : id;
}

/** Some recordings leave the file hash of the shard block out, which the proof shows. */
function shardBlockOf(entry: InclusionCase, masterchain: BlockIdExt): BlockIdExt {
  if (entry.account!.startsWith('-1:')) return masterchain;
  const named = entry.shardBlock!;
  if (named.fileHash !== null) return blockId(named);
  return verifyShardTop(
    { shardProof: bytesOf(entry, 'shardProof') },
    assumeFinal(masterchain),
    parseAccountId(entry.account!),
  ).id;
}

/** The time of the last transaction, in the entry that leads to an account's cell. */
function lastLtIn(proof: Uint8Array, account: CoreCell): string {
  const hash = account.hash(0);
  const [, state] = coreRoots(proof);
  const entry = everyCell(state!).find((cell) => !cell.isExotic && cell.refs.some((ref) => ref.hash(0).equals(hash)))!;
  const slice = entry.beginParse();
  slice.skip(entry.bits.length - 64);
  return slice.loadUintBig(64).toString();
}

function expectedAccount(entry: InclusionCase, state: Uint8Array | undefined): Json {
  if (state === undefined) return { exists: false };
  const account = coreCell(state);
  return {
    exists: true,
    stateHash: account.hash(0).toString('hex'),
    lastLt: lastLtIn(bytesOf(entry, 'proof'), account),
  };
}

export function makeAccount(): Book {
  const book = new Book('account');
  const all = recordedAccounts();
  all.forEach((a, n) => {
    const exists = a.state !== undefined && a.state.length > 0;
    const inMasterchain = a.account.startsWith('-1:');
    const other = all
      .slice(n + 1)
      .concat(all)
      .find((one) => one.shardProof !== undefined && one.shardProof.length > 0 && one.id.seqno !== a.id.seqno)!;
    const input = (over: Partial<AccountParts> & { account?: string; block?: BlockIdExt } = {}): Json => {
      const { account = a.account, block = a.id, ...parts } = over;
      return { block: blockJson(block), account, answer: base64(tlAccount({ ...a, ...parts })) };
    };
    const good = {
      comment: exists ? 'A recorded account with its proofs.' : 'A recorded proof that there is no such account.',
      input: input(),
      value: a.expected,
    };
    const place = (rule: string, ...flags: string[]) => ({ rule, form: a.form, flags, source: a.source });
    const [header, state] = coreRoots(a.proof!);
    const [otherHeader, otherState] = coreRoots(other.proof!);
    const none = new Uint8Array(0);
    book.pair(place('fact-of-this-block', 'WRONG_BLOCK'), '', good, [
      bad(
        'root-hash',
        'The final block has another root hash.',
        input({ block: { ...a.id, rootHash: sha256(a.id.rootHash) } }),
      ),
      bad('other-block', 'Another block is final.', input({ block: other.id })),
      bad(
        'answer-about-other',
        'The answer says that it is about another block.',
        input({ id: { ...a.id, seqno: a.id.seqno + 1 } }),
      ),
      bad(
        'seqno',
        'The final block and the answer have another number than the header.',
        input({ id: { ...a.id, seqno: a.id.seqno + 1 }, block: { ...a.id, seqno: a.id.seqno + 1 } }),
      ),
    ]);
    book.pair(place('state-of-block', 'WRONG_BLOCK'), '', good, [
      bad(
        'other-state',
        'The header of this block with the state of another.',
        input({ proof: bagOf(header!, otherState!) }),
      ),
      bad(
        'other-header',
        'The state of this block with the header of another.',
        input({ proof: bagOf(otherHeader!, state!) }),
      ),
      bad('other-both', 'Header and state of another block.', input({ proof: other.proof! })),
      bad('swapped', 'Header and state in each other’s place.', input({ proof: bagOf(state!, header!) })),
      bad('one-root', 'The header alone.', input({ proof: bagOf(header!) })),
      bad(
        'three-roots',
        'A third root.',
        input({ proof: bagOf(header!, state!, beginCell().storeUint(1, 8).endCell()) }),
      ),
    ]);
    if (exists) {
      const foreign = all.find((one) => one.state !== undefined && one.state.length > 0 && one.account !== a.account)!;
      const rich = withOtherBalance(coreCell(a.state!));
      book.pair(place('account-of-address', 'WRONG_BLOCK'), '', good, [
        bad('other-contents', 'The contents of another account.', input({ state: foreign.state! })),
        bad(
          'other-balance',
          'The contents of this account with another balance, beside good proofs.',
          input({ state: bocOf(rich) }),
        ),
        bad(
          'other-balance-proof',
          'A Merkle proof of the contents of this account with another balance.',
          input({ state: bocOf(merkleProof(rich)) }),
        ),
        ...coreCell(a.state!).refs.map((_, k) =>
          bad(
            `other-cell-${k}`,
            'The contents of this account with another cell below the first, such as other code or data.',
            input({ state: bocOf(replaceAt(coreCell(a.state!), [k], () => beginCell().storeUint(7, 8).endCell())) }),
          ),
        ),
        bad('address', 'Another account of the same shard.', input({ account: flipped(a.account, 63) })),
        bad(
          'in-a-cell',
          'The contents inside another cell.',
          input({ state: bocOf(beginCell().storeRef(coreCell(a.state!)).endCell()) }),
        ),
        ...(coreCell(a.state!).refs.length === 0
          ? []
          : [
              bad(
                'part',
                'Contents of which a part is cut off, with no proof around them.',
                input({
                  state: bocOf(
                    prune(coreCell(a.state!), (cell) => cell.hash().equals(coreCell(a.state!).refs[0]!.hash())),
                  ),
                }),
              ),
            ]),
      ]);
      book.pair(place('withheld-or-invented', 'PRUNED'), '', good, [
        bad(
          'withheld',
          'The account exists, and its contents are left out: an empty answer is no absence.',
          input({ state: none }),
        ),
      ]);
    } else {
      const some = all.find((one) => one.state !== undefined && one.state.length > 0)!;
      book.pair(place('withheld-or-invented'), '', good, [
        bad('invented', 'Contents of an account that does not exist.', input({ state: some.state! })),
      ]);
    }
    const workchain = inMasterchain ? '0' : '-1';
    book.pair(
      place('account-in-shard', 'WRONG_BLOCK'),
      '',
      good,
      [
        bad(
          'workchain',
          'The same 256 bits in another workchain.',
          input({ account: `${workchain}${a.account.slice(a.account.indexOf(':'))}` }),
        ),
        bad('far', 'An account whose address begins otherwise.', input({ account: flipped(a.account, 0) })),
      ].slice(0, exists ? 2 : 1),
    );
    const root = state!.refs[0]!.hash(0).toString('hex');
    const accounts = state!.refs[0]!.refs[1]!.hash(0).toString('hex');
    const cutState = (hash: string) => input({ proof: bagOf(header!, cutOut(state!, hash)) });
    book.pair(place('pruned-is-not-absent', 'PRUNED'), '', good, [
      bad('state', 'The state is cut off.', cutState(root)),
      bad('accounts', 'The list of accounts is cut off.', cutState(accounts)),
      bad(
        'update',
        'The state update of the block is cut off, header and all.',
        input({ proof: bagOf(merkleProof(prune(header!.refs[0]!, (cell) => cell !== header!.refs[0]!)), state!) }),
      ),
    ]);
    if (!inMasterchain && a.shardProof !== undefined && a.shardProof.length > 0) {
      const [top, list] = coreRoots(a.shardProof);
      const [otherTop, otherList] = coreRoots(other.shardProof!);
      book.pair(place('shard-listed', 'WRONG_BLOCK'), '', good, [
        bad(
          'other-proof',
          'The proof of the shard is that of another masterchain block.',
          input({ shardProof: other.shardProof! }),
        ),
        bad(
          'other-list',
          'This block’s header with the state of another.',
          input({ shardProof: bagOf(top!, otherList!) }),
        ),
        bad('other-top', 'Another block’s header with this state.', input({ shardProof: bagOf(otherTop!, list!) })),
        bad('none', 'No proof of the shard.', input({ shardProof: none })),
        bad('one-root', 'A proof of the shard with one root.', input({ shardProof: bagOf(top!) })),
        ...(a.shardBlock.workchain === 0
          ? [
              bad(
                'seqno',
                'The answer names another shard block: its number.',
                input({ shardBlock: { ...a.shardBlock, seqno: a.shardBlock.seqno + 1 } }),
              ),
              bad(
                'file-hash',
                'The answer names another shard block: its file hash.',
                input({ shardBlock: { ...a.shardBlock, fileHash: sha256(a.shardBlock.fileHash) } }),
              ),
              bad(
                'root-hash',
                'The answer names another shard block: its root hash.',
                input({ shardBlock: { ...a.shardBlock, rootHash: sha256(a.shardBlock.rootHash) } }),
              ),
            ]
          : []),
      ]);
    }
    const bytes = tlAccount(a);
    book.pair(
      place('answer-form'),
      '',
      good,
      brokenAnswers(bytes).map(([name, comment, tl]) => bad(name, comment, { ...input(), answer: base64(tl) })),
    );
  });
  const file = 'account-absent-basechain.tl';
  const source = `vectors/live/answers/${file}`;
  book.accept(
    { rule: 'absence-is-proven', form: 'live-basechain', flags: ['SIMPLEX'], source },
    'recorded',
    'A recorded proof that an account of the basechain does not exist.',
    { block: blockJson(LIVE.block), account: liveAnswer(file).account!, answer: base64(liveBytes(file)) },
    { exists: false },
  );
  makeNoShard(book);
  makeDeleted(book);
  return book;
}

/** An entry of the list of accounts that says that there is none: what is left of an account that was deleted. */
function makeDeleted(book: Book): void {
  const name = 'account deleted';
  const elected = committee(name);
  const seqno = 5 + below(randomOf(name), 1e7);
  const none = beginCell().storeBit(0).endCell();
  const address = Buffer.from(sha256(Buffer.from(name)));
  const last = { hash: Buffer.from('3'.padStart(64, '0'), 'hex'), lt: 77n };
  const accounts = accountsWith([{ account: { address }, cell: none, last }]);
  const state = makeState({ seqno, config: configCell({ elected }), accounts });
  const block = makeBlock({ seqno, signedBy: elected, prevKeyBlockSeqno: 0, state });
  const header = coreCell(proofShowing(block.root, [...headerOf(block), ...everyCell(updateOf(block))]));
  const of = (contents: Uint8Array): Json => ({
    block: blockJson(block.id),
    account: `-1:${address.toString('hex')}`,
    answer: base64(
      tlAccount({ id: block.id, shardBlock: block.id, proof: bagOf(header, merkleProof(state)), state: contents }),
    ),
  });
  const place = { rule: 'absence-is-proven', form: 'deleted', flags: [] };
  const words = 'The entry of an account that was deleted: it says that there is none.';
  const why = 'tonlib takes no such entry, with its contents or without; what it says is proven.';
  book.either(place, 'given', words, of(bocOf(none)), why, { exists: false });
  book.either(place, 'not-given', `${words} Nothing stands beside it.`, of(new Uint8Array(0)), why, { exists: false });
}

/** What a lite server sends for the id of a block that is not there. */
const NO_BLOCK: BlockIdExt = {
  workchain: -(2 ** 31),
  shard: 0n,
  seqno: 0,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
};

/** A masterchain block that lists no shard of a workchain: nothing exists there, and nothing of it can be shown. */
function makeNoShard(book: Book): void {
  const elected = committee('account no shard');
  const top = makeShardBlock(77, WHOLE);
  for (const [form, hashes] of [
    ['nothing-listed', undefined],
    ['other-workchain-listed', shardHashes(leafOf(top.id), 1)],
  ] as const) {
    const random = randomOf(`account no shard ${form}`);
    const seqno = 5 + below(random, 1e7);
    const state = makeState({
      seqno,
      config: configCell({ elected }),
      accounts: beginCell().storeBit(0).storeUint(0, 5).storeUint(0, 5).endCell(), // none, no split, no balance
      ...(hashes === undefined ? {} : { shardHashes: hashes }),
    });
    const block = makeBlock({ seqno, signedBy: elected, prevKeyBlockSeqno: 0, state });
    const header = coreCell(proofShowing(block.root, [...headerOf(block), ...everyCell(updateOf(block))]));
    const shardProof = bagOf(header, merkleProof(state));
    const of = (over: Partial<AccountParts> = {}, workchain = 0): Json => ({
      block: blockJson(block.id),
      account: `${workchain}:${'ab'.repeat(32)}`,
      answer: base64(tlAccount({ id: block.id, shardBlock: NO_BLOCK, shardProof, ...over })),
    });
    const none = {
      comment: 'The list of shards shows that there is none of this workchain.',
      value: { exists: false },
    };
    const place = { rule: 'absence-is-proven', form: `no-shard-${form}`, flags: ['PRUNED'] };
    const why = 'The client of the node takes no answer without a shard block.';
    book.either(place, 'none', none.comment, of(), why, none.value);
    const twin = book.accept(
      place,
      'masterchain',
      'An account of the masterchain in the same state, which has none.',
      of({ shardBlock: block.id, shardProof: new Uint8Array(0), proof: shardProof }, -1),
      none.value,
    );
    const known = recordedAccounts()[0]!;
    const cut = (hash: Buffer) => bagOf(header, cutOut(merkleProof(state), hash.toString('hex')));
    const custom = state.refs.at(-1)!;
    const wrong: readonly Bad[] = [
      bad('proof', 'The proof of a state of the workchain beside it.', of({ proof: known.proof! })),
      bad('contents', 'Contents of an account beside it.', of({ state: known.state! })),
      bad('both', 'The proof of a state and contents beside it.', of({ proof: known.proof!, state: known.state! })),
      bad('named', 'A block of the workchain is named all the same.', of({ shardBlock: top.id })),
      bad('nothing', 'No proof of the list.', of({ shardProof: new Uint8Array(0) })),
      bad('data-cut', 'The proof cuts off the masterchain data.', of({ shardProof: cut(custom.hash()) })),
      ...(hashes === undefined
        ? []
        : [bad('list-cut', 'The proof cuts off the list.', of({ shardProof: cut(hashes.hash()) }))]),
    ];
    for (const one of wrong) book.reject(place, one.name, one.comment, one.input, twin);
  }
}

// Configuration -----------------------------------------------------------------------------------------------------

export function makeConfigParam(): Book {
  const book = new Book('config-param');
  for (const form of ['state', 'key-block'] as const) {
    for (let n = 0; n < 2; n++) {
      const make = (rule: string) => {
        const random = randomOf(`config-param ${rule} ${form} ${n}`);
        const elected = committee(`config ${rule} ${form} ${n}`);
        const config = configCell({ elected, ...(random() < 0.5 ? { temporary: elected } : {}) });
        const seqno = 5 + below(random, 1e7);
        const stateCell = makeState({ seqno, config });
        const keyed = { seqno, signedBy: elected, prevKeyBlockSeqno: 0, state: stateCell };
        return { block: makeBlock(form === 'state' ? keyed : { ...keyed, config }), state: stateCell, config };
      };
      const proofs = (world: ReturnType<typeof make>) => {
        const { block, state } = world;
        const stateProof =
          form === 'state'
            ? proofShowing(block.root, [...headerOf(block), ...everyCell(updateOf(block))])
            : new Uint8Array(0);
        return {
          mode: form === 'state' ? 0 : 0x8000,
          stateProof,
          configProof: form === 'state' ? bocOf(merkleProof(state)) : configProof(block),
        };
      };
      const of = (
        world: ReturnType<typeof make>,
        number: number,
        over: Partial<ReturnType<typeof proofs> & { id: BlockIdExt; block: BlockIdExt }> = {},
      ): Json => {
        const { mode, stateProof, configProof: shown } = { ...proofs(world), ...over };
        return {
          block: blockJson(over.block ?? world.block.id),
          number,
          answer: base64(tlConfig(mode, over.id ?? over.block ?? world.block.id, stateProof, shown)),
        };
      };
      const hashOf = (world: ReturnType<typeof make>, number: number): string => {
        const params = everyCell(world.config);
        const wanted = number === 0 ? 7n : 8n;
        const cell = params.find((one) => one.bits.length === 256 && one.beginParse().preloadUintBig(256) === wanted)!;
        return cell.hash().toString('hex');
      };
      const pair = (
        rule: string,
        flags: readonly string[],
        wrong: (world: ReturnType<typeof make>) => readonly Bad[],
        relabelled: (world: ReturnType<typeof make>) => readonly Bad[] = () => [],
      ) => {
        const world = make(rule);
        const value = { found: true, hash: hashOf(world, 40) };
        const good = { comment: 'A parameter with its proof.', input: of(world, 40), value };
        const marked = relabelled(world);
        // Asked for a state, tonlib reads the proofs alone, and they are good.
        const isState = form === 'state';
        book.pair(
          { rule, form, flags },
          `${n}-`,
          good,
          [...wrong(world), ...(isState ? [] : marked)],
          isState ? marked.map((one) => ({ ...one, reason: UNREAD_LABEL, value })) : [],
        );
      };
      pair(
        'fact-of-this-block',
        ['WRONG_BLOCK'],
        (world) => {
          const other = make('another');
          return [
            bad(
              'root-hash',
              'The final block has another root hash.',
              of(world, 40, { block: { ...world.block.id, rootHash: sha256(world.block.id.rootHash) } }),
            ),
            bad(
              'other-block',
              'Another block is final, and the answer is about that one.',
              of(world, 40, { block: other.block.id }),
            ),
            bad(
              'seqno',
              'The final block has another number than its header.',
              of(world, 40, { block: { ...world.block.id, seqno: world.block.id.seqno + 1 } }),
            ),
            bad(
              'other-proof',
              'The configuration is that of another block.',
              of(world, 40, { configProof: proofs(other).configProof }),
            ),
          ];
        },
        (world) => [
          bad(
            'answer-about-other',
            'The answer says that it is about another block.',
            of(world, 40, { id: make('another').block.id }),
          ),
        ],
      );
      pair(
        'state-of-block',
        ['WRONG_BLOCK'],
        (world) => {
          const other = make('another state');
          return form === 'state'
            ? [
                bad(
                  'other-state',
                  'This header with the state of another block.',
                  of(world, 40, { configProof: proofs(other).configProof }),
                ),
                bad('no-header', 'No proof of the block.', of(world, 40, { stateProof: new Uint8Array(0) })),
                bad(
                  'other-header',
                  'The state with the header of another block.',
                  of(world, 40, { stateProof: proofs(other).stateProof }),
                ),
              ]
            : [];
        },
        (world) => [
          form === 'state'
            ? bad('mode', 'The mode says that the proof is of a key block.', of(world, 40, { mode: 0x8000 }))
            : bad('mode', 'The mode says that the proof is of a state.', of(world, 40, { mode: 0 })),
        ],
      );
      pair('pruned-is-not-absent', ['PRUNED'], (world) => {
        const shown = coreCell(proofs(world).configProof);
        const cut = (hash: Buffer) =>
          bocOf(merkleProof(prune(shown.refs[0]!, (cell) => !cell.isExotic && cell.hash(0).equals(hash))));
        const left = world.config.refs[0]!.hash();
        return [
          bad(
            'configuration',
            'The configuration is cut off.',
            of(world, 40, { configProof: cut(world.config.hash()) }),
          ),
          bad(
            'absent-cut',
            'A number that is not there, and the configuration cut off.',
            of(world, 999, { configProof: cut(world.config.hash()) }),
          ),
          bad(
            'half-cut',
            'The half of the configuration where the number would be is cut off.',
            of(world, 1, { configProof: cut(left) }),
          ),
        ];
      });
      pair('merkle-proof-of-link', [], (world) => {
        const shown = coreCell(proofs(world).configProof);
        return [
          bad('in-a-proof', 'A proof inside a proof.', of(world, 40, { configProof: bocOf(merkleProof(shown)) })),
          bad(
            'two-roots',
            'A bag with two roots.',
            of(world, 40, { configProof: bagOf(shown, beginCell().endCell()) }),
          ),
          bad(
            'ordinary',
            'An ordinary cell with the bits of a Merkle proof.',
            of(world, 40, { configProof: bocOf(new CoreCell({ bits: shown.bits, refs: shown.refs })) }),
          ),
          bad('nothing', 'No proof at all.', of(world, 40, { configProof: new Uint8Array(0) })),
        ];
      });
      pair('answer-form', [], (world) => {
        const { mode, stateProof, configProof: shown } = proofs(world);
        return brokenAnswers(tlConfig(mode, world.block.id, stateProof, shown)).map(([name, comment, bytes]) =>
          bad(name, comment, { ...of(world, 40), answer: base64(bytes) }),
        );
      });
      if (form === 'key-block') {
        const world = make('state beside');
        const input = of(world, 40, { stateProof: bocOf(merkleProof(world.state)) });
        const why =
          'The key block proves it alone; whether a proof that nobody needs is a fault is the reader’s to say.';
        const value = { found: true, hash: hashOf(world, 40) };
        book.either(
          { rule: 'state-of-block', form, flags: [] },
          `${n}-with-state`,
          'A proof of a key block with a state beside it.',
          input,
          why,
          value,
        );
      }
      const absentWorld = make('absent');
      const place = { rule: 'absence-is-proven', form, flags: ['PRUNED'] };
      const leftmost = absentWorld.config.refs[0]!.hash();
      const shown = coreCell(proofs(absentWorld).configProof);
      const cutLeft = bocOf(
        merkleProof(prune(shown.refs[0]!, (cell) => !cell.isExotic && cell.hash(0).equals(leftmost))),
      );
      book.pair(
        place,
        `${n}-`,
        {
          comment: 'A number that the whole configuration does not have.',
          input: of(absentWorld, 1),
          value: { found: false },
        },
        [bad('cut', 'The place where it would be is cut off.', of(absentWorld, 1, { configProof: cutLeft }))],
      );
      for (const number of [999, -1, 2 ** 31 - 1, -(2 ** 31)]) {
        book.accept(
          place,
          `${n}-number-${number < 0 ? `minus${-number}` : number}`,
          'A number that the whole configuration does not have.',
          of(absentWorld, number),
          { found: false },
        );
      }
      book.accept(
        { rule: 'fact-of-this-block', form, flags: [] },
        `${n}-number-0`,
        'Parameter 0.',
        of(absentWorld, 0),
        { found: true, hash: hashOf(absentWorld, 0) },
      );
    }
  }
  makeUpdates(book);
  makeLabels(book);
  makeRecordedConfig(book);
  return book;
}

/** A configuration in the state after a block, which is given as its cells. */
function configInState(root: CoreCell, state: CoreCell, seqno: number, number: number): Json {
  const boc = bocOf(root);
  const { workchain, shard } = LIVE.block;
  const id = { workchain, shard, seqno, rootHash: Uint8Array.from(root.hash()), fileHash: sha256(boc) };
  const proof = bocOf(merkleProof(root));
  return { block: blockJson(id), number, answer: base64(tlConfig(0, id, proof, bocOf(merkleProof(state)))) };
}

/** The cell of a block from which the state after it follows. */
function makeUpdates(book: Book): void {
  const seqno = 5 + below(randomOf('config-param updates'), 1e7);
  const elected = committee('config updates');
  const config = configCell({ elected });
  const state = makeState({ seqno, config });
  const block = makeBlock({ seqno, signedBy: elected, prevKeyBlockSeqno: 0, state });
  const update = updateOf(block);
  const via = (cell: CoreCell) =>
    configInState(
      replaceAt(block.root, [2], () => cell),
      state,
      seqno,
      40,
    );
  const plain = (refs: CoreCell[]) => new CoreCell({ bits: update.bits, refs });
  const bare = beginCell().storeUint(0, 8).storeRef(beginCell().endCell()).storeRef(state).endCell();
  const hash = everyCell(config).find(
    (cell) => cell.bits.length === 256 && cell.beginParse().preloadUintBig(256) === 8n,
  );
  book.pair(
    { rule: 'state-of-block', form: 'update', flags: ['WRONG_BLOCK'] },
    '',
    {
      comment: 'The state that the Merkle update of the block leads to.',
      input: via(update),
      value: { found: true, hash: hash!.hash().toString('hex') },
    },
    [
      bad(
        'ordinary',
        'An ordinary cell with the bits of a Merkle update and this state below it.',
        via(plain([beginCell().endCell(), state])),
      ),
      bad('bare', 'An ordinary cell that has this state as its second reference.', via(bare)),
      bad('proof', 'A Merkle proof of the state in the place of the update.', via(merkleProof(state))),
      bad(
        'swapped',
        'An update that leads from this state to the one before.',
        via(merkleUpdate(update.refs[1]!, update.refs[0]!)),
      ),
    ],
  );
}

/** Labels of dictionaries: how long they are said to be, in each of their three forms. */
function makeLabels(book: Book): void {
  const seqno = 5 + below(randomOf('config-param labels'), 1e7);
  const elected = committee('config labels');
  const value = beginCell().storeUint(9, 256).endCell();
  const hash = value.hash().toString('hex');
  const via = (config: CoreCell, number: number) => {
    const state = makeState({ seqno, config });
    const block = makeBlock({ seqno, signedBy: elected, prevKeyBlockSeqno: 0, state });
    return configInState(block.root, state, seqno, number);
  };
  const bits = (text: string) => {
    const builder = beginCell();
    for (const bit of text) builder.storeBit(bit === '1');
    return builder;
  };
  const leaf = (label: string) => bits(label).storeRef(value).endCell();
  const number = (count: number, size: number) => count.toString(2).padStart(size, '0');
  const short = (key: string) => `0${'1'.repeat(key.length)}0${key}`;
  const long = (key: string, size = 6) => `10${number(key.length, size)}${key}`;
  const same = (bit: string, count: number, size = 6) => `11${bit}${number(count, size)}`;
  const fork = (label: string, left: CoreCell, right: CoreCell) => bits(label).storeRef(left).storeRef(right).endCell();
  const key = (bit: string, count = 32) => bit.repeat(count);
  for (const [form, ofLength] of [
    ['short', (bit: string, count: number) => short(bit.repeat(count))],
    ['long', (bit: string, count: number) => long(bit.repeat(count))],
    ['same', (bit: string, count: number) => same(bit, count)],
  ] as const) {
    const place = { rule: 'absence-is-proven', form: `label-${form}`, flags: ['HOSTILE'] };
    book.pair(
      place,
      '',
      {
        comment: 'A dictionary of one key, all ones; another number is not in it.',
        input: via(leaf(ofLength('1', 32)), 5),
        value: { found: false },
      },
      [33, 34, 48, 63].flatMap((count) =>
        ['0', '1'].map((bit) =>
          bad(
            `${count}-${bit}`,
            `A label of ${count} bits where a key has 32: it shows nothing.`,
            via(leaf(ofLength(bit, count)), bit === '1' ? 4 : -1),
          ),
        ),
      ),
    );
    book.accept(place, 'there', 'The key itself.', via(leaf(ofLength('1', 32)), -1), { found: true, hash });
    book.accept(place, 'zero', 'A dictionary of the key 0 alone.', via(leaf(ofLength('0', 32)), 0), {
      found: true,
      hash,
    });
  }
  // Below a fork there are 31 bits left.
  const below31 = (label: string) => fork(same('0', 0), leaf(label), leaf(long(key('1', 31), 5)));
  const place = { rule: 'absence-is-proven', form: 'label-below-fork', flags: ['HOSTILE'] };
  book.pair(
    place,
    '',
    {
      comment: 'A fork at the first bit with a key in each half; another number is in neither.',
      input: via(below31(long(key('0', 31), 5)), 5),
      value: { found: false },
    },
    [
      bad('short', 'A short label of 32 bits where 31 are left.', via(below31(short(key('1'))), 4)),
      bad(
        'short-zeros',
        'A short label of 33 bits, all zeros, where 31 are left.',
        via(below31(short(key('0', 33))), 2 ** 31 - 1),
      ),
    ],
  );
  for (const bit of ['0', '1'] as const) {
    // Of no bits, whatever bit it would repeat.
    const both = fork(same(bit, 0), leaf(long(key('0', 31), 5)), leaf(long(key('1', 31), 5)));
    book.accept(place, `empty-${bit}-left`, `A label that repeats ${bit} no times: the left half.`, via(both, 0), {
      found: true,
      hash,
    });
    book.accept(place, `empty-${bit}-right`, `A label that repeats ${bit} no times: the right half.`, via(both, -1), {
      found: true,
      hash,
    });
    book.accept(place, `empty-${bit}-absent`, `A label that repeats ${bit} no times: neither half.`, via(both, 7), {
      found: false,
    });
  }
}

function makeRecordedConfig(book: Book): void {
  for (const [form, file, id] of [
    ['live-state', 'config-from-state.tl', LIVE.block],
    ['live-key-block', 'config-from-key-block.tl', LIVE.keyBlock],
  ] as const) {
    const answer = liveBytes(file);
    const { configProof: shown } = parseLiteAnswer(answer, 'config');
    const place = {
      rule: 'fact-of-this-block',
      form,
      flags: ['SIMPLEX', 'WRONG_BLOCK'],
      source: `vectors/live/answers/${file}`,
    };
    const input = { block: blockJson(id), number: 34, answer: base64(answer) };
    const param34 = everyCell(coreCell(shown)).find(
      (cell) =>
        !cell.isExotic && cell.bits.length > 150 && cell.refs.length === 1 && cell.beginParse().preloadUint(8) === 0x12,
    )!;
    const other = form === 'live-state' ? LIVE.keyBlock : LIVE.block;
    book.pair(
      place,
      '',
      { comment: 'A recorded answer about parameter 34.', input, value: { found: true, hash: hex(param34.hash(0)) } },
      [bad('other-block', 'Another block is final.', { ...input, block: blockJson(other) })],
    );
  }
}
