/**
 * What the words of other servers about a proven block come to, over HTTP and lite servers alike: those of one server (rule R3 of live
 * verification), and those of all of them (rule R4). A contradiction without proof is a claim, so what decides is who agrees; old keys
 * prove less, so there more has to agree. Pure.
 */
import type { SourceErrorCode } from '../../core/base/errors.ts';
import { STALE_START_WITNESSES } from '../../core/base/limits.ts';
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

/** How many other servers said what of the block. */
export interface Said {
  /** Named the same block. */
  readonly agreed: number;
  /** Named another block, with no proof either way. */
  readonly contradicts: number;
  /** Proved another block, by a set that is past its stakes. */
  readonly forked: number;
  /** Contradict by good signatures, where no one has a proof which block the number is of. Default 0. */
  readonly rivals?: number;
}

/** What the caller asks of other servers. */
export interface Terms {
  /** The set that the way begins with is past its stakes. */
  readonly startIsStale: boolean;
  /** The caller takes such a start by name. */
  readonly acceptStaleStart: boolean;
  /** How many other servers have to agree. */
  readonly witnesses: number;
}

export type Agreement = 'enough' | 'contradicted' | 'stale-set' | 'too-few-witnesses';

/** Whether what other servers said is enough. Two proven histories by old keys cannot be told apart, so no caller can accept both. */
export function agreementOf({ agreed, contradicts, forked, rivals = 0 }: Said, terms: Terms): Agreement {
  const { startIsStale, acceptStaleStart, witnesses } = terms;
  if (rivals > 0) return 'contradicted';
  if (startIsStale) {
    if (forked > 0 || (!acceptStaleStart && contradicts > 0)) return 'contradicted';
    if (!acceptStaleStart && agreed < STALE_START_WITNESSES) return 'stale-set';
  }
  return agreed < witnesses ? 'too-few-witnesses' : 'enough';
}
