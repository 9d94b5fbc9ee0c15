/**
 * Finds the validator list in a bag of cells (a parameter, a key block, a zerostate or other state, or a Merkle proof of
 * one), and in the JSON of v2 getConfigParam and getConfigAll. This proves nothing; a checkpoint does.
 */
import { readBase64 } from '../base/fields.ts';
import { joinPath, requireObject } from '../base/json-structure.ts';
import { MAX_BOC_BYTES } from '../base/limits.ts';
import { unwrapAnswer } from '../block/envelope.ts';
import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { type ConfigReading, readConfiguration, type ValidatorSetTime } from '../validators/config-params.ts';
import { looksLikeValidatorSet, readValidatorConfig } from '../validators/from-config.ts';
import { BLOCK, openBlock, readBlock, readHeader } from './block-header.ts';
import { readKeyBlockConfig } from './key-block-config.ts';
import { readMasterchainState, SHARD_STATE } from './shard-state.ts';

const BLOCK_BITS = 64;
const STATE_BITS = 362;

/** The configuration in a block or a state; `undefined` for any other cell. */
function findConfigRoot(root: Cell): Cell | undefined {
  // No validator set has these two sizes, so its tag 11 cannot be confused with the first byte of a block's tag.
  if (root.bitLength !== BLOCK_BITS && root.bitLength !== STATE_BITS) return undefined;
  const tag = new Slice(root, 'root').uint(32);
  if (root.bitLength === BLOCK_BITS && tag === BLOCK) {
    const block = readBlock(root, 'block');
    return readKeyBlockConfig(block, readHeader(block, 'block').keyBlock, 'block');
  }
  return root.bitLength === STATE_BITS && tag === SHARD_STATE ? readMasterchainState(root, 'state').config : undefined;
}

/**
 * Finds a validator list.
 * @param time which of the sets, if the cells contain a whole configuration
 * @throws DecodeError, ValidatorSetError as `parseValidatorConfig`; TrustError when the block is not a key block, or
 * when a cell that has to be read is pruned
 */
export function findValidatorList(boc: CellLike, time: ValidatorSetTime = 'current'): ConfigReading {
  const { root } = openBlock(boc, 'boc');
  const config = findConfigRoot(root);
  if (config === undefined) return { validators: readValidatorConfig(root, 'validators') };
  return readConfiguration(config, time, 'config');
}

/**
 * Reads `{ config: { bytes } }`, bare or in any wrapping: one parameter (34, 32 or 36), or the whole configuration.
 * configInfo config:tvm.cell = ConfigInfo; Source: ton `tl/generate/scheme/tonlib_api.tl`.
 * @param time which of the sets, if the answer has the whole configuration
 * @throws DecodeError, ValidatorSetError as `parseValidatorConfig`
 */
export function validatorConfigFromJson(json: unknown, time: ValidatorSetTime = 'current'): ConfigReading {
  const { result, path } = unwrapAnswer(json);
  const { config } = requireObject(result, path);
  const { bytes } = requireObject(config, joinPath(path, ['config']));
  const at = joinPath(path, ['config', 'bytes']);
  const cell = parseSingleRoot(readBase64(bytes, at, MAX_BOC_BYTES), at);
  if (looksLikeValidatorSet(cell)) return { validators: readValidatorConfig(cell, at) };
  return readConfiguration(cell, time, at);
}
