/** The proof of a shard block, in whichever form it came. */
import { isObject } from '../base/arguments.ts';
import { isBytes } from '../base/bytes.ts';
import { MAX_SHARD_LINKS } from '../base/limits.ts';
import { ownList } from '../base/own-bytes.ts';
import { readShardProofJson, type ShardProof } from '../chain/shard-link.ts';
import { type BlockIdExt, copyBlockId, readTlBlockId } from '../decode/block-id.ts';
import { LITE_SHARD_BLOCK_PROOF } from '../tl/constructors.ts';
import { type AnswerReaders, bag, layout, readBoxed, readVector } from './answer-layout.ts';

/** liteServer.shardBlockProof. */
export interface ShardProofAnswer {
  readonly kind: 'shard-block-proof';
  readonly masterchainId: BlockIdExt;
  readonly links: readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];
}

export const SHARD_PROOF_READERS: AnswerReaders<ShardProofAnswer> = {
  [LITE_SHARD_BLOCK_PROOF]: layout<ShardProofAnswer>('shard-block-proof', {
    masterchainId: readTlBlockId,
    links: (tl) =>
      readVector(tl, MAX_SHARD_LINKS, 'links', () => Object.freeze({ id: readTlBlockId(tl), proof: bag(tl) })),
  }),
};

/** @param answer v2 getShardBlockProof as JSON; or liteServer.shardBlockProof, as bytes or read @throws DecodeError */
export function readShardProof(answer: unknown): ShardProof {
  const lite = isBytes(answer)
    ? readBoxed(SHARD_PROOF_READERS, answer, 'answer')
    : ((isObject(answer) ? answer : undefined) as Partial<ShardProofAnswer> | undefined); // members are looked at below
  if (lite?.kind !== 'shard-block-proof') return readShardProofJson(answer);
  const { masterchainId, links } = lite as ShardProofAnswer; // its kind was just compared
  const from = copyBlockId(masterchainId, 'answer.masterchainId');
  const own = ownList(links, 'answer.links', MAX_SHARD_LINKS).map((link, k) => {
    const { id, proof } = link ?? {};
    return { id: copyBlockId(id, `answer.links[${k}].id`), proof };
  });
  return { from, masterchainId: from, back: undefined, links: own, path: 'answer' };
}
