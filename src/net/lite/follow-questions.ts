/** What other lite servers are asked about a block that a follower has proven, and which of them. */
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import { sleepUnlessStopped } from '../async/timer.ts';
import { inTurn, type Scope } from '../machine/comparison.ts';
import type { Question } from '../sources/comparison.ts';
import type { LiteServerClient } from './client.ts';
import { blockOf, type Climb, type ClimbOptions, climb, requireServerFault, type TrustStart } from './climb.ts';
import type { Descent, OtherBlock } from './descent.ts';
import type { Fleet } from './fleet.ts';
import type { ServerHead } from './heads.ts';
import { continued, hopsOf, type Way } from './key-block-way.ts';
import { askWitness, confront, joinReports, type WitnessOptions } from './witnesses.ts';

/** Milliseconds for a comparison at a key block. */
const COMPARE_DEADLINE_MS = 3_000;
/** Milliseconds that our own side of two histories is waited for, once the other side is proven. */
const OWN_SIDE_MS = 1_000;

/** A climb that ended at a head, its way, and whether its base is stale by now. */
export interface ClimbedHead {
  readonly done: Climb;
  readonly way: Way;
  readonly isBaseStale: () => boolean;
}

/** The block as it was when the comparison began, because the run may be further by the time of an answer. */
interface AskedAbout extends ClimbedHead, Pick<WitnessOptions, 'clock' | 'engine'> {
  readonly signal: Signal;
  /** Where the climb began. */
  readonly from: TrustStart;
  readonly heads: readonly ServerHead[];
  /** The blocks below the tip. */
  readonly descent: Descent;
  readonly scope: Scope;
  /** The number of this turn. */
  readonly turn: number;
  readonly witnesses: number;
  /** Milliseconds for one answer near the head. */
  readonly nearMs: number;
}

/**
 * Begins to prove the way to a block of ours. @returns a function that waits at most so long, and gives the way as far
 * as it is proven
 */
export function wayUp(fleet: Fleet, from: TrustStart, to: BlockIdExt, way: Way, opts: ClimbOptions) {
  let proven = way;
  const onStep = ({ leg }: Climb) => {
    proven = continued(proven, hopsOf(leg));
  };
  const climbed = climb(fleet, from, to, { ...opts, onStep }).catch(requireServerFault);
  climbed.catch(() => {}); // counts only where the way is needed, and may come after the time limit
  return async (limitMs: number): Promise<Way> => {
    await Promise.race([climbed, sleepUnlessStopped(limitMs, opts.signal)]);
    return proven;
  };
}

/**
 * Returns the questions about a proven tip, and those that are asked only where too few servers agree. A server that is
 * behind is compared at the newest block that it has, if that block is new.
 */
export function questionsAbout(fleet: Fleet, comparison: AskedAbout) {
  const { done, way, from, heads, descent, scope, turn, witnesses, nearMs, ...opts } = comparison;
  const { signal, engine } = opts;
  const { tip } = done.walk;
  const prover = done.leg.client;
  const isWhole = scope === 'whole';
  const deadlineMs = isWhole ? QUESTION_DEADLINE_MS : scope === 'all' ? COMPARE_DEADLINE_MS : nearMs;
  const newestOf = new Map(heads.map(({ client, head }) => [client, head.last.seqno]));
  const isBehind = (client: LiteServerClient) => (newestOf.get(client) ?? tip.seqno) < tip.seqno;
  const retries = Number(isWhole);
  const atTip = (client: LiteServerClient): Question => ({
    client,
    ask: (onOther) => askWitness(fleet, client, { tip, way, prover }, { ...opts, deadlineMs, retries, onOther }),
  });
  /**
   * Asks a server to prove the block that it names in place of one of ours. At the same time our own block's signatures are
   * requested, for the evidence: a liar that delays them must not delay the other proof.
   */
  const named = ({ client, ours, other }: OtherBlock): Question => ({
    client,
    ask: async (onOther) => {
      onOther();
      if (ours.seqno <= blockOf(from).seqno) return await confront(fleet, client, { way }, other, opts);
      const wayTo = wayUp(fleet, from, ours, way, { signal, ...present({ engine }), namedBy: prover, isAlone: true });
      const hashed = { id: ours, wayTo: () => wayTo(OWN_SIDE_MS) };
      return await confront(fleet, client, { way, hashed }, other, opts);
    },
  });
  const below = (client: LiteServerClient, ours: BlockIdExt): Question => ({
    client,
    ask: async (onOther) => {
      const lookup = fleet.ask(client, (one) => one.lookup(ours.seqno, { signal, deadlineMs, retries: 0 }));
      const other = await lookup.then(({ id }) => id, requireServerFault);
      if (other === undefined || differingField(other, ours) === undefined) return joinReports([]);
      return await named({ client, ours, other }).ask(onOther);
    },
  });
  const others = fleet.kept().filter((client) => client !== prover);
  const usable = fleet.usable();
  const awake = others.filter((client) => usable.includes(client));
  const asked = scope === 'turn' ? inTurn(awake, turn, witnesses) : others;
  // A server that is behind does not count as agreeing.
  const first = asked.flatMap((client) => {
    if (isWhole || witnesses > 0 || !isBehind(client)) return [atTip(client)];
    const ours = descent.blocks.find(({ id }) => id.seqno === newestOf.get(client))?.id;
    return ours === undefined ? [] : [below(client, ours)]; // else there is nothing to compare
  });
  const questions = [...first, ...descent.others.map(named)];
  const more = others.filter((one) => questions.every(({ client }) => client !== one)).map(atTip);
  return { questions, more };
}
