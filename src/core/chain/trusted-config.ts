/**
 * The configuration of a block whose id is trusted, read from a proof of that block: who signs the blocks after it.
 * That the id deserves trust is the caller's claim.
 */

import { present } from '../base/present.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { Cell } from '../cells/cell.ts';
import { requireRootHash } from '../cells/merkle-proof.ts';
import { findCatchainConfig, findValidatorConfig } from '../validators/config-params.ts';
import { masterchainSubset, type ValidatorConfig } from '../validators/select-masterchain.ts';
import { createProvenSet, type StaleStartMark, type ValidatorSet } from '../validators/validator-set.ts';
import { type PreviousBlocks, readProvenBlock, requireMasterchainId } from './block-header.ts';
import { readKeyBlockConfig } from './key-block-config.ts';
import { readMasterchainState } from './shard-state.ts';
import { trustError } from './shared-checks.ts';

/** What a key block or a zerostate says of the blocks after it. */
export interface TrustedConfig {
  readonly id: BlockIdExt;
  readonly globalId: number;
  /** Unix seconds. */
  readonly genUtime: number;
  /** How many hardforks lie behind it. */
  readonly vertSeqno: number;
  readonly validators: ValidatorConfig;
  readonly shuffle: boolean;
  /** The root it was read from: whatever was opened below it is what a proof has to show. */
  readonly root: Cell;
}

function readConfigRoot(root: Cell, id: BlockIdExt, path: string, previous: PreviousBlocks) {
  if (id.seqno === 0) {
    requireRootHash(root, id.rootHash, path);
    const state = readMasterchainState(root, path);
    if (state.seqno !== 0) {
      throw trustError('trust/header', `expected a zerostate, got the state of block ${state.seqno}`, path);
    }
    const { globalId, genUtime, vertSeqno } = state;
    return { globalId, genUtime, vertSeqno, config: state.config };
  }
  const { block, header } = readProvenBlock(root, id, path, previous);
  const config = readKeyBlockConfig(block, header.keyBlock, path);
  const { globalId, genUtime, vertSeqno } = header;
  return { globalId, genUtime, vertSeqno, config };
}

/**
 * Reads who signs after a key block, or after the zerostate (seqno 0).
 * Source: ton `crypto/block/check-proof.cpp`, BlockProofLink::validate; `mc-config.cpp`, Config::unpack.
 * @param root the proven root: of the block, or of the zerostate
 * @param mainOnly take a proof that shows only those who sign the masterchain; for certificates
 * @param previous as `readProvenBlock`
 * @throws TrustError when it is another block's, no key block's, or does not show a cell that has to be read;
 * DecodeError, ValidatorSetError as `parseValidatorConfig`
 */
export function readTrustedConfig(
  root: Cell,
  id: BlockIdExt,
  path: string,
  previous: PreviousBlocks = 'required',
  mainOnly = false,
): TrustedConfig {
  requireMasterchainId(id, path);
  const { globalId, genUtime, vertSeqno, config } = readConfigRoot(root, id, path, previous);
  const at = `${path}.config`;
  const validators = findValidatorConfig(config, 'current', at, mainOnly);
  if (validators === undefined) {
    throw trustError('trust/no-config', 'the configuration has no current validator set', at);
  }
  const { shuffle } = findCatchainConfig(config, at);
  return { id, globalId, genUtime, vertSeqno, validators, shuffle, root };
}

/**
 * The validators that a configuration puts in charge, proven from an anchor.
 * @param staleStart how the trust in it began
 * @param start the block from which the walk to it began, when that is another
 */
export function validatorsOf(
  config: TrustedConfig,
  anchor: BlockIdExt,
  staleStart: StaleStartMark = 'none',
  start?: BlockIdExt,
): ValidatorSet {
  const { id: keyBlock, globalId, genUtime, vertSeqno, validators, shuffle } = config;
  const { list, main, utimeUntil } = validators;
  const origin = { keyBlock, anchor, globalId, genUtime, vertSeqno, staleStart, ...present({ start }) };
  return createProvenSet(masterchainSubset(list, main), { ...origin, shuffle, utimeUntil });
}
