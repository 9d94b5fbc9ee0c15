import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { concatBytes, decodeHex, encodeHex } from '../../../src/core/base/bytes.ts';
import type { Hash256 } from '../../../src/core/base/fields.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import type { Cell } from '../../../src/core/cells/cell.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import {
  BOOL_FALSE,
  BOOL_TRUE,
  VALIDATOR_SESSION_CATCHAIN_OPTIONS,
  VALIDATOR_SESSION_CONFIG_V2,
} from '../../../src/core/tl/constructors.ts';
import { tlUint32 } from '../../../src/core/tl/writer.ts';
import { selectMasterchainValidators } from '../../../src/core/validators/select-masterchain.ts';
import {
  checkSessionId,
  FROZEN_CONFIG_HASH,
  MAINNET_2026_04_CONFIG_HASH,
  sessionId,
} from '../../../src/core/validators/session-id.ts';
import { createValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { beginCell, bocOf } from '../../helpers/cells.ts';
import { readVector } from '../../helpers/vectors.ts';

interface Reference {
  readonly config34: {
    readonly main: number;
    readonly list: { public_key: string; adnl_addr: string; weight: string }[];
  };
  readonly catchain_seqno: number;
  readonly prev_key_block_seqno: number;
  readonly vertical_seqno: number;
  readonly session_id: string;
}
const reference = readVector<Reference>('synthetic/reference.json');
const hex = (text: string) => decodeHex(text)!;
const list = reference.config34.list.map((one) => ({
  publicKey: hex(one.public_key),
  adnlAddr: hex(one.adnl_addr),
  weight: BigInt(one.weight),
}));
const config = { utimeSince: 0, utimeUntil: 1, main: reference.config34.main, list };
const parts = {
  catchainSeqno: reference.catchain_seqno,
  prevKeyBlockSeqno: reference.prev_key_block_seqno,
  verticalSeqno: reference.vertical_seqno,
};

describe('a session id', () => {
  it('equals that of an independent implementation', () => {
    const set = selectMasterchainValidators(config, { shuffle: true });
    expect(encodeHex(sessionId(set, { ...parts, configHash: FROZEN_CONFIG_HASH })!)).toBe(reference.session_id);
    expect(checkSessionId(hex(reference.session_id), set, parts)).toBe('match');
    expect(checkSessionId(hex(reference.session_id), set, parts, [MAINNET_2026_04_CONFIG_HASH])).toBe('mismatch');
  });

  it('differs when any part or the order differs', () => {
    const set = selectMasterchainValidators(config, { shuffle: true });
    const plain = selectMasterchainValidators(config, { shuffle: false });
    expect(checkSessionId(hex(reference.session_id), plain, parts)).toBe('mismatch');
    for (const part of ['catchainSeqno', 'prevKeyBlockSeqno', 'verticalSeqno'] as const) {
      expect(checkSessionId(hex(reference.session_id), set, { ...parts, [part]: parts[part] + 1 })).toBe('mismatch');
    }
  });

  it('is not made up when ADNL addresses or the shuffle are unknown', () => {
    const got = hex(reference.session_id);
    expect(checkSessionId(got, selectMasterchainValidators(config), parts)).toBe('not-enough-data');
    const keysOnly = list.map(({ publicKey, weight }) => ({ publicKey, weight }));
    expect(checkSessionId(got, createValidatorSet(keysOnly, { shuffle: true }), parts)).toBe('not-enough-data');
    const wrong = { ...parts, verticalSeqno: -1 };
    expect(() => checkSessionId(got, createValidatorSet(keysOnly, { shuffle: true }), wrong)).toThrow('verticalSeqno');
    const set = selectMasterchainValidators(config, { shuffle: true });
    expect(checkSessionId(got, set, parts, [])).toBe('not-enough-data');
  });
});

interface CatchainConfig {
  readonly mcLifetime: number;
  readonly shardLifetime: number;
}

const CONSENSUS_CONFIG_V4 = 0xd9;
const MAX_SERIALIZED_BLOCK_SIZE = 16_384;

/** A TL double: eight bytes, IEEE 754, little-endian. */
function tlDouble(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return bytes;
}

/**
 * Computes the config hash of nodes before June 2026 from parameters 28 and 29, for the constants above.
 *
 * consensus_config_v4#d9 flags:(## 6) { flags = 0 } use_quic:Bool new_catchain_ids:Bool round_candidates:(## 8)   {
 * round_candidates >= 1 } next_candidate_delay_ms:uint32 consensus_timeout_ms:uint32 fast_attempts:uint32
 * attempt_duration:uint32 catchain_max_deps:uint32 max_block_bytes:uint32 max_collated_bytes:uint32
 * proto_version:uint16   catchain_max_blocks_coeff:uint32 = ConsensusConfig; Source: ton `crypto/block/block.tlb`.
 * validatorSession.configVersionedV2; Source: ton `validator/manager.cpp`, get_validator_set_id, before e86cc8aa.
 * @returns `undefined` for other forms of parameter 29, whose hash is computed differently
 * @throws TrustError `trust/pruned`; DecodeError `decode/boc`
 */
function consensusConfigHash(param29: Cell, catchain: CatchainConfig): Hash256 | undefined {
  const slice = new Slice(param29, 'config[29]');
  if (slice.uint(8) !== CONSENSUS_CONFIG_V4) return undefined;
  if (slice.uint(6) !== 0) throw slice.error('reserved flags are set');
  slice.skip(1); // use_quic
  const newCatchainIds = slice.bit();
  const roundCandidates = slice.uint(8);
  const nextCandidateDelayMs = slice.uint(32);
  const consensusTimeoutMs = slice.uint(32);
  const fastAttempts = slice.uint(32);
  const attemptDuration = slice.uint(32);
  const maxDeps = slice.uint(32);
  const maxBlockBytes = slice.uint(32);
  const maxCollatedBytes = slice.uint(32);
  const protoVersion = slice.uint(16);
  const maxBlocksCoeff = slice.uint(32);
  slice.end();
  if (!newCatchainIds || protoVersion < 2) return undefined;
  const height = Math.max(catchain.mcLifetime, catchain.shardLifetime);
  return sha256(
    concatBytes(
      tlUint32(VALIDATOR_SESSION_CONFIG_V2),
      tlUint32(VALIDATOR_SESSION_CATCHAIN_OPTIONS),
      tlDouble(consensusTimeoutMs * 0.001),
      tlUint32(maxDeps),
      tlUint32(MAX_SERIALIZED_BLOCK_SIZE),
      tlUint32(BOOL_TRUE),
      tlUint32(Math.imul(height, maxBlocksCoeff) >>> 0),
      tlUint32(BOOL_FALSE),
      tlUint32(roundCandidates),
      tlDouble(nextCandidateDelayMs * 0.001),
      tlUint32(attemptDuration),
      tlUint32(fastAttempts),
      tlUint32(maxBlockBytes),
      tlUint32(maxCollatedBytes),
      tlUint32(protoVersion),
    ),
  );
}

describe('the config hash before June 2026', () => {
  const param29 = (maxCollated: number, tag = 0xd9, newIds = 1, version = 5) =>
    parseSingleRoot(
      bocOf(
        beginCell()
          .storeUint(tag, 8)
          .storeUint(newIds, 8)
          .storeUint(3, 8)
          .storeUint(2000, 32)
          .storeUint(16000, 32)
          .storeUint(3, 32)
          .storeUint(8, 32)
          .storeUint(4, 32)
          .storeUint(2097152, 32)
          .storeUint(maxCollated, 32)
          .storeUint(version, 16)
          .storeUint(10000, 32)
          .endCell(),
      ),
    );
  const catchain = { mcLifetime: 250, shardLifetime: 250 };

  it('gives the two known constants for the mainnet values of parameter 29', () => {
    const april = consensusConfigHash(param29(2097152), catchain);
    const frozen = consensusConfigHash(param29(10485760), catchain);
    expect([encodeHex(april!), encodeHex(frozen!)]).toEqual([
      encodeHex(MAINNET_2026_04_CONFIG_HASH),
      encodeHex(FROZEN_CONFIG_HASH),
    ]);
  });

  it('is not made up for other forms of parameter 29', () => {
    expect(consensusConfigHash(param29(1, 0xd8), catchain)).toBeUndefined();
    expect(consensusConfigHash(param29(1, 0xd9, 0), catchain)).toBeUndefined();
    expect(consensusConfigHash(param29(1, 0xd9, 1, 1), catchain)).toBeUndefined();
  });
});
