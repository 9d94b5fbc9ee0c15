/**
 * Moves a checkpoint by one step: to the next key block, by signatures of the validator set that the checkpoint names.
 */
import { badArgument } from '../base/arguments.ts';
import { requireOptions } from '../base/options.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { copySignatureList, type SignatureList } from '../block/signature-list.ts';
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
      /** The proof that a node stores of this block (block_proof#c3), with the signatures. */
      readonly storedProof: CellLike;
    };

/** Reads a step. @returns the block, unread, and its signatures; only a stored proof names their session and set */
export function readStep(given: KeyBlockStep, path: string) {
  const step = requireOptions(given, ['block', 'signatures', 'storedProof'], path);
  if ('storedProof' in step && 'signatures' in step) {
    throw badArgument(path, 'signatures or storedProof', step, 'both make the block final: pass one of them');
  }
  const named: Partial<NamedSignatureList> & Pick<NamedSignatureList, 'list'> =
    'storedProof' in step
      ? parseStoredProof(step.storedProof, 'storedProof').signatures
      : { list: copySignatureList(step.signatures) };
  return { block: step.block, named };
}

/**
 * Moves a checkpoint to the next key block. The validators of the checkpoint have to sign, not those that the new block
 * installs.
 * @param step the next key block with its signatures, or with the proof that a node stores of it
 * @param checkpoint to move
 * @param opts `engine` for Ed25519, by default the fastest synchronous one. `nowSeconds` (Unix seconds) to learn whether the
 * stakes of the checkpoint's validators were already free, by default not examined. `acceptStaleStart` to accept this, by
 * default false. A stale start is not an error: the result has `startIsStale`, and the new checkpoint
 * keeps it as `staleStart`.
 * @returns the checkpoint of the next key block
 * @throws TrustError naming the broken rule; DecodeError, ValidatorSetError for malformed cells; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseSignatureList } from 'ton-finality';
 * import { advanceCheckpoint, checkpointFromKeyBlock } from 'ton-finality/chain';
 * const folders = ['vectors/real/fastnet/block-170606', 'vectors/real/fastnet/block-170894'];
 * const [first, next] = folders.map((folder) => ({
 *   block: readFileSync(`${folder}/block.boc`),
 *   signatures: parseSignatureList(JSON.parse(readFileSync(`${folder}/signatures.json`, 'utf8'))),
 * }));
 * const checkpoint = advanceCheckpoint(next, checkpointFromKeyBlock(first.block, first.signatures.blockId));
 * console.log(checkpoint.keyBlock.seqno); // 170894
 * ```
 */
export function advanceCheckpoint(
  step: KeyBlockStep,
  checkpoint: Checkpoint,
  opts: StartOptions = {},
): AdvancedCheckpoint {
  const { engine, nowSeconds, acceptStaleStart } = readLinkOptions(opts, ['acceptStaleStart']);
  const own = ownCheckpoint(checkpoint);
  const source = sourceOfSet(own.validators);
  const { block, named } = readStep(step, 'step');
  const id = named.list.blockId;
  requireMasterchainId(id, 'signatures');
  const { root, whole, file } = openBlock(block, 'block');
  const { header } = readProvenBlock(root, id, 'block');
  if (whole) requireFileHash(file, id, 'block');
  // Verified without the clock: the next key block is a step on the way, not a head.
  requireFinal(source, header, named, present({ engine }), 'block');
  const isStale = own.staleStart === 'refused' || staleBy(source.validators, nowSeconds);
  const mark = markAfter(own.staleStart, isStale, acceptStaleStart === true);
  return advancedTo(checkpointOf(readTrustedConfig(root, id, 'block'), own.anchor, mark), isStale);
}

/**
 * Verifies the proof that a node stores of each block: the header together with the signatures.
 * @param storedProof block_proof#c3, a bag of cells
 * @param checkpoint whose validators have to sign
 * @param opts `expect`, the id of the block that you want, by default any block. `nowSeconds` (Unix seconds) to require a
 * recent validator set, by default any age. `engine` for Ed25519, by default the fastest synchronous one
 * @returns the report, which covers the whole id
 * @throws TrustError if the proof is invalid, since only a final block gets a report; DecodeError, ValidatorSetError;
 * UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { checkpointFromZerostate, MAINNET, verifyStoredProof } from 'ton-finality/chain';
 * const folder = 'vectors/real/mainnet-genesis';
 * const checkpoint = checkpointFromZerostate(readFileSync(`${folder}/zerostate.boc`), MAINNET.zerostate);
 * const { verdict } = verifyStoredProof(readFileSync(`${folder}/block-1/block-proof.boc`), checkpoint);
 * console.log(verdict.status); // final
 * ```
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
