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
  // Old ones are for those who hold old keys, and for a start that is past its stakes.
  const gapSeconds = number % 2 === 0 ? next.int(7200, 80_000) : next.int(2, 200);
  const chain: Plan['chain'] = {
    pool: `pool ${number}`,
    keyEvery,
    electedSeconds: Math.max(next.int(3600, 60_000), keyEvery * Math.min(gapSeconds, 7200)),
    blocks: keyEvery + next.int(4, 40),
    gapSeconds,
    blockSeconds: next.pick([1, 2, 2, 4]),
    sameSetShare: next.pick([0, 0.3, 0.8]),
    simplexFrom: next.pick([0, 20, 1e9]),
  };
  return { ...plan, chain };
}

function withLies(server: ServerPlan, next: Random): ServerPlan {
  if (server.kind !== 'liar' || next.chance(0.35)) return server;
  return { ...server, bytes: { lie: next.weighted(LIES), share: next.pick([0.1, 0.3, 1]) } };
}

export function makeBytePlan(seed: number): Plan {
  const plan = ofPool(makePlan(seed));
  const next = random('bytes of liars', seed);
  return { ...plan, servers: plan.servers.map((server) => withLies(server, next)) };
}
