/**
 * Moves trust from a final masterchain block down to one shard block: by a back link to the masterchain block that lists
 * the shard's top, then from top to top's predecessor. No signatures inside.
 */
import { DecodeError } from '../base/errors.ts';
import { MASTERCHAIN_WORKCHAIN, MAX_BOC_BYTES, MAX_SHARD_LINKS } from '../base/limits.ts';
import { requireRootHash } from '../cells/merkle-proof.ts';
import { type BlockIdExt, copyBlockId, differingField, readBlockId } from '../decode/block-id.ts';
import { unwrapAnswer } from '../decode/envelope.ts';
import { readBase64 } from '../decode/fields.ts';
import { describeJson, joinPath, requireList, requireObject, requireString } from '../decode/json-structure.ts';
import { readBlock, readProvenBlock, requireMasterchainId } from './block-header.ts';
import { readMcBlockExtra } from './key-block-config.ts';
import { checkBackLink, openProof } from './link.ts';
import { readPreviousBlocks } from './previous-blocks.ts';
import { findShardTop } from './shard-hashes.ts';
import { requireSameBlock, trustError } from './shared-checks.ts';

function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new DecodeError('decode/shape', `expected true or false, got ${describeJson(value)}`, { path });
}

function readProof(base64: unknown, path: string): Uint8Array {
  return readBase64(requireString(base64, path), path, MAX_BOC_BYTES);
}

/**
 * Proves a shard block, or an older masterchain block, from a masterchain block that was verified.
 * @param proofJson the JSON of v2 getShardBlockProof, in any wrapping
 * @param masterchain the verified block; the answer has to start there
 * @param requested the block that was asked for; without it, look at the result: the server chose it
 * @returns the block that is proven
 * @throws TrustError naming the rule that is broken; DecodeError
 * Source: ton `tonlib/tonlib/TonlibClient.cpp`, GetShardBlockProof; `validator/impl/liteserver.cpp`, continue_getShardBlockProof.
 */
export function verifyShardLink(proofJson: unknown, masterchain: BlockIdExt, requested?: BlockIdExt): BlockIdExt {
  const start = copyBlockId(masterchain, 'masterchain');
  const wanted = requested === undefined ? undefined : copyBlockId(requested, 'requested');
  requireMasterchainId(start, 'masterchain');
  const { result, path } = unwrapAnswer(proofJson);
  const answer = requireObject(result, path);
  const at = (...keys: PropertyKey[]) => joinPath(path, keys);
  const links = requireList(answer.links, MAX_SHARD_LINKS, at('links'));
  const [mcLink] = requireList(answer.mc_proof, 1, at('mc_proof'));
  const from = readBlockId(answer.from, at('from'));
  const mcId = readBlockId(answer.mc_id, at('mc_id'));
  requireSameBlock(from, start, 'the proof does not start at the verified block', at('from'));
  requireMasterchainId(mcId, at('mc_id'));
  if (mcLink === undefined) {
    requireSameBlock(mcId, from, 'no link to another masterchain block', at('mc_id'));
  } else {
    if (mcId.seqno === 0) throw trustError('trust/header', 'a zerostate lists no shard blocks', at('mc_id'));
    const linkPath = at('mc_proof', 0);
    const link = requireObject(mcLink, linkPath);
    const back = {
      kind: 'back' as const,
      toKeyBlock: readBoolean(link.to_key_block, `${linkPath}.to_key_block`),
      from: readBlockId(link.from, `${linkPath}.from`),
      to: readBlockId(link.to, `${linkPath}.to`),
      destProof: readProof(link.dest_proof, `${linkPath}.dest_proof`),
      proof: readProof(link.proof, `${linkPath}.proof`),
      stateProof: readProof(link.state_proof, `${linkPath}.state_proof`),
    };
    requireSameBlock(back.from, from, 'the link starts elsewhere', `${linkPath}.from`);
    requireSameBlock(back.to, mcId, 'the link ends elsewhere', `${linkPath}.to`);
    checkBackLink(back, linkPath);
  }
  let current = mcId;
  for (const [index, json] of links.entries()) {
    const stepPath = at('links', index);
    const step = requireObject(json, stepPath);
    const next = readBlockId(step.id, `${stepPath}.id`);
    const root = openProof(readProof(step.proof, `${stepPath}.proof`), `${stepPath}.proof`);
    if (index === 0) requireShardTop(root, current, next, stepPath);
    else requirePrevious(root, current, next, stepPath);
    current = next;
  }
  if (wanted !== undefined) {
    requireSameBlock(current, wanted, 'the proof leads to another block', at('links'), 'trust/incomplete');
  }
  return current;
}

/** The masterchain block lists the shard block. Its header may be pruned: its seqno comes from the back link. */
function requireShardTop(
  root: ReturnType<typeof openProof>,
  masterchain: BlockIdExt,
  top: BlockIdExt,
  path: string,
): void {
  const proofPath = `${path}.proof`;
  if (top.workchain === MASTERCHAIN_WORKCHAIN) {
    throw trustError('trust/not-listed', 'masterchain blocks are not listed among shards', `${path}.id`);
  }
  requireRootHash(root, masterchain.rootHash, proofPath);
  const { shardHashes } = readMcBlockExtra(readBlock(root, proofPath), proofPath);
  const listed = findShardTop(shardHashes, top.workchain, top.shard, `${proofPath}.shard_hashes`);
  if (listed === undefined || differingField(listed, top) !== undefined) {
    throw trustError('trust/not-listed', 'the masterchain block does not list this shard block', `${path}.id`);
  }
}

function requirePrevious(
  root: ReturnType<typeof openProof>,
  block: BlockIdExt,
  previous: BlockIdExt,
  path: string,
): void {
  const { header } = readProvenBlock(root, block, `${path}.proof`);
  const known = readPreviousBlocks(header, `${path}.proof.info`);
  if (!known.some((id) => differingField(id, previous) === undefined)) {
    throw trustError('trust/not-listed', `block ${block.seqno} does not follow this block`, `${path}.id`);
  }
}
