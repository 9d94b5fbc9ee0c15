/** All transactions of a proven block, or a window of them, in order. */
import { equalBytes } from '../base/bytes.ts';
import { MAX_BLOCK_TRANSACTIONS } from '../base/limits.ts';
import { parseBoc } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { walkEntries } from '../cells/long-keys.ts';
import { requireRootHash } from '../cells/merkle-proof.ts';
import { openBlock, readBlock, readProvenBlock } from '../chain/block-header.ts';
import { skipCurrencyCollection } from '../chain/key-block-config.ts';
import { trustError } from '../chain/shared-checks.ts';
import {
  ACCOUNT_BLOCK_TAIL,
  ltKey,
  readAccountBlock,
  readAccountBlocks,
  readTransactionRef,
} from './account-blocks.ts';
import type { AccountId } from './account-id.ts';
import type { BlockListAnswer, ListedTransaction } from './answers.ts';
import {
  type FactBase,
  factBase,
  factsOf,
  type ProvenBlock,
  requireAnswerFor,
  requireNetworkOf,
} from './proven-block.ts';
import { foundTransaction, readGiven, type TransactionFact } from './transaction.ts';

/** Transactions of a block, in the order in which they were asked for. */
export interface BlockTransactions extends FactBase {
  readonly kind: 'block-transactions';
  /** These are all transactions of the block. False for a window. */
  readonly complete: boolean;
  readonly entries: readonly TransactionFact[];
}

/** What was asked for; the answer does not repeat it. */
export interface BlockListRequest {
  /** Only what comes behind this one. */
  readonly after?: { readonly address: Uint8Array; readonly lt: bigint };
  /** From the highest address and the latest transaction down. */
  readonly reverse?: boolean;
}

/** What a proof of a list consists of; `BlockListAnswer` is one. Without a list, what the proof shows is listed. */
export type BlockListProof = Pick<BlockListAnswer, 'proof'> &
  Partial<Pick<BlockListAnswer, 'id' | 'ids' | 'transactions' | 'incomplete'>>;

interface Entry {
  readonly account: AccountId;
  readonly lt: bigint;
  readonly cell: Cell;
}

/** Visits the transactions of a block in order. @returns whether it came to the end */
function walkBlock(
  root: ReturnType<typeof readAccountBlocks>,
  workchain: number,
  { after, reverse = false }: BlockListRequest,
  visit: (entry: Entry) => boolean,
): boolean {
  if (root === undefined) return true;
  let count = 0;
  const skipExtra = skipCurrencyCollection;
  const accounts = { reverse, skipExtra, maxEntries: MAX_BLOCK_TRANSACTIONS };
  return walkEntries(
    root,
    32,
    after === undefined ? accounts : { ...accounts, from: after.address },
    (address, entry) => {
      const list = readAccountBlock(entry, address);
      const account = Object.freeze({ workchain, address });
      const behind = after !== undefined && equalBytes(after.address, address) ? after.lt : undefined;
      const order = { reverse, skipExtra, rootTail: ACCOUNT_BLOCK_TAIL, maxEntries: MAX_BLOCK_TRANSACTIONS - count };
      return walkEntries(list, 8, behind === undefined ? order : { ...order, from: ltKey(behind) }, (key, leaf) => {
        const lt = new DataView(key.buffer).getBigUint64(0);
        const cell = readTransactionRef(leaf, list);
        if (lt === behind) return true;
        count++;
        return visit({ account, lt, cell });
      });
    },
  );
}

function matches(listed: ListedTransaction, { account, lt }: Entry, hash: Uint8Array): boolean {
  return (
    (listed.account === undefined || equalBytes(listed.account, account.address)) &&
    (listed.lt === undefined || listed.lt === lt) &&
    (listed.hash === undefined || equalBytes(listed.hash, hash))
  );
}

/**
 * Proves a list of the transactions of a block. "These are all" is said only when the proof shows the list to its end.
 * @param answer liteServer.blockTransactions or blockTransactionsExt; or a proof alone, which may be the whole block
 * @throws TrustError `trust/block-list` when the server's list is not what the proof shows, and those of a header;
 * DecodeError. Source: ton `crypto/block/check-proof.cpp`, BlockTransactionList::validate.
 */
export function verifyBlockTransactions(
  answer: BlockListProof,
  block: ProvenBlock,
  request: BlockListRequest = {},
): BlockTransactions {
  const facts = factsOf(block);
  const { id, ids, transactions, incomplete = false } = answer;
  requireAnswerFor(facts, id);
  const opened = openBlock(answer.proof, 'proof');
  requireRootHash(opened.root, facts.id.rootHash, 'proof');
  const parts = readBlock(opened.root, 'proof');
  requireNetworkOf(facts, parts.globalId, 'proof');
  // Servers leave the header out of this proof; the id of a proven block is bound without it.
  const header = parts.info.kind === 'pruned' ? undefined : readProvenBlock(opened.root, facts.id, 'proof').header;
  const base = factBase(facts, header);
  const isBare = transactions === undefined || transactions.length === 0;
  const roots = isBare ? undefined : parseBoc(transactions, 'transactions');
  const listed = ids ?? roots ?? (transactions === undefined ? undefined : []);
  const differs = (message: string) => trustError('trust/block-list', message, 'answer.ids');
  if (roots !== undefined && roots.length !== listed?.length) {
    throw differs(`${listed?.length} are listed, ${roots.length} are given`);
  }
  const entries: TransactionFact[] = [];
  // A window is read no further than its list: behind it the proof may be cut off.
  const isFull = () => incomplete && entries.length === listed?.length;
  const atEnd =
    !isFull() &&
    walkBlock(readAccountBlocks(parts, 'proof'), facts.id.workchain, request, (entry) => {
      const { account, lt, cell } = entry;
      const at = entries.length;
      const hash = cell.hash(0);
      if (listed !== undefined && at >= listed.length) throw differs(`more than ${at}`);
      const named = ids?.[at];
      if (named !== undefined && !matches(named, entry, hash)) throw differs(`entry ${at} is not the block's`);
      const given = roots?.[at] ?? (cell.kind === 'ordinary' && cell.level === 0 ? cell : undefined);
      const read =
        given === undefined
          ? undefined
          : readGiven(given, hash, account, lt, `transactions[${at}]`, 'trust/block-list');
      entries.push(foundTransaction({ account, lt, ...base }, hash, read));
      return !isFull();
    });
  if (listed !== undefined && listed.length !== entries.length) {
    throw differs(`${listed.length} are listed, the block holds ${entries.length} of them`);
  }
  return Object.freeze({
    kind: 'block-transactions',
    complete: atEnd && !incomplete && request.after === undefined,
    entries: Object.freeze(entries),
    ...base,
  });
}
