/** The way from a masterchain block that is taken as final down to a shard block, by ids alone. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { assumeFinal } from '../../src/core/facts/proven-block.ts';
import { verifyShardBlock } from '../../src/core/facts/shard-top.ts';

export function shardLink(given: unknown, masterchain: BlockIdExt, expect?: BlockIdExt): BlockIdExt {
  return verifyShardBlock(given, assumeFinal(masterchain), expect).id;
}
