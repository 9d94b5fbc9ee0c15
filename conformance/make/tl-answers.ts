/** Answers of lite servers about facts below a block, laid by hand. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { blockIdBytes } from '../../test/helpers/make-block.ts';
import { tlBytesOf } from '../../test/helpers/make-chain.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const join = (tag: string, ...parts: readonly Uint8Array[]) =>
  Uint8Array.from(Buffer.concat([Buffer.from(tag, 'hex'), ...parts]));

const NOTHING = new Uint8Array(0);

export const tlTransaction = (id: BlockIdExt, proof: Uint8Array, transaction: Uint8Array = NOTHING): Uint8Array =>
  join('47edde0e', blockIdBytes(id), tlBytesOf(proof), tlBytesOf(transaction));

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
}: AccountParts): Uint8Array =>
  join(
    '51c77970',
    blockIdBytes(id),
    blockIdBytes(shardBlock),
    tlBytesOf(shardProof),
    tlBytesOf(proof),
    tlBytesOf(state),
  );

export const tlConfig = (mode: number, id: BlockIdExt, stateProof: Uint8Array, configProof: Uint8Array): Uint8Array =>
  join('2f277bae', u32(mode), blockIdBytes(id), tlBytesOf(stateProof), tlBytesOf(configProof));

/** A way down to a shard: the proof of each link is of the block before it. */
export type ShardLinks = readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];

export const tlShardProof = (masterchain: BlockIdExt, links: ShardLinks, count = links.length): Uint8Array =>
  join(
    '7aa0621d',
    blockIdBytes(masterchain),
    u32(count),
    ...links.flatMap(({ id, proof }) => [blockIdBytes(id), tlBytesOf(proof)]),
  );

export const tlAllShards = (id: BlockIdExt, proof: Uint8Array, data: Uint8Array): Uint8Array =>
  join('2de78f09', blockIdBytes(id), tlBytesOf(proof), tlBytesOf(data));

export const tlError: Uint8Array = join('48e1a9bb', u32(651), tlBytesOf(Buffer.from('cannot find block')));

/** What every answer can have wrong with its bytes. */
export function brokenAnswers(good: Uint8Array): readonly (readonly [string, string, Uint8Array])[] {
  const changed = Uint8Array.from(good);
  changed[0]! ^= 1;
  return [
    ['behind', 'Four bytes behind the answer.', Uint8Array.of(...good, 0, 0, 0, 0)],
    ['cut', 'The answer is cut short.', good.subarray(0, good.length - 4)],
    ['constructor', 'Another constructor.', changed],
    ['error', 'The error of a lite server proves nothing, absence least of all.', tlError],
    ['nothing', 'No bytes at all.', NOTHING],
  ];
}
