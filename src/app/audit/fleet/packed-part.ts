/** Packs one part of an audit for the queue, and its ledger for the way back. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { requireInteger } from '../../../core/base/arguments.ts';
import { AuditError, FinalityError } from '../../../core/base/errors.ts';
import { describeJson, isObject } from '../../../core/base/json-structure.ts';
import { MAX_SEQNO } from '../../../core/base/limits.ts';
import { linesIn } from '../file-lines.ts';
import { LedgerCheck } from '../ledger-check.ts';
import { type AuditPlan, type AuditRow, type AuditSet, MAX_SIGN_EVERY, requireEqualPlans } from '../ledger-lines.ts';
import { knownMembers, parseAuditLine } from '../parse-line.ts';

/** A part as JSON: the first line of its ledger, and its limit of failures. */
export interface FleetPart {
  readonly head: AuditPlan;
  readonly maxFailures: number;
}

/** Most blocks of one part, up to the next signed one. `enqueueAudit` makes no larger parts. */
export const MAX_PART_BLOCKS = 100_000;

/** Most unpacked bytes of a part's ledger: for its sets, for each row, and in all. */
const SET_BYTES = 1 << 24;
const ROW_BYTES = 1 << 16;
const MAX_PART_BYTES = 1 << 28;

/** Returns the name of a part. Every process computes the same name; other audits have other names. */
export function partId(plan: FleetPart, { head: { from, to } }: FleetPart): string {
  const audit = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 16);
  return `${audit}-${from}-${to}`;
}

function damaged(what: string, cause?: unknown): AuditError {
  const hint = 'is this queue used by another program, or another version?';
  return new AuditError('audit/queue', what, { hint, cause });
}

/** @throws AuditError `audit/queue` for a job that this library did not make */
export function readFleetPart(data: unknown): FleetPart {
  if (!isObject(data)) throw damaged(`expected a part of an audit, got ${describeJson(data)}`);
  let part: FleetPart;
  try {
    const head = parseAuditLine(data.head);
    if (head.type !== 'audit') throw new TypeError('a different line');
    part = { head, maxFailures: requireInteger(data.maxFailures, 'maxFailures', 0, MAX_SEQNO) };
  } catch (cause) {
    throw damaged('expected a part of an audit, got another object', cause);
  }
  if (part.head.to - part.head.from < MAX_PART_BLOCKS + MAX_SIGN_EVERY) return part;
  throw damaged(`expected a part of at most ${MAX_PART_BLOCKS} blocks, got another object`);
}

export async function packPart(text: string): Promise<string> {
  return (await promisify(gzip)(text)).toString('base64');
}

/** Yields unpacked bytes. @param count bytes so far @throws AuditError for more than `most` bytes */
async function* unpacked(packed: string, most: number, count: { bytes: number }): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip();
  gunzip.end(Buffer.from(packed, 'base64'));
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      count.bytes += chunk.length; // bytes, since no encoding is set
      if (count.bytes > most) throw damaged(`expected a ledger of at most ${most} bytes, got more`);
      yield chunk;
    }
  } finally {
    gunzip.destroy();
  }
}

const SAME_TRUST_HINT = 'run all workers with the --validators or --checkpoint of enqueue, and the same version';

/** A line of a part that goes to the ledger. */
export type PartLine = AuditSet | AuditRow;

/**
 * Unpacks and checks the ledger of a part, line by line up to the first fault.
 * @returns all lines except the first, with the members of the format
 * @throws AuditError for a ledger that is damaged, unfinished, or of another audit
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
        else requireEqualPlans(line, head, 'made for another audit', { hint: SAME_TRUST_HINT });
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
