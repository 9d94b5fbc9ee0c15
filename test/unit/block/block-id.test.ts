import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLOCK_ID_FIELDS,
  type BlockIdExt,
  copyBlockId,
  differingField,
  formatBlockId,
  parseBlockId,
  readBlockId,
  requireMasterchain,
} from '../../../src/core/block/block-id.ts';
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

const anyId = fc.record({
  workchain: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  shard: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  seqno: fc.nat(2 ** 32 - 1),
  rootHash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fileHash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

describe('a block id as text', () => {
  const text = `(-1,8000000000000000,5):${Buffer.from(id.rootHash).toString('hex')}:${Buffer.from(id.fileHash).toString('hex')}`;

  it('is written as the tools of TON print it', () => {
    expect(formatBlockId(id)).toBe(text);
    expect(formatBlockId({ ...id, workchain: 0, shard: 1n << 61n })).toMatch(/^\(0,2000000000000000,5\):/);
  });

  it('reads back as it was written, in either case', () => {
    fc.assert(
      fc.property(anyId, (any) => {
        const written = formatBlockId(any);
        expect(differingField(parseBlockId(written), any)).toBeUndefined();
        expect(differingField(parseBlockId(written.toUpperCase()), any)).toBeUndefined();
      }),
    );
  });

  it.each([
    ['', 'decode/shape'],
    [text.slice(0, -1), 'decode/shape'],
    [`${text}0`, 'decode/shape'],
    [` ${text}`, 'decode/shape'],
    [text.replace('8000000000000000', '8000000000000'), 'decode/shape'],
    [text.replace('-1', '-01'), 'decode/shape'],
    [text.replace(',5)', ',05)'), 'decode/shape'],
    [text.replace(',5)', ',+5)'), 'decode/shape'],
    [text.replace(',5)', ',5.5)'), 'decode/shape'],
    [text.replace(',5)', ',4294967296)'), 'decode/range'],
    [text.replace(',5)', ',-5)'), 'decode/shape'],
    [text.replace('-1', '2147483648'), 'decode/range'],
    [text.replace(/:.*/, ''), 'decode/shape'],
    [text.replace(/[0-9a-f]$/, 'g'), 'decode/shape'],
  ])('spelled %j is refused', (spelled, code) => {
    expect(() => parseBlockId(spelled)).toThrow(expect.objectContaining({ code }));
  });
});

describe('a block id that a caller passes', () => {
  it('is copied: changing it later changes nothing', () => {
    const rootHash = Buffer.from(id.rootHash);
    const copy = copyBlockId({ ...id, rootHash }, 'expect');
    rootHash.fill(0);
    expect(copy.rootHash).toEqual(id.rootHash);
    expect(Object.isFrozen(copy)).toBe(true);
  });

  it.each<[keyof BlockIdExt, unknown[]]>([
    ['workchain', [2 ** 31, -(2 ** 31) - 1, 0.5, '-1', undefined, 2 ** 32 - 1]],
    ['shard', [1n << 63n, -(1n << 63n) - 1n, -(2 ** 63), '8000000000000000', undefined]],
    ['seqno', [-1, 2 ** 32, 5.5, Number.NaN, '5', 5n, undefined]],
    ['rootHash', [id.rootHash.slice(1), new Uint8Array(33), 'ab'.repeat(32), [...id.rootHash], null]],
    ['fileHash', [id.fileHash.slice(1), new Uint8Array(33), 'ab'.repeat(32), [...id.fileHash], undefined]],
  ])('is refused for a %s of another type, length or range', (field, values) => {
    for (const value of values) {
      expect(() => copyBlockId({ ...id, [field]: value }, 'expect')).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^(?:usage\/bad-option|decode\/(?:shape|range|length))$/),
          path: `expect.${field}`,
        }),
      );
    }
  });

  it.each([[undefined], [null], ['(-1,8000000000000000,5)'], [5], [{ root_hash: 'x' }], [[id]]])(
    'is no %s',
    (value) => {
      expect(() => copyBlockId(value as never, 'expect')).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: 'expect' }),
      );
    },
  );
});
