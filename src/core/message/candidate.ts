/**
 * The simplex candidate, which validators vote on. Signatures cover its hash, and only the block id inside connects
 * them to a block.
 */
import { encodeHex, equalBytes } from '../base/bytes.ts';
import { DecodeError, UnknownKind } from '../base/errors.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { blockIdAt } from '../block/tl-block-id.ts';
import {
  CANDIDATE_HASH_DATA_EMPTY,
  CANDIDATE_HASH_DATA_ORDINARY,
  CANDIDATE_ID,
  CANDIDATE_PARENT,
  CANDIDATE_WITHOUT_PARENTS,
} from '../tl/constructors.ts';
import { tlUint32 } from '../tl/writer.ts';

/**
 * The constructor ids of each shape and their places. In all shapes 80 bytes of block id follow the first constructor
 * id.
 *
 * - consensus.candidateHashDataOrdinary block collated_file_hash parent, where the parent is consensus.candidateParent
 *   with a boxed consensus.candidateId, or consensus.candidateWithoutParents for the first candidate of a session
 * - consensus.candidateHashDataEmpty block parent, where the parent is a bare candidateId. This candidate names the
 *   block of its parent's slot again.
 */
const SHAPES = [
  { length: 160, ids: { 0: CANDIDATE_HASH_DATA_ORDINARY, 116: CANDIDATE_PARENT, 120: CANDIDATE_ID } },
  { length: 120, ids: { 0: CANDIDATE_HASH_DATA_ORDINARY, 116: CANDIDATE_WITHOUT_PARENTS } },
  { length: 120, ids: { 0: CANDIDATE_HASH_DATA_EMPTY } },
] as const;

const BLOCK_ID_AT = 4;

/**
 * Requires exactly one boxed consensus.CandidateHashData. Every shape has one length and no trailing bytes are allowed,
 * so the hash of the received bytes equals the node's hash, which is taken after serializing again. Source: ton
 * `validator/consensus/types.cpp`, CandidateHashData.
 * @throws DecodeError `decode/tl` for an unknown constructor, missing or trailing bytes
 */
function requireCandidate(bytes: Uint8Array): void {
  const holds = (at: number, id: number) => equalBytes(bytes.subarray(at, at + 4), tlUint32(id));
  const isKnown = SHAPES.some(
    ({ length, ids }) => bytes.length === length && Object.entries(ids).every(([at, id]) => holds(Number(at), id)),
  );
  if (isKnown) return;
  const isOther = SHAPES.some(({ ids }) => holds(0, ids[0]));
  throw new DecodeError(
    'decode/tl',
    `expected one consensus.CandidateHashData, got ${bytes.length} bytes of another shape`,
    { path: 'candidate', cause: isOther ? undefined : new UnknownKind(encodeHex(bytes.subarray(0, 4)), true) },
  );
}

/**
 * The block that a candidate names, as typed values. Source: ton `validator/consensus/types.cpp`,
 * CandidateHashData::block.
 * @param bytes are read more than once, so no other code may be able to write to them
 * @throws DecodeError `decode/tl` as `requireCandidate`
 */
export function candidateBlockId(bytes: Uint8Array): BlockIdExt {
  requireCandidate(bytes);
  return blockIdAt(bytes, BLOCK_ID_AT);
}
