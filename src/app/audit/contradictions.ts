/**
 * Finds contradictions of a row with itself, its set, the first line and the row before. An honest ledger has none. The
 * check does not verify the chain, because who signed is in the blocks. It keeps a report from stating what its own
 * ledger contradicts.
 */

import { MAX_TOTAL_WEIGHT } from '../../core/base/limits.ts';
import { BLOCK_ID_FIELDS, type BlockIdField } from '../../core/block/block-id.ts';
import type { BlockIdJson } from '../../core/block/block-id-json.ts';
import { signedFields } from '../../core/message/signed-message.ts';
import { requiredWeight } from '../../core/verify/weights.ts';
import {
  type AuditBlock,
  type AuditPlan,
  type AuditRow,
  type AuditSet,
  isFinal,
  isSigned,
  positionsIn,
  reasonOf,
  type SignedAuditBlock,
  setHashOf,
  thresholdOf,
} from './ledger-lines.ts';

export type WeighedSet = ReturnType<typeof weighedSet>;

/** Returns a set that was named in the ledger, with its weights as numbers. `totalWeight` is text, as in the ledger. */
export function weighedSet({ validators, totalWeight, provenance }: AuditSet, head: AuditPlan) {
  const weights = validators.map(({ weight }) => BigInt(weight));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  /** Seqno of the key block that proves the set; for a set that was given, a number before all blocks. */
  const provenBy = provenance.kind === 'proven' ? provenance.keyBlock.seqno : -1;
  /** The smallest weight that is final under the policy of the audit, as text. */
  const required = String(requiredWeight(total, thresholdOf(head.policy.threshold)));
  return { provenBy, weights, total, totalWeight, required };
}

/** Returns the members of an id that count. Unknown members do not. */
export function idOf({ seqno, rootHash, fileHash }: BlockIdJson): string {
  return `${seqno} ${rootHash} ${fileHash}`;
}

function isSameBlock(one: BlockIdJson, other: BlockIdJson): boolean {
  return idOf(one) === idOf(other);
}

/** A statement that a line cannot make, and what the user can do. */
export interface Contradiction {
  readonly message: string;
  readonly hint: string;
}

export const BROKEN_HINT =
  'the ledger was modified or damaged: restore a backup, or keep only the lines before this one (head -n) and run the audit again';

/** Describes what an honest ledger never has. @returns `undefined` without a message */
export function broken(message: string | undefined): Contradiction | undefined {
  return message === undefined ? undefined : { message, hint: BROKEN_HINT };
}

/** Returns how a first line contradicts itself; `undefined` if it does not. */
export function contradictionInHead({ trust }: AuditPlan): string | undefined {
  if (trust.kind !== 'proven' || trust.anchor.seqno !== trust.keyBlock.seqno) return undefined;
  return isSameBlock(trust.anchor, trust.keyBlock) ? undefined : 'trust.keyBlock: expected the block of trust.anchor';
}

/** Returns how a set contradicts itself or the trust of the audit; `undefined` if it does not. */
export function contradictionInSet(set: AuditSet, { trust }: AuditPlan): string | undefined {
  if (setHashOf(set) !== set.set) return 'the hash of the set is not that of its validators';
  const { validators, provenance } = set;
  const total = validators.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  if (String(total) !== set.totalWeight) return 'totalWeight: expected the sum of the weights';
  if (validators.some(({ weight }) => weight === '0')) return 'a validator without any weight';
  if (total === 0n || total > MAX_TOTAL_WEIGHT) return `totalWeight: expected 1 to 2^61, got ${total}`;
  if (new Set(validators.map(({ publicKey }) => publicKey)).size < validators.length) return 'a duplicate key';
  if (trust.kind === 'given' && set.set !== trust.set) {
    return `set ${set.set}: expected the one that was given, ${trust.set}`;
  }
  if (provenance.kind === 'given' || trust.kind === 'given') {
    return provenance.kind === trust.kind
      ? undefined
      : `provenance.kind: expected "${trust.kind}", as in the first line`;
  }
  const { anchor, keyBlock } = provenance;
  if (!isSameBlock(anchor, trust.anchor)) return 'provenance.anchor: expected that of the first line';
  if (keyBlock.seqno > trust.keyBlock.seqno || isSameBlock(keyBlock, trust.keyBlock)) return undefined;
  return `provenance.keyBlock: expected block ${trust.keyBlock.seqno} of the first line, or a later one`;
}

/** Sums the weights of all positions in a bitmap; `undefined` if the bitmap has a position outside the set. */
function weightIn(bitmap: string, weights: readonly bigint[]): bigint | undefined {
  let sum = 0n;
  for (const position of positionsIn(bitmap)) {
    const weight = weights[position];
    if (weight === undefined) return undefined;
    sum += weight;
  }
  return sum;
}

function wrongSums(row: SignedAuditBlock, { weights, total, totalWeight, required }: WeighedSet): string | undefined {
  if (row.totalWeight !== totalWeight) return `totalWeight: expected that of its set, ${totalWeight}`;
  if (row.requiredWeight !== required) return `requiredWeight: expected ${required} by the policy of this audit`;
  const [absent, bad] = [weightIn(row.absent, weights), weightIn(row.bad, weights)];
  if (absent === undefined || bad === undefined) return 'a bitmap names more validators than its set has';
  if ((BigInt(`0x${row.absent}`) & BigInt(`0x${row.bad}`)) !== 0n) return 'absent and bad: a validator is in both';
  const signed = BigInt(row.signedWeight);
  if (signed !== total - absent - bad) return 'signedWeight: expected the weight of all who are not absent nor bad';
  const margin = signed - BigInt(required);
  if (BigInt(row.margin) !== margin) return 'margin: expected signedWeight less requiredWeight';
  const { status } = row.verdict;
  if ((status === 'final' && margin < 0n) || (status === 'insufficient' && margin >= 0n)) {
    return `verdict: ${status} with a margin of ${margin}`;
  }
  return undefined;
}

/**
 * Checks the verdict in the order in which a judge decides: a different set, no known signer, a defect, the weight, the
 * number.
 */
function wrongVerdict(row: SignedAuditBlock, { policy }: AuditPlan): string | undefined {
  const { verdict, unknown, bad, setCheck } = row;
  const { status } = verdict;
  const reason = reasonOf(row);
  if ((setCheck === 'mismatch') !== (reason === 'wrong-validator-set')) {
    return `verdict: expected undecided, wrong-validator-set exactly where setCheck is mismatch`;
  }
  if (setCheck === 'mismatch') return undefined;
  const badEntries = positionsIn(bad).length;
  const isOfOthers = unknown > 0 && badEntries === 0 && row.signedWeight === '0';
  if (isOfOthers !== (reason === 'no-known-signer')) {
    return 'verdict: expected undecided, no-known-signer exactly where no entry is of this set';
  }
  if (isOfOthers) return undefined;
  const hasDefects = unknown > 0 || badEntries > 0;
  if ((hasDefects && policy.onDefect === 'reject') !== (status === 'rejected')) {
    return `verdict: ${status} with ${unknown + badEntries} bad entries, which this audit is to ${policy.onDefect}`;
  }
  if (verdict.status === 'rejected') {
    const { defects } = verdict;
    const areInOrder = defects.every((at, n) => n === 0 || defects[n - 1]! < at);
    if (areInOrder && defects.length >= unknown + badEntries) return undefined;
    return `verdict.defects: expected at least ${unknown + badEntries} indexes, in order`;
  }
  const isUnbound = policy.requireBoundId && row.bound.length < BLOCK_ID_FIELDS.length;
  if (isUnbound && status === 'final') return 'verdict: final, and the policy wants the whole id to be bound';
  if (reason === 'unbound-id' && !isUnbound)
    return 'verdict: unbound-id, and the policy does not want more than is bound';
  return reason !== undefined && row.margin.startsWith('-') ? `verdict: ${reason} with too little weight` : undefined;
}

/** Checks that `bound` has exactly the members that signatures and proofs cover. @param words for all of them */
function wrongBound(
  { bound }: AuditBlock,
  wanted: readonly BlockIdField[],
  words = wanted.join(', '),
): string | undefined {
  if (bound.length === wanted.length && bound.every((field, n) => field === wanted[n])) return undefined;
  return `bound: expected ${words}`;
}

function wrongSigned(row: SignedAuditBlock, head: AuditPlan, set: WeighedSet): string | undefined {
  const { provenance, header, block, verdict, setCheck } = row;
  const digits = 2 * ((set.weights.length + 7) >> 3);
  if (row.absent.length !== digits || row.bad.length !== digits) {
    return `expected bitmaps of ${set.weights.length} validators`;
  }
  if (provenance.by !== 'signatures') return 'provenance.by: expected "signatures"';
  if (provenance.set !== head.trust.kind) return `provenance.set: expected "${head.trust.kind}", as in the first line`;
  const bound = header === null ? signedFields(row.kind) : BLOCK_ID_FIELDS;
  const wrong = wrongSums(row, set) ?? wrongBound(row, bound) ?? wrongVerdict(row, head);
  if (wrong !== undefined) return wrong;
  if (verdict.status === 'final' && set.provenBy >= block.seqno) {
    return `verdict: final by the set of key block ${set.provenBy}, which signs later blocks only`;
  }
  const isEarlier = setCheck !== 'mismatch' && header !== null && header.prevKeyBlock < set.provenBy;
  return isEarlier ? `setCheck: ${setCheck}, and the header names a key block before that of the set` : undefined;
}

/** Returns the last block of the hop of a block, unless a key block ends the hop earlier. */
function endOfHop(seqno: number, { from, to, signEvery }: AuditPlan): number {
  return Math.min(to, from - 1 + signEvery * Math.ceil((seqno - from + 1) / signEvery));
}

function wrongLinked(row: AuditBlock, head: AuditPlan): string | undefined {
  const { provenance, block, header } = row;
  if (provenance.by !== 'descendant') return undefined;
  if (head.signEvery === 1) return 'provenance.by: descendant, in an audit of the signatures of every block';
  if (provenance.seqno <= block.seqno || provenance.seqno > endOfHop(block.seqno, head)) {
    return 'provenance.seqno: expected a later block of this audit, of the same hop';
  }
  if (header === null || header.parent === null) return 'header: a row by descendant is one because of its header';
  if (header.keyBlock) return 'header.keyBlock: a key block is judged by its own signatures';
  if (isFinal(row)) return wrongBound(row, BLOCK_ID_FIELDS, 'all of the id');
  if (reasonOf(row) === 'no-final-descendant') return wrongBound(row, [], 'nothing');
  return 'verdict: expected final, or undecided, no-final-descendant';
}

/** Returns how a block contradicts itself, its set or the first line; `undefined` where nothing contradicts. */
export function selfContradiction(row: AuditBlock, head: AuditPlan, set: WeighedSet | undefined): string | undefined {
  const { header, block } = row;
  if (isSigned(row)) {
    const wrong = set === undefined ? 'a set that no line before names' : wrongSigned(row, head, set);
    if (wrong !== undefined) return wrong;
  }
  const wrong = wrongLinked(row, head);
  if (wrong !== undefined || !isFinal(row)) return wrong;
  if (head.trust.kind === 'proven' && block.seqno <= head.trust.keyBlock.seqno) {
    return `verdict: final, and trust begins after key block ${head.trust.keyBlock.seqno}`;
  }
  if (header === null) return undefined;
  if (header.prevKeyBlock >= block.seqno) return 'header.prevKeyBlock: expected an earlier block';
  return header.parent === block.rootHash ? 'header.parent: expected another block' : undefined;
}

/**
 * Returns how a final row contradicts a block that trust begins with; `undefined` if it does not, or nothing is known
 * of it.
 */
export function contradictionOfStart(row: AuditBlock, { trust }: AuditPlan): Contradiction | undefined {
  if (trust.kind !== 'proven') return undefined;
  const { block, header } = row;
  const parent = header?.parent ?? null;
  const hint = row.bound.includes('seqno') ? TWO_HISTORIES_HINT : MISNUMBERED_HINT;
  for (const start of [trust.anchor, trust.keyBlock]) {
    const name = `block ${start.seqno} that trust begins with`;
    if (block.seqno === start.seqno && !isSameBlock(block, start)) {
      return { message: `block ${block.seqno} differs from the block that trust begins with`, hint };
    }
    if (block.seqno !== start.seqno && block.rootHash === start.rootHash)
      return misnumbered(`block ${block.seqno} is the ${name}`);
    if (parent === null || (block.seqno - 1 === start.seqno) === (parent === start.rootHash)) continue;
    if (parent === start.rootHash) return misnumbered(`block ${block.seqno} follows the ${name}`);
    return { message: `block ${block.seqno} follows block ${parent}, and the ${name} is ${start.rootHash}`, hint };
  }
  return undefined;
}

const MISNUMBERED_HINT =
  'use another source, with a proof of each header, and start a new ledger: a block number is false';
const TWO_HISTORIES_HINT = 'keep all files, and stop every program that acts on this chain: there are two histories';

/** Describes what shows that a block number is false. */
export function misnumbered(message: string): Contradiction {
  return { message, hint: MISNUMBERED_HINT };
}

/**
 * Returns how a final row contradicts the final row before it; `undefined` where nothing does, or nothing is known. If signatures cover
 * both numbers, only holders of a third of the weight can cause a contradiction: a fork. Otherwise a block number is false.
 */
export function contradictionBetween(last: AuditRow | undefined, next: AuditRow): Contradiction | undefined {
  if (last === undefined || !isFinal(last) || !isFinal(next)) return undefined;
  const parent = next.header?.parent ?? null;
  if (parent === null || parent === last.block.rootHash) return undefined;
  const follows = `block ${next.block.seqno} follows block ${parent}, and the row before it`;
  if (last.bound.includes('seqno'))
    return { message: `${follows} is ${last.block.rootHash}, both final`, hint: TWO_HISTORIES_HINT };
  return misnumbered(`${follows}, whose number is not bound, is ${last.block.rootHash}`);
}
