/**
 * Defines the lines of a ledger: schema `ton-finality/audit-row@1`, a public contract (`schemas/audit-row-1.json`). The
 * first line says what is audited. A line of kind `set` comes before the first block that names the set. Every seqno of
 * the range has one line, in order: a block, or the reason why it is missing.
 */
import { createHash } from 'node:crypto';
import { isObject } from '../../core/base/arguments.ts';
import { AuditError } from '../../core/base/errors.ts';
import type { BlockIdField } from '../../core/block/block-id.ts';
import type { BlockIdJson } from '../../core/block/block-id-json.ts';
import type { UndecidedReason, ValidatorSetCheck } from '../../core/verify/report.ts';

/**
 * The identifier in the first line of a ledger. Its number changes when a member changes or is removed, not when one is added.
 */
export const AUDIT_ROW_SCHEMA = 'ton-finality/audit-row@1';

/** Most blocks from one signed block to the next: so many are held at a time. */
export const MAX_SIGN_EVERY = 4096;

/** The start of an audit's trust. */
export type AuditTrust =
  /** A set that the caller trusts, by its hash. */
  | { readonly kind: 'given'; readonly set: string }
  /** A checkpoint from which sets are proven. */
  | { readonly kind: 'proven'; readonly anchor: BlockIdJson; readonly keyBlock: BlockIdJson };

/** The first line of a ledger: what is audited, and how it is judged. */
export interface AuditPlan {
  readonly type: 'audit';
  readonly schema: typeof AUDIT_ROW_SCHEMA;
  /** First and last seqno, both included. */
  readonly from: number;
  readonly to: number;
  /** The range of which this is one part: `audit merge` requires all of it. */
  readonly whole?: { readonly from: number; readonly to: number };
  /**
   * 1: every block by its own signatures; n: every n-th block and key blocks by signatures, the others by hashes that
   * lead down to them.
   */
  readonly signEvery: number;
  readonly policy: {
    /** A fraction such as `2/3`. */
    readonly threshold: string;
    readonly onDefect: 'reject' | 'ignore';
    readonly requireBoundId: boolean;
    readonly acceptUnbound: boolean;
  };
  readonly trust: AuditTrust;
}

/** The origin of a validator set. */
export type AuditSetProvenance =
  | { readonly kind: 'given' }
  | { readonly kind: 'proven'; readonly keyBlock: BlockIdJson; readonly anchor: BlockIdJson };

/** A validator set: the members that bitmaps count by, in the order of the configuration. */
export interface AuditSet {
  readonly type: 'set';
  /** SHA-256 in hex over all members in order: the 32 bytes of the key, the weight as a big-endian uint64. */
  readonly set: string;
  readonly totalWeight: string;
  readonly provenance: AuditSetProvenance;
  /** Public key in hex, weight in decimal. */
  readonly validators: readonly { readonly publicKey: string; readonly weight: string }[];
}

/** `no-final-descendant`: no block that leads down to this one was found final. More reasons may be added. */
export type AuditUndecidedReason = UndecidedReason | 'no-final-descendant';

/** The verdict of a row, as in the report. */
export type AuditVerdict =
  | { readonly status: 'final' }
  | { readonly status: 'insufficient' }
  /** The indexes of the entries at fault. */
  | { readonly status: 'rejected'; readonly defects: readonly number[] }
  | { readonly status: 'undecided'; readonly reason: AuditUndecidedReason };

/** Members of a proven header. Claims of servers are left out. */
export interface AuditHeader {
  /** Unix seconds. */
  readonly genUtime: number;
  readonly keyBlock: boolean;
  /** Seqno of the key block whose set signs this block. */
  readonly prevKeyBlock: number;
  /** Root hash of the previous block, in hex, if the proof shows it. It must be the block of the row before. */
  readonly parent: string | null;
}

/** How a block was judged. */
export type AuditProvenance =
  /** By its own signatures, under a set of this provenance. */
  | { readonly by: 'signatures'; readonly set: 'given' | 'proven' }
  /** By hashes that lead down to it from the block with this number, whose row has signatures. */
  | { readonly by: 'descendant'; readonly seqno: number };

/** The result of the block's own signatures; all members are `null` in a row by descendant. */
export interface AuditSigned {
  readonly kind: 'ordinary' | 'simplex';
  readonly signedWeight: string;
  readonly totalWeight: string;
  /** The smallest weight that is final. */
  readonly requiredWeight: string;
  /** Signed minus required weight: negative exactly when the weight is not enough. */
  readonly margin: string;
  /** The `set` of an earlier line. */
  readonly set: string;
  /** Whether the header names this set; `not-checked` without a header. */
  readonly setCheck: ValidatorSetCheck;
  /** Validators without any entry: a bitmap in hex, where the first validator of the set is the highest bit of the first byte. */
  readonly absent: string;
  /** Validators whose entry is not a valid signature, or who have several entries: a bitmap. */
  readonly bad: string;
  /** Number of entries of signers outside the set. */
  readonly unknown: number;
}

interface AuditBlockCommon {
  readonly type: 'block';
  readonly block: BlockIdJson;
  readonly verdict: AuditVerdict;
  /** Members of the block id that signatures and proofs cover. */
  readonly bound: readonly BlockIdField[];
  readonly header: AuditHeader | null;
  readonly provenance: AuditProvenance;
  /** Present if trust began with validators whose stakes were free, which was accepted: by an option or by witnesses. */
  readonly staleStart?: 'accepted';
}

/** A block that was judged by its own signatures. */
export type SignedAuditBlock = AuditBlockCommon & AuditSigned;

/** The row of one block. Where `kind` is `null`, the row is one by descendant, and so is each member of `AuditSigned`. */
export type AuditBlock = SignedAuditBlock | (AuditBlockCommon & { readonly [K in keyof AuditSigned]: null });

/** A row for a block that could not be fetched or read. */
export interface AuditFailure {
  readonly type: 'failure';
  readonly seqno: number;
  /** The code of the error, as in `source/not-ready`; `source/missing` for a block that no file holds. */
  readonly code: string;
}

/** The row of one seqno. */
export type AuditRow = AuditBlock | AuditFailure;

/** Any line of a ledger, without its `hash`. */
export type AuditLine = AuditPlan | AuditSet | AuditRow;

/** Reads the share that signatures have to exceed. */
export function thresholdOf(text: string): { readonly num: bigint; readonly den: bigint } {
  const [num = '2', den = '3'] = text.split('/');
  return { num: BigInt(num), den: BigInt(den) };
}

/** Returns a line that was read, without its running hash. */
export function withoutHash<L extends AuditLine>(line: L): L {
  const { hash: _, ...rest } = line as L & { readonly hash?: string };
  return rest as unknown as L; // the same line
}

/** Describes what an audit trusts, for messages. */
export function trustWords(trust: AuditPlan['trust']): string {
  if (trust.kind === 'given') return `the set ${trust.set}`;
  const [anchor, keyBlock] = [trust.anchor, trust.keyBlock].map(
    ({ seqno, rootHash }) => `block ${seqno} (${rootHash})`,
  );
  return `a checkpoint at key ${keyBlock}, pinned at ${anchor}`;
}

/** Most characters of a member in an error: the longest of ours, `trust`, has about 500. */
const MAX_WORDS = 600;

/** Returns the first difference of two values in words, with the path to it; `undefined` if there is none. */
function differenceAt(path: string, is: unknown, should: unknown): string | undefined {
  if (!isObject(is) || !isObject(should)) {
    const [got, wanted] = [is, should].map((value) => `${JSON.stringify(value)}`.slice(0, MAX_WORDS));
    return got === wanted ? undefined : `${path} is ${got}, expected ${wanted}`;
  }
  const names = [...new Set([...Object.keys(should), ...Object.keys(is)])];
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  return names.map((name) => differenceAt(at(name), is[name], should[name])).find((words) => words !== undefined);
}

/** Checks that two audits are the same. @param words for the error @throws AuditError `audit/plan` with the first difference */
export function requireEqualPlans(
  got: AuditPlan,
  wanted: AuditPlan,
  words: string,
  more: { readonly hint: string; readonly path?: string },
): void {
  const difference = differenceAt('', withoutHash(got), withoutHash(wanted));
  if (difference !== undefined) throw new AuditError('audit/plan', `${words}: ${difference}`, more);
}

/** Returns whether a row is of a final block. */
export function isFinal(row: AuditRow): row is AuditBlock {
  return row.type === 'block' && row.verdict.status === 'final';
}

/** Returns whether a row was judged by its own signatures. */
export function isSigned(row: AuditBlock): row is SignedAuditBlock {
  return row.kind !== null;
}

/**
 * Returns whether a row says something about the validators of its set: not so if another set signed, or no signer is
 * in this set.
 */
export function isOfItsSet({ setCheck, verdict }: SignedAuditBlock): boolean {
  if (setCheck === 'mismatch') return false;
  return verdict.status !== 'undecided' || !SIGNED_BY_OTHERS.has(verdict.reason);
}

const SIGNED_BY_OTHERS: ReadonlySet<AuditUndecidedReason> = new Set(['wrong-validator-set', 'no-known-signer']);

/** Returns why a block is undecided or missing; `undefined` for any other row. */
export function reasonOf(row: AuditRow): string | undefined {
  if (row.type === 'failure') return row.code;
  return row.verdict.status === 'undecided' ? row.verdict.reason : undefined;
}

/** Returns the indexes of the entries for which a block was rejected; `undefined` for any other row. */
export function defectsOf(row: AuditRow): readonly number[] | undefined {
  return row.type === 'block' && row.verdict.status === 'rejected' ? row.verdict.defects : undefined;
}

/** Returns the number of the block of a row. */
export function seqnoOf(row: AuditRow): number {
  return row.type === 'failure' ? row.seqno : row.block.seqno;
}

const DIGITS = new Uint8Array(128).map((_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);

/**
 * Returns the positions that a bitmap in hex has, in order. Position 0 is the highest bit of the first byte, position 8
 * the highest of the second.
 */
export function positionsIn(bitmap: string): number[] {
  const found: number[] = [];
  for (let at = 0; at < bitmap.length; at++) {
    const digit = DIGITS[bitmap.charCodeAt(at)]!;
    for (let bit = 0; digit !== 0 && bit < 4; bit++) if ((digit >> (3 - bit)) & 1) found.push(4 * at + bit);
  }
  return found;
}

/** Makes a bitmap of `count` positions in whole bytes. */
export function bitmapOf(positions: Iterable<number>, count: number): string {
  const bytes = new Uint8Array((count + 7) >> 3);
  for (const position of positions) bytes[position >> 3]! |= 0x80 >> (position & 7);
  return Buffer.from(bytes).toString('hex');
}

/**
 * Returns the hash by which rows name a set, whatever its provenance: SHA-256 in hex over the 32 bytes of each key and
 * its weight as a big-endian uint64.
 */
export function setHashOf({ validators }: Pick<AuditSet, 'validators'>): string {
  const hash = createHash('sha256');
  for (const { publicKey, weight } of validators) {
    const bytes = Buffer.alloc(40);
    bytes.write(publicKey, 'hex');
    bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(weight)), 32);
    hash.update(bytes);
  }
  return hash.digest('hex');
}
