/**
 * A key ring of the kernel. Signatures go to the kernel in groups whose keys have tables of one width. Signatures of keys
 * without a table go to the fastest way without tables. Tables are built after the call's verdicts, a little at a time
 * (`table-pace.ts`). This never changes a verdict.
 */
import { UsageError } from '../base/errors.ts';
import { PUBLIC_KEY_BYTES } from '../base/limits.ts';
import type { KeyRing } from './engine.ts';
import { JOB_BYTES, type KernelState, MAX_JOBS, SMALL_BASE_WIDTH } from './kernel-state.ts';
import { type KernelKey, KeyTables, RECORD_BYTES, type TablePlan, type TableWidth } from './kernel-tables.ts';
import { copyInputs, type RingInputs } from './ring-inputs.ts';
import type { TablePace } from './table-pace.ts';

/** A ring that can build all its tables in one call, and reports their size. */
export interface KernelKeyRing extends KeyRing {
  /** Builds the final tables of all keys in one call, for a caller that expects thousands of blocks. */
  buildTables(): void;
  /** Bytes held by the tables of this ring's keys. */
  readonly tableBytes: number;
}

export class KernelRing implements KernelKeyRing {
  readonly #state: KernelState;
  readonly #keys: readonly (KernelKey | undefined)[];
  readonly #records: number;
  readonly #tables: KeyTables;
  readonly #pace: TablePace;
  readonly #withoutTable: KeyRing | undefined;
  readonly #onClose: () => void;
  #isClosed = false;

  /**
   * Opens a ring.
   * @param publicKeys no other code may hold them
   * @param pace limits how long tables are built after a call
   * @param withoutTable checks the signatures of keys that have no table, if it is faster
   * @throws EngineError `engine/out-of-memory`
   */
  constructor(
    state: KernelState,
    publicKeys: readonly Uint8Array[],
    plan: TablePlan,
    pace: TablePace,
    withoutTable: KeyRing | undefined,
    onClose: () => void,
  ) {
    this.#state = state;
    this.#pace = pace;
    this.#withoutTable = withoutTable;
    this.#onClose = onClose;
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
    this.#tables = new KeyTables(state, plan, this.#records, this.#keys);
    if (withoutTable === undefined) this.#tables.decodeAll();
  }

  get tableBytes(): number {
    return this.#tables.bytes;
  }

  /**
   * Checks signatures. @throws EngineError `engine/self-test` once the kernel has trapped, `engine/out-of-memory` for a
   * message that does not fit
   */
  verify(...given: Parameters<KeyRing['verify']>): boolean[] {
    this.#requireOpen();
    const start = this.#pace.now();
    const inputs = copyInputs(...given);
    this.#requireOpen(); // a proxy among the arguments can run code of the caller, which may close this ring
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
    const withoutTables = ofWidth.get(0)?.length ?? 0;
    if (withoutTables === keyIndexes.length) this.#pace.note(withoutTables, this.#pace.now() - start);
    this.#pace.work(start, keyIndexes.length, withoutTables === 0, () => this.#tables.grow(touched));
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
    // The tables of keys are built after the base table.
    const [baseAt, baseWidth] = width === 0 ? [baseRow, SMALL_BASE_WIDTH] : [base!.address, base!.width];
    heap.run((kernel) => kernel.verifyJobs(jobs, group.length, messageAt, message.length, width, baseAt, baseWidth));
    for (let n = 0; n < group.length; n++) {
      verdicts[group[n]!] = words[(jobs + n * JOB_BYTES + 72) >> 2] === 1;
    }
  }

  buildTables(): void {
    for (const _ of this.tableSteps());
  }

  /** Builds all tables in small steps. */
  tableSteps(): Generator<void, void, void> {
    this.#requireOpen();
    return this.#tables.all();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new UsageError('usage/closed', 'this key ring is closed');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#tables.release();
    this.#state.heap.free(this.#records, RECORD_BYTES * Math.max(1, this.#keys.length));
    this.#withoutTable?.close();
    this.#onClose();
  }
}
