/** Lists the key blocks to which the links of an answer lead, each with its time. */
import type { BlockIdExt } from '../block/block-id.ts';
import { verifyHeader } from './block-header.ts';
import { readPartialBlockProof } from './block-proof.ts';

/** A key block on the way, or the zerostate. */
export interface KeyBlock {
  readonly block: BlockIdExt;
  /** Unix seconds. */
  readonly genUtime: number;
}

/**
 * The key blocks to which the forward links of an answer lead, in order. @param tl an answer that was already verified
 */
export function keyBlocksOf(tl: Uint8Array): readonly KeyBlock[] {
  return readPartialBlockProof(tl).proof.links.flatMap((link) =>
    link.kind === 'forward' && link.toKeyBlock
      ? [Object.freeze({ block: link.to, genUtime: verifyHeader(link.destProof, link.to).genUtime })]
      : [],
  );
}
