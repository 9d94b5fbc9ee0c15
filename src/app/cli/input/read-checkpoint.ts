/** Reads `--checkpoint FILE` for all commands. */
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import { withFileName } from './error-with-file.ts';
import { badFlag } from './option-rows.ts';
import { inputName, type ReadOptions, readJson } from './read-file.ts';

/** @throws UsageError, DecodeError, TrustError */
export async function readCheckpointFlag(file: string | undefined, options?: ReadOptions): Promise<Checkpoint> {
  if (file === undefined) {
    throw badFlag(
      'checkpoint',
      'expected --checkpoint FILE',
      'run ton-finality sync to make a checkpoint from a block you pin',
    );
  }
  const json = await readJson(file, options);
  const { parseCheckpoint } = await import('../../../core/chain/checkpoint.ts'); // loaded on use: most runs have no checkpoint
  return withFileName(inputName(file), () => parseCheckpoint(json));
}
