/**
 * The answers of lite servers that carry proofs, from their bytes to typed values. Nothing is believed here: what an
 * answer says beside its proofs is its sender's word.
 *
 * Source of the layouts: ton `tl/generate/scheme/lite_api.tl`; the schema lines stand in `tl/constructors.ts`.
 */
import { describeValue } from '../base/arguments.ts';
import { DecodeError } from '../base/errors.ts';
import { MAX_BLOCK_TRANSACTIONS } from '../base/limits.ts';
import { requireType } from '../base/option-values.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, readTlBlockId as id } from '../decode/block-id.ts';
import { readTlBool as bool } from '../decode/tl-block-id.ts';
import {
  LITE_ACCOUNT_STATE,
  LITE_ALL_SHARDS_INFO,
  LITE_BLOCK_HEADER,
  LITE_BLOCK_TRANSACTIONS,
  LITE_BLOCK_TRANSACTIONS_EXT,
  LITE_CONFIG_INFO,
  LITE_LIBRARY_RESULT_WITH_PROOF,
  LITE_SHARD_INFO,
  LITE_TRANSACTION_INFO,
  LITE_TRANSACTION_LIST,
} from '../tl/constructors.ts';
import type { TlReader } from '../tl/reader.ts';
import { type AnswerReaders, bag, layout, readBoxed, readVector, uint32 } from './answer-layout.ts';
import { SHARD_PROOF_READERS, type ShardProofAnswer } from './shard-proof-answer.ts';

export type { ShardProofAnswer } from './shard-proof-answer.ts';

const MAX_LIBRARIES = 256;

/** liteServer.accountState. */
export interface AccountStateAnswer {
  readonly kind: 'account-state';
  readonly id: BlockIdExt;
  /** The block of the account's shard; workchain -2^31 when the server knows of none. */
  readonly shardBlock: BlockIdExt;
  /** Two roots: header and state of `id`; empty for an account of the masterchain. */
  readonly shardProof: Uint8Array;
  /** Two roots: header and state of `shardBlock`. */
  readonly proof: Uint8Array;
  /** The account; empty when there is none. */
  readonly state: Uint8Array;
}

/** liteServer.transactionInfo. */
export interface TransactionAnswer {
  readonly kind: 'transaction';
  readonly id: BlockIdExt;
  readonly proof: Uint8Array;
  /** Empty when there is none. */
  readonly transaction: Uint8Array;
}

/** liteServer.transactionList. */
export interface TransactionListAnswer {
  readonly kind: 'transaction-list';
  /** The server's word: nothing proves them. */
  readonly ids: readonly BlockIdExt[];
  /** One bag with a root for each transaction, the newest first. */
  readonly transactions: Uint8Array;
}

/** One line of a list of transactions, as far as it was asked for. */
export interface ListedTransaction {
  /** 32 bytes. */
  readonly account?: Uint8Array;
  /** uint64. */
  readonly lt?: bigint;
  readonly hash?: Uint8Array;
}

/** liteServer.blockTransactions, or its longer form with the transactions themselves. */
export interface BlockListAnswer {
  readonly kind: 'block-transactions';
  readonly id: BlockIdExt;
  readonly requested: number;
  /** The server's word: it has more. */
  readonly incomplete: boolean;
  readonly ids?: readonly ListedTransaction[];
  /** One bag with a root for each transaction. */
  readonly transactions?: Uint8Array;
  readonly proof: Uint8Array;
}

/** liteServer.configInfo. */
export interface ConfigAnswer {
  readonly kind: 'config';
  readonly mode: number;
  readonly id: BlockIdExt;
  /** Header and state hash of `id`; empty when `configProof` is of the block itself. */
  readonly stateProof: Uint8Array;
  readonly configProof: Uint8Array;
}

/** liteServer.libraryResultWithProof. */
export interface LibraryAnswer {
  readonly kind: 'library';
  readonly id: BlockIdExt;
  readonly mode: number;
  readonly libraries: readonly { readonly hash: Uint8Array; readonly data: Uint8Array }[];
  readonly stateProof: Uint8Array;
  readonly dataProof: Uint8Array;
}

/** liteServer.shardInfo. */
export interface ShardInfoAnswer {
  readonly kind: 'shard-info';
  readonly id: BlockIdExt;
  readonly shardBlock: BlockIdExt;
  /** Two roots: header and state of `id`. */
  readonly shardProof: Uint8Array;
}

/** liteServer.allShardsInfo. */
export interface AllShardsAnswer {
  readonly kind: 'all-shards';
  readonly id: BlockIdExt;
  /** Of the block; shows the hash of its list of shards. */
  readonly proof: Uint8Array;
  /** The list itself. */
  readonly data: Uint8Array;
}

/** liteServer.blockHeader. */
export interface BlockHeaderAnswer {
  readonly kind: 'block-header';
  readonly id: BlockIdExt;
  readonly mode: number;
  /** For `provenHeader`. */
  readonly headerProof: Uint8Array;
}

/** Every answer of a lite server that `readAnswer` reads, told apart by `kind`. */
export type LiteAnswer =
  | AccountStateAnswer
  | TransactionAnswer
  | TransactionListAnswer
  | BlockListAnswer
  | ConfigAnswer
  | LibraryAnswer
  | ShardProofAnswer
  | ShardInfoAnswer
  | AllShardsAnswer
  | BlockHeaderAnswer;

/** mode:# account:mode.0?int256 lt:mode.1?long hash:mode.2?int256 metadata:mode.8?liteServer.transactionMetadata, bare. */
function readListed(tl: TlReader): ListedTransaction {
  const mode = tl.uint32();
  if ((mode & ~0x107) !== 0) throw tl.error(`unknown parts, mode ${mode}`);
  const listed = present({
    account: mode & 1 ? tl.int256() : undefined,
    lt: mode & 2 ? BigInt.asUintN(64, tl.int64()) : undefined,
    hash: mode & 4 ? tl.int256() : undefined,
  });
  // transactionMetadata, bare: mode, depth, an account (workchain and 32 bytes) and an lt, none of it proven.
  if ((mode & 0x100) !== 0) tl.fixed(4 + 4 + 36 + 8);
  return Object.freeze(listed);
}

const READERS: AnswerReaders<LiteAnswer> = {
  ...SHARD_PROOF_READERS,
  [LITE_ACCOUNT_STATE]: layout<AccountStateAnswer>('account-state', {
    id,
    shardBlock: id,
    shardProof: bag,
    proof: bag,
    state: bag,
  }),
  [LITE_TRANSACTION_INFO]: layout<TransactionAnswer>('transaction', { id, proof: bag, transaction: bag }),
  [LITE_TRANSACTION_LIST]: layout<TransactionListAnswer>('transaction-list', {
    ids: (tl) => readVector(tl, MAX_BLOCK_TRANSACTIONS, 'blocks', id),
    transactions: bag,
  }),
  [LITE_BLOCK_TRANSACTIONS]: layout<BlockListAnswer>('block-transactions', {
    id,
    requested: uint32,
    incomplete: bool,
    ids: (tl) => readVector(tl, MAX_BLOCK_TRANSACTIONS, 'transactions', readListed),
    proof: bag,
  }),
  [LITE_BLOCK_TRANSACTIONS_EXT]: layout<BlockListAnswer>('block-transactions', {
    id,
    requested: uint32,
    incomplete: bool,
    transactions: bag,
    proof: bag,
  }),
  [LITE_CONFIG_INFO]: layout<ConfigAnswer>('config', { mode: uint32, id, stateProof: bag, configProof: bag }),
  [LITE_LIBRARY_RESULT_WITH_PROOF]: layout<LibraryAnswer>('library', {
    id,
    mode: uint32,
    libraries: (tl) =>
      readVector(tl, MAX_LIBRARIES, 'libraries', () => Object.freeze({ hash: tl.int256(), data: bag(tl) })),
    stateProof: bag,
    dataProof: bag,
  }),
  // The last one is shard_descr, which the proof shows.
  [LITE_SHARD_INFO]: layout<ShardInfoAnswer>('shard-info', { id, shardBlock: id, shardProof: bag }, bag),
  [LITE_ALL_SHARDS_INFO]: layout<AllShardsAnswer>('all-shards', { id, proof: bag, data: bag }),
  [LITE_BLOCK_HEADER]: layout<BlockHeaderAnswer>('block-header', { id, mode: uint32, headerProof: bag }),
};

/**
 * Reads one answer of a lite server as it came over the wire. Object members are read in the order of the schema.
 * @throws DecodeError `decode/api-error` with the server's words, which prove nothing; `decode/tl`, `decode/too-large`
 */
export function readAnswer(answer: Uint8Array, path = 'answer'): LiteAnswer {
  requireType(path, 'string', 'path');
  return readBoxed(READERS, answer, path);
}

/** The same, when only one kind of answer will do. @throws DecodeError as `readAnswer`, and for another kind */
export function readAnswerOf<K extends LiteAnswer['kind']>(
  kind: K,
  answer: Uint8Array,
  path = 'answer',
): Extract<LiteAnswer, { kind: K }> {
  const read = readAnswer(answer, path);
  if (read.kind === kind) return read as Extract<LiteAnswer, { kind: K }>; // its kind was just compared
  throw new DecodeError(
    'decode/tl',
    `expected an answer of the kind ${typeof kind === 'string' ? kind : describeValue(kind)}, got ${read.kind}`,
    { path },
  );
}
