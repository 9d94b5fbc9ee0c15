/**
 * A checkpoint: which key block is trusted, since which pinned block, and the proof of its configuration. Small enough
 * to keep in a file. Every load hashes the proof again, so an edited one is refused; that the file is your own is yours
 * to guard.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { badArgument, describeValue, requireInteger, requireMembers } from '../base/arguments.ts';
import { decodeHex, encodeBase64, encodeHex, equalBytes } from '../base/bytes.ts';
import type { TrustError } from '../base/errors.ts';
import { readBase64, readInt32, readInt64, readUint32 } from '../base/fields.ts';
import { describeJson, requireObject, requireString } from '../base/json-structure.ts';
import { HASH_BYTES, MAX_BOC_BYTES } from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId, differingField } from '../block/block-id.ts';
import { blockIdToJson } from '../block/block-id-json.ts';
import type { CellLike } from '../cells/boc.ts';
import { buildMerkleProof } from '../cells/build-proof.ts';
import type { ValidatorConfig } from '../validators/select-masterchain.ts';
import type { StaleStart, StaleStartMark, ValidatorSet } from '../validators/validator-set.ts';
import { fileHash as hashOfFile, type OpenedBlock, openBlock, requireMasterchainId } from './block-header.ts';
import { openProof } from './link.ts';
import { trustError } from './shared-checks.ts';
import { readTrustedConfig, type TrustedConfig, validatorsOf } from './trusted-config.ts';

/** A pinned trust state. Only this library makes one; a look-alike is proven again when it is used. */
export interface Checkpoint {
  readonly version: 2;
  /** int32: keeps networks apart. */
  readonly globalId: number;
  /** The block that somebody pinned. */
  readonly anchor: BlockIdExt;
  /** The key block (or zerostate) proven from it, whose set signs the blocks up to the next key block. */
  readonly keyBlock: BlockIdExt;
  /** Unix seconds at which the key block was made. */
  readonly genUtime: number;
  /** Everybody elected in that key block. */
  readonly config: ValidatorConfig;
  /** Config parameter 28, shuffle_mc_validators. */
  readonly shuffle: boolean;
  /** Merkle proof of the above, with `keyBlock.rootHash`. */
  readonly configProof: Uint8Array;
  /**
   * Whether trust on the way from `anchor` to `keyBlock` began with a set past its stakes. Of a refused one nothing is final; one that was
   * accepted is shown in every report and fact that stands on it. unknown, as in files of version 1, counts as none.
   */
  readonly staleStart: StaleStartMark;
}

/** A checkpoint after one step. */
export interface AdvancedCheckpoint extends Checkpoint {
  /** As in `BlockWalk`: the set that the step began with is past its time. `undefined` without a clock. */
  readonly startIsStale: boolean | undefined;
}

const SCHEMA = 'ton-finality/checkpoint@';
const MARKS: readonly StaleStartMark[] = ['none', 'refused', 'accepted', 'unknown'];

/** Whether the JSON of a file says that it is a checkpoint, of any version. */
export function isCheckpointJson({ schema }: { readonly schema?: unknown }): boolean {
  return typeof schema === 'string' && schema.startsWith(SCHEMA);
}

/** What a file says; the rest is read from the proof. */
type Provable = Omit<Checkpoint, 'config' | 'shuffle'>;

/** What a checkpoint stands for, in bytes that nobody else holds. */
export interface OwnCheckpoint extends Provable {
  /** The checkpoint as the caller may have it. */
  readonly checkpoint: Checkpoint;
  /** Who signs the blocks after it. */
  readonly validators: ValidatorSet;
}

/** Checkpoints made here. Their bytes can be written to; what stands here cannot. */
const known = registry<OwnCheckpoint>();

function requireMark(staleStart: unknown): StaleStartMark {
  if (MARKS.includes(staleStart as StaleStartMark)) return staleStart as StaleStartMark; // one of them
  throw damaged('a mark of unknown kind', 'checkpoint.staleStart');
}

/** A copy of what has to be proven, each member read once. */
function copyProvable(provable: Provable): Provable {
  const hint = 'parseCheckpoint reads the JSON of one';
  const { configProof } = requireMembers(provable, 'a checkpoint', 'checkpoint', hint);
  if (configProof === undefined) throw badArgument('checkpoint', 'a checkpoint', provable, hint);
  const { globalId, anchor, keyBlock, genUtime, staleStart = 'unknown' } = provable;
  return Object.freeze({
    version: 2,
    globalId: requireInteger(globalId, 'checkpoint.globalId', -(2 ** 31), 2 ** 31 - 1),
    anchor: copyBlockId(anchor, 'checkpoint.anchor'),
    keyBlock: copyBlockId(keyBlock, 'checkpoint.keyBlock'),
    genUtime: requireInteger(genUtime, 'checkpoint.genUtime', 0, 2 ** 32 - 1),
    configProof: ownBytes(configProof as Uint8Array, 'checkpoint.configProof', MAX_BOC_BYTES), // it looks
    staleStart: requireMark(staleStart),
  });
}

/** The checkpoint that stands on a configuration. The caller has proven its id from the anchor. */
export function checkpointOf(config: TrustedConfig, anchor: BlockIdExt, staleStart: StaleStartMark): Checkpoint {
  const { id, globalId, genUtime, root, validators, shuffle } = config;
  const own = copyProvable({
    version: 2,
    globalId,
    anchor,
    keyBlock: id,
    genUtime,
    configProof: buildMerkleProof(root),
    staleStart,
  });
  const checkpoint: Checkpoint = { ...copyProvable(own), config: validators, shuffle };
  const set = validatorsOf(config, anchor, staleStart);
  return known.make(checkpoint, Object.freeze({ ...own, checkpoint, validators: set }));
}

/** The same checkpoint, which also says how the step to it began. */
export function advancedTo(checkpoint: Checkpoint, startIsStale: boolean | undefined): AdvancedCheckpoint {
  const advanced = { ...checkpoint, startIsStale };
  return known.make(advanced, Object.freeze({ ...ownCheckpoint(checkpoint), checkpoint: advanced }));
}

/** The same checkpoint, as one whose trust began with a set past its stakes. */
export function markedCheckpoint(checkpoint: Checkpoint, staleStart: StaleStart): Checkpoint {
  const own = ownCheckpoint(checkpoint);
  return own.staleStart === staleStart ? checkpoint : reprove(copyProvable({ ...own, staleStart }));
}

function requireAnchor({ root, whole, file }: OpenedBlock, expected: BlockIdExt): void {
  const pairs = [
    ['root hash', root.hash(0), expected.rootHash],
    ...(whole ? [['file hash', hashOfFile(file), expected.fileHash] as const] : []),
  ] as const;
  for (const [name, got, wanted] of pairs) {
    if (equalBytes(got, wanted)) continue;
    throw trustError(
      'trust/anchor-hash',
      `the ${name} is ${encodeHex(got)}, the pinned one ${encodeHex(wanted)}`,
      'anchor',
      'fetch it again, or check the source of the pinned hashes',
    );
  }
}

/**
 * Starts from a key block that the caller pins.
 * @param boc the whole block, or a Merkle proof of it that shows header and configuration (then only the root hash is checked here)
 * @param expected the pinned id, from a source the caller trusts
 * @throws TrustError `trust/anchor-hash`, `trust/not-key-block`, `trust/wrong-workchain`, and those of `readTrustedConfig`
 */
export function checkpointFromKeyBlock(boc: CellLike, expected: BlockIdExt): Checkpoint {
  const anchor = copyBlockId(expected, 'anchor');
  requireMasterchainId(anchor, 'anchor');
  if (anchor.seqno === 0) {
    throw trustError(
      'trust/not-key-block',
      'expected a key block, got seqno 0',
      'anchor',
      'a zerostate is pinned by checkpointFromZerostate',
    );
  }
  const opened = openBlock(boc, 'block');
  requireAnchor(opened, anchor);
  return checkpointOf(readTrustedConfig(opened.root, anchor, 'block', 'if-shown'), anchor, 'none');
}

/**
 * Starts from the zerostate that the caller pins, as `MAINNET.zerostate`.
 * @param boc the file of the zerostate
 * @throws TrustError `trust/anchor-hash`, `trust/header` when the id is no zerostate's
 */
export function checkpointFromZerostate(boc: Uint8Array, expected: BlockIdExt): Checkpoint {
  const anchor = copyBlockId(expected, 'anchor');
  requireMasterchainId(anchor, 'anchor');
  if (anchor.seqno !== 0) {
    throw trustError('trust/header', `expected seqno 0, a zerostate, got ${anchor.seqno}`, 'anchor');
  }
  const opened = openBlock(boc, 'zerostate');
  requireAnchor(opened, anchor);
  return checkpointOf(readTrustedConfig(opened.root, anchor, 'zerostate'), anchor, 'none');
}

function damaged(message: string, path: string): TrustError {
  return trustError('trust/checkpoint', message, path, 'make it again from a block you trust');
}

/** Proves a checkpoint again from its own config proof. @param given nobody else may hold its bytes */
function reprove(given: Provable): Checkpoint {
  requireMasterchainId(given.anchor, 'checkpoint.anchor');
  const config = readTrustedConfig(
    openProof(given.configProof, 'checkpoint.configProof'),
    given.keyBlock,
    'checkpoint.configProof',
    'if-shown', // version 0.1.0 wrote proofs without the block before
  );
  for (const field of ['globalId', 'genUtime'] as const) {
    if (given[field] === config[field]) continue;
    throw damaged(
      `${field} is ${describeValue(given[field])}, its own proof says ${config[field]}`,
      `checkpoint.${field}`,
    );
  }
  if (given.anchor.seqno === given.keyBlock.seqno && differingField(given.anchor, given.keyBlock) !== undefined) {
    throw damaged('anchor and key block are two blocks of one seqno', 'checkpoint.anchor');
  }
  return checkpointOf(config, given.anchor, given.staleStart);
}

/**
 * What a checkpoint stands for: one made here for what was proven when it was made, whatever is written into its bytes since.
 * One that somebody else made may change, so it is copied and proven anew each time.
 * @throws TrustError for a checkpoint that its config proof does not bear out; DecodeError, UsageError for what is none
 */
export function ownCheckpoint(checkpoint: Checkpoint): OwnCheckpoint {
  const own = known.own(checkpoint);
  if (own !== undefined) return own;
  return ownCheckpoint(reprove(copyProvable(checkpoint)));
}

/**
 * Returns the validators that sign the blocks after the checkpoint's key block, up to and with the next key block. The same
 * object each time for a checkpoint made here, so that keys are prepared once.
 * @throws TrustError for a checkpoint that this library did not make and that its config proof does not bear out
 */
export function validatorSetAt(checkpoint: Checkpoint): ValidatorSet {
  return ownCheckpoint(checkpoint).validators;
}

/** Every field but the checksum, in a fixed order. @param version 1 did not have `staleStart` */
function fieldsToJson(checkpoint: Provable, version: 1 | 2 = 2) {
  const { globalId, anchor, keyBlock, genUtime, configProof, staleStart } = checkpoint;
  return {
    schema: `${SCHEMA}${version}`,
    version,
    globalId,
    anchor: blockIdToJson(anchor),
    keyBlock: blockIdToJson(keyBlock),
    genUtime,
    ...(version === 1 ? {} : { staleStart }),
    configProof: encodeBase64(configProof),
  };
}

/** SHA-256 of the fields as JSON text: finds accidents in those that the config proof does not bind. It is no signature. */
function checksum(fields: ReturnType<typeof fieldsToJson>): string {
  return encodeHex(sha256(new TextEncoder().encode(JSON.stringify(fields))));
}

/** Converts a checkpoint to JSON, for a file. Read it back with `parseCheckpoint`. */
export function checkpointToJson(checkpoint: Checkpoint): Readonly<Record<string, unknown>> {
  const fields = fieldsToJson(known.own(checkpoint) ?? copyProvable(checkpoint));
  return { ...fields, checksum: checksum(fields) };
}

function readHex(spelled: unknown, path: string): Uint8Array {
  const bytes = decodeHex(requireString(spelled, path));
  if (bytes?.length !== HASH_BYTES) throw damaged(`expected ${HASH_BYTES} bytes in hex`, path);
  return bytes;
}

function readBlockIdJson(json: unknown, path: string): BlockIdExt {
  const { workchain, shard, seqno, rootHash, fileHash } = requireObject(json, path);
  return Object.freeze({
    workchain: readInt32(workchain, `${path}.workchain`),
    shard: readInt64(requireString(shard, `${path}.shard`), `${path}.shard`),
    seqno: readUint32(seqno, `${path}.seqno`),
    rootHash: readHex(rootHash, `${path}.rootHash`),
    fileHash: readHex(fileHash, `${path}.fileHash`),
  });
}

/**
 * Reads a checkpoint file and proves it again. Of one of version 1 nothing is known of how its trust began (`staleStart`).
 * @throws TrustError `trust/checkpoint` for another version, a wrong checksum, or a field that the proof contradicts,
 * and the errors of `readTrustedConfig`; DecodeError for what is no checkpoint at all
 */
export function parseCheckpoint(json: unknown): Checkpoint {
  const object = requireObject(json, 'checkpoint');
  const version = object.schema === `${SCHEMA}1` ? 1 : 2;
  for (const [name, wanted] of [
    ['schema', `${SCHEMA}${version}`],
    ['version', version],
  ] as const) {
    if (object[name] === wanted) continue;
    throw trustError(
      'trust/checkpoint',
      `expected ${wanted}, got ${describeJson(object[name])}`,
      `checkpoint.${name}`,
      'make one with checkpoint init',
    );
  }
  const given = {
    version: 2 as const,
    staleStart: version === 1 ? 'unknown' : requireMark(object.staleStart),
    globalId: readInt32(object.globalId, 'checkpoint.globalId'),
    anchor: readBlockIdJson(object.anchor, 'checkpoint.anchor'),
    keyBlock: readBlockIdJson(object.keyBlock, 'checkpoint.keyBlock'),
    genUtime: readUint32(object.genUtime, 'checkpoint.genUtime'),
    configProof: readBase64(
      requireString(object.configProof, 'checkpoint.configProof'),
      'checkpoint.configProof',
      MAX_BOC_BYTES,
    ),
  };
  const fields = fieldsToJson(given, version);
  if (checksum(fields) !== object.checksum) throw damaged('the checksum does not match', 'checkpoint.checksum');
  // Every member was read, so one more is one that nobody knows.
  if (Object.keys(object).length !== Object.keys(fields).length + 1) {
    throw damaged('a member that no checkpoint has', 'checkpoint');
  }
  return reprove(given);
}
