/** When a run that tells nothing says why: after ten seconds, after twenty, forty and so on. */

/** Milliseconds of silence after which it is told; then after twice as long, and so on. */
const SILENT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 0x7fffffff; // setTimeout takes an int32

export class Silence {
  readonly #say: (forMs: number) => void;
  #sinceMs = 0;
  #dueMs = SILENT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param say told for how many milliseconds nothing was; must not throw */
  constructor(say: (forMs: number) => void) {
    this.#say = say;
  }

  /** Something was told: silence begins anew. */
  begin(): void {
    this.#sinceMs = performance.now();
    this.#dueMs = SILENT_MS;
    this.#arm();
  }

  /** What comes next is no silence. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const leftMs = this.#sinceMs + this.#dueMs - performance.now();
    // A timer may fire a fraction of a millisecond early: the same would then be told twice. What is left may round to none.
    const fire = () => (performance.now() - this.#sinceMs < this.#dueMs ? this.#arm() : this.say());
    this.#timer = setTimeout(fire, Math.min(LONGEST_TIMEOUT_MS, Math.max(1, Math.ceil(leftMs))));
  }

  /** Says it now. */
  say(): void {
    const forMs = Math.floor(performance.now() - this.#sinceMs);
    while (this.#dueMs <= forMs) this.#dueMs *= 2;
    this.#arm();
    this.#say(forMs);
  }
}
