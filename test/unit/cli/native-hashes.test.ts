import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as native from '../../../src/app/cli/native-hashes.ts';
import { ROOT } from '../../helpers/vectors.ts';

describe.each([
  ['sha256', native.sha256, sha256, 32],
  ['sha512', native.sha512, sha512, 64],
])('%s of the shipped command', (_, own, noble, length) => {
  it('is that of the library for bytes of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(own(bytes)).toEqual(noble(bytes));
      }),
    );
  });

  it('is made of the bytes of a view alone, and is bytes of its own', () => {
    const around = Uint8Array.from({ length: 100 }, (_, at) => at);
    const made = own(around.subarray(30, 66));
    expect(made).toEqual(noble(around.slice(30, 66)));
    expect(Object.getPrototypeOf(made)).toBe(Uint8Array.prototype); // no Buffer, whose slice shares
    expect(made.buffer.byteLength).toBe(length);
  });

  it("is the library's own where it is made in steps", () => {
    expect(own.create).toBe(noble.create);
  });
});

it('The shipped command hashes by the runtime', () => {
  const folder = join(ROOT, 'build/bundle/app/cli');
  const parts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(parts.filter((text) => /import\{hash as [\w$]+\}from"node:crypto"/.test(text))).toHaveLength(1);
});
