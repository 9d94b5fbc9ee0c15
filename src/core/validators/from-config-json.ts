/** Reads validator sets from the JSON of v2 getConfigParam and getConfigAll. Such an answer is not a proof. */
import { DecodeError } from '../base/errors.ts';
import { readBase64 } from '../base/fields.ts';
import { joinPath, requireObject } from '../base/json-structure.ts';
import { MAX_BOC_BYTES } from '../base/limits.ts';
import { unwrapAnswer } from '../block/envelope.ts';
import { parseSingleRoot } from '../cells/boc.ts';
import { findCatchainConfig, findValidatorConfig, type ValidatorSetTime } from './config-params.ts';
import { looksLikeValidatorSet, readValidatorConfig } from './from-config.ts';
import type { ValidatorConfig } from './select-masterchain.ts';

/** A validator list, and the catchain configuration that determines its order. */
export interface ConfigReading {
  readonly validators: ValidatorConfig;
  /** Config parameter 28; absent when the source has one parameter only. */
  readonly shuffle?: boolean;
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
  const validators = findValidatorConfig(cell, time, at);
  if (validators === undefined) {
    throw new DecodeError('decode/shape', `the configuration has no ${time} validator set`, { path: at });
  }
  return { validators, shuffle: findCatchainConfig(cell, at).shuffle };
}
