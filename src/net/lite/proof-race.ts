/** Has several heads proven at the same time, and takes the highest proof that comes in time: driver of a machine. */
import type { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { Tasks } from '../async/tasks.ts';
import { type RaceAction, type RaceEvent, startRace, stepRace } from '../machine/proof-race.ts';

/**
 * Runs the race.
 * @param heads in the order in which they are tried
 * @param prove stops at the signal
 * @throws SourceError of the first that failed, where no head is proven
 */
export async function highestProof<T extends { readonly block: BlockIdExt }, P>(
  heads: readonly T[],
  prove: (head: T, signal: Signal) => Promise<P>,
  signal: Signal,
): Promise<P> {
  const tasks = new Tasks<RaceEvent>(signal);
  const proven = new Map<number, P>();
  const failures: SourceError[] = [];
  const ask = async (at: number, signal: Signal): Promise<RaceEvent> => {
    proven.set(at, await prove(heads[at]!, signal)); // the machine names one of them
    return { kind: 'proven', at };
  };
  const failed =
    (at: number) =>
    (error: SourceError): RaceEvent => {
      failures.push(error);
      return { kind: 'failed', at };
    };
  const perform = async (action: RaceAction): Promise<P | undefined> => {
    if (action.kind === 'wake') tasks.wake(-1, action.ms, { kind: 'woken' });
    else if (action.kind === 'prove') tasks.begin(action.at, (signal) => ask(action.at, signal), failed(action.at));
    else if (action.best === undefined) throw failures[0];
    else return proven.get(action.best)!; // the winner was proven
    return undefined;
  };
  const start = startRace(heads.map(({ block }) => block));
  return await tasks.run(start, { kind: 'begin' }, stepRace, perform);
}
