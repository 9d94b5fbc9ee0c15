/** Joins the ledgers of the parts of a range: the result has the same bytes as one audit of the whole range. */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { badArgument } from '../../core/base/arguments.ts';
import { AuditError } from '../../core/base/errors.ts';
import { readOptions } from '../../core/base/options.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import { lockFile } from '../files/lock-file.ts';
import { beginReplacement, replaceBy, requireNoInput, requireWritable } from '../files/write-file.ts';
import { failureLimit } from './audit-options.ts';
import type { LedgerState } from './ledger-check.ts';
import { LedgerFile, requireBegunLedger } from './ledger-file.ts';
import { type AuditPlan, requireEqualPlans, withoutHash } from './ledger-lines.ts';
import { checkLedger, readPlan } from './read-ledger.ts';

/** Options of a merge. */
export interface MergeOptions {
  /** Blocks that could not be had, in all parts together: one more is refused, as one audit of the whole ends with it. Default 10. */
  readonly maxFailures?: number;
}

function wrong(message: string, path: string, hint: string): AuditError {
  return new AuditError('audit/parts', message, { path, hint });
}

const EVERY_PART = 'name every part once: all of --part 1/n to n/n';

type LedgerPart = Awaited<ReturnType<typeof headOf>>;

async function headOf(file: string) {
  const head = await readPlan(file);
  if (head !== undefined) return { file, head: withoutHash(head) };
  throw wrong('an empty ledger', file, 'run the audit of this part');
}

/** Checks that the parts are of one audit, in order and without a gap. @returns the first line of the whole */
function requireSeries(parts: readonly LedgerPart[]): AuditPlan {
  const [first, ...rest] = parts;
  if (first === undefined) throw wrong('expected at least one ledger', 'parts', 'name the ledgers of all parts');
  let before = first;
  for (const part of rest) {
    for (const member of ['whole', 'signEvery', 'policy', 'trust'] as const) {
      if (JSON.stringify(part.head[member]) === JSON.stringify(first.head[member])) continue;
      const hint = 'run all parts of one audit with the same options';
      throw wrong(`the ${member} differs from that of ${first.file}`, part.file, hint);
    }
    if (part.head.from !== before.head.to + 1) {
      throw wrong(
        `begins at block ${part.head.from}, ${before.file} ends with ${before.head.to}`,
        part.file,
        EVERY_PART,
      );
    }
    if ((part.head.from - first.head.from) % first.head.signEvery !== 0) {
      throw wrong(`begins between two signed blocks`, part.file, 'let --part divide the range');
    }
    before = part;
  }
  const { whole, ...head } = first.head;
  if (whole !== undefined && (whole.from !== head.from || whole.to !== before.head.to)) {
    const part = whole.from === head.from ? before : first;
    const message = `blocks ${head.from} to ${before.head.to} of an audit of ${whole.from} to ${whole.to}`;
    throw wrong(message, part.file, EVERY_PART);
  }
  return { ...head, to: before.head.to };
}

/** Checks that the merge replaces no ledger of a different audit: its rows may be the work of days. @throws AuditError */
async function requireSameAudit(out: string, head: AuditPlan): Promise<void> {
  if (!existsSync(out)) return;
  const old = await readPlan(out);
  if (old === undefined) requireBegunLedger(out);
  else requireEqualPlans(old, head, 'the ledger is of a different audit', { path: out, hint: 'pass another file' });
}

/** Lines that are written at a time. */
const LINES_AT_ONCE = 256;

/** Appends the lines of one part, without its first. @throws AuditError `audit/parts` for a part that contradicts earlier ones */
async function append(part: LedgerPart, out: LedgerFile, maxFailures: number): Promise<void> {
  let staged = 0;
  const { state } = await checkLedger(part.file, (line) => {
    if (line.type === 'audit') return;
    const { tooMany, wrong: between } = out.check.stageNew([withoutHash(line)], maxFailures);
    if (between !== undefined) throw wrong(between.message, part.file, between.hint);
    if (tooMany !== undefined) {
      const message = `more than ${maxFailures} blocks of all parts could not be fetched, now block ${tooMany.seqno}`;
      throw wrong(message, part.file, 'audit these blocks from another source, or raise --max-failures');
    }
    staged += 1;
    if (staged % LINES_AT_ONCE === 0 && !out.check.isOpen) out.flush();
  });
  out.flush();
  if (state.next > part.head.to) return;
  const hint = 'run the audit of this part again to resume';
  throw wrong(`unfinished: it ends before block ${state.next}`, part.file, hint);
}

/**
 * Joins the ledgers of the parts of a range into one ledger, after checking that their hashes, options and borders fit.
 * @param files the ledgers of all parts, in any order
 * @param out a new file, or a ledger of the same audit, which is replaced; it is written completely or not at all
 * @param opts `maxFailures`: the most blocks that may be missing in all parts together, default 10
 * @returns the state of the new ledger, with its counts
 * @throws AuditError `audit/parts` for parts that do not fit or have too many failures, `audit/plan` for a ledger of a
 * different audit in `out`, `audit/ledger`, `audit/write`; UsageError
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { parseValidatorSet } from 'ton-finality';
 * import { auditFiles, auditRange, mergeLedgers } from 'ton-finality/audit';
 * import { opensslEngine } from 'ton-finality/node';
 * import { simplexSample } from 'ton-finality/sample';
 * writeFileSync('answers.json', JSON.stringify(simplexSample.signatures));
 * const trust = { validators: parseValidatorSet(simplexSample.validators), engine: opensslEngine };
 * const audit = { whole: { from: 59379986, to: 59379987 }, blocks: auditFiles('answers.json'), ...trust };
 * for await (const _ of auditRange({ ...audit, from: 59379986, to: 59379986, out: 'part-1.ndjson' }));
 * for await (const _ of auditRange({ ...audit, from: 59379987, to: 59379987, out: 'part-2.ndjson' }));
 * const { counts } = await mergeLedgers(['part-1.ndjson', 'part-2.ndjson'], 'rows.ndjson');
 * console.log(counts.final, counts.failures); // 1 1
 * ```
 */
export async function mergeLedgers(
  files: readonly string[],
  out: string,
  opts: MergeOptions = {},
): Promise<LedgerState> {
  if (typeof out !== 'string') throw badArgument('out', 'the path of a file', out);
  const { maxFailures } = readOptions(opts, '', { maxFailures: failureLimit });
  const names = ownList(files, 'files');
  requireWritable(out, 'out');
  requireNoInput(out, names, 'out');
  const parts = await Promise.all(names.map(headOf));
  parts.sort((a, b) => a.head.from - b.head.from);
  const head = requireSeries(parts);
  const lock = await lockFile(out);
  const temporary = `${out}.${randomBytes(8).toString('hex')}.merging`;
  try {
    await requireSameAudit(out, head);
    beginReplacement(temporary, out);
    const ledger = await LedgerFile.open(temporary, head);
    try {
      for (const part of parts) await append(part, ledger, maxFailures);
    } finally {
      ledger.close();
    }
    lock.requireHeld();
    replaceBy(temporary, out);
    return ledger.check;
  } finally {
    rmSync(temporary, { force: true });
    lock.release();
  }
}
