/**
 * What `verify` is told on the command line beside the block: policy, header, validator set, expectations. What reads cells is
 * loaded only by the options that need it: most runs start faster without.
 */
import { encodeHex, equalBytes } from '../../../core/base/bytes.ts';
import { DecodeError, UsageError } from '../../../core/base/errors.ts';
import { isObject } from '../../../core/base/json-structure.ts';
import { present } from '../../../core/base/present.ts';
import type { BlockIdExt } from '../../../core/block/block-id.ts';
import type { ProvenHeader } from '../../../core/chain/block-header.ts';
import type { Checkpoint } from '../../../core/chain/checkpoint.ts';
import { validatorSetFromJson } from '../../../core/validators/from-json.ts';
import { createValidatorSet, type ValidatorSet } from '../../../core/validators/validator-set.ts';
import type { BlockHeaderFacts, Policy } from '../../../core/verify/report.ts';
import { strict } from '../../../core/verify/strict.ts';
import type { BlockOptions } from '../../../core/verify/verifier.ts';
import { shellWord } from '../shell-word.ts';
import { withFileName } from './error-with-file.ts';
import type { InputLog } from './input-log.ts';
import {
  type OptionTable,
  type ParsedOptions,
  readHashOption,
  readSecondsOption,
  readThresholdOption,
  readUint32Option,
} from './options.ts';
import { inputName, readBytes, readJson } from './read-file.ts';

export const INPUT_OPTIONS = {
  validators: { type: 'string' },
  checkpoint: { type: 'string' },
  block: { type: 'string' },
  threshold: { type: 'string' },
  'require-bound-id': { type: 'boolean' },
  'expect-root-hash': { type: 'string' },
  'expect-file-hash': { type: 'string' },
  'ignore-defects': { type: 'boolean' },
  'accept-claimed': { type: 'boolean' },
  'accept-unbound': { type: 'boolean' },
  strict: { type: 'boolean' },
  'catchain-seqno': { type: 'string' },
  'list-hash': { type: 'string' },
  now: { type: 'string' },
  'valid-until': { type: 'string' },
} as const satisfies OptionTable;

/**
 * The same inputs for a file in place of a server, as words of a shell: by the clock that was read, and bound to the number
 * that was asked for. FILE stands for a set that came from the server, and for standard input.
 */
export function wordsAgain(options: InputValues, policy: Policy, nowSeconds: number | undefined): readonly string[] {
  const again: Record<string, string | boolean | undefined> = {
    ...options,
    'accept-claimed': undefined,
    'require-bound-id': policy.requireBoundId === true && options.strict !== true,
    now: nowSeconds === undefined ? undefined : String(nowSeconds),
  };
  const words = Object.keys(INPUT_OPTIONS).flatMap((name) => {
    const value = again[name];
    if (typeof value === 'string') return [`--${name}`, value === '-' ? 'FILE' : shellWord(value)];
    return value === true ? [`--${name}`] : [];
  });
  return options['validators-from'] === undefined ? words : [...words, '--validators', 'FILE'];
}

export type InputValues = ParsedOptions<typeof INPUT_OPTIONS>['values'] & {
  readonly 'validators-from'?: string | undefined;
};

/** Flags that let more be final, and the ones that ask for the opposite. */
const CONTRADICTIONS = [
  ['ignore-defects', 'strict'],
  ['accept-claimed', 'strict'],
  ['accept-unbound', 'strict'],
  ['accept-unbound', 'require-bound-id'],
] as const;

/**
 * @param isFromServer whether a server was asked for the block by its number: what came must then be bound to that number
 * @throws UsageError for flags that contradict each other
 */
export function readPolicy(options: InputValues, isFromServer: boolean): Policy {
  for (const [exception, demand] of CONTRADICTIONS) {
    if (options[exception] !== true || options[demand] !== true) continue;
    throw new UsageError('usage/bad-option', `contradicts --${demand}`, { path: `--${exception}` });
  }
  const acceptUnbound = options['accept-unbound'] === true;
  return {
    onDefect: options['ignore-defects'] === true ? 'ignore' : 'reject',
    acceptClaimed: options['accept-claimed'] === true,
    acceptUnbound,
    requireBoundId: options['require-bound-id'] === true || (isFromServer && !acceptUnbound),
    ...(options.threshold === undefined ? {} : { threshold: readThresholdOption('threshold', options.threshold) }),
  };
}

/** Policy and evidence for `verifyBlock`; with `--strict` those of the library, and a threshold that is stricter still. */
export function readBlockOptions(
  options: InputValues,
  policy: Policy,
  header: BlockHeaderFacts | undefined,
  nowSeconds: number | undefined,
): BlockOptions {
  const known = header === undefined ? {} : { header };
  if (options.strict === true) {
    if (nowSeconds === undefined) throw new TypeError('--strict goes with a clock'); // readClock gives one
    const { threshold } = policy;
    return { ...strict({ nowSeconds, ...known }), ...(threshold === undefined ? {} : { threshold }) };
  }
  return { ...policy, evidence: { ...known, ...(nowSeconds === undefined ? {} : { nowSeconds }) } };
}

/** The header as the caller gives it by two numbers. */
export function readGivenHeader(options: InputValues): BlockHeaderFacts | undefined {
  const { 'catchain-seqno': catchainSeqno, 'list-hash': listHash } = options;
  if (catchainSeqno === undefined && listHash === undefined) return undefined;
  if (catchainSeqno === undefined || listHash === undefined) {
    throw new UsageError('usage/bad-option', 'expected both --catchain-seqno and --list-hash, got one of them', {
      hint: 'a header names its validator set by both numbers together',
    });
  }
  if (options.block !== undefined) {
    throw new UsageError('usage/bad-option', 'the block says both numbers itself', { path: '--catchain-seqno' });
  }
  return {
    source: 'given',
    catchainSeqno: readUint32Option('catchain-seqno', catchainSeqno),
    validatorListHashShort: readUint32Option('list-hash', listHash),
  };
}

/** The block file as it was read, once. */
export interface BlockFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export async function readBlockProof(file: string | undefined, log: InputLog): Promise<BlockFile | undefined> {
  return file === undefined ? undefined : { file, bytes: await readBytes(file, { log }) };
}

/** The header of the block file, proven for the block that the signatures are of. */
export async function readProvenHeader(
  given: BlockFile | undefined,
  blockId: BlockIdExt,
): Promise<ProvenHeader | undefined> {
  if (given === undefined) return undefined;
  const { provenHeader } = await import('../../../core/chain/block-header.ts');
  return withFileName(inputName(given.file), () => provenHeader(given.bytes, blockId));
}

/** A set whose end its file leaves open, with the end that the caller says. @throws UsageError where the end is known */
function withEnd(validators: ValidatorSet, text: string): ValidatorSet {
  const utimeUntil = readSecondsOption('valid-until', text);
  if (validators.utimeUntil !== undefined) {
    throw new UsageError('usage/bad-option', `the set says itself until when: ${validators.utimeUntil}`, {
      path: '--valid-until',
    });
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

/** A set that the command line names; `undefined` where it is to come from the server that has the block. */
export async function readValidators(options: InputValues, log: InputLog): Promise<NamedSet | undefined> {
  const { validators, checkpoint, 'validators-from': from, 'valid-until': until } = options;
  const named = Object.entries({ validators, checkpoint, 'validators-from': from }).filter(([, value]) => value);
  if (named.length > 1) {
    const names = named.map(([name]) => `--${name}`).join(' and ');
    throw new UsageError('usage/bad-option', `expected one validator set, got ${names}`);
  }
  if (until !== undefined && validators === undefined) {
    throw new UsageError('usage/bad-option', 'expected --validators with it: other sets say themselves until when', {
      path: '--valid-until',
    });
  }
  if (from !== undefined) return undefined;
  if (checkpoint !== undefined) {
    const { parseCheckpoint, validatorSetAt } = await import('../../../core/chain/checkpoint.ts');
    const json = await readJson(checkpoint, { log });
    const read = withFileName(inputName(checkpoint), () => parseCheckpoint(json));
    return { validators: validatorSetAt(read), checkpoint: read };
  }
  if (validators !== undefined) {
    const json = await readJson(validators, { log });
    if (isObject(json) && json.schema !== undefined && (await isCheckpoint(json))) {
      throw new UsageError('usage/bad-option', 'this is a checkpoint: give it to --checkpoint', {
        path: '--validators',
      });
    }
    const set = withFileName(inputName(validators), () => validatorSetFromJson(json));
    return { validators: until === undefined ? set : withEnd(set, until) };
  }
  throw new UsageError('usage/bad-option', 'expected --validators FILE or --checkpoint FILE, got no validator set', {
    hint: 'signatures prove nothing without the keys of the right set, from a source other than the signatures',
  });
}

/** Standard input can be read once. */
export function requireOneStdin(block: string, options: InputValues): void {
  const sources = { block: options.block, checkpoint: options.checkpoint, validators: options.validators };
  const named = Object.entries(sources).filter(([, file]) => file === '-');
  if (named.length + (block === '-' ? 1 : 0) > 1) {
    throw new UsageError('usage/bad-option', 'standard input can be only one of the files', {
      path: `--${named.at(-1)![0]}`,
    });
  }
}

function requireExpectedHash(option: string, expected: string | undefined, got: Uint8Array): void {
  if (expected === undefined || equalBytes(readHashOption(option, expected), got)) return;
  throw new DecodeError('decode/unexpected-block', `expected the hash of --${option}, got ${encodeHex(got)}`, {
    path: option === 'expect-root-hash' ? 'id.root_hash' : 'id.file_hash',
    hint: 'this answer is about another block than the one you expect',
  });
}

export function requireExpectedBlock(blockId: BlockIdExt, options: InputValues): void {
  requireExpectedHash('expect-root-hash', options['expect-root-hash'], blockId.rootHash);
  requireExpectedHash('expect-file-hash', options['expect-file-hash'], blockId.fileHash);
}

/**
 * The clock by which the age of a set is judged: this machine's where the newest block is asked for or `--strict` is, unless
 * the caller gives another, as when a run of some time ago is repeated.
 * @returns Unix seconds; `undefined` where no age is judged
 */
export function readClock(options: InputValues, isHead: boolean): number | undefined {
  if (options.now !== undefined) return readSecondsOption('now', options.now);
  return isHead || options.strict === true ? Math.floor(Date.now() / 1000) : undefined;
}
