/**
 * What the words of other servers come to for a block that is proven: rule R4 of live verification. A contradiction without proof
 * is a claim, so what decides is who agrees; old keys prove less, so there more has to agree.
 */
import { STALE_START_WITNESSES } from '../../core/base/limits.ts';

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
