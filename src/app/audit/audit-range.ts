/**
 * Runs an audit: turns each block of a range into a row, writes the row before yielding it, and can resume after any
 * interruption.
 */
import { requireInteger, requireMembers } from '../../core/base/arguments.ts';
import { type FinalityError, SourceError } from '../../core/base/errors.ts';
import { blockIdToJson } from '../../core/block/block-id-json.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import { type AuditOptions, type ResolvedAudit, resolveAudit } from './audit-options.ts';
import type { AuditRange } from './audit-source.ts';
import { batches, isSoon, keyBlockAtEnd } from './batches.ts';
import { type AuditItem, itemsOf } from './block-items.ts';
import { idOf } from './contradictions.ts';
import { BatchJudge, engineOrPool, type JudgedBatch } from './judge-batch.ts';
import { LedgerCheck, type LedgerState } from './ledger-check.ts';
import { LedgerFile } from './ledger-file.ts';
import { type AuditPlan, type AuditRow, seqnoOf } from './ledger-lines.ts';
import { countSources, sideFiles } from './run-and-set-files.ts';
import { SetBook } from './set-book.ts';
import { setWalk } from './set-walk.ts';

/** Destination of the rows: a file, or memory. */
type LedgerTarget = Pick<LedgerFile, 'check' | 'flush' | 'close'>;

/** Makes a ledger that exists only in memory. @param keep receives its text, in pieces */
function memoryTarget(head: AuditPlan, keep: (text: string) => void): LedgerTarget {
  const check = new LedgerCheck('audit');
  check.begin(head);
  return { check, flush: () => keep(check.take()), close() {} };
}

/** Audits what is left of a range: writes each row to the target, and then yields it. */
async function* auditRest(audit: ResolvedAudit, target: LedgerTarget, engine: Ed25519Engine): AsyncGenerator<AuditRow> {
  const { blocks, start, head, signal, maxFailures } = audit;
  const side = audit.out === undefined ? undefined : sideFiles(audit.out);
  const book = new SetBook(start, blocks, audit.policy.threshold);
  const judge = new BatchJudge(engine, audit.policy, book);

  /**
   * Takes in batch after batch; while workers check one, the next is read. Rows of every batch that was begun are in
   * the ledger before an error ends the audit.
   */
  async function* takeInAll(source: AsyncGenerator<readonly AuditItem[]>): AsyncGenerator<AuditRow> {
    let begun: Begun | undefined;
    const takeBegun = () => {
      const rows = begun === undefined ? [] : takeIn(begun);
      begun = undefined;
      return rows;
    };
    try {
      for (;;) {
        const coming = source.next();
        coming.catch(() => {}); // the error is handled in its turn, if there is one
        if (begun !== undefined && (begun.mayMoveOn || !(await isSoon(coming)))) yield* takeBegun();
        const { done, value: batch } = await coming;
        if (done === true) break;
        if (signal.aborted) throw new SourceError('source/aborted', 'the audit was stopped by the caller');
        const next = await begin(batch);
        yield* takeBegun();
        begun = next;
      }
    } catch (error) {
      yield* takeBegun();
      throw error;
    } finally {
      void source.return(undefined).catch(() => {}); // returns once the block arrives that it may wait for
    }
    yield* takeBegun();
  }

  /**
   * Loads the sets in force before the first block: from the `.sets` file of an earlier run, or by proving key blocks.
   */
  async function takeUpSets(range: AuditRange): Promise<void> {
    if ('validators' in start) return;
    const kept = side?.readCheckpoints(start.checkpoint) ?? [];
    // Only the last key block makes a kept set proven, and no newer one rules.
    const own = kept.find(({ keyBlock }) => idOf(blockIdToJson(keyBlock)) === target.check.lastKeyBlock);
    if (own !== undefined) {
      book.add(own);
      return;
    }
    const before = { ...audit, head: { from: head.from, to: range.from - 1 } };
    const walk = setWalk(before, book, judge, target.check);
    try {
      await walk.moveTo(range.from);
    } finally {
      await walk.close();
    }
  }

  /** Lets worker threads begin to check a batch. */
  async function begin(batch: readonly AuditItem[]) {
    const startMs = performance.now();
    const finish = await judge.begin(batch, signal);
    /** Whether blocks after the batch may have another set. They wait until the rows of this batch exist. */
    const mayMoveOn = book.isProven && keyBlockAtEnd(batch) !== undefined;
    return { batch, finish, startMs, mayMoveOn };
  }
  type Begun = Awaited<ReturnType<typeof begin>>;

  /** Judges one batch, writes its rows and yields them. */
  async function* takeIn({ batch, finish, startMs }: Begun): AsyncGenerator<AuditRow> {
    const judged = await finish();
    const error = stage(judged);
    const isFinal = error === undefined && judged.final.has(batch.at(-1)?.seqno ?? -1);
    const keyBlock = isFinal && book.isProven ? keyBlockAtEnd(judged.items) : undefined;
    // A key block that is final by the policy of this audit moves trust to its set, if a proof shows the set.
    if (keyBlock !== undefined && book.advance(keyBlock.seqno, keyBlock.signatures, keyBlock.proofs)) {
      side?.keepCheckpoints(book.checkpoints);
    }
    target.flush();
    const { next } = target.check;
    const rows = judged.rows.filter((row) => seqnoOf(row) < next);
    note(judged.items, rows, judged, performance.now() - startMs);
    yield* rows;
    if (error !== undefined) throw error;
  }

  /**
   * Hands rows to the ledger, each set before the first row that names it.
   * @returns the error that ends the audit before all rows were taken: one failure too many, or a block that
   * contradicts earlier rows
   */
  function stage({ rows, sets, failures }: JudgedBatch): FinalityError | undefined {
    const setOf = (row: AuditRow) => (row.type === 'block' && row.set !== null && sets.get(row.set)) || [];
    const lines = rows.flatMap((row) => [setOf(row), row].flat());
    const { tooMany, wrong } = target.check.stageNew(lines, maxFailures);
    const error = tooMany && failures.get(tooMany.seqno);
    if (error !== undefined) oneTooMany.set(error, maxFailures);
    if (wrong === undefined) return error;
    return new SourceError('source/disagree', `${blocks.name}: ${wrong.message}`, { hint: wrong.hint });
  }

  function note(batch: readonly AuditItem[], rows: readonly AuditRow[], { failures }: JudgedBatch, ms: number): void {
    const [first, last] = [rows[0], rows.at(-1)];
    if (side === undefined || first === undefined || last === undefined) return;
    side.add({
      from: seqnoOf(first),
      to: seqnoOf(last),
      engine: judge.engineName,
      ms: Math.round(ms * 10) / 10,
      sources: countSources(batch.flatMap((item) => (item.type === 'signed' ? [item.from] : []))),
      failures: [...failures].map(([seqno, { message }]) => ({ seqno, message })),
    });
  }

  const range = { first: head.from, from: target.check.next, to: head.to, signEvery: head.signEvery };
  if (range.from > range.to) return;
  await takeUpSets(range);
  const getter = await blocks.open(range, signal);
  const { ahead } = requireMembers(getter, 'an object with ahead and signed', 'blocks.open()');
  requireInteger(ahead, 'blocks.open().ahead', 1, 2 ** 31 - 1); // without one, no block would be fetched
  try {
    yield* takeInAll(batches(itemsOf(getter, range, signal)));
  } finally {
    await getter.close?.();
    judge.close();
  }
}

const oneTooMany = new WeakMap<object, number>();

/**
 * Returns the limit of failures that an audit exceeded, if it ended with this error for that reason; `undefined` for
 * any other error.
 */
export function failuresAllowed(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? oneTooMany.get(error) : undefined;
}

/**
 * Audits a range of blocks. For each block, in order of seqno, it writes a row to the ledger and then yields the row. With an existing
 * ledger it resumes after the last row, without checking the old rows again, and yields only new ones. It ends with the range,
 * or when your loop ends. Rows are written in batches, ahead of your loop: if your loop ends early, read the rows that it did not see with
 * `readLedger`.
 * @param opts range, source of the blocks, trust (`validators` or `checkpoint`), and ledger (`out`); the files `OUT.run` and `OUT.sets` are
 * written next to the ledger
 * @returns the rows; the generator's return value is the state of the ledger
 * @throws UsageError at once for invalid options. While it runs: the error of the block that is one failure too many, which gets no
 * row, so that a later run tries it again; AuditError for a ledger that was changed, is of another audit, or cannot be written;
 * SourceError for a source that fails; TrustError for a start that must not be trusted
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { parseValidatorSet } from 'ton-finality';
 * import { auditFiles, auditRange } from 'ton-finality/audit';
 * import { opensslEngine } from 'ton-finality/node';
 * import { simplexSample } from 'ton-finality/sample';
 * writeFileSync('answers.json', JSON.stringify(simplexSample.signatures));
 * const trust = { validators: parseValidatorSet(simplexSample.validators), engine: opensslEngine };
 * const range = { from: 59379986, to: 59379986 };
 * for await (const row of auditRange({ ...range, blocks: auditFiles('answers.json'), ...trust, out: 'rows.ndjson' })) {
 *   if (row.type !== 'block') continue;
 *   console.log(row.block.seqno, row.verdict.status); // 59379986 final
 * }
 * ```
 */
export function auditRange(opts: AuditOptions): AsyncGenerator<AuditRow, LedgerState> {
  return runAudit(resolveAudit(opts));
}

/**
 * Runs an audit with options that `resolveAudit` has checked.
 * @param keep receives the text of the ledger, in pieces, unless it is in a file
 */
export async function* runAudit(
  audit: ResolvedAudit,
  keep: (text: string) => void = () => {},
): AsyncGenerator<AuditRow, LedgerState> {
  const { out, head } = audit;
  const target = out === undefined ? memoryTarget(head, keep) : await LedgerFile.open(out, head);
  try {
    if (target.check.next > head.to) return target.check;
    const { engine, close } = await engineOrPool(audit.engine);
    try {
      yield* auditRest(audit, target, engine);
    } finally {
      await close();
    }
    return target.check;
  } finally {
    target.close();
  }
}
