/**
 * The simplex candidate: what validators voted on. Its hash is signed, so the block it names is the only thing that
 * ties the signatures to a block.
 */
import type { BlockIdExt } from '../decode/block-id.ts';
import {
  CANDIDATE_HASH_DATA_EMPTY,
  CANDIDATE_HASH_DATA_ORDINARY,
  CANDIDATE_ID,
  CANDIDATE_PARENT,
  CANDIDATE_WITHOUT_PARENTS,
} from '../tl/constructors.ts';
import { TlReader } from '../tl/reader.ts';

/** tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256, bare */
function readBlockIdExt(reader: TlReader): BlockIdExt {
  return {
    workchain: reader.int32(),
    shard: reader.int64(),
    seqno: reader.uint32(),
    rootHash: reader.int256(),
    fileHash: reader.int256(),
  };
}

/** consensus.candidateId slot:int hash:int256, bare */
function passCandidateId(reader: TlReader): void {
  reader.uint32();
  reader.int256();
}

/** consensus.CandidateParent: candidateParent with a boxed candidateId, or candidateWithoutParents */
function passParent(reader: TlReader): void {
  const id = reader.constructorId('consensus.CandidateParent', CANDIDATE_PARENT, CANDIDATE_WITHOUT_PARENTS);
  if (id === CANDIDATE_WITHOUT_PARENTS) return;
  reader.constructorId('consensus.candidateId', CANDIDATE_ID);
  passCandidateId(reader);
}

/**
 * The block that a candidate names: reads exactly one boxed consensus.CandidateHashData of either form, an ordinary one
 * or an empty one, which extends its parent's slot. Because nothing may be left over and every value has one spelling,
 * hashing the received bytes equals the node's hash of its re-serialisation.
 * Source: ton `validator/consensus/types.cpp`, CandidateHashData.
 * @param path names the bytes in errors
 * @throws DecodeError `decode/tl` for an unknown constructor, missing or trailing bytes
 */
export function candidateBlockId(bytes: Uint8Array, path = 'candidate'): BlockIdExt {
  const reader = new TlReader(bytes, path);
  const id = reader.constructorId(
    'consensus.CandidateHashData',
    CANDIDATE_HASH_DATA_ORDINARY,
    CANDIDATE_HASH_DATA_EMPTY,
  );
  const blockId = readBlockIdExt(reader);
  if (id === CANDIDATE_HASH_DATA_ORDINARY) {
    reader.int256(); // collated_file_hash
    passParent(reader);
  } else {
    passCandidateId(reader);
  }
  reader.end();
  return blockId;
}
