/**
 * Makes one error of the answers of several servers that failed or contradict each other: what each said, and what to
 * do.
 */
import { SourceError, type SourceErrorCode, type SourceStatement, TrustError } from '../../core/base/errors.ts';
import { present } from '../../core/base/present.ts';
import { unsupportedBy } from '../machine/newer-network.ts';
import { OUTCOMES } from '../machine/outcome.ts';
import { hintFor } from './failure-hints.ts';

function wordsOf({ source, key, error }: SourceStatement): string {
  if (key !== undefined) return `${source} says ${key}`;
  if (error instanceof SourceError) return error.message; // its message begins with the label
  return `${source}: ${error instanceof Error ? error.message : 'no answer'}`;
}

/** Returns what each server said, in words. */
export function saidBy(statements: readonly SourceStatement[]): string {
  return statements.map(wordsOf).join('; ');
}

/**
 * Returns the milliseconds after which one of the servers may be asked again; `undefined` when one may be asked at
 * once.
 */
function soonest(statements: readonly SourceStatement[]): number | undefined {
  const waits = statements.map(({ error }) => (error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0));
  return waits.sort((a, b) => a - b)[0] || undefined;
}

/** The hint where servers lead to a hardfork: other servers do the same. */
const HARDFORK_HINT = 'servers lead to a hard fork: decide whether you follow it, then pin a key block after it';

/** Errors of several servers hold others, and those more: the hint says so for all of them, without a look at each again. */
function isHardfork({ cause, hint }: SourceError): boolean {
  return hint === HARDFORK_HINT || (cause instanceof TrustError && cause.code === 'trust/hardfork');
}

/** The hint where most servers answer in a form that this version does not know. */
const UPGRADE_HINT = 'upgrade: this program is older than the network; the new version resumes from the same files';

/**
 * Returns the code that leaves most hope: if one server may answer later, so may all. An unknown form is excluded,
 * because one server may have made it up.
 */
function codeOf(telling: SourceError | undefined): SourceErrorCode {
  if (telling === undefined) return 'source/upstream';
  return OUTCOMES[telling.code] === 'unsupported' ? 'source/malformed' : telling.code;
}

/**
 * Returns one error for all servers. If most servers answer in a form that this version does not know, the error says
 * so.
 * @param others servers that gave no other answer
 */
export function noAgreement(what: string, statements: readonly SourceStatement[], others = 0): SourceError {
  const errors = statements.flatMap(({ error }) => (error instanceof SourceError ? [error] : []));
  const keys = new Set(statements.flatMap(({ key }) => (key === undefined ? [] : [key])));
  // A contradiction does not explain why no server gives the answer, so it does not decide the code.
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
          : (telling?.hint ?? hintFor(code));
  const words = code === 'source/unsupported' ? `${what}, in a form that this program knows` : what;
  return new SourceError(code, `${words}: ${saidBy(statements)}`, {
    statements,
    attempts: errors.reduce((sum, error) => sum + error.attempts, 0),
    retryAfterMs: soonest(statements),
    hint,
    ...present({ cause: telling }),
  });
}
