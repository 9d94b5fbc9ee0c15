/** Fields of answers: bounds to the last number, and errors that quote little of what was there. */
import { describe, expect, it } from 'vitest';
import { MAX_FIELD_CHARS } from '../../../src/core/base/limits.ts';
import {
  amount,
  blockIdExt,
  int32,
  logicalTime,
  opcode,
  shard,
  string,
  utimeFloat,
} from '../../../src/net/toncenter-api/fields.ts';
import {
  bool,
  by,
  listOf,
  mapOf,
  objectOf,
  parseBy,
  type Schema,
  typeName,
} from '../../../src/net/toncenter-api/schema.ts';

const read = <T>(schema: Schema<T>, value: unknown) =>
  (parseBy(objectOf({ x: schema as Schema<unknown> }), { x: value }, '') as { readonly x: unknown }).x;
const fault = (schema: Schema<unknown>, value: unknown) => {
  try {
    read(schema, value);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
  return 'taken';
};

describe('a field of an answer', () => {
  it('is a logical time of 64 bits, or an amount of 248', () => {
    expect([read(logicalTime, '18446744073709551615'), read(logicalTime, '0'), read(logicalTime, 5)]).toEqual([
      (1n << 64n) - 1n,
      0n,
      5n,
    ]);
    expect(fault(logicalTime, '18446744073709551616')).toMatch(/^decode\/range x: .* at most 64 bits, got 184467/);
    expect(read(amount, String((1n << 248n) - 1n))).toBe((1n << 248n) - 1n);
    const long = '9'.repeat(75);
    expect(fault(amount, long)).toBe(`decode/range x: expected a number of at most 248 bits, got ${long.slice(0, 32)}`);
    expect(fault(amount, `-${long}`)).toBe(`decode/shape x: expected an unsigned decimal, got "-${long.slice(0, 31)}"`);
    expect(fault(amount, 2 ** 53)).toMatch(/^decode\/range/);
  });

  it('is a shard in any spelling, within 64 bits', () => {
    expect([read(shard, '18446744073709551615'), read(shard, '-9223372036854775808')]).toEqual([-1n, -(1n << 63n)]);
    expect([read(shard, '0x80'), read(shard, '0X80'), read(shard, '80')]).toEqual([128n, 128n, 128n]);
    for (const value of ['18446744073709551616', '-9223372036854775809']) {
      expect(fault(shard, value)).toMatch(/^decode\/range/);
    }
    expect(fault(shard, 'x'.repeat(99))).toBe(
      `decode/shape x: expected a shard, hex or decimal, got "${'x'.repeat(32)}"`,
    );
  });

  it('is an opcode as a number or as hex, and not a list of one', () => {
    expect([read(opcode, '0x0f8a7ea5'), read(opcode, 260734629), read(opcode, '5')]).toEqual([260734629, 260734629, 5]);
    for (const value of [['0x10'], { toString: () => '0x10' }]) expect(fault(opcode, value)).toMatch(/^decode\/shape/);
    expect(fault(int32, 'y'.repeat(99))).toBe(`decode/shape x: expected a decimal integer, got "${'y'.repeat(32)}"`);
  });

  it('is a time with a fraction, within 32 bits', () => {
    expect([0, 1.5, 0xffffffff].map((value) => read(utimeFloat, value))).toEqual([0, 1.5, 0xffffffff]);
    for (const value of [-0.5, 0xffffffff + 0.5, Number.NaN]) expect(fault(utimeFloat, value)).toMatch(/^decode\//);
    expect(fault(utimeFloat, -1)).toBe('decode/range x: expected unix seconds, got -1');
    for (const value of ['5', null, true]) expect(fault(utimeFloat, value)).toMatch(/^decode\/shape/);
  });

  it('is true or false, and nothing that only counts as one of them', () => {
    expect([read(bool, true), read(bool, false)]).toEqual([true, false]);
    expect(fault(bool, 1)).toBe('decode/shape x: expected boolean, got the number 1');
    expect(fault(bool, 'true')).toMatch(/^decode\/shape x: expected boolean/);
  });

  it('of a list or map is named in errors by its place or key, which may look like a part of a path', () => {
    const map = mapOf(objectOf({ y: int32 }), 9);
    const pathOf = (wanted: Schema<unknown>, json: unknown) => {
      try {
        return parseBy(wanted, json, '');
      } catch (error) {
        return (error as { path: string }).path;
      }
    };
    expect(pathOf(listOf(objectOf({ y: int32 }), 9), [{}])).toBe('[0].y');
    expect(pathOf(map, { k: {} })).toBe('k.y');
    expect(pathOf(map, { '[k': {} })).toBe('[k.y');
    expect(pathOf(objectOf({ x: map }), { x: { '[k': {} } })).toBe('x.[k.y');
  });

  it('ends the reading with the error of its reader as it was, unless the error is about the data', () => {
    const own = new TypeError('mine');
    const failing = by(() => {
      throw own;
    });
    expect(() => read(failing, 5)).toThrow(own);
  });

  it('is text of so many characters', () => {
    const most = 'a'.repeat(MAX_FIELD_CHARS);
    expect(read(string, most)).toBe(most);
    expect(fault(string, `${most}a`)).toMatch(/^decode\/too-large/);
  });

  it('is a type by its name, or is left out', () => {
    expect([fault(typeName('a.b'), 'a.b'), fault(typeName('a.b'), undefined)]).toEqual(['taken', 'taken']);
    expect(fault(typeName('a.b'), 'c'.repeat(99))).toBe(`decode/shape x: expected "a.b", got "${'c'.repeat(64)}"`);
    expect(fault(typeName('a.b'), 5)).toBe('decode/shape x: expected "a.b", got the number 5');
    const id = { workchain: 0, shard: '1', seqno: 1, root_hash: `${'A'.repeat(43)}=`, file_hash: `${'A'.repeat(43)}=` };
    expect([fault(blockIdExt, { ...id, '@type': 'net.blockIdExt' }), fault(blockIdExt, id)]).toEqual([
      'taken',
      'taken',
    ]);
    expect(fault(blockIdExt, { ...id, '@type': 'd'.repeat(99) })).toBe(
      `decode/shape x.@type: expected "ton.blockIdExt", got "${'d'.repeat(64)}"`,
    );
    expect(fault(blockIdExt, { '@type': 5 })).toBe('decode/shape x.@type: expected string, got the number 5');
  });
});
