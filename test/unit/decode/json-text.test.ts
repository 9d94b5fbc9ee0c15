import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/base/errors.ts';
import { parseJsonText } from '../../../src/decode/json-text.ts';

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
    expect(() => parseJsonText('{"key":"secret', 'file')).toThrow(/^file: expected JSON, got text that is none$/);
  });
});
