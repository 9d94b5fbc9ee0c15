/** Signature sets of both kinds, signed with known keys, and one defect at a time. */
import { createHash } from 'node:crypto';
import { MASTERCHAIN_SHARD } from '../../src/core/base/limits.ts';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { SignatureEntry, SignatureList } from '../../src/core/block/signature-list.ts';
import { signedMessage } from '../../src/core/message/signed-message.ts';
import { nodeIdShort } from '../../src/core/validators/node-id-short.ts';
import type { Signer } from './make-validators.ts';
import { blockIdBytes, u32 } from './tl-answers.ts';

export function hashOf(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

/** What a key block says of itself, beside its id. */
export const ORIGIN = { globalId: -239, genUtime: 1, vertSeqno: 0, staleStart: 'none' } as const;

export function makeBlockId(seqno: number): BlockIdExt {
  return {
    workchain: -1,
    shard: MASTERCHAIN_SHARD,
    seqno,
    rootHash: hashOf(`root ${seqno}`),
    fileHash: hashOf(`file ${seqno}`),
  };
}

/** An ordinary candidate with a parent (160 bytes), laid by hand. */
export function candidateWithParent(id: BlockIdExt): Uint8Array {
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('dcbcf9e8', 'hex'),
      blockIdBytes(id),
      hashOf('collated'),
      Buffer.from('f19a4b1a3fcd91b6', 'hex'),
      u32(7),
      hashOf('parent'),
    ]),
  );
}

/** An ordinary candidate without a parent (120 bytes). */
export function candidateWithoutParent(id: BlockIdExt): Uint8Array {
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('dcbcf9e8', 'hex'),
      blockIdBytes(id),
      hashOf('collated'),
      Buffer.from('a9cccb22', 'hex'),
    ]),
  );
}

/** An empty candidate (120 bytes). */
export function emptyCandidate(id: BlockIdExt): Uint8Array {
  return new Uint8Array(Buffer.concat([Buffer.from('33d9b472', 'hex'), blockIdBytes(id), u32(7), hashOf('parent')]));
}

export type SetKind = SignatureList['kind'];

export function unsignedSet(
  kind: SetKind,
  blockId: BlockIdExt,
  signatures: readonly SignatureEntry[] = [],
): SignatureList {
  if (kind === 'ordinary') return { kind, blockId, signatures };
  return { kind, blockId, signatures, sessionId: hashOf('session'), slot: 42, candidate: candidateWithParent(blockId) };
}

export function entryOf(signer: Signer, message: Uint8Array): SignatureEntry {
  return { nodeIdShort: nodeIdShort(signer.publicKey), signature: signer.sign(message) };
}

/** The bytes that the signers of a set sign, laid by hand: shares no code with `signedMessage`. */
export function messageByHand(set: SignatureList): Uint8Array {
  if (set.kind === 'ordinary') {
    return new Uint8Array(Buffer.concat([Buffer.from('706e0bc5', 'hex'), set.blockId.rootHash, set.blockId.fileHash]));
  }
  const vote = Buffer.concat([
    Buffer.from('05e1a7403fcd91b6', 'hex'),
    u32(set.slot),
    createHash('sha256').update(set.candidate).digest(),
  ]);
  const length = Buffer.from([vote.length]);
  const padding = Buffer.alloc((4 - ((vote.length + 1) % 4)) % 4);
  return new Uint8Array(Buffer.concat([Buffer.from('f83de3a8', 'hex'), set.sessionId, length, vote, padding]));
}

/** A set signed by all of `signers`. */
/** @param fork tells a block from the other one of its number */
export function makeSignedSet(kind: SetKind, signers: readonly Signer[], seqno = 1000, fork = 0): SignatureList {
  const id = makeBlockId(seqno);
  const rootHash = id.rootHash.map((byte, at) => (at === 0 ? byte ^ fork : byte));
  const unsigned = unsignedSet(kind, { ...id, rootHash });
  const message = signedMessage(unsigned);
  return { ...unsigned, signatures: signers.map((signer) => entryOf(signer, message)) };
}

export function withEntries(set: SignatureList, signatures: readonly SignatureEntry[]): SignatureList {
  return { ...set, signatures };
}

/** The entry with one bit of its signature flipped. */
export function corrupted(entry: SignatureEntry, bit = 3): SignatureEntry {
  const signature = entry.signature.slice();
  signature[bit >> 3] = signature[bit >> 3]! ^ (1 << (bit & 7));
  return { ...entry, signature };
}

/** How a list of signatures of the right block may be no good. */
export type SignedAs = 'good' | 'rejected' | 'insufficient' | 'strangers';

/** @param signers of which half is too few @param strangers who may not sign */
export function signedAs(
  kind: SignedAs,
  signers: readonly Signer[],
  strangers: readonly Signer[],
  seqno: number,
): SignatureList {
  const good = makeSignedSet('simplex', kind === 'strangers' ? strangers : signers, seqno);
  const [first, ...others] = good.signatures;
  if (kind === 'rejected') return withEntries(good, [corrupted(first!), ...others]);
  if (kind === 'insufficient') return withEntries(good, good.signatures.slice(0, signers.length / 2));
  return good;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export function blockIdToAnswer(id: BlockIdExt) {
  return {
    '@type': 'ton.blockIdExt',
    workchain: id.workchain,
    shard: id.shard.toString(),
    seqno: id.seqno,
    root_hash: base64(id.rootHash),
    file_hash: base64(id.fileHash),
  };
}

/** The set as a v2 result. */
export function toAnswer(set: SignatureList) {
  const common = {
    id: blockIdToAnswer(set.blockId),
    signatures: set.signatures.map((entry) => ({
      '@type': 'blocks.signature',
      node_id_short: base64(entry.nodeIdShort),
      signature: base64(entry.signature),
    })),
  };
  if (set.kind === 'ordinary') return { '@type': 'blocks.blockSignatures', ...common };
  return {
    '@type': 'blocks.blockSignatures.simplex',
    ...common,
    session_id: base64(set.sessionId),
    slot: set.slot,
    candidate: base64(set.candidate),
  };
}
