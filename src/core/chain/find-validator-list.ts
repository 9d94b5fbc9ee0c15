/**
 * Finds the validator list in a bag of cells: a parameter, a key block, a zerostate or other state, or a Merkle proof
 * of one. This proves nothing; a checkpoint does.
 */
import { DecodeError } from '../base/errors.ts';
import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import { Slice } from '../cells/slice.ts';
import { findCatchainConfig, findValidatorConfig, type ValidatorSetTime } from '../validators/config-params.ts';
import { readValidatorConfig } from '../validators/from-config.ts';
import type { ConfigReading } from '../validators/from-config-json.ts';
import { readBlock, readHeader } from './block-header.ts';
import { readKeyBlockConfig } from './key-block-config.ts';
import { readMasterchainState } from './shard-state.ts';

const BLOCK_TAG = 0x11ef55aa;
const STATE_TAG = 0x9023afe2;
const BLOCK_BITS = 64;
const STATE_BITS = 362;

/** The configuration in a block or a state; `undefined` for any other cell. */
function findConfigRoot(root: Cell): Cell | undefined {
  // No validator set has these two sizes, so its tag 11 cannot be confused with the first byte of a block's tag.
  if (root.bitLength !== BLOCK_BITS && root.bitLength !== STATE_BITS) return undefined;
  const tag = new Slice(root, 'root').uint(32);
  if (root.bitLength === BLOCK_BITS && tag === BLOCK_TAG) {
    const block = readBlock(root, 'block');
    return readKeyBlockConfig(block, readHeader(block, 'block').keyBlock, 'block');
  }
  return root.bitLength === STATE_BITS && tag === STATE_TAG ? readMasterchainState(root, 'state').config : undefined;
}

/**
 * Finds a validator list.
 * @param time which of the sets, if the cells contain a whole configuration
 * @throws DecodeError, ValidatorSetError as `parseValidatorConfig`; TrustError when the block is not a key block, or
 * when a cell that has to be read is pruned
 */
export function findValidatorList(boc: CellLike, time: ValidatorSetTime = 'current'): ConfigReading {
  const cell = parseSingleRoot(boc, 'boc');
  const root = cell.kind === 'merkle-proof' ? openMerkleProof(cell, 'boc') : cell;
  const config = findConfigRoot(root);
  if (config === undefined) return { validators: readValidatorConfig(root, 'validators') };
  const validators = findValidatorConfig(config, time, 'config');
  if (validators === undefined) {
    throw new DecodeError('decode/shape', `the configuration has no ${time} validator set`, { path: 'config' });
  }
  return { validators, shuffle: findCatchainConfig(config, 'config').shuffle };
}
