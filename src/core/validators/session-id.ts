/**
 * Computes the session id of simplex signatures from the validator set. The id is a diagnostic: it is not verified
 * elsewhere, and it never changes a verdict.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeHex, equalBytes, joinBytes } from '../base/bytes.ts';
import { type Hash256, requireUint32 } from '../base/fields.ts';
import { HASH_BYTES, MASTERCHAIN_SHARD, MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { ownBytesOf, ownList } from '../base/own-bytes.ts';
import { VALIDATOR_GROUP_NEW } from '../tl/constructors.ts';
import { tlUint32, tlUint64 } from '../tl/writer.ts';
import { nodeIdShort } from './node-id-short.ts';
import { sessionMembers } from './select-masterchain.ts';
import type { ValidatorSet } from './validator-set.ts';

/** The parts of a session id other than the validators. */
export interface SessionParts {
  /** uint32, gen_catchain_seqno of the block. */
  readonly catchainSeqno: number;
  /** uint32, prev_key_block_seqno of the block. */
  readonly prevKeyBlockSeqno: number;
  /** uint32, hardforks in the global configuration of nodes; equals vert_seq_no of the header after all of them. */
  readonly verticalSeqno: number;
  readonly configHash: Hash256;
}

/** The config hash of all nodes since June 2026. Source: ton `validator/validator-group.cpp`, session_id_for. */
export const FROZEN_CONFIG_HASH: Hash256 = /* @__PURE__ */ decodeHex(
  '0a5bf2399f172fee5a8e786f55a9d27149d1ed33e6b8e0cc81ef45fa3b8cb8d7',
)!;

/** The config hash of mainnet in April 2026, computed from parameters 28 and 29. */
export const MAINNET_2026_04_CONFIG_HASH: Hash256 = /* @__PURE__ */ decodeHex(
  '190f2f24c4c4ce6dd635bac0836c6c728fbba3ae818ec5ebf7dac9c825285b15',
)!;

/**
 * SHA-256 of boxed validator.groupNew, whose members are validator.groupMember public_key_hash:int256 adnl:int256
 * weight:long, bare, in session order. Source: ton `validator/validator-group.cpp`, session_id_for.
 * @returns `undefined` when the set does not carry ADNL addresses or does not say whether it is shuffled
 */
export function sessionId(set: ValidatorSet, parts: SessionParts): Hash256 | undefined {
  const { prevKeyBlockSeqno, verticalSeqno, configHash } = parts;
  const catchainSeqno = requireUint32(parts.catchainSeqno, 'parts.catchainSeqno');
  const bytes = [
    tlUint32(VALIDATOR_GROUP_NEW),
    tlUint32(MASTERCHAIN_WORKCHAIN),
    tlUint64(MASTERCHAIN_SHARD),
    tlUint32(requireUint32(verticalSeqno, 'parts.verticalSeqno')),
    tlUint32(requireUint32(prevKeyBlockSeqno, 'parts.prevKeyBlockSeqno')),
    tlUint32(catchainSeqno),
    ownBytesOf(HASH_BYTES, configHash, 'parts.configHash'),
  ];
  const validators = sessionMembers(set, catchainSeqno);
  if (validators === undefined) return undefined;
  bytes.push(tlUint32(validators.length));
  for (const { publicKey, adnlAddr, weight } of validators) {
    bytes.push(nodeIdShort(publicKey), adnlAddr, tlUint64(weight));
  }
  return sha256(joinBytes(bytes));
}

/**
 * 'match' with any of the tried config hashes; 'mismatch' with all; 'not-enough-data' if parts for the computation are
 * missing.
 */
export type SessionIdCheck = 'match' | 'mismatch' | 'not-enough-data';

/**
 * Compares the session id of an answer with the computed one. A mismatch is not evidence against the block: the node's
 * formula has changed before, and an emergency rotation changes the config hash.
 * @param given from a proven header
 * @param configHashes the hashes to try; default: the two known constants
 * @throws DecodeError for a hash without 32 bytes, or a number that is not a uint32; UsageError for a value that is not
 * a set
 */
export function checkSessionId(
  got: Hash256,
  set: ValidatorSet,
  given: Omit<SessionParts, 'configHash'>,
  configHashes: readonly Hash256[] = [FROZEN_CONFIG_HASH, MAINNET_2026_04_CONFIG_HASH],
): SessionIdCheck {
  const parts = requireOptions(given, ['catchainSeqno', 'prevKeyBlockSeqno', 'verticalSeqno'], 'parts', {
    configHash: 'the config hashes are the fourth argument',
  });
  const wanted = ownBytesOf(HASH_BYTES, got, 'sessionId');
  const hashes = ownList(configHashes, 'configHashes');
  for (const configHash of hashes) {
    const computed = sessionId(set, { ...parts, configHash });
    if (computed === undefined) return 'not-enough-data';
    if (equalBytes(computed, wanted)) return 'match';
  }
  return hashes.length === 0 ? 'not-enough-data' : 'mismatch';
}
