/**
 * Proves one account in the state after a proven block: hash, balance and last transaction, or absence, or contents. A state belongs to one block and does not prove the present state.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes, isBytesOf } from '../base/bytes.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_SPLIT_DEPTH } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { present } from '../base/present.ts';
import { registry } from '../base/registry.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { CellLike } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { lookupBytes } from '../cells/dictionary.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import { Slice } from '../cells/slice.ts';
import { skipCurrencyCollection } from '../chain/key-block-config.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type AccountData, readAccountCell, requireAccountAddress } from './account-cell.ts';
import { type AccountId, type AccountLike, requireAccount, requireInShard, shortAccount } from './account-id.ts';
import { type Currency, readCurrency } from './currency.ts';
import { contradiction, notGiven, requireMember, requireWord, shardContradiction, unproven } from './fact-checks.ts';
import {
  type BlockFacts,
  type FactBase,
  factBase,
  factsOf,
  type ProvenBlock,
  requireAnswerFor,
} from './proven-block.ts';
import { openStateProof, readStateAfter, type StateParts } from './proven-state.ts';
import { checkNamedTop } from './shard-top.ts';
import { type KeptFact, openGiven } from './transaction.ts';

/** An account in the state after a proven block. */
export interface AccountFact extends FactBase {
  readonly kind: 'account';
  readonly found: true;
  readonly account: AccountId;
  /** Hash of the account's cell. */
  readonly accountHash: Uint8Array;
  /** The last transaction of the account up to this block. */
  readonly lastTransHash: Uint8Array;
  readonly lastTransLt: bigint;
  readonly balance: Currency;
  /** The account's cell, if the answer contains it; `accountDataOf` reads it. */
  readonly cell?: Cell;
}

/** The proven absence of an account in the state after a proven block. */
export interface NoAccount extends FactBase {
  readonly kind: 'account';
  readonly found: false;
  readonly account: AccountId;
  /**
   * Why the account is absent: no entry; an entry that says "none", as the account was deleted; or a workchain without
   * shards.
   */
  readonly reason: 'no-entry' | 'deleted' | 'no-shard';
}

/** Options of `verifyAccount`. */
export interface AccountOptions {
  /**
   * Default 'required': an answer that leaves out an existing account is rejected. With 'optional' hash and balance
   * suffice.
   */
  readonly bag?: 'required' | 'optional';
}

/** A proof of an account, such as `AccountStateAnswer`. */
export interface AccountProof<Bag extends CellLike = CellLike> {
  readonly id?: BlockIdExt;
  /** The block of the account's shard; its workchain is -2^31 if the server knows none. */
  readonly shardBlock?: BlockIdExt;
  /** Two roots, header and state of `id`; empty for an account of the masterchain. */
  readonly shardProof?: Uint8Array;
  /** Two roots: header and state of `shardBlock`. */
  readonly proof: Uint8Array;
  /** The account; empty if it does not exist. */
  readonly state?: Bag;
}

/** The facts that were proven here, each with a private copy of the start of a history. */
type LastTransaction = Pick<KeptFact, 'account' | 'hash'> & { readonly facts: BlockFacts; readonly lt: bigint };
const lastTransactions = registry<LastTransaction>();

/** The last transaction of an account that was proven here; `undefined` for any other object. */
export function lastTransactionOf(fact: object) {
  return lastTransactions.own(fact);
}

/** account_none$0: an account that was deleted. Source: ton `crypto/block/block.tlb`. */
const noneHash = /* @__PURE__ */ sha256(Uint8Array.of(0, 1, 0x40)); // no references, one bit, which is 0

/** Whether servers send this cell for an account that was deleted. */
export function isNoAccount(cell: Cell): boolean {
  return equalBytes(cell.hash(0), noneHash);
}

/** The parts of a proof as cells. */
export interface AccountParts {
  readonly state: StateParts;
  /** The account's cell, or a part of it. */
  readonly account: Cell | undefined;
  /** Do not read an account that the proof itself shows. */
  readonly onlyHash?: boolean;
}

/** depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo; 5 bits hold 0 to 30. */
function readDepthBalance(slice: Slice): Currency {
  if (slice.uint(5) > MAX_SPLIT_DEPTH) throw slice.error(`a split depth above ${MAX_SPLIT_DEPTH}`);
  return readCurrency(slice);
}

function skipDepthBalance(slice: Slice): void {
  slice.skip(5);
  skipCurrencyCollection(slice);
}

/**
 * _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;
 * account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
 * Source: ton `crypto/block/block.tlb`.
 */
function findAccount(accounts: Cell, address: Uint8Array, path: string) {
  const slice = new Slice(accounts, path);
  const root = slice.maybeRef();
  skipDepthBalance(slice);
  slice.end();
  const entry = root === undefined ? undefined : lookupBytes(new Slice(root, path), address, skipDepthBalance);
  if (entry === undefined) return undefined;
  const balance = readDepthBalance(entry);
  const cell = entry.ref();
  const lastTransHash = entry.bytes(32);
  const lastTransLt = entry.uint64();
  entry.end();
  return { balance, cell, lastTransHash, lastTransLt };
}

/** Source of the steps: ton `crypto/block/check-proof.cpp`, check_account_proof. */
export function checkAccount(parts: AccountParts, facts: BlockFacts, account: AccountId): AccountFact | NoAccount {
  requireInShard(facts.id, account);
  const { state, genUtime } = readStateAfter(parts.state, facts, 'proof');
  const base = { kind: 'account' as const, account: requireAccount(account), ...factBase(facts, { genUtime }) };
  const entry = findAccount(state.accounts, account.address, 'proof[1].accounts');
  const given = parts.account;
  if (entry === undefined) {
    if (given === undefined) return Object.freeze({ found: false, reason: 'no-entry', ...base });
    throw contradiction(shortAccount(account), 'state', 'state');
  }
  const accountHash = entry.cell.hash(0);
  if (given !== undefined && !equalBytes(given.hash(0), accountHash)) {
    throw trustError('trust/account-hash', `the state is not the one of ${shortAccount(account)}`, 'state');
  }
  if (isNoAccount(entry.cell)) return Object.freeze({ found: false, reason: 'deleted', ...base });
  const isShown = parts.onlyHash !== true && entry.cell.kind === 'ordinary';
  const cell = given ?? (isShown ? entry.cell : undefined);
  if (cell !== undefined) requireAccountAddress(cell, account, 'state');
  const { balance, lastTransHash, lastTransLt } = entry;
  const proven = { accountHash, lastTransHash, lastTransLt, balance };
  const fact: AccountFact = { found: true, ...proven, ...base, ...present({ cell }) };
  const last = { facts, account, lt: lastTransLt, hash: lastTransHash.slice() };
  return lastTransactions.make(fact, last);
}

/** Opens the bag of the account: the account, or a Merkle proof of a part of it. */
export function openAccount(boc: CellLike | undefined): Cell | undefined {
  const root = openGiven(boc, 'state');
  if (root === undefined) return undefined;
  if (root.kind === 'merkle-proof') return openMerkleProof(root, 'state');
  if (root.level !== 0) throw trustError('trust/account-hash', 'expected a whole account, got a part of one', 'state');
  return root;
}

/**
 * Makes the fact that a masterchain block lists no shard of a workchain, so that no account of this workchain exists.
 */
export function noShard(facts: BlockFacts, account: AccountId, genUtime: number): NoAccount {
  const base = { account: requireAccount(account), ...factBase(facts, { genUtime }) };
  return Object.freeze({ kind: 'account', found: false, reason: 'no-shard', ...base });
}

/**
 * Proves an account in the state after a block, or its absence.
 * @param answer liteServer.accountState as `parseLiteAnswer` returns it, or its parts
 * @param block the masterchain block of the answer; or a proven block of the account's own shard, and then `shardProof`
 * is not read
 * @param account an id, or an `Address` of `@ton/core`
 * @param opts `bag`: 'required' (the default) rejects an answer without the contents of an existing account, 'optional'
 * accepts it
 * @returns the fact; `found` is false for a proven absence
 * @throws TrustError naming the broken rule, `trust/state-missing` for an existing account whose contents were left
 * out; DecodeError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk, parseAccountId, parseLiteAnswer, verifyAccount } from 'ton-finality/facts';
 * const answers = 'vectors/live/answers';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/key-block-173.json', 'utf8')));
 * const block = blockOfWalk(verifyBlockProof(readFileSync(`${answers}/proof-key-block-to-block.tl`), checkpoint));
 * const answer = parseLiteAnswer(readFileSync(`${answers}/account-config.tl`), 'account-state');
 * const fact = verifyAccount(answer, block, parseAccountId(`-1:${'55'.repeat(32)}`));
 * console.log(fact.found && fact.balance.grams); // 10000000000n
 * ```
 */
export function verifyAccount(
  answer: AccountProof,
  block: ProvenBlock,
  account: AccountLike,
  opts: AccountOptions = {},
): AccountFact | NoAccount {
  let facts = factsOf(block);
  requireMember(answer, 'proof', 'an answer', 'answer');
  const { bag = 'required' } = requireOptions(opts, ['bag']);
  requireWord(bag, 'bag', 'required', 'optional');
  const asked = requireAccount(account);
  const { id, shardBlock, shardProof = new Uint8Array(0), proof, state } = answer;
  const inMasterchain = facts.id.workchain === MASTERCHAIN_WORKCHAIN;
  if (inMasterchain) requireAnswerFor(facts, id);
  if (inMasterchain && asked.workchain !== MASTERCHAIN_WORKCHAIN) {
    const { below, genUtime } = checkNamedTop(shardBlock, shardProof, facts, asked);
    const isBare = isBytesOf(0, proof) && (state === undefined || isBytesOf(0, state));
    if (below === undefined && isBare) return noShard(facts, asked, genUtime);
    if (below === undefined || (isBare && shardBlock === undefined)) throw shardContradiction();
    facts = below;
  } else {
    if (inMasterchain && !isBytesOf(0, shardProof)) {
      throw contradiction('a proof of a shard', 'masterchain', 'answer.shard_proof');
    }
    requireAnswerFor(facts, shardBlock, 'answer.shardblk');
  }
  // An account that the proof itself shows is only read where the contents may be left out.
  const parts = { state: openStateProof(proof, 'proof'), account: openAccount(state), onlyHash: bag !== 'optional' };
  const fact = checkAccount(parts, facts, asked);
  if (fact.found && parts.onlyHash && parts.account === undefined) {
    throw notGiven(shortAccount(asked), 'state', "bag: 'optional' does without");
  }
  return fact;
}

/**
 * Reads the contents of a proven account: code, data, balance and storage.
 * @param fact the original object that `verifyAccount` or `verifyCertificate` returned
 * @returns the contents; cells may be pruned if the answer showed only a part
 * @throws TrustError `trust/state-missing` when the answer left out the contents; `trust/pruned`; DecodeError
 * `decode/boc`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { accountDataOf, parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/jetton-checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/jetton-master.fin.boc'));
 * const [, fact] = verifyCertificate(certificate, { checkpoint }).facts;
 * console.log(fact.kind === 'account' && fact.found && accountDataOf(fact).status); // active
 * ```
 */
export function accountDataOf(fact: AccountFact): AccountData {
  const own = lastTransactions.own(fact);
  if (own === undefined) throw unproven('an account', 'account');
  if (fact.cell === undefined) throw notGiven('the account', 'account');
  return readAccountCell(fact.cell, own.account, 'account');
}
