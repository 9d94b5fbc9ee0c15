import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  concatBytes,
  decodeBase64,
  decodeHex,
  encodeBase64,
  encodeHex,
  equalBytes,
} from '../../../src/core/base/bytes.ts';
import { share } from '../../helpers/share.ts';

const bytes = fc.uint8Array({ maxLength: 100 });

describe('base64', () => {
  it('is written as Buffer writes it', () => {
    fc.assert(fc.property(bytes, (b) => encodeBase64(b) === Buffer.from(b).toString('base64')));
  });

  it('reads back what was written', () => {
    fc.assert(fc.property(bytes, (b) => equalBytes(decodeBase64(encodeBase64(b))!, b)));
  });

  it('reads only the one canonical spelling of any bytes', () => {
    const alphabet = fc.constantFrom(...'ABYZabyz0189+/=-_ \n');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
        const read = decodeBase64(text);
        const canonical = Buffer.from(text, 'base64').toString('base64') === text;
        return canonical ? equalBytes(read!, Buffer.from(text, 'base64')) : read === undefined;
      }),
      { numRuns: share(1000, 5000) },
    );
  });

  it.each([
    ['non-zero bits before the padding', 'AB=='],
    ['non-zero bits before the padding', 'AAB='],
    ['missing padding', 'AAA'],
    ['base64url', 'AA-_'],
    ['white space', 'AAAA\n'],
    ['padding in the middle', 'AA==AAAA'],
    ['only padding', '===='],
    ['three pads', 'A==='],
    ['a character beyond ASCII', 'AAA\u0141'],
  ])('refuses %s', (_, text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});

describe('hex', () => {
  it('reads either case and writes lower case', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        const hex = Buffer.from(b).toString('hex');
        return encodeHex(b) === hex && equalBytes(decodeHex(hex.toUpperCase())!, b);
      }),
    );
  });

  it.each(['0', '0x00', 'zz', ' 00', '00\n'])('refuses %j', (text) => {
    expect(decodeHex(text)).toBeUndefined();
  });
});

describe('bytes', () => {
  it('are equal exactly when their hex is equal', () => {
    const few = fc.uint8Array({ maxLength: 2, max: 2 });
    fc.assert(fc.property(few, few, (a, b) => equalBytes(a, b) === (encodeHex(a) === encodeHex(b))));
  });

  it('are joined in order', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 5 }), (parts) =>
        equalBytes(concatBytes(...parts), Buffer.concat(parts)),
      ),
    );
  });
});
