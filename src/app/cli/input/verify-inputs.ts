/**
 * Reads the command line of `verify` apart from the block: policy, header, validator set, expectations. Code that reads cells is loaded
 * only by the options that need it, so that most runs start faster.
 */
import { encodeHex, equalBytes } from '../../../core/base/bytes.ts';
import { DecodeError, UsageError } from '../../../core/base/errors.ts';
import { isObject } from '../../../core/base/json-structure.ts';
import { present } from '../../../core/base/present.ts';
import type { BlockIdExt } from '../../../core/block/block-id.ts';
import type { ProvenHeader } from '../../../core/chain/block-header.ts';
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import { parseValidatorSet } from '../../../core/validators/from-json.ts';
import { createValidatorSet, type ValidatorSet } from '../../../core/validators/validator-set.ts';
import type { BlockHeaderFacts, Policy } from '../../../core/verify/report.ts';
import { strict } from '../../../core/verify/strict.ts';
import type { BlockOptions } from '../../../core/verify/verifier.ts';
import { shellWord } from '../shell-word.ts';
import { withFileName } from './error-with-file.ts';
import type { InputLog } from './input-log.ts';
import {
  badFlag,
  flagRow,
  fractionRow,
  needing,
  type OptionTable,
  type OptionValues,
  textRow,
  uint32Row,
  under,
  unixTimeRow,
  without,
} from './option-rows.ts';
import { readCheckpointFlag } from './read-checkpoint.ts';
import { inputName, readBytes, readJson } from './read-file.ts';
import { EXPECT_OPTIONS, STRICT_OPTION, TRUST_OPTIONS } from './shared-options.ts';

export const VALID_UNTIL_OPTION = {
  'valid-until': unixTimeRow('expiry time of the validator set in --validators, if its file has none (Unix time)'),
} satisfies OptionTable;

export const THRESHOLD_OPTION = {
  threshold: fractionRow('require more than N/D of the weight; at least 2/3, the default'),
} satisfies OptionTable;

export const UNBOUND_OPTION = {
  'accept-unbound': {
    ...flagRow("exception: accept the server's block number, which ordinary signatures do not cover"),
    not: ['strict', 'require-bound-id'],
  },
} satisfies OptionTable;

export const INPUT_OPTIONS = {
  ...TRUST_OPTIONS,
  ...under('policy: at least as strict as the node, except for options marked "exception"', {
    ...STRICT_OPTION,
    ...THRESHOLD_OPTION,
    'require-bound-id': flagRow('undecided unless the whole block id is bound; always on with servers'),
    ...EXPECT_OPTIONS,
    ...without(['strict'], {
      'ignore-defects': flagRow('exception: count the valid entries of a signature list that a node would reject'),
      'accept-claimed': flagRow('exception: accept a validator set that only a server claims'),
    }),
    ...UNBOUND_OPTION,
  }),
  ...under('header and clock', {
    block: textRow(
      'FILE',
      'the block or a Merkle proof of its header; binds the whole block id, the validator set and the network',
    ),
    ...without(['block'], {
      'catchain-seqno': { ...uint32Row('gen_catchain_seqno'), needs: ['list-hash'] },
      'list-hash': { ...uint32Row('gen_validator_list_hash_short'), needs: ['catchain-seqno'] },
    }),
    now: unixTimeRow(
      "clock for the age of the validator set (Unix time); with latest or --strict the default is this machine's clock",
    ),
    ...needing(['validators'], VALID_UNTIL_OPTION),
  }),
} satisfies OptionTable;

/**
 * Returns the words of a shell that repeat the run with a file in place of a server: with the clock that was read, and bound to the
 * requested number. FILE replaces a set that came from the server, and standard input.
 */
export function wordsAgain(
  texts: ReadonlyMap<string, readonly string[]>,
  policy: Policy,
  nowSeconds: number | undefined,
): readonly string[] {
  const isBound = policy.requireBoundId === true && !texts.has('strict');
  const again = new Map(texts);
  again.delete('accept-claimed');
  again.delete('require-bound-id');
  if (isBound) again.set('require-bound-id', ['']);
  if (nowSeconds !== undefined) again.set('now', [String(nowSeconds)]);
  const words = Object.entries(INPUT_OPTIONS as OptionTable).flatMap(([name, { value }]) => {
    const [given] = again.get(name) ?? [];
    if (given === undefined) return [];
    return value === undefined ? [`--${name}`] : [`--${name}`, given === '-' ? 'FILE' : shellWord(given)];
  });
  return texts.has('validators-from') ? [...words, '--validators', 'FILE'] : words;
}

export type InputValues = OptionValues<typeof INPUT_OPTIONS> & { readonly 'validators-from'?: string | undefined };

/** @param isFromServer whether a server was asked for the block by its number: the number must then be covered */
export function readPolicy(options: InputValues, isFromServer: boolean): Policy {
  const acceptUnbound = options['accept-unbound'] === true;
  return {
    onDefect: options['ignore-defects'] === true ? 'ignore' : 'reject',
    acceptClaimed: options['accept-claimed'] === true,
    acceptUnbound,
    requireBoundId: options['require-bound-id'] === true || (isFromServer && !acceptUnbound),
    ...present({ threshold: options.threshold }),
  };
}

/** Returns policy and context for `verifyBlock`; with `--strict` those of the library, and a threshold that may be stricter. */
export function readBlockOptions(
  options: InputValues,
  policy: Policy,
  header: BlockHeaderFacts | undefined,
  nowSeconds: number | undefined,
): BlockOptions {
  const known = present({ header });
  if (options.strict === true) {
    if (nowSeconds === undefined) throw new TypeError('--strict needs a clock'); // readClock gives one
    return { ...strict({ nowSeconds, ...known }), ...present({ threshold: policy.threshold }) };
  }
  return { ...policy, context: { ...known, ...present({ nowSeconds }) } };
}

/** Returns the header that the caller gives by two numbers. */
export function readGivenHeader(options: InputValues): BlockHeaderFacts | undefined {
  const { 'catchain-seqno': catchainSeqno, 'list-hash': listHash } = options;
  if (catchainSeqno === undefined || listHash === undefined) return undefined; // one without the other is an error
  return { source: 'given', catchainSeqno, validatorListHashShort: listHash };
}

/** The block file, read once. */
export interface BlockFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export async function readBlockProof(file: string | undefined, log: InputLog): Promise<BlockFile | undefined> {
  return file === undefined ? undefined : { file, bytes: await readBytes(file, { log }) };
}

/** Returns the header of the block file, proven for the block of the signatures. */
export async function readProvenHeader(
  given: BlockFile | undefined,
  blockId: BlockIdExt,
): Promise<ProvenHeader | undefined> {
  if (given === undefined) return undefined;
  const { verifyHeader } = await import('../../../core/chain/block-header.ts');
  return withFileName(inputName(given.file), () => verifyHeader(given.bytes, blockId));
}

/** Adds `--valid-until` to a set whose file has no end. @throws UsageError if the file has one */
function withEnd(validators: ValidatorSet, utimeUntil: number): ValidatorSet {
  if (validators.utimeUntil !== undefined) {
    throw badFlag('valid-until', `the validator set already has an expiry time: ${validators.utimeUntil}`);
  }
  const { shuffle, globalId } = validators;
  return createValidatorSet(validators.validators, { utimeUntil, ...present({ shuffle, globalId }) });
}

async function isCheckpoint(json: { readonly schema?: unknown }): Promise<boolean> {
  return (await import('../../../core/chain/checkpoint.ts')).isCheckpointJson(json);
}

export interface NamedSet {
  readonly validators: ValidatorSet;
  readonly checkpoint?: Checkpoint;
}

/** Reads the set that the command line names; `undefined` if the server of the block is to name it. */
export async function readValidators(
  options: Pick<InputValues, 'validators' | 'checkpoint' | 'validators-from' | 'valid-until'>,
  log?: InputLog,
): Promise<NamedSet | undefined> {
  const { validators, checkpoint, 'validators-from': from, 'valid-until': until } = options;
  const named = Object.entries({ validators, checkpoint, 'validators-from': from }).filter(([, value]) => value);
  if (named.length > 1) {
    const names = named.map(([name]) => `--${name}`).join(' and ');
    throw new UsageError('usage/bad-option', `expected one validator set, got ${names}`);
  }
  if (from !== undefined) return undefined;
  if (checkpoint !== undefined) {
    const read = await readCheckpointFlag(checkpoint, present({ log }));
    const { validatorSetAt } = await import('../../../core/chain/checkpoint.ts');
    return { validators: validatorSetAt(read), checkpoint: read };
  }
  if (validators !== undefined) {
    const json = await readJson(validators, present({ log }));
    if (isObject(json) && json.schema !== undefined && (await isCheckpoint(json))) {
      throw badFlag('validators', 'this is a checkpoint: pass it with --checkpoint');
    }
    const set = withFileName(inputName(validators), () => parseValidatorSet(json));
    return { validators: until === undefined ? set : withEnd(set, until) };
  }
  throw new UsageError('usage/bad-option', 'expected --validators FILE or --checkpoint FILE, got no validator set', {
    hint: 'pass the validator set, from a source other than that of the signatures',
  });
}

/** Checks that standard input is read once. @param files by the option that names each @throws UsageError */
export function requireOneStdin(files: Readonly<Record<string, string | undefined>>): void {
  const named = Object.keys(files).filter((name) => files[name] === '-');
  if (named.length > 1) throw badFlag(named[0]!, 'expected - for at most one file');
}

function requireExpectedHash(option: string, expected: Uint8Array | undefined, got: Uint8Array): void {
  if (expected === undefined || equalBytes(expected, got)) return;
  throw new DecodeError('decode/unexpected-block', `expected the hash of --${option}, got ${encodeHex(got)}`, {
    path: option === 'expect-root-hash' ? 'id.root_hash' : 'id.file_hash',
    hint: 'the answer is about a different block: fetch the signatures of the block you expect',
  });
}

export function requireExpectedBlock(blockId: BlockIdExt, options: OptionValues<typeof EXPECT_OPTIONS>): void {
  requireExpectedHash('expect-root-hash', options['expect-root-hash'], blockId.rootHash);
  requireExpectedHash('expect-file-hash', options['expect-file-hash'], blockId.fileHash);
}

/**
 * Returns the clock for the age of a set: the user's, else this machine's for the newest block and with `--strict`.
 * @returns Unix seconds; `undefined` if no age is judged
 */
export function readClock(options: InputValues, isHead: boolean): number | undefined {
  if (options.now !== undefined) return options.now;
  return isHead || options.strict === true ? Math.floor(Date.now() / 1000) : undefined;
}
