/**
 * Judges what other servers say about a proven block, over HTTP and lite servers alike: the answers of one server (rule R3 of
 * live verification), and of all servers (rule R4). A contradiction without proof is a claim, so the number of servers that
 * agree decides. Old keys prove less, so more servers have to agree. Pure.
 */
import type { SourceErrorCode } from '../../core/base/errors.ts';
import { STALE_START_WITNESSES } from '../../core/base/limits.ts';
import { OUTCOMES } from './outcome.ts';

/**
 * The opinion of a server about a proven block:
 * - agreed: the server names the same block;
 * - behind: the server does not have a block of this number yet;
 * - silent: the server did not answer;
 * - contradicts: the server names another block, with no proof either way;
 * - refuted: the server's proof came and is false;
 * - forked: the server's proof is valid.
 */
export type Opinion = 'agreed' | 'behind' | 'silent' | 'contradicts' | 'refuted' | 'forked';

/** The opinion of a server that failed. A failure is not a lie. */
export function opinionOfFailure(code: SourceErrorCode): 'behind' | 'silent' {
  return OUTCOMES[code] === 'not-yet' ? 'behind' : 'silent';
}

/** Signatures of a different block with the same number, verified with the set of our block. */
export interface OtherSignatures {
  /** Enough of the set signed, and nothing in the list is wrong. */
  readonly areEnough: boolean;
  /** The signatures cover the number, and not hashes alone. */
  readonly bindNumber: boolean;
  /** A member of the set is named with a signature that it did not make, and no stranger is. */
  readonly areForged: boolean;
}

/**
 * Judges signatures of a different block with the same number. @param isBound whether the number of our own block is
 * proven
 */
export function opinionOfSignatures(other: OtherSignatures, isBound: boolean): 'contradicts' | 'refuted' | 'forked' {
  if (other.areForged) return 'refuted';
  // Signatures of a block of a different number would look the same if they cover hashes alone.
  return other.areEnough && other.bindNumber && isBound ? 'forked' : 'contradicts';
}

/** How many other servers gave each answer about the block. */
export interface Said {
  /** Servers that named the same block. */
  readonly agreed: number;
  /** Servers that named a different block, with no proof either way. */
  readonly contradicts: number;
  /** Servers that proved a different block, with a set whose validators can have withdrawn their stakes. */
  readonly forked: number;
  /** Servers that contradict with valid signatures, where no server has a proof of which block has the number. Default 0. */
  readonly rivals?: number;
}

/** The agreement that the caller requires of other servers. */
export interface Terms {
  /** Whether the validators of the first set on the way can have withdrawn their stakes. */
  readonly startIsStale: boolean;
  /** Whether the caller accepts a stale start. */
  readonly acceptStaleStart: boolean;
  /** How many other servers have to agree. */
  readonly witnesses: number;
}

export type Agreement = 'enough' | 'contradicted' | 'stale-set' | 'too-few-witnesses';

/** Whether the answers of other servers are enough. Two proven histories by old keys look alike, so no caller can accept both. */
export function agreementOf({ agreed, contradicts, forked, rivals = 0 }: Said, terms: Terms): Agreement {
  const { startIsStale, acceptStaleStart, witnesses } = terms;
  if (rivals > 0) return 'contradicted';
  if (startIsStale) {
    if (forked > 0 || (!acceptStaleStart && contradicts > 0)) return 'contradicted';
    if (!acceptStaleStart && agreed < STALE_START_WITNESSES) return 'stale-set';
  }
  return agreed < witnesses ? 'too-few-witnesses' : 'enough';
}
