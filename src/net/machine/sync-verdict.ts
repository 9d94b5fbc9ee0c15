/** What a synchronisation ends with, by the age of its start and of its head and by what other servers say. Pure. */
import { agreementOf, type Said, type Terms } from './agreement.ts';

export type SyncVerdict =
  | { readonly status: 'final' }
  | {
      readonly status: 'undecided';
      readonly reason: 'stale-set' | 'contradicted' | 'too-few-witnesses' | 'stale-head';
    };

export interface HeadTerms extends Terms {
  readonly headAgeSeconds: number;
  readonly maxAgeSeconds: number;
  /** The proof was given to an earlier run: one of those that agree may have given it, and no server is a witness of itself. */
  readonly isProverUnknown: boolean;
}

export interface Judged {
  readonly verdict: SyncVerdict;
  /** A report says final of its own accord: there is none where the servers that were wanted do not say so. */
  readonly isShown: boolean;
  /** How what comes after a stale start is marked. */
  readonly mark: 'accepted' | 'refused';
}

export function judgeHead(said: Said, terms: HeadTerms): Judged {
  const agreed = said.agreed - Number(terms.isProverUnknown);
  const agreement = agreementOf({ ...said, agreed }, terms);
  const isOld = terms.headAgeSeconds > terms.maxAgeSeconds;
  const reason = agreement !== 'enough' ? agreement : isOld ? 'stale-head' : undefined;
  return {
    verdict: reason === undefined ? { status: 'final' } : { status: 'undecided', reason },
    isShown: reason !== 'too-few-witnesses',
    // An old head is proven all the same.
    mark: agreement === 'enough' ? 'accepted' : 'refused',
  };
}
