/** The wire form of the links down to a block of a shard. Decides nothing: `shard-link.ts` judges them. */
import { MAX_SHARD_LINKS } from '../base/limits.ts';
import { type BlockIdExt, readTlBlockId } from '../block/block-id.ts';
import { readTlVector } from '../tl/bytes.ts';
import type { TlReader } from '../tl/reader.ts';
import { readBag } from './open-answer.ts';

/** From the masterchain block down: each block with the proof that the one before lists it. */
export type ShardLinks = readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];

/** liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink, in a bare vector. */
export function readTlShardLinks(tl: TlReader): ShardLinks {
  return readTlVector(tl, MAX_SHARD_LINKS, 'links', () => Object.freeze({ id: readTlBlockId(tl), proof: readBag(tl) }));
}
