/**
 * Proves one shard block from a final masterchain block: by a back link to the masterchain block that lists the shard's
 * top block, then from this top block to the previous ones. This needs no signatures.
 */

import { joinPath } from '../base/json-structure.ts';
import { MASTERCHAIN_WORKCHAIN } from '../base/limits.ts';
import { type BlockIdExt, differingField } from '../block/block-id.ts';
import type { Cell } from '../cells/cell.ts';
import { requireRootHash } from '../cells/merkle-proof.ts';
import { requireSameNetwork } from '../verify/successor.ts';
import { readBlock, readProvenBlock, requireMasterchainId } from './block-header.ts';
import { readMcBlockExtra } from './key-block-config.ts';
import { checkBackLink, openProof } from './link.ts';
import { readPreviousBlocks } from './previous-blocks.ts';
import type { ShardProof } from './shard-block-proof.ts';
import { findShardTop } from './shard-hashes.ts';
import { requireSameBlock, trustError } from './shared-checks.ts';

/** One step down to a shard block. */
export interface ShardStep {
  readonly by: 'back-link' | 'listed' | 'precedes';
  readonly block: BlockIdExt;
  /** Unix seconds, if the proof shows the block's header. */
  readonly genUtime?: number;
}

/**
 * Verifies a proof of a shard block, or of an older masterchain block, step by step.
 * @param globalId the network of `masterchain`, if it is known: every link has to belong to it. All links must agree
 * anyway.
 * @returns every block on the way down, without `masterchain`; empty when the proof is of `masterchain`
 * @throws TrustError naming the broken rule; DecodeError Source: ton `tonlib/tonlib/TonlibClient.cpp`,
 * GetShardBlockProof; `validator/impl/liteserver.cpp`, continue_getShardBlockProof.
 */
export function followShardProof(
  { from, masterchainId, back, links, path }: ShardProof,
  masterchain: BlockIdExt,
  globalId?: number,
): readonly ShardStep[] {
  requireMasterchainId(masterchain, 'masterchain');
  const at = (...keys: PropertyKey[]) => joinPath(path, keys);
  requireSameBlock(from, masterchain, 'the proof does not start at the verified block', at('from'));
  requireMasterchainId(masterchainId, at('mc_id'));
  const steps: ShardStep[] = [];
  let network = globalId;
  if (back === undefined) {
    requireSameBlock(masterchainId, from, 'no link to another masterchain block', at('mc_id'));
  } else {
    if (masterchainId.seqno === 0) throw trustError('trust/header', 'a zerostate lists no shard blocks', at('mc_id'));
    const linkPath = at('mc_proof', 0);
    requireSameBlock(back.from, from, 'the link starts elsewhere', `${linkPath}.from`);
    requireSameBlock(back.to, masterchainId, 'the link ends elsewhere', `${linkPath}.to`);
    network = requireSameNetwork(checkBackLink(back, linkPath).globalId, network, linkPath);
    steps.push({ by: 'back-link', block: masterchainId });
  }
  let current = masterchainId;
  for (const [index, { id, proof }] of links.entries()) {
    const stepPath = at('links', index);
    const root = openProof(proof, `${stepPath}.proof`);
    if (index === 0) {
      network = requireSameNetwork(requireShardTop(root, current, id, stepPath), network, stepPath);
      steps.push({ by: 'listed', block: id });
    } else {
      const { header, previous } = readStepBack(root, current, network, `${stepPath}.proof`);
      if (!previous.some((known) => differingField(known, id) === undefined)) {
        throw trustError('trust/not-listed', `block ${current.seqno} does not follow this block`, `${stepPath}.id`);
      }
      steps.push({ ...steps.pop()!, genUtime: header.genUtime }, { by: 'precedes', block: id });
    }
    current = id;
  }
  return steps;
}

/**
 * Reads the header of a shard block on the way down, and its previous blocks. @param network of the blocks above, if
 * known
 */
export function readStepBack(root: Cell, block: BlockIdExt, network: number | undefined, path: string) {
  const { header } = readProvenBlock(root, block, path);
  requireSameNetwork(header.globalId, network, path);
  return { header, previous: readPreviousBlocks(header, `${path}.info`) };
}

/** Reads the list of shards of a masterchain block, whose header may be pruned. @returns its root, and the network */
export function readShardList(root: Cell, { rootHash }: BlockIdExt, path: string) {
  requireRootHash(root, rootHash, path);
  const block = readBlock(root, path);
  return { globalId: block.globalId, shardHashes: readMcBlockExtra(block, path).shardHashes };
}

/** Requires the masterchain block to list the shard block. @returns the network */
function requireShardTop(root: Cell, masterchain: BlockIdExt, top: BlockIdExt, path: string): number {
  const proofPath = `${path}.proof`;
  if (top.workchain === MASTERCHAIN_WORKCHAIN) {
    throw trustError('trust/not-listed', 'masterchain blocks are not listed among shards', `${path}.id`);
  }
  const { globalId, shardHashes } = readShardList(root, masterchain, proofPath);
  const listed = findShardTop(shardHashes, top.workchain, top.shard, `${proofPath}.shard_hashes`);
  if (listed === undefined || differingField(listed, top) !== undefined) {
    throw trustError('trust/not-listed', 'the masterchain block does not list this shard block', `${path}.id`);
  }
  return globalId;
}
