/** Who said what: names of blocks as keys, and one error for several servers that failed or contradict each other. */

import { SourceError, type SourceErrorCode, type SourceStatement, UsageError } from '../base/errors.ts';
import type { BlockSource } from './block-source.ts';
import { hintFor } from './failure-hints.ts';

/** Names tell servers apart in errors, and one server must not count twice. @throws UsageError */
export function requireDistinct(sources: readonly BlockSource[]): void {
  if (sources.length === 0) {
    throw new UsageError('usage/bad-option', 'expected at least one source', { path: 'sources' });
  }
  const names = new Set<string>();
  for (const { name } of sources) {
    if (names.has(name)) {
      throw new UsageError('usage/bad-option', `${name} is given twice; one server must not count twice`, {
        path: 'sources',
      });
    }
    names.add(name);
  }
}

function wordsOf({ source, key, error }: SourceStatement): string {
  if (key !== undefined) return `${source} says ${key}`;
  if (error instanceof SourceError) return error.message; // begins with the label
  return `${source}: ${error instanceof Error ? error.message : 'no answer'}`;
}

/** One error for all, with the class that leaves most hope: when one server may answer later, so may all of them. */
export function noAgreement(what: string, statements: readonly SourceStatement[]): SourceError {
  const errors = statements.flatMap(({ error }) => (error instanceof SourceError ? [error] : []));
  const keys = new Set(statements.flatMap(({ key }) => (key === undefined ? [] : [key])));
  const telling = errors.find(({ retryable }) => retryable) ?? errors[0];
  const code: SourceErrorCode = keys.size > 1 ? 'source/disagree' : (telling?.code ?? 'source/upstream');
  const hint =
    code === 'source/disagree' ? 'one of the servers is wrong or on another chain: see who said what' : hintFor(code);
  return new SourceError(code, `${what}: ${statements.map(wordsOf).join('; ')}`, {
    statements,
    attempts: errors.reduce((sum, error) => sum + error.attempts, 0),
    ...(hint === undefined ? {} : { hint }),
    ...(telling === undefined ? {} : { cause: telling }),
  });
}
