/** Many worlds, one after the other, and what they came to; one world in words. */
import { FAULTS } from './faults.ts';
import { describe, makePlan, type Plan } from './plan.ts';
import type { Subject } from './port.ts';
import { emptySummary } from './shards.ts';
import { type Outcome, type Violation, World } from './world.ts';

export interface Loaded extends Subject {
  forget(): void;
}

export interface Tried extends Loaded {
  /** The plan of a seed, where it is another one than `makePlan` says. */
  plan?(seed: number): Plan;
  /** Called before each world. */
  begin?(): void;
}

export const planOf = (subject: Tried, seed: number): Plan => (subject.plan ?? makePlan)(seed);

export async function live(subject: Tried, plan: Plan, keepTrace = false): Promise<Outcome> {
  subject.begin?.();
  const { stackTraceLimit } = Error;
  // Where an error was made is for who reads: to find that out for each took a tenth of the time.
  if (!keepTrace) Error.stackTraceLimit = 0;
  try {
    return await new World(plan, keepTrace).live(subject);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    subject.forget();
  }
}

export interface Summary {
  worlds: number;
  readonly failed: { readonly seed: number; readonly violations: readonly Violation[] }[];
  /** Worlds in which each exception to the first invariant holds. */
  readonly exceptions: Record<string, number>;
  /** Worlds without any, and those of them in which a liar is the first to answer. */
  withoutException: number;
  liarFirst: number;
  /** Worlds in which a block was reported final. */
  finals: number;
  /** How commands ended. */
  readonly ends: Record<string, number>;
  /** For each known fault the first seed that showed it, and in how many worlds it was seen. */
  readonly faults: Record<string, { readonly firstSeed: number; readonly after: number; worlds: number }>;
}

/**
 * @param onWorld told of each world when it is over
 * @param isMeant which of them run
 */
export async function runWorlds(
  subject: Tried,
  from: number,
  worlds: number,
  onWorld: (seed: number, outcome: Outcome) => void = () => {},
  isMeant: (plan: Plan) => boolean = () => true,
): Promise<Summary> {
  const summary = emptySummary();
  for (let seed = from; seed < from + worlds; seed++) {
    const plan = planOf(subject, seed);
    if (!isMeant(plan)) continue;
    summary.worlds += 1;
    const outcome = await live(subject, plan);
    onWorld(seed, outcome);
    for (const letter of outcome.exceptions) summary.exceptions[letter]! += 1;
    if (outcome.exceptions.length === 0) {
      summary.withoutException += 1;
      if (outcome.liarFirst) summary.liarFirst += 1;
    }
    if (outcome.finals > 0) summary.finals += 1;
    for (const end of outcome.ends) summary.ends[end] = (summary.ends[end] ?? 0) + 1;
    if (outcome.violations.length === 0) continue;
    summary.failed.push({ seed, violations: outcome.violations });
    for (const fault of FAULTS) {
      if (!fault.seen(outcome, plan)) continue;
      summary.faults[fault.name] ??= { firstSeed: seed, after: seed - from + 1, worlds: 0 };
      summary.faults[fault.name]!.worlds += 1;
    }
  }
  return summary;
}

/** Lines of a trace that are shown at most. */
const MOST_LINES = 200;

export function storyOf(plan: Plan, { trace, violations }: Outcome): string {
  const middle = MOST_LINES - 60;
  const shown =
    trace.length <= MOST_LINES
      ? trace
      : [...trace.slice(0, 59), `… ${trace.length - MOST_LINES + 1} lines left out …`, ...trace.slice(-middle)];
  return [
    ...describe(plan),
    '',
    ...shown,
    '',
    ...violations.map(({ invariant, what }) => `VIOLATED ${invariant}: ${what}`),
    '',
    `again: npm run test:simulation -- ${plan.chain.pool === undefined ? '' : '--bytes '}--seed ${plan.seed}`,
  ].join('\n');
}
