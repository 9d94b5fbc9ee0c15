/**
 * The parts of a certificate as cells and numbers, and its encoding. A certificate has one encoding, and stores nothing
 * that can be derived. `verify.ts` verifies the content.
 *
 * certificate#46494e31 version:uint8 global_id:int32 kind:uint8 anchor:^CertId chain:^CertStep last:^CertSignedBlock
 * facts:(Maybe ^CertFact) = Certificate; cert_id$_ workchain:int32 shard:uint64 seqno:uint32 root_hash:bits256
 * file_hash:bits256 = CertId; cert_step$_ proof:^(MERKLE_PROOF Block) next:(Maybe ^CertStep) signed:(Maybe ^CertSigned)
 * = CertStep; cert_signed_block$_ proof:^(MERKLE_PROOF Block) signed:^CertSigned = CertSignedBlock; cert_signed$0
 * file_hash:bits256 signatures:(HashmapE 16 bits512) = CertSigned; cert_signed$1 file_hash:bits256 signatures:(HashmapE
 * 16 bits512) session_id:bits256 slot:uint32 candidate:^Cell = CertSigned; cert_fact$_ kind:uint8 next:(Maybe
 * ^CertFact) body:^Cell = CertFact; `fact-parts.ts` has the bodies.
 */
import { ownMembers } from '../base/present.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import type { SimplexParts } from '../block/signature-list.ts';
import type { Cell } from '../cells/cell.ts';
import { CellBuilder, type NewCell } from '../cells/new-cell.ts';
import { buildDictionary } from '../cells/write-dictionary.ts';
import { FACT_LAYOUTS, type FactParts, factCell } from './fact-parts.ts';

export const CERTIFICATE_TAG = 0x46494e31; // "FIN1"
export const CERTIFICATE_VERSION = 1;
/** The kind of a certificate: a final block with facts below it. There is no other kind yet. */
export const CERTIFICATE_KIND = 1;
export const SIGNER_INDEX_BITS = 16;

/** Bytes of a candidate in each cell of its chain. */
export const CANDIDATE_CELL_BYTES = 127;

/** Signatures of one block, by index in the list of validators. */
export interface SignedPart {
  readonly fileHash: Uint8Array;
  readonly signatures: readonly { readonly index: number; readonly signature: Uint8Array }[];
  readonly simplex?: SimplexParts;
}

/**
 * A key block on the way: its header and its configuration, in one proof. The first one is the anchor and has no
 * signatures.
 */
export interface StepPart {
  readonly proof: Cell;
  readonly signed: SignedPart | undefined;
}

export interface CertificateParts {
  readonly globalId: number;
  readonly anchor: BlockIdExt;
  readonly steps: readonly StepPart[];
  readonly last: { readonly proof: Cell; readonly signed: SignedPart };
  readonly facts: readonly FactParts[];
}

function idCell({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): NewCell {
  return new CellBuilder().int32(workchain).uint64(shard).uint(seqno, 32).bytes(rootHash).bytes(fileHash).build();
}

function candidateCell(candidate: Uint8Array): NewCell {
  const { length } = candidate;
  const count = Math.max(1, Math.ceil(length / CANDIDATE_CELL_BYTES));
  let next: NewCell | undefined;
  for (let k = count - 1; k >= 0; k--) {
    const at = k * CANDIDATE_CELL_BYTES;
    const builder = new CellBuilder().bytes(candidate.subarray(at, at + CANDIDATE_CELL_BYTES));
    next = next === undefined ? builder.build() : builder.ref(next).build();
  }
  return next!;
}

function signedCell(part: SignedPart): NewCell {
  const { fileHash, signatures, simplex } = ownMembers(part);
  const entries = signatures.map(
    ({ index, signature }) => [index, (builder: CellBuilder) => builder.bytes(signature)] as const,
  );
  const builder = new CellBuilder().uint(simplex === undefined ? 0 : 1, 1).bytes(fileHash);
  builder.maybeRef(entries.length === 0 ? undefined : buildDictionary(entries, SIGNER_INDEX_BITS));
  if (simplex === undefined) return builder.build();
  const { sessionId, slot, candidate } = simplex;
  return builder.bytes(sessionId).uint(slot, 32).ref(candidateCell(candidate)).build();
}

/** The tree of a certificate. */
export function certificateCell({ globalId, anchor, steps, last, facts }: CertificateParts): NewCell {
  let chain: NewCell | undefined;
  for (const { proof, signed } of [...steps].reverse()) {
    const builder = new CellBuilder().ref(proof).maybeRef(chain);
    chain = builder.maybeRef(signed === undefined ? undefined : signedCell(signed)).build();
  }
  let fact: NewCell | undefined;
  for (const part of [...facts].reverse()) {
    fact = new CellBuilder().uint(FACT_LAYOUTS[part.kind].number, 8).maybeRef(fact).ref(factCell(part)).build();
  }
  return new CellBuilder()
    .uint(CERTIFICATE_TAG, 32)
    .uint(CERTIFICATE_VERSION, 8)
    .int32(globalId)
    .uint(CERTIFICATE_KIND, 8)
    .ref(idCell(anchor))
    .ref(chain!)
    .ref(new CellBuilder().ref(last.proof).ref(signedCell(last.signed)).build())
    .maybeRef(fact)
    .build();
}
