/**
 * Finds parameters in the configuration of the masterchain: a dictionary from number to cell. Which block or state the
 * configuration is from, and whether that is proven, is the business of `chain/`.
 *
 * _ config:^(Hashmap 32 ^Cell) = ConfigParams; Source: ton `crypto/block/block.tlb`.
 */
import type { Cell } from '../cells/cell.ts';
import { lookup } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import {
  type CatchainConfig,
  DEFAULT_CATCHAIN_CONFIG,
  readCatchainConfig,
  readValidatorConfig,
} from './from-config.ts';
import type { ValidatorConfig } from './select-masterchain.ts';

/** Source: ton `crypto/block/block.tlb`, ConfigParam 28. */
const CATCHAIN_PARAM = 28;

/**
 * A set and the temporary one that goes before it where there is one, as the node takes them.
 * Source: ton `crypto/block/mc-config.cpp`, Config::unpack and Config::get_next_validator_set.
 */
const SET_PARAMS = { previous: [33, 32], current: [35, 34], next: [37, 36] } as const;
export type ValidatorSetTime = keyof typeof SET_PARAMS;

/**
 * One parameter.
 * @param root the root cell of the dictionary
 * @returns its cell, or `undefined` when the configuration does not have it, which is shown, not assumed
 * @throws TrustError `trust/pruned` when the path to it is not there
 */
export function configParam(root: Cell, number: number, path: string): Cell | undefined {
  const value = lookup(new Slice(root, path), 32, number);
  if (value === undefined) return undefined;
  const cell = value.ref();
  value.end();
  return cell;
}

/**
 * All validators of the previous, current or next validator set; `undefined` when the configuration has none.
 * @param mainOnly only the validators that sign the masterchain: see `readValidatorConfig`
 * @throws TrustError `trust/pruned`; DecodeError, ValidatorSetError as `parseValidatorConfig`
 */
export function findValidatorConfig(
  root: Cell,
  time: ValidatorSetTime,
  path: string,
  mainOnly = false,
): ValidatorConfig | undefined {
  for (const number of SET_PARAMS[time]) {
    const cell = configParam(root, number, path);
    if (cell !== undefined) return readValidatorConfig(cell, `${path}[${number}]`, mainOnly);
  }
  return undefined;
}

/** Parameter 28, or the node's defaults when it is shown to be absent. A pruned one is neither. */
export function findCatchainConfig(root: Cell, path: string): CatchainConfig {
  const cell = configParam(root, CATCHAIN_PARAM, path);
  return cell === undefined ? DEFAULT_CATCHAIN_CONFIG : readCatchainConfig(cell, `${path}[${CATCHAIN_PARAM}]`);
}
