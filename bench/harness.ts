/**
 * Times candidates against each other in one plain process: every round runs all of them in a new random order, so that
 * the machine's moods fall on all alike. Only ratios of one run mean anything. It asserts nothing.
 */

export interface Candidate {
  readonly name: string;
  /** One unit of work. */
  run(): unknown;
}

export interface Timing {
  readonly name: string;
  /** Milliseconds of one unit of work. */
  readonly medianMs: number;
  readonly p10Ms: number;
  readonly p90Ms: number;
  /** Median of this candidate's rounds, each divided by the baseline's time in the same round. */
  readonly ratio: number;
}

export interface RunOptions {
  readonly rounds: number;
  /** Units of work in one measurement; enough that it takes some milliseconds. */
  readonly unitsPerRound?: (name: string) => number;
  readonly warmUpRounds?: number;
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}

function shuffled<T>(items: readonly T[]): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

async function measure(candidate: Candidate, units: number): Promise<number> {
  const start = process.hrtime.bigint();
  for (let unit = 0; unit < units; unit++) {
    const done = candidate.run();
    if (done instanceof Promise) await done;
  }
  return Number(process.hrtime.bigint() - start) / 1e6 / units;
}

/** The first candidate is the baseline of the ratios. */
export async function compare(candidates: readonly Candidate[], options: RunOptions): Promise<Timing[]> {
  const { rounds, unitsPerRound = () => 1, warmUpRounds = 3 } = options;
  const samples = new Map(candidates.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const candidate of shuffled(candidates)) {
      const ms = await measure(candidate, unitsPerRound(candidate.name));
      if (round >= 0) samples.get(candidate.name)!.push(ms);
    }
  }
  const baseline = samples.get(candidates[0]!.name)!;
  return candidates.map(({ name }) => {
    const own = samples.get(name)!;
    const sorted = [...own].sort((a, b) => a - b);
    const ratios = own.map((ms, round) => ms / baseline[round]!).sort((a, b) => a - b);
    return {
      name,
      medianMs: quantile(sorted, 0.5),
      p10Ms: quantile(sorted, 0.1),
      p90Ms: quantile(sorted, 0.9),
      ratio: quantile(ratios, 0.5),
    };
  });
}
