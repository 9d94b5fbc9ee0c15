/** A source whose last answer is remembered, so that it is not asked for the same block twice. */
import { SourceError } from '../../core/base/errors.ts';
import type { BlockSource, SignedAnswer } from './block-source.ts';
import { readSigned } from './signed-answer.ts';

export interface Overheard extends BlockSource {
  /** The signatures that it gave last, or why it gave none since; `undefined` where it was not asked. */
  last(): SignedAnswer | SourceError | undefined;
}

/** One that was stopped because another was faster says nothing of why. */
function inWords(name: string, error: SourceError): SourceError {
  if (error.code !== 'source/aborted') return error;
  return new SourceError('source/timeout', `${name}: no answer yet when another server gave one`, { endpoint: name });
}

export function overheard<S extends BlockSource>(source: S): S & Overheard {
  let last: SignedAnswer | SourceError | undefined;
  async function noting<T>(question: Promise<T>): Promise<T> {
    try {
      return await question;
    } catch (error) {
      if (error instanceof SourceError) last = inWords(source.name, error);
      throw error;
    }
  }
  return {
    ...source,
    latestSeqno: (opts) => noting(source.latestSeqno(opts)),
    async signatures(seqno, opts) {
      last = new SourceError('source/timeout', `${source.name}: no answer yet`, { endpoint: source.name });
      const answer = await noting(
        source.signatures(seqno, opts).then((given) => readSigned(given, seqno, source.name)),
      );
      last = answer;
      return answer;
    },
    last: () => last,
  };
}
