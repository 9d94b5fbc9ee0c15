/** Requests to lite servers, as TL. Source: ton `tl/generate/scheme/lite_api.tl`; the schema lines are in `constructors.ts`. */
import { concatBytes } from '../../core/base/bytes.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../../core/base/limits.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { tlBlockId, tlBlockPosition } from '../../core/block/tl-block-id.ts';
import type { AccountId } from '../../core/facts/account-id.ts';
import { tlUint32, tlUint64 } from '../../core/tl/writer.ts';
import * as ID from './constructors.ts';

function request(id: number, ...members: readonly Uint8Array[]): Uint8Array {
  return concatBytes(tlUint32(id), ...members);
}

function accountBytes({ workchain, address }: AccountId): Uint8Array {
  return concatBytes(tlUint32(workchain >>> 0), address);
}

export const masterchainInfoRequest = (): Uint8Array => request(ID.GET_MASTERCHAIN_INFO);
export const masterchainInfoExtRequest = (): Uint8Array => request(ID.GET_MASTERCHAIN_INFO_EXT, tlUint32(0));
export const timeRequest = (): Uint8Array => request(ID.GET_TIME);
export const versionRequest = (): Uint8Array => request(ID.GET_VERSION);

/**
 * Mode 1: the target is named. Mode 0x1000: the newer of the two blocks decides which key blocks are on the way. The
 * last link of an answer forward then leads to the target, with its signatures. Source: ton
 * `validator/impl/liteserver.cpp`, perform_getBlockProof.
 */
const PROOF_TO_TARGET = 0x1001;

export function blockProofRequest(known: BlockIdExt, target: BlockIdExt): Uint8Array {
  return request(ID.GET_BLOCK_PROOF, tlUint32(PROOF_TO_TARGET), tlBlockId(known), tlBlockId(target));
}

const BY_SEQNO = 1;

export function lookupRequest(seqno: number): Uint8Array {
  const position = { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD, seqno };
  return request(ID.LOOKUP_BLOCK, tlUint32(BY_SEQNO), tlBlockPosition(position));
}

const BY_LT = 2;

/**
 * Asks for the block that may contain a transaction: the block of the account's shard, by logical time. A C++ node
 * reads the shard of the request as an account. A Rust node demands a shard, whose prefix is at most 60 bits long, so
 * the account's first 60 bits are sent as one.
 */
export function lookupByLtRequest({ workchain, address }: AccountId, lt: bigint): Uint8Array {
  const shard = (new DataView(address.buffer, address.byteOffset).getBigInt64(0) & ~15n) | 8n;
  return request(ID.LOOKUP_BLOCK, tlUint32(BY_LT), tlBlockPosition({ workchain, shard, seqno: 0 }), tlUint64(lt));
}

export function headerRequest(id: BlockIdExt): Uint8Array {
  return request(ID.GET_BLOCK_HEADER, tlBlockId(id), tlUint32(0));
}

/** Asks for parameters of the configuration. @param mode default: the configuration in the state of the block itself */
export function configParamsRequest(id: BlockIdExt, params: readonly number[], mode = 0): Uint8Array {
  const list = params.map((param) => tlUint32(param >>> 0));
  return request(ID.GET_CONFIG_PARAMS, tlUint32(mode), tlBlockId(id), tlUint32(list.length), ...list);
}

export const blockRequest = (id: BlockIdExt): Uint8Array => request(ID.GET_BLOCK, tlBlockId(id));
export const stateRequest = (id: BlockIdExt): Uint8Array => request(ID.GET_STATE, tlBlockId(id));
export const shardProofRequest = (id: BlockIdExt): Uint8Array => request(ID.GET_SHARD_BLOCK_PROOF, tlBlockId(id));

export function accountStateRequest(id: BlockIdExt, account: AccountId): Uint8Array {
  return request(ID.GET_ACCOUNT_STATE, tlBlockId(id), accountBytes(account));
}

export function transactionRequest(id: BlockIdExt, account: AccountId, lt: bigint): Uint8Array {
  return request(ID.GET_ONE_TRANSACTION, tlBlockId(id), accountBytes(account), tlUint64(lt));
}

export function transactionsRequest(account: AccountId, lt: bigint, hash: Uint8Array, count: number): Uint8Array {
  return request(ID.GET_TRANSACTIONS, tlUint32(count), accountBytes(account), tlUint64(lt), hash);
}

/**
 * Wraps a request so that the server answers only once it has this block, or after `timeoutMs`, at most ten seconds.
 */
export function afterBlock(seqno: number, timeoutMs: number, question: Uint8Array): Uint8Array {
  return request(ID.WAIT_MASTERCHAIN_SEQNO, tlUint32(seqno), tlUint32(timeoutMs), question);
}
