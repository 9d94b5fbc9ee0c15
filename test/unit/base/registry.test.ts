/** Marks that nobody can copy, forge or find. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/core/base/registry.ts';

describe('a registry', () => {
  it('is known of the very object, frozen or not, and of nothing that is made of it', () => {
    const member = registry<string>();
    const target: { readonly name: string } = { name: 'one' };
    member.make(target, 'known');
    expect(member.own(target)).toBe('known');
    expect(member.own(Object.freeze(target))).toBe('known');
    for (const other of [
      { ...target },
      structuredClone(target),
      Object.create(target),
      new Proxy(target, {}),
      { name: 'one' },
    ]) {
      expect(member.own(other)).toBeUndefined();
    }
  });

  it('is of one kind: another member, though put on the same object, has a value of its own', () => {
    const [one, other] = [registry<number>(), registry<number>()];
    const target = {};
    one.make(target, 1);
    expect(other.own(target)).toBeUndefined();
    other.make(target, 2);
    expect([one.own(target), other.own(target)]).toEqual([1, 2]);
  });

  it('leaves the object as it looks: no key, no symbol, no other prototype', () => {
    const target = { name: 'one' };
    registry<number>().make(target, 1);
    expect(Reflect.ownKeys(target)).toEqual(['name']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  });

  it.each([undefined, null, 0, 'text', true, 1n, Symbol('one')])('is nothing that %s can have', (value) => {
    expect(registry<number>().own(value)).toBeUndefined();
  });

  it('is put once', () => {
    const member = registry<number>();
    const target = {};
    member.make(target, 1);
    expect(() => member.make(target, 2)).toThrow(TypeError);
    expect(member.own(target)).toBe(1);
  });
});

it('freezes what is made, and says of no other object that it was', () => {
  const made = registry<undefined>();
  const target = made.make({ name: 'one' }, undefined);
  expect(Object.isFrozen(target)).toBe(true);
  expect([target, { ...target }, Object.create(target), undefined, 5].map((one) => made.has(one))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
