/** Worlds whose answers are bytes: the same as others, over a chain of the pool, with liars who change what they write. */
import { type ByteLie, makePlan, type Plan, type ServerPlan } from '../plan.ts';
import { type Random, random } from '../random.ts';

/** Chains, each with the fork that an adversary makes of it. */
const POOL = 6;

const LIES: Record<ByteLie | 'any', number> = {
  any: 6,
  flip: 3,
  truncate: 1,
  trail: 1,
  constructor: 1,
  other: 2,
  huge: 0.5,
  twice: 2,
  stolen: 2,
  session: 1,
  kind: 1,
  pruned: 2,
  header: 2,
  root: 1,
};

function ofPool(plan: Plan): Plan {
  const number = random('pool', plan.seed).int(1, POOL);
  const next = random('chain of the pool', number);
  const keyEvery = next.int(3, 9);
  const blocks = keyEvery + next.int(4, 30);
  // Old ones are for those who hold old keys, and for a start that is past its stakes.
  const gapSeconds = number % 2 === 0 ? next.int(7200, 80_000) : next.int(2, 200);
  const chain: Plan['chain'] = {
    pool: `pool ${number}`,
    keyEvery,
    electedSeconds: Math.max(next.int(3600, 60_000), keyEvery * Math.min(gapSeconds, 7200)),
    blocks,
    gapSeconds,
    blockSeconds: next.pick([1, 2, 2, 4]),
    sameSetShare: next.pick([0, 0.3, 0.8]),
    simplexFrom: [0, 1e9, blocks + 3][number % 3]!,
    emptyShare: 0.3,
    ...(plan.chain.pause === undefined ? {} : { pause: plan.chain.pause }),
  };
  return { ...plan, chain };
}

function withLies(server: ServerPlan, next: Random): ServerPlan {
  if (server.kind !== 'liar' || next.chance(0.3)) return server;
  return { ...server, bytes: { lie: next.weighted(LIES), share: next.pick([0.1, 0.3, 1]) } };
}

/** One that has no keys, answers first, and forges signatures of what was pinned a moment ago. */
function withForger(plan: Plan, next: Random): Plan {
  const at = plan.servers.findIndex(({ kind }) => kind === 'liar');
  const liar = plan.servers[at];
  if (liar?.kind !== 'liar' || plan.hardfork !== undefined) return plan;
  const { bytes: _, ...own } = liar;
  const lie = next.pick(['twice', 'twice', 'stolen', 'session', 'kind', undefined] as const);
  const forger: ServerPlan = {
    ...own,
    head: 'ghost',
    latencyMs: 1,
    skewSeconds: 0,
    lookup: 'ghost',
    proof: 'elsewhere',
    by: 1,
    whim: 0,
    ...(lie === undefined ? {} : { bytes: { lie, share: 1 } }),
  };
  const user = { ...plan.user, rootBack: 0, isRootEvil: false, skewSeconds: 0, without: null };
  const [first] = plan.steps;
  if (first?.kind !== 'run') return plan;
  const { signEverySeconds = 5 } = first.command;
  const name = next.pick(['sync', 'latest', 'verify', 'follow'] as const);
  const command = { name, witnesses: 0, acceptStaleStart: false, ...(name === 'follow' ? { signEverySeconds } : {}) };
  const step = { ...first, command, back: 0, seconds: name === 'follow' ? 30 : 150, killAt: null, sleep: null };
  const others = plan.servers.filter((_, index) => index !== at);
  return { ...plan, adversary: 'none', user, servers: [forger, ...others], steps: [step, ...plan.steps.slice(1)] };
}

export function makeBytePlan(seed: number): Plan {
  const plan = ofPool(makePlan(seed));
  const next = random('bytes of liars', seed);
  const lying = { ...plan, servers: plan.servers.map((server) => withLies(server, next)) };
  return next.chance(0.1) ? withForger(lying, next) : lying;
}
