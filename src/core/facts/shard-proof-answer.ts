/** The proof of a shard block, in whichever form it came. */
import { isObject } from '../base/arguments.ts';
import { isBytes } from '../base/bytes.ts';
import { MAX_PROOF_ANSWER_BYTES, MAX_SHARD_LINKS } from '../base/limits.ts';
import { ownBytes, ownList } from '../base/own-bytes.ts';
import { type BlockIdExt, copyBlockId, readTlBlockId } from '../block/block-id.ts';
import { openAnswer } from '../chain/open-answer.ts';
import { readShardProofJson, type ShardProof } from '../chain/shard-link.ts';
import { readTlShardLinks, type ShardLinks } from '../chain/shard-proof-links.ts';
import { SHARD_BLOCK_PROOF } from '../tl/constructors.ts';

/** liteServer.shardBlockProof: the way from a masterchain block to one of a shard, for `shardBlock`. */
export interface ShardProofAnswer {
  readonly kind: 'shard-block-proof';
  readonly masterchainId: BlockIdExt;
  /** From the masterchain block down: each block with the proof that the one before lists it. */
  readonly links: ShardLinks;
}

function readTlShardProof(answer: Uint8Array): ShardProof {
  const path = 'answer';
  const own = ownBytes(answer, path, MAX_PROOF_ANSWER_BYTES);
  const { tl } = openAnswer(own, path, 'a shard block proof', SHARD_BLOCK_PROOF);
  const from = readTlBlockId(tl);
  const links = readTlShardLinks(tl);
  tl.end();
  return { from, masterchainId: from, back: undefined, links, path };
}

/** @param answer v2 getShardBlockProof as JSON; or liteServer.shardBlockProof, as bytes or read @throws DecodeError */
export function readShardProof(answer: unknown): ShardProof {
  if (isBytes(answer)) return readTlShardProof(answer);
  const lite = (isObject(answer) ? answer : {}) as Partial<ShardProofAnswer>; // members are looked at below
  if (lite.kind !== 'shard-block-proof') return readShardProofJson(answer);
  const { masterchainId, links } = lite as ShardProofAnswer; // its kind was just compared
  const from = copyBlockId(masterchainId, 'answer.masterchainId');
  const own = ownList(links, 'answer.links', MAX_SHARD_LINKS).map((link, k) => {
    const { id, proof } = link ?? {};
    return { id: copyBlockId(id, `answer.links[${k}].id`), proof };
  });
  return { from, masterchainId: from, back: undefined, links: own, path: 'answer' };
}
