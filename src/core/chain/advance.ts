/** One step of trust: from a checkpoint to the next key block, by the signatures of the set that the checkpoint names. */
import { badArgument } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { copySignatureSet } from '../block/copy-signature-set.ts';
import type { SignatureList } from '../block/signature-set.ts';
import type { CellLike } from '../cells/boc.ts';
import type { VerificationReport } from '../verify/report.ts';
import { openBlock, readProvenBlock, requireFileHash, requireMasterchainId } from './block-header.ts';
import type { NamedSignatureList } from './block-signatures.ts';
import {
  type AdvancedCheckpoint,
  advancedTo,
  type Checkpoint,
  checkpointOf,
  ownCheckpoint,
  validatorSetAt,
} from './checkpoint.ts';
import {
  type LinkOptions,
  markAfter,
  readLinkOptions,
  requireFinal,
  type StartOptions,
  sourceOfSet,
  staleBy,
} from './link.ts';
import { requireSameBlock } from './shared-checks.ts';
import { parseStoredProof } from './stored-proof.ts';
import { readTrustedConfig } from './trusted-config.ts';

/** The next key block and the proof that it is final. */
export type KeyBlockStep =
  | {
      /** The whole block, or a Merkle proof of it that shows header and configuration. */
      readonly block: CellLike;
      readonly signatures: SignatureList;
    }
  | {
      /** The whole block, or a Merkle proof of it that shows header and configuration. */
      readonly block: CellLike;
      /** The proof that a node stores of it (block_proof#c3), with the signatures. */
      readonly storedProof: CellLike;
    };

function signaturesOf(given: KeyBlockStep): Partial<NamedSignatureList> & { readonly set: SignatureList } {
  const step = requireOptions(given, ['block', 'signatures', 'storedProof'], 'step');
  if ('storedProof' in step && 'signatures' in step) {
    throw badArgument('step', 'signatures or storedProof', step, 'pass one of them');
  }
  return 'storedProof' in step
    ? parseStoredProof(step.storedProof, 'storedProof').signatures
    : { set: copySignatureSet(step.signatures) };
}

/**
 * Moves a checkpoint to the next key block. The signatures are judged by the set of the checkpoint, never by the one the
 * new block installs.
 * @param opts.nowSeconds Unix seconds: the result then says whether the set of the checkpoint is past its time, and its old
 * keys may have made the step. It is told and not refused, as in a walk; the new checkpoint keeps it as `staleStart`.
 * @param opts.acceptStaleStart takes such a start by name
 * @throws TrustError naming the rule that is broken; DecodeError, ValidatorSetError for malformed cells
 */
export function advanceCheckpoint(
  step: KeyBlockStep,
  checkpoint: Checkpoint,
  opts: StartOptions = {},
): AdvancedCheckpoint {
  const { engine, nowSeconds, acceptStaleStart } = readLinkOptions(opts, ['acceptStaleStart']);
  const own = ownCheckpoint(checkpoint);
  const source = sourceOfSet(own.validators);
  const named = signaturesOf(step);
  const id = named.set.blockId;
  requireMasterchainId(id, 'signatures');
  const { root, whole, file } = openBlock(step.block, 'block');
  const { header } = readProvenBlock(root, id, 'block');
  if (whole) requireFileHash(file, id, 'block');
  // Judged without the clock: the next key block is a step on the way, not a head.
  requireFinal(source, header, named, present({ engine }), 'block');
  const isStale = own.staleStart === 'refused' || staleBy(source.validators, nowSeconds);
  const mark = markAfter(own.staleStart, isStale, acceptStaleStart === true);
  return advancedTo(checkpointOf(readTrustedConfig(root, id, 'block'), own.anchor, mark), isStale);
}

/**
 * Verifies the proof that a node stores of a block, header and signatures in one, under a checkpoint.
 * @param opts.expect the block it should be of; without it, whichever block the proof names
 * @returns the report; the whole id is bound
 * @throws TrustError when the proof does not hold: only a block that is final gets a report
 */
export function verifyStoredProof(
  storedProof: CellLike,
  checkpoint: Checkpoint,
  opts: LinkOptions & { readonly expect?: BlockIdExt } = {},
): VerificationReport {
  const { expect, ...options } = readLinkOptions(opts, ['expect']);
  const source = sourceOfSet(validatorSetAt(checkpoint));
  const { blockId, root, signatures } = parseStoredProof(storedProof);
  requireMasterchainId(blockId, 'proof');
  if (expect !== undefined) {
    requireSameBlock(blockId, copyBlockId(expect, 'expect'), 'the proof is for another block', 'proof');
  }
  const { header } = readProvenBlock(root, blockId, 'proof.root');
  return requireFinal(source, header, signatures, options, 'proof');
}
