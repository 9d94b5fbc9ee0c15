/**
 * Proves older blocks from newer ones, without signatures: the state of the newer block lists all earlier ones, and its
 * header names the previous one.
 */
import type { BlockIdExt } from '../block/block-id.ts';
import { headerFacts, openBlock, type ProvenHeader, readProvenBlock, verifyHeader } from './block-header.ts';
import { parsePartialBlockProof } from './block-proof.ts';
import { checkBackLink } from './link.ts';
import { readPreviousBlocks } from './previous-blocks.ts';
import { requireSameBlock, trustError } from './shared-checks.ts';

/**
 * Proves that an older block is an ancestor of a trusted one.
 * @param head a masterchain block that is final
 * @param tl the answer of liteServer.getBlockProof from `head` to the older block
 * @param ancestor the older block; not the zerostate, which has no header
 * @returns its header
 * @throws TrustError naming the rule that is broken; DecodeError
 */
export function proveAncestor(head: BlockIdExt, tl: Uint8Array, ancestor: BlockIdExt): ProvenHeader {
  const proof = parsePartialBlockProof(tl);
  requireSameBlock(proof.from, head, 'the proof does not start at the trusted block', 'proof.from');
  requireSameBlock(proof.to, ancestor, 'the proof ends elsewhere', 'proof.to', 'trust/incomplete');
  const [link, ...surplus] = proof.links;
  if (link?.kind !== 'back' || surplus.length > 0) {
    throw trustError('trust/not-connected', 'expected one link, back to the older block', 'proof.links');
  }
  requireSameBlock(link.from, head, 'the link starts elsewhere', 'proof.links[0].from');
  requireSameBlock(link.to, ancestor, 'the link ends elsewhere', 'proof.links[0].to');
  checkBackLink(link, 'proof.links[0]');
  return verifyHeader(link.destProof, ancestor);
}

/**
 * Reads the header of a masterchain block and the id of the previous block, which is final if this block is.
 * @param boc a Merkle proof that shows the header and the reference to the previous block
 * @throws TrustError, DecodeError
 */
export function readParent(boc: Uint8Array, id: BlockIdExt) {
  const { header } = readProvenBlock(openBlock(boc, 'block').root, id, 'block');
  const [parent, ...surplus] = readPreviousBlocks(header, 'block.info');
  if (parent === undefined || surplus.length > 0) {
    throw trustError('trust/header', 'a masterchain block after a merge', 'block.info');
  }
  return { header: headerFacts(header, id), parent };
}
