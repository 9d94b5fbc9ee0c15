/** Marks that nobody can copy, forge or find. */
import { describe, expect, it } from 'vitest';
import { privateMember } from '../../../src/core/base/private-member.ts';

describe('a private member', () => {
  it('is known of the very object, frozen or not, and of nothing that is made of it', () => {
    const member = privateMember<string>();
    const target: { readonly name: string } = { name: 'one' };
    member.put(target, 'known');
    expect(member.get(target)).toBe('known');
    expect(member.get(Object.freeze(target))).toBe('known');
    for (const other of [
      { ...target },
      structuredClone(target),
      Object.create(target),
      new Proxy(target, {}),
      { name: 'one' },
    ]) {
      expect(member.get(other)).toBeUndefined();
    }
  });

  it('is of one kind: another member, though put on the same object, has a value of its own', () => {
    const [one, other] = [privateMember<number>(), privateMember<number>()];
    const target = {};
    one.put(target, 1);
    expect(other.get(target)).toBeUndefined();
    other.put(target, 2);
    expect([one.get(target), other.get(target)]).toEqual([1, 2]);
  });

  it('leaves the object as it looks: no key, no symbol, no other prototype', () => {
    const target = { name: 'one' };
    privateMember<number>().put(target, 1);
    expect(Reflect.ownKeys(target)).toEqual(['name']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  });

  it.each([undefined, null, 0, 'text', true, 1n, Symbol('one')])('is nothing that %s can have', (value) => {
    expect(privateMember<number>().get(value)).toBeUndefined();
  });

  it('is put once', () => {
    const member = privateMember<number>();
    const target = {};
    member.put(target, 1);
    expect(() => member.put(target, 2)).toThrow(TypeError);
    expect(member.get(target)).toBe(1);
  });
});
