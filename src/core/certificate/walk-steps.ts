/**
 * Reads the key blocks of a certificate one by one, finds the block that the verifier trusts, and the validators that
 * sign the certified block. Each key block is read from its own proof, which must not contain unread cells.
 */
import { badOption } from '../base/arguments.ts';
import { equalBytes } from '../base/bytes.ts';
import { HASH_BYTES } from '../base/limits.ts';
import type { Own } from '../base/own-bytes.ts';
import { ownMembers, present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId, differingField } from '../block/block-id.ts';
import { ownSignatureList, type SignatureList } from '../block/signature-list.ts';
import type { Cell, WorkMeter } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import {
  type BlockHeader,
  type PreviousBlocks,
  readBlock,
  readHeader,
  requireMasterchainId,
} from '../chain/block-header.ts';
import { type Checkpoint, type OwnCheckpoint, ownCheckpoint } from '../chain/checkpoint.ts';
import { type ForwardSource, type LinkOptions, requireFinal, sourceOfSet } from '../chain/link.ts';
import { requireSameBlock } from '../chain/shared-checks.ts';
import { readTrustedConfig, validatorsOf } from '../chain/trusted-config.ts';
import { signerIndex } from '../validators/signer-index.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { SignedBlock } from '../verify/signed-both.ts';
import { requireSameNetwork, requireSuccessor } from '../verify/successor.ts';
import { certError } from './certificate-error.ts';
import { forgetOpened, requireAllUsed } from './no-extra-cells.ts';
import type { CertificateParts, SignedPart } from './parts.ts';
import { spend, unbounded, VALIDATOR_COST } from './work-limit.ts';

/** The block that the verifier trusts, and the time. */
export interface CertificateOptions extends LinkOptions {
  /** The block that you pin. All five fields must equal the certificate's anchor. */
  readonly anchor?: BlockIdExt;
  /** A checkpoint of yours instead, whose key block is one of the certificate's. */
  readonly checkpoint?: Checkpoint;
}

/** The result of a block's signatures. */
export interface SignedSummary {
  readonly kind: SignatureList['kind'];
  readonly signers: number;
  readonly validators: number;
  readonly signedWeight: bigint;
  readonly totalWeight: bigint;
}

/** One key block on the way. */
export interface CertificateStep {
  readonly block: BlockIdExt;
  /** Unix seconds. */
  readonly genUtime: number;
  /** Unix seconds until which its validators were elected. */
  readonly utimeUntil?: number;
  /** The signatures of this block; absent for the trusted block. */
  readonly signed?: SignedSummary;
}

/** Summarizes the signatures of a report. */
export function summaryOf({ coverage, validators }: VerificationReport): SignedSummary {
  const { kind, signatures, signedWeight, totalWeight } = coverage;
  return Object.freeze({ kind, signers: signatures.length, validators: validators.count, signedWeight, totalWeight });
}

const NOBODY = new Uint8Array(HASH_BYTES);

/** Converts indexes of signers to node ids. An index outside the list becomes an id that no validator has. */
export function signatureListOf(part: SignedPart, blockId: BlockIdExt, validators: ValidatorSet): Own<SignatureList> {
  const { nodeIds } = signerIndex(validators);
  const signatures = part.signatures.map(({ index, signature }) => ({
    nodeIdShort: nodeIds[index] ?? NOBODY,
    signature,
  }));
  return ownSignatureList(blockId, signatures, ownMembers(part).simplex); // of a parsed certificate and of a set made here
}

/** Reads the id of a proof's block from the header. @throws TrustError, DecodeError as a header */
export function readNamed(root: Cell, fileHash: Uint8Array, path: string): { id: BlockIdExt; header: BlockHeader } {
  const header = readHeader(readBlock(root, path), path);
  const { workchain, shard, seqno } = header;
  const id = Object.freeze({ workchain, shard, seqno, rootHash: root.hash(0), fileHash: Uint8Array.from(fileHash) });
  requireMasterchainId(id, path);
  return { id, header };
}

/** Makes the source that a proven configuration is for the blocks after it. */
export function sourceFrom(
  root: Cell,
  id: BlockIdExt,
  anchor: BlockIdExt,
  path: string,
  previous: PreviousBlocks = 'required',
  work: WorkMeter = unbounded(),
  start?: BlockIdExt,
): ForwardSource {
  const config = readTrustedConfig(root, id, path, previous, true);
  spend(work, VALIDATOR_COST * config.validators.list.length, path);
  return sourceOfSet(validatorsOf(config, anchor, 'none', start));
}

/** The trusted block. */
export interface Start {
  /** Index of the trusted block among the steps. */
  readonly at: number;
  readonly kind: 'anchor' | 'checkpoint' | 'none';
  readonly checkpoint?: OwnCheckpoint | undefined;
}

/** Finds the trusted block among the steps. @throws CertificateError `cert/anchor` */
export function findStart({ anchor, steps }: CertificateParts, opts: CertificateOptions): Start {
  if (opts.checkpoint !== undefined) {
    if (opts.anchor !== undefined) {
      throw badOption('expected one of anchor and checkpoint, got both', 'anchor');
    }
    const checkpoint = ownCheckpoint(opts.checkpoint);
    const { keyBlock: id } = checkpoint;
    const at = steps.findIndex(({ proof, signed }) => {
      if (signed === undefined) return differingField(anchor, id) === undefined;
      return equalBytes(proof.ref(0).hash(0), id.rootHash) && equalBytes(signed.fileHash, id.fileHash);
    });
    if (at >= 0) return { at, kind: 'checkpoint', checkpoint };
    const message = `no key block of the certificate is that of the checkpoint, ${id.seqno}`;
    throw certError('cert/anchor', message, 'checkpoint', 'ask for a certificate that starts from your checkpoint');
  }
  if (opts.anchor === undefined) return { at: 0, kind: 'none', checkpoint: undefined };
  const field = differingField(copyBlockId(opts.anchor, 'anchor'), anchor);
  if (field === undefined) return { at: 0, kind: 'anchor', checkpoint: undefined };
  const hint = 'ask for a certificate that starts from the block you trust';
  throw certError('cert/anchor', `the certificate starts from another block: ${field} differs`, 'anchor', hint);
}

/** A block that signatures of a validator set make final. */
export interface SignedHop extends SignedBlock {
  readonly validators: ValidatorSet;
  readonly report: VerificationReport;
}

/**
 * Verifies the key blocks. Those before the trusted block are read like all others, but their signatures are not
 * checked, since they would prove nothing in addition.
 * @param work limit for all steps and facts together, which may share cells
 */
export function walkSteps(
  { anchor, globalId, steps }: CertificateParts,
  start: Start,
  engines: LinkOptions,
  work: WorkMeter,
) {
  // For a checkpoint the anchor is the block that its owner pinned; otherwise it is the first block.
  const pinned = start.checkpoint?.anchor ?? anchor;
  /** The key blocks from the trusted one on. */
  const told: CertificateStep[] = [];
  const hops: SignedHop[] = [];
  /** Seqnos of all key blocks, with those before the trusted block. */
  const keyBlocks: number[] = [];
  let first: ForwardSource | undefined;
  let before: ForwardSource | undefined;
  for (const [k, { proof, signed }] of steps.entries()) {
    const path = `chain[${k}]`;
    // Each key block is read from its own proof, whether its signatures are checked or not.
    forgetOpened(proof);
    const root = openMerkleProof(proof, path);
    const named = signed && readNamed(root, signed.fileHash, path);
    // The blocks before a pinned block prove nothing in addition.
    const previous = named === undefined ? 'unread' : 'required';
    const source = sourceFrom(root, named?.id ?? anchor, pinned, path, previous, work, first?.keyBlock);
    requireAllUsed(proof, path, work);
    const { keyBlock: id, genUtime, validators } = source;
    keyBlocks.push(id.seqno);
    // The block is copied, since it is returned to the caller.
    const shown = { block: copyBlockId(id, path), genUtime, ...present({ utimeUntil: validators.utimeUntil }) };
    // Only the first step has no previous block, header or signatures.
    if (before === undefined) {
      requireSameNetwork(globalId, source.globalId, 'certificate.global_id');
    } else if (k <= start.at) {
      requireSuccessor(before, named!.header, path);
    } else {
      const list = signatureListOf(signed!, id, before.validators);
      const report = requireFinal(before, named!.header, { list }, engines, path);
      told.push({ ...shown, signed: summaryOf(report) });
      hops.push({ id, keyBlock: true, signatures: list, validators: before.validators, report });
    }
    before = source;
    if (k !== start.at) continue;
    const { checkpoint } = start;
    if (checkpoint !== undefined) {
      requireSameBlock(id, checkpoint.keyBlock, 'the key block is not that of the checkpoint', path);
      before = { ...source, validators: checkpoint.validators }; // whose keys may already be prepared
    }
    first = before;
    told.push(shown);
  }
  // There is a step, and a trusted one. The validators of `source` sign the certified block.
  return { first: first!, source: before!, steps: told, hops, keyBlocks };
}
