/** Dictionaries with keys of many bytes, as `@ton/core` writes them. */
import { Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { lookupBytes } from '../../../src/core/cells/dictionary.ts';
import { type WalkOrder, walkEntries } from '../../../src/core/cells/long-keys.ts';
import { openMerkleProof } from '../../../src/core/cells/merkle-proof.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { beginCell, bocOf, type CoreCell, merkleProof, prune, seededRandom } from '../../helpers/cells.ts';

type Key = { readonly bytes: Buffer; readonly text: string };

/** Keys that often begin alike, for labels of every length. */
function keysOf(random: () => number, size: number, count: number): readonly Key[] {
  const keys = new Map<string, Buffer>();
  const stem = Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  while (keys.size < count) {
    const bytes = Buffer.from(stem);
    for (let at = Math.floor(random() * size); at < size; at++) {
      bytes[at] = [0, 0xff, Math.floor(random() * 256)][Math.floor(random() * 3)]!;
    }
    keys.set(bytes.toString('hex'), bytes);
  }
  return [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([text, bytes]) => ({ bytes, text }));
}

function dictionaryOf(keys: readonly Key[], size: number): CoreCell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(size), Dictionary.Values.Uint(32));
  keys.forEach(({ bytes }, at) => {
    dictionary.set(bytes, at);
  });
  return beginCell().storeDictDirect(dictionary).endCell();
}

function walk(root: Slice, size: number, order: WalkOrder, most = Number.POSITIVE_INFINITY) {
  const seen: [string, number][] = [];
  const end = walkEntries(root, size, order, (key, entry) => {
    seen.push([encodeHex(key), entry.uint(32)]);
    entry.end();
    return seen.length < most;
  });
  return { seen, end };
}

const random = seededRandom(64);
const samples = [8, 32].flatMap((size) =>
  [1, 2, 3, 40].map((count) => ({ size, count, keys: keysOf(random, size, count) })),
);

describe.each(samples)('a dictionary of $count keys of $size bytes', ({ size, keys }) => {
  const cell = parseSingleRoot(bocOf(dictionaryOf(keys, size)));
  const root = () => new Slice(cell, 'dict');
  const all = keys.map(({ text }, at): [string, number] => [text, at]);

  it('has each of its keys, and none that differs from one in a bit', () => {
    const known = new Set(keys.map(({ text }) => text));
    keys.forEach(({ bytes }, at) => {
      expect(lookupBytes(root(), bytes)?.uint(32)).toBe(at);
      for (let bit = 0; bit < 8 * size; bit += 7) {
        const other = Buffer.from(bytes);
        other[bit >> 3]! ^= 0x80 >> (bit & 7);
        if (!known.has(other.toString('hex'))) expect(lookupBytes(root(), other)).toBeUndefined();
      }
    });
  });

  it('is walked in order, from either end, from any key on, and only as far as is wanted', () => {
    const maxEntries = keys.length;
    expect(walk(root(), size, { maxEntries })).toEqual({ seen: all, end: true });
    expect(walk(root(), size, { maxEntries, reverse: true })).toEqual({ seen: [...all].reverse(), end: true });
    for (const [at, { bytes: from }] of keys.entries()) {
      expect(walk(root(), size, { maxEntries, from }).seen).toEqual(all.slice(at));
      const back = walk(root(), size, { maxEntries, from, reverse: true });
      expect(back.seen).toEqual(all.slice(0, at + 1).reverse());
    }
    expect(walk(root(), size, { maxEntries }, 1)).toEqual({ seen: all.slice(0, 1), end: false });
  });

  it('is walked no further than is allowed', () => {
    expect(() => walk(root(), size, { maxEntries: keys.length - 1 })).toThrow(/at most/);
  });
});

describe('a branch that is pruned', () => {
  const keys = keysOf(random, 32, 40);
  const cell = dictionaryOf(keys, 32);
  // All of the right half.
  const [, right] = cell.refs;
  const proof = merkleProof(prune(cell, (child) => child === right));
  const root = () => new Slice(openMerkleProof(parseSingleRoot(bocOf(proof)), 'proof'), 'dict');
  const pruned = expect.objectContaining({ code: 'trust/pruned' });
  /** The first key below what was cut off. */
  const split = keys.findIndex(({ bytes }) => {
    try {
      lookupBytes(root(), bytes);
      return false;
    } catch {
      return true;
    }
  });

  it('is no absence of its keys, whether one is looked up or all are walked', () => {
    expect(split).toBeGreaterThan(0);
    expect(() => lookupBytes(root(), keys[split]!.bytes)).toThrow(pruned);
    expect(() => walk(root(), 32, { maxEntries: 40 })).toThrow(pruned);
    expect(() => walk(root(), 32, { maxEntries: 40, reverse: true })).toThrow(pruned);
  });

  it('is not opened by a walk that begins behind it, or ends before it', () => {
    const from = keys[split - 1]!.bytes;
    const back = walk(root(), 32, { maxEntries: 40, reverse: true, from });
    expect(back).toMatchObject({ end: true, seen: { length: split } });
    expect(walk(root(), 32, { maxEntries: 40 }, split)).toMatchObject({ end: false, seen: { length: split } });
  });
});
