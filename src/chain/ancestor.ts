/** An older block, proven by a newer one: the state of the newer lists it. One back link, and no signatures of its own. */
import type { BlockIdExt } from '../decode/block-id.ts';
import { type ProvenHeader, provenHeader } from './block-header.ts';
import { parsePartialBlockProof } from './block-proof.ts';
import { checkBackLink } from './link.ts';
import { requireSameBlock, trustError } from './shared-checks.ts';

/**
 * Proves that an older block lies behind a trusted one.
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
  return provenHeader(link.destProof, ancestor);
}
