/** What one server's words about a block come to, over HTTP and lite servers alike: rule R3 of live verification. Pure. */
import type { SourceErrorCode } from '../../core/base/errors.ts';
import { OUTCOMES } from './outcome.ts';

/**
 * agreed: it names the same block. behind: it does not have a block of this number yet. silent: it did not answer. contradicts:
 * it names another block, with no proof either way. refuted: its proof of that came and is false. forked: its proof of that holds.
 */
export type Opinion = 'agreed' | 'behind' | 'silent' | 'contradicts' | 'refuted' | 'forked';

/** What a server says that failed. Nothing of that is a lie. */
export function opinionOfFailure(code: SourceErrorCode): 'behind' | 'silent' {
  return OUTCOMES[code] === 'not-yet' ? 'behind' : 'silent';
}

/** The signatures under another block of the same number, held against the set of ours. */
export interface OtherSignatures {
  /** Enough of the set signed, and nothing in the list is wrong. */
  readonly areEnough: boolean;
  /** They vouch for the number, and not for hashes alone. */
  readonly bindNumber: boolean;
  /** A member of the set is named with a signature that it did not make, and no stranger is. */
  readonly areForged: boolean;
}

/** @param isBound whether the number of our own block is proven */
export function opinionOfSignatures(other: OtherSignatures, isBound: boolean): 'contradicts' | 'refuted' | 'forked' {
  if (other.areForged) return 'refuted';
  // Good signatures of a block of another number look the same where they cover hashes alone.
  return other.areEnough && other.bindNumber && isBound ? 'forked' : 'contradicts';
}
