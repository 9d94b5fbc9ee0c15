/** The id of one block: read from `ton.blockIdExt` in JSON, from text, and from a caller's object. */
import { badArgument, requireMembers } from '../base/arguments.ts';
import { decodeHex, encodeHex, equalBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import {
  type Hash256,
  readHash256,
  readInt32,
  readInt64,
  readUint32,
  requireInt64,
  requireUint32,
} from '../base/fields.ts';
import { badRange, badTypeName, requireObject, requireString } from '../base/json-structure.ts';
import { HASH_BYTES, MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import { ownBytesOf } from '../base/own-bytes.ts';

/**
 * Full block id. `shard` is the signed int64 exactly as the JSON prints it; the masterchain is -0x8000000000000000n.
 * Source: ton `tl/generate/scheme/tonlib_api.tl`, ton.blockIdExt.
 */
export interface BlockIdExt {
  /** int32, -1 for the masterchain. */
  readonly workchain: number;
  /** int64. */
  readonly shard: bigint;
  /** uint32. */
  readonly seqno: number;
  readonly rootHash: Hash256;
  readonly fileHash: Hash256;
}

/** The members of a block id that say where the block is. */
export type BlockPlace = Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>;

const TYPE_NAME = /^[a-z][a-z0-9]*\.blockIdExt$/;

/**
 * Reads `ton.blockIdExt`. The type may have any network prefix (`ton.`, and `net.` in documentation). It may be missing,
 * since some servers leave it out.
 * @throws DecodeError naming the field under `path`
 */
export function readBlockId(json: unknown, path: string): BlockIdExt {
  const { '@type': named, workchain, shard, seqno, root_hash, file_hash } = requireObject(json, path);
  const type = named === undefined ? 'ton.blockIdExt' : requireString(named, `${path}.@type`);
  if (!TYPE_NAME.test(type)) {
    throw badTypeName('"ton.blockIdExt"', type, `${path}.@type`);
  }
  return Object.freeze({
    workchain: readInt32(workchain, `${path}.workchain`),
    shard: readInt64(shard, `${path}.shard`),
    seqno: readUint32(seqno, `${path}.seqno`),
    rootHash: readHash256(root_hash, `${path}.root_hash`),
    fileHash: readHash256(file_hash, `${path}.file_hash`),
  });
}

/**
 * Returns a frozen copy of a caller's id. Each field is read once and in range, so no other number spells the same id.
 * @throws DecodeError `decode/shape`, `decode/range`, `decode/length` naming the field under `path`; UsageError for a value that is not an id
 */
export function copyBlockId(id: BlockIdExt, path: string): BlockIdExt {
  const hint = 'parseBlockId reads one from text';
  const { workchain, shard, seqno, rootHash, fileHash } = requireMembers(id, 'a block id', path, hint);
  if (rootHash === undefined) throw badArgument(path, 'a block id', id, hint);
  return Object.freeze({
    workchain: readInt32(workchain, `${path}.workchain`),
    shard: requireInt64(shard, `${path}.shard`),
    seqno: requireUint32(seqno, `${path}.seqno`),
    rootHash: ownBytesOf(HASH_BYTES, rootHash as Uint8Array, `${path}.rootHash`), // `ownBytesOf` checks that these are bytes
    fileHash: ownBytesOf(HASH_BYTES, fileHash as Uint8Array, `${path}.fileHash`),
  });
}

const MASTERCHAIN = { workchain: MASTERCHAIN_WORKCHAIN, shard: MASTERCHAIN_SHARD } as const;

/** Requires workchain -1 and shard -2^63. @throws DecodeError `decode/range` */
export function requireMasterchain(id: BlockIdExt, path: string): BlockIdExt {
  for (const field of ['workchain', 'shard'] as const) {
    if (id[field] === MASTERCHAIN[field]) continue;
    throw badRange(`the masterchain, ${field} ${MASTERCHAIN[field]}`, id[field], `${path}.${field}`);
  }
  return id;
}

/** Frozen, because reports return it. */
export const BLOCK_ID_FIELDS = Object.freeze(['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'] as const);

/** One of the five fields of a block id. */
export type BlockIdField = (typeof BLOCK_ID_FIELDS)[number];

/** The first of the five fields in which two ids differ, or `undefined`. Source: ton `ton/ton-types.h`, operator== on BlockIdExt. */
export function differingField(a: BlockIdExt, b: BlockIdExt): BlockIdField | undefined {
  return BLOCK_ID_FIELDS.find((field) => {
    const [x, y] = [a[field], b[field]];
    return x instanceof Uint8Array && y instanceof Uint8Array ? !equalBytes(x, y) : x !== y;
  });
}

/** Formats where a block is in its chain, as `(workchain,shard,seqno)` with the shard in 16 hex digits. */
export function formatBlockPlace({ workchain, shard, seqno }: BlockPlace): string {
  return `(${workchain},${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')},${seqno})`;
}

/**
 * Formats a block id as the tools of TON print it: `(workchain,shard,seqno):ROOT:FILE` in hex. Equal ids give equal
 * text, and different ids different text.
 * @param id the block id
 * @returns the text
 * @throws DecodeError for a field that no id has; UsageError for anything but a block id
 * @example
 * ```ts
 * import { formatBlockId, parseSignatureList } from 'ton-finality';
 * import { simplexSample } from 'ton-finality/sample';
 * const { blockId } = parseSignatureList(simplexSample.signatures);
 * console.log(formatBlockId(blockId).slice(0, 30)); // (-1,8000000000000000,59379986)
 * ```
 */
export function formatBlockId(id: BlockIdExt): string {
  const own = copyBlockId(id, 'id');
  return `${formatBlockPlace(own)}:${encodeHex(own.rootHash)}:${encodeHex(own.fileHash)}`;
}

const AS_TEXT = /^\((0|-?[1-9][0-9]{0,9}),([0-9a-fA-F]{16}),(0|[1-9][0-9]{0,9})\):([0-9a-fA-F]{64}):([0-9a-fA-F]{64})$/;

/**
 * Reads a block id from text of the form `(workchain,shard,seqno):ROOT:FILE`.
 * @param text with the shard in 16 and the hashes in 64 hex digits each, of either case
 * @returns the frozen block id
 * @throws DecodeError `decode/shape` for a different form, `decode/range` for a number that does not fit
 * @example
 * ```ts
 * import { parseBlockId } from 'ton-finality';
 * const text = `(-1,8000000000000000,1):${'00'.repeat(32)}:${'11'.repeat(32)}`;
 * console.log(parseBlockId(text).seqno); // 1
 * ```
 */
export function parseBlockId(text: string): BlockIdExt {
  const parts = typeof text === 'string' ? AS_TEXT.exec(text) : undefined;
  if (parts === undefined) throw badArgument('text', 'a block id as text', text);
  if (parts === null) {
    const message = `expected (workchain,shard,seqno):ROOT:FILE, got ${JSON.stringify(text.slice(0, 32))}`;
    const hint =
      'as in (-1,8000000000000000,59379986):4a46…:cb7b…, with all 64 hex digits of both hashes and no space around';
    throw new DecodeError('decode/shape', message, { path: 'block id', hint });
  }
  const [, workchain, shard, seqno, rootHash, fileHash] = parts; // every group of a match has text
  return Object.freeze({
    workchain: readInt32(Number(workchain), 'workchain'),
    shard: BigInt.asIntN(64, BigInt(`0x${shard}`)),
    seqno: readUint32(Number(seqno), 'seqno'),
    rootHash: decodeHex(rootHash!)!, // 64 hex digits
    fileHash: decodeHex(fileHash!)!,
  });
}
