/** One part of an audit as it goes to a worker and back: what is audited, and the ledger of it, packed. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { AuditError, FinalityError } from '../../../core/base/errors.ts';
import { describeJson, isObject } from '../../../core/base/json-structure.ts';
import { MAX_SEQNO } from '../../../core/base/limits.ts';
import { linesIn } from '../file-lines.ts';
import { LedgerCheck } from '../ledger-check.ts';
import { type AuditHead, type AuditRow, type AuditSet, MAX_SIGN_EVERY, planDifference } from '../ledger-lines.ts';
import { knownMembers, parseAuditLine } from '../parse-line.ts';

/** What is audited and how, in a form that goes through JSON: the first line of the ledger that it comes to. */
export interface FleetPart {
  readonly head: AuditHead;
  readonly maxFailures: number;
}

/** Blocks of one part, up to the next signed one: whatever has more was not handed out by `enqueueAudit`. */
export const MAX_PART_BLOCKS = 100_000;

/** Bytes of a part's ledger that are unpacked: of its sets, of each row, and of everything. */
const SET_BYTES = 1 << 24;
const ROW_BYTES = 1 << 16;
const MAX_PART_BYTES = 1 << 28;

/** The name of a part: the same whoever names it, another one for another audit. */
export function partId(plan: FleetPart, { head: { from, to } }: FleetPart): string {
  const audit = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 16);
  return `${audit}-${from}-${to}`;
}

function damaged(what: string, cause?: unknown): AuditError {
  const hint = 'is this queue used by another program, or another version?';
  return new AuditError('audit/queue', what, { hint, ...(cause === undefined ? {} : { cause }) });
}

/** @throws AuditError `audit/queue` for a job that is none of ours */
export function readFleetPart(data: unknown): FleetPart {
  if (!isObject(data)) throw damaged(`expected a part of an audit, got ${describeJson(data)}`);
  const { head, maxFailures } = data;
  let line: ReturnType<typeof parseAuditLine> | undefined;
  try {
    line = parseAuditLine(head);
  } catch (cause) {
    throw damaged('expected a part of an audit, got another object', cause);
  }
  const isCount = Number.isInteger(maxFailures) && (maxFailures as number) >= 0 && (maxFailures as number) <= MAX_SEQNO; // an integer is a number
  if (line.type !== 'audit' || line.signEvery > MAX_SIGN_EVERY || !isCount) {
    throw damaged('expected a part of an audit, got another object');
  }
  if (line.to - line.from >= MAX_PART_BLOCKS + MAX_SIGN_EVERY) {
    throw damaged(`expected a part of at most ${MAX_PART_BLOCKS} blocks, got another object`);
  }
  return { head: line, maxFailures: maxFailures as number }; // looked at above
}

export async function packPart(text: string): Promise<string> {
  return (await promisify(gzip)(text)).toString('base64');
}

/** The bytes of what was packed, as many as are asked for. @param count of those so far @throws AuditError for more than `most` */
async function* unpacked(packed: string, most: number, count: { bytes: number }): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip();
  gunzip.end(Buffer.from(packed, 'base64'));
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      count.bytes += chunk.length; // of bytes, since no encoding is set
      if (count.bytes > most) throw damaged(`expected a ledger of at most ${most} bytes, got more`);
      yield chunk;
    }
  } finally {
    gunzip.destroy();
  }
}

/** A line of a part that goes to the ledger. */
export type PartLine = AuditSet | AuditRow;

/**
 * Unpacks and checks the ledger of a part, line by line up to the first that is wrong.
 * @returns all lines but the first, with the members that the format has
 * @throws AuditError for one that is damaged, unfinished, or of another audit
 */
export async function unpackPart(packed: unknown, { head }: FleetPart, name: string): Promise<PartLine[]> {
  if (typeof packed !== 'string') throw damaged(`${name}: expected the ledger of a part, got ${describeJson(packed)}`);
  const most = Math.min(MAX_PART_BYTES, SET_BYTES + ROW_BYTES * (head.to - head.from + 1));
  const count = { bytes: 0 };
  const check = new LedgerCheck(name);
  const lines: PartLine[] = [];
  try {
    for await (const texts of linesIn(unpacked(packed, most, count), false)) {
      for (const bytes of texts) {
        const line = check.readBytes(bytes);
        if (line.type !== 'audit') lines.push(knownMembers(line));
        else requireSamePlan(line, head);
      }
    }
  } catch (cause) {
    throw cause instanceof FinalityError ? cause : damaged(`${name}: the ledger of a part cannot be unpacked`, cause);
  }
  if (check.isOpen || check.next !== head.to + 1 || check.bytes !== count.bytes) {
    throw damaged(`${name}: not the whole ledger of blocks ${head.from} to ${head.to}`);
  }
  return lines;
}

/** @throws AuditError `audit/plan` */
function requireSamePlan(got: AuditHead, wanted: AuditHead): void {
  const difference = planDifference(got, wanted);
  if (difference === undefined) return;
  throw new AuditError('audit/plan', `made for another audit: ${difference}`, {
    hint: 'run all workers with the --validators or --checkpoint of enqueue, and the same version',
  });
}
