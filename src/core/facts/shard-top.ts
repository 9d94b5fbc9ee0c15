/** Leads from a proven masterchain block to a shard block, by two forms of proof, and to older masterchain blocks. */

import { badOption, isObject } from '../base/arguments.ts';
import { equalBytes } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { joinPath } from '../base/json-structure.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { parsePartialBlockProof } from '../chain/block-proof.ts';
import { checkBackLink, openProof } from '../chain/link.ts';
import { readShardProof } from '../chain/shard-block-proof.ts';
import { findShardOfAccount } from '../chain/shard-hashes.ts';
import { followShardProof, readShardList } from '../chain/shard-link.ts';
import { readMasterchainState } from '../chain/shard-state.ts';
import { requireSameBlock, trustError } from '../chain/shared-checks.ts';
import { requireSameNetwork } from '../verify/successor.ts';
import { type AccountId, type AccountLike, requireAccount, requireInShard, shardKey } from './account-id.ts';
import { shardContradiction } from './fact-checks.ts';
import {
  type BlockFacts,
  factsBelow,
  factsOf,
  makeProven,
  masterchainFacts,
  type ProofStep,
  type ProvenBlock,
  requireAnswer,
} from './proven-block.ts';
import { openStateProof, readStateAfter, type StateParts } from './proven-state.ts';

/**
 * A proof by the state that a masterchain block lists a shard. Answers about accounts and shards contain such proofs.
 */
export interface ShardTopProof {
  readonly id?: BlockIdExt;
  /** The block that the server names. It is compared with what the proof shows. */
  readonly shardBlock?: BlockIdExt;
  /** Two roots: header and state of `id`; empty for an account of the masterchain. */
  readonly shardProof: Uint8Array;
}

/** A proof of the shards of a masterchain block, such as `AllShardsAnswer`. */
export interface ShardListProof<Bag extends CellLike = CellLike> {
  readonly id?: BlockIdExt;
  /** A proof of the block, with the hash of its list of shards. */
  readonly proof: Bag;
  /** The list itself. */
  readonly data: Bag;
}

/**
 * The shard top for an account that the state of a masterchain block lists; `below` is `undefined` for a workchain
 * without shards. @returns with it the Unix seconds of the masterchain block
 */
export function checkShardTop(parts: StateParts, facts: BlockFacts, account: AccountId) {
  const at = 'shard_proof';
  const { state, genUtime } = readStateAfter(parts, facts, at);
  const { shardHashes } = readMasterchainState(parts.state, `${at}[1]`);
  const top = topIn(shardHashes, account, `${at}[1].shard_hashes`);
  if (top === undefined) return { below: undefined, genUtime };
  const path = [...facts.path.slice(0, -1), { ...facts.path.at(-1)!, genUtime }];
  return { below: factsBelow({ ...facts, path }, [{ by: 'listed', block: top }], state.globalId), genUtime };
}

export function notListed({ workchain }: AccountId, path: string): Error {
  return trustError('trust/not-listed', `the masterchain block lists no shard of workchain ${workchain}`, path);
}

/** Workchain in a server's answer that knows of no block. Source: ton `ton/ton-types.h`, workchainInvalid. */
const NO_WORKCHAIN = -0x80000000;

/**
 * Opens the proof of a shard top in an answer. The block that the answer names, if any, has to be the proven one.
 * @throws TrustError `trust/wrong-shard` for a named shard of the same workchain that cannot contain the account, and as
 * `checkShardTop`
 */
export function checkNamedTop(
  named: BlockIdExt | undefined,
  shardProof: Uint8Array,
  facts: BlockFacts,
  account: AccountId,
): ReturnType<typeof checkShardTop> {
  const id = named === undefined ? undefined : copyBlockId(named, 'answer.shardblk');
  if (id?.workchain === account.workchain) requireInShard(id, account);
  const found = checkShardTop(openStateProof(shardProof, 'shard_proof'), facts, account);
  if (id === undefined) return found;
  const top = found.below?.id;
  if ((top === undefined) !== (id.workchain === NO_WORKCHAIN)) throw shardContradiction();
  const what = 'the masterchain block lists another block';
  if (top !== undefined) requireSameBlock(id, top, what, 'answer.shardblk', 'trust/not-listed');
  return found;
}

/** The list of shards of a masterchain block: its root, which may be all that is shown. */
function shardList(root: Cell, facts: BlockFacts): Cell | undefined {
  const { globalId, shardHashes } = readShardList(root, facts.id, 'proof');
  requireSameNetwork(globalId, facts.globalId, 'proof');
  return shardHashes;
}

function topIn(list: Cell | undefined, account: AccountId, path = 'shard_hashes'): BlockIdExt | undefined {
  return findShardOfAccount(list, account.workchain, shardKey(account), path);
}

/** The shard top for an account that a masterchain block itself lists. */
export function checkShardTopInBlock(root: Cell, facts: BlockFacts, account: AccountId): BlockIdExt | undefined {
  return topIn(shardList(root, facts), account);
}

/** Opens the list of shards that comes with a proof of its hash: HashmapE 32 ^(BinTree ShardDescr). */
function givenList(data: CellLike, listed: Cell | undefined): Cell {
  const slice = new Slice(parseSingleRoot(data, 'data'), 'data');
  const given = slice.maybeRef();
  slice.end();
  if (given !== undefined && listed !== undefined && equalBytes(given.hash(0), listed.hash(0))) return given;
  throw trustError('trust/not-listed', 'the list of shards is not the one of the block', 'data');
}

/**
 * Proves the newest block of the shard that contains an account, from a proven masterchain block or its state.
 * @param answer liteServer.accountState, shardInfo or allShardsInfo as `parseLiteAnswer` returns it; or the proof of
 * one of the first two alone
 * @param masterchain the block of the answer
 * @param account an id, or an `Address` of `@ton/core`
 * @returns the proven shard block
 * @throws TrustError naming the broken rule; `trust/not-listed` when the workchain has no shard; DecodeError;
 * UsageError Source: ton `crypto/block/check-proof.cpp`, check_shard_proof; `crypto/block/mc-config.cpp`,
 * ShardConfig::get_shard_hash.
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk, parseAccountId, parseLiteAnswer, verifyShardTop } from 'ton-finality/facts';
 * const answers = 'vectors/live/answers';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/key-block-173.json', 'utf8')));
 * const block = blockOfWalk(verifyBlockProof(readFileSync(`${answers}/proof-key-block-to-block.tl`), checkpoint));
 * const answer = parseLiteAnswer(readFileSync(`${answers}/all-shards.tl`), 'all-shards');
 * console.log(verifyShardTop(answer, block, parseAccountId(`0:${'00'.repeat(32)}`)).id.seqno); // 314
 * ```
 */
export function verifyShardTop(
  answer: ShardTopProof | ShardListProof,
  masterchain: ProvenBlock,
  account: AccountLike,
): ProvenBlock {
  const facts = masterchainFacts(masterchain);
  const asked = requireAccount(account);
  requireAnswer(facts, answer, isObject(answer) && 'data' in answer ? 'data' : 'shardProof');
  if ('data' in answer) {
    const listed = shardList(openProof(answer.proof, 'proof'), facts);
    const top = topIn(givenList(answer.data, listed), asked);
    if (top === undefined) throw notListed(asked, 'answer');
    return makeProven(factsBelow(facts, [{ by: 'listed', block: top }]));
  }
  const { below } = checkNamedTop(answer.shardBlock, answer.shardProof, facts, asked);
  if (below === undefined) throw notListed(asked, 'answer');
  return makeProven(below);
}

/**
 * Proves a block of a shard from a proven masterchain block: a listed block, or an ancestor of a listed block.
 * @param answer v2 getShardBlockProof as JSON; or liteServer.shardBlockProof, as bytes or parsed. The latter starts at
 * the masterchain block that lists the shard: use `verifyOlderBlock` to get there.
 * @param masterchain the block where the proof starts
 * @param expect the requested block. If you omit it, compare the result: the server chose the block.
 * @returns the proven shard block
 * @throws TrustError naming the broken rule; DecodeError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint, verifyBlockProof } from 'ton-finality/chain';
 * import { blockOfWalk, verifyShardBlock } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const block = blockOfWalk(verifyBlockProof(readFileSync('vectors/examples/block-proof.tl'), checkpoint));
 * const shard = verifyShardBlock(readFileSync('vectors/examples/shard-block-proof.tl'), block);
 * console.log(shard.id.workchain, shard.id.seqno); // 0 1327
 * ```
 */
export function verifyShardBlock(answer: unknown, masterchain: ProvenBlock, expect?: BlockIdExt): ProvenBlock {
  const facts = factsOf(masterchain, 'masterchain');
  const proof = readShardProof(answer);
  const steps = followShardProof(proof, facts.id, facts.globalId);
  const reached = steps.at(-1)?.block ?? facts.id;
  if (expect !== undefined) {
    const wanted = copyBlockId(expect, 'expect');
    const at = joinPath(proof.path, ['links']);
    requireSameBlock(reached, wanted, 'the proof leads to another block', at, 'trust/incomplete');
  }
  return steps.length === 0 ? masterchain : makeProven(factsBelow(facts, steps));
}

/**
 * Proves an older masterchain block from a proven one, by the list of earlier blocks in its state.
 * @param proofTl liteServer.partialBlockProof, the bytes of an answer whose links all lead back
 * @param masterchain the block where the proof starts
 * @returns the proven older block
 * @throws TrustError naming the broken rule; DecodeError; UsageError for a proof that leads forward, which
 * `verifyBlockProof` verifies
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseBlockId } from 'ton-finality';
 * import { checkpointFromKeyBlock } from 'ton-finality/chain';
 * import { blockOfCheckpoint, verifyOlderBlock } from 'ton-finality/facts';
 * const folder = 'vectors/live/simplex-rotation';
 * const pinned = parseBlockId(
 *   '(-1,8000000000000000,188):d40688177de3f2233b701862d17bd224bc16030864164f8453e69411ef5dca0d:8dad9e71a17b1a93710021de1e3328d1cf8ee96176a3f819a4c1895928b19150',
 * );
 * const keyBlock = blockOfCheckpoint(checkpointFromKeyBlock(readFileSync(`${folder}/key-block-188.boc`), pinned));
 * console.log(verifyOlderBlock(readFileSync(`${folder}/proof-188-100.tl`), keyBlock).id.seqno); // 100
 * ```
 */
export function verifyOlderBlock(proofTl: Uint8Array, masterchain: ProvenBlock): ProvenBlock {
  const facts = factsOf(masterchain, 'masterchain');
  const { from, to, links } = parsePartialBlockProof(proofTl);
  requireSameBlock(from, facts.id, 'the proof does not start at the block', 'proof.from');
  if (links.length === 0) throw new DecodeError('decode/tl', 'expected a link, got none', { path: 'proof.links' });
  let current = facts.id;
  let globalId = facts.globalId;
  const steps: ProofStep[] = [];
  for (const [index, link] of links.entries()) {
    const path = `proof.links[${index}]`;
    if (link.kind !== 'back') {
      throw badOption('expected a link back', path, 'verifyBlockProof follows links forward');
    }
    requireSameBlock(link.from, current, 'the link does not follow the one before it', `${path}.from`);
    ({ globalId } = checkBackLink(link, path));
    requireSameNetwork(globalId, facts.globalId, path);
    steps.push({ by: 'back-link', block: link.to });
    current = link.to;
  }
  requireSameBlock(to, current, 'the proof does not end where it says', 'proof.to');
  return makeProven(factsBelow(facts, steps, globalId));
}
