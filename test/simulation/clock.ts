/** Time that moves only when nothing is left to do at the moment. */

interface Entry {
  readonly atMs: number;
  readonly order: number;
  /** None once it was taken back: what it held on to is garbage long before its time. */
  call: (() => void) | undefined;
}

/** Lets every promise that can settle do so, and tells of those that failed with nobody looking. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The same, and tells of none: Node runs what it calls a tick once no promise is left that can settle, with no turn of its loop. */
const quicklySettled = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** Events after which those are told of. */
const QUICK = 64;

export class Clock {
  /** Milliseconds since the world began: what a monotonic clock of the machine shows. */
  nowMs = 0;
  /** Milliseconds that passed while the machine slept: its monotonic clock stood still. */
  sleptMs = 0;
  #order = 0;
  /** A heap: the next one stands first. */
  #heap: Entry[] = [];

  after(ms: number, call: () => void): () => void {
    const entry: Entry = { atMs: this.nowMs + Math.max(0, ms || 0), order: this.#order++, call };
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!this.#isBefore(entry, heap[up]!)) break;
      heap[at] = heap[up]!;
      at = up;
    }
    heap[at] = entry;
    return () => {
      entry.call = undefined;
    };
  }

  #isBefore(one: Entry, other: Entry): boolean {
    return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
  }

  #next(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && this.#isBefore(heap[down + 1]!, heap[down]!)) down += 1;
      if (!this.#isBefore(heap[down]!, last)) break;
      heap[at] = heap[down]!;
      at = down;
    }
    heap[at] = last;
    return first;
  }

  /** Forgets whatever was to happen: the process is dead. */
  clear(): void {
    this.#heap = [];
  }

  /**
   * Lets things happen until `isOver`, or `untilMs`, or nothing is left that could.
   * @returns false when `isOver` did not come
   */
  async run(isOver: () => boolean, untilMs: number): Promise<boolean> {
    for (let events = 0; ; events++) {
      await (events % QUICK === 0 ? settled() : quicklySettled());
      if (isOver()) return true;
      let entry = this.#next();
      // Most are limits of what has ended in time: where nothing is called, there is nothing that could settle.
      while (entry !== undefined && entry.call === undefined) entry = this.#next();
      if (entry === undefined) return false;
      if (entry.atMs > untilMs) {
        this.nowMs = untilMs;
        return false;
      }
      this.nowMs = Math.max(this.nowMs, entry.atMs);
      entry.call?.();
    }
  }
}
