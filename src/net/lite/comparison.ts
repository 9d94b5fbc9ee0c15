/** Has other servers say what they think of a proven block while a chain is followed: driver of a machine. */
import { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { Tasks } from '../async/tasks.ts';
import {
  COMPARE_WAIT_MS,
  type ComparisonAction,
  type ComparisonEvent,
  type ComparisonState,
  startComparison,
  stepComparison,
} from '../machine/comparison.ts';
import type { LiteServerClient } from './client.ts';
import { joinReports, type WitnessReport } from './witnesses.ts';

/** What one server is asked. */
export interface Question {
  readonly client: LiteServerClient;
  /** Rejects with what ends the run. @param onOther called when the server names another block, before it is asked to prove it */
  readonly ask: (onOther: () => void) => Promise<WitnessReport>;
}

export interface ComparisonTerms {
  /** Asked only where too few of the others agree. */
  readonly more: readonly Question[];
  readonly witnesses: number;
  /** As how many witnesses servers count, by their names. */
  readonly voices: (agreed: readonly string[]) => number;
  /** Each is waited for. */
  readonly isWhole: boolean;
  /** What one says that was not waited for. */
  readonly onLate: (report: WitnessReport) => void;
}

/** What was said in time, and whether as many agree as have to. */
interface Heard {
  readonly heard: WitnessReport;
  readonly isEnough: boolean;
}

export class Comparisons {
  readonly #signal: Signal;
  /** Servers whose last part took too long to be waited for. */
  readonly #slow = new Set<LiteServerClient>();
  /** What a comparison that was not waited for came to in the end. */
  #late: { readonly error: unknown } | undefined;

  constructor(signal: Signal) {
    this.#signal = signal;
  }

  /** @throws what a comparison came to that was not waited for, such as a fork */
  requireNothingLate(): void {
    if (this.#late !== undefined) throw this.#late.error;
  }

  /** @throws ForkError, or what else ends the run */
  async compare(
    questions: readonly Question[],
    { more, witnesses, isWhole, voices, onLate }: ComparisonTerms,
  ): Promise<Heard> {
    const tasks = new Tasks<ComparisonEvent>(this.#signal);
    const all = [...questions, ...more];
    const reports = new Map<number, WitnessReport>();
    const startMs = performance.now();
    let isOver = false;
    /** A part goes on when the comparison is over. */
    const part = async (at: number): Promise<ComparisonEvent> => {
      const { client, ask } = all[at]!; // it is one of them
      try {
        const report = await ask(() => tasks.put({ kind: 'names-another', at }));
        if (isOver && !this.#signal.aborted) onLate(report);
        reports.set(at, report);
        return { kind: 'over', at, voices: voices([...reports.values()].flatMap(({ agreed }) => agreed)) };
      } catch (error) {
        if (isOver && (!(error instanceof SourceError) || error.code === 'source/disagree')) this.#late = { error };
        throw error;
      } finally {
        if (performance.now() - startMs < COMPARE_WAIT_MS) this.#slow.delete(client);
      }
    };
    const perform = async (action: ComparisonAction, { parts }: ComparisonState): Promise<Heard | undefined> => {
      if (action.kind === 'wait') tasks.wake(-1, action.ms, { kind: 'waited' });
      else if (action.kind === 'ask') tasks.begin(action.at, () => part(action.at));
      else {
        isOver = true;
        const asked = all.slice(0, parts.length);
        for (const [at, { client }] of asked.entries()) if (!reports.has(at)) this.#slow.add(client);
        return { heard: joinReports(asked.flatMap((_, at) => reports.get(at) ?? [])), isEnough: action.isEnough };
      }
      return undefined;
    };
    const isSlow = questions.map(({ client }) => this.#slow.has(client));
    const start = startComparison(isSlow, more.length, witnesses, isWhole);
    return await tasks.run(start, { kind: 'begin' }, stepComparison, perform);
  }
}
