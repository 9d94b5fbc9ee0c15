/**
 * Proves the history of an account, from a proven transaction backwards: each transaction names the previous one. The
 * list therefore has no gaps, and needs no proof of a block.
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
import { requireLt } from './fact-checks.ts';
import { type BlockFacts, type BlockProvenance, factBase } from './proven-block.ts';
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
  /** The block after whose state the account was proven. The transaction is in this block or in an earlier one. */
  readonly upTo?: BlockIdExt;
  /** The provenance of this block; `given` if you named the transaction to start from. */
  readonly provenance: BlockProvenance | { readonly kind: 'given' };
}

/** A transaction that the caller trusts. */
export interface HistoryStart {
  readonly account: AccountLike;
  readonly lt: bigint;
  readonly hash: Uint8Array;
}

/** Options of `verifyHistory`. */
export interface HistoryOptions {
  /** Default 1000: a longer history is rejected. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 1000;

const GIVEN = /* @__PURE__ */ Object.freeze({ kind: 'given' as const });

/** Copies the block up to which a history goes, and why this block is trusted. */
function baseOf(facts: BlockFacts | undefined) {
  if (facts === undefined) return { provenance: GIVEN };
  const { block: upTo, provenance } = factBase(facts);
  return { upTo, provenance };
}

function startOf(from: AccountFact | HistoryStart) {
  const known = lastTransactionOf(from);
  if (known !== undefined) return known;
  const given = requireMembers(from, 'an account or a transaction', 'from') as unknown as HistoryStart; // each member is checked below
  const { lt, hash } = given;
  const account = requireAccount(given.account, 'from.account');
  requireLt(lt, 'from.lt');
  return { account, lt, hash: ownBytesOf(HASH_BYTES, hash, 'from.hash'), facts: undefined };
}

/** Transactions of an account backwards, such as `TransactionListAnswer`. */
export interface HistoryProof {
  /** One bag with a root for each transaction, the newest first. */
  readonly transactions: Uint8Array;
}

/**
 * Proves the transactions of an account, the newest first. The account had no transaction between two entries, and none
 * after the first entry up to the block of the account's state. The entry with `prevTransLt` 0 is the first transaction
 * since the account was deployed: an account that was deleted and deployed again has older ones.
 * @param answers liteServer.transactionList as `parseLiteAnswer` returns it, each starting where the previous one ended
 * @param from the proven account; or a transaction of it that you trust, and then every fact says so
 * @param opts `limit`, the largest number of transactions, by default 1000
 * @returns a fact for each transaction, the newest first
 * @throws TrustError `trust/history` where the chain breaks; DecodeError; UsageError Source: ton
 * `crypto/block/check-proof.cpp`, TransactionList::validate.
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk, parseAccountId, parseLiteAnswer, verifyAccount, verifyHistory } from 'ton-finality/facts';
 * const answers = 'vectors/live/answers';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/key-block-173.json', 'utf8')));
 * const block = blockOfWalk(verifyBlockProof(readFileSync(`${answers}/proof-key-block-to-block.tl`), checkpoint));
 * const state = parseLiteAnswer(readFileSync(`${answers}/account-config.tl`), 'account-state');
 * const account = verifyAccount(state, block, parseAccountId(`-1:${'55'.repeat(32)}`));
 * if (!account.found) throw new Error('no account');
 * const list = parseLiteAnswer(readFileSync(`${answers}/history.tl`), 'transaction-list');
 * console.log(verifyHistory([list], account).length); // 8
 * ```
 */
export function verifyHistory(
  answers: readonly HistoryProof[],
  from: AccountFact | HistoryStart,
  opts: HistoryOptions = {},
): readonly HistoryFact[] {
  const { limit = DEFAULT_LIMIT } = requireOptions(opts, ['limit']);
  if (typeof limit !== 'number' || !(limit >= 0)) throw badArgument('limit', 'a number', limit);
  const { account, facts: under, ...newest } = startOf(from);
  let expected = newest;
  const facts: HistoryFact[] = [];
  for (const [index, answer] of ownList(answers, 'answers').entries()) {
    const path = `answers[${index}].transactions`;
    const given = isObject(answer) ? answer.transactions : undefined;
    const roots = parseBoc(given as Uint8Array, path, MAX_HISTORY_TRANSACTIONS); // `parseBoc` checks it
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
      const fact: HistoryFact = {
        kind: 'history',
        found: true,
        account: requireAccount(account),
        lt,
        hash: expected.hash.slice(),
        transaction: read.data,
        ...baseOf(under),
      };
      facts.push(keepTransaction(fact, { account, facts: under, hash: expected.hash, cells: read }));
      expected = { lt: prevTransLt, hash: prevTransHash.slice() };
    }
  }
  return Object.freeze(facts);
}
