import { Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../../src/core/base/errors.ts';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { forEachEntry, lookup } from '../../../src/core/cells/dictionary.ts';
import { openMerkleProof } from '../../../src/core/cells/merkle-proof.ts';
import { Slice } from '../../../src/core/cells/slice.ts';
import { beginCell, bocOf, type CoreCell, merkleProof, prune, seededRandom } from '../../helpers/cells.ts';

const slice = (cell: CoreCell) => new Slice(parseSingleRoot(bocOf(cell)), 'dict');

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof FinalityError)) throw error;
    return error.code;
  }
}

function dictionaryOf(bits: 8 | 16 | 32, entries: ReadonlyMap<number, number>): CoreCell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(bits), Dictionary.Values.Uint(32));
  for (const [key, value] of entries) dictionary.set(key, value);
  return beginCell().storeDictDirect(dictionary).endCell();
}

/** A label in one of the three spellings. */
function label(form: 'short' | 'long' | 'same', length: number, keyBits: number, bits: string) {
  const builder = beginCell();
  const store = (text: string) => {
    for (const bit of text) builder.storeBit(bit === '1');
  };
  const counted = length.toString(2).padStart(keyBits === 0 ? 0 : keyBits.toString(2).length, '0');
  const lengthBits = keyBits === 0 ? '' : counted;
  if (form === 'short') store(`0${'1'.repeat(length)}0${bits}`);
  else if (form === 'long') store(`10${lengthBits}${bits}`);
  else store(`11${bits[0] ?? '0'}${lengthBits}`);
  return builder;
}

describe('a dictionary', () => {
  it('gives every entry that @ton/core wrote, in order, and no others, for keys of 8, 16 and 32 bits', () => {
    const random = seededRandom(34);
    for (const bits of [8, 16, 32] as const) {
      for (let round = 0; round < 20; round++) {
        const entries = new Map<number, number>();
        const count = 1 + Math.floor(random() * 60);
        for (let k = 0; k < count; k++) entries.set(Math.floor(random() * 2 ** bits), Math.floor(random() * 2 ** 32));
        const root = parseSingleRoot(bocOf(dictionaryOf(bits, entries)));
        const found = (key: number) => lookup(new Slice(root, 'dict'), bits, key)?.uint(32);
        const seen: [number, number][] = [];
        forEachEntry(new Slice(root, 'dict'), bits, count, (key, value) => {
          seen.push([key, value.uint(32)]);
          value.end();
        });
        expect(seen).toEqual([...entries].sort(([a], [b]) => a - b));
        for (const [key, value] of entries) expect(found(key)).toBe(value);
        for (let k = 0; k < 20; k++) {
          const key = Math.floor(random() * 2 ** bits);
          expect(found(key)).toBe(entries.get(key));
        }
      }
    }
  });

  it('reads a key of 32 bits with its top bit set, given signed or unsigned', () => {
    const cell = dictionaryOf(
      32,
      new Map([
        [0xffffffff, 7],
        [0, 8],
        [0x80000000, 9],
      ]),
    );
    expect(lookup(slice(cell), 32, -1)?.uint(32)).toBe(7);
    expect(lookup(slice(cell), 32, 0xffffffff)?.uint(32)).toBe(7);
    expect(lookup(slice(cell), 32, 0x80000000)?.uint(32)).toBe(9);
    expect(lookup(slice(cell), 32, 1)).toBeUndefined();
  });

  it('reads all three spellings of a label and gives the same key for each', () => {
    for (const form of ['short', 'long', 'same'] as const) {
      const cell = label(form, 8, 8, '11111111').storeUint(5, 32).endCell();
      const seen: number[] = [];
      forEachEntry(slice(cell), 8, 1, (key) => seen.push(key));
      expect(seen, form).toEqual([255]);
      expect(lookup(slice(cell), 8, 255)?.uint(32)).toBe(5);
      expect(lookup(slice(cell), 8, 254)).toBeUndefined();
    }
  });

  it('refuses a label longer than the key, so that no key can come twice', () => {
    expect(codeOf(() => lookup(slice(label('short', 9, 8, '111111111').endCell()), 8, 255))).toBe('decode/boc');
    expect(codeOf(() => lookup(slice(label('long', 15, 8, '1'.repeat(15)).endCell()), 8, 255))).toBe('decode/boc');
    expect(codeOf(() => lookup(slice(label('same', 15, 8, '1').endCell()), 8, 255))).toBe('decode/boc');
    expect(codeOf(() => lookup(slice(beginCell().storeUint(1, 1).endCell()), 8, 255))).toBe('decode/boc');
  });

  it('refuses bits or references that a fork should not have', () => {
    const leaf = (bits: string) => label('short', bits.length, bits.length, bits).storeUint(1, 32).endCell();
    const fork = (extra: (cell: ReturnType<typeof beginCell>) => unknown) => {
      const cell = label('short', 0, 8, '').storeRef(leaf('0000000')).storeRef(leaf('1111111'));
      extra(cell);
      return cell.endCell();
    };
    expect(lookup(slice(fork(() => {})), 8, 0)?.uint(32)).toBe(1);
    for (const cell of [fork((builder) => builder.storeBit(0)), fork((builder) => builder.storeRef(leaf('1')))]) {
      expect(codeOf(() => lookup(slice(cell), 8, 0))).toBe('decode/boc');
      expect(codeOf(() => forEachEntry(slice(cell), 8, 9, (_, value) => value.skip(32)))).toBe('decode/boc');
    }
    const lame = label('short', 0, 8, '').storeRef(leaf('0000000')).endCell();
    expect(codeOf(() => lookup(slice(lame), 8, 0))).toBe('decode/boc');
  });

  it('stops at the cap: 17 shared cells that stand for 65536 entries are not all visited', () => {
    let node = label('short', 0, 0, '').storeUint(1, 32).endCell();
    for (let level = 0; level < 16; level++)
      node = label('short', 0, level + 1, '')
        .storeRef(node)
        .storeRef(node)
        .endCell();
    let visited = 0;
    expect(codeOf(() => forEachEntry(slice(node), 16, 1000, () => visited++))).toBe('decode/boc');
    expect(visited).toBe(1000);
  });

  it('throws on a pruned branch in the path of a key; @ton/core says the key is absent', () => {
    const full = dictionaryOf(
      8,
      new Map([
        [0x01, 1],
        [0x81, 2],
        [0xc1, 3],
      ]),
    );
    const cutRight = prune(full, (cell) => cell.hash().equals(full.refs[1]!.hash()));
    const proof = openMerkleProof(parseSingleRoot(bocOf(merkleProof(cutRight))), 'proof');
    expect(lookup(new Slice(proof, 'dict'), 8, 0x01)?.uint(32)).toBe(1);
    expect(codeOf(() => lookup(new Slice(proof, 'dict'), 8, 0x81))).toBe('trust/pruned');
    expect(codeOf(() => forEachEntry(new Slice(proof, 'dict'), 8, 9, () => {}))).toBe('trust/pruned');
    // The oracle errs here: it hides what the proof leaves out.
    const loaded = Dictionary.loadDirect(Dictionary.Keys.Uint(8), Dictionary.Values.Uint(32), cutRight.beginParse());
    expect(loaded.get(0x81)).toBeUndefined();
    expect(loaded.size).toBe(1);
  });

  it('reads the extra of every node of an augmented dictionary on the way', () => {
    const leaf = (extra: number, value: number) =>
      label('short', 7, 7, '0000000').storeUint(extra, 65).storeUint(value, 32).endCell();
    const root = label('short', 0, 8, '').storeRef(leaf(1, 10)).storeRef(leaf(2, 20)).storeUint(2, 65).endCell();
    const skip = (node: Slice) => node.skip(65);
    expect(lookup(slice(root), 8, 0x80, skip)?.uint(32)).toBe(20);
    expect(codeOf(() => lookup(slice(root), 8, 0x80))).toBe('decode/boc');
    expect(codeOf(() => lookup(slice(root), 8, 0x80, (node) => node.skip(64)))).toBe('decode/boc');
  });

  it('tells an empty HashmapE from one with a root', () => {
    const root = dictionaryOf(8, new Map([[1, 1]]));
    const full = slice(beginCell().storeBit(1).storeRef(root).endCell());
    expect(lookup(full.maybeSlice('root')!, 8, 1)?.uint(32)).toBe(1);
    expect(slice(beginCell().storeBit(0).endCell()).maybeSlice('root')).toBeUndefined();
    expect(codeOf(() => slice(beginCell().storeBit(1).endCell()).maybeSlice('root'))).toBe('decode/boc');
  });
});
