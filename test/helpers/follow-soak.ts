/**
 * A chain at ten blocks a second, followed through three servers of which one at a time, sometimes two, die, freeze, lie or
 * throttle, while their clocks and this machine's step back and forth: what was reported, how late, and what it cost.
 */

import { firstOf } from '../../src/net/sources/first-of.ts';
import { toncenterV2 } from '../../src/net/toncenter/toncenter-v2.ts';
import { disorder, followFigures } from './follow-figures.ts';
import { FAILING_MOODS, startLivingChain, startLivingServer } from './living-chain.ts';

export interface FollowSoakResult {
  readonly blocks: number;
  /** Seqnos that are missing, come twice, or out of order. */
  readonly disorder: readonly number[];
  readonly verdicts: Readonly<Record<string, number>>;
  /** Milliseconds from the birth of a block to its report: the median, the 99th of a hundred, the worst. */
  readonly lateMs: { readonly median: number; readonly p99: number; readonly worst: number };
  /** Moods that servers went through, steps of clocks among them. */
  readonly incidents: number;
  readonly troubles: number;
  readonly changesOfHealth: number;
  /** Bytes of resident memory, one reading every second after a start of a fifth of the run. */
  readonly rss: readonly number[];
  /** Timers and sockets of this process when all is over, beyond those before. */
  readonly left: readonly string[];
}

const MS_PER_BLOCK = 100;

/** xorshift32: the same incidents in the same order for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function resources(): readonly string[] {
  // An interval of the test runner may come and go.
  return process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate');
}

export async function soakFollow(seconds: number, seed = 1): Promise<FollowSoakResult> {
  const before = resources();
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!; // none of them is empty
  const chain = startLivingChain(MS_PER_BLOCK);
  const servers = await Promise.all([0, 1, 2].map(() => startLivingServer(chain)));
  const opts = { requestsPerSecond: Number.POSITIVE_INFINITY, timeoutMs: 3000 };
  let changesOfHealth = 0;
  const source = firstOf(
    servers.map(({ baseUrl }) => toncenterV2({ baseUrl, ...opts })),
    { stallMs: 1000, onHealth: () => void changesOfHealth++ },
  );

  const clock = Date.now;
  let stepMs = 0;
  Date.now = () => clock() + stepMs;
  let incidents = 0;
  const unrest = setInterval(() => {
    incidents++;
    const server = pick(servers);
    const others = servers.filter((one) => one !== server);
    stepMs = pick([0, -3_600_000, 3_600_000, -86_400_000, 1000]);
    server.clockOffMs = pick([0, -7_200_000, 7_200_000]);
    const isSick = random() < 0.75;
    // One of the three at least is well: where nobody is, nothing can be reported.
    const canBe = others.some(({ mood }) => mood === 'well');
    void server.become(isSick && canBe ? pick(FAILING_MOODS) : 'well');
  }, 700);

  const start = performance.now();
  const rss: number[] = [];
  const troubles = 0;
  const watch = setInterval(() => {
    if (performance.now() - start > seconds * 200) rss.push(process.memoryUsage.rss());
  }, 1000);
  try {
    const figures = await followFigures(chain, source, () => performance.now() - start > seconds * 1000, {
      pollMs: 50,
    });
    const sorted = [...figures.lateMs].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    return {
      blocks: figures.seqnos.length,
      disorder: disorder(figures.seqnos, chain.first),
      verdicts: figures.verdicts,
      lateMs: { median: at(0.5), p99: at(0.99), worst: at(1) },
      incidents,
      troubles,
      changesOfHealth,
      rss,
      left: await leftOver(before, unrest, watch, servers),
    };
  } finally {
    clearInterval(unrest);
    clearInterval(watch);
    Date.now = clock;
    await Promise.all(servers.map((server) => server.close()));
  }
}

async function leftOver(
  before: readonly string[],
  unrest: NodeJS.Timeout,
  watch: NodeJS.Timeout,
  servers: readonly { close(): Promise<void> }[],
): Promise<readonly string[]> {
  clearInterval(unrest);
  clearInterval(watch);
  await Promise.all(servers.map((server) => server.close()));
  const left = () => {
    const rest = [...before];
    return resources().filter((name) => {
      const at = rest.indexOf(name);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
  };
  for (let tries = 0; left().length > 0 && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return left();
}
