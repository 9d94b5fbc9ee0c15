/**
 * Finds parameters in the configuration of the masterchain, a dictionary from number to cell. `chain/` knows from which
 * block or state the configuration comes, and whether it is proven.
 *
 * _ config:^(Hashmap 32 ^Cell) = ConfigParams; Source: ton `crypto/block/block.tlb`.
 */
import { DecodeError } from '../base/errors.ts';
import type { Cell } from '../cells/cell.ts';
import { lookup } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import { readShuffle, readValidatorConfig } from './from-config.ts';
import type { ValidatorConfig } from './select-masterchain.ts';

/** Source: ton `crypto/block/block.tlb`, ConfigParam 28. */
export const CATCHAIN_PARAM = 28;

/**
 * Numbers of a set and of the temporary set that precedes it if there is one, as the node uses them. Source: ton
 * `crypto/block/mc-config.cpp`, Config::unpack and Config::get_next_validator_set.
 */
export const SET_PARAMS = { previous: [33, 32], current: [35, 34], next: [37, 36] } as const;
export type ValidatorSetTime = keyof typeof SET_PARAMS;

/**
 * Looks up one parameter.
 * @param root the root cell of the dictionary
 * @returns the cell, or `undefined` when the dictionary proves that the configuration does not have it
 * @throws TrustError `trust/pruned` when the proof leaves out a cell of the path
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

/** A validator list, and the catchain configuration that determines its order. */
export interface ConfigReading {
  readonly validators: ValidatorConfig;
  /** Config parameter 28; absent when the source has one parameter only. */
  readonly shuffle?: boolean;
}

/**
 * Whether the masterchain validators are shuffled; false if the configuration is proven not to have parameter 28. A pruned
 * parameter is an error.
 */
export function findShuffle(root: Cell, path: string): boolean {
  const cell = configParam(root, CATCHAIN_PARAM, path);
  return cell !== undefined && readShuffle(cell, `${path}[${CATCHAIN_PARAM}]`);
}

/** Reads one of the sets of a whole configuration. @throws DecodeError `decode/shape` when there is none; as `findValidatorConfig` */
export function readConfiguration(root: Cell, time: ValidatorSetTime, path: string): ConfigReading {
  const validators = findValidatorConfig(root, time, path);
  if (validators !== undefined) return { validators, shuffle: findShuffle(root, path) };
  throw new DecodeError('decode/shape', `the configuration has no ${time} validator set`, { path });
}
