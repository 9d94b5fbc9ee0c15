/** Has several heads proven at the same time, and takes the highest proof that comes in time: driver of a machine. */
import type { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import type { BlockIdExt } from '../../core/block/block-id.ts';
import { Tasks } from '../async/tasks.ts';
import { untilAborted } from '../async/timer.ts';
import { isA } from '../machine/outcome.ts';
import { type RaceAction, type RaceEvent, startRace, stepRace } from '../machine/proof-race.ts';

/** The numbers of two further tasks. The number of a proof is the place of its head. */
const [WAKE, LOOK] = [-1, -2];

/** The parts of a race that depend on the servers. */
export interface RaceWork<T, P> {
  /** Has a head proven; stops at the signal. */
  readonly prove: (head: T, signal: Signal) => Promise<P>;
  /** Returns heads that servers name now, of servers that gave none of these. */
  readonly look: (asked: readonly T[]) => Promise<readonly T[]>;
  /** Whether the proof of a higher head is waited for. */
  readonly isWaitedFor: (head: T) => boolean;
  /** Called with a head whose proof did not come in time. */
  readonly onLate: (head: T) => void;
}

/**
 * Runs the race.
 * @param first heads in the order in which they are tried
 * @throws SourceError of the first that failed, where no head is proven
 */
export async function highestProof<T extends { readonly block: BlockIdExt }, P>(
  first: readonly T[],
  { prove, look, isWaitedFor, onLate }: RaceWork<T, P>,
  signal: Signal,
): Promise<P> {
  const tasks = new Tasks<RaceEvent>(signal);
  const heads = [...first];
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
  const entered = (one: T) => ({ block: one.block, isWaitedFor: isWaitedFor(one) });
  const lookAgain = async (signal: Signal): Promise<RaceEvent> => {
    const named = await untilAborted(look(heads), signal);
    heads.push(...named);
    return { kind: 'named', heads: named.map(entered) };
  };
  const unseen = ({ code }: SourceError): RaceEvent | undefined =>
    isA(code, 'ends-following') ? undefined : { kind: 'named', heads: [] };
  const perform = async (action: RaceAction): Promise<P | undefined> => {
    if (action.kind === 'wake') tasks.wake(WAKE, action.ms, { kind: 'woken' });
    else if (action.kind === 'look') tasks.begin(LOOK, lookAgain, unseen);
    else if (action.kind === 'prove') tasks.begin(action.at, (signal) => ask(action.at, signal), failed(action.at));
    else if (action.kind === 'late') onLate(heads[action.at]!);
    else if (action.best === undefined) throw failures[0];
    else return proven.get(action.best)!; // the winner was proven
    return undefined;
  };
  const start = startRace(heads.map(entered));
  return await tasks.run(start, { kind: 'begin' }, stepRace, perform);
}
