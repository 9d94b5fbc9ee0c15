/**
 * Builds cells and bags of cells for tests with @ton/core, whose writer is independent of our reader, and writes every
 * header form by hand, broken ones included.
 */
import './oracle-hashes.ts';
import { beginCell, Cell as CoreCell } from '@ton/core';
import { crc32c } from '../../src/core/base/crc32c.ts';

export { beginCell, CoreCell };

/** One cell as it will stand in the file. */
export interface RawCell {
  d1: number;
  d2: number;
  /** Hashes and depths beside the cell. */
  stored: Uint8Array;
  data: Uint8Array;
  refs: number[];
}

function paddedData(cell: CoreCell): Uint8Array {
  const bits = cell.bits.length;
  const data = new Uint8Array(Math.ceil(bits / 8));
  for (let bit = 0; bit < bits; bit++) if (cell.bits.at(bit)) data[bit >> 3]! |= 0x80 >> (bit & 7);
  if (bits % 8 !== 0) data[bits >> 3]! |= 0x80 >> (bits & 7);
  return data;
}

/** Parents before children, each different cell once. @param storeHashes put hashes and depths beside every cell */
export function rawCells(roots: readonly CoreCell[], storeHashes = false): RawCell[] {
  const order: CoreCell[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (cell: CoreCell): void => {
    const key = cell.hash().toString('hex');
    if (state.has(key)) return;
    state.set(key, 'open');
    for (const ref of cell.refs) visit(ref);
    state.set(key, 'done');
    order.unshift(cell);
  };
  for (const root of [...roots].reverse()) visit(root);
  const position = new Map(order.map((cell, index) => [cell.hash().toString('hex'), index]));
  return order.map((cell) => {
    const mask = cell.mask.value;
    const levels = [0, 1, 2, 3].filter((level) => level === 0 || ((mask >> (level - 1)) & 1) === 1);
    const hashes = levels.map((level) => cell.hash(level));
    const depths = levels.map((level) => Buffer.from([cell.depth(level) >> 8, cell.depth(level) & 0xff]));
    return {
      d1: cell.refs.length + (cell.isExotic ? 8 : 0) + (storeHashes ? 16 : 0) + 32 * mask,
      d2: Math.floor(cell.bits.length / 8) + Math.ceil(cell.bits.length / 8),
      stored: storeHashes ? Uint8Array.from(Buffer.concat([...hashes, ...depths])) : new Uint8Array(0),
      data: paddedData(cell),
      refs: cell.refs.map((ref) => position.get(ref.hash().toString('hex'))!),
    };
  });
}

export interface BocForm {
  magic?: 'generic' | 'indexed' | 'indexed-crc';
  index?: boolean;
  crc?: boolean;
  /** 'counted': as the node asks for them, for cells that are referred to more than once; true: anything, since our reader passes over them. */
  cacheBits?: boolean | 'counted';
  refSize?: number;
  offsetSize?: number;
  roots?: readonly number[];
}

function bigEndian(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, k) => Math.floor(value / 256 ** (size - 1 - k)) % 256);
}

/** Lays out a bag in the given form; says what it is told, also when that is nonsense. */
export function writeBoc(cells: readonly RawCell[], form: BocForm = {}): Uint8Array {
  const { magic = 'generic', refSize = 1, offsetSize = 2, cacheBits = false, roots = [0] } = form;
  const index = magic === 'generic' ? (form.index ?? false) : true;
  const crc = magic === 'generic' ? (form.crc ?? false) : magic === 'indexed-crc';
  const data: number[] = [];
  const ends: number[] = [];
  const referrers = [...roots, ...cells.flatMap(({ refs }) => refs)];
  const cacheBit = (index: number) =>
    cacheBits === 'counted' ? Number(referrers.filter((ref) => ref === index).length > 1) : index & 1;
  for (const cell of cells) {
    data.push(cell.d1, cell.d2, ...cell.stored, ...cell.data, ...cell.refs.flatMap((ref) => bigEndian(ref, refSize)));
    ends.push(cacheBits ? 2 * data.length + cacheBit(ends.length) : data.length);
  }
  const magics = { generic: 0xb5ee9c72, indexed: 0x68ff65f3, 'indexed-crc': 0xacc3a728 };
  const flags =
    magic === 'generic' ? (index ? 0x80 : 0) + (crc ? 0x40 : 0) + (cacheBits ? 0x20 : 0) + refSize : refSize;
  const bytes = [
    ...bigEndian(magics[magic], 4),
    flags,
    offsetSize,
    ...bigEndian(cells.length, refSize),
    ...bigEndian(roots.length, refSize),
    ...bigEndian(0, refSize),
    ...bigEndian(data.length, offsetSize),
    ...(magic === 'generic' ? roots.flatMap((root) => bigEndian(root, refSize)) : []),
    ...(index ? ends.flatMap((end) => bigEndian(end, offsetSize)) : []),
    ...data,
  ];
  if (crc) bytes.push(...bigEndian(crc32c(Uint8Array.from(bytes)), 4).reverse());
  return Uint8Array.from(bytes);
}

/** A bag of one tree in the plainest form. */
export function bocOf(cell: CoreCell): Uint8Array {
  return Uint8Array.from(cell.toBoc({ idx: false, crc32: true }));
}

/** A pruned branch that stands for a cell, one Merkle level up. */
export function prunedBranch(cell: CoreCell): CoreCell {
  return beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16)
    .endCell({ exotic: true });
}

/** The same below a state update, which stores the hashes of both levels even where they are equal. */
export function prunedBelowUpdate(cell: CoreCell): CoreCell {
  const branch = beginCell().storeUint(1, 8).storeUint(3, 8).storeBuffer(cell.hash(0)).storeBuffer(cell.hash(1));
  return branch.storeUint(cell.depth(0), 16).storeUint(cell.depth(1), 16).endCell({ exotic: true });
}

/** A tree in which every cell that `cut` names is replaced by a pruned branch. */
export function prune(cell: CoreCell, cut: (cell: CoreCell) => boolean): CoreCell {
  if (cut(cell)) return prunedBranch(cell);
  const refs = cell.refs.map((ref) => prune(ref, cut));
  if (refs.every((ref, k) => ref === cell.refs[k])) return cell;
  return new CoreCell({ bits: cell.bits, refs, exotic: cell.isExotic });
}

export function merkleProof(virtualRoot: CoreCell): CoreCell {
  return beginCell()
    .storeUint(3, 8)
    .storeBuffer(virtualRoot.hash(0))
    .storeUint(virtualRoot.depth(0), 16)
    .storeRef(virtualRoot)
    .endCell({ exotic: true });
}

export function merkleUpdate(from: CoreCell, to: CoreCell): CoreCell {
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(from.hash(0))
    .storeBuffer(to.hash(0))
    .storeUint(from.depth(0), 16)
    .storeUint(to.depth(0), 16)
    .storeRef(from)
    .storeRef(to)
    .endCell({ exotic: true });
}

/** A small generator of numbers, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // The low bits of this generator repeat early.
    return (state >>> 8) / 2 ** 24;
  };
}
