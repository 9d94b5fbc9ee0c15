/**
 * Cuts many proofs out of few blocks at once: what they share is written and hashed once. What one proof has to show is what its own
 * reading opened; the maker of certificates cuts each by itself, which for hundreds of proofs of a large block takes minutes.
 */
import { parseBoc } from '../../src/core/cells/boc.ts';
import { type Cell, refIndex, tableOf } from '../../src/core/cells/cell.ts';
import { bigEndianBytes, bytesFor } from '../../src/core/cells/write-boc.ts';

/** A cell of the bag that holds them all. */
interface Written {
  readonly descriptor: number;
  readonly bits: number;
  readonly data: Uint8Array;
  readonly refs: readonly Written[];
  /** Something below it is cut off. */
  readonly isCut: boolean;
  place: number;
}

const written = (
  descriptor: number,
  bits: number,
  data: Uint8Array,
  refs: readonly Written[],
  isCut: boolean,
): Written => ({
  descriptor,
  bits,
  data,
  refs,
  isCut,
  place: 0,
});

/** A Merkle proof of each reading of blocks: a cell whose table knows what was opened through it. */
export function cutProofs(readings: readonly Cell[]): Map<Cell, Cell> {
  const groups = new Map<Uint8Array, Cell[]>();
  for (const cell of readings) {
    const { bytes } = tableOf(cell);
    groups.set(bytes, [...(groups.get(bytes) ?? []), cell]);
  }
  return new Map([...groups.values()].flatMap(cutBlock));
}

function cutBlock(readings: readonly Cell[]): readonly (readonly [Cell, Cell])[] {
  const order: Written[] = []; // what is below a cell comes before it
  const made = new Map<string, Written>();
  const make = (name: string, create: () => Written): Written => {
    let one = made.get(name);
    if (one === undefined) {
      one = create();
      one.place = order.push(one) - 1;
      made.set(name, one);
    }
    return one;
  };
  const proofs = readings.map((cell) => {
    const root = cell.kind === 'merkle-proof' ? cell.ref(0) : cell;
    const table = tableOf(root);
    const { kind, opened } = table;
    const childrenOf = (index: number) =>
      Array.from({ length: table.descriptor[index]! & 7 }, (_, k) => refIndex(table, index, k));
    const isWhole = new Uint8Array(kind.length); // references lead to later cells
    for (let index = kind.length - 1; index >= root.index; index--) {
      if (opened[index] === 1 && childrenOf(index).every((child) => isWhole[child] === 1)) isWhole[index] = 1;
    }
    const hashed = (head: readonly number[], index: number) => {
      const at = root.at(index);
      return Uint8Array.from([...head, ...at.hash(0), ...bigEndianBytes(at.depth(0), 2)]);
    };
    const shown = (index: number, refs: readonly Written[]) => {
      if (kind[index] !== 0) throw new Error('only what is ordinary is shown');
      const bits = table.bitLength[index]!;
      const data = table.bytes.subarray(table.dataAt[index]!, table.dataAt[index]! + ((bits + 7) >> 3));
      const isCut = refs.some((ref) => ref.isCut);
      return written(refs.length | (isCut ? 0x20 : 0), bits, data, refs, isCut);
    };
    const cut = (index: number): Written => {
      if (opened[index] !== 1) {
        return make(`pruned ${index}`, () => written(0x28, 8 * 36, hashed([1, 1], index), [], true));
      }
      const known = isWhole[index] === 1 ? made.get(`whole ${index}`) : undefined;
      if (known !== undefined) return known;
      const refs = childrenOf(index).map(cut);
      const name = isWhole[index] === 1 ? `whole ${index}` : `${index} ${refs.map(({ place }) => place)}`;
      return make(name, () => shown(index, refs));
    };
    const below = cut(root.index);
    return make(`proof ${below.place}`, () => written(0x09, 8 * 35, hashed([3], root.index), [below], false));
  });
  const count = order.length;
  const refSize = bytesFor(count);
  const placeOf = ({ place }: Written) => [...bigEndianBytes(count - 1 - place, refSize)];
  const parts = order
    .reverse()
    .map(({ descriptor, bits, data, refs }) => [
      descriptor,
      (bits >> 3) + data.length,
      ...data,
      ...refs.flatMap(placeOf),
    ]);
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const head = [0xb5, 0xee, 0x9c, 0x72, refSize, 4, ...bigEndianBytes(count, refSize)];
  const roots = [...new Set(proofs)];
  head.push(...bigEndianBytes(roots.length, refSize), ...bigEndianBytes(0, refSize), ...bigEndianBytes(size, 4));
  for (const root of roots) head.push(...placeOf(root));
  const bytes = new Uint8Array(head.length + size);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const cells = parseBoc(bytes, 'proofs', roots.length);
  return readings.map((cell, k) => [cell, cells[roots.indexOf(proofs[k]!)]!] as const);
}
