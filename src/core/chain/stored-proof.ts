/** The proof that a node stores of every masterchain block: its header, and the signatures that made it final. */

import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import { openMerkleProof, requireRootHash } from '../cells/merkle-proof.ts';
import { Slice } from '../cells/slice.ts';
import { readShardIdent } from './block-header.ts';
import { readBlockSignatures } from './block-signatures.ts';
import { readIdTail } from './previous-blocks.ts';
import { trustError } from './shared-checks.ts';

const BLOCK_PROOF = 0xc3;

/**
 * block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
 * block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;
 * Source: ton `crypto/block/block.tlb`; `validator/impl/proof.cpp`.
 * @returns the parts before verification: the block id, the root with the level-0 hash that the id names, and the
 * signatures
 * @throws TrustError `trust/hardfork` for a proof without signatures, `trust/root-hash`; DecodeError `decode/boc`
 */
export function parseStoredProof(boc: CellLike, path = 'proof') {
  const slice = new Slice(parseSingleRoot(boc, path), path);
  slice.tag(8, BLOCK_PROOF, 'a stored block proof');
  const { workchain, shard } = readShardIdent(slice);
  const blockId = Object.freeze({ workchain, shard, ...readIdTail(slice) });
  const root = openMerkleProof(slice.ref(), `${path}.root`);
  const signatures = slice.maybeRef();
  slice.end();
  requireRootHash(root, blockId.rootHash, `${path}.root`);
  if (signatures === undefined) {
    const hint = 'a hardfork block is not signed: pin it by hand, with checkpoint init';
    throw trustError('trust/hardfork', 'the proof carries no signatures', path, hint);
  }
  return { blockId, root, signatures: readBlockSignatures(signatures, blockId, `${path}.signatures`) };
}
