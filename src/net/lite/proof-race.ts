/** Has the highest heads proven at the same time, each by the server that named it: driver of a machine. */
import type { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { Tasks } from '../async/tasks.ts';
import { untilAborted } from '../async/timer.ts';
import { isA } from '../machine/outcome.ts';
import { type RaceAction, type RaceEvent, startRace, stepRace } from '../machine/proof-race.ts';
import type { Target } from '../machine/targets.ts';
import type { LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';

type NamedHead = Target<LiteServerClient>;

/** The numbers of two tasks. The number of a proof is the place of its head. */
const [WAKE, LOOK] = [-1, -2];

/**
 * Returns the highest proof that comes in time.
 * @param climbTo proves one head
 * @param look asks servers for their heads while proofs are late, and returns those to prove
 */
export async function firstProof<P>(
  fleet: Fleet,
  signal: Signal,
  picked: readonly NamedHead[],
  climbTo: (head: NamedHead, signal: Signal) => Promise<P>,
  look: () => Promise<readonly NamedHead[]>,
): Promise<P> {
  const tasks = new Tasks<RaceEvent>(signal);
  const heads = [...picked];
  const proven = new Map<number, P>();
  const failures: SourceError[] = [];
  const entered = ({ server, block }: NamedHead) => ({ block, isWaitedFor: fleet.usable().includes(server) });
  /** Asks for the heads again, where servers are left that gave no head to prove yet. */
  const lookAgain = async (stop: Signal): Promise<RaceEvent> => {
    const isAsked = (client: LiteServerClient) => heads.some(({ server }) => server === client);
    const all = fleet.kept().every(isAsked) ? [] : await untilAborted(look(), stop);
    const named = all.filter(({ server }) => !isAsked(server));
    heads.push(...named);
    return { kind: 'named', heads: named.map(entered) };
  };
  const unseen = ({ code }: SourceError): RaceEvent | undefined =>
    isA(code, 'ends-following') ? undefined : { kind: 'named', heads: [] };
  const perform = async (action: RaceAction) => {
    if (action.kind === 'wake') tasks.wake(WAKE, action.ms, { kind: 'woken' });
    else if (action.kind === 'look') tasks.begin(LOOK, lookAgain, unseen);
    else if (action.kind === 'late') fleet.rest(heads[action.at]!.server, undefined, 'slow');
    else if (action.kind === 'prove') {
      const { at } = action;
      const ask = async (stop: Signal): Promise<RaceEvent> => {
        proven.set(at, await climbTo(heads[at]!, stop)); // the machine names one of them
        return { kind: 'proven', at };
      };
      tasks.begin(at, ask, (error) => {
        failures.push(error);
        return { kind: 'failed', at };
      });
    } else if (action.best === undefined) throw failures[0];
    else return proven.get(action.best)!; // the winner was proven
    return undefined;
  };
  return await tasks.run(startRace(heads.map(entered)), { kind: 'begin' }, stepRace, perform);
}
