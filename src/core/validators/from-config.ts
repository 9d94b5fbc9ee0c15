/**
 * Reads validator lists and the catchain configuration from cells, with all of the node's own checks. This file does not pick the masterchain
 * subset (`select-masterchain.ts`), and does not know whether the cells are proven.
 */
import { badRange } from '../base/json-structure.ts';
import { MAX_VALIDATORS, PUBLIC_KEY_BYTES } from '../base/limits.ts';
import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { forEachEntry } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import type { ValidatorConfig } from './select-masterchain.ts';
import { addWeight, setError, type Validator } from './validator-set.ts';

const VALIDATORS = 0x11;
const VALIDATORS_EXT = 0x12;
const VALIDATOR = 0x53;
const VALIDATOR_ADDR = 0x73;
const ED25519_PUBKEY = 0x8e81278a;
const INDEX_BITS = 16;

/** Bits of `validators#11` before its dictionary. A shorter cell cannot contain a set. */
const MIN_SET_BITS = 8 + 32 + 32 + 16 + 16;

/** The ADNL address of a validator whose entry has none. Source: ton `crypto/block/mc-config.cpp`. */
const NO_ADNL_ADDRESS = new Uint8Array(32);

/**
 * validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
 * validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
 * ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey; Source: ton `crypto/block/block.tlb`.
 */
function readValidator(slice: Slice, path: string): Validator {
  const tag = slice.uint(8);
  if (tag !== VALIDATOR && tag !== VALIDATOR_ADDR) throw slice.wrongTag(tag, 8, `a validator (53 or 73) at ${path}`);
  slice.tag(32, ED25519_PUBKEY, 'an Ed25519 key');
  const publicKey = slice.bytes(PUBLIC_KEY_BYTES);
  const weight = slice.uint64();
  const adnlAddr = tag === VALIDATOR_ADDR ? slice.bytes(32) : NO_ADNL_ADDRESS.slice();
  slice.end();
  return Object.freeze({ publicKey, weight, adnlAddr });
}

/**
 * validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
 *   list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
 * validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
 *   total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
 * Source: ton `crypto/block/block.tlb`; checks: `crypto/block/mc-config.cpp`, unpack_validator_set.
 * @param mainOnly read the first `main` entries only: the others may be pruned, and the sum of all is then not checked.
 * The others sign nothing in the masterchain, and the signers of a final key block checked its content.
 */
export function readValidatorConfig(cell: Cell, path: string, mainOnly = false): ValidatorConfig {
  const slice = new Slice(cell, path);
  const tag = slice.uint(8);
  if (tag !== VALIDATORS && tag !== VALIDATORS_EXT) throw slice.wrongTag(tag, 8, 'a validator set (11 or 12)');
  const utimeSince = slice.uint(32);
  const utimeUntil = slice.uint(32);
  const total = slice.uint(16);
  const main = slice.uint(16);
  if (total === 0) throw setError('validators/empty', 'no validators', path);
  if (main < 1 || main > total) {
    const message = `expected 1 to ${total}, the length of the list, got ${main}`;
    throw setError('validators/bad-main', message, `${path}.main`);
  }
  let statedWeight: bigint | undefined;
  let root = slice;
  if (tag === VALIDATORS_EXT) {
    statedWeight = slice.uint64();
    const listed = slice.bit();
    if (!listed) throw setError('validators/empty', 'no validators', `${path}.list`);
    root = slice.refSlice('list');
    slice.end();
  }
  const list: Validator[] = [];
  let sum = 0n;
  const due = mainOnly ? main : total;
  const read = (index: number, value: Slice) => {
    // Keys come in order, so this finds the first gap.
    if (index !== list.length) throw root.error(`expected entry ${list.length} of ${total}, got ${index}`);
    const validator = readValidator(value, `${path}.list[${index}]`);
    sum = addWeight(sum, validator.weight, `${path}.list[${index}].weight`);
    list.push(validator);
  };
  forEachEntry(root, INDEX_BITS, Math.min(due, MAX_VALIDATORS), read, mainOnly ? main : undefined);
  if (list.length !== due) throw root.error(`expected ${due} entries, got ${list.length}`);
  if (!mainOnly && statedWeight !== undefined && statedWeight !== sum) {
    throw badRange(`${sum}, the sum of the weights`, statedWeight, `${path}.total_weight`);
  }
  return Object.freeze({ utimeSince, utimeUntil, main, list: Object.freeze(list) });
}

/**
 * Reads a validator list from a bag of cells with config parameter 34, 32 or 36 (35, 33 or 37).
 * @param boc the cell of the parameter, not the whole configuration
 * @returns the list with all validators, their times in Unix seconds, and how many of them sign the masterchain
 * (`main`)
 * @throws DecodeError for anything else; ValidatorSetError for a list that the node would reject; TrustError
 * `trust/pruned` when a part of the list is cut off
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, parseValidatorConfig, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk, cellToBoc, parseLiteAnswer, verifyConfig } from 'ton-finality/facts';
 * const folder = 'vectors/live/answers';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync(`vectors/examples/key-block-173.json`, 'utf8')));
 * const block = blockOfWalk(verifyBlockProof(readFileSync(`${folder}/proof-key-block-to-block.tl`), checkpoint));
 * const fact = verifyConfig(parseLiteAnswer(readFileSync(`${folder}/config-from-state.tl`), 'config'), block, 34);
 * console.log(fact.found && parseValidatorConfig(cellToBoc(fact.cell)).main); // 4
 * ```
 */
export function parseValidatorConfig(boc: CellLike): ValidatorConfig {
  return readValidatorConfig(parseSingleRoot(boc, 'boc'), 'validators');
}

/** Whether a cell is long enough for a validator set. The root of a configuration dictionary never is. */
export function looksLikeValidatorSet(cell: Cell): boolean {
  return cell.kind === 'ordinary' && cell.bitLength >= MIN_SET_BITS;
}

/**
 * Reads from parameter 28 whether a session lists the masterchain validators in shuffled order.
 *
 * catchain_config#c1 mc_catchain_lifetime:uint32 shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32
 * shard_validators_num:uint32 = CatchainConfig; catchain_config_new#c2 flags:(## 7) { flags = 0 }
 * shuffle_mc_validators:Bool and the same four = CatchainConfig; For anything else the node takes its defaults, which do
 * not shuffle. Source: ton `crypto/block/block.tlb`; `crypto/block/mc-config.cpp`, unpack_catchain_validators_config.
 * @throws TrustError `trust/pruned`: a pruned cell is not an unreadable one
 */
export function readShuffle(cell: Cell, path: string): boolean {
  const slice = new Slice(cell, path);
  if (cell.refCount !== 0 || cell.bitLength !== 144) return false;
  return slice.uint(8) === 0xc2 && slice.uint(8) === 1;
}
