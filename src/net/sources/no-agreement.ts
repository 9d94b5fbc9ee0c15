/** One error for several servers that failed or contradict each other: who said what, and what to do. */
import { SourceError, type SourceErrorCode, type SourceStatement, TrustError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { OUTCOMES } from '../machine/outcome.ts';
import { unsupportedBy } from '../machine/upgrade.ts';
import { hintFor } from './failure-hints.ts';

function wordsOf({ source, key, error }: SourceStatement): string {
  if (key !== undefined) return `${source} says ${key}`;
  if (error instanceof SourceError) return error.message; // begins with the label
  return `${source}: ${error instanceof Error ? error.message : 'no answer'}`;
}

/** Milliseconds after which one of them may be asked again; `undefined` when one may be at once. */
function soonest(statements: readonly SourceStatement[]): number | undefined {
  const waits = statements.map(({ error }) => (error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0));
  return Math.min(...waits) || undefined;
}

/** What to do where servers lead to a hardfork: other servers do the same. */
const HARDFORK_HINT = 'servers lead to a hard fork: decide whether you follow it, then pin a key block after it';

function isHardfork({ cause, statements, code }: SourceError): boolean {
  if (cause instanceof TrustError) return cause.code === 'trust/hardfork';
  return (
    code !== 'source/disagree' && statements.some(({ error }) => error instanceof SourceError && isHardfork(error))
  );
}

/** What to do where most servers answer in a form that is not known. */
const UPGRADE_HINT = 'upgrade: this program is older than the network; the new version resumes from the same files';

/** The code that leaves most hope: when one server may answer later, so may all of them. A form that one server has made up is none. */
function codeOf(telling: SourceError | undefined): SourceErrorCode {
  if (telling === undefined) return 'source/upstream';
  return OUTCOMES[telling.code] === 'unsupported' ? 'source/malformed' : telling.code;
}

/**
 * One error for all. Where most servers answer in a form that this version does not know, it says so.
 * @param others servers that said nothing else
 */
export function noAgreement(what: string, statements: readonly SourceStatement[], others = 0): SourceError {
  const errors = statements.flatMap(({ error }) => (error instanceof SourceError ? [error] : []));
  const keys = new Set(statements.flatMap(({ key }) => (key === undefined ? [] : [key])));
  // That one of them contradicted others, now or long ago, is not why none of them gives what was asked for.
  const telling =
    errors.find(({ retryable }) => retryable) ?? errors.find(({ code }) => code !== 'source/disagree') ?? errors[0];
  const isOlder = unsupportedBy([...statements, ...Array.from({ length: others }, () => ({}))]) !== 'few';
  const code = keys.size > 1 ? 'source/disagree' : isOlder ? 'source/unsupported' : codeOf(telling);
  const hint =
    code === 'source/disagree'
      ? 'compare the claims: one of the servers is wrong, or is of a different chain'
      : errors.some(isHardfork)
        ? HARDFORK_HINT
        : code === 'source/unsupported'
          ? UPGRADE_HINT
          : hintFor(code);
  const words = code === 'source/unsupported' ? `${what}, in a form that this program knows` : what;
  return new SourceError(code, `${words}: ${statements.map(wordsOf).join('; ')}`, {
    statements,
    attempts: errors.reduce((sum, error) => sum + error.attempts, 0),
    retryAfterMs: soonest(statements),
    hint,
    ...present({ cause: telling }),
  });
}
