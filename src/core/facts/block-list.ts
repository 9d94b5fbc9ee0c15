/** Proves all transactions of a block, or a window of them, in order. */

import { requireMembers } from '../base/arguments.ts';
import { equalBytes, isBytesOf } from '../base/bytes.ts';
import { HASH_BYTES, MAX_BLOCK_TRANSACTIONS, MAX_LISTED_TRANSACTIONS } from '../base/limits.ts';
import { flag, optional, readOptions, requireType } from '../base/options.ts';
import { ownBytesOf, ownList } from '../base/own-bytes.ts';
import { ownMembers } from '../base/present.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { type CellLike, parseBoc } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { walkEntries } from '../cells/long-keys.ts';
import { requireRootHash } from '../cells/merkle-proof.ts';
import { openBlock, readBlock, readProvenBlock } from '../chain/block-header.ts';
import { skipCurrencyCollection } from '../chain/key-block-config.ts';
import { trustError } from '../chain/shared-checks.ts';
import { requireSameNetwork } from '../verify/successor.ts';
import {
  ACCOUNT_BLOCK_TAIL,
  ltKey,
  readAccountBlock,
  readAccountBlocks,
  readTransactionRef,
} from './account-blocks.ts';
import { requireLt } from './fact-checks.ts';
import { type FactBase, factBase, factsOf, type ProvenBlock, requireAnswer } from './proven-block.ts';
import { foundTransaction, readGiven, type TransactionFact } from './transaction.ts';

/** Transactions of a block, in the requested order. */
export interface BlockTransactions extends FactBase {
  readonly kind: 'block-transactions';
  /** True if these are all transactions of the block. False for a window. */
  readonly complete: boolean;
  /**
   * True if no transaction follows in this order. Consecutive windows cover the whole block if three conditions hold:
   * the first was requested without `after`, each other one after the last entry of the previous one, and the last
   * reached the end.
   */
  readonly reachedEnd: boolean;
  readonly entries: readonly TransactionFact[];
}

/** The request for a list of transactions; the answer does not repeat it. */
export interface BlockListRequest {
  /** The list contains only entries after this one. */
  readonly after?: { readonly address: Uint8Array; readonly lt: bigint };
  /** The list begins at the highest address and the latest transaction. */
  readonly reverse?: boolean;
}

/** One line of a list of transactions, with the requested members. */
export interface ListedTransaction {
  /** 32 bytes. */
  readonly account?: Uint8Array;
  /** uint64. */
  readonly lt?: bigint;
  readonly hash?: Uint8Array;
}

/**
 * A proof of a list of transactions, such as `BlockListAnswer`. Without a list, the fact lists all transactions that the proof
 * shows.
 */
export interface BlockListProof<Bag extends CellLike = CellLike> {
  readonly id?: BlockIdExt;
  /** The server's claim that there are more. */
  readonly incomplete?: boolean;
  readonly ids?: readonly ListedTransaction[];
  /** One bag with a root for each transaction. */
  readonly transactions?: Uint8Array;
  readonly proof: Bag;
}

type ListEntry = Pick<TransactionFact, 'account' | 'lt'> & { readonly cell: Cell };

/** Visits the transactions of a block in order. @returns whether the visit reached the end */
function walkBlock(
  root: ReturnType<typeof readAccountBlocks>,
  workchain: number,
  { after, reverse = false }: BlockListRequest,
  visit: (entry: ListEntry) => boolean,
): boolean {
  if (root === undefined) return true;
  let count = 0;
  const order = { reverse, skipExtra: skipCurrencyCollection };
  const ofAccounts = { ...order, from: after?.address, maxEntries: MAX_BLOCK_TRANSACTIONS };
  return walkEntries(root, 32, ofAccounts, (address, entry) => {
    const list = readAccountBlock(entry, address);
    const account = Object.freeze({ workchain, address });
    const behind = after !== undefined && equalBytes(after.address, address) ? after.lt : undefined;
    const from = behind === undefined ? behind : ltKey(behind);
    const maxEntries = MAX_BLOCK_TRANSACTIONS - count;
    return walkEntries(list, 8, { ...order, rootTail: ACCOUNT_BLOCK_TAIL, from, maxEntries }, (key, leaf) => {
      const lt = new DataView(key.buffer).getBigUint64(0);
      const cell = readTransactionRef(leaf, list);
      if (lt === behind) return true;
      count++;
      return visit({ account, lt, cell });
    });
  });
}

const isListed = (listed: Uint8Array | undefined, bytes: Uint8Array): boolean =>
  listed === undefined || (isBytesOf(HASH_BYTES, listed) && equalBytes(listed, bytes));

function matches(listed: ListedTransaction, { account, lt }: ListEntry, hash: Uint8Array): boolean {
  if (listed.lt !== undefined && listed.lt !== lt) return false;
  return isListed(listed.account, account.address) && isListed(listed.hash, hash);
}

/** Copies the request, since it decides what is read and what the result says. */
function ownRequest(request: BlockListRequest): BlockListRequest {
  return readOptions(request, '', {
    reverse: flag(false),
    after: optional((after: Required<BlockListRequest>['after'], path) =>
      readOptions(after, path, {
        address: (given: Uint8Array, at) => ownBytesOf(HASH_BYTES, given, at),
        lt: requireLt,
      }),
    ),
  });
}

/**
 * Proves a list of the transactions of a block. The result is only complete if the proof shows the list to its end.
 * @param answer liteServer.blockTransactions or blockTransactionsExt as `parseLiteAnswer` returns it; or a proof alone,
 * which may be the whole block
 * @param block the proven block
 * @param request `after` and `reverse` of the request, by default all transactions in ascending order
 * @returns the transactions in the requested order; see `complete` and `reachedEnd`
 * @throws TrustError `trust/block-list` when the server's list differs from what the proof shows, and those of a
 * header; DecodeError; UsageError. Source: ton `crypto/block/check-proof.cpp`, BlockTransactionList::validate.
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk, parseLiteAnswer, verifyBlockTransactions } from 'ton-finality/facts';
 * const answers = 'vectors/live/answers';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/key-block-173.json', 'utf8')));
 * const block = blockOfWalk(verifyBlockProof(readFileSync(`${answers}/proof-key-block-to-block.tl`), checkpoint));
 * const answer = parseLiteAnswer(readFileSync(`${answers}/list-transactions.tl`), 'block-transactions');
 * console.log(verifyBlockTransactions(answer, block).entries.length); // 6
 * ```
 */
export function verifyBlockTransactions(
  answer: BlockListProof,
  block: ProvenBlock,
  request: BlockListRequest = {},
): BlockTransactions {
  const facts = factsOf(block);
  requireAnswer(facts, answer, 'proof');
  const asked = ownRequest(request);
  const { transactions, incomplete = false, ids: rows } = ownMembers(answer);
  const ids = rows === undefined ? undefined : ownList(rows, 'answer.ids');
  requireType(incomplete, 'boolean', 'answer.incomplete');
  const opened = openBlock(answer.proof, 'proof');
  requireRootHash(opened.root, facts.id.rootHash, 'proof');
  const parts = readBlock(opened.root, 'proof');
  requireSameNetwork(parts.globalId, facts.globalId, 'proof');
  // Servers leave the header out of this proof; a proven block id does not need it.
  const header = parts.info.kind === 'pruned' ? undefined : readProvenBlock(opened.root, facts.id, 'proof').header;
  const base = factBase(facts, header);
  const isBare = transactions === undefined || isBytesOf(0, transactions);
  const roots = isBare ? undefined : parseBoc(transactions, 'transactions', MAX_LISTED_TRANSACTIONS);
  const listed = ids ?? roots ?? (transactions === undefined ? undefined : []);
  const differs = (message: string) => trustError('trust/block-list', message, 'answer.ids');
  const requireCount = (count: number, where: string) => {
    if (listed !== undefined && listed.length !== count) {
      throw differs(`${listed.length} are listed, ${where} ${count}`);
    }
  };
  requireCount(roots?.length ?? listed?.length ?? 0, 'given are');
  const entries: TransactionFact[] = [];
  // A window ends with the server's list: after it the proof may be pruned.
  const isFull = () => incomplete && entries.length === listed?.length;
  const atEnd =
    !isFull() &&
    walkBlock(readAccountBlocks(parts, 'proof'), facts.id.workchain, asked, (entry) => {
      const { account, lt, cell } = entry;
      const at = entries.length;
      const hash = cell.hash(0);
      if (listed !== undefined && at >= listed.length) throw differs(`more than ${at}`);
      if (ids !== undefined && !matches(requireMembers(ids[at], 'a line', `answer.ids[${at}]`), entry, hash))
        throw differs(`entry ${at} is not the block's`);
      const given = roots?.[at] ?? (cell.kind === 'ordinary' && cell.level === 0 ? cell : undefined);
      const read = given && readGiven(given, hash, account, lt, `transactions[${at}]`, 'trust/block-list');
      entries.push(foundTransaction({ account, lt, ...base }, hash, read, facts));
      return !isFull();
    });
  requireCount(entries.length, 'the block holds');
  const reachedEnd = atEnd && !incomplete;
  return Object.freeze({
    kind: 'block-transactions',
    complete: reachedEnd && asked.after === undefined,
    reachedEnd,
    entries: Object.freeze(entries),
    ...base,
  });
}
