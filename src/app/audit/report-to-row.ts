/** Turns reports of the verifier into rows. It computes no verdict. */
import { encodeHex } from '../../core/base/bytes.ts';
import { BLOCK_ID_FIELDS, type BlockIdExt } from '../../core/block/block-id.ts';
import { blockIdToJson } from '../../core/block/block-id-json.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import { type SignerIndex, signerIndex } from '../../core/validators/signer-index.ts';
import type { Provenance, ValidatorSet } from '../../core/validators/validator-set.ts';
import { sourceOf } from '../../core/verify/check-signatures.ts';
import { staleStartOf } from '../../core/verify/own-report.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import {
  type AuditBlock,
  type AuditHeader,
  type AuditSet,
  type AuditSetProvenance,
  type AuditVerdict,
  bitmapOf,
  setHashOf,
} from './ledger-lines.ts';

function provenanceOf(provenance: Provenance): AuditSetProvenance {
  if (provenance.kind !== 'proven') return { kind: 'given' };
  const { kind, keyBlock, anchor } = provenance;
  return { kind, keyBlock: blockIdToJson(keyBlock), anchor: blockIdToJson(anchor) };
}

/** Returns the line of a set; the same object each time for a set that this library made. */
export function setLineOf(validators: ValidatorSet): AuditSet {
  const index = signerIndex(validators);
  const known = lines.get(index);
  if (known !== undefined) return known;
  const { publicKeys, weights, totalWeight } = index;
  const members = publicKeys.map((publicKey, n) => ({
    publicKey: encodeHex(publicKey),
    weight: String(weights[n]!),
  }));
  const line: AuditSet = Object.freeze({
    type: 'set',
    set: setHashOf({ validators: members }),
    totalWeight: String(totalWeight),
    provenance: provenanceOf(validators.provenance),
    validators: members,
  });
  lines.set(index, line);
  return line;
}

const lines = new WeakMap<SignerIndex, AuditSet>();

function verdictOf({ verdict }: VerificationReport): AuditVerdict {
  if (verdict.status !== 'rejected') return verdict;
  return { status: 'rejected', defects: verdict.defects.map(({ index }) => index) };
}

/** A proven header, and the previous block if the proof shows it. */
export interface HeaderOfRow {
  readonly header: ProvenHeader;
  readonly parent: BlockIdExt | undefined;
}

function rowHeader(known: HeaderOfRow | undefined): AuditHeader | null {
  if (known === undefined) return null;
  const { genUtime, keyBlock, prevKeyBlockSeqno: prevKeyBlock } = known.header;
  const parent = known.parent === undefined ? null : encodeHex(known.parent.rootHash);
  return { genUtime, keyBlock, prevKeyBlock, parent };
}

/** Returns the mark of a block that is judged by this report. @param report the object that the verifier returned */
export function markOf(report: VerificationReport): Pick<AuditBlock, 'staleStart'> {
  return staleStartOf(report) === 'accepted' ? { staleStart: 'accepted' } : {};
}

/** Returns the row of a block that was judged by its own signatures. @param report the object that the verifier returned, not a copy */
export function signedRow(report: VerificationReport, known?: HeaderOfRow): AuditBlock {
  const { coverage, requiredWeight } = report;
  const { blockId, validators } = sourceOf(coverage);
  const index = signerIndex(validators);
  // Nearly all entries are valid: only the others are looked up.
  const bad: number[] = [];
  let unknown = 0;
  for (const { nodeIdShort, outcome } of coverage.signatures) {
    if (outcome === 'valid') continue;
    const position = outcome === 'unknown-signer' ? undefined : index.find(nodeIdShort);
    if (position === undefined) unknown += 1;
    else bad.push(position);
  }
  const absent = coverage.missing.flatMap((nodeId) => index.find(nodeId) ?? []);
  return {
    type: 'block',
    block: blockIdToJson(blockId),
    kind: coverage.kind,
    verdict: verdictOf(report),
    bound: report.bound,
    signedWeight: String(coverage.signedWeight),
    totalWeight: String(coverage.totalWeight),
    requiredWeight: String(requiredWeight),
    margin: String(coverage.signedWeight - requiredWeight),
    set: setLineOf(validators).set,
    setCheck: report.validators.setCheck,
    absent: bitmapOf(absent, index.weights.length),
    bad: bitmapOf(bad, index.weights.length),
    unknown,
    header: rowHeader(known),
    provenance: { by: 'signatures', set: validators.provenance.kind === 'proven' ? 'proven' : 'given' },
    ...markOf(report),
  };
}

/**
 * Returns the row of a block that a later block leads down to, hash by hash.
 * @param of number of the later block, whose row has signatures
 * @param isFinal whether that block is final
 * @param mark of that block
 */
export function linkedRow(
  blockId: BlockIdExt,
  known: HeaderOfRow,
  of: number,
  isFinal: boolean,
  mark: Pick<AuditBlock, 'staleStart'> = {},
): AuditBlock {
  return {
    type: 'block',
    block: blockIdToJson(blockId),
    kind: null,
    verdict: isFinal ? { status: 'final' } : { status: 'undecided', reason: 'no-final-descendant' },
    bound: isFinal ? BLOCK_ID_FIELDS : [],
    signedWeight: null,
    totalWeight: null,
    requiredWeight: null,
    margin: null,
    set: null,
    setCheck: null,
    absent: null,
    bad: null,
    unknown: null,
    header: rowHeader(known),
    provenance: { by: 'descendant', seqno: of },
    ...mark,
  };
}
