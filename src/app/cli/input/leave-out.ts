/** Leaves out the servers of `--without`. */
import type { UsageError } from '../../../core/base/errors.ts';
import { badFlag, shown } from './option-rows.ts';

export function allLeftOut(): UsageError {
  return badFlag('without', 'expected to keep at least one server, got all excluded');
}

/**
 * Returns the servers without those to leave out.
 * @param namesOf how the user can name a server
 * @throws UsageError for an unknown server, and if none is left
 */
export function leaveOut<T>(
  servers: readonly T[],
  left: readonly string[],
  namesOf: (server: T) => readonly string[],
): readonly T[] {
  const unknown = left.find((name) => !servers.some((server) => namesOf(server).includes(name)));
  if (unknown !== undefined) {
    const hint = 'pass HOST:PORT, or the server as messages name it';
    throw badFlag('without', `expected a configured server, got ${shown(unknown)}`, hint);
  }
  const kept = servers.filter((server) => !namesOf(server).some((name) => left.includes(name)));
  if (kept.length === 0) throw allLeftOut();
  return kept;
}
