/** Proves the state after a block: the block's header contains its hash, and a second proof shows the state. */
import { DecodeError } from '../base/errors.ts';
import { parseBoc } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { openMerkleProof, requireRootHash } from '../cells/merkle-proof.ts';
import { readProvenBlock, requirePlace } from '../chain/block-header.ts';
import { requireStateOf } from '../chain/link.ts';
import { readShardState } from '../chain/shard-state.ts';
import { trustError } from '../chain/shared-checks.ts';
import { requireSameNetwork } from '../verify/successor.ts';
import type { BlockFacts } from './proven-block.ts';

/** The two parts of a proof of a state, opened. */
export interface StateParts {
  /** The block, with its header and its state update; absent for a zerostate, which has no block. */
  readonly block: Cell | undefined;
  readonly state: Cell;
}

/** Opens a bag of two Merkle proofs, as lite servers send them: block, then state. @throws DecodeError `decode/boc` */
export function openStateProof(boc: Uint8Array, path: string): StateParts {
  const roots = parseBoc(boc, path);
  const [block, state] = roots;
  if (block === undefined || state === undefined || roots.length !== 2) {
    throw new DecodeError('decode/boc', `expected two roots, a block and its state, got ${roots.length}`, { path });
  }
  return { block: openMerkleProof(block, `${path}[0]`), state: openMerkleProof(state, `${path}[1]`) };
}

/**
 * Reads the state after a block.
 * @returns the state, and the Unix seconds of the block
 * @throws TrustError `trust/root-hash`, `trust/header`, `trust/state-hash`, `trust/wrong-network`, `trust/pruned`;
 * DecodeError `decode/boc`. Source: ton `crypto/block/check-proof.cpp`, check_account_proof and check_shard_proof.
 */
export function readStateAfter(parts: StateParts, facts: BlockFacts, path: string) {
  const { id } = facts;
  let globalId: number | undefined;
  let genUtime: number | undefined;
  if (parts.block === undefined) {
    if (id.seqno !== 0) throw trustError('trust/state-hash', 'no block for the state', path);
    requireRootHash(parts.state, id.rootHash, path);
  } else {
    const { block, header } = readProvenBlock(parts.block, id, `${path}[0]`);
    ({ globalId, genUtime } = header);
    requireSameNetwork(globalId, facts.globalId, path);
    requireStateOf(block, parts.state, `${path}[0]`, `${path}[1]`);
  }
  const state = readShardState(parts.state, `${path}[1]`);
  requirePlace(state, id, 'state', `${path}[1]`);
  requireSameNetwork(state.globalId, globalId, `${path}[1]`);
  requireSameNetwork(state.globalId, facts.globalId, `${path}[1]`);
  return { state, genUtime: genUtime ?? state.genUtime };
}
