/** In place of `chain-model.ts` where answers are bytes: the room `src/core/chain/` itself judges, and blocks come from the world's cells. */

import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import {
  type Checkpoint,
  checkpointFromKeyBlock,
  checkpointFromZerostate,
} from '../../../src/core/chain/checkpoint.ts';
import { rememberingEngine } from '../../helpers/remembering-engine.ts';
import type { Block } from '../chain.ts';
import { port } from '../today/host.ts';
import type { BytePort } from './subject.ts';

export { checkpointToJson, parseCheckpoint } from '../../../src/core/chain/checkpoint.ts';

/** The signatures of a block are looked at by many servers' answers. */
export const engine = rememberingEngine();

const bytes = () => (port() as BytePort).bytes;

export function checkpointOf(block: Block, id: BlockIdExt): Checkpoint {
  const pin = block.seqno === 0 ? checkpointFromZerostate : checkpointFromKeyBlock;
  return pin(bytes().config(block), id);
}

export function configOf({ keyBlock }: Checkpoint): Block {
  const block = bytes().blockOf(keyBlock);
  if (block === undefined) throw new Error('a key block that no world made');
  return block;
}
