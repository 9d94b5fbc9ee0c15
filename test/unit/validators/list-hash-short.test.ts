import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../src/core/base/crc32c.ts';
import { validatorListHashShort } from '../../../src/core/validators/list-hash-short.ts';
import { createValidatorSet, type Validator } from '../../../src/core/validators/validator-set.ts';
import { fromHex, readVector, realCases } from '../../helpers/vectors.ts';

interface Reference {
  readonly catchain_seqno: number;
  readonly validator_set_hash: number;
  readonly validator_set_hash_ccseqno0: number;
  readonly config34: { main: number; list: { public_key: string; weight: string; adnl_addr: string }[] };
}
const reference = readVector<Reference>('synthetic/reference.json');
const validators = reference.config34.list
  .slice(0, reference.config34.main)
  .map(
    (v): Validator => ({ publicKey: fromHex(v.public_key), weight: BigInt(v.weight), adnlAddr: fromHex(v.adnl_addr) }),
  );

it('CRC-32C of "123456789" is the published check value', () => {
  expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
});

describe('the list hash', () => {
  it('equals the reference answer, and differs with the catchain seqno', () => {
    const set = createValidatorSet(validators, { shuffle: true });
    expect(validatorListHashShort(set, reference.catchain_seqno)).toBe(reference.validator_set_hash);
    expect(validatorListHashShort(set, 1)).not.toBe(reference.validator_set_hash);
  });

  it('is unknown, not zero-filled, for a set without ADNL addresses', () => {
    const bare = validators.map(({ publicKey, weight }) => ({ publicKey, weight }));
    expect(validatorListHashShort(createValidatorSet(bare, { shuffle: true }), 1)).toBeUndefined();
    const one = [{ publicKey: validators[0]!.publicKey, weight: 1n }, ...validators.slice(1)];
    expect(validatorListHashShort(createValidatorSet(one, { shuffle: true }), 1)).toBeUndefined();
  });

  it('is unknown for a set that does not say whether it is shuffled', () => {
    expect(validatorListHashShort(createValidatorSet(validators), 1)).toBeUndefined();
  });

  it('of the first mainnet blocks is the one in their headers, as their set has no ADNL addresses and no shuffle', () => {
    const genesis = readVector<{ validators: { public_key: string; weight: string }[] }>(
      'real/mainnet-genesis/validators.json',
    );
    const set = createValidatorSet(
      genesis.validators.map((v) => ({
        publicKey: fromHex(v.public_key),
        weight: BigInt(v.weight),
        adnlAddr: new Uint8Array(32),
      })),
      { shuffle: false },
    );
    const blocks = realCases.filter(({ id }) => id.startsWith('mainnet-genesis/'));
    expect(blocks).toHaveLength(10);
    for (const { catchain_seqno, validator_list_hash_short } of blocks) {
      expect(validatorListHashShort(set, catchain_seqno!)).toBe(validator_list_hash_short);
    }
  });
});
