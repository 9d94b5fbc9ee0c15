/**
 * The simplex candidate: what validators voted on. Its hash is signed, so the block it names is the only thing that
 * ties the signatures to a block.
 */
import type { BlockIdExt } from '../decode/block-id.ts';
import type { Hash256 } from '../decode/fields.ts';
import {
  CANDIDATE_HASH_DATA_EMPTY,
  CANDIDATE_HASH_DATA_ORDINARY,
  CANDIDATE_ID,
  CANDIDATE_PARENT,
  CANDIDATE_WITHOUT_PARENTS,
} from '../tl/constructors.ts';
import { TlReader } from '../tl/reader.ts';

/** The slot and hash of an earlier candidate. */
export interface CandidateId {
  /** uint32. */
  readonly slot: number;
  readonly hash: Hash256;
}

/** TL consensus.CandidateHashData. An `empty` candidate extends its parent's slot and names the block it confirms. */
export type Candidate =
  | {
      readonly form: 'ordinary';
      readonly blockId: BlockIdExt;
      readonly collatedFileHash: Hash256;
      /** Absent for the first candidate of a session. */
      readonly parent?: CandidateId;
    }
  | { readonly form: 'empty'; readonly blockId: BlockIdExt; readonly parent: CandidateId };

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
function readCandidateId(reader: TlReader): CandidateId {
  return { slot: reader.uint32(), hash: reader.int256() };
}

/** consensus.CandidateParent: candidateParent with a boxed candidateId, or candidateWithoutParents */
function readParent(reader: TlReader): CandidateId | undefined {
  const at = reader.offset;
  const id = reader.uint32();
  switch (id) {
    case CANDIDATE_PARENT:
      reader.constructorId(CANDIDATE_ID, 'consensus.candidateId');
      return readCandidateId(reader);
    case CANDIDATE_WITHOUT_PARENTS:
      return undefined;
    default:
      throw reader.unknownConstructor(id, 'consensus.candidateParent or consensus.candidateWithoutParents', at);
  }
}

function readBody(reader: TlReader): Candidate {
  const id = reader.uint32();
  switch (id) {
    case CANDIDATE_HASH_DATA_ORDINARY: {
      const blockId = readBlockIdExt(reader);
      const collatedFileHash = reader.int256();
      const parent = readParent(reader);
      return { form: 'ordinary', blockId, collatedFileHash, ...(parent === undefined ? {} : { parent }) };
    }
    case CANDIDATE_HASH_DATA_EMPTY:
      return { form: 'empty', blockId: readBlockIdExt(reader), parent: readCandidateId(reader) };
    default:
      throw reader.unknownConstructor(id, 'consensus.candidateHashDataOrdinary or consensus.candidateHashDataEmpty', 0);
  }
}

/**
 * Reads exactly one boxed consensus.CandidateHashData. Because nothing may be left over and every value has one
 * spelling, hashing the received bytes equals the node's hash of its re-serialisation.
 * Source: ton `validator/consensus/types.cpp`, CandidateHashData.
 * @param path names the bytes in errors
 * @throws DecodeError `decode/tl` for an unknown constructor, missing or trailing bytes
 */
export function parseCandidate(bytes: Uint8Array, path = 'candidate'): Candidate {
  const reader = new TlReader(bytes, path);
  const candidate = readBody(reader);
  reader.end();
  return candidate;
}
