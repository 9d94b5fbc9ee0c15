/**
 * Reads the answers of lite servers, each by a table of its members. Nothing is verified here: every member that is not
 * a proof is a claim of the server.
 *
 * Source of the layouts: ton `tl/generate/scheme/lite_api.tl`; the schema lines are in `constructors.ts`.
 */
import { describeValue } from '../../core/base/arguments.ts';
import { DecodeError } from '../../core/base/errors.ts';
import {
  MASTERCHAIN_WORKCHAIN,
  MAX_BLOCK_TRANSACTIONS,
  MAX_HISTORY_TRANSACTIONS,
  MAX_PROOF_ANSWER_BYTES,
} from '../../core/base/limits.ts';
import { requireType } from '../../core/base/options.ts';
import { ownBytes } from '../../core/base/own-bytes.ts';
import { present } from '../../core/base/present.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { readTlBool as bool, readTlBlockId as id } from '../../core/block/tl-block-id.ts';
import { readBag as bag, openAnswer } from '../../core/chain/open-answer.ts';
import { readTlShardLinks, type ShardProofAnswer } from '../../core/chain/shard-block-proof.ts';
import type { AccountProof } from '../../core/facts/account-state.ts';
import type { BlockListProof, ListedTransaction } from '../../core/facts/block-list.ts';
import type { ConfigProof } from '../../core/facts/config-param.ts';
import type { HistoryProof } from '../../core/facts/history.ts';
import type { LibraryProof } from '../../core/facts/library.ts';
import type { ShardListProof, ShardTopProof } from '../../core/facts/shard-top.ts';
import type { TransactionProof } from '../../core/facts/transaction.ts';
import { readTlVector } from '../../core/tl/bytes.ts';
import { PARTIAL_BLOCK_PROOF, SHARD_BLOCK_PROOF } from '../../core/tl/constructors.ts';
import type { TlReader } from '../../core/tl/reader.ts';
import * as ID from './constructors.ts';

const MAX_LIBRARIES = 256;

/** The id of a zerostate, which identifies a network. */
export interface ZerostateId {
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** The head of the chain as a server claims it, without proof. */
export interface ClaimedHead {
  readonly last: BlockIdExt;
  readonly stateRootHash: Uint8Array;
  readonly zerostate: ZerostateId;
  /** The time at which `last` was made, in Unix seconds; the extended answer only. */
  readonly lastUtime?: number;
  /** The server's clock in Unix seconds; the extended answer only. */
  readonly now?: number;
  /** The version and capabilities of the server; the extended answer only. */
  readonly version?: number;
  readonly capabilities?: bigint;
}

/** The members of each kind of answer, without `kind`. */
interface Contents {
  'masterchain-info': ClaimedHead;
  'masterchain-info-ext': ClaimedHead;
  time: {
    /** The server's clock in Unix seconds. */
    readonly now: number;
  };
  version: {
    readonly version: number;
    readonly capabilities: bigint;
    /** The server's clock in Unix seconds. */
    readonly now: number;
  };
  block: {
    readonly id: BlockIdExt;
    /** The block's file. */
    readonly data: Uint8Array;
  };
  state: ZerostateId & {
    readonly id: BlockIdExt;
    /** The state's file. */
    readonly data: Uint8Array;
  };
  'account-state': Required<AccountProof<Uint8Array>>;
  transaction: Required<TransactionProof<Uint8Array>>;
  'transaction-list': HistoryProof & {
    /** The ids as the server claims them, without proof. */
    readonly ids: readonly BlockIdExt[];
  };
  'block-transactions': BlockListProof<Uint8Array> & {
    readonly id: BlockIdExt;
    readonly requested: number;
    readonly incomplete: boolean;
  };
  config: Required<ConfigProof<Uint8Array>>;
  library: Required<LibraryProof<Uint8Array>> & { readonly mode: number };
  'shard-block-proof': Omit<ShardProofAnswer, 'kind'>;
  'shard-info': Required<ShardTopProof>;
  'all-shards': Required<ShardListProof<Uint8Array>>;
  'block-header': {
    readonly id: BlockIdExt;
    readonly mode: number;
    /** The proof of the header, for `verifyHeader`. */
    readonly headerProof: Uint8Array;
  };
}

type Kind = keyof Contents;
export type AnswerOf<K extends Kind> = { readonly kind: K } & Contents[K];

/** Every answer of a lite server that `parseLiteAnswer` reads; `kind` says which one it is. */
export type LiteAnswer = { [K in Kind]: AnswerOf<K> }[Kind];

/** liteServer.masterchainInfo: a head as a server claims it. */
export type HeadAnswer = AnswerOf<'masterchain-info'>;
/** liteServer.masterchainInfoExt: a head as a server claims it, with its clock. */
export type ExtendedHeadAnswer = AnswerOf<'masterchain-info-ext'>;
/** liteServer.currentTime: a server's clock. */
export type TimeAnswer = AnswerOf<'time'>;
/** liteServer.version: the version that a server claims. */
export type VersionAnswer = AnswerOf<'version'>;
/** liteServer.blockData: the file of a block, whose hash the caller has to check. */
export type BlockAnswer = AnswerOf<'block'>;
/** liteServer.blockState: the file of a state. */
export type StateAnswer = AnswerOf<'state'>;
/** liteServer.accountState: an account with its proofs, for `verifyAccount`. */
export type AccountStateAnswer = AnswerOf<'account-state'>;
/** liteServer.transactionInfo: a transaction with its proof, for `verifyTransaction`. */
export type TransactionAnswer = AnswerOf<'transaction'>;
/** liteServer.transactionList: transactions of an account backwards, for `verifyHistory`. */
export type TransactionListAnswer = AnswerOf<'transaction-list'>;
/** liteServer.blockTransactions, or its longer form with the transactions themselves. */
export type BlockListAnswer = AnswerOf<'block-transactions'>;
/** liteServer.configInfo: configuration with its proofs, for `verifyConfig`. */
export type ConfigAnswer = AnswerOf<'config'>;
/** liteServer.libraryResultWithProof: libraries with their proofs, for `verifyLibrary`. */
export type LibraryAnswer = AnswerOf<'library'>;
/** liteServer.shardInfo: the block of a shard with its proof, for `verifyShardTop`. */
export type ShardInfoAnswer = AnswerOf<'shard-info'>;
/** liteServer.allShardsInfo: the list of all shards with its proof, for `verifyShardTop`. */
export type AllShardsAnswer = AnswerOf<'all-shards'>;
/** liteServer.blockHeader: the proof of a header, for `verifyHeader`. */
export type BlockHeaderAnswer = AnswerOf<'block-header'>;

/** Reads one member. */
type ReadMember<T> = (tl: TlReader) => T;

/** The members of an answer in the order of its schema. A reader that returns `undefined` skips a member. */
type Layout<T> = { readonly [M in keyof Omit<T, 'kind'>]: ReadMember<T[M]> } & Readonly<
  Record<string, ReadMember<unknown>>
>;

const uint32: ReadMember<number> = (tl) => tl.uint32();
const int32: ReadMember<number> = (tl) => tl.int32();
const uint64: ReadMember<bigint> = (tl) => BigInt.asUintN(64, tl.int64());
const int256: ReadMember<Uint8Array> = (tl) => tl.int256();

/** Skips a member that the answer does not show. */
function over(read: ReadMember<unknown>): ReadMember<undefined> {
  return (tl) => {
    read(tl);
  };
}

/** tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256 = tonNode.ZeroStateIdExt, bare. */
function zerostate(tl: TlReader): ZerostateId {
  const workchain = tl.int32();
  if (workchain !== MASTERCHAIN_WORKCHAIN) {
    throw tl.error(`expected a zerostate of the masterchain, got one of workchain ${workchain}`);
  }
  return Object.freeze({ rootHash: tl.int256(), fileHash: tl.int256() });
}

/** Reads the mode of the extended answer. Only these two values are known. */
function headMode(tl: TlReader): undefined {
  const mode = tl.uint32();
  if (mode > 1) throw tl.error(`expected mode 0 or 1, got ${mode}`);
}

/** mode:# account:mode.0?int256 lt:mode.1?long hash:mode.2?int256 metadata:mode.8?liteServer.transactionMetadata, bare. */
function listed(tl: TlReader): ListedTransaction {
  const mode = tl.uint32();
  if ((mode & ~0x107) !== 0) throw tl.error(`unknown parts, mode ${mode}`);
  const parts = present({
    account: mode & 1 ? tl.int256() : undefined,
    lt: mode & 2 ? uint64(tl) : undefined,
    hash: mode & 4 ? tl.int256() : undefined,
  });
  // transactionMetadata, bare: mode, depth, an account (workchain and 32 bytes) and an lt, none of it proven.
  if ((mode & 0x100) !== 0) tl.fixed(4 + 4 + 36 + 8);
  return Object.freeze(parts);
}

/** The members at the end of both head answers. */
const HEAD_END = { stateRootHash: int256, zerostate };

const LIST_START = { id, requested: uint32, incomplete: bool };

/** All kinds of answer: their constructors, each with its members. */
const LAYOUTS: { readonly [K in Kind]: Readonly<Record<number, Layout<AnswerOf<K>>>> } = {
  'masterchain-info': { [ID.MASTERCHAIN_INFO]: { last: id, ...HEAD_END } },
  'masterchain-info-ext': {
    [ID.MASTERCHAIN_INFO_EXT]: {
      mode: headMode,
      version: int32,
      capabilities: uint64,
      last: id,
      lastUtime: uint32,
      now: uint32,
      ...HEAD_END,
    },
  },
  time: { [ID.CURRENT_TIME]: { now: uint32 } },
  version: { [ID.VERSION]: { mode: over(uint32), version: int32, capabilities: uint64, now: uint32 } },
  block: { [ID.BLOCK_DATA]: { id, data: bag } },
  state: { [ID.BLOCK_STATE]: { id, rootHash: int256, fileHash: int256, data: bag } },
  'account-state': { [ID.ACCOUNT_STATE]: { id, shardBlock: id, shardProof: bag, proof: bag, state: bag } },
  transaction: { [ID.TRANSACTION_INFO]: { id, proof: bag, transaction: bag } },
  'transaction-list': {
    [ID.TRANSACTION_LIST]: {
      ids: (tl) => readTlVector(tl, MAX_HISTORY_TRANSACTIONS, 'blocks', id),
      transactions: bag,
    },
  },
  'block-transactions': {
    [ID.BLOCK_TRANSACTIONS]: {
      ...LIST_START,
      ids: (tl) => readTlVector(tl, MAX_BLOCK_TRANSACTIONS, 'transactions', listed),
      proof: bag,
    },
    [ID.BLOCK_TRANSACTIONS_EXT]: { ...LIST_START, transactions: bag, proof: bag },
  },
  config: { [ID.CONFIG_INFO]: { mode: uint32, id, stateProof: bag, configProof: bag } },
  library: {
    [ID.LIBRARY_RESULT_WITH_PROOF]: {
      id,
      mode: uint32,
      libraries: (tl) =>
        readTlVector(tl, MAX_LIBRARIES, 'libraries', () => Object.freeze({ hash: tl.int256(), data: bag(tl) })),
      stateProof: bag,
      dataProof: bag,
    },
  },
  'shard-block-proof': { [SHARD_BLOCK_PROOF]: { masterchainId: id, links: readTlShardLinks } },
  // The proof shows the shard's description, so it is skipped.
  'shard-info': { [ID.SHARD_INFO]: { id, shardBlock: id, shardProof: bag, shardDescr: over(bag) } },
  'all-shards': { [ID.ALL_SHARDS_INFO]: { id, proof: bag, data: bag } },
  'block-header': { [ID.BLOCK_HEADER]: { id, mode: uint32, headerProof: bag } },
};

/** Layouts by constructor id, so that one lookup finds the layout of an answer. */
const KINDS = new Map(
  Object.entries(LAYOUTS).flatMap(([kind, layouts]) =>
    Object.entries(layouts).map(
      ([id, layout]: [string, Layout<unknown>]) => [Number(id), { kind, members: Object.entries(layout) }] as const,
    ),
  ),
);

const IDS = [...KINDS.keys()];

/** Whether answers of lite servers begin with this constructor id, as far as this version knows. */
export function isAnswerId(id: number): boolean {
  return id === PARTIAL_BLOCK_PROOF || KINDS.has(id);
}

/**
 * Reads one answer of a lite server as it came over the wire, of any kind or of the kind that was asked for. An answer
 * of a different kind is rejected before its members are read. Source: ton `tl/generate/scheme/lite_api.tl`; members
 * are read in its order.
 * @param answer the boxed TL answer, at most 16 MiB
 * @returns the members of the answer, with its `kind`
 * @throws DecodeError `decode/api-error` with the server's message, which proves nothing; `decode/tl`,
 * `decode/too-large`
 * @example
 * ```ts
 * import { parseLiteAnswer } from 'ton-finality/facts';
 * const answer = Uint8Array.from([0x0d, 0x00, 0x53, 0xe9, 0x00, 0xf1, 0x53, 0x65]); // liteServer.currentTime
 * console.log(parseLiteAnswer(answer, 'time').now); // 1700000000
 * ```
 */
export function parseLiteAnswer(answer: Uint8Array): LiteAnswer;
export function parseLiteAnswer<K extends Kind>(answer: Uint8Array, kind: K, path?: string): AnswerOf<K>;
export function parseLiteAnswer(answer: Uint8Array, kind?: Kind, path?: string): LiteAnswer;
export function parseLiteAnswer(answer: Uint8Array, wanted?: Kind, path = 'answer'): LiteAnswer {
  requireType(path, 'string', 'path');
  const own = ownBytes(answer, path, MAX_PROOF_ANSWER_BYTES);
  const { tl, id } = openAnswer(own, path, 'an answer of a known kind', ...IDS);
  const { kind, members } = KINDS.get(id)!; // the id was checked above
  if (wanted !== undefined && kind !== wanted) {
    const name = typeof wanted === 'string' ? wanted : describeValue(wanted);
    throw new DecodeError('decode/tl', `expected an answer of the kind ${name}, got ${kind}`, { path });
  }
  const read: Record<string, unknown> = { kind };
  for (const [name, readMember] of members) {
    const value = readMember(tl);
    if (value !== undefined) read[name] = value;
  }
  tl.end();
  return Object.freeze(read) as unknown as LiteAnswer; // its layout has exactly these members
}
