/**
 * A proven block as a value. Facts are only proven under such a value, so the finality of one block cannot be combined
 * with a transaction in another. Only this library makes proven blocks; a copy does not count.
 */

import { memberOf } from '../base/arguments.ts';
import { ownMembers, present } from '../base/present.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import type { SignatureList } from '../block/signature-list.ts';
import { type BlockHeader, requireMasterchainId } from '../chain/block-header.ts';
import { requireSameBlock } from '../chain/shared-checks.ts';
import { copyProvenance, type Provenance } from '../validators/validator-set.ts';
import { requireMember, unproven } from './fact-checks.ts';

/**
 * An exception, which makes a verdict weaker than the default.
 *
 * Options enable the first three. `accepted-stale-start`: trust began with validators whose stakes were free, and was
 * accepted because of `acceptStaleStart` or because enough servers named the same head. `epoch-not-checked`: the set is
 * proven, but no header was given, so the block may belong to a different epoch or network with the same keys.
 */
export type FinalityException =
  | 'ignored-defects'
  | 'accepted-claimed-set'
  | 'accepted-unbound-id'
  | 'accepted-stale-start'
  | 'epoch-not-checked';

/** Why the masterchain block of a fact is trusted. */
export type BlockProvenance =
  /** The block has no proof: you called `assumeFinal`. */
  | { readonly kind: 'assumed' }
  /** The key block of a checkpoint. */
  | {
      readonly kind: 'checkpoint';
      readonly keyBlock: BlockIdExt;
      readonly anchor: BlockIdExt;
      readonly exceptions: readonly FinalityException[];
    }
  /** Signatures of more than 2/3 of a validator set. */
  | {
      readonly kind: 'final';
      readonly signatures: SignatureList['kind'];
      readonly validators: Provenance;
      readonly signedWeight: bigint;
      readonly totalWeight: bigint;
      readonly exceptions: readonly FinalityException[];
    };

/** How the proof of a block follows from the previous block. */
export type StepBy = 'assumed' | 'checkpoint' | 'signatures' | 'back-link' | 'listed' | 'precedes';

/** One step from the trusted block down to a block. */
export interface ProofStep {
  readonly by: StepBy;
  readonly block: BlockIdExt;
  /** Unix seconds, if the proof shows the block's header. */
  readonly genUtime?: number;
}

/** Exists in types only, so that a look-alike does not compile. */
declare const proven: unique symbol;

/** A proven block, of the masterchain or of a shard. */
export interface ProvenBlock {
  readonly [proven]: true;
  readonly id: BlockIdExt;
  /** Unix seconds, if the proof shows the block's header. */
  readonly genUtime?: number;
  /** The final masterchain block at the top of `path`. */
  readonly masterchain: BlockIdExt;
  readonly provenance: BlockProvenance;
  /** The path from the final masterchain block down to this block, both included. */
  readonly path: readonly ProofStep[];
}

/** The content of a proven block, in bytes that no other code can write to: callers get copies of them. */
export interface BlockFacts {
  readonly id: BlockIdExt;
  /** int32: the network, if a header was shown. */
  readonly globalId: number | undefined;
  readonly provenance: BlockProvenance;
  readonly path: readonly ProofStep[];
  /** The start of the walk to the signatures; absent if no signature of a proven set was checked. */
  readonly start?: BlockIdExt | undefined;
}

const blocks = registry<BlockFacts>();

/** Copies the steps. Each fact of a certificate has copies of up to 66 of them, and their bytes were checked before. */
function copySteps(path: readonly ProofStep[]): readonly ProofStep[] {
  const copies = path.map((step) => {
    const { rootHash, fileHash } = step.block;
    const block = Object.freeze({ ...step.block, rootHash: rootHash.slice(), fileHash: fileHash.slice() });
    return Object.freeze({ ...step, block });
  });
  return Object.freeze(copies);
}

function copyBlockProvenance(provenance: BlockProvenance): BlockProvenance {
  if (provenance.kind === 'assumed') return provenance;
  if (provenance.kind === 'final') {
    return Object.freeze({ ...provenance, validators: copyProvenance(provenance.validators) });
  }
  const { keyBlock, anchor } = provenance;
  const copies = { keyBlock: copyBlockId(keyBlock, 'keyBlock'), anchor: copyBlockId(anchor, 'anchor') };
  return Object.freeze({ ...provenance, ...copies });
}

/** Makes a proven block, which shows copies. The caller has verified the proof. */
export function makeProven(facts: BlockFacts): ProvenBlock {
  const { block: id, ...shown } = factBase(facts);
  return blocks.make({ id, ...shown } as unknown as ProvenBlock, facts); // the symbol exists in types only
}

/** Returns the content of a block that was made here. @throws TrustError `trust/unproven-block` for any other object */
export function factsOf(block: ProvenBlock, path = 'block'): BlockFacts {
  const facts = blocks.own(block);
  if (facts !== undefined) return facts;
  throw unproven('a block', path, 'blockOfReport, verifyShardTop and verifyShardBlock make one');
}

/** Returns the content of a masterchain block. @throws TrustError `trust/wrong-workchain` for a shard block */
export function masterchainFacts(block: ProvenBlock): BlockFacts {
  const facts = factsOf(block, 'masterchain');
  requireMasterchainId(facts.id, 'masterchain');
  return facts;
}

/** The content of a block that is proven below another one. */
export function factsBelow(
  parent: BlockFacts,
  steps: readonly ProofStep[],
  globalId: number | undefined = parent.globalId,
): BlockFacts {
  const path = [...parent.path, ...steps];
  return { ...parent, id: path.at(-1)!.block, globalId, path };
}

/**
 * Requires an answer that belongs to this block, if it names its block.
 * @param member that the answer has to have
 * @throws UsageError; TrustError `trust/not-connected`
 */
export function requireAnswer(facts: BlockFacts, answer: { readonly id?: BlockIdExt }, member: string): void {
  requireMember(answer, member, 'an answer', 'answer');
  requireAnswerFor(facts, memberOf(answer, 'id') as BlockIdExt | undefined); // `copyBlockId` checks it
}

/** Requires an answer that names its block to belong to this one. @throws TrustError `trust/not-connected` */
export function requireAnswerFor({ id }: BlockFacts, named: BlockIdExt | undefined, path = 'answer.id'): void {
  if (named !== undefined) requireSameBlock(copyBlockId(named, path), id, 'the answer is for another block', path);
}

/**
 * Makes a proven block from an id without any proof. Every fact below it has the provenance `assumed`.
 * @param id all five fields, of the masterchain or of a shard
 * @returns a block that other functions accept as proven; use it only if you trust the source of the id
 * @throws UsageError for anything but a block id
 * @example
 * ```ts
 * import { parseBlockId } from 'ton-finality';
 * import { assumeFinal } from 'ton-finality/facts';
 * const id = parseBlockId(`(-1,8000000000000000,1):${'00'.repeat(32)}:${'11'.repeat(32)}`);
 * console.log(assumeFinal(id).provenance.kind); // assumed
 * ```
 */
export function assumeFinal(id: BlockIdExt): ProvenBlock {
  const block = copyBlockId(id, 'id');
  return makeProven({
    id: block,
    globalId: undefined,
    provenance: Object.freeze({ kind: 'assumed' }),
    path: [{ by: 'assumed', block }],
  });
}

/** The members of every fact: block, time, and why the fact is trusted. */
export interface FactBase {
  /** The block that contains the fact. The fact does not prove anything about a later time. */
  readonly block: BlockIdExt;
  /** The masterchain block under which this block is proven. */
  readonly masterchain: BlockIdExt;
  /** Unix seconds of `block`; absent only in a list whose proof leaves out the header of a block with unknown time. */
  readonly genUtime?: number;
  readonly provenance: BlockProvenance;
  readonly path: readonly ProofStep[];
}

/** Makes the common members of a fact. @param header if it was read for the fact */
export function factBase(facts: BlockFacts, header?: Pick<BlockHeader, 'genUtime'>): FactBase {
  const last = facts.path.at(-1)!;
  const genUtime = header?.genUtime ?? ownMembers(last).genUtime;
  const time = present({ genUtime });
  const path = copySteps([...facts.path.slice(0, -1), { ...last, ...time }]);
  const provenance = copyBlockProvenance(facts.provenance);
  return { block: path.at(-1)!.block, masterchain: path[0]!.block, ...time, provenance, path };
}
