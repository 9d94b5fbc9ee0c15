import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isBytes } from '../../../src/core/base/bytes.ts';
import { UsageError } from '../../../src/core/base/errors.ts';
import { ownBytes, ownBytesOf, ownList, ownPart } from '../../../src/core/base/own-bytes.ts';
import { FORMS } from '../../helpers/hostile.ts';
import { revoked } from '../../helpers/odd-values.ts';

const bytes = Uint8Array.of(1, 2, 3, 4);

describe('a copy of bytes', () => {
  it.each(Object.entries(FORMS))('of %s is a plain array that shares no memory with it', (_, form) => {
    const given = form(bytes);
    const own = ownBytes(given, 'x');
    expect([own.constructor, own.length, own.buffer.byteLength]).toEqual([Uint8Array, 4, 4]);
    given.fill(9);
    expect(own).toEqual(bytes);
    own.fill(7);
    expect([...given]).toEqual([9, 9, 9, 9]);
  });

  it('is made of those of another realm, too', () => {
    const foreign: unknown = runInNewContext('Uint8Array.of(1, 2, 3, 4)');
    expect(foreign instanceof Uint8Array).toBe(false);
    expect(ownBytes(foreign, 'x')).toEqual(bytes);
  });

  it('has the length that the bytes have, not the one that they say', () => {
    const liar = Object.defineProperty(Uint8Array.from(bytes), 'length', { value: 32 });
    expect(ownBytes(liar, 'x')).toHaveLength(4);
    expect(() => ownBytesOf(32, liar, 'x')).toThrow(UsageError);
    expect(ownBytesOf(4, liar, 'x')).toEqual(bytes);
    expect(() => ownBytes(liar, 'x', 3)).toThrow(expect.objectContaining({ code: 'decode/too-large' }));
  });

  it('of more bytes than will be held is refused before it is made', () => {
    const long = Object.defineProperty(Uint8Array.from(bytes), 'length', { value: 2 ** 31 });
    expect(ownBytes(long, 'x', 4)).toEqual(bytes); // what it says of itself is not asked
    const short = Object.defineProperty(Uint8Array.from(bytes), 'length', { value: 0 });
    for (const given of [bytes, short]) {
      expect(() => ownBytes(given, 'x', 3)).toThrow(expect.objectContaining({ code: 'decode/too-large', path: 'x' }));
    }
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['text', '0102'],
    ['an array', [1, 2]],
    ['an ArrayBuffer', bytes.buffer],
    ['a DataView', new DataView(bytes.buffer)],
    ['a Uint16Array', new Uint16Array(2)],
    ['an object with the prototype', Object.create(Uint8Array.prototype)],
    ['a proxy', new Proxy(bytes, {})],
  ])('of %s is an error that names the argument', (_, given) => {
    expect(isBytes(given)).toBe(false);
    for (const make of [() => ownBytes(given, 'x.y'), () => ownBytesOf(2, given, 'x.y')]) {
      expect(make).toThrow(expect.objectContaining({ code: 'usage/bad-option', path: 'x.y' }));
    }
  });

  it('of memory that was handed to another thread is an error of ours', () => {
    const { buffer } = Uint8Array.from(bytes);
    const given = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    expect(() => ownBytes(given, 'x')).toThrow(UsageError);
  });
});

describe('a copy of a list', () => {
  it('has every element once, holes as undefined, and no more than are allowed', () => {
    const list = Object.assign(new Array<string>(3), { 0: 'a', 2: 'c' });
    expect(ownList(list, 'x')).toEqual(['a', undefined, 'c']);
    expect(() => ownList(list, 'x', 2)).toThrow(expect.objectContaining({ code: 'decode/too-large' }));
    expect(() => ownList(new Array(2 ** 32 - 1), 'x')).toThrow(expect.objectContaining({ code: 'decode/too-large' }));
    for (const given of [undefined, { length: 1 }, 'abc', new Set(), revoked([])]) {
      expect(() => ownList(given as never, 'x')).toThrow(expect.objectContaining({ code: 'usage/bad-option' }));
    }
  });
});

describe('a copy in its place', () => {
  it.each(Object.entries(FORMS))('of %s stands between the others and shares no memory with it', (_, form) => {
    const whole = new Uint8Array(12).fill(5);
    const given = form(bytes);
    const own = ownPart(given, 4, whole, 1)!;
    given.fill(9);
    expect(own).toEqual(bytes);
    expect([own.buffer, own.byteOffset]).toEqual([whole.buffer, 4]);
    expect([...whole]).toEqual([5, 5, 5, 5, 1, 2, 3, 4, 5, 5, 5, 5]);
  });

  it.each([
    ['too many', Uint8Array.of(1, 2, 3, 4, 5)],
    ['too few', Uint8Array.of(1, 2, 3)],
    ['too many that say they are not', Object.defineProperty(Uint8Array.of(1, 2, 3, 4, 5), 'length', { value: 4 })],
    ['too few that say they are not', Object.defineProperty(Uint8Array.of(1, 2, 3), 'length', { value: 4 })],
    ['others', Uint16Array.of(1, 2, 3, 4)],
    ['a list', [1, 2, 3, 4]],
    ['bytes by their prototype only', Object.create(Uint8Array.prototype)],
    ['a proxy', new Proxy(bytes, {})],
    ['nothing', undefined],
  ])('is not made of %s, nor is anything written', (_, given) => {
    const whole = new Uint8Array(12);
    expect(ownPart(given, 4, whole, 1)).toBeUndefined();
    expect(whole).toEqual(new Uint8Array(12));
  });

  it('is not made of memory that was handed away', () => {
    const gone = Uint8Array.from(bytes);
    structuredClone(gone, { transfer: [gone.buffer] });
    expect(ownPart(gone, 4, new Uint8Array(12), 1)).toBeUndefined();
  });
});
