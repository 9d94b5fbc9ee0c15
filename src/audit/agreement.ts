/**
 * What the members of a row say of each other, of its set, and of the row before: the least that an honest ledger keeps to.
 * It is no verification: who signed is in the blocks. It keeps a page from showing weights that its own bitmaps contradict.
 */

import { requiredWeight } from '../verify/tally.ts';
import {
  type AuditBlock,
  type AuditHead,
  type AuditRow,
  type AuditSet,
  isSigned,
  MAX_SIGN_EVERY,
  type SignedAuditBlock,
} from './row.ts';

/** A set that was named, with its weights as numbers. */
export interface NamedSet {
  readonly weights: readonly bigint[];
  readonly total: bigint;
  /** The same as text, and the least weight that is final under the policy of the audit. */
  readonly totalWeight: string;
  readonly required: string;
}

function thresholdOf({ policy }: AuditHead): { readonly num: bigint; readonly den: bigint } {
  const [num = '2', den = '3'] = policy.threshold.split('/');
  return { num: BigInt(num), den: BigInt(den) };
}

export function namedSet({ validators, totalWeight }: AuditSet, head: AuditHead): NamedSet {
  const weights = validators.map(({ weight }) => BigInt(weight));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  return { weights, total, totalWeight, required: String(requiredWeight(total, thresholdOf(head))) };
}

/** The weight of all positions that a bitmap has; `undefined` where it has one that nobody stands at. */
function weightIn(bitmap: string, weights: readonly bigint[]): bigint | undefined {
  let sum = 0n;
  for (let at = 0; at < bitmap.length; at++) {
    const digit = Number.parseInt(bitmap.charAt(at), 16);
    for (let bit = 0; digit !== 0 && bit < 4; bit++) {
      if (((digit >> (3 - bit)) & 1) === 0) continue;
      const weight = weights[4 * at + bit];
      if (weight === undefined) return undefined;
      sum += weight;
    }
  }
  return sum;
}

/** Two bitmaps of the same length. */
function haveInCommon(one: string, other: string): boolean {
  return /[1-9a-f]/.test(one) && /[1-9a-f]/.test(other) && (BigInt(`0x${one}`) & BigInt(`0x${other}`)) !== 0n;
}

function wrongSums(row: SignedAuditBlock, { weights, total, totalWeight, required }: NamedSet): string | undefined {
  if (row.totalWeight !== totalWeight) return `totalWeight: expected that of its set, ${totalWeight}`;
  if (row.requiredWeight !== required) return `requiredWeight: expected ${required} by the policy of this audit`;
  const [absent, bad] = [weightIn(row.absent, weights), weightIn(row.bad, weights)];
  if (absent === undefined || bad === undefined) return 'a bitmap names more validators than its set has';
  if (haveInCommon(row.absent, row.bad)) return 'absent and bad: a validator stands in both';
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

/** Where a block contradicts itself, its set or the range of the audit; `undefined` where it does not. */
export function selfContradiction(row: AuditBlock, head: AuditHead, set: NamedSet | undefined): string | undefined {
  if (isSigned(row)) return set === undefined ? 'a set that no line before names' : wrongSums(row, set);
  const { provenance, block } = row;
  if (provenance.by !== 'descendant') return undefined;
  const steps = provenance.seqno - block.seqno;
  if (steps > 0 && steps < MAX_SIGN_EVERY && provenance.seqno <= head.to) return undefined;
  return 'provenance.seqno: expected a later block of this audit';
}

function isBoundFinal(row: AuditRow | undefined): row is AuditBlock {
  return row?.type === 'block' && row.verdict.status === 'final' && row.bound.includes('seqno');
}

/** What two rows cannot both be, and what to do about it. */
export interface Contradiction {
  readonly message: string;
  readonly hint: string;
}

/** A block cannot have two numbers. @param row final */
export function sameBlockAgain(row: AuditBlock): Contradiction {
  return {
    message: `block ${row.block.seqno} has the root hash of an earlier row, both final: one block under two numbers`,
    hint: MISNUMBERED_HINT,
  };
}

/** What is wrong with a row beside the one before it; `undefined` where nothing is, or is known. */
export function contradictionBetween(last: AuditRow | undefined, next: AuditRow): Contradiction | undefined {
  const fork = forkBetween(last, next);
  if (fork !== undefined) return { message: fork, hint: FORK_HINT };
  const misnumbered = misnumberedBefore(last, next);
  return misnumbered === undefined ? undefined : { message: misnumbered, hint: MISNUMBERED_HINT };
}

/** A final block says which one it follows; a row before it that is another block has a number that is not its own. */
function misnumberedBefore(last: AuditRow | undefined, next: AuditRow): string | undefined {
  if (last?.type !== 'block' || last.verdict.status !== 'final' || !isBoundFinal(next)) return undefined;
  const parent = next.header?.parent ?? null;
  if (parent === null || parent === last.block.rootHash || next.block.seqno !== last.block.seqno + 1) return undefined;
  return `block ${next.block.seqno} follows block ${parent}, and the row before it, whose number nothing vouches for, is ${last.block.rootHash}`;
}

const MISNUMBERED_HINT =
  'a number was made up: take the blocks from another place, with a proof of each header, and begin a new ledger';

/**
 * Two blocks in a row, both final, of which the second follows another one: nobody but the holders of a third of the keys can
 * make that, and no audit passes over it.
 * @returns words for an error; `undefined` where nothing is wrong, or known
 */
function forkBetween(last: AuditRow | undefined, next: AuditRow): string | undefined {
  if (!isBoundFinal(last) || !isBoundFinal(next) || next.block.seqno !== last.block.seqno + 1) return undefined;
  const parent = next.header?.parent ?? null;
  if (parent === null || parent === last.block.rootHash) return undefined;
  return `block ${next.block.seqno} follows block ${parent}, and the row before it is ${last.block.rootHash}, both final`;
}

const FORK_HINT = 'these are two histories: keep all of it, and stop whatever acts on this chain';
