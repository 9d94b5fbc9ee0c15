/**
 * Reads the header of a block, and checks that the header belongs to the given block id. It does not examine
 * signatures.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, equalBytes } from '../base/bytes.ts';
import { MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN, MAX_SHARD_PREFIX_BITS } from '../base/limits.ts';
import { type BlockIdExt, type BlockPlace, copyBlockId } from '../block/block-id.ts';
import { type CellLike, ownBag, parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { openMerkleProof, requireRootHash } from '../cells/merkle-proof.ts';
import { Slice } from '../cells/slice.ts';
import { markProven } from '../verify/context.ts';
import type { BlockHeaderFacts } from '../verify/report.ts';
import type { ComparedHeader } from '../verify/successor.ts';
import { readPreviousBlocks } from './previous-blocks.ts';
import { trustError } from './shared-checks.ts';

export const BLOCK = 0x11ef55aa;
const BLOCK_INFO = 0x9bc7a987;
const GLOBAL_VERSION = 0xc4;

/**
 * Opens a block file: the block itself, a Merkle proof of it, or a tree with pruned cells under the plain root.
 * @returns the root, whether the file was the whole block, and a copy of the file
 * @throws DecodeError `decode/boc`
 */
export function openBlock(boc: CellLike, path: string) {
  const file = ownBag(boc, path);
  const cell = parseSingleRoot(file, path);
  if (cell.kind === 'merkle-proof') return { root: openMerkleProof(cell, path), whole: false, file };
  return { root: cell, whole: cell.level === 0, file };
}

/**
 * The file hash is the SHA-256 of the bytes of the block's file. A file that was serialized again has a different one.
 */
export function fileHash(boc: Uint8Array): Uint8Array {
  return sha256(boc);
}

/**
 * block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState)
 *   extra:^BlockExtra = Block; Source: ton `crypto/block/block.tlb`.
 */
export function readBlock(root: Cell, path: string) {
  const slice = new Slice(root, path);
  slice.tag(32, BLOCK, 'a block');
  const globalId = slice.int32();
  const info = slice.ref();
  slice.skipRefs(1);
  const stateUpdate = slice.ref();
  const extra = slice.ref();
  slice.end();
  return { globalId, info, stateUpdate, extra };
}

/** The parts of a block; each may be pruned until it is read. */
export type Block = ReturnType<typeof readBlock>;

/**
 * shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent; the prefix has no bit
 * below its length; the TL form marks the end of the prefix with a one bit. Source: ton `crypto/block/block.tlb`.
 */
export function readShardIdent(slice: Slice): { readonly workchain: number; readonly shard: bigint } {
  const head = slice.uint(8);
  const prefixBits = head & 0x3f;
  if (head >> 6 !== 0 || prefixBits > MAX_SHARD_PREFIX_BITS) {
    throw slice.error(`expected a shard with a prefix of at most ${MAX_SHARD_PREFIX_BITS} bits`);
  }
  const workchain = slice.int32();
  const prefix = slice.uint64();
  const end = 1n << BigInt(63 - prefixBits);
  if ((prefix & (2n * end - 1n)) !== 0n) throw slice.error('a shard prefix with bits beyond its length');
  return { workchain, shard: BigInt.asIntN(64, prefix | end) };
}

/**
 * block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
 *   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 } seq_no:#
 *   vert_seq_no:# { vert_seq_no >= vert_seqno_incr } { prev_seq_no:# } { ~prev_seq_no + 1 = seq_no } shard:ShardIdent
 *   gen_utime:uint32 start_lt:uint64 end_lt:uint64 gen_validator_list_hash_short:uint32 gen_catchain_seqno:uint32
 *   min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32 gen_software:flags . 0?GlobalVersion
 *   master_ref:not_master?^BlkMasterInfo prev_ref:^(BlkPrevInfo after_merge) prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0)
 *   = BlockInfo; version 0, not_master exactly outside the masterchain, vert_seqno_incr there in key blocks only.
 * Source: ton `crypto/block/block.tlb`; checks: `crypto/block/block.cpp`, unpack_block_prev_blk_ext.
 */
export function readHeader(block: Block, path: string) {
  const slice = new Slice(block.info, `${path}.info`);
  slice.tag(32, BLOCK_INFO, 'a block header');
  const version = slice.uint(32);
  if (version !== 0) throw slice.error(`expected version 0, got ${version}`);
  const notMaster = slice.bit();
  const afterMerge = slice.bit();
  slice.skip(1); // before_split
  const afterSplit = slice.bit();
  slice.skip(2); // want_split, want_merge
  const keyBlock = slice.bit();
  const vertSeqnoIncr = slice.bit();
  const flags = slice.uint(8);
  if (flags > 1) throw slice.error(`expected flags 0 or 1, got ${flags}`);
  const seqno = slice.uint(32);
  const vertSeqno = slice.uint(32);
  if (seqno === 0) throw slice.error('expected a seqno above 0, got 0');
  if (vertSeqnoIncr && vertSeqno === 0) throw slice.error('a hardfork with a vertical seqno of 0');
  const { workchain, shard } = readShardIdent(slice);
  const made = {
    genUtime: slice.uint(32),
    /** Logical times: every transaction of the block lies between them, both excluded. */
    startLt: slice.uint64(),
    endLt: slice.uint64(),
    validatorListHashShort: slice.uint(32),
    catchainSeqno: slice.uint(32),
  };
  slice.skip(32); // min_ref_mc_seqno
  const prevKeyBlockSeqno = slice.uint(32);
  if (flags === 1) {
    slice.tag(8, GLOBAL_VERSION, 'a software version');
    slice.skip(96);
  }
  if (notMaster) slice.skipRefs(1);
  const prevRef = slice.ref();
  if (vertSeqnoIncr) slice.skipRefs(1);
  slice.end();
  if (notMaster !== (workchain !== MASTERCHAIN_WORKCHAIN)) {
    throw slice.error(`not_master is ${notMaster} in workchain ${workchain}`);
  }
  if (keyBlock && notMaster) throw slice.error('a key block outside the masterchain');
  if (vertSeqnoIncr && !notMaster && !keyBlock) throw slice.error('a hardfork that is no key block');
  return {
    globalId: block.globalId,
    workchain,
    shard,
    seqno,
    keyBlock,
    afterMerge,
    afterSplit,
    vertSeqno,
    vertSeqnoIncr,
    ...made,
    prevKeyBlockSeqno,
    prevRef,
  };
}

/** The members of a block's header on which trust depends. */
export type BlockHeader = Readonly<ReturnType<typeof readHeader>>;

/** Requires an id in the masterchain. @throws TrustError `trust/wrong-workchain` */
export function requireMasterchainId(id: BlockIdExt, path: string): void {
  if (id.workchain === MASTERCHAIN_WORKCHAIN && id.shard === MASTERCHAIN_SHARD) return;
  throw trustError('trust/wrong-workchain', `expected a masterchain block, got ${id.workchain}:${id.shard}`, path);
}

/** Requires a header or a state to have the place that the id names. @param holder as in `header` @throws TrustError `trust/header` */
export function requirePlace(got: BlockPlace, id: BlockPlace, holder: string, path: string, hint?: string): void {
  const field = (['workchain', 'shard', 'seqno'] as const).find((name) => got[name] !== id[name]);
  if (field === undefined) return;
  throw trustError('trust/header', `${field} is ${got[field]} in the ${holder}, ${id[field]} in the id`, path, hint);
}

/** Whether the previous blocks are read together with the header; see `readProvenBlock`. */
export type PreviousBlocks = 'required' | 'if-shown' | 'unread';

/**
 * Proves a block by its root hash, with a header that agrees with the id and follows the previous blocks. Source: ton
 * `crypto/block/check-proof.cpp`, check_block_header_proof; `crypto/block/block.cpp`, unpack_block_prev_blk_ext.
 * @param previous how to treat the previous blocks. The proof must show them if this is 'required'; every answer of a node
 * does. For 'if-shown' they are only checked if the proof shows them, since a stored proof contains no more than necessary.
 * For 'unread', with a pinned block, they are not examined.
 * @throws TrustError `trust/root-hash`, `trust/header`, `trust/pruned`; DecodeError `decode/boc`
 */
export function readProvenBlock(root: Cell, id: BlockIdExt, path: string, previous: PreviousBlocks = 'required') {
  requireRootHash(root, id.rootHash, path);
  const block = readBlock(root, path);
  const header = readHeader(block, path);
  const hint = 'the id mixes the hashes of one block with the number of another';
  requirePlace(header, id, 'header', `${path}.info`, hint);
  const isRead = previous === 'required' || (previous === 'if-shown' && header.prevRef.kind !== 'pruned');
  if (isRead) readPreviousBlocks(header, `${path}.info`);
  return { block, header };
}

/** A proven header, with the members that the chain of trust needs. */
export interface ProvenHeader extends Required<BlockHeaderFacts>, ComparedHeader {
  readonly source: 'proven';
  readonly keyBlock: boolean;
}

/**
 * The facts of a header that `readProvenBlock` compared with the id. Only this object counts as proven. Copies do not.
 */
export function headerFacts(header: BlockHeader, id: BlockIdExt): ProvenHeader {
  const { workchain, shard, afterMerge, afterSplit, startLt, endLt, prevRef, ...facts } = header;
  return markProven({ source: 'proven' as const, blockId: copyBlockId(id, 'blockId'), ...facts });
}

/** Requires a whole file to have the file hash of an id. @throws TrustError `trust/file-hash` */
export function requireFileHash(boc: Uint8Array, id: BlockIdExt, path: string): void {
  const got = fileHash(boc);
  if (equalBytes(got, id.fileHash)) return;
  const message = `the file hash is ${encodeHex(got)}, the id names ${encodeHex(id.fileHash)}`;
  const hint = 'use the bytes as the node stored them, with the id of this block';
  throw trustError('trust/file-hash', message, path, hint);
}

/**
 * Reads the header of one block and proves that it belongs to the given id. A whole block also proves its file hash.
 * @param block the whole block, or a Merkle proof that shows the header
 * @param id the id that the block should have, of any workchain
 * @returns the header, which counts as proven in the `context` of `verifyBlock`
 * @throws TrustError for the header of a different block; DecodeError for bytes that are not a block. Source: ton
 * `crypto/block/check-proof.cpp`, check_block_header.
 * @example
 * ```ts
 * import { parseSignatureList } from 'ton-finality';
 * import { verifyHeader } from 'ton-finality/chain';
 * import { ordinarySample } from 'ton-finality/sample';
 * const { blockId } = parseSignatureList(ordinarySample.signatures);
 * const header = verifyHeader(ordinarySample.headerProof, blockId);
 * console.log(header.seqno); // 3082200
 * ```
 */
export function verifyHeader(block: CellLike, id: BlockIdExt): ProvenHeader {
  const own = copyBlockId(id, 'id');
  const { root, whole, file } = openBlock(block, 'block');
  // A whole block shows the previous block. A stored proof may show the header only.
  const { header } = readProvenBlock(root, own, 'block', 'if-shown');
  if (whole) requireFileHash(file, own, 'block');
  return headerFacts(header, own);
}
