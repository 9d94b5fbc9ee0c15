/**
 * The fields of the bytes that validators sign, for people to look at; the bytes are the library's. Layouts as in
 * docs/how-finality-works.md; a test holds every name against its constructor id.
 */

/** One field: its bytes stand where those before it end. */
export interface Field {
  readonly name: string;
  readonly length: number;
  readonly meaning: string;
  /** How the page writes its value next to the bytes. */
  readonly as?: 'uint32' | 'int32' | 'shard' | 'constructor';
}

const tlId = (name: string, meaning: string): Field => ({ name, length: 4, meaning, as: 'constructor' });
const hash = (name: string, meaning: string): Field => ({ name, length: 32, meaning });
const uint32 = (name: string, meaning: string): Field => ({ name, length: 4, meaning, as: 'uint32' });

const ORDINARY: readonly Field[] = [
  tlId('ton.blockId', 'TL constructor id: an ordinary signature'),
  hash('root hash', 'of the block'),
  hash('file hash', 'of the block'),
];

const SIMPLEX: readonly Field[] = [
  tlId('consensus.dataToSign', 'TL constructor id: bytes signed under a session'),
  hash('session id', 'this set of validators, these settings'),
  { name: 'length', length: 1, meaning: 'bytes that follow, without the padding' },
  tlId('consensus.simplex.finalizeVote', 'TL constructor id: a vote to make final, and no other vote'),
  tlId('consensus.candidateId', 'TL constructor id: what is voted on'),
  uint32('slot', 'the turn in which it was proposed'),
  hash('candidate hash', 'SHA-256 of the candidate below'),
  { name: 'padding', length: 3, meaning: 'zeros, to a multiple of four' },
];

const BLOCK: readonly Field[] = [
  { name: 'workchain', length: 4, meaning: 'the masterchain is -1', as: 'int32' },
  { name: 'shard', length: 8, meaning: 'all of it', as: 'shard' },
  uint32('seqno', 'the number of the block'),
  hash('root hash', 'of the block'),
  hash('file hash', 'of the block'),
];

const PARENT: readonly Field[] = [
  uint32('slot of the parent', 'the turn in which the candidate before it was proposed'),
  hash('hash of the parent', 'SHA-256 of the candidate before it'),
];

const CANDIDATE_ORDINARY: readonly Field[] = [
  tlId('consensus.candidateHashDataOrdinary', 'TL constructor id: a candidate that brings a block'),
  ...BLOCK,
  hash('collated data', 'hash of what was sent along with the block'),
];

const CANDIDATES: readonly (readonly Field[])[] = [
  [
    ...CANDIDATE_ORDINARY,
    tlId('consensus.candidateParent', 'TL constructor id: another candidate precedes it'),
    tlId('consensus.candidateId', 'TL constructor id: which one'),
    ...PARENT,
  ],
  [...CANDIDATE_ORDINARY, tlId('consensus.candidateWithoutParents', 'TL constructor id: the first of its session')],
  [
    tlId('consensus.candidateHashDataEmpty', 'TL constructor id: a candidate that names the block it extends'),
    ...BLOCK,
    ...PARENT,
  ],
];

/** Returns the fields of the message. */
export const messageFields = (kind: 'ordinary' | 'simplex'): readonly Field[] =>
  kind === 'simplex' ? SIMPLEX : ORDINARY;

/** By length, and where two shapes have the same one by the first byte. The library has read the candidate before. */
export function candidateFields(candidate: Uint8Array): readonly Field[] {
  const [parented, first, empty] = CANDIDATES as readonly [readonly Field[], readonly Field[], readonly Field[]]; // as above
  if (candidate.length === 160) return parented;
  return candidate[0] === EMPTY_FIRST_BYTE ? empty : first;
}

/** The first byte of consensus.candidateHashDataEmpty; an ordinary candidate begins with dc. */
const EMPTY_FIRST_BYTE = 0x33;

/** The value of a field in the notation that people know; nothing for hashes, whose bytes are that. */
export function fieldValue({ as, length }: Field, bytes: Uint8Array, at: number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, length);
  switch (as) {
    case 'uint32':
      return String(view.getUint32(0, true));
    case 'int32':
      return String(view.getInt32(0, true));
    case 'shard':
      return view.getBigUint64(0, true).toString(16);
    case 'constructor':
      return `0x${view.getUint32(0, true).toString(16).padStart(8, '0')}`;
    default:
      return length === 1 ? String(view.getUint8(0)) : '';
  }
}
