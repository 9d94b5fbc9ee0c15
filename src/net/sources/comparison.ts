/** Compares a proven block with other servers while a chain is followed, over HTTP and lite servers alike: driver of a machine. */
import { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { Tasks } from '../async/tasks.ts';
import { startTimer, untilAborted } from '../async/timer.ts';
import {
  COMPARE_WAIT_MS,
  type ComparisonAction,
  type ComparisonEvent,
  type ComparisonState,
  startComparison,
  stepComparison,
} from '../machine/comparison.ts';
import { isA } from '../machine/outcome.ts';
import { joinReports, type WitnessReport } from './witness-report.ts';

/** The question to one server. */
export interface Question {
  /** The server. */
  readonly client: object;
  /**
   * Asks the server; rejects with an error that ends the run. @param onOther called when the server names a different
   * block, before it is asked to prove it
   */
  readonly ask: (onOther: () => void) => Promise<WitnessReport>;
}

export interface ComparisonTerms {
  /** Servers that are asked only where too few of the others agree. */
  readonly more: readonly Question[];
  readonly witnesses: number;
  /** Returns the number of witnesses that servers count as, by their names. */
  readonly voices: (agreed: readonly string[]) => number;
  /** Whether each server is waited for. */
  readonly isWhole: boolean;
  /** Called with the answer of a server that was not waited for. */
  readonly onLate: (report: WitnessReport) => void;
}

/** The answers in time, and whether enough servers agree. */
interface Heard {
  readonly heard: WitnessReport;
  readonly isEnough: boolean;
}

export class Comparisons {
  readonly #signal: Signal;
  /** Servers that are not waited for: their last answer came too late, or was a different block without a proof. */
  readonly #slow = new Set<object>();
  /** Questions to servers that named a different block, as long as they are open. */
  readonly #against = new Set<Promise<unknown>>();
  readonly #fail: (error: unknown) => void;

  /** Makes the comparisons of a run. @param fail ends the run with the failure of a late answer, such as a fork */
  constructor(signal: Signal, fail: (error: unknown) => void) {
    this.#signal = signal;
    this.#fail = fail;
  }

  /** Waits for the proofs of servers that named a different block. @param ms the longest wait */
  async settled(ms: number): Promise<void> {
    if (this.#against.size === 0) return;
    const timer = startTimer(ms, this.#signal);
    await untilAborted(Promise.allSettled(this.#against), timer.signal).catch(() => {}); // the wait is over
    timer.close();
  }

  /** Compares a block. @throws ForkError, or another error that ends the run */
  async compare(
    questions: readonly Question[],
    { more, witnesses, isWhole, voices, onLate }: ComparisonTerms,
  ): Promise<Heard> {
    const tasks = new Tasks<ComparisonEvent>(this.#signal);
    const all = [...questions, ...more];
    const reports = new Map<number, WitnessReport>();
    const startMs = performance.now();
    let isOver = false;
    /** Asks one server; its question continues after the comparison is over. */
    const part = async (at: number): Promise<ComparisonEvent> => {
      const { client, ask } = all[at]!; // the machine names one of them
      let heard: () => void = () => {};
      const answer = new Promise<void>((resolve) => {
        heard = resolve;
      });
      try {
        const report = await ask(() => {
          this.#against.add(answer);
          tasks.put({ kind: 'names-another', at });
        });
        const isInTime = performance.now() - startMs < COMPARE_WAIT_MS;
        if (isInTime && report.contradicts.length + report.silent.length === 0) this.#slow.delete(client);
        if (isOver && !this.#signal.aborted) onLate(report);
        reports.set(at, report);
        return { kind: 'over', at, voices: voices([...reports.values()].flatMap(({ agreed }) => agreed)) };
      } catch (error) {
        if (isOver && (!(error instanceof SourceError) || isA(error.code, 'ends-following'))) this.#fail(error);
        throw error;
      } finally {
        this.#against.delete(answer);
        heard();
      }
    };
    const perform = async (action: ComparisonAction, { parts }: ComparisonState): Promise<Heard | undefined> => {
      if (action.kind === 'wait') tasks.wake(-1, action.ms, { kind: 'waited' });
      else if (action.kind === 'ask') tasks.begin(action.at, () => part(action.at));
      else {
        isOver = true;
        const asked = all.slice(0, parts.length);
        for (const [at, { client }] of asked.entries()) {
          if (reports.get(at)?.contradicts.length !== 0) this.#slow.add(client);
        }
        return { heard: joinReports(asked.flatMap((_, at) => reports.get(at) ?? [])), isEnough: action.isEnough };
      }
      return undefined;
    };
    const isSlow = questions.map(({ client }) => this.#slow.has(client));
    const start = startComparison(isSlow, more.length, witnesses, isWhole);
    return await tasks.run(start, { kind: 'begin' }, stepComparison, perform);
  }
}
