/** Reports why a run is silent: after ten seconds without output, then after twenty, forty and so on. */
import { leftMs, type Quiet, SILENT_MS, toldAt } from '../machine/stall.ts';
import { LONGEST_TIMEOUT_MS } from './timer.ts';

export class Silence {
  readonly #say: (forMs: number) => void;
  readonly #firstMs: number;
  #quiet: Quiet = { sinceMs: 0, dueMs: SILENT_MS };
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param say receives the milliseconds of silence so far; must not throw @param firstMs silence before the first call
   */
  constructor(say: (forMs: number) => void, firstMs = SILENT_MS) {
    this.#say = say;
    this.#firstMs = firstMs;
  }

  /** Restarts the count of silence, after something was reported. */
  begin(): void {
    this.#quiet = { sinceMs: performance.now(), dueMs: this.#firstMs };
    this.#arm();
  }

  /** Stops counting silence. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const ms = leftMs(this.#quiet, performance.now());
    // A timer may fire a fraction of a millisecond early and would then report twice. The rest may round to zero.
    const fire = () => (leftMs(this.#quiet, performance.now()) > 0 ? this.#arm() : this.say());
    this.#timer = setTimeout(fire, Math.min(LONGEST_TIMEOUT_MS, Math.max(1, Math.ceil(ms))));
  }

  /** Reports the silence now. */
  say(): void {
    const nowMs = performance.now();
    this.#quiet = toldAt(this.#quiet, nowMs);
    this.#arm();
    this.#say(Math.floor(nowMs - this.#quiet.sinceMs));
  }
}
