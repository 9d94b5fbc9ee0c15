/**
 * The blocks that servers name, compared with the newest trusted block, and the choice of servers that prove them. Each server
 * is asked alone, and briefly, for the block that it names: otherwise each server that names an unprovable block would cost two
 * deadlines. Two are asked at the same time, and the later proof counts only if the first server gives none. Pure.
 */
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';

/** A block to reach, and the server that named it. */
export interface Target<S> {
  readonly server: S;
  readonly block: BlockIdExt;
}

/** The newest trusted block. */
export interface Place<S> {
  readonly tip: BlockIdExt;
  /** The time of the tip; unknown for a start that is not a checkpoint of a key block. */
  readonly genUtime: number | undefined;
  /** Whether signatures were verified on the way to it; otherwise it is the block that trust began at. */
  readonly isProven: boolean;
  /** The server that gave the last answer; `undefined` if an earlier run received it. */
  readonly prover: S | undefined;
}

/**
 * newer: to be climbed to. end: not newer than the trusted block. behind: older than the start, so the run cannot end
 * there. other: a different block with the start's number.
 */
export type Position = 'newer' | 'end' | 'behind' | 'other';

export function positionOf(block: BlockIdExt, { tip, genUtime, isProven }: Omit<Place<unknown>, 'prover'>): Position {
  if (block.seqno > tip.seqno) return 'newer';
  if (isProven) return 'end';
  if (block.seqno < tip.seqno || genUtime === undefined) return 'behind';
  return differingField(block, tip) === undefined ? 'end' : 'other';
}

/**
 * Heads, the newest first; heads of one number in the order of arrival. Heads of servers that named a block without proof come
 * last: otherwise the same one would be tried first each time.
 */
export function inOrder<S>(heads: readonly Target<S>[], isDoubted: (server: S) => boolean): readonly Target<S>[] {
  const doubt = ({ server }: Target<S>) => Number(isDoubted(server));
  return [...heads].sort((a, b) => doubt(a) - doubt(b) || b.block.seqno - a.block.seqno);
}

/** Milliseconds after which a second server is asked for the same proof. */
const GRACE_MS = 1_000;

/** A climb that is under way, by its number. */
export interface Climbing<S> {
  readonly id: number;
  readonly target: Target<S>;
}

export interface Namers<S> {
  /** Targets still to be tried, in order. */
  readonly queue: readonly Target<S>[];
  readonly first: Climbing<S> | undefined;
  /** due: it is asked when the first one is late. held: its answer holds, and waits for the first one to fail. */
  readonly second: (Climbing<S> & { readonly is: 'due' | 'asked' | 'held' }) | undefined;
  /** Whether trust moved to where the first one led. From there the second needs a new question. */
  readonly isLed: boolean;
  readonly nextId: number;
}

export type NamersAction<S> =
  /** Climb from the trusted block. */
  | { readonly kind: 'climb'; readonly id: number; readonly target: Target<S>; readonly isAlone: boolean }
  | { readonly kind: 'wake'; readonly id: number; readonly ms: number }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Move trust to the block that a climb's answer leads to; the climb waits until then. */
  | { readonly kind: 'take'; readonly id: number };

type Turn<S> = readonly [Namers<S>, readonly NamersAction<S>[]];

export function startNamers<S>(queue: readonly Target<S>[], nextId: number): Namers<S> {
  return { queue, first: undefined, second: undefined, isLed: false, nextId };
}

/**
 * Asks as many servers as may be asked now, and skips a server that names nothing newer.
 * @param isFresh whether a run may end where trust is
 * @returns also the target to end at, when it is the turn of one that is not newer
 */
export function askNamers<S>(namers: Namers<S>, place: Place<S>, isFresh: boolean): [...Turn<S>, Target<S>?] {
  let { queue, first, second, nextId } = namers;
  const actions: NamersAction<S>[] = [];
  while (first === undefined && queue.length > 0) {
    const target = queue[0]!; // there is one
    const position = positionOf(target.block, place);
    if (position === 'end' && isFresh) return [{ ...namers, queue }, actions, target];
    queue = queue.slice(1);
    if (position !== 'newer') continue;
    first = { id: nextId++, target };
    actions.push({ kind: 'climb', ...first, isAlone: true });
  }
  const [target] = queue;
  const hasRoom = second === undefined && !namers.isLed;
  if (hasRoom && target !== undefined && positionOf(target.block, place) === 'newer') {
    const id = nextId++;
    queue = queue.slice(1);
    // Requests the same proof a second time only if the first is late, or is missing.
    const isSame = differingField(first!.target.block, target.block) === undefined; // else none would be left
    second = { id, target, is: isSame ? 'due' : 'asked' };
    actions.push(isSame ? { kind: 'wake', id, ms: GRACE_MS } : { kind: 'climb', id, target, isAlone: true });
  }
  return [{ ...namers, queue, first, second, nextId }, actions];
}

/** Drops the second climb; its server may be asked again later. */
function dropSecond<S>(namers: Namers<S>): Turn<S> {
  const { second, queue } = namers;
  if (second === undefined) return [namers, []];
  return [{ ...namers, second: undefined, queue: [second.target, ...queue] }, [{ kind: 'cancel', id: second.id }]];
}

/** The first climb is late: starts the second. */
export function wokeNamers<S>(namers: Namers<S>, id: number): Turn<S> {
  const { second } = namers;
  if (second?.id !== id || second.is !== 'due') return [namers, []];
  const asked = { ...namers, second: { ...second, is: 'asked' } } as const;
  return [asked, [{ kind: 'climb', id, target: second.target, isAlone: true }]];
}

/** An answer of one of the two climbs holds. */
export function namerHolds<S>(namers: Namers<S>, id: number): Turn<S> {
  const { first, second } = namers;
  if (second?.id === id) return [{ ...namers, second: { ...second, is: 'held' } }, []];
  if (first?.id !== id) return [namers, []]; // it was cancelled
  const [alone, actions] = dropSecond(namers);
  return [{ ...alone, isLed: true }, [...actions, { kind: 'take', id }]];
}

/** One of the two climbs does not lead to its target. */
export function namerFails<S>(namers: Namers<S>, id: number): Turn<S> {
  const { second } = namers;
  if (second?.id === id) return [{ ...namers, second: undefined }, []];
  const left = { ...namers, first: undefined, isLed: false };
  if (second === undefined || second.is === 'due') return dropSecond(left);
  const { is, ...now } = second;
  const led = { ...left, first: now, second: undefined, isLed: is === 'held' };
  return [led, is === 'held' ? [{ kind: 'take', id: now.id }] : []];
}
