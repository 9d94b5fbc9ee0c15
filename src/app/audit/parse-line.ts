/**
 * Defines the members of every line of a ledger in one table: what each may be, in the order in which they are written. Unknown members of
 * any size are ignored.
 */
import { DecodeError } from '../../core/base/errors.ts';
import {
  badShape,
  isObject,
  type JsonObject,
  requireList,
  requireObject,
  requireString,
} from '../../core/base/json-structure.ts';
import { FINALITY_THRESHOLD, MAX_SEQNO, MAX_SIGNATURE_ENTRIES, MAX_VALIDATORS } from '../../core/base/limits.ts';
import { BLOCK_ID_FIELDS } from '../../core/block/block-id.ts';
import {
  AUDIT_ROW_SCHEMA,
  type AuditLine,
  type AuditPlan,
  type AuditSigned,
  MAX_SIGN_EVERY,
  thresholdOf,
} from './ledger-lines.ts';

/** Checks a value. @returns the value; of an object only the members of the format @throws DecodeError that names the fault */
type Form = (value: unknown, path: string) => unknown;

function matching(form: RegExp, wanted: string): Form {
  return (value, path) => {
    if (form.test(requireString(value, path))) return value;
    throw badShape(wanted, value, path);
  };
}

function whole(min: number, max: number): Form {
  return (value, path) => {
    if (Number.isInteger(value) && min <= (value as number) && (value as number) <= max) return value; // an integer is a number
    throw badShape(`a whole number from ${min} to ${max}`, value, path);
  };
}

function oneOf(...values: readonly unknown[]): Form {
  const wanted = values.map((value) => JSON.stringify(value)).join(' or ');
  return (value, path) => {
    if (values.includes(value)) return value;
    throw badShape(wanted, value, path);
  };
}

function listOf(form: Form, max: number): Form {
  return (value, path) => requireList(value, max, path).map((one, n) => form(one, `${path}[${n}]`));
}

function orNull(form: Form): Form {
  return (value, path) => (value === null ? null : form(value, path));
}

function optional(form: Form): Form {
  return (value, path) => (value === undefined ? undefined : form(value, path));
}

function under(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Copies the own members of an object. The copy has no prototype and so no other members; such an object is not copied again. */
function ownObject(value: unknown, path: string): JsonObject {
  if (isObject(value) && Object.getPrototypeOf(value) === null) return value;
  return requireObject(value, path);
}

function objectOf(members: Readonly<Record<string, Form>>): Form {
  const forms = Object.entries(members);
  return (value, path) => {
    const given = ownObject(value, path);
    const known: Record<string, unknown> = {};
    for (const [name, form] of forms) {
      const member = form(given[name], under(path, name));
      if (member !== undefined) known[name] = member;
    }
    return known;
  };
}

/** The member that tells kinds apart is checked before the others. */
const TAG: Form = (value) => value;

/** Reads an object of one of several kinds. @param tag name of the member that says which */
function oneOfKinds(tag: string, kinds: Readonly<Record<string, Form>>): Form {
  const word = oneOf(...Object.keys(kinds));
  return (value, path) => {
    const given = ownObject(value, path);
    const kind = word(given[tag], under(path, tag)) as string; // it is one of the names
    return kinds[kind]!(given, path);
  };
}

const YES_OR_NO = oneOf(true, false);
const SEQNO = whole(1, MAX_SEQNO);
const UINT32 = whole(0, 0xffffffff);
const BITMAP = matching(/^(?:[0-9a-f]{2})*$/, 'a bitmap in hex');
const WEIGHT = matching(/^(?:0|[1-9][0-9]{0,19})$/, 'a weight');
const HASH = /^[0-9a-f]{64}$/;
const BYTES32 = matching(HASH, '32 bytes in hex');
const SET_HASH = matching(HASH, 'the hash of a set');

const BLOCK_ID = objectOf({
  workchain: oneOf(-1),
  shard: oneOf('-9223372036854775808'),
  seqno: whole(0, MAX_SEQNO),
  rootHash: BYTES32,
  fileHash: BYTES32,
});

const OTHER_VERSION = /^ton-finality\/audit-row@[1-9][0-9]{0,3}$/;

function schema(value: unknown, path: string): unknown {
  if (typeof value !== 'string' || value === AUDIT_ROW_SCHEMA || !OTHER_VERSION.test(value)) {
    return oneOf(AUDIT_ROW_SCHEMA)(value, path);
  }
  throw new DecodeError('decode/shape', `expected ${AUDIT_ROW_SCHEMA}, got ${value}`, {
    path,
    hint: 'read this ledger with the ton-finality that wrote it, or a newer version',
  });
}

const FRACTION = /^[1-9][0-9]{0,18}\/[1-9][0-9]{0,18}$/;

function threshold(value: unknown, path: string): unknown {
  const given = requireString(value, path);
  const { num, den } = thresholdOf(FRACTION.test(given) ? given : '0/1');
  if (num < den && num * FINALITY_THRESHOLD.den >= den * FINALITY_THRESHOLD.num) return given;
  throw badShape('a fraction from 2/3 to below 1', value, path);
}

const HEAD_MEMBERS = objectOf({
  type: TAG,
  schema,
  from: SEQNO,
  to: SEQNO,
  whole: optional(objectOf({ from: SEQNO, to: SEQNO })),
  signEvery: whole(1, MAX_SIGN_EVERY),
  policy: objectOf({
    threshold,
    onDefect: oneOf('reject', 'ignore'),
    requireBoundId: YES_OR_NO,
    acceptUnbound: YES_OR_NO,
  }),
  trust: oneOfKinds('kind', {
    given: objectOf({ kind: TAG, set: SET_HASH }),
    proven: objectOf({ kind: TAG, anchor: BLOCK_ID, keyBlock: BLOCK_ID }),
  }),
});

function head(value: unknown, path: string): unknown {
  const known = HEAD_MEMBERS(value, path) as AuditPlan; // every member was checked
  const { from, to, policy } = known;
  whole(from, MAX_SEQNO)(to, 'to');
  whole(1, from)(known.whole?.from ?? from, 'whole.from');
  whole(to, MAX_SEQNO)(known.whole?.to ?? to, 'whole.to');
  if (policy.requireBoundId) oneOf(false)(policy.acceptUnbound, 'policy.acceptUnbound'); // the policy requires the number to be covered, so a row cannot accept a claim
  return known;
}

const SET = objectOf({
  type: TAG,
  set: BYTES32,
  totalWeight: WEIGHT,
  provenance: oneOfKinds('kind', {
    given: objectOf({ kind: TAG }),
    proven: objectOf({ kind: TAG, keyBlock: BLOCK_ID, anchor: BLOCK_ID }),
  }),
  validators: listOf(objectOf({ publicKey: BYTES32, weight: WEIGHT }), MAX_VALIDATORS),
});

const SIGNED: Readonly<Record<keyof AuditSigned, Form>> = {
  kind: oneOf('ordinary', 'simplex'),
  signedWeight: WEIGHT,
  totalWeight: WEIGHT,
  requiredWeight: WEIGHT,
  margin: matching(/^(?:0|-?[1-9][0-9]{0,19})$/, 'a weight or less than none'),
  set: SET_HASH,
  setCheck: oneOf('match', 'mismatch', 'not-checked'),
  absent: BITMAP,
  bad: BITMAP,
  unknown: whole(0, MAX_SIGNATURE_ENTRIES),
};
const NOTHING = oneOf(null);
const NOT_SIGNED = { ...SIGNED };
for (const name of Object.keys(SIGNED) as (keyof AuditSigned)[]) NOT_SIGNED[name] = NOTHING;

function blockForm({ kind, ...signed }: typeof SIGNED): Form {
  return objectOf({
    type: TAG,
    block: BLOCK_ID,
    kind,
    verdict: oneOfKinds('status', {
      final: objectOf({ status: TAG }),
      insufficient: objectOf({ status: TAG }),
      rejected: objectOf({ status: TAG, defects: listOf(whole(0, MAX_SIGNATURE_ENTRIES - 1), MAX_SIGNATURE_ENTRIES) }),
      undecided: objectOf({ status: TAG, reason: matching(/^[a-z-]{1,40}$/, 'a reason') }),
    }),
    bound: listOf(oneOf(...BLOCK_ID_FIELDS), BLOCK_ID_FIELDS.length),
    ...signed,
    header: orNull(objectOf({ genUtime: UINT32, keyBlock: YES_OR_NO, prevKeyBlock: UINT32, parent: orNull(BYTES32) })),
    provenance: oneOfKinds('by', {
      signatures: objectOf({ by: TAG, set: oneOf('given', 'proven') }),
      descendant: objectOf({ by: TAG, seqno: SEQNO }),
    }),
    staleStart: optional(oneOf('accepted')),
  });
}

const [SIGNED_BLOCK, LINKED_BLOCK] = [blockForm(SIGNED), blockForm(NOT_SIGNED)];

function block(value: unknown, path: string): unknown {
  const { by } = requireObject((value as JsonObject).provenance, 'provenance'); // its type was checked: an object
  return (by === 'descendant' ? LINKED_BLOCK : SIGNED_BLOCK)(value, path);
}

const LINE = oneOfKinds('type', {
  audit: head,
  set: SET,
  block,
  failure: objectOf({ type: TAG, seqno: SEQNO, code: matching(/^[a-z]{1,20}\/[a-z0-9-]{1,40}$/, 'a code') }),
});

/**
 * Reads one line, without its `hash`.
 * @returns the given object, unknown members included
 * @throws DecodeError `decode/shape` with the name of the member
 */
export function parseAuditLine(json: unknown): AuditLine {
  LINE(json, '');
  return json as AuditLine; // every member was checked
}

/** Returns a line as this version writes it: the members of the format, in order, without the hash. */
export function knownMembers<L extends AuditLine>(line: L): L {
  return LINE(line, '') as L; // the same members
}
