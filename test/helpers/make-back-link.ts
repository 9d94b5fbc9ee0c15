/** A masterchain block whose state lists older blocks, and the back links that lead from it to them. */
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { CoreCell } from './cells.ts';
import {
  type BackForm,
  type Committee,
  committee,
  configCell,
  GLOBAL_ID,
  headerOf,
  headerProof,
  type ListedBlock,
  type MadeBlock,
  makeBlock,
  makeState,
  makeZerostate,
  proofShowing,
  type ShardForm,
  type StateForm,
  updateOf,
} from './make-chain.ts';

/** All cells of a tree, as often as it holds them. */
export function everyCell(root: CoreCell, into: CoreCell[] = []): CoreCell[] {
  into.push(root);
  for (const ref of root.refs) everyCell(ref, into);
  return into;
}
export const whole = (root: CoreCell) => proofShowing(root, everyCell(root));

/** The set that signs every block here unless another is named. */
export const a: Committee = committee('a');
export const zero = makeZerostate(configCell({ elected: a }));
export const key100 = makeBlock({ seqno: 100, signedBy: a, prevKeyBlockSeqno: 0, config: configCell({ elected: a }) });

/** A block, and what proves its header and the state it leads to. */
export interface AwareBlock {
  readonly block: MadeBlock;
  readonly state: CoreCell;
  readonly proof: Uint8Array;
  readonly stateProof: Uint8Array;
}

/** Block 150, and the state after it that lists everything before. */
export function newerBlock(
  earlier: readonly ListedBlock[],
  over: {
    readonly seqno?: number;
    readonly prevKeyBlockSeqno?: number;
    /** Makes it a key block. */
    readonly config?: CoreCell;
    readonly globalId?: number;
    /** Of the state, where it differs from the block's. */
    readonly stateGlobalId?: number;
    readonly stateOf?: number;
    readonly stateShard?: ShardForm;
    /** What the state says of the zerostate being a key block. */
    readonly zeroIsKey?: boolean;
    /** More of the state. */
    readonly form?: Partial<StateForm>;
  } = {},
): AwareBlock {
  const seqno = over.seqno ?? 150;
  const globalId = over.globalId ?? GLOBAL_ID;
  const state = makeState({
    seqno: over.stateOf ?? seqno,
    config: configCell({ elected: a }),
    earlier: [{ id: zero.id, keyBlock: over.zeroIsKey ?? true }, ...earlier],
    globalId: over.stateGlobalId ?? globalId,
    ...(over.stateShard === undefined ? {} : { shard: over.stateShard }),
    ...over.form,
  });
  const block = makeBlock({
    seqno,
    signedBy: a,
    prevKeyBlockSeqno: over.prevKeyBlockSeqno ?? 100,
    state,
    globalId,
    ...(over.config === undefined ? {} : { config: over.config }),
  });
  const proof = proofShowing(block.root, [...headerOf(block), ...everyCell(updateOf(block))]);
  return { block, state, proof, stateProof: whole(state) };
}

/** The link from a block to one that its state lists. */
export function backLink(from: AwareBlock, to: MadeBlock, over: Partial<BackForm> = {}): BackForm {
  return {
    from: from.block.id,
    to: to.id,
    toKeyBlock: to.form.config !== undefined,
    destProof: headerProof(to),
    proof: from.proof,
    stateProof: from.stateProof,
    ...over,
  };
}

export const listed = (...blocks: readonly MadeBlock[]): ListedBlock[] =>
  blocks.map(({ id, form }) => ({ id, keyBlock: form.config !== undefined }));

/** The link from a block to the zerostate, which has no header to prove. */
export function backToZerostate(from: AwareBlock, toKeyBlock: boolean, to: BlockIdExt = zero.id): BackForm {
  const { block, proof, stateProof } = from;
  return { from: block.id, to, toKeyBlock, destProof: new Uint8Array(0), proof, stateProof };
}
