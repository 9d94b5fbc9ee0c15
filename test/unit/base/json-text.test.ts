import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/core/base/errors.ts';
import { parseJsonBytes } from '../../../src/core/base/json-text.ts';

const parseJsonText = (text: string, name: string) => parseJsonBytes(new TextEncoder().encode(text), name);

describe('JSON text', () => {
  it('without a repeated key is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJsonText(text, 'file')).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '{"x":[{"a":1,"b":{"a":2},"a":3}]}',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":1}',
    '{"a\\\\":1,"a\\\\":1}',
  ])('with a key twice in one object is refused: %s', (text) => {
    expect(() => parseJsonText(text, 'file')).toThrow(expect.objectContaining({ code: 'decode/shape', path: 'file' }));
  });

  it.each([
    '{"a":"a","b":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":{"a":{"a":1}}}',
    '{"a":":","b":"{\\"b\\":1,"}',
    '{"a\\"":1,"a":2}',
  ])('with the same word in other places is fine: %s', (text) => {
    expect(parseJsonText(text, 'file')).toEqual(JSON.parse(text));
  });

  it('that is none ends in a DecodeError without a piece of the text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 3 }), (text) => {
        try {
          parseJsonText(text, 'file');
          return true;
        } catch (error) {
          return error instanceof DecodeError && !error.message.includes('secret');
        }
      }),
    );
    expect(() => parseJsonText('{"key":"secret', 'file')).toThrow(/^file: expected JSON, got invalid JSON$/);
  });

  it.each<[string, string]>([
    ['deep nesting', '['.repeat(1_000_000)],
    ['deep nesting that ends', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['deep nesting of both kinds', '{"a":['.repeat(100_000)],
    ['nothing but quotes', '"'.repeat(1_000_000)],
    ['nothing but colons after a long key', `{"${'x'.repeat(10_000)}"${':'.repeat(1_000_000)}`],
    ['a string of backslashes without an end', `{"${'\\'.repeat(1_000_001)}`],
    ['closing brackets only', ']}'.repeat(500_000)],
    ['a broken escape in a key', '{"\\u12":1}'],
  ])('of %s is refused in one pass', (_, text) => {
    expect(() => parseJsonText(text, 'file')).toThrow(expect.objectContaining({ code: 'decode/shape' }));
  });

  it.each([13, 14, 5000])('with %i keys in one object is read, and refused with one of them twice', (count) => {
    const members = Array.from({ length: count }, (_, at) => `"k${at}":{"k0":0}`);
    expect(Object.keys(parseJsonText(`{${members.join()}}`, 'file') as object)).toHaveLength(count);
    for (const at of [0, count >> 1, count - 1]) {
      expect(() => parseJsonText(`{${[...members, `"k${at}":0`].join()}}`, 'file')).toThrow(`duplicate key "k${at}"`);
    }
  });

  it('in an array as long as a file may hold is read', () => {
    expect(parseJsonText(`[${'{},'.repeat(300_000)}{}]`, 'file')).toHaveLength(300_001);
  });

  it('in bytes that are no UTF-8 is refused, and a byte order mark is none of it', () => {
    expect(() => parseJsonBytes(Uint8Array.of(0x22, 0xc3, 0x22), 'file')).toThrow(
      'file: expected JSON, got invalid UTF-8',
    );
    expect(parseJsonBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31), 'file')).toBe(1);
  });
});
