import { expect, it } from 'vitest';
import { closestName, requireNumber, requireOptions } from '../../../src/base/option-checks.ts';

const KNOWN = ['requireBoundId', 'acceptClaimed', 'threshold', 'from'];

it.each([
  ['requireBoundID', 'requireBoundId'],
  ['requireboundid', 'requireBoundId'],
  ['acceptClamied', 'acceptClaimed'],
  ['treshold', 'threshold'],
  ['form', 'from'],
  ['policy', undefined],
  ['x', undefined],
  ['', undefined],
])('the name close to %s is %s', (name, meant) => {
  expect(closestName(name, KNOWN)).toBe(meant);
});

it('a name of any length is looked at in no time', () => {
  expect(closestName('a'.repeat(1_000_000), KNOWN)).toBeUndefined();
});

it.each([null, 'text', 5, [], new URL('https://host.example'), () => 1])('%s is no object of options', (value) => {
  expect(() => requireOptions(value, KNOWN, 'options')).toThrow(/expected an object of options/);
});

it('an option that nobody knows is named, with where it stands', () => {
  expect(() => requireOptions({ from: 1, fron: 2 }, KNOWN, 'evidence')).toThrow(
    expect.objectContaining({ code: 'usage/bad-option', path: 'evidence.fron', hint: 'did you mean from?' }) as Error,
  );
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 6, '3', null])('%s is no number from 0 to 5', (value) => {
  expect(() => requireNumber(value, 0, 5, 'n')).toThrow(/expected 0 to 5/);
});
