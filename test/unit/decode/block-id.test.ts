import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BLOCK_ID_FIELDS, differingField, readBlockId, requireMasterchain } from '../../../src/decode/block-id.ts';
import { blockIdToAnswer, hashOf, makeBlockId } from '../../helpers/make-block.ts';

const id = makeBlockId(5);

it('two ids are one block exactly when all five fields are equal', () => {
  const changes = { workchain: 0, shard: 1n, seqno: 6, rootHash: hashOf('r'), fileHash: hashOf('f') };
  expect(differingField(id, { ...id, rootHash: id.rootHash.slice() })).toBeUndefined();
  for (const field of BLOCK_ID_FIELDS) expect(differingField(id, { ...id, [field]: changes[field] })).toBe(field);
});

it('an id reads back as it was written, for any shard and seqno', () => {
  const shard = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      shard,
      fc.nat(2 ** 32 - 1),
      (workchain, anyShard, seqno) => {
        const any = { ...id, workchain, shard: anyShard, seqno };
        expect(differingField(readBlockId(blockIdToAnswer(any), 'id'), any)).toBeUndefined();
      },
    ),
  );
});

it('only workchain -1 with shard -2^63 is the masterchain', () => {
  expect(requireMasterchain(id, 'id')).toBe(id);
  for (const other of [{ workchain: 0 }, { shard: 0n }, { shard: 2n ** 63n - 1n }]) {
    expect(() => requireMasterchain({ ...id, ...other }, 'id')).toThrow(
      expect.objectContaining({ code: 'decode/range' }),
    );
  }
});

it.each([
  '',
  '00',
  '-0',
  '+1',
  '1e3',
  '0x10',
  ' 1',
  '1 ',
  '01',
  '9223372036854775808',
  '-9223372036854775809',
  '1'.repeat(40),
])('a shard spelled %j is refused', (shard) => {
  expect(() => readBlockId({ ...blockIdToAnswer(id), shard }, 'id')).toThrow(
    expect.objectContaining({ path: 'id.shard' }),
  );
});
