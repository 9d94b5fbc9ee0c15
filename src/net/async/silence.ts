/** When a run that tells nothing says why: after ten seconds, after twenty, forty and so on. */
import { leftMs, type Quiet, SILENT_MS, toldAt } from '../machine/stall.ts';
import { LONGEST_TIMEOUT_MS } from './timer.ts';

export class Silence {
  readonly #say: (forMs: number) => void;
  readonly #firstMs: number;
  #quiet: Quiet = { sinceMs: 0, dueMs: SILENT_MS };
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param say told for how many milliseconds nothing was; must not throw @param firstMs after which it is told first */
  constructor(say: (forMs: number) => void, firstMs = SILENT_MS) {
    this.#say = say;
    this.#firstMs = firstMs;
  }

  /** Something was told: silence begins anew. */
  begin(): void {
    this.#quiet = { sinceMs: performance.now(), dueMs: this.#firstMs };
    this.#arm();
  }

  /** What comes next is no silence. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const ms = leftMs(this.#quiet, performance.now());
    // A timer may fire a fraction of a millisecond early: the same would then be told twice. What is left may round to none.
    const fire = () => (leftMs(this.#quiet, performance.now()) > 0 ? this.#arm() : this.say());
    this.#timer = setTimeout(fire, Math.min(LONGEST_TIMEOUT_MS, Math.max(1, Math.ceil(ms))));
  }

  /** Says it now. */
  say(): void {
    const nowMs = performance.now();
    this.#quiet = toldAt(this.#quiet, nowMs);
    this.#arm();
    this.#say(Math.floor(nowMs - this.#quiet.sinceMs));
  }
}
