import { expect, it } from 'vitest';
import { parseSingleRoot } from '../../../src/core/cells/boc.ts';
import { buildDictionary, hasShortestLabels } from '../../../src/core/cells/write-dictionary.ts';
import { beginCell, bocOf, type CoreCell, seededRandom } from '../../helpers/cells.ts';

const bits = (value: number, count: number) => (count === 0 ? '' : value.toString(2).padStart(count, '0'));

/** Every spelling of a label that a reader takes. */
function spellings(label: string, keyBits: number): string[] {
  const size = 32 - Math.clz32(keyBits);
  const length = bits(label.length, size);
  const all = [`0${'1'.repeat(label.length)}0${label}`, `10${length}${label}`];
  if (!label.includes('0')) all.push(`111${length}`);
  if (!label.includes('1')) all.push(`110${length}`);
  return all;
}

/** A dictionary whose labels are spelled by choice. Values are eight bits. */
function spelled(keys: readonly string[], pick: (all: readonly string[]) => string): CoreCell {
  const [first, last] = [keys[0]!, keys.at(-1)!];
  let common = 0;
  while (common < first.length && first[common] === last[common]) common++;
  const builder = beginCell();
  for (const bit of pick(spellings(first.slice(0, common), first.length))) builder.storeBit(bit === '1');
  if (common === first.length) return builder.storeUint(7, 8).endCell();
  for (const side of ['0', '1']) {
    const rest = keys.filter((key) => key[common] === side).map((key) => key.slice(common + 1));
    builder.storeRef(spelled(rest, pick));
  }
  return builder.endCell();
}

it('a dictionary has its shortest labels exactly when it is the one that is written', () => {
  const random = seededRandom(5);
  const seen = { yes: 0, no: 0 };
  for (let k = 0; k < 1500; k++) {
    const keyBits = 1 + Math.floor(random() * 20);
    const range = 2 ** Math.min(keyBits, 1 + Math.floor(random() * 20));
    const numbers = [
      ...new Set(Array.from({ length: 1 + Math.floor(random() * 6) }, () => Math.floor(random() * range))),
    ];
    numbers.sort((a, b) => a - b);
    const ours = buildDictionary(
      numbers.map((key) => [key, (builder) => builder.uint(7, 8)] as const),
      keyBits,
    );
    const hash = Buffer.from(ours.hash()).toString('hex');
    for (const isLoose of [true, false]) {
      const pick = (all: readonly string[]) =>
        isLoose ? all[Math.floor(random() * all.length)]! : all.reduce((a, b) => (b.length < a.length ? b : a));
      const cell = spelled(
        numbers.map((key) => bits(key, keyBits)),
        pick,
      );
      const isSame = cell.hash().toString('hex') === hash;
      seen[isSame ? 'yes' : 'no']++;
      expect(hasShortestLabels(parseSingleRoot(bocOf(cell)), keyBits)).toBe(isSame);
    }
  }
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(500);
});
