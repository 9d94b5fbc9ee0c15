/**
 * Decides which servers are asked for their heads and waited for, which heads are proven first, and when servers
 * contradict this machine's clock. Rules R6 and R7 of live verification: all of it is claims. Pure.
 */
import { MAX_CLOCK_SKEW_SECONDS } from '../../core/base/limits.ts';
import { inOrder, type Target } from './targets.ts';

/** Milliseconds that other heads are waited for, once there is one. */
export const HEAD_GRACE_MS = 750;
/**
 * Seconds by which a server's time may differ from the time of the block that the server just proved: a network may stop for a
 * while.
 */
const ODD_CLOCK_SECONDS = 600;

/** An event; times are milliseconds of a clock that never goes back. */
export type HeadsEvent<S> =
  /** Ask all servers that are not out. */
  | { readonly kind: 'look'; readonly servers: readonly S[]; readonly nowMs: number }
  | { readonly kind: 'answered' | 'failed'; readonly server: S; readonly nowMs: number }
  /** The time of the last `wake` is over. */
  | { readonly kind: 'woken' };

export type HeadsAction<S> =
  | { readonly kind: 'ask'; readonly server: S }
  | { readonly kind: 'wake'; readonly ms: number }
  /** The look is over: these servers answered since the last one. */
  | { readonly kind: 'give'; readonly servers: readonly S[] };

export interface HeadsState<S> {
  /** Open questions, each with its start. */
  readonly asking: ReadonlyMap<S, number>;
  /** Servers that were too late the last time, or failed: they are asked, but the run does not wait for them. */
  readonly late: ReadonlySet<S>;
  /** Servers whose answers no look has given yet. */
  readonly answered: ReadonlySet<S>;
  /** Servers that the look waits for; `undefined` where none is under way. */
  readonly waitedFor: ReadonlySet<S> | undefined;
  /** State of the wait for other heads, one second after the first head. */
  readonly grace: 'none' | 'running' | 'over';
}

type HeadsStep<S> = readonly [HeadsState<S>, readonly HeadsAction<S>[]];

export function startHeads<S>(): HeadsState<S> {
  return { asking: new Map(), late: new Set(), answered: new Set(), waitedFor: undefined, grace: 'none' };
}

/** Ends the look as soon as the awaited servers have answered, or a second after the first answer. */
function settle<S>(state: HeadsState<S>): HeadsStep<S> {
  const { asking, answered, waitedFor, grace } = state;
  if (waitedFor === undefined) return [state, []];
  const isOpen = [...waitedFor].some((server) => asking.has(server));
  if (asking.size === 0 || (answered.size > 0 && (!isOpen || grace === 'over'))) {
    const give = { kind: 'give', servers: [...answered] } as const;
    return [{ ...state, answered: new Set(), waitedFor: undefined, grace: 'none' }, [give]];
  }
  if (answered.size > 0 && grace === 'none')
    return [{ ...state, grace: 'running' }, [{ kind: 'wake', ms: HEAD_GRACE_MS }]];
  // If all quick servers have failed, the look waits for the slow ones.
  return [isOpen ? state : { ...state, waitedFor: new Set(asking.keys()) }, []];
}

export function stepHeads<S>(state: HeadsState<S>, event: HeadsEvent<S>): HeadsStep<S> {
  if (event.kind === 'woken') return settle({ ...state, grace: 'over' });
  if (event.kind === 'look') {
    const fresh = event.servers.filter((server) => !state.asking.has(server));
    const asking = new Map([...state.asking, ...fresh.map((server) => [server, event.nowMs] as const)]);
    const waitedFor = new Set(event.servers.filter((server) => !state.late.has(server)));
    const [after, actions] = settle({ ...state, asking, waitedFor, grace: 'none' });
    return [after, [...fresh.map((server) => ({ kind: 'ask', server }) as const), ...actions]];
  }
  const { kind, server, nowMs } = event;
  const isLate = kind === 'failed' || nowMs - (state.asking.get(server) ?? nowMs) > HEAD_GRACE_MS;
  return settle({
    ...state,
    asking: new Map([...state.asking].filter(([one]) => one !== server)),
    late: new Set(isLate ? [...state.late, server] : [...state.late].filter((one) => one !== server)),
    answered: kind === 'answered' ? new Set([...state.answered, server]) : state.answered,
  });
}

/** The standings of servers, as far as they matter here. */
export interface Standings<S> {
  /** The servers that do not rest, the quickest first. */
  usable(): readonly S[];
  isKept(server: S): boolean;
  /** Whether the server named a block that it did not prove. */
  isDoubted(server: S): boolean;
}

/**
 * The heads whose proofs are requested, in this order: the highest head of a server in good standing, the highest of all other
 * servers, and then the rest. The quickest of the servers that name the same block comes first, by all its answers. Servers
 * that named a block without proof come last. A quick server that holds blocks back
 * therefore does not hide a slow honest one.
 */
export function highest<S>(standings: Standings<S>, heads: readonly Target<S>[], above: number): readonly Target<S>[] {
  const awake = standings.usable();
  const place = new Map(awake.map((server, at) => [server, at]));
  const placeOf = ({ server }: Target<S>) => place.get(server) ?? awake.length;
  const known = heads.filter(({ server, block }) => block.seqno > above && standings.isKept(server));
  known.sort((one, other) => placeOf(one) - placeOf(other));
  const ordered = inOrder(known, (server) => !place.has(server) && standings.isDoubted(server));
  const first = ordered.find(({ server }) => place.has(server));
  return first === undefined ? ordered : [first, ...ordered.filter((one) => one !== first)];
}

/** The time that a server claims, and this machine's time when it was asked and when it had answered. Unix seconds. */
export interface ClockClaim<S> {
  readonly client: S;
  readonly head: { readonly now?: number };
  readonly heldAgainst: readonly [asked: number, answered: number];
}

/**
 * Returns a clock that is probably wrong: all servers that name a time, at least two, say that this machine's clock is
 * wrong, and in the same direction. A slow clock makes an old head look new. Fewer servers may have wrong clocks
 * themselves. An answer may wait unread while this machine sleeps, so the clock counts as right if it is right at any
 * time between question and answer.
 * @param proved the server that just proved a block, and when that block was made; if its time is far from that, it
 * does not count
 * @returns this machine's time, and the servers'; `undefined` where the clock is right
 */
export function clocksAgainst<S>(
  heads: readonly ClockClaim<S>[],
  proved?: { readonly client: S; readonly genUtime: number },
): { readonly own: number; readonly theirs: readonly number[] } | undefined {
  const clocks = heads.flatMap(({ client, head: { now }, heldAgainst }) => {
    const isProver = proved !== undefined && client === proved.client;
    const isOdd = isProver && Math.abs((now ?? 0) - proved.genUtime) > ODD_CLOCK_SECONDS;
    return now === undefined || isOdd ? [] : [{ now, from: Math.min(...heldAgainst), to: Math.max(...heldAgainst) }];
  });
  const isAhead = clocks.every(({ now, to }) => now - to > MAX_CLOCK_SKEW_SECONDS);
  const isBehind = clocks.every(({ now, from }) => from - now > MAX_CLOCK_SKEW_SECONDS);
  const [first, second] = clocks;
  if (second === undefined || !(isAhead || isBehind)) return undefined;
  return { own: Math.round(first!.to), theirs: clocks.map(({ now }) => now) };
}
