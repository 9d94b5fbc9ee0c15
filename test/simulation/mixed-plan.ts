/**
 * Worlds made of parts of others: a kept plan or a drawn one, with servers, commands or the fork of a second one, and sleeps. What
 * broke once is near what breaks next, and one draw of everything seldom comes near it. The plans are those of this commit: a later
 * one has more kept plans.
 */
import kept from './kept.json' with { type: 'json' };
import { type HonestServer, type Liar, type Moment, makePlan, type Plan, type ServerPlan, type Step } from './plan.ts';
import { type Random, random } from './random.ts';

const DAY = 86_400;
const MOST_SERVERS = 12;
const MOST_STEPS = 6;
const LAST_SEED = 30_000_000;
/** Ids of servers that are put into a world begin here: streams of random numbers bear their names. */
const FIRST_ID = 200;

type Run = Extract<Step, { kind: 'run' }>;

/** Half of the worlds that are drawn have an adversary without keys, and little to mix. */
function parent(next: Random): Plan {
  for (let tries = 0; ; tries++) {
    const plan = next.chance(0.4) ? (next.pick(kept).plan as unknown as Plan) : makePlan(next.int(1, LAST_SEED));
    if (plan.adversary !== 'none' || tries >= 20) return plan;
  }
}

function forger(liar: Liar, next: Random): Liar {
  return {
    ...liar,
    head: next.pick(['fork', 'fork', 'echo', 'truth', 'ghost']),
    lookup: next.pick(['fork', 'fork', 'truth', 'ghost']),
    proof: next.pick(['fork', 'fork', 'fork', 'cut', 'prefix', 'not-ready', 'busy', 'silence']),
    whim: next.pick([0, 0, 0.1]),
    cut: next.pick(['none', 'first', 'any']),
    skewSeconds: 0,
  };
}

const isHonest = (server: ServerPlan): server is HonestServer => server.kind === 'honest';
const isLiar = (server: ServerPlan): server is Liar => server.kind === 'liar';
const isRun = (step: Step): step is Run => step.kind === 'run';

const CHANGES = [
  'liar',
  'liar',
  'liar',
  'honest',
  'sick',
  'command',
  'witnesses',
  'sleep',
  'keys',
  'more',
  'fork',
] as const;

/** Changes one thing. */
function change(plan: Plan, other: Plan, next: Random): Plan {
  const { servers, steps, chain } = plan;
  const id = Math.max(FIRST_ID, ...servers.map((server) => server.id + 1));
  const [liars, good] = [other.servers.filter(isLiar), other.servers.filter(isHonest)];
  const runs = steps.filter(isRun);
  const withRun = (of: (run: Run) => Run): Plan => {
    if (runs.length === 0) return plan;
    const run = next.pick(runs);
    return { ...plan, steps: steps.map((step) => (step === run ? of(run) : step)) };
  };
  switch (next.pick(CHANGES)) {
    case 'liar': {
      if (liars.length === 0 || servers.length >= MOST_SERVERS) return plan;
      const liar = next.pick(liars);
      const drawn = plan.adversary !== 'none' && next.chance(0.6) ? forger(liar, next) : liar;
      const put = { ...drawn, id, latencyMs: next.pick([1, 30, 400, 2500]) };
      return { ...plan, servers: next.chance(0.5) ? [put, ...servers] : [...servers, put] };
    }
    case 'honest':
      if (good.length === 0 || servers.length >= MOST_SERVERS) return plan;
      return { ...plan, servers: [...servers, { ...next.pick(good), id }] };
    case 'sick': {
      const own = servers.filter(isHonest);
      if (own.length === 0) return plan;
      const one = next.pick(own);
      const sick: HonestServer = {
        ...one,
        latencyMs: next.pick([1, 80, 400, 2500]),
        proofs: next.pick(['well', 'well', 'busy', 'silence', 'not-ready']),
        loss: next.pick([0, 0, 0.2]),
        lagSeconds: next.pick([0, 0, 3, 30]),
      };
      return { ...plan, servers: servers.map((server) => (server === one ? sick : server)) };
    }
    case 'command': {
      const [from] = other.steps.filter(isRun);
      return from === undefined ? plan : withRun((run) => ({ ...run, command: from.command, seconds: from.seconds }));
    }
    case 'witnesses':
      return withRun((run) => ({ ...run, command: { ...run.command, witnesses: next.int(0, 3) } }));
    case 'sleep': {
      const sleep = [next.int(0, 20_000), next.pick([2, 7, 20]) * DAY] as const;
      const seconds = (run: Run) => (run.command.name === 'follow' ? Math.max(run.seconds, 60) : 150);
      return withRun((run) => ({ ...run, sleep, seconds: seconds(run) }));
    }
    case 'keys':
      return { ...plan, chain: { ...chain, keyEvery: next.pick([1, 2, 3, 5, 8, 12, 20]) } };
    case 'more':
      return { ...plan, steps: [...steps, ...other.steps].slice(0, MOST_STEPS) };
    case 'fork':
      return { ...plan, fork: other.fork, adversary: other.adversary === 'none' ? plan.adversary : other.adversary };
  }
}

function moment(next: Random): Moment {
  const at = next.pick(['read', 'question', 'answer', 'proof', 'proof'] as const);
  const when = { at, nth: next.int(1, next.pick(at === 'proof' ? [3, 6, 20] : [10, 30, 100])) };
  if (next.chance(0.25)) return { ...when, seconds: next.pick([1, 7, 20]) * DAY, isSleep: true };
  const stays = next.pick([1, 1, 2, 3, 6, 12, 40, undefined]);
  const seconds = next.pick([1, 1, 1, -1]) * next.pick([60, DAY, 20 * DAY, 20 * DAY]);
  return { ...when, seconds, ...(stays === undefined ? {} : { stays }) };
}

/** Sets the clock of every second world at events of its runs. These streams are their own: the rest of a plan is as it was. */
function withMoments(plan: Plan): Plan {
  const next = random('moments', plan.seed);
  if (next.chance(0.5)) return plan;
  const set = (step: Step): Step => (isRun(step) && next.chance(0.8) ? { ...step, moment: moment(next) } : step);
  const steps = plan.steps.map(set);
  const [liar] = plan.servers.filter(isLiar);
  if (liar === undefined || next.chance(0.4)) return { ...plan, steps };
  // Most that matters at a moment takes keys in office, or ones that a sleep makes old.
  const servers = plan.servers.map((server) => (server === liar ? { ...forger(liar, next), whim: 0 } : server));
  const adversary = plan.adversary === 'none' || next.chance(0.5) ? 'current' : plan.adversary;
  return { ...plan, adversary, servers, steps };
}

/** Makes the plan of a mixed world. */
export function mixedPlan(seed: number): Plan {
  const next = random('mixed', seed);
  let plan: Plan = { ...parent(next), seed };
  const other = parent(next);
  const changes = next.int(1, 5);
  for (let at = 0; at < changes; at++) plan = change(plan, other, next);
  plan = withMoments(plan);
  const { without } = plan.user;
  return without === null || without < plan.servers.length ? plan : { ...plan, user: { ...plan.user, without: null } };
}
