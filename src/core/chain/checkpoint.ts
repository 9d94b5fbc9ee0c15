/**
 * A checkpoint: the trusted key block, the pinned block from which it was proven, and the proof of its configuration.
 * It is small enough for a file. Each load verifies the proof again, so an edited file is rejected. Protect the file:
 * only you should be able to replace it.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { badArgument, describeValue, requireInt32, requireInteger, requireMembers } from '../base/arguments.ts';
import { decodeHex, encodeBase64, encodeHex, equalBytes } from '../base/bytes.ts';
import type { TrustError } from '../base/errors.ts';
import { readBase64, readInt32, readInt64, readUint32 } from '../base/fields.ts';
import { describeJson, requireObject, requireString } from '../base/json-structure.ts';
import { HASH_BYTES, MAX_BOC_BYTES } from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import { plain } from '../base/plain-json.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId, differingField } from '../block/block-id.ts';
import type { CellLike } from '../cells/boc.ts';
import { buildMerkleProof } from '../cells/build-proof.ts';
import type { ValidatorConfig } from '../validators/select-masterchain.ts';
import { copyValidators, type StaleStartMark, type ValidatorSet } from '../validators/validator-set.ts';
import { fileHash as hashOfFile, openBlock, requireMasterchainId } from './block-header.ts';
import { openProof } from './link.ts';
import { trustError } from './shared-checks.ts';
import { readTrustedConfig, type TrustedConfig, validatorsOf } from './trusted-config.ts';

/**
 * A pinned trust state. Only this library makes one; a look-alike is proven again when it is used. `JSON.stringify` of
 * it gives the JSON of `checkpointToJson`.
 */
export interface Checkpoint {
  readonly version: 2;
  /** int32: identifies the network. */
  readonly globalId: number;
  /** The block that you pinned. */
  readonly anchor: BlockIdExt;
  /** The key block (or zerostate) proven from the anchor. Its validators sign the blocks up to the next key block. */
  readonly keyBlock: BlockIdExt;
  /** Unix seconds at which the key block was made. */
  readonly genUtime: number;
  /** All validators elected in that key block. */
  readonly config: ValidatorConfig;
  /** Config parameter 28, shuffle_mc_validators. */
  readonly shuffle: boolean;
  /** Merkle proof of the configuration, with `keyBlock.rootHash`. */
  readonly configProof: Uint8Array;
  /**
   * Whether trust on the way from `anchor` to `keyBlock` began with validators whose stakes were already free. After 'refused' no block
   * is final under this checkpoint. After 'accepted' every report and fact based on it says so. 'unknown', as in files of
   * version 1, counts as 'none'.
   */
  readonly staleStart: StaleStartMark;
}

/** A checkpoint after one step. */
export interface AdvancedCheckpoint extends Checkpoint {
  /** Whether the stakes were free when this step began, as in `BlockWalk`. `undefined` without a clock. */
  readonly startIsStale: boolean | undefined;
}

const SCHEMA = 'ton-finality/checkpoint@';
const MARKS: readonly StaleStartMark[] = ['none', 'refused', 'accepted', 'unknown'];

/** Whether the JSON of a file has the schema of a checkpoint, of any version. */
export function isCheckpointJson({ schema }: { readonly schema?: unknown }): boolean {
  return typeof schema === 'string' && schema.startsWith(SCHEMA);
}

/** The fields that are read from a file; the others come from the proof. */
type Provable = Omit<Checkpoint, 'config' | 'shuffle'>;

/** The content of a checkpoint, in bytes that no other code holds. */
export interface OwnCheckpoint extends Provable {
  /** The checkpoint that is returned to the caller. */
  readonly checkpoint: Checkpoint;
  /** The validators that sign the blocks after it. */
  readonly validators: ValidatorSet;
}

/** The checkpoints that this library made. A caller can write to the bytes of a checkpoint, but not to this copy. */
const checkpoints = registry<OwnCheckpoint>();

/** Registers a checkpoint, of which `JSON.stringify` gives the published JSON. */
function makeCheckpoint<T extends Checkpoint>(checkpoint: T, own: Omit<OwnCheckpoint, 'checkpoint'>): T {
  Object.defineProperty(checkpoint, 'toJSON', { value: () => checkpointToJson(checkpoint) });
  return checkpoints.make(checkpoint, Object.freeze({ ...own, checkpoint }));
}

function requireMark(staleStart: unknown): StaleStartMark {
  if (MARKS.includes(staleStart as StaleStartMark)) return staleStart as StaleStartMark; // one of `MARKS`
  throw damaged('a mark of unknown kind', 'checkpoint.staleStart');
}

/** Copies the fields that have to be proven, reading each once. */
function copyProvable(provable: Provable): Provable {
  const hint = 'parseCheckpoint reads the JSON of one';
  const { configProof } = requireMembers(provable, 'a checkpoint', 'checkpoint', hint);
  if (configProof === undefined || Object.hasOwn(provable, 'schema'))
    throw badArgument('checkpoint', 'a checkpoint', provable, hint);
  const { globalId, anchor, keyBlock, genUtime, staleStart = 'unknown' } = provable;
  return Object.freeze({
    version: 2,
    globalId: requireInt32(globalId, 'checkpoint.globalId'),
    anchor: copyBlockId(anchor, 'checkpoint.anchor'),
    keyBlock: copyBlockId(keyBlock, 'checkpoint.keyBlock'),
    genUtime: requireInteger(genUtime, 'checkpoint.genUtime', 0, 2 ** 32 - 1),
    configProof: ownBytes(configProof as Uint8Array, 'checkpoint.configProof', MAX_BOC_BYTES), // `ownBytes` checks that these are bytes
    staleStart: requireMark(staleStart),
  });
}

/**
 * Makes the checkpoint of a configuration, which shows copies. The caller has proven the id from the anchor, and keeps both
 * to itself.
 */
export function checkpointOf(config: TrustedConfig, anchor: BlockIdExt, staleStart: StaleStartMark): Checkpoint {
  const { id: keyBlock, globalId, genUtime, root, validators, shuffle } = config;
  const configProof = buildMerkleProof(root);
  const own: Provable = { version: 2, globalId, anchor, keyBlock, genUtime, configProof, staleStart };
  const shown = Object.freeze({ ...validators, list: Object.freeze(copyValidators(validators.list)) });
  const checkpoint: Checkpoint = { ...copyProvable(own), config: shown, shuffle };
  const set = validatorsOf(config, anchor, staleStart);
  return makeCheckpoint(checkpoint, { ...own, validators: set });
}

/** Adds to a checkpoint how the step to it began. */
export function advancedTo(checkpoint: Checkpoint, startIsStale: boolean | undefined): AdvancedCheckpoint {
  return makeCheckpoint({ ...checkpoint, startIsStale }, ownCheckpoint(checkpoint));
}

/** Marks a checkpoint whose trust began with validators whose stakes were already free. */
export function markedCheckpoint(checkpoint: Checkpoint, staleStart: StaleStartMark): Checkpoint {
  const own = ownCheckpoint(checkpoint);
  return own.staleStart === staleStart ? checkpoint : reprove({ ...own, staleStart });
}

/** Makes the checkpoint of a pinned block from its file. */
function pinnedCheckpoint(boc: CellLike, anchor: BlockIdExt, path: string): Checkpoint {
  const { root, whole, file } = openBlock(boc, path);
  const pairs = [
    ['root hash', root.hash(0), anchor.rootHash],
    ...(whole ? [['file hash', hashOfFile(file), anchor.fileHash] as const] : []),
  ] as const;
  for (const [name, got, wanted] of pairs) {
    if (equalBytes(got, wanted)) continue;
    const message = `the ${name} is ${encodeHex(got)}, the pinned one ${encodeHex(wanted)}`;
    const hint = 'fetch it again, or check the source of the pinned hashes';
    throw trustError('trust/anchor-hash', message, 'anchor', hint);
  }
  return checkpointOf(readTrustedConfig(root, anchor, path, 'if-shown'), anchor, 'none');
}

/**
 * Makes a checkpoint from a key block that you pin.
 * @param block the whole block, or a Merkle proof that shows header and configuration (then only the root hash is
 * checked here)
 * @param anchor the pinned id, from a source that you trust
 * @returns the checkpoint, with the validators that the key block installs
 * @throws TrustError `trust/anchor-hash`, `trust/not-key-block`, `trust/wrong-workchain`, `trust/pruned`; DecodeError,
 * ValidatorSetError for malformed cells; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseSignatureList } from 'ton-finality';
 * import { checkpointFromKeyBlock } from 'ton-finality/chain';
 * const folder = 'vectors/real/fastnet/block-170606';
 * const { blockId } = parseSignatureList(JSON.parse(readFileSync(`${folder}/signatures.json`, 'utf8')));
 * const checkpoint = checkpointFromKeyBlock(readFileSync(`${folder}/block.boc`), blockId);
 * console.log(checkpoint.anchor.seqno); // 170606
 * ```
 */
export function checkpointFromKeyBlock(block: CellLike, anchor: BlockIdExt): Checkpoint {
  const id = copyBlockId(anchor, 'anchor');
  requireMasterchainId(id, 'anchor');
  if (id.seqno === 0) {
    const hint = 'a zerostate is pinned by checkpointFromZerostate';
    throw trustError('trust/not-key-block', 'expected a key block, got seqno 0', 'anchor', hint);
  }
  return pinnedCheckpoint(block, id, 'block');
}

/**
 * Makes a checkpoint from the zerostate that you pin, such as `MAINNET.zerostate`.
 * @param zerostate the file of the zerostate
 * @param anchor the pinned id, with seqno 0
 * @returns the checkpoint, with the validators of the zerostate
 * @throws TrustError `trust/anchor-hash`, `trust/header` for an id with a different seqno; DecodeError,
 * ValidatorSetError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { checkpointFromZerostate, MAINNET } from 'ton-finality/chain';
 * const file = readFileSync('vectors/real/mainnet-genesis/zerostate.boc');
 * const checkpoint = checkpointFromZerostate(file, MAINNET.zerostate);
 * console.log(checkpoint.globalId); // -239
 * ```
 */
export function checkpointFromZerostate(zerostate: Uint8Array, anchor: BlockIdExt): Checkpoint {
  const id = copyBlockId(anchor, 'anchor');
  requireMasterchainId(id, 'anchor');
  if (id.seqno !== 0) {
    throw trustError('trust/header', `expected seqno 0, a zerostate, got ${id.seqno}`, 'anchor');
  }
  return pinnedCheckpoint(zerostate, id, 'zerostate');
}

function damaged(message: string, path: string): TrustError {
  return trustError('trust/checkpoint', message, path, 'make it again from a block you trust');
}

/** Proves a checkpoint again from its own config proof. @param given a copy that no other code can write to */
function reprove(given: Provable): Checkpoint {
  requireMasterchainId(given.anchor, 'checkpoint.anchor');
  const path = 'checkpoint.configProof';
  // Version 0.1.0 wrote proofs that do not show the previous block.
  const config = readTrustedConfig(openProof(given.configProof, path), given.keyBlock, path, 'if-shown');
  for (const field of ['globalId', 'genUtime'] as const) {
    if (given[field] === config[field]) continue;
    const message = `${field} is ${describeValue(given[field])}, its own proof says ${config[field]}`;
    throw damaged(message, `checkpoint.${field}`);
  }
  if (given.anchor.seqno === given.keyBlock.seqno && differingField(given.anchor, given.keyBlock) !== undefined) {
    throw damaged('anchor and key block are two blocks of one seqno', 'checkpoint.anchor');
  }
  return checkpointOf(config, given.anchor, given.staleStart);
}

/**
 * Returns the content of a checkpoint. For a checkpoint made here it is what was proven then, whatever the caller wrote
 * into its bytes since. Any other object may change between two calls, so it is copied and proven again each time.
 * @throws TrustError if the config proof contradicts the checkpoint; DecodeError, UsageError for anything else
 */
export function ownCheckpoint(checkpoint: Checkpoint): OwnCheckpoint {
  const own = checkpoints.own(checkpoint);
  if (own !== undefined) return own;
  return ownCheckpoint(reprove(copyProvable(checkpoint)));
}

/**
 * Returns the validators that sign the blocks after the checkpoint's key block, up to the next key block, itself
 * included.
 * @param checkpoint from which the set is taken
 * @returns the proven set; the same object on each call for a checkpoint made here, so that keys are prepared once
 * @throws TrustError for a copy of a checkpoint that its config proof contradicts; DecodeError, UsageError for anything
 * else
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, validatorSetAt } from 'ton-finality/chain';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * console.log(validatorSetAt(checkpoint).provenance.kind); // proven
 * ```
 */
export function validatorSetAt(checkpoint: Checkpoint): ValidatorSet {
  return ownCheckpoint(checkpoint).validators;
}

/** Every field except the checksum, in a fixed order. @param version 1 did not have `staleStart` */
function fieldsToJson(checkpoint: Provable, version: 1 | 2 = 2) {
  const { globalId, anchor, keyBlock, genUtime, configProof, staleStart } = checkpoint;
  return {
    schema: `${SCHEMA}${version}`,
    version,
    globalId,
    anchor: plain(anchor),
    keyBlock: plain(keyBlock),
    genUtime,
    ...(version === 1 ? {} : { staleStart }),
    configProof: encodeBase64(configProof),
  };
}

/**
 * SHA-256 of the fields as JSON text. It detects accidental changes of fields that the config proof does not cover, not
 * attacks.
 */
function checksum(fields: ReturnType<typeof fieldsToJson>): string {
  return encodeHex(sha256(new TextEncoder().encode(JSON.stringify(fields))));
}

/**
 * Converts a checkpoint to JSON, for a file. Read it back with `parseCheckpoint`.
 * @param checkpoint to convert
 * @returns plain JSON; its shape is `schemas/checkpoint-2.json`
 * @throws as `validatorSetAt`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { checkpointFromZerostate, checkpointToJson, MAINNET } from 'ton-finality/chain';
 * const file = readFileSync('vectors/real/mainnet-genesis/zerostate.boc');
 * const json = checkpointToJson(checkpointFromZerostate(file, MAINNET.zerostate));
 * console.log(json.schema); // ton-finality/checkpoint@2
 * ```
 */
export function checkpointToJson(checkpoint: Checkpoint): Readonly<Record<string, unknown>> {
  const fields = fieldsToJson(checkpoints.own(checkpoint) ?? copyProvable(checkpoint));
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
    shard: readInt64(shard, `${path}.shard`),
    seqno: readUint32(seqno, `${path}.seqno`),
    rootHash: readHex(rootHash, `${path}.rootHash`),
    fileHash: readHex(fileHash, `${path}.fileHash`),
  });
}

/**
 * Reads a checkpoint file and proves it again from the config proof inside. A file of version 1 does not say how trust
 * began: its `staleStart` is 'unknown'.
 * @param json parsed JSON that `checkpointToJson` wrote
 * @returns the checkpoint
 * @throws TrustError `trust/checkpoint` for an unknown version, a wrong checksum, or a field that the proof
 * contradicts, and as `checkpointFromKeyBlock`; DecodeError for anything that is not a checkpoint
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * const file = 'vectors/checkpoints/0.1.0/from-whole-key-block.json';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync(file, 'utf8')));
 * console.log(checkpoint.keyBlock.seqno); // 3082181
 * ```
 */
export function parseCheckpoint(json: unknown): Checkpoint {
  const object = requireObject(json, 'checkpoint');
  const version = object.schema === `${SCHEMA}1` ? 1 : 2;
  for (const [name, wanted] of [
    ['schema', `${SCHEMA}${version}`],
    ['version', version],
  ] as const) {
    if (object[name] === wanted) continue;
    const got = object[name];
    const message = `expected ${wanted}, got ${typeof got === 'string' ? got.slice(0, 80) : describeJson(got)}`;
    throw trustError('trust/checkpoint', message, `checkpoint.${name}`, 'upgrade, or make one with checkpoint init');
  }
  const given = {
    version: 2 as const,
    staleStart: version === 1 ? 'unknown' : requireMark(object.staleStart),
    globalId: readInt32(object.globalId, 'checkpoint.globalId'),
    anchor: readBlockIdJson(object.anchor, 'checkpoint.anchor'),
    keyBlock: readBlockIdJson(object.keyBlock, 'checkpoint.keyBlock'),
    genUtime: readUint32(object.genUtime, 'checkpoint.genUtime'),
    configProof: readBase64(object.configProof, 'checkpoint.configProof', MAX_BOC_BYTES),
  };
  const fields = fieldsToJson(given, version);
  if (checksum(fields) !== object.checksum) throw damaged('the checksum does not match', 'checkpoint.checksum');
  // All known members were read, so a further one is unknown.
  if (Object.keys(object).length !== Object.keys(fields).length + 1) {
    throw damaged('a member that no checkpoint has', 'checkpoint');
  }
  return reprove(given);
}
