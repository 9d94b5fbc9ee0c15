/** Answers of lite servers, laid by hand: nothing here uses the writer or the reader under test. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

export const hex = (text: string): Buffer => Buffer.from(text, 'hex');

export const tlBool = (value: boolean): Buffer => hex(value ? 'b5757299' : '379779bc');

/** Bytes with their length, up to a multiple of four. */
export function tlBytes(data: Uint8Array): Buffer {
  const head = data.length < 254 ? Buffer.from([data.length]) : u32(data.length * 256 + 254);
  return Buffer.concat([head, data, Buffer.alloc((4 - ((head.length + data.length) % 4)) % 4)]);
}

/** The 80 bytes of a bare tonNode.blockIdExt. */
export function blockIdBytes(id: BlockIdExt): Buffer {
  const shard = Buffer.alloc(8);
  shard.writeBigInt64LE(id.shard);
  return Buffer.concat([u32(id.workchain), shard, u32(id.seqno), id.rootHash, id.fileHash]);
}

const answer = (tag: string, ...parts: readonly Uint8Array[]): Buffer => Buffer.concat([hex(tag), ...parts]);
const NOTHING = new Uint8Array(0);

export const tlHeader = (id: BlockIdExt, proof: Uint8Array): Buffer =>
  answer('19822d75', blockIdBytes(id), u32(0), tlBytes(proof));

export const tlTransaction = (id: BlockIdExt, proof: Uint8Array, transaction: Uint8Array = NOTHING): Buffer =>
  answer('47edde0e', blockIdBytes(id), tlBytes(proof), tlBytes(transaction));

/** Transactions of an account from one backwards, each with the block that it is in. */
export const tlTransactionList = (blocks: readonly BlockIdExt[], bag: Uint8Array): Buffer =>
  answer('0bc6266f', u32(blocks.length), ...blocks.map(blockIdBytes), tlBytes(bag));

export interface AccountParts {
  readonly id: BlockIdExt;
  readonly shardBlock: BlockIdExt;
  readonly shardProof?: Uint8Array;
  readonly proof?: Uint8Array;
  readonly state?: Uint8Array;
}

export const tlAccount = ({
  id,
  shardBlock,
  shardProof = NOTHING,
  proof = NOTHING,
  state = NOTHING,
}: AccountParts): Buffer =>
  answer('51c77970', blockIdBytes(id), blockIdBytes(shardBlock), tlBytes(shardProof), tlBytes(proof), tlBytes(state));

export const tlConfig = (mode: number, id: BlockIdExt, stateProof: Uint8Array, configProof: Uint8Array): Buffer =>
  answer('2f277bae', u32(mode), blockIdBytes(id), tlBytes(stateProof), tlBytes(configProof));

/** A way down to a shard: the proof of each link is of the block before it. */
export type ShardLinks = readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];

export const tlShardProof = (masterchain: BlockIdExt, links: ShardLinks, count = links.length): Buffer =>
  answer(
    '7aa0621d',
    blockIdBytes(masterchain),
    u32(count),
    ...links.flatMap(({ id, proof }) => [blockIdBytes(id), tlBytes(proof)]),
  );

export const tlAllShards = (id: BlockIdExt, proof: Uint8Array, data: Uint8Array): Buffer =>
  answer('2de78f09', blockIdBytes(id), tlBytes(proof), tlBytes(data));
