/**
 * A key ring of the kernel: which key has which table, and when it gets a better one.
 *
 * A key's first signature is checked without a table. From its second on it is in line for a narrow table, which pays
 * for itself within some ten signatures, and after some thirty for the widest one that the ring's budget holds. Tables are built a few
 * keys a call, after the call's verdicts, so no block waits for all of them. None of this changes a verdict.
 */
import { EngineError, UsageError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES } from '../base/limits.ts';
import type { KeyRing } from './engine.ts';
import { baseWidthFor, JOB_BYTES, type KernelState, MAX_JOBS, SMALL_BASE_WIDTH } from './kernel-state.ts';
import { copyInputs, type RingInputs } from './ring-inputs.ts';

/** Bits of a table's window; 0 is no table. Wider is faster and larger. */
export type TableWidth = 0 | 4 | 5 | 6 | 7 | 8;

/** How a ring grows its tables. */
export interface TablePlan {
  /** What a key gets once it repeats. */
  readonly first: TableWidth;
  /** What it gets later on, when there is more than one step. */
  readonly final: TableWidth;
  /** Bytes of key tables this ring may hold. */
  readonly maxBytes: number;
}

const RECORD_BYTES = 128;
/** Uses after which a key gets its first table, and its final one. */
const USES_FOR_FIRST = 2;
const USES_FOR_FINAL = 32;
/** Narrow and wide tables built after one call. About 3 and 8 ms. */
const FIRST_TABLES_A_CALL = 16;
const FINAL_TABLES_A_CALL = 8;
/** Steps of the base table after one call, about 2 ms each. */
const BASE_STEPS_A_CALL = 3;
const ALL_STEPS = 1 << 20;

interface KernelKey {
  readonly record: number;
  uses: number;
  width: TableWidth;
  table: number;
}

/** A ring that can be told to have all its tables now, and says how large they are. */
export interface KernelKeyRing extends KeyRing {
  /** Builds the final tables of all keys at once, for a caller that knows thousands of blocks will follow. */
  buildTables(): void;
  /** Bytes held by the tables of this ring's keys. */
  readonly tableBytes: number;
}

export class KernelRing implements KernelKeyRing {
  readonly #state: KernelState;
  readonly #plan: TablePlan;
  readonly #keys: readonly (KernelKey | undefined)[];
  readonly #records: number;
  readonly #withoutTable: KeyRing | undefined;
  readonly #onClose: () => void;
  #tableBytes = 0;
  #isGrowing: boolean;
  #isClosed = false;

  /**
   * @param publicKeys nobody else may hold them
   * @param withoutTable checks the signatures of keys that have no table, where something is faster at that
   * @throws EngineError `engine/out-of-memory`
   */
  constructor(
    state: KernelState,
    publicKeys: readonly Uint8Array[],
    plan: TablePlan,
    withoutTable: KeyRing | undefined,
    onClose: () => void,
  ) {
    this.#state = state;
    this.#plan = plan;
    this.#withoutTable = withoutTable;
    this.#onClose = onClose;
    this.#isGrowing = plan.first > 0;
    const { heap } = state;
    this.#records = heap.allocate(RECORD_BYTES * Math.max(1, publicKeys.length));
    const { bytes } = heap;
    bytes.fill(0, this.#records, this.#records + RECORD_BYTES * publicKeys.length);
    this.#keys = publicKeys.map((publicKey, n) => {
      if (publicKey.length !== PUBLIC_KEY_BYTES) return undefined;
      const record = this.#records + RECORD_BYTES * n;
      bytes.set(publicKey, record);
      return { record, uses: 0, width: 0, table: 0 };
    });
    heap.run((kernel) => kernel.decodeKeys(this.#records, publicKeys.length));
  }

  get tableBytes(): number {
    return this.#tableBytes;
  }

  /** @throws EngineError `engine/self-test` once the kernel has trapped, `engine/out-of-memory` for a message without room */
  verify(...given: Parameters<KeyRing['verify']>): boolean[] {
    if (this.#isClosed) throw new UsageError('usage/closed', 'this key ring is closed');
    const inputs = copyInputs(...given);
    const { message, keyIndexes, signatures } = inputs;
    const verdicts = new Array<boolean>(keyIndexes.length).fill(false);
    const ofWidth = new Map<TableWidth, number[]>();
    const touched = new Set<KernelKey>(); // a key can occur twice, and must not get two tables
    for (let n = 0; n < keyIndexes.length; n++) {
      const key = this.#keys[keyIndexes[n]!];
      if (key === undefined || signatures[n] === undefined) continue;
      key.uses++;
      touched.add(key);
      const group = ofWidth.get(key.width);
      if (group === undefined) ofWidth.set(key.width, [n]);
      else group.push(n);
    }
    for (const [width, group] of ofWidth) {
      if (width === 0 && this.#withoutTable !== undefined) {
        const answers = this.#withoutTable.verify(
          message,
          group.map((n) => keyIndexes[n]!),
          group.map((n) => signatures[n]!),
        );
        for (let n = 0; n < group.length; n++) verdicts[group[n]!] = answers[n]!;
      } else {
        for (let at = 0; at < group.length; at += MAX_JOBS) {
          this.#verifyGroup(inputs, width, group.slice(at, at + MAX_JOBS), verdicts);
        }
      }
    }
    if (this.#isGrowing) this.#grow(touched);
    return verdicts;
  }

  /** One call of the kernel: signatures whose keys all have tables of one width. */
  #verifyGroup(
    { message, keyIndexes, signatures }: RingInputs,
    width: TableWidth,
    group: readonly number[],
    verdicts: boolean[],
  ): void {
    const { heap, jobs, baseRow, base } = this.#state;
    const messageAt = this.#state.placeMessage(message);
    const { bytes, words } = heap;
    for (let n = 0; n < group.length; n++) {
      const job = jobs + n * JOB_BYTES;
      const key = this.#keys[keyIndexes[group[n]!]!]!;
      bytes.set(signatures[group[n]!]!, job);
      words[(job + 64) >> 2] = key.record;
      words[(job + 68) >> 2] = key.table;
    }
    // A key gets its table after the base table is there.
    const [baseAt, baseWidth] = width === 0 ? [baseRow, SMALL_BASE_WIDTH] : [base!.address, base!.width];
    heap.run((kernel) => kernel.verifyJobs(jobs, group.length, messageAt, message.length, width, baseAt, baseWidth));
    for (let n = 0; n < group.length; n++) {
      verdicts[group[n]!] = words[(jobs + n * JOB_BYTES + 72) >> 2] === 1;
    }
  }

  /** A bounded piece of work on the tables of the keys just used. */
  #grow(touched: ReadonlySet<KernelKey>): void {
    const { first, final } = this.#plan;
    try {
      const frequent = [...touched].filter((key) => key.uses >= USES_FOR_FINAL && key.width < final);
      const repeated = [...touched].filter((key) => key.uses >= USES_FOR_FIRST && key.width < first);
      if (repeated.length > 0) {
        if (this.#state.growBase(first === final ? baseWidthFor(first) : SMALL_BASE_WIDTH, ALL_STEPS)) {
          this.#build(repeated.slice(0, FIRST_TABLES_A_CALL), first);
        }
      } else if (frequent.length > 0) {
        if (this.#state.growBase(baseWidthFor(final), BASE_STEPS_A_CALL)) {
          this.#build(frequent.slice(0, FINAL_TABLES_A_CALL), final);
        }
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // No memory for more tables: the keys keep what they have. After a trap the next call says so; these verdicts stand.
      this.#isGrowing = false;
    }
  }

  buildTables(): void {
    if (this.#isClosed) throw new UsageError('usage/closed', 'this key ring is closed');
    const { final } = this.#plan;
    if (final === 0) return;
    this.#state.growBase(baseWidthFor(final), ALL_STEPS);
    this.#build(
      this.#keys.filter((key) => key !== undefined && key.width < final) as KernelKey[], // undefined is filtered out
      final,
    );
  }

  /** Tables of `width` for these keys, all different, two at a time, as far as the budget goes. */
  #build(keys: readonly KernelKey[], width: TableWidth): void {
    const { heap } = this.#state;
    const size = heap.kernel.tableBytes(width);
    for (let n = 0; n < keys.length; n += 2) {
      const pair = keys.slice(n, n + 2);
      const released = pair.reduce((sum, key) => sum + this.#bytesOf(key), 0);
      if (this.#tableBytes - released + size * pair.length > this.#plan.maxBytes) {
        this.#isGrowing = false;
        return;
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
    }
  }

  #assign(key: KernelKey, table: number, width: TableWidth, size: number): void {
    this.#release(key);
    key.table = table;
    key.width = width;
    this.#tableBytes += size;
  }

  #bytesOf(key: KernelKey): number {
    return key.width === 0 ? 0 : this.#state.heap.kernel.tableBytes(key.width);
  }

  #release(key: KernelKey): void {
    if (key.width === 0) return;
    const size = this.#bytesOf(key);
    this.#state.heap.free(key.table, size);
    this.#tableBytes -= size;
    key.width = 0;
    key.table = 0;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const key of this.#keys) if (key !== undefined) this.#release(key);
    this.#state.heap.free(this.#records, RECORD_BYTES * Math.max(1, this.#keys.length));
    this.#withoutTable?.close();
    this.#onClose();
  }
}
