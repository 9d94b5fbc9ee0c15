/**
 * Decides which server is asked for what on the way from a trusted block to a later one. While one answer is verified,
 * the next one is requested. Pure: each event gives a new state and the actions to take.
 */
import { MAX_PROOF_LINKS, MAX_SHORT_ANSWERS, MAX_SYNC_ANSWERS, MAX_SYNC_LINKS } from '../../core/base/limits.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';

/** An event of a climb. Questions are known by their numbers. */
export type ClimbEvent =
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'answered';
      readonly id: number;
      readonly links: number;
      readonly complete: boolean;
      readonly to: BlockIdExt;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly isSilent?: boolean }
  /** The answer to a `lookup`. */
  | { readonly kind: 'named'; readonly id: number; readonly block: BlockIdExt; readonly isSilent?: never }
  /** The result of `verify`: the answer holds, or is false. */
  | { readonly kind: 'held'; readonly tip: BlockIdExt; readonly isThere: boolean }
  | { readonly kind: 'false' };

/** An action that the driver has to take. */
export type ClimbAction<S> =
  /** Ask for the proof from a block to the target. */
  | { readonly kind: 'ask'; readonly id: number; readonly server: S; readonly from: BlockIdExt }
  /** Ask for the id of the block at the target's number. */
  | { readonly kind: 'lookup'; readonly id: number; readonly server: S }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Verify the answer to a question, from the newest trusted block. */
  | { readonly kind: 'verify'; readonly id: number; readonly server: S }
  /**
   * The end of a climb:
   * - there: the target is proven;
   * - no-way: no server leads further;
   * - too-long: more links or answers than a climb may take;
   * - too-short: the only usable server gives one link at a time, as much as fits into one answer.
   */
  | { readonly kind: 'end'; readonly how: 'there' | 'no-way' | 'too-long' | 'too-short' };

/** The servers as they are now. */
export interface Servers<S> {
  /** Servers that may be asked, the quickest first. */
  readonly usable: readonly S[];
  /** All servers that are not out. */
  readonly kept: readonly S[];
}

/** The start and the target of a climb. */
export interface ClimbPlan<S> {
  /** The trusted block at the start. */
  readonly from: BlockIdExt;
  /** A block after `from`. It need not exist. */
  readonly target: BlockIdExt;
  /** The server that named the target. Another server is asked for the way there only after it named the same block. */
  readonly namedBy: S;
  /** Whether only that server may be asked. */
  readonly isAlone: boolean;
  /** Servers that were silent before when they were asked for a proof: they are not asked. */
  readonly silent: ReadonlySet<S>;
  /** Servers that were silent when they were asked for the id of a block, or lack the target: none is asked for its id. */
  readonly withoutId: ReadonlySet<S>;
}

interface OpenQuestion<S> {
  readonly id: number;
  readonly server: S;
  /** The event of this question, if it came before its turn. */
  readonly early?: ClimbEvent;
}

type Phase = 'choosing' | 'asking' | 'verifying' | 'ended';

export interface ClimbState<S> {
  readonly plan: ClimbPlan<S>;
  readonly phase: Phase;
  /** The newest block that is proven. */
  readonly known: BlockIdExt;
  readonly links: number;
  readonly answers: number;
  readonly shortAnswers: number;
  /** Links of the answer that is being verified. */
  readonly linksInHand: number;
  /** Servers that named the target. */
  readonly named: ReadonlySet<S>;
  /** Servers that gave no proof since the last valid one, and those that are not asked again. */
  readonly failed: ReadonlySet<S>;
  /** Servers that are not asked for a proof again: they were silent, or had too many short answers in a row. */
  readonly spent: ReadonlySet<S>;
  readonly lookups: ReadonlyMap<number, S>;
  readonly question: OpenQuestion<S> | undefined;
  /** The question after the answer that is being verified. */
  readonly ahead: OpenQuestion<S> | undefined;
  readonly nextId: number;
}

type ClimbStep<S> = readonly [ClimbState<S>, readonly ClimbAction<S>[]];

export function startClimb<S>(plan: ClimbPlan<S>): ClimbState<S> {
  return {
    plan,
    phase: 'choosing',
    known: plan.from,
    links: 0,
    answers: 0,
    shortAnswers: 0,
    linksInHand: 0,
    named: new Set([plan.namedBy]),
    failed: plan.silent,
    spent: plan.silent,
    lookups: new Map(),
    question: undefined,
    ahead: undefined,
    nextId: 0,
  };
}

const including = <T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> => new Set([...set, one]);

function endClimb<S>(state: ClimbState<S>, how: Extract<ClimbAction<S>, { kind: 'end' }>['how']): ClimbStep<S> {
  const open = [...state.lookups.keys(), ...(state.ahead === undefined ? [] : [state.ahead.id])];
  const cancels = open.map((id) => ({ kind: 'cancel', id }) as const);
  return [{ ...state, phase: 'ended' }, [...cancels, { kind: 'end', how }]];
}

/** Servers that may still lead to the target, the quickest first. */
function serversLeft<S>({ plan, failed }: ClimbState<S>, pool: Servers<S>): S[] {
  const kept = new Set(pool.kept);
  const mayBeAsked = (one: S) => kept.has(one) && !failed.has(one);
  return [...new Set([...pool.usable, plan.namedBy])].filter(mayBeAsked);
}

/** Asks the servers that did not name the target for its id. */
function askOthersForId<S>(state: ClimbState<S>, pool: Servers<S>): ClimbStep<S> {
  const { plan, named, lookups, nextId: id } = state;
  const open = new Set([...named, ...lookups.values()]);
  const mayBeAsked = (one: S) => !open.has(one) && !plan.withoutId.has(one);
  const left = plan.isAlone ? [] : serversLeft(state, pool);
  const fresh = left.filter(mayBeAsked).map((one, at) => [id + at, one] as const);
  const looking = { ...state, lookups: new Map([...lookups, ...fresh]), nextId: id + fresh.length };
  return [looking, fresh.map(([id, server]) => ({ kind: 'lookup', id, server }))];
}

/** Asks a server that named the target. If none is left, asks the others for the target's id. */
function choose<S>(before: ClimbState<S>, pool: Servers<S>): ClimbStep<S> {
  const state = { ...before, phase: 'choosing', question: undefined } as const;
  const { named, known, nextId: id } = state;
  const server = serversLeft(state, pool).find((one) => named.has(one));
  if (server !== undefined) {
    const asking = { ...state, phase: 'asking', question: { id, server }, nextId: id + 1 } as const;
    return [asking, [{ kind: 'ask', id, server, from: known }]];
  }
  const [looking, lookups] = askOthersForId(state, pool);
  return looking.lookups.size === 0 ? endClimb(state, 'no-way') : [looking, lookups];
}

/** The awaited answer has come: requests the next one before verifying this one. */
function take<S>(
  state: ClimbState<S>,
  answer: Extract<ClimbEvent, { kind: 'answered' }>,
  asked: OpenQuestion<S>,
): ClimbStep<S> {
  const { to, complete, links } = answer;
  const { known, plan, nextId: id } = state;
  const { server } = asked;
  const verifying = { ...state, phase: 'verifying', linksInHand: links, question: asked, ahead: undefined } as const;
  const verify = { kind: 'verify', id: asked.id, server } as const;
  const leadsOn = !complete && to.seqno > known.seqno && to.seqno < plan.target.seqno;
  if (!leadsOn) return [verifying, [verify]];
  const ahead = { ...verifying, ahead: { id, server }, nextId: id + 1 };
  return [ahead, [{ kind: 'ask', id, server, from: to }, verify]];
}

/** Continues with the next answer after one that holds, from the same server while it leads further. */
function goOn<S>(state: ClimbState<S>, isThere: boolean, pool: Servers<S>): ClimbStep<S> {
  const { question, ahead, links, answers, linksInHand, plan } = state;
  if (isThere) return endClimb(state, 'there');
  if (links >= MAX_SYNC_LINKS || answers >= MAX_SYNC_ANSWERS) return endClimb(state, 'too-long');
  const short = linksInHand < MAX_PROOF_LINKS ? state.shortAnswers + 1 : 0;
  if (short >= MAX_SHORT_ANSWERS) {
    if (plan.isAlone) return endClimb(state, 'too-short');
    // Short answers are allowed, but a server must not make the run ask three times for the content of one answer, and
    // two servers must not do so in turn.
    const { server } = question!; // whose answer holds
    const [failed, spent] = [including(state.failed, server), including(state.spent, server)];
    return dropAhead({ ...state, shortAnswers: 0, failed, spent }, pool);
  }
  const onward = { ...state, shortAnswers: short };
  if (ahead === undefined) return choose(onward, pool);
  const { early, ...asked } = ahead;
  const asking = { ...onward, phase: 'asking', question: asked, ahead: undefined } as const;
  return early === undefined ? [asking, []] : stepClimb(asking, early, pool);
}

function dropAhead<S>(state: ClimbState<S>, pool: Servers<S>): ClimbStep<S> {
  const [chosen, actions] = choose({ ...state, ahead: undefined }, pool);
  const { ahead } = state;
  return [chosen, ahead === undefined ? actions : [{ kind: 'cancel', id: ahead.id }, ...actions]];
}

/** A server named its block at the target's number, or did not. */
function heard<S>(state: ClimbState<S>, event: Extract<ClimbEvent, { id: number }>, pool: Servers<S>): ClimbStep<S> {
  const server = state.lookups.get(event.id);
  if (server === undefined) return [state, []]; // a question that was cancelled
  const lookups = new Map([...state.lookups].filter(([id]) => id !== event.id));
  const isSame = event.kind === 'named' && differingField(event.block, state.plan.target) === undefined;
  const after = isSame
    ? { ...state, lookups, named: including(state.named, server) }
    : { ...state, lookups, failed: including(state.failed, server) };
  return state.phase === 'choosing' ? choose(after, pool) : [after, []];
}

/** Takes one step. @returns the state after an event, and the actions to take, in this order */
export function stepClimb<S>(state: ClimbState<S>, event: ClimbEvent, pool: Servers<S>): ClimbStep<S> {
  const { phase, question, ahead } = state;
  if (phase === 'ended') return [state, []];
  switch (event.kind) {
    case 'begin': {
      const [chosen, actions] = choose(state, pool);
      // Most such climbs lead to blocks that are made up: the server that named one is silent for as long as the others take.
      const [looking, lookups] = askOthersForId(chosen, pool);
      return [looking, [...actions, ...lookups]];
    }
    case 'held': {
      const { tip, isThere } = event;
      const links = state.links + state.linksInHand;
      const answers = state.answers + 1;
      const failed = state.spent;
      return goOn({ ...state, known: tip, links, answers, failed }, isThere, pool);
    }
    case 'false':
      // An unreadable answer may not be a lie; the other servers are asked in both cases.
      return dropAhead({ ...state, failed: including(state.failed, question!.server) }, pool);
    default:
  }
  if (ahead !== undefined && event.id === ahead.id) return [{ ...state, ahead: { ...ahead, early: event } }, []];
  if (event.id !== question?.id) return heard(state, event, pool);
  if (event.kind === 'answered') return take(state, event, question);
  const { server } = question;
  const isSilent = event.isSilent === true;
  const spent = isSilent ? including(state.spent, server) : state.spent;
  return choose({ ...state, failed: including(state.failed, server), spent }, pool);
}
