/** Proves one transaction of a proven block, or its absence. */

import { equalBytes, isBytesOf } from '../base/bytes.ts';
import type { TrustErrorCode } from '../base/errors.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { flag, optional, readOptions } from '../base/options.ts';
import { ownBytesOf } from '../base/own-bytes.ts';
import { present } from '../base/present.ts';
import { registry } from '../base/registry.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { openBlock, readProvenBlock } from '../chain/block-header.ts';
import { trustError } from '../chain/shared-checks.ts';
import { requireSameNetwork } from '../verify/successor.ts';
import { findTransaction } from './account-blocks.ts';
import { type AccountId, type AccountLike, requireAccount, requireInShard } from './account-id.ts';
import { contradiction, notGiven, requireLt, unproven } from './fact-checks.ts';
import { type BlockFacts, type FactBase, factBase, factsOf, type ProvenBlock, requireAnswer } from './proven-block.ts';
import { isAt, readTransaction, type TransactionCells, type TransactionData } from './transaction-cell.ts';

/** A transaction contained in a proven block. The transaction may have failed: check `transaction.outcome.success`. */
export interface TransactionFact extends FactBase {
  readonly kind: 'transaction';
  readonly found: true;
  readonly account: AccountId;
  /** uint64. */
  readonly lt: bigint;
  /** Hash of the transaction's cell. */
  readonly hash: Uint8Array;
  /** The contents, if the answer included them. Otherwise only the hash is proven. */
  readonly transaction?: TransactionData;
}

/** The proven absence of a transaction in a proven block. */
export interface NoTransaction extends FactBase {
  readonly kind: 'transaction';
  readonly found: false;
  readonly account: AccountId;
  readonly lt: bigint;
  /** What proves the absence: the block's range of logical times, its list of accounts, or the account's list. */
  readonly reason: 'lt-outside-block' | 'account-not-in-block' | 'lt-not-in-account';
}

/** The transaction to look for. */
export interface TransactionRequest {
  readonly account: AccountLike;
  /** uint64. */
  readonly lt: bigint;
  /** 32 bytes, if you know the hash in advance: a different transaction is then an error, and so is none. */
  readonly hash?: Uint8Array;
  /** Rejects a transaction that failed or is absent. */
  readonly requireSuccess?: boolean;
}

/** A proof of a transaction, such as `TransactionAnswer`. */
export interface TransactionProof<Bag extends CellLike = CellLike> {
  readonly id?: BlockIdExt;
  readonly proof: Bag;
  /** Empty if there is none. */
  readonly transaction?: Bag;
}

/** The provenance of a transaction that was proven here, and its cells. */
export interface KeptFact {
  /** In bytes that no other code holds, since callers get the data. */
  readonly account: AccountId;
  /** `undefined` if the caller trusts the transaction. */
  readonly facts: BlockFacts | undefined;
  readonly hash: Uint8Array;
  readonly cells: TransactionCells | undefined;
}

/** The facts that were proven here, with the cells of those whose contents were given. */
const transactions = registry<KeptFact>();

/** Registers and freezes a fact. @param kept in bytes that no other code holds */
export function keepTransaction<T extends object>(fact: T, kept: KeptFact): Readonly<T> {
  return transactions.make(fact, kept);
}

/** Makes the fact of a transaction. @param read its contents, if they were given */
export function foundTransaction(
  place: FactBase & Pick<TransactionFact, 'account' | 'lt'>,
  hash: Uint8Array,
  read: TransactionCells | undefined,
  facts: BlockFacts | undefined,
): TransactionFact {
  const data = present({ transaction: read?.data });
  const fact: TransactionFact = { kind: 'transaction', found: true, hash, ...place, ...data };
  // The fact shows its account and hash, so copies of both are kept.
  return keepTransaction(fact, { account: requireAccount(place.account), facts, hash: hash.slice(), cells: read });
}

/** Returns the provenance of a transaction that was proven here. @throws TrustError `trust/unproven-block` */
export function provenUnder(fact: object): KeptFact {
  const kept = transactions.own(fact);
  if (kept !== undefined) return kept;
  throw unproven('a transaction', 'transaction');
}

/**
 * Returns the cells of a transaction that was proven here. @throws TrustError `trust/unproven-block`,
 * `trust/state-missing`
 */
export function cellsOf(fact: object): TransactionCells & Omit<KeptFact, 'cells'> {
  const { cells, ...under } = provenUnder(fact);
  if (cells !== undefined) return { ...cells, ...under };
  throw notGiven('the transaction', 'transaction', 'pass it with its proof');
}

/** The parts of a proof as cells. */
export interface TransactionParts {
  /** The block, whole or a proof of it. */
  readonly block: Cell;
  readonly transaction: Cell | undefined;
  /** Do not read a transaction that the proof itself shows. */
  readonly onlyHash: boolean;
}

/** Opens the contents that an answer gives in addition to its proofs; `undefined` if there are none. */
export function openGiven(boc: CellLike | undefined, path: string): Cell | undefined {
  return boc === undefined || isBytesOf(0, boc) ? undefined : parseSingleRoot(boc, path);
}

/**
 * Reads a transaction that was given whole, and requires it to have this hash.
 * @throws TrustError with `code`; DecodeError
 */
export function readGiven(
  given: Cell,
  hash: Uint8Array,
  account: AccountId,
  lt: bigint,
  path: string,
  code: TrustErrorCode = 'trust/transaction-hash',
): TransactionCells {
  const isPart = given.level !== 0 || given.kind !== 'ordinary';
  if (isPart) throw trustError(code, 'expected a whole transaction, got a part of one', path);
  if (!equalBytes(given.hash(), hash)) throw trustError(code, 'another transaction than the block holds', path);
  const read = readTransaction(given, path);
  if (!isAt(read, account, lt)) throw trustError(code, 'a transaction of another account or time', path);
  return read;
}

/** Adds the contents, which were given in addition to the proof. @throws as `readGiven` */
export function withContents(fact: TransactionFact, given: Cell): TransactionFact {
  const { account, lt, hash } = fact;
  return foundTransaction(fact, hash, readGiven(given, hash, account, lt, 'transaction'), provenUnder(fact).facts);
}

/** Source of the steps: ton `crypto/block/check-proof.cpp`, TransactionInfo; `crypto/block/block.cpp`, get_block_transaction. */
export function checkTransaction(
  parts: TransactionParts,
  facts: BlockFacts,
  account: AccountId,
  lt: bigint,
): TransactionFact | NoTransaction {
  requireInShard(facts.id, account);
  // The header has to be shown: without it the shard and seqno of an ordinary-signed block are not covered.
  const { block, header } = readProvenBlock(parts.block, facts.id, 'proof');
  requireSameNetwork(header.globalId, facts.globalId, 'proof');
  const base = { account: requireAccount(account), lt, ...factBase(facts, header) }; // a copy, since it is returned to the caller
  const absent = (reason: NoTransaction['reason']): NoTransaction => {
    if (parts.transaction !== undefined) {
      throw contradiction('a transaction', 'block', 'transaction');
    }
    return Object.freeze({ kind: 'transaction', found: false, reason, ...base });
  };
  if (lt <= header.startLt || lt >= header.endLt) return absent('lt-outside-block');
  const cell = findTransaction(block, account.address, lt, 'proof');
  if (typeof cell === 'string') return absent(cell);
  const hash = cell.hash(0);
  // A whole block shows its transactions itself.
  const isShown = !parts.onlyHash && cell.kind === 'ordinary' && cell.level === 0;
  const given = parts.transaction ?? (isShown ? cell : undefined);
  const read = given === undefined ? undefined : readGiven(given, hash, account, lt, 'transaction');
  return foundTransaction(base, hash, read, facts);
}

/**
 * Throws unless a transaction succeeded: not aborted, and with successful compute and action phases.
 * @throws TrustError `trust/aborted`, `trust/state-missing` when its contents were not given
 */
export function requireSuccess(fact: { readonly found: boolean; readonly lt: bigint }): void {
  const { outcome } = cellsOf(fact).data;
  if (outcome.success) return;
  const { compute, action, bounce } = outcome;
  const why =
    compute === undefined
      ? `a ${outcome.type} one runs no code`
      : compute.skipped
        ? `code skipped, ${compute.reason}`
        : !compute.success
          ? `its code ended with ${compute.exitCode}`
          : action?.success === false
            ? `action result ${action.resultCode}`
            : bounce === undefined
              ? 'aborted'
              : 'bounced';
  throw trustError('trust/aborted', `transaction ${fact.lt} did not succeed: ${why}`, 'transaction');
}

/**
 * Proves a transaction in a block, or its absence. It does not prove success, unless you pass `requireSuccess`, nor
 * that a sent message arrived: for this prove the receiver's transaction too.
 * @param answer liteServer.transactionInfo as `parseLiteAnswer` returns it, or its parts; the proof may also be the
 * whole block
 * @param block the proven block
 * @param request `account` and `lt` of the transaction; `hash` (32 bytes) and `requireSuccess` (default false) to
 * demand more
 * @returns the fact; `found` is false for a proven absence
 * @throws TrustError naming the broken rule, `trust/aborted` for a transaction that failed if you require success;
 * DecodeError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk, parseAccountId, parseLiteAnswer, verifyShardBlock, verifyTransaction } from 'ton-finality/facts';
 * const folder = 'vectors/examples';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync(`${folder}/checkpoint.json`, 'utf8')));
 * const masterchain = blockOfWalk(verifyBlockProof(readFileSync(`${folder}/block-proof.tl`), checkpoint));
 * const block = verifyShardBlock(readFileSync(`${folder}/shard-block-proof.tl`), masterchain);
 * const account = parseAccountId('0:156ea5130167a123f6203fb727fa6d66aff46b11c5f9a7c9c54f4c13dd3985c2');
 * const answer = parseLiteAnswer(readFileSync(`${folder}/transaction.tl`), 'transaction');
 * const fact = verifyTransaction(answer, block, { account, lt: 1684000001n, requireSuccess: true });
 * console.log(fact.found); // true
 * ```
 */
export function verifyTransaction(
  answer: TransactionProof,
  block: ProvenBlock,
  request: TransactionRequest,
): TransactionFact | NoTransaction {
  const facts = factsOf(block);
  const asked = readOptions(request, '', {
    account: requireAccount,
    lt: requireLt,
    hash: optional((hash: Uint8Array, path) => ownBytesOf(HASH_BYTES, hash, path)),
    requireSuccess: flag(false),
  });
  const { account, lt, hash: wanted, requireSuccess: mustSucceed } = asked;
  requireAnswer(facts, answer, 'proof');
  const { root } = openBlock(answer.proof, 'proof');
  const parts = { block: root, transaction: openGiven(answer.transaction, 'transaction'), onlyHash: false };
  const fact = checkTransaction(parts, facts, account as AccountId, lt);
  if (!fact.found) {
    // A request for success or for a hash demands that the transaction exists.
    const absent = `no such transaction: ${fact.reason}`;
    if (mustSucceed) throw trustError('trust/aborted', absent, 'transaction');
    if (wanted !== undefined) throw trustError('trust/transaction-hash', absent, 'hash');
    return fact;
  }
  if (wanted !== undefined && !equalBytes(wanted, fact.hash)) {
    throw trustError('trust/transaction-hash', 'another transaction than the block holds', 'hash');
  }
  if (mustSucceed) requireSuccess(fact);
  return fact;
}
