/**
 * Reads the configuration of a trusted block from a proof of that block: the validators that sign the blocks after it.
 * The caller has to know that the block id is trusted.
 */

import type { Own } from '../base/own-bytes.ts';
import { present } from '../base/present.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { Cell } from '../cells/cell.ts';
import { requireRootHash } from '../cells/merkle-proof.ts';
import { findShuffle, findValidatorConfig } from '../validators/config-params.ts';
import { masterchainSubset } from '../validators/select-masterchain.ts';
import {
  createProvenSet,
  type StaleStartMark,
  type Validator,
  type ValidatorSet,
} from '../validators/validator-set.ts';
import { type PreviousBlocks, readProvenBlock, requireMasterchainId } from './block-header.ts';
import { readKeyBlockConfig } from './key-block-config.ts';
import { readMasterchainState } from './shard-state.ts';
import { trustError } from './shared-checks.ts';

/** The part of a key block or a zerostate that applies to the blocks after it. */
export type TrustedConfig = ReturnType<typeof readTrustedConfig>;

function readConfigRoot(root: Cell, id: BlockIdExt, path: string, previous: PreviousBlocks) {
  if (id.seqno === 0) {
    requireRootHash(root, id.rootHash, path);
    const state = readMasterchainState(root, path);
    if (state.seqno !== 0) {
      throw trustError('trust/header', `expected a zerostate, got the state of block ${state.seqno}`, path);
    }
    return { from: state, config: state.config };
  }
  const { block, header } = readProvenBlock(root, id, path, previous);
  return { from: header, config: readKeyBlockConfig(block, header.keyBlock, path) };
}

/**
 * Reads which validators sign after a key block, or after the zerostate (seqno 0). Source: ton
 * `crypto/block/check-proof.cpp`, BlockProofLink::validate; `mc-config.cpp`, Config::unpack.
 * @param root the proven root: of the block, or of the zerostate
 * @param mainOnly accept a proof that only shows the validators that sign the masterchain; for certificates
 * @param previous as `readProvenBlock`
 * @returns also `root`: a proof has to show every cell that was opened below it. The bytes of the validators are not
 * shown to a caller
 * @throws TrustError for a different block, for a block that is not a key block, and for a pruned cell that has to be
 * read; DecodeError, ValidatorSetError as `parseValidatorConfig`
 */
export function readTrustedConfig(
  root: Cell,
  id: BlockIdExt,
  path: string,
  previous: PreviousBlocks = 'required',
  mainOnly = false,
) {
  requireMasterchainId(id, path);
  const { from, config } = readConfigRoot(root, id, path, previous);
  const { globalId, genUtime, vertSeqno } = from;
  const at = `${path}.config`;
  const validators = findValidatorConfig(config, 'current', at, mainOnly);
  if (validators === undefined) {
    throw trustError('trust/no-config', 'the configuration has no current validator set', at);
  }
  return { id, globalId, genUtime, vertSeqno, validators, shuffle: findShuffle(config, at), root };
}

/**
 * Makes the validator set of a configuration, proven from an anchor.
 * @param staleStart how trust began
 * @param start the block where the walk began, if it is not the anchor
 */
export function validatorsOf(
  config: TrustedConfig,
  anchor: BlockIdExt,
  staleStart: StaleStartMark,
  start?: BlockIdExt,
): ValidatorSet {
  const { id: keyBlock, globalId, genUtime, vertSeqno, validators, shuffle } = config;
  const { list, main, utimeUntil } = validators;
  const origin = { keyBlock, anchor, globalId, genUtime, vertSeqno, staleStart, ...present({ start }) };
  const own = list as readonly Validator[] as Own<readonly Validator[]>; // read from cells; a checkpoint shows a copy
  return createProvenSet(masterchainSubset(own, main), { ...origin, shuffle, utimeUntil });
}
