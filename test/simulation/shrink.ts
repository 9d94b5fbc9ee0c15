/** Makes a world that breaks an invariant smaller for as long as it still does. */
import type { Plan, ServerPlan, Step } from './plan.ts';
import { live, type Tried } from './runner.ts';
import type { Violation } from './world.ts';

/** Worlds that are tried at most. */
const MOST_TRIES = 600;

const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);
const withAt = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((one, index) => (index === at ? value : one));

function* smallerServers(server: ServerPlan): Generator<ServerPlan> {
  if (server.kind === 'stranger') return;
  if (server.kind === 'liar') {
    if (server.whim > 0) yield { ...server, whim: 0 };
    const { slow, ...quick } = server;
    if (slow !== undefined) yield quick;
    for (const part of ['head', 'lookup', 'proof'] as const) {
      if (server[part] !== 'truth') yield { ...server, [part]: 'truth' };
    }
    if (server.skewSeconds !== 0) yield { ...server, skewSeconds: 0 };
    return;
  }
  const well = { lagSeconds: 0, skewSeconds: 0, loss: 0, busy: 0, proofs: 'well', keeps: 1e9, down: null } as const;
  for (const [name, value] of Object.entries(well)) {
    if (server[name as keyof typeof well] !== value) yield { ...server, [name]: value };
  }
}

function* smallerSteps(step: Step): Generator<Step> {
  if (step.kind !== 'run') return;
  if (step.killAt !== null) yield { ...step, killAt: null };
  if (step.sleep !== null) yield { ...step, sleep: null };
  const { clockStep, moment, full, secondAfterMs, isPowerCut, ...still } = step;
  if ((clockStep ?? moment ?? full ?? secondAfterMs ?? isPowerCut) !== undefined) yield still;
  for (const event of ['clockStep', 'moment', 'full', 'secondAfterMs', 'isPowerCut'] as const) {
    const { [event]: gone, ...rest } = step;
    if (gone !== undefined) yield rest;
  }
  const { command } = step;
  const { strict, maxHeadAgeSeconds, isSynced, hasState, ...few } = command;
  if ((strict ?? maxHeadAgeSeconds ?? isSynced ?? hasState) !== undefined) yield { ...step, command: few };
  if (isSynced === true && hasState !== undefined) yield { ...step, command: { ...few, hasState } };
  if (command.witnesses > 0) yield { ...step, command: { ...command, witnesses: 0 } };
  if (command.acceptStaleStart) yield { ...step, command: { ...command, acceptStaleStart: false } };
  const { consumerMs, throwsAt, ...plain } = command;
  if (consumerMs !== undefined || throwsAt !== undefined) yield { ...step, command: plain };
  if (step.back > 1) yield { ...step, back: 1 };
}

function* smaller(plan: Plan): Generator<Plan> {
  const { steps, servers, user, chain } = plan;
  for (const at of steps.keys()) if (steps.length > 1) yield { ...plan, steps: without(steps, at) };
  for (const at of servers.keys()) {
    if (servers.length > 1) yield { ...plan, servers: without(servers, at), user: { ...user, without: null } };
  }
  if (plan.adversary !== 'none') yield { ...plan, adversary: 'none' };
  if (user.skewSeconds !== 0) yield { ...plan, user: { ...user, skewSeconds: 0 } };
  if (user.isRootEvil) yield { ...plan, user: { ...user, isRootEvil: false } };
  if (user.isPinned) yield { ...plan, user: { ...user, isPinned: false } };
  if (user.without !== null) yield { ...plan, user: { ...user, without: null } };
  if (user.rootBack > 0) yield { ...plan, user: { ...user, rootBack: user.rootBack >> 1 } };
  if (chain.blocks > chain.keyEvery) {
    yield { ...plan, chain: { ...chain, blocks: Math.max(chain.keyEvery, chain.blocks >> 1) } };
    yield { ...plan, chain: { ...chain, blocks: chain.blocks - 1 } };
  }
  const { pause, emptyShare, ...steady } = chain;
  if ((pause ?? emptyShare) !== undefined) yield { ...plan, chain: steady };
  if (chain.simplexFrom !== 0) yield { ...plan, chain: { ...chain, simplexFrom: 0 } };
  for (const [at, server] of servers.entries()) {
    for (const one of smallerServers(server)) yield { ...plan, servers: withAt(servers, at, one) };
  }
  for (const [at, step] of steps.entries()) {
    for (const one of smallerSteps(step)) yield { ...plan, steps: withAt(steps, at, one) };
  }
}

/** What is violated, without the numbers in it. */
export function shapeOf({ invariant, what }: Violation): string {
  return `${invariant} ${what
    .split('\n')[0]!
    .slice(0, 60)
    .replaceAll(/[0-9a-f]*[0-9][0-9a-f]*/g, 'N')}`;
}

export async function shrink(subject: Tried, plan: Plan, violation: Violation): Promise<Plan> {
  const shape = shapeOf(violation);
  let least = plan;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smaller(least)) {
      if (++tries > MOST_TRIES) return least;
      const { violations } = await live(subject, candidate);
      if (violations[0] === undefined || shapeOf(violations[0]) !== shape) continue;
      least = candidate;
      isSmaller = true;
      break;
    }
  }
  return least;
}
