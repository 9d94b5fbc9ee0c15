/**
 * The history of an account, from a proven transaction backwards: each transaction names the one before it. So the list
 * has no gaps, and needs no proof of any block.
 */
import { badArgument, isObject, requireMembers } from '../base/arguments.ts';
import { equalBytes } from '../base/bytes.ts';
import { HASH_BYTES, MAX_HISTORY_TRANSACTIONS } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { ownBytesOf, ownList } from '../base/own-bytes.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { parseBoc } from '../cells/boc.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type AccountId, type AccountLike, requireAccount } from './account-id.ts';
import { type AccountFact, lastTransactionOf } from './account-state.ts';
import { type BlockFacts, type BlockProvenance, factBase } from './proven-block.ts';
import { requireLt } from './refusals.ts';
import { keepTransaction } from './transaction.ts';
import { isAt, readTransaction, type TransactionData } from './transaction-cell.ts';

/** A transaction of an account's history. The proof shows that the transaction is past, not which block contains it. */
export interface HistoryFact {
  readonly kind: 'history';
  readonly found: true;
  readonly account: AccountId;
  readonly lt: bigint;
  readonly hash: Uint8Array;
  readonly transaction: TransactionData;
  /** The block after whose state the account was proven: the transaction stands in it or in an earlier one. */
  readonly upTo?: BlockIdExt;
  /** Of that block; `given` when the caller named the transaction to start from. */
  readonly provenance: BlockProvenance | { readonly kind: 'given' };
}

/** A transaction that the caller trusts. */
export interface HistoryStart {
  readonly account: AccountLike;
  readonly lt: bigint;
  readonly hash: Uint8Array;
}

/** How far to read. */
export interface HistoryOptions {
  /** Default 1000: more transactions than this are refused. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 1000;

/** Up to which block a history goes, and why that is believed, in copies. */
function upToBlock(facts: BlockFacts) {
  const { block: upTo, provenance } = factBase(facts);
  return { upTo, provenance };
}

function startOf(from: AccountFact | HistoryStart) {
  const known = lastTransactionOf(from);
  if (known !== undefined) {
    const { facts, account, lt, hash } = known;
    return { account, lt, hash, facts, base: () => upToBlock(facts) };
  }
  const given = requireMembers(from, 'an account or a transaction', 'from') as unknown as HistoryStart; // looked at here
  const { lt, hash } = given;
  const account = requireAccount(given.account, 'from.account');
  requireLt(lt, 'from.lt');
  const provenance = Object.freeze({ kind: 'given' as const });
  return {
    account,
    lt,
    hash: ownBytesOf(HASH_BYTES, hash, 'from.hash'),
    facts: undefined,
    base: () => ({ provenance }),
  };
}

/** Transactions of an account backwards, such as `TransactionListAnswer`. */
export interface HistoryProof {
  /** One bag with a root for each transaction, the newest first. */
  readonly transactions: Uint8Array;
}

/**
 * Proves the transactions of an account, the newest first. Between two neighbours the account had none, and after the
 * first one none up to the block of the account's state. The one with `prevTransLt` 0 is the first ever.
 * @param answers liteServer.transactionList, one after the other, each from where the one before it ended
 * @param from the account, proven; or a transaction of it that you know of, and every fact says so
 * @throws TrustError `trust/history` where the chain breaks; DecodeError; UsageError
 * Source: ton `crypto/block/check-proof.cpp`, TransactionList::validate.
 */
export function verifyHistory(
  answers: readonly HistoryProof[],
  from: AccountFact | HistoryStart,
  opts: HistoryOptions = {},
): readonly HistoryFact[] {
  const { limit = DEFAULT_LIMIT } = requireOptions(opts, ['limit']);
  if (typeof limit !== 'number' || !(limit >= 0)) throw badArgument('limit', 'a number', limit);
  const { account, lt: newest, hash: newestHash, facts: under, base } = startOf(from);
  let expected = { lt: newest, hash: newestHash };
  const facts: HistoryFact[] = [];
  for (const [index, answer] of ownList(answers, 'answers').entries()) {
    const path = `answers[${index}].transactions`;
    const given = isObject(answer) ? answer.transactions : undefined;
    const roots = parseBoc(given as Uint8Array, path, MAX_HISTORY_TRANSACTIONS); // it is looked at there
    for (const [k, root] of roots.entries()) {
      const at = `${path}[${k}]`;
      const broken = (message: string) => trustError('trust/history', message, at);
      if (facts.length >= limit) throw broken(`more than ${limit} transactions`);
      if (expected.lt === 0n) throw broken('a transaction before the first one');
      if (root.level !== 0 || !equalBytes(root.hash(), expected.hash)) {
        throw broken(`another transaction than lt ${expected.lt} is due`);
      }
      const read = readTransaction(root, at);
      const { lt, prevTransHash, prevTransLt } = read.data;
      if (!isAt(read, account, expected.lt)) throw broken('a transaction of another account or time');
      if (prevTransLt >= lt) throw broken(`lt ${lt} follows a later one, ${prevTransLt}`);
      const fact: HistoryFact = Object.freeze({
        kind: 'history',
        found: true,
        account: requireAccount(account),
        lt,
        hash: expected.hash.slice(),
        transaction: read.data,
        ...base(),
      });
      keepTransaction(fact, read, { account, facts: under, hash: expected.hash });
      facts.push(fact);
      expected = { lt: prevTransLt, hash: prevTransHash.slice() };
    }
  }
  return Object.freeze(facts);
}
