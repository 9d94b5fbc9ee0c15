/** Checks a ledger against its blocks. All of them or a sample are fetched and judged again, and each result is compared with its row. */

import { createHash, randomBytes } from 'node:crypto';
import { badOption } from '../../core/base/arguments.ts';
import { decodeHex } from '../../core/base/bytes.ts';
import { AuditError, SourceError } from '../../core/base/errors.ts';
import { abortSignal, asGiven, callback, engine, flag, readOptions, text, whole } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import { createValidatorSet, type ValidatorSet } from '../../core/validators/validator-set.ts';
import { resolvePolicy } from '../../core/verify/policy.ts';
import { tell } from '../../net/async/callbacks.ts';
import { type AuditOptions, failureLimit, type ResolvedAudit, resolveAudit } from './audit-options.ts';
import { runAudit } from './audit-range.ts';
import { itemsOf } from './block-items.ts';
import { compareRows, type RowComparison } from './compare-rows.ts';
import { BatchJudge, engineOrPool } from './judge-batch.ts';
import { NO_LEDGER_HINT } from './ledger-check.ts';
import {
  type AuditPlan,
  type AuditRow,
  type AuditSet,
  seqnoOf,
  thresholdOf,
  trustWords,
  withoutHash,
} from './ledger-lines.ts';
import { checkLedger, readLedger } from './read-ledger.ts';
import { SetBook } from './set-book.ts';
import { setWalk } from './set-walk.ts';

/** Options of a check: the ledger, the source of its blocks, and the checkpoint or validator set. */
export interface CheckAgainOptions
  extends Pick<AuditOptions, 'blocks' | 'validators' | 'checkpoint' | 'maxFailures' | 'engine' | 'signal'> {
  readonly ledger: string;
  /** Number of rows to check. Default: all. */
  readonly sample?: number;
  /** Seed of the sample: the same seed and ledger give the same rows. Default: random. */
  readonly seed?: string;
  /**
   * Accept other signatures of a block. The verdict has to be the same, but other validators may have signed, as
   * servers may hold different lists. Default false.
   */
  readonly anySigners?: boolean;
  /** Called for each row that was checked. */
  readonly onRow?: (row: AuditRow, found: RowComparison) => void;
}

/** The first row that differs from its block. */
export type RowDifference = { readonly seqno: number } & Omit<
  Extract<RowComparison, { outcome: 'differs' }>,
  'outcome'
>;

/** The result of checking a ledger again. */
export interface CheckAgainResult {
  readonly plan: AuditPlan;
  /** The last block that has a row; one before the first if there is none. */
  readonly last: number;
  /** Bytes of the file after the last row: of an unfinished audit, an incomplete line or rows that wait for a signed block. */
  readonly tailBytes: number;
  /** Rows of the ledger, and rows that were checked. */
  readonly rows: number;
  readonly looked: number;
  readonly agree: number;
  /** Rows of blocks that were not fetched or are undecided: they make no claim. */
  readonly saysNothing: number;
  /** Rows that could not be compared, by reason. `unfinished` counts the blocks of the range that have no row. */
  readonly unchecked: ReadonlyMap<string, number>;
  readonly difference: RowDifference | undefined;
  /** Seed of the sample; `undefined` if all rows were checked. */
  readonly seed: string | undefined;
  /** Origin of the validator sets. Sets from the ledger itself prove no more than the ledger. */
  readonly sets: 'ledger' | 'given' | 'proven';
}

/** Makes `JSON.stringify` write the reasons too, which are a map. */
function withJson(result: CheckAgainResult): CheckAgainResult {
  const value = () => ({ ...result, unchecked: Object.fromEntries(result.unchecked) });
  return Object.defineProperty(result, 'toJSON', { value });
}

const MAX_SAMPLE = 1_000_000;

/** Draws `count` different numbers, beginning at `from`, by Floyd's algorithm; the same for a seed. */
function drawn(from: number, rows: number, count: number, seed: string): ReadonlySet<number> {
  const chosen = new Set<number>();
  for (let most = rows - count; most < rows; most++) {
    const bytes = createHash('sha256').update(`${seed} ${most}`).digest();
    const one = from + Number(bytes.readBigUInt64BE() % BigInt(most + 1));
    chosen.add(chosen.has(one) ? from + most : one);
  }
  return chosen;
}

/** Reads the whole ledger first: no server is asked about a ledger that contradicts itself. */
async function readOnce(ledger: string) {
  let firstSet: AuditSet | undefined;
  const { state, tailBytes } = await checkLedger(ledger, (line) => {
    if (line.type === 'set') firstSet ??= line;
  });
  const { head, hash, next } = state;
  if (head !== undefined) return { head: withoutHash(head), last: next - 1, hash, tailBytes, firstSet };
  throw new AuditError('audit/ledger', 'expected the first line of an audit, got none', {
    path: `${ledger}:1`,
    hint: NO_LEDGER_HINT,
  });
}

function setIn({ validators }: AuditSet): ValidatorSet {
  return createValidatorSet(
    validators.map(({ publicKey, weight }) => ({ publicKey: decodeHex(publicKey)!, weight: BigInt(weight) })), // the reader has checked it
  );
}

/**
 * Returns options of the audit that the ledger describes, up to its last row; `undefined` if no row names the set.
 * @throws AuditError `audit/plan`, UsageError
 */
function sameAudit(
  opts: CheckAgainOptions,
  { head, last, firstSet }: Awaited<ReturnType<typeof readOnce>>,
): [ResolvedAudit | undefined, CheckAgainResult['sets']] {
  const { blocks, checkpoint, maxFailures, engine, signal } = opts;
  let { validators } = opts;
  const isOwn = validators === undefined && checkpoint === undefined && head.trust.kind === 'given';
  if (isOwn && last < head.from) return [undefined, 'ledger'];
  if (isOwn) validators = firstSet && setIn(firstSet);
  if (validators === undefined && checkpoint === undefined) {
    if (isOwn) throw badOption('expected the set of this ledger, which none of its rows names', 'validators');
    const hint = 'pass --checkpoint: a ledger cannot prove its own sets';
    throw badOption('expected the checkpoint that the sets of this ledger are proven from', 'checkpoint', hint);
  }
  const to = Math.max(head.from, last);
  const given = present({ validators, checkpoint, maxFailures, engine, signal });
  const resolved = resolveAudit({ from: head.from, to, blocks, ...given });
  const { trust } = resolved.head;
  if (JSON.stringify(trust) !== JSON.stringify(head.trust)) {
    const words = `expected ${trustWords(head.trust)}, which the ledger names, got ${trustWords(trust)}`;
    const hint = 'pass the validator set or checkpoint with which the ledger was made';
    const path = checkpoint === undefined ? 'validators' : 'checkpoint';
    throw new AuditError('audit/plan', words, { path, hint });
  }
  const policy = resolvePolicy({ ...head.policy, threshold: thresholdOf(head.policy.threshold) });
  const audit = { ...resolved, policy, head: { ...head, to } };
  return [audit, isOwn ? 'ledger' : trust.kind];
}

/** Yields the rows that were read at first. Rows that were added since are left out. @throws AuditError where these have changed */
async function* rowsAgain(ledger: string, { last, hash }: Awaited<ReturnType<typeof readOnce>>) {
  for await (const line of readLedger(ledger)) {
    if (line.type !== 'audit' && line.type !== 'set') {
      if (seqnoOf(line) > last) break;
      yield line;
    }
    // The hash of a line covers all lines before it.
    if ('hash' in line && line.hash === hash) return;
  }
  const hint = 'check it again when no audit writes to it';
  throw new AuditError('audit/ledger', 'the ledger has changed since the check began', { path: ledger, hint });
}

/** A row of the ledger, and the row that judging its block again gives. */
type RowAgain = readonly [was: AuditRow, now: AuditRow];

/** Judges all blocks in one audit. */
async function* allAgain(ledger: AsyncIterable<AuditRow>, audit: ResolvedAudit): AsyncGenerator<RowAgain, void> {
  const rows = runAudit(audit);
  try {
    for await (const was of ledger) {
      const { done, value } = await rows.next();
      if (done === true) throw new TypeError('an audit that ends before its range');
      yield [was, value];
    }
  } finally {
    await rows.return(undefined as never); // its return value is not used
  }
}

/** Judges chosen blocks, each with the signed block that leads down to it. */
async function* someAgain(
  ledger: AsyncIterable<AuditRow>,
  audit: ResolvedAudit,
  chosen: ReadonlySet<number>,
): AsyncGenerator<RowAgain, void> {
  const { blocks, start, policy, signal, head } = audit;
  const { from: first, to, signEvery } = head;
  const { engine, close } = await engineOrPool(audit.engine);
  const book = new SetBook(start, blocks, policy.threshold);
  const judge = new BatchJudge(engine, policy, book);
  const walk = setWalk(audit, book, judge);
  const getter = await blocks.open({ first, from: first, to, signEvery }, signal);
  try {
    for await (const { rows, to: ground } of unitsOf(ledger, chosen)) {
      const from = seqnoOf(rows[0]!); // a unit has a row
      await walk.moveTo(from);
      const range = { first, from, to: ground, signEvery: from === ground ? 1 : signEvery };
      const items = [];
      for await (const item of itemsOf(getter, range, signal)) items.push(item);
      const judged = await (await judge.begin(items, signal))();
      for (const was of rows) yield [was, judged.rows[seqnoOf(was) - from]!]; // there is a row for each block
    }
  } finally {
    await walk.close();
    await getter.close?.();
    judge.close();
    await close();
  }
}

/** Rows that are judged together: a signed block, and the rows of the blocks that it leads down to. */
interface Unit {
  readonly rows: AuditRow[];
  readonly to: number;
}

async function* unitsOf(ledger: AsyncIterable<AuditRow>, chosen: ReadonlySet<number>): AsyncGenerator<Unit, void> {
  let unit: Unit | undefined;
  for await (const row of ledger) {
    const seqno = seqnoOf(row);
    if (unit !== undefined && seqno > unit.to) {
      yield unit;
      unit = undefined;
    }
    if (!chosen.has(seqno)) continue;
    const by = row.type === 'block' ? row.provenance : undefined;
    unit ??= { rows: [], to: by?.by === 'descendant' ? by.seqno : seqno };
    unit.rows.push(row);
  }
  if (unit !== undefined) yield unit;
}

/** Collects the results of the checked rows. */
class RowFindings {
  looked = 0;
  agree = 0;
  saysNothing = 0;
  readonly unchecked = new Map<string, number>();
  difference: RowDifference | undefined;

  add(seqno: number, found: RowComparison): void {
    this.looked += 1;
    if (found.outcome === 'agrees') this.agree += 1;
    else if (found.outcome === 'says-nothing') this.saysNothing += 1;
    else if (found.outcome === 'unchecked') this.unchecked.set(found.why, (this.unchecked.get(found.why) ?? 0) + 1);
    else this.difference ??= { seqno, member: found.member, ledger: found.ledger, blocks: found.blocks };
  }
}

/**
 * Checks a ledger against its blocks. Each block is fetched and judged again by the ledger's policy, and the result is compared with
 * its row. The check stops at the first difference.
 * @param given the ledger, the source of the blocks, the trust if you do not want that of the ledger, and the size of a sample (default: all rows)
 * @returns counts of the rows, and the first `difference`, if there is one
 * @throws UsageError for invalid options; AuditError `audit/ledger`, `audit/plan`; SourceError for a source that fails; TrustError
 * for a start that must not be trusted
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { parseValidatorSet } from 'ton-finality';
 * import { auditFiles, auditRange, checkAgain } from 'ton-finality/audit';
 * import { opensslEngine } from 'ton-finality/node';
 * import { simplexSample } from 'ton-finality/sample';
 * writeFileSync('answers.json', JSON.stringify(simplexSample.signatures));
 * const trust = { validators: parseValidatorSet(simplexSample.validators), engine: opensslEngine };
 * const blocks = auditFiles('answers.json');
 * for await (const _ of auditRange({ from: 59379986, to: 59379986, blocks, ...trust, out: 'rows.ndjson' }));
 * const { agree, difference } = await checkAgain({ ledger: 'rows.ndjson', blocks, ...trust });
 * console.log(agree, difference); // 1 undefined
 * ```
 */
export async function checkAgain(given: CheckAgainOptions): Promise<CheckAgainResult> {
  const opts = readOptions(given, '', {
    ...{ ledger: text(), blocks: asGiven, validators: asGiven, checkpoint: asGiven },
    ...{ maxFailures: failureLimit, engine, signal: abortSignal },
    ...{ sample: whole(1, MAX_SAMPLE), seed: text(), anySigners: flag(false), onRow: callback() },
  });
  const { ledger, sample, anySigners, onRow } = opts;
  const found = await readOnce(ledger);
  const { head, last, tailBytes } = found;
  const rows = last - head.from + 1;
  const [audit, sets] = sameAudit(opts, found);
  const seed = sample === undefined ? undefined : (opts.seed ?? randomBytes(8).toString('hex'));
  const chosen = seed === undefined ? undefined : drawn(head.from, rows, Math.min(sample ?? 0, rows), seed);
  const findings = new RowFindings();
  if (last < head.to) findings.unchecked.set('unfinished', head.to - last);
  const result = () => withJson({ plan: head, last, tailBytes, rows, seed, sets, ...findings } as CheckAgainResult);
  if (rows === 0 || audit === undefined) return result();
  let failures = 0;
  const again = rowsAgain(ledger, found);
  for await (const [was, now] of chosen === undefined ? allAgain(again, audit) : someAgain(again, audit, chosen)) {
    const comparison = compareRows(was, now, anySigners);
    findings.add(seqnoOf(now), comparison);
    tell('onRow', onRow && (() => onRow(was, comparison)), undefined);
    if (findings.difference !== undefined) break;
    if (now.type !== 'failure' || chosen === undefined || ++failures <= audit.maxFailures) continue;
    const words = `more than ${audit.maxFailures} blocks could not be fetched, now block ${now.seqno}`;
    throw new SourceError('source/missing', words);
  }
  return result();
}

/** Returns what a check came to. Rows that are missing, could not be compared, or make no claim are open. */
export function outcomeOfCheck({ difference, unchecked, agree }: CheckAgainResult): 'differs' | 'unchecked' | 'agrees' {
  if (difference !== undefined) return 'differs';
  return unchecked.size > 0 || agree === 0 ? 'unchecked' : 'agrees';
}
