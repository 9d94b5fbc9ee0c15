/** Reads what is trusted, and which block is expected. Code that reads cells is loaded on use, so that most runs start faster. */
import { encodeHex, equalBytes } from '../../../core/base/bytes.ts';
import { DecodeError, UsageError } from '../../../core/base/errors.ts';
import { isObject } from '../../../core/base/json-structure.ts';
import { present } from '../../../core/base/present.ts';
import type { BlockIdExt } from '../../../core/block/block-id.ts';
import { parseValidatorSet } from '../../../core/validators/from-json.ts';
import { createValidatorSet, type ValidatorSet } from '../../../core/validators/validator-set.ts';
import { withFileName } from '../../files/with-file-name.ts';
import type { InputLog } from './input-log.ts';
import { badFlag, type OptionTable, type OptionValues, option } from './option-rows.ts';
import { inputName, readCheckpointFlag, readJson } from './read-file.ts';
import type { EXPECT_OPTIONS, TRUST_OPTIONS } from './shared-options.ts';

export const VALID_UNTIL_OPTION = {
  'valid-until': option.unixTime('expiry time of the validator set in --validators, if its file has none (Unix time)'),
} satisfies OptionTable;

export const THRESHOLD_OPTION = {
  threshold: option.fraction('require more than N/D of the weight; at least 2/3, the default'),
} satisfies OptionTable;

export const UNBOUND_OPTION = {
  'accept-unbound': {
    ...option.flag("exception: accept the server's block number, which ordinary signatures do not cover"),
    not: ['strict', 'require-bound-id'],
  },
} satisfies OptionTable;

/** The demand that `--accept-unbound` gives up. */
export const BOUND_ID_OPTION = {
  'require-bound-id': option.flag('undecided unless the whole block id is bound; always on with servers'),
} satisfies OptionTable;

/** Adds `--valid-until` to a set whose file has no end. @throws UsageError if the file has one */
function withEnd(validators: ValidatorSet, utimeUntil: number): ValidatorSet {
  if (validators.utimeUntil !== undefined) {
    throw badFlag('valid-until', `the validator set already has an expiry time: ${validators.utimeUntil}`);
  }
  const { shuffle, globalId } = validators;
  return createValidatorSet(validators.validators, { utimeUntil, ...present({ shuffle, globalId }) });
}

type TrustValues = OptionValues<typeof TRUST_OPTIONS> & {
  readonly 'validators-from'?: 'server' | undefined;
  readonly 'valid-until'?: number | undefined;
  readonly json?: boolean;
};

/**
 * Reads the set that the command line names, and the checkpoint that proves it, if there is one.
 * @returns `undefined` if the server of the block is to name the set
 */
export async function readValidators(options: TrustValues, log?: InputLog) {
  const { validators: file, checkpoint, 'validators-from': from, 'valid-until': until } = options;
  const named = Object.entries({ validators: file, checkpoint, 'validators-from': from }).filter(([, value]) => value);
  if (named.length > 1) {
    const names = named.map(([name]) => `--${name}`).join(' and ');
    throw new UsageError('usage/bad-option', `expected one validator set, got ${names}`);
  }
  if (from !== undefined) return undefined;
  if (checkpoint !== undefined) {
    const read = await readCheckpointFlag(options, present({ log }));
    const { validatorSetAt } = await import('../../../core/chain/checkpoint.ts');
    return { validators: validatorSetAt(read), checkpoint: read };
  }
  if (file === undefined) {
    const hint = 'pass the validator set, from a source other than that of the signatures';
    const message = 'expected --validators FILE or --checkpoint FILE, got no validator set';
    throw new UsageError('usage/bad-option', message, { hint });
  }
  const json = await readJson(file, present({ log }));
  if (isObject(json) && json.schema !== undefined) {
    const { isCheckpointJson } = await import('../../../core/chain/checkpoint.ts');
    if (isCheckpointJson(json)) throw badFlag('validators', 'this is a checkpoint: pass it with --checkpoint');
  }
  const validators = withFileName(inputName(file), () => parseValidatorSet(json));
  return { validators: until === undefined ? validators : withEnd(validators, until) };
}

export function requireExpectedBlock(
  { rootHash, fileHash }: BlockIdExt,
  options: OptionValues<typeof EXPECT_OPTIONS>,
): void {
  for (const [option, got, path] of [
    ['expect-root-hash', rootHash, 'id.root_hash'],
    ['expect-file-hash', fileHash, 'id.file_hash'],
  ] as const) {
    if (equalBytes(options[option] ?? got, got)) continue;
    const hint = 'the answer is about a different block: fetch the signatures of the block you expect';
    const message = `expected the hash of --${option}, got ${encodeHex(got)}`;
    throw new DecodeError('decode/unexpected-block', message, { path, hint });
  }
}
