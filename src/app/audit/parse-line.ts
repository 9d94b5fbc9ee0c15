/** One line of a ledger from `unknown` to typed. Members that nobody knows are left alone; all others are looked at. */
import { DecodeError } from '../../core/base/errors.ts';
import {
  describeJson,
  type JsonObject,
  requireList,
  requireObject,
  requireString,
} from '../../core/base/json-structure.ts';
import { FINALITY_THRESHOLD, MAX_SEQNO, MAX_SIGNATURE_ENTRIES, MAX_VALIDATORS } from '../../core/base/limits.ts';
import { BLOCK_ID_FIELDS } from '../../core/block/block-id.ts';
import {
  AUDIT_ROW_SCHEMA,
  type AuditBlock,
  type AuditFailure,
  type AuditHead,
  type AuditLine,
  type AuditSet,
  MAX_SIGN_EVERY,
} from './ledger-lines.ts';

const HASH = /^[0-9a-f]{64}$/;
const HEX = /^(?:[0-9a-f]{2})*$/;
const WEIGHT = /^(?:0|[1-9][0-9]{0,19})$/;
const MARGIN = /^(?:0|-?[1-9][0-9]{0,19})$/;
const THRESHOLD = /^([1-9][0-9]{0,18})\/([1-9][0-9]{0,18})$/;
const CODE = /^[a-z]{1,20}\/[a-z0-9-]{1,40}$/;
const OTHER_VERSION = /^ton-finality\/audit-row@[1-9][0-9]{0,3}$/;
const REASON = /^[a-z-]{1,40}$/;

function wrong(path: string, wanted: string, got: unknown): DecodeError {
  return new DecodeError('decode/shape', `expected ${wanted}, got ${describeJson(got)}`, { path });
}

function requireText(value: unknown, form: RegExp, wanted: string, path: string): void {
  if (!form.test(requireString(value, path))) throw wrong(path, wanted, value);
}

function requireInteger(value: unknown, min: number, max: number, path: string): number {
  if (Number.isInteger(value) && min <= (value as number) && (value as number) <= max) return value as number; // an integer is a number
  throw wrong(path, `a whole number from ${min} to ${max}`, value);
}

function requireOneOf(value: unknown, words: readonly unknown[], path: string): void {
  if (!words.includes(value)) throw wrong(path, words.map((word) => JSON.stringify(word)).join(' or '), value);
}

function requireBlockId(value: unknown, path: string): void {
  const id = requireObject(value, path);
  requireOneOf(id.workchain, [-1], `${path}.workchain`);
  requireOneOf(id.shard, ['-9223372036854775808'], `${path}.shard`);
  requireInteger(id.seqno, 0, MAX_SEQNO, `${path}.seqno`);
  requireText(id.rootHash, HASH, '32 bytes in hex', `${path}.rootHash`);
  requireText(id.fileHash, HASH, '32 bytes in hex', `${path}.fileHash`);
}

function requireHead(line: JsonObject): void {
  if (typeof line.schema === 'string' && line.schema !== AUDIT_ROW_SCHEMA && OTHER_VERSION.test(line.schema)) {
    throw new DecodeError('decode/shape', `expected ${AUDIT_ROW_SCHEMA}, got ${line.schema}`, {
      path: 'schema',
      hint: 'this ledger is of another version: read it with the ton-finality that wrote it, or a newer one',
    });
  }
  requireOneOf(line.schema, [AUDIT_ROW_SCHEMA], 'schema');
  const from = requireInteger(line.from, 1, MAX_SEQNO, 'from');
  const to = requireInteger(line.to, from, MAX_SEQNO, 'to');
  if (line.whole !== undefined) {
    const whole = requireObject(line.whole, 'whole');
    requireInteger(whole.from, 1, from, 'whole.from');
    requireInteger(whole.to, to, MAX_SEQNO, 'whole.to');
  }
  requireInteger(line.signEvery, 1, MAX_SIGN_EVERY, 'signEvery');
  const policy = requireObject(line.policy, 'policy');
  const [, num = '0', den = '1'] = THRESHOLD.exec(requireString(policy.threshold, 'policy.threshold')) ?? [];
  const [n, d] = [BigInt(num), BigInt(den)];
  if (n >= d || n * FINALITY_THRESHOLD.den < d * FINALITY_THRESHOLD.num) {
    throw wrong('policy.threshold', 'a fraction from 2/3 to below 1', policy.threshold);
  }
  requireOneOf(policy.onDefect, ['reject', 'ignore'], 'policy.onDefect');
  requireOneOf(policy.requireBoundId, [true, false], 'policy.requireBoundId');
  // What has to be bound is not taken unbound.
  requireOneOf(policy.acceptUnbound, policy.requireBoundId === true ? [false] : [true, false], 'policy.acceptUnbound');
  const trust = requireObject(line.trust, 'trust');
  requireOneOf(trust.kind, ['given', 'proven'], 'trust.kind');
  if (trust.kind === 'given') requireText(trust.set, HASH, 'the hash of a set', 'trust.set');
  else {
    requireBlockId(trust.anchor, 'trust.anchor');
    requireBlockId(trust.keyBlock, 'trust.keyBlock');
  }
}

function requireSet(line: JsonObject): void {
  requireText(line.set, HASH, '32 bytes in hex', 'set');
  requireText(line.totalWeight, WEIGHT, 'a weight', 'totalWeight');
  const provenance = requireObject(line.provenance, 'provenance');
  requireOneOf(provenance.kind, ['given', 'proven'], 'provenance.kind');
  if (provenance.kind === 'proven') {
    requireBlockId(provenance.keyBlock, 'provenance.keyBlock');
    requireBlockId(provenance.anchor, 'provenance.anchor');
  }
  const validators = requireList(line.validators, MAX_VALIDATORS, 'validators');
  for (const [n, validator] of validators.entries()) {
    const { publicKey, weight } = requireObject(validator, `validators[${n}]`);
    requireText(publicKey, HASH, '32 bytes in hex', `validators[${n}].publicKey`);
    requireText(weight, WEIGHT, 'a weight', `validators[${n}].weight`);
  }
}

function requireVerdict(value: unknown): void {
  const { status, defects, reason } = requireObject(value, 'verdict');
  requireOneOf(status, ['final', 'insufficient', 'rejected', 'undecided'], 'verdict.status');
  if (status === 'undecided') requireText(reason, REASON, 'a reason', 'verdict.reason');
  if (status !== 'rejected') return;
  for (const [n, index] of requireList(defects, MAX_SIGNATURE_ENTRIES, 'verdict.defects').entries()) {
    requireInteger(index, 0, MAX_SIGNATURE_ENTRIES - 1, `verdict.defects[${n}]`);
  }
}

function requireHeader(value: unknown): void {
  if (value === null) return;
  const header = requireObject(value, 'header');
  requireInteger(header.genUtime, 0, 0xffffffff, 'header.genUtime');
  requireOneOf(header.keyBlock, [true, false], 'header.keyBlock');
  requireInteger(header.prevKeyBlock, 0, 0xffffffff, 'header.prevKeyBlock');
  if (header.parent !== null) requireText(header.parent, HASH, '32 bytes in hex', 'header.parent');
}

const SIGNED = [
  'kind',
  'signedWeight',
  'totalWeight',
  'requiredWeight',
  'margin',
  'set',
  'setCheck',
  'absent',
  'bad',
  'unknown',
] as const;

function requireBlock(line: JsonObject): void {
  requireBlockId(line.block, 'block');
  requireVerdict(line.verdict);
  for (const [n, field] of requireList(line.bound, BLOCK_ID_FIELDS.length, 'bound').entries()) {
    requireOneOf(field, BLOCK_ID_FIELDS, `bound[${n}]`);
  }
  requireHeader(line.header);
  const provenance = requireObject(line.provenance, 'provenance');
  requireOneOf(provenance.by, ['signatures', 'descendant'], 'provenance.by');
  if (provenance.by === 'descendant') {
    requireInteger(provenance.seqno, 1, MAX_SEQNO, 'provenance.seqno');
    for (const member of SIGNED) requireOneOf(line[member], [null], member);
    return;
  }
  requireOneOf(provenance.set, ['given', 'proven'], 'provenance.set');
  requireOneOf(line.kind, ['ordinary', 'simplex'], 'kind');
  for (const weight of ['signedWeight', 'totalWeight', 'requiredWeight'] as const) {
    requireText(line[weight], WEIGHT, 'a weight', weight);
  }
  requireText(line.margin, MARGIN, 'a weight or less than none', 'margin');
  requireText(line.set, HASH, 'the hash of a set', 'set');
  requireOneOf(line.setCheck, ['match', 'mismatch', 'not-checked'], 'setCheck');
  requireText(line.absent, HEX, 'a bitmap in hex', 'absent');
  requireText(line.bad, HEX, 'a bitmap in hex', 'bad');
  requireInteger(line.unknown, 0, MAX_SIGNATURE_ENTRIES, 'unknown');
}

/**
 * Reads one line, `hash` left aside.
 * @throws DecodeError `decode/shape` naming the member
 */
export function parseAuditLine(json: unknown): AuditLine {
  const line = requireObject(json, '');
  switch (line.type) {
    case 'audit':
      requireHead(line);
      return json as AuditHead; // every member was looked at
    case 'set':
      requireSet(line);
      return json as AuditSet; // the same
    case 'block':
      requireBlock(line);
      return json as AuditBlock; // the same
    case 'failure':
      requireInteger(line.seqno, 1, MAX_SEQNO, 'seqno');
      requireText(line.code, CODE, 'a code', 'code');
      return json as AuditFailure; // the same
    default:
      throw wrong('type', '"audit", "set", "block" or "failure"', line.type);
  }
}
