/** Proofs cut and put together with @ton/core, and blocks changed on purpose: the other side of the verifier. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import { assumeFinal, type ProvenBlock } from '../../src/core/facts/proven-block.ts';
import { beginCell, bocOf, CoreCell, merkleProof, prune, rawCells, writeBoc } from './cells.ts';
import { sha256 } from './make-chain.ts';

export const coreCell = (boc: Uint8Array): CoreCell => CoreCell.fromBoc(Buffer.from(boc))[0]!;
export const coreRoots = (boc: Uint8Array): CoreCell[] => CoreCell.fromBoc(Buffer.from(boc));

/** A bag with these roots, in this order. */
export function bagOf(...roots: readonly CoreCell[]): Uint8Array {
  // In the order of `rawCells`, which tells no hashes.
  const order: string[] = [];
  const done = new Set<string>();
  const visit = (cell: CoreCell): void => {
    const key = cell.hash().toString('hex');
    if (done.has(key)) return;
    done.add(key);
    for (const ref of cell.refs) visit(ref);
    order.unshift(key);
  };
  for (const root of [...roots].reverse()) visit(root);
  const places = roots.map((root) => order.indexOf(root.hash().toString('hex')));
  return writeBoc(rawCells(roots), { roots: places, refSize: 2, offsetSize: 3 });
}

/** The tree with one cell replaced, found by the references that lead to it. */
export function replaceAt(root: CoreCell, path: readonly number[], change: (cell: CoreCell) => CoreCell): CoreCell {
  const [first, ...rest] = path;
  if (first === undefined) return change(root);
  const refs = root.refs.map((ref, k) => (k === first ? replaceAt(ref, rest, change) : ref));
  return new CoreCell({ bits: root.bits, refs, exotic: root.isExotic });
}

export const cellAt = (root: CoreCell, path: readonly number[]): CoreCell =>
  path.reduce((cell, k) => cell.refs[k]!, root);

/** A cell with some of its bits written over. */
export function writeBits(cell: CoreCell, at: number, bits: string): CoreCell {
  const builder = beginCell();
  for (let k = 0; k < cell.bits.length; k++)
    builder.storeBit(bits[k - at] === undefined ? cell.bits.at(k) : bits[k - at] === '1');
  for (const ref of cell.refs) builder.storeRef(ref);
  return builder.endCell();
}

/** A block that is what it is: its id follows from its cells. */
export function blockFrom(
  root: CoreCell,
  id: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>,
): { readonly boc: Uint8Array; readonly block: ProvenBlock; readonly id: BlockIdExt } {
  const boc = bocOf(root);
  const full = {
    workchain: id.workchain,
    shard: id.shard,
    seqno: id.seqno,
    rootHash: Uint8Array.from(root.hash()),
    fileHash: sha256(boc),
  };
  return { boc, block: assumeFinal(full), id: full };
}

/** The Merkle proof with one cell of the tree cut out, found by its hash at level 0. */
export function cutOut(proof: CoreCell, hash: string): CoreCell {
  return merkleProof(prune(proof.refs[0]!, (cell) => !cell.isExotic && cell.hash(0).toString('hex') === hash));
}
