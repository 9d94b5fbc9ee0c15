/**
 * The tables of one ring's keys: which key has which table, when it gets a better one, and how much memory the tables
 * use. At its second use a key is queued for a narrow table, which pays off within about ten signatures. Later it gets
 * the widest table that the ring's budget allows, together with a larger table of the base point. The work is done in
 * small steps, and the caller decides how many steps a call makes.
 */
import { EngineError } from '../base/errors.ts';
import { type KernelState, SMALL_BASE_WIDTH } from './kernel-state.ts';

/** Bits of a table's window; 0 means none. A wider table is faster and larger. */
export type TableWidth = 0 | 4 | 5 | 6 | 7 | 8;

/** How a ring grows its tables. */
export interface TablePlan {
  /** The table of a key that is used repeatedly. */
  readonly first: TableWidth;
  /** The later table of a key, when there is more than one step. */
  readonly final: TableWidth;
  /** Width of the table of the base point that goes with the final ones. */
  readonly base: number;
  /** Bytes of key tables this ring may hold. */
  readonly maxBytes: number;
}

export interface KernelKey {
  readonly record: number;
  uses: number;
  width: TableWidth;
  table: number;
}

export const RECORD_BYTES = 128;
/** Uses after which a key gets its first table, and its final one. */
const USES_FOR_FIRST = 2;
const USES_FOR_FINAL = 16;
/** Keys decoded in one step, which takes about 0.3 ms like the other steps. */
const KEYS_A_STEP = 16;

export class KeyTables {
  readonly #state: KernelState;
  readonly #plan: TablePlan;
  readonly #keys: readonly (KernelKey | undefined)[];
  readonly #records: number;
  #decoded = 0;
  #bytes = 0;
  #isGrowing: boolean;

  /**
   * Opens the tables of a ring.
   * @param keys whose records are in order from `records` on, with the keys' bytes inside
   */
  constructor(state: KernelState, plan: TablePlan, records: number, keys: readonly (KernelKey | undefined)[]) {
    this.#state = state;
    this.#plan = plan;
    this.#records = records;
    this.#keys = keys;
    this.#isGrowing = plan.first > 0;
  }

  /** Bytes held by all tables. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Decodes all keys, for a ring that checks signatures without tables itself. */
  decodeAll(): void {
    while (this.#decode());
  }

  /** Decodes some keys. Returns whether any were left. */
  #decode(): boolean {
    const count = Math.min(KEYS_A_STEP, this.#keys.length - this.#decoded);
    if (count <= 0) return false;
    const from = this.#records + RECORD_BYTES * this.#decoded;
    this.#state.heap.run((kernel) => kernel.decodeKeys(from, count));
    this.#decoded += count;
    return true;
  }

  /** Does a limited piece of work on the tables of the keys just used. Returns whether there may be more work. */
  grow(touched: ReadonlySet<KernelKey>): boolean {
    if (!this.#isGrowing) return false;
    try {
      return this.#step([...touched]);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // No memory for more tables: the keys keep their tables. After a trap the next call reports it; these verdicts
      // are valid.
      this.#isGrowing = false;
      return false;
    }
  }

  #step(touched: readonly KernelKey[]): boolean {
    const { first, final, base } = this.#plan;
    const repeated = touched.filter((key) => key.uses >= USES_FOR_FIRST && key.width < first);
    if (repeated.length > 0) {
      if (this.#decode()) return true;
      if (this.#state.growBase(SMALL_BASE_WIDTH, 1)) this.#buildPair(repeated, first);
      return this.#isGrowing;
    }
    const frequent = touched.filter((key) => key.uses >= USES_FOR_FINAL);
    if (frequent.length === 0) return false;
    if (!this.#state.growBase(base, 1)) return true;
    const narrow = frequent.filter((key) => key.width < final);
    if (narrow.length === 0) return false;
    this.#buildPair(narrow, final);
    return this.#isGrowing;
  }

  /** Builds the final tables of all keys, as far as the budget allows, step by step. */
  *all(): Generator<void, void, void> {
    const { final, base } = this.#plan;
    if (final === 0) return;
    while (this.#decode()) yield;
    while (!this.#state.growBase(base, 1)) yield;
    for (;;) {
      const narrow = this.#keys.filter((key) => key !== undefined && key.width < final) as KernelKey[]; // undefined is filtered out
      if (narrow.length === 0 || !this.#buildPair(narrow, final)) return;
      yield;
    }
  }

  /**
   * Builds tables of `width` for the first two of these keys, or the only one. Returns whether the budget allowed them.
   */
  #buildPair(keys: readonly KernelKey[], width: TableWidth): boolean {
    const { heap } = this.#state;
    const size = heap.kernel.tableBytes(width);
    const pair = keys.slice(0, 2);
    const released = pair.reduce((sum, key) => sum + this.#bytesOf(key), 0);
    if (this.#bytes - released + size * pair.length > this.#plan.maxBytes) {
      this.#isGrowing = false;
      return false;
    }
    const [key0, key1] = [pair[0]!, pair[pair.length - 1]!];
    const table0 = heap.allocate(size);
    let table1 = table0;
    try {
      if (pair.length === 2) table1 = heap.allocate(size);
    } catch (error) {
      heap.free(table0, size);
      throw error;
    }
    heap.run((kernel) => kernel.buildKeyTables(key0.record, key1.record, table0, table1, width));
    this.#assign(key0, table0, width, size);
    if (pair.length === 2) this.#assign(key1, table1, width, size);
    return true;
  }

  #assign(key: KernelKey, table: number, width: TableWidth, size: number): void {
    this.#release(key);
    key.table = table;
    key.width = width;
    this.#bytes += size;
  }

  #bytesOf(key: KernelKey): number {
    return key.width === 0 ? 0 : this.#state.heap.kernel.tableBytes(key.width);
  }

  #release(key: KernelKey): void {
    if (key.width === 0) return;
    const size = this.#bytesOf(key);
    this.#state.heap.free(key.table, size);
    this.#bytes -= size;
    key.width = 0;
    key.table = 0;
  }

  /** Frees all tables. */
  release(): void {
    for (const key of this.#keys) if (key !== undefined) this.#release(key);
  }
}
