/** Signatures in the form in which toncenter sends them, so that whatever their way was, one parser reads them. */
import { encodeBase64 } from '../base/bytes.ts';
import type { BlockIdExt } from './block-id.ts';
import type { SignatureSet } from './signature-set.ts';

function blockIdAnswer({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) {
  return {
    '@type': 'ton.blockIdExt',
    workchain,
    shard: String(shard),
    seqno,
    root_hash: encodeBase64(rootHash),
    file_hash: encodeBase64(fileHash),
  };
}

/** The result of v2 getMasterchainBlockSignatures, as `parseSignatureSet` reads it. */
export function signatureAnswerOf(set: SignatureSet): object {
  const common = {
    id: blockIdAnswer(set.blockId),
    signatures: set.signatures.map(({ nodeIdShort, signature }) => ({
      '@type': 'blocks.signature',
      node_id_short: encodeBase64(nodeIdShort),
      signature: encodeBase64(signature),
    })),
  };
  if (set.kind === 'ordinary') return { '@type': 'blocks.blockSignatures', ...common };
  const { sessionId, slot, candidate } = set;
  return {
    '@type': 'blocks.blockSignatures.simplex',
    ...common,
    session_id: encodeBase64(sessionId),
    slot,
    candidate: encodeBase64(candidate),
  };
}
