/**
 * Proves one parameter of the network's configuration from a masterchain block, or from the key block that contains it.
 */

import { requireInt32, requireInteger } from '../base/arguments.ts';
import { isBytesOf } from '../base/bytes.ts';
import { FROM_KEY_BLOCK } from '../base/limits.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { CellLike } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { readProvenBlock } from '../chain/block-header.ts';
import { readKeyBlockConfig } from '../chain/key-block-config.ts';
import { openProof } from '../chain/link.ts';
import { readMasterchainState } from '../chain/shard-state.ts';
import { configParam } from '../validators/config-params.ts';
import { requireSameNetwork } from '../verify/successor.ts';
import { contradiction } from './fact-checks.ts';
import {
  type BlockFacts,
  type FactBase,
  factBase,
  masterchainFacts,
  type ProvenBlock,
  requireAnswer,
} from './proven-block.ts';
import { readStateAfter, type StateParts } from './proven-state.ts';

/** A configuration parameter as of a block. A key block's own configuration is the configuration of the blocks after it. */
export type ConfigFact = FactBase & { readonly kind: 'config'; readonly param: number } & (
    | {
        readonly found: true;
        /** The cell of the parameter. It may be incomplete: reading a pruned part throws `trust/pruned`. */
        readonly cell: Cell;
        readonly hash: Uint8Array;
      }
    | { readonly found: false; readonly reason: 'not-in-config' }
  );

/** A proof of a parameter, such as `ConfigAnswer`. */
export interface ConfigProof<Bag extends CellLike = CellLike> {
  readonly mode?: number;
  /** The block of this configuration: with mode 0x8000 the key block before the requested block. */
  readonly id?: BlockIdExt;
  /** Header and state hash of `id`; empty when `configProof` is of the block itself. */
  readonly stateProof?: Bag;
  readonly configProof: Bag;
}

/**
 * Reads a parameter from a state, or from the root of the key block. Source of the steps: ton
 * `tonlib/tonlib/TonlibClient.cpp`, process_config_params; `crypto/block/check-proof.cpp`, check_extract_state_proof.
 */
export function checkConfigParam(opened: StateParts | Cell, facts: BlockFacts, param: number): ConfigFact {
  let config: Cell;
  let genUtime: number;
  if ('state' in opened) {
    ({ genUtime } = readStateAfter(opened, facts, 'config_proof'));
    ({ config } = readMasterchainState(opened.state, 'config_proof'));
  } else {
    // Servers leave out the previous block; this block is already proven.
    const { block, header } = readProvenBlock(opened, facts.id, 'config_proof', 'unread');
    requireSameNetwork(header.globalId, facts.globalId, 'config_proof');
    config = readKeyBlockConfig(block, header.keyBlock, 'config_proof');
    ({ genUtime } = header);
  }
  const cell = configParam(config, param, 'config');
  const base = { kind: 'config' as const, param, ...factBase(facts, { genUtime }) };
  if (cell === undefined) return Object.freeze({ found: false, reason: 'not-in-config', ...base });
  return Object.freeze({ found: true, cell, hash: cell.hash(0), ...base });
}

/**
 * Proves one parameter of the network's configuration, or its absence.
 * @param answer liteServer.configInfo as `parseLiteAnswer` returns it, in either form
 * @param masterchain the block of the answer: with bit 0x8000 in its mode the key block itself
 * @param param number of the parameter, an int32
 * @returns the fact; `found` is false for a proven absence
 * @throws TrustError naming the broken rule; DecodeError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { blockOfCheckpoint, parseLiteAnswer, verifyConfig } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/key-block-173.json', 'utf8')));
 * const answer = parseLiteAnswer(readFileSync('vectors/live/answers/config-from-key-block.tl'), 'config');
 * const fact = verifyConfig(answer, blockOfCheckpoint(checkpoint), 34);
 * console.log(fact.found); // true
 * ```
 */
export function verifyConfig(answer: ConfigProof, masterchain: ProvenBlock, param: number): ConfigFact {
  const facts = masterchainFacts(masterchain);
  requireInt32(param, 'param');
  requireAnswer(facts, answer, 'configProof');
  const isKeyBlock = isFromKeyBlock(answer);
  return checkConfigParam(isKeyBlock ? openProof(answer.configProof, 'config_proof') : openState(answer), facts, param);
}

/**
 * Whether a proof is of the key block itself, not of a state.
 * @throws TrustError `trust/contradiction` for a proof of the key block that comes with a state
 */
export function isFromKeyBlock({ mode = 0, stateProof }: ConfigProof): boolean {
  requireInteger(mode, 'answer.mode', 0, 2 ** 32 - 1);
  if ((mode & FROM_KEY_BLOCK) === 0) return false;
  if (stateProof === undefined || isBytesOf(0, stateProof)) return true;
  throw contradiction('a state', 'key block', 'state_proof');
}

/** Opens the proof of a parameter by a state. */
export function openState({ stateProof = new Uint8Array(0), configProof }: ConfigProof): StateParts {
  return openSeparate(stateProof, configProof);
}

/** Opens the two proofs of a state that came separately. A zerostate has no block, so its first proof is empty. */
export function openSeparate(stateProof: CellLike, proof: CellLike): StateParts {
  return {
    block: isBytesOf(0, stateProof) ? undefined : openProof(stateProof, 'state_proof'),
    state: openProof(proof, 'proof'),
  };
}
