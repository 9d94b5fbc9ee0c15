/** What `verify` is told on the command line beside the block: policy, header, validator set, expectations. */
import { encodeHex, equalBytes } from '../../base/bytes.ts';
import { DecodeError, TrustError, UsageError } from '../../base/errors.ts';
import { type ProvenHeader, provenHeader } from '../../chain/block-header.ts';
import { CHECKPOINT_SCHEMA, type Checkpoint, parseCheckpoint, validatorSetAt } from '../../chain/checkpoint.ts';
import type { BlockIdExt } from '../../decode/block-id.ts';
import { isObject } from '../../decode/json-structure.ts';
import { validatorSetFromJson } from '../../validators/from-json.ts';
import type { ValidatorSet } from '../../validators/validator-set.ts';
import type { BlockHeaderFacts, Policy } from '../../verify/report.ts';
import { withFileName } from './error-with-file.ts';
import {
  type OptionTable,
  type ParsedOptions,
  readHashOption,
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
  'catchain-seqno': { type: 'string' },
  'list-hash': { type: 'string' },
  now: { type: 'string' },
} as const satisfies OptionTable;

export type InputValues = ParsedOptions<typeof INPUT_OPTIONS>['values'] & {
  readonly 'validators-from'?: string | undefined;
};

export function readPolicy(options: InputValues): Policy {
  return {
    onDefect: options['ignore-defects'] === true ? 'ignore' : 'reject',
    acceptClaimed: options['accept-claimed'] === true,
    requireBoundId: options['require-bound-id'] === true,
    ...(options.threshold === undefined ? {} : { threshold: readThresholdOption('threshold', options.threshold) }),
  };
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

/** The header of the block file, proven for the block that the signatures are of. */
export async function readProvenHeader(
  file: string | undefined,
  blockId: BlockIdExt,
  checkpoint: Checkpoint | undefined,
): Promise<ProvenHeader | undefined> {
  if (file === undefined) return undefined;
  const bytes = await readBytes(file);
  const header = withFileName(inputName(file), () => provenHeader(bytes, blockId));
  if (checkpoint !== undefined && header.globalId !== checkpoint.globalId) {
    throw new TrustError(
      'trust/wrong-network',
      `the block is of network ${header.globalId}, the checkpoint of ${checkpoint.globalId}`,
      { path: '--block' },
    );
  }
  return header;
}

/** A set that the command line names; `undefined` where it is to come from the server that has the block. */
export async function readValidators(
  options: InputValues,
): Promise<{ readonly validators: ValidatorSet; readonly checkpoint?: Checkpoint } | undefined> {
  const { validators, checkpoint, 'validators-from': from } = options;
  const named = Object.entries({ validators, checkpoint, 'validators-from': from }).filter(([, value]) => value);
  if (named.length > 1) {
    const names = named.map(([name]) => `--${name}`).join(' and ');
    throw new UsageError('usage/bad-option', `expected one validator set, got ${names}`);
  }
  if (from !== undefined) return undefined;
  if (checkpoint !== undefined) {
    const json = await readJson(checkpoint);
    const read = withFileName(inputName(checkpoint), () => parseCheckpoint(json));
    return { validators: validatorSetAt(read), checkpoint: read };
  }
  if (validators !== undefined) {
    const json = await readJson(validators);
    if (isObject(json) && json.schema === CHECKPOINT_SCHEMA) {
      throw new UsageError('usage/bad-option', 'this is a checkpoint: give it to --checkpoint', {
        path: '--validators',
      });
    }
    return { validators: withFileName(inputName(validators), () => validatorSetFromJson(json)) };
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
  throw new DecodeError('decode/range', `expected the hash of --${option}, got ${encodeHex(got)}`, {
    path: option === 'expect-root-hash' ? 'id.root_hash' : 'id.file_hash',
    hint: 'this answer is about another block than the one you expect',
  });
}

export function requireExpectedBlock(blockId: BlockIdExt, options: InputValues): void {
  requireExpectedHash('expect-root-hash', options['expect-root-hash'], blockId.rootHash);
  requireExpectedHash('expect-file-hash', options['expect-file-hash'], blockId.fileHash);
}

/**
 * The clock by which the age of a set is judged: this machine's where the newest block is asked for, unless the caller
 * gives another, as when a run of some time ago is repeated.
 * @returns Unix seconds; `undefined` where no head is asked for
 */
export function readClock(options: InputValues, isHead: boolean): number | undefined {
  if (options.now !== undefined) return readUint32Option('now', options.now);
  return isHead ? Math.floor(Date.now() / 1000) : undefined;
}
