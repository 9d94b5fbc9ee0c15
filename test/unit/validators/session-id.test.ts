import { describe, expect, it } from 'vitest';
import { decodeHex, encodeHex } from '../../../src/core/base/bytes.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { selectMasterchainValidators } from '../../../src/core/validators/select-masterchain.ts';
import {
  checkSessionId,
  consensusConfigHash,
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
    const set = selectMasterchainValidators(config, { shuffle: true });
    expect(checkSessionId(got, set, parts, [])).toBe('not-enough-data');
  });
});

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
  const catchain = { shuffle: true, mcLifetime: 250, shardLifetime: 250 };

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
