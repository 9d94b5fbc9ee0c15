/** One part of an audit as it goes from a worker to the ledger: which blocks, and the text of its own ledger, packed. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { AuditError } from '../../base/errors.ts';
import { MAX_SEQNO } from '../../base/limits.ts';
import { describeJson, isObject } from '../../decode/json-structure.ts';
import { LedgerCheck } from '../ledger-check.ts';
import { type AuditHead, type AuditLine, MAX_SIGN_EVERY } from '../row.ts';

/** What is audited, in a form that goes through JSON. */
export interface FleetPlan {
  readonly from: number;
  readonly to: number;
  readonly signEvery: number;
  /** As in `2/3`. */
  readonly threshold: string;
  readonly acceptUnbound: boolean;
  readonly maxFailures: number;
}

/** Blocks of one part, up to the next signed one: whatever has more was not handed out by `enqueueAudit`. */
export const MAX_PART_BLOCKS = 100_000;

/** Bytes of a part's ledger that will be unpacked. */
const MAX_PART_BYTES = 1 << 28;

/** The name of a part: the same whoever names it, another one for another audit. */
export function partId(plan: FleetPlan, part: FleetPlan): string {
  const audit = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 16);
  return `${audit}-${part.from}-${part.to}`;
}

function damaged(what: string): AuditError {
  return new AuditError('audit/queue', what, { hint: 'is this queue used by another program, or another version?' });
}

/** @throws AuditError `audit/queue` for a job that is none of ours */
export function readFleetPlan(data: unknown): FleetPlan {
  if (!isObject(data)) throw damaged(`expected a part of an audit, got ${describeJson(data)}`);
  const { from, to, signEvery, threshold, acceptUnbound, maxFailures } = data;
  const areCounts = [from, to, signEvery, maxFailures].every(
    (one) => Number.isInteger(one) && (one as number) >= 0 && (one as number) <= MAX_SEQNO,
  ); // an integer is a number
  const isThreshold = typeof threshold === 'string' && /^\d{1,19}\/\d{1,19}$/.test(threshold);
  if (!areCounts || !isThreshold || typeof acceptUnbound !== 'boolean') {
    throw damaged('expected a part of an audit, got another object');
  }
  if ((to as number) - (from as number) >= MAX_PART_BLOCKS + MAX_SIGN_EVERY) {
    throw damaged(`expected a part of at most ${MAX_PART_BLOCKS} blocks, got another object`);
  }
  return data as unknown as FleetPlan; // each member was looked at; its values are by whoever runs the part
}

export async function packPart(text: string): Promise<string> {
  return (await promisify(gzip)(text)).toString('base64');
}

/** A part that came back: its first line, and the others. */
export interface UnpackedPart {
  readonly head: AuditHead;
  readonly lines: readonly AuditLine[];
}

/**
 * Unpacks and checks the ledger of a part.
 * @throws AuditError for one that is damaged, unfinished, or of other blocks
 */
export async function unpackPart(packed: unknown, part: FleetPlan, name: string): Promise<UnpackedPart> {
  if (typeof packed !== 'string') throw damaged(`${name}: expected the ledger of a part, got ${describeJson(packed)}`);
  let text: string;
  try {
    const options = { maxOutputLength: MAX_PART_BYTES };
    text = (await promisify(gunzip)(Buffer.from(packed, 'base64'), options)).toString('latin1');
  } catch (cause) {
    throw new AuditError('audit/queue', `${name}: the ledger of a part cannot be unpacked`, { cause });
  }
  const check = new LedgerCheck(name);
  const lines: AuditLine[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const { hash: _, ...rest } = check.read(line) as AuditLine & { readonly hash?: string };
    if (rest.type !== 'audit') lines.push(rest as AuditLine); // the same line without its hash
  }
  const { head } = check;
  if (head === undefined || head.from !== part.from || head.to !== part.to || check.next !== part.to + 1) {
    throw damaged(`${name}: not the whole ledger of blocks ${part.from} to ${part.to}`);
  }
  const { hash: _, ...own } = head as AuditHead & { readonly hash?: string };
  return { head: own, lines };
}
