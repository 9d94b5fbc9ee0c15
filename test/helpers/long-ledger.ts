/** Ledgers of any length, the same each time, whose rows nobody signed: for what reports do with many of them. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { LedgerCheck } from '../../src/app/audit/ledger-check.ts';
import {
  AUDIT_ROW_SCHEMA,
  type AuditBlock,
  type AuditLine,
  type AuditSet,
  bitmapOf,
  setHashOf,
} from '../../src/app/audit/ledger-lines.ts';
import type { BlockIdJson } from '../../src/core/block/block-id-json.ts';

export interface LongLedger {
  readonly rows: number;
  readonly validators: number;
  /** Rows until the set changes. */
  readonly setEvery: number;
  readonly from?: number;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function idAt(seqno: number): BlockIdJson {
  return {
    workchain: -1,
    shard: '-9223372036854775808',
    seqno,
    rootHash: hash(`root ${seqno}`),
    fileHash: hash(`file ${seqno}`),
  };
}

/** A tenth of a set is new each time. The last block before it is the key block that names it. */
function setLine(number: number, count: number, from: number, before: number): AuditSet {
  const validators = Array.from({ length: count }, (_, n) => {
    const round = n % 10 === number % 10 ? number : Math.floor((number - (n % 10)) / 10);
    return { publicKey: hash(`key ${n} ${round}`), weight: String(10n ** 15n + BigInt(count - n) * 10n ** 13n) };
  });
  const totalWeight = String(validators.reduce((sum, { weight }) => sum + BigInt(weight), 0n));
  const provenance = { kind: 'proven', keyBlock: idAt(before), anchor: idAt(from - 1) } as const;
  return { type: 'set', set: setHashOf({ validators }), totalWeight, provenance, validators };
}

/** Numbers that look like chance, from a seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function* longLedgerLines({ rows, validators, setEvery, from = 50_000_000 }: LongLedger): Generator<AuditLine> {
  const roll = dice(7);
  let set = setLine(0, validators, from, from - 1);
  yield {
    type: 'audit',
    schema: AUDIT_ROW_SCHEMA,
    from,
    to: from + rows - 1,
    signEvery: 1,
    policy: { threshold: '2/3', onDefect: 'reject', requireBoundId: false, acceptUnbound: false },
    trust: { kind: 'proven', anchor: idAt(from - 1), keyBlock: idAt(from - 1) },
  };
  for (let n = 0; n < rows; n++) {
    if (n % setEvery === 0) {
      set = setLine(n / setEvery, validators, from, from + n - 1);
      yield set;
    }
    const seqno = from + n;
    if (n % 997 === 500) {
      yield { type: 'failure', seqno, code: 'source/not-ready' };
      continue;
    }
    const keyBlocks = { isOne: n % setEvery === setEvery - 1, before: from - 1 + n - (n % setEvery) };
    yield rowOf(seqno, n, set, roll, keyBlocks);
  }
}

function rowOf(
  seqno: number,
  n: number,
  set: AuditSet,
  roll: () => number,
  { isOne, before }: { readonly isOne: boolean; readonly before: number },
): AuditBlock {
  const count = set.validators.length;
  const share = n % 2003 === 1001 ? 0.5 : 0.1 + 0.15 * Math.abs(Math.sin(n / 900));
  const absent = Array.from({ length: count }, (_, at) => at).filter(
    (at) => roll() < share * (at % 17 === 3 ? 2.2 : 1),
  );
  const weightOf = (at: number) => BigInt(set.validators[at]!.weight);
  const total = BigInt(set.totalWeight);
  const signed = total - absent.reduce((sum, at) => sum + weightOf(at), 0n);
  const required = (total * 2n) / 3n + 1n;
  return {
    type: 'block',
    block: idAt(seqno),
    kind: 'simplex',
    verdict: { status: signed >= required ? 'final' : 'insufficient' },
    bound: ['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'],
    signedWeight: String(signed),
    totalWeight: set.totalWeight,
    requiredWeight: String(required),
    margin: String(signed - required),
    set: set.set,
    setCheck: 'match',
    absent: bitmapOf(absent, count),
    bad: bitmapOf([], count),
    unknown: 0,
    header: { genUtime: 1_760_000_000 + Math.floor(2.4 * n), keyBlock: isOne, prevKeyBlock: before, parent: null },
    provenance: { by: 'signatures', set: 'proven' },
  };
}

/** Written in pieces, so that a long one fits. */
export function writeLongLedger(file: string, options: LongLedger): void {
  const handle = openSync(file, 'w');
  const check = new LedgerCheck(file);
  let text = '';
  for (const line of longLedgerLines(options)) {
    text += `${check.write(line)}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(handle, text);
    text = '';
  }
  writeSync(handle, text);
  closeSync(handle);
}
