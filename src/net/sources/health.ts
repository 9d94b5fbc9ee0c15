/**
 * What is remembered of several servers, so that the next question goes to a healthy one at once. A breaker for each: one
 * that failed is asked after the others, and is probed by a question of its own turn after a time that doubles. It never
 * refuses: where nobody is healthy, all are asked as if they were. Counts by a clock that nobody sets.
 */
import type { SourceError } from '../../base/errors.ts';
import { tell } from '../async/callbacks.ts';
import type { BlockSource } from './block-source.ts';
import type { HealthChange, ServerState } from './server-events.ts';

const FIRST_PROBE_MS = 1000;
const LONGEST_PROBE_MS = 60_000;

/** A server and what it is asked as. */
export interface Candidate {
  readonly source: BlockSource;
  /** A server that is not up, asked in its old place to see whether it is again. */
  readonly isProbe: boolean;
}

export interface Health {
  /** Every server, the likeliest first. @param busyMs who would have to wait longer than this for its turn goes after the rest */
  inOrder(question: 'head' | 'signatures', busyMs: number): readonly Candidate[];
  /** A probe was sent: nobody else needs to, until it is clear. */
  probing(source: BlockSource): void;
  /** @param startedAt of the question, by `performance.now()`: what was asked before a failure says nothing of the time after */
  succeeded(source: BlockSource, startedAt: number): void;
  failed(source: BlockSource, state: Exclude<ServerState, 'up'>, error?: SourceError): void;
  stateOf(source: BlockSource): ServerState;
}

interface Record {
  state: ServerState;
  /** Failures that are not forgotten yet. */
  failures: number;
  failedAt: number;
  probeAt: number;
}

function probeDelay(failures: number): number {
  return Math.min(LONGEST_PROBE_MS, FIRST_PROBE_MS * 2 ** Math.min(failures - 1, 10));
}

export function createHealth(
  sources: readonly BlockSource[],
  onHealth: ((change: HealthChange) => void) | undefined,
): Health {
  const now = () => performance.now();
  const records = new Map<BlockSource, Record>(
    sources.map((source) => [source, { state: 'up', failures: 0, failedAt: 0, probeAt: 0 }]),
  );
  const of = (source: BlockSource): Record => records.get(source)!; // asked only about the sources given

  function change(source: BlockSource, to: ServerState, error?: SourceError): void {
    const record = of(source);
    const from = record.state;
    record.state = to;
    if (from === to) return;
    const probeInMs = to === 'up' ? 0 : probeDelay(record.failures);
    const because = error === undefined ? {} : { error };
    tell('onHealth', onHealth, Object.freeze({ server: source.name, from, to, probeInMs, ...because }));
  }

  return Object.freeze({
    inOrder(question: 'head' | 'signatures', busyMs: number): readonly Candidate[] {
      const usable: Candidate[] = [];
      const resting: Candidate[] = [];
      for (const source of sources) {
        const { state, probeAt } = of(source);
        // Only its head tells whether a server has caught up.
        const isProbe = state !== 'up' && probeAt <= now() && (state !== 'behind' || question === 'head');
        const isBusy = (source.waitMs?.() ?? 0) > busyMs;
        ((state === 'up' || isProbe) && !isBusy ? usable : resting).push({ source, isProbe });
      }
      return [...usable, ...resting];
    },
    probing(source: BlockSource): void {
      const record = of(source);
      record.probeAt = now() + probeDelay(Math.max(1, record.failures));
    },
    succeeded(source: BlockSource, startedAt: number): void {
      const record = of(source);
      if (record.failures > 0 && startedAt < record.failedAt) return;
      // Forgotten after as long again: one that only looks healthy when probed is probed ever more rarely.
      if (record.failures > 0 && now() - record.failedAt > 2 * probeDelay(record.failures)) record.failures = 0;
      change(source, 'up');
    },
    failed(source: BlockSource, state: Exclude<ServerState, 'up'>, error?: SourceError): void {
      const record = of(source);
      record.failures++;
      record.failedAt = now();
      record.probeAt = now() + probeDelay(record.failures);
      change(source, state, error);
    },
    stateOf: (source: BlockSource) => of(source).state,
  });
}
