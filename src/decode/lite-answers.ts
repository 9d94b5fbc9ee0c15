/**
 * Answers of lite servers, from TL to typed claims. Strict about their form and nothing else: that a block is the one that
 * was asked for, and that a proof holds, is looked at elsewhere.
 */
import {
  MAX_BOC_BYTES,
  MAX_FRAME_BYTES,
  MAX_LITE_TRANSACTIONS,
  MAX_SERVER_TEXT_CHARS,
  MAX_SHARD_LINKS,
} from '../base/limits.ts';
import { readTlBytes } from '../tl/bytes.ts';
import { LITE_SERVER_ERROR } from '../tl/constructors.ts';
import {
  ACCOUNT_STATE,
  BLOCK_DATA,
  BLOCK_HEADER,
  BLOCK_STATE,
  CONFIG_INFO,
  CURRENT_TIME,
  MASTERCHAIN_INFO,
  MASTERCHAIN_INFO_EXT,
  SHARD_BLOCK_PROOF,
  TRANSACTION_INFO,
  TRANSACTION_LIST,
  VERSION,
} from '../tl/lite-constructors.ts';
import { TlReader } from '../tl/reader.ts';
import { type BlockIdExt, readTlBlockId } from './block-id.ts';
import { cleanServerText } from './envelope.ts';

/** A zerostate as servers name it: what tells networks apart. */
export interface ZerostateId {
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** Where a server says the chain's head is. Nothing of it is proven. */
export interface ClaimedHead {
  readonly last: BlockIdExt;
  readonly stateRootHash: Uint8Array;
  readonly zerostate: ZerostateId;
  /** Unix seconds at which `last` was made; the extended answer only. */
  readonly lastUtime?: number;
  /** The server's clock, Unix seconds; the extended answer only. */
  readonly now?: number;
  /** Version and capabilities of the server; the extended answer only. */
  readonly version?: number;
  readonly capabilities?: bigint;
}

/** A block's id and the Merkle proof of its header, which is still to be checked against the id. */
export interface ClaimedHeader {
  readonly id: BlockIdExt;
  readonly mode: number;
  readonly headerProof: Uint8Array;
}

/** What a lite server says of itself. */
export interface ClaimedVersion {
  readonly version: number;
  readonly capabilities: bigint;
  /** The server's clock, Unix seconds. */
  readonly now: number;
}

/** Configuration as a lite server claims it, with its proofs; `verifyConfigParam` checks them. */
export interface ClaimedConfig {
  readonly mode: number;
  /** The block whose configuration this is: with mode 0x8000 the key block that rules the one asked for. */
  readonly id: BlockIdExt;
  readonly stateProof: Uint8Array;
  readonly configProof: Uint8Array;
}

/** A block as a lite server claims it; hash the bytes, or hand them to what proves. */
export interface ClaimedBlock {
  readonly id: BlockIdExt;
  /** The block's file. */
  readonly data: Uint8Array;
}

/** A state as a lite server claims it. */
export interface ClaimedState extends ClaimedBlock, ZerostateId {}

/** The way from a masterchain block to one of a shard, as a lite server claims it; `shardBlock` checks it. */
export interface ClaimedShardProof {
  readonly masterchainId: BlockIdExt;
  /** From the masterchain block down: each block with the proof that the one before lists it. */
  readonly links: readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];
}

/** The state of an account as a lite server claims it, with its proofs; `verifyAccountState` checks them. */
export interface ClaimedAccount {
  readonly id: BlockIdExt;
  readonly shardBlock: BlockIdExt;
  readonly shardProof: Uint8Array;
  readonly proof: Uint8Array;
  /** Empty for an account that does not exist. */
  readonly state: Uint8Array;
}

/** A transaction as a lite server claims it, with its proof; `verifyTransaction` checks it. */
export interface ClaimedTransaction {
  readonly id: BlockIdExt;
  readonly proof: Uint8Array;
  readonly transaction: Uint8Array;
}

/** Transactions of an account backwards, as a lite server claims them; `verifyHistory` checks them. */
export interface ClaimedTransactions {
  readonly ids: readonly BlockIdExt[];
  /** One bag with a root for each transaction. */
  readonly transactions: Uint8Array;
}

/** liteServer.error, as a value: an answer like any other. */
export interface LiteServerError {
  /** int32. */
  readonly code: number;
  /** The server's words: cleaned, at most 500 characters. */
  readonly text: string;
}

function whole<T>(bytes: Uint8Array, path: string, type: string, id: number, read: (tl: TlReader) => T): T {
  const tl = new TlReader(new Uint8Array(bytes), path);
  tl.constructorId(type, id);
  const value = read(tl);
  tl.end();
  return Object.freeze(value);
}

/** tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256 = tonNode.ZeroStateIdExt, bare. */
function readZerostate(tl: TlReader): ZerostateId {
  const workchain = tl.int32();
  if (workchain !== -1) throw tl.error(`expected a zerostate of the masterchain, got one of workchain ${workchain}`);
  return Object.freeze({ rootHash: tl.int256(), fileHash: tl.int256() });
}

/** Bytes of texts that are looked at: a few more than are kept, since one character may take several. */
const MAX_TEXT_BYTES = 8 * MAX_SERVER_TEXT_CHARS;
/** `serverBusy` of some proxies, laid out as an error; in no schema of ton. Source: xssnick/tonutils-go at 749603a, liteclient/types.go. */
const SERVER_BUSY = 0x092e9c55;
const BUSY_CODE = 429;

/**
 * Reads an error, if the answer is one. Words of any length are taken, and cut.
 * @returns `undefined` for anything else
 */
export function readLiteServerError(bytes: Uint8Array): LiteServerError | undefined {
  if (bytes.length < 4) return undefined;
  const tl = new TlReader(bytes, 'answer');
  const id = tl.uint32();
  if (id !== LITE_SERVER_ERROR && id !== SERVER_BUSY) return undefined;
  const said = tl.int32();
  const words = readTlBytes(tl, MAX_FRAME_BYTES);
  tl.end();
  const text = cleanServerText(new TextDecoder().decode(words.subarray(0, MAX_TEXT_BYTES)));
  return { code: id === SERVER_BUSY ? BUSY_CODE : said, text };
}

/** liteServer.masterchainInfo. @throws DecodeError */
export function parseTlMasterchainInfo(bytes: Uint8Array): ClaimedHead {
  return whole(bytes, 'masterchainInfo', 'masterchain info', MASTERCHAIN_INFO, (tl) => ({
    last: readTlBlockId(tl),
    stateRootHash: tl.int256(),
    zerostate: readZerostate(tl),
  }));
}

/** liteServer.masterchainInfoExt. @throws DecodeError */
export function parseTlMasterchainInfoExt(bytes: Uint8Array): ClaimedHead {
  return whole(bytes, 'masterchainInfoExt', 'extended masterchain info', MASTERCHAIN_INFO_EXT, (tl) => {
    const mode = tl.uint32();
    if (mode > 1) throw tl.error(`expected mode 0 or 1, got ${mode}`);
    const version = tl.int32();
    const capabilities = BigInt.asUintN(64, tl.int64());
    const last = readTlBlockId(tl);
    const lastUtime = tl.uint32();
    const now = tl.uint32();
    return { last, lastUtime, now, version, capabilities, stateRootHash: tl.int256(), zerostate: readZerostate(tl) };
  });
}

/** liteServer.currentTime: the server's clock, Unix seconds. @throws DecodeError */
export function parseTlTime(bytes: Uint8Array): { readonly now: number } {
  return whole(bytes, 'currentTime', 'a time', CURRENT_TIME, (tl) => ({ now: tl.uint32() }));
}

/** liteServer.version. @throws DecodeError */
export function parseTlVersion(bytes: Uint8Array): ClaimedVersion {
  return whole(bytes, 'version', 'a version', VERSION, (tl) => {
    tl.uint32(); // mode
    return { version: tl.int32(), capabilities: BigInt.asUintN(64, tl.int64()), now: tl.uint32() };
  });
}

/** liteServer.blockHeader. @throws DecodeError */
export function parseTlBlockHeader(bytes: Uint8Array): ClaimedHeader {
  return whole(bytes, 'blockHeader', 'a block header', BLOCK_HEADER, (tl) => ({
    id: readTlBlockId(tl),
    mode: tl.uint32(),
    headerProof: readTlBytes(tl, MAX_BOC_BYTES),
  }));
}

/** liteServer.configInfo. @throws DecodeError */
export function parseTlConfigInfo(bytes: Uint8Array): ClaimedConfig {
  return whole(bytes, 'configInfo', 'a configuration', CONFIG_INFO, (tl) => ({
    mode: tl.uint32(),
    id: readTlBlockId(tl),
    stateProof: readTlBytes(tl, MAX_BOC_BYTES),
    configProof: readTlBytes(tl, MAX_BOC_BYTES),
  }));
}

/** liteServer.blockData. @throws DecodeError */
export function parseTlBlockData(bytes: Uint8Array): ClaimedBlock {
  return whole(bytes, 'blockData', 'a block', BLOCK_DATA, (tl) => ({
    id: readTlBlockId(tl),
    data: readTlBytes(tl, MAX_BOC_BYTES),
  }));
}

/** liteServer.blockState. @throws DecodeError */
export function parseTlBlockState(bytes: Uint8Array): ClaimedState {
  return whole(bytes, 'blockState', 'a state', BLOCK_STATE, (tl) => ({
    id: readTlBlockId(tl),
    rootHash: tl.int256(),
    fileHash: tl.int256(),
    data: readTlBytes(tl, MAX_BOC_BYTES),
  }));
}

/** liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink, in a bare vector. @throws DecodeError */
export function parseTlShardBlockProof(bytes: Uint8Array): ClaimedShardProof {
  return whole(bytes, 'shardBlockProof', 'a shard block proof', SHARD_BLOCK_PROOF, (tl) => {
    const masterchainId = readTlBlockId(tl);
    const links = readVector(tl, MAX_SHARD_LINKS, () => ({
      id: readTlBlockId(tl),
      proof: readTlBytes(tl, MAX_BOC_BYTES),
    }));
    return { masterchainId, links };
  });
}

/** liteServer.accountState. @throws DecodeError */
export function parseTlAccountState(bytes: Uint8Array): ClaimedAccount {
  return whole(bytes, 'accountState', 'an account state', ACCOUNT_STATE, (tl) => ({
    id: readTlBlockId(tl),
    shardBlock: readTlBlockId(tl),
    shardProof: readTlBytes(tl, MAX_BOC_BYTES),
    proof: readTlBytes(tl, MAX_BOC_BYTES),
    state: readTlBytes(tl, MAX_BOC_BYTES),
  }));
}

/** liteServer.transactionInfo. @throws DecodeError */
export function parseTlTransactionInfo(bytes: Uint8Array): ClaimedTransaction {
  return whole(bytes, 'transactionInfo', 'a transaction', TRANSACTION_INFO, (tl) => ({
    id: readTlBlockId(tl),
    proof: readTlBytes(tl, MAX_BOC_BYTES),
    transaction: readTlBytes(tl, MAX_BOC_BYTES),
  }));
}

/** liteServer.transactionList. @throws DecodeError */
export function parseTlTransactionList(bytes: Uint8Array): ClaimedTransactions {
  return whole(bytes, 'transactionList', 'transactions', TRANSACTION_LIST, (tl) => ({
    ids: readVector(tl, MAX_LITE_TRANSACTIONS, () => readTlBlockId(tl)),
    transactions: readTlBytes(tl, MAX_BOC_BYTES),
  }));
}

function readVector<T>(tl: TlReader, most: number, read: () => T): readonly T[] {
  const count = tl.uint32();
  if (count > most) throw tl.error(`expected at most ${most} items, got ${count}`);
  return Object.freeze(Array.from({ length: count }, read));
}
