/**
 * Requires that a block belongs to the epoch of a key block: same network, newer, no hardfork in between. Every
 * function that makes a block final or trusted uses this rule.
 */
import { TrustError } from '../base/errors.ts';
import { originOf, type SetOrigin, type ValidatorSet } from '../validators/validator-set.ts';
import { isProven } from './context.ts';
import type { BlockHeaderFacts, NetworkCheck } from './report.ts';

/** The members of a proven header that are compared. */
export interface ComparedHeader {
  /** int32: the network. */
  readonly globalId: number;
  readonly seqno: number;
  /** Unix seconds. */
  readonly genUtime: number;
  /** Number of hardforks up to this block, itself included. */
  readonly vertSeqno: number;
  /** This block is a hardfork. */
  readonly vertSeqnoIncr: boolean;
  /** The last key block before this block, which is a different block even for a key block. */
  readonly prevKeyBlockSeqno: number;
}

/** Requires a global id to be that of a network, if the network is known, and returns it. @throws TrustError `trust/wrong-network` */
export function requireSameNetwork(got: number, wanted: number | undefined, path: string): number {
  if (wanted === undefined || got === wanted) return got;
  throw new TrustError('trust/wrong-network', `this is of network ${got}, trust is of ${wanted}`, { path });
}

/** Requires a block to be of the network of a key block, made after it, and on the same side of every hardfork. */
function requireAfter(source: SetOrigin, header: ComparedHeader, path: string): void {
  requireSameNetwork(header.globalId, source.globalId, path);
  const { seqno } = source.keyBlock;
  if (header.seqno <= seqno || header.genUtime < source.genUtime) {
    throw new TrustError('trust/backwards', `block ${header.seqno} is not after the trusted block ${seqno}`, {
      path,
      hint: 'this may be the replay of an old proof',
    });
  }
  if (header.vertSeqnoIncr || source.vertSeqno !== header.vertSeqno) {
    throw new TrustError('trust/hardfork', `block ${header.seqno} is a hardfork, or beyond one`, {
      path,
      hint: 'if you follow the fork, pin it with checkpoint init',
    });
  }
}

/**
 * Requires that a block belongs to the epoch of a key block: same network, newer, no hardfork, and naming it as the
 * previous key block. The validators of the previous key block therefore sign a key block, not those that it installs.
 * @throws TrustError `trust/wrong-network`, `trust/backwards`, `trust/hardfork`, `trust/not-next` Source: ton
 * `crypto/block/check-proof.cpp`, BlockProofLink::validate.
 */
export function requireSuccessor(source: SetOrigin, header: ComparedHeader, path: string): void {
  requireAfter(source, header, path);
  if (header.prevKeyBlockSeqno === source.keyBlock.seqno) return;
  throw new TrustError(
    'trust/not-next',
    `block ${header.seqno} follows key block ${header.prevKeyBlockSeqno}, not ${source.keyBlock.seqno}`,
    { path, hint: 'pass the key blocks one by one, in order' },
  );
}

/** The comparison of a header with a set, if the header is proven and the network of the set is known. */
function compared(set: ValidatorSet, header: BlockHeaderFacts | undefined): ComparedHeader | undefined {
  if (set.globalId === undefined || !isProven(header)) return undefined;
  return header as BlockHeaderFacts & ComparedHeader; // every proven header has these members
}

/** Whether a block is known to belong to the network of a set, and for a proven set to its epoch. */
export function networkCheck(set: ValidatorSet, header: BlockHeaderFacts | undefined): NetworkCheck {
  return compared(set, header) === undefined ? 'not-checked' : 'match';
}

/**
 * Throws if a proven header shows that the set cannot decide on the block. A different epoch only makes the set the
 * wrong one. This is a verdict, so the function ignores the epoch.
 * @throws TrustError `trust/wrong-network`, `trust/backwards`, `trust/hardfork`
 */
export function requireNoStranger(set: ValidatorSet, given: BlockHeaderFacts | undefined): void {
  const header = compared(set, given);
  if (header === undefined) return;
  const path = 'context.header';
  const origin = originOf(set);
  requireSameNetwork(header.globalId, set.globalId, path);
  if (origin === undefined) return;
  const { seqno } = origin.keyBlock;
  if (header.seqno > seqno || header.prevKeyBlockSeqno === seqno) requireAfter(origin, header, path);
}
