/**
 * A block that was proven, as a value. Facts below a block are proven only under such a value, so the finality of one
 * block and a transaction in another cannot be put together. Only this library makes one; a copy of one is none.
 */

import { memberOf } from '../base/arguments.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { ownMembers, present } from '../base/present.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import type { SignatureList } from '../block/signature-set.ts';
import { type BlockHeader, requireMasterchainId } from '../chain/block-header.ts';
import { requireSameBlock } from '../chain/shared-checks.ts';
import { copyProvenance, type Provenance } from '../validators/validator-set.ts';
import { requireSameNetwork } from '../verify/successor.ts';
import { requireMember, unproven } from './refusals.ts';

/**
 * An exception that makes a verdict weaker than the default. The first three are enabled by options. accepted-stale-start:
 * trust began with a set past its stakes, and was accepted because of `acceptStaleStart` or because enough servers named the
 * same head. epoch-not-checked: the set is proven and no header of the block was given, so the block may belong to a different
 * epoch or network with the same keys.
 */
export type FinalityException =
  | 'ignored-defects'
  | 'accepted-claimed-set'
  | 'accepted-unbound-id'
  | 'accepted-stale-start'
  | 'epoch-not-checked';

/** Why the masterchain block of a fact is trusted. */
export type BlockProvenance =
  /** Nobody proved it: the caller said `assumeFinal`. */
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

/** How a block is known from the block before it. */
export type StepBy = 'assumed' | 'checkpoint' | 'signatures' | 'back-link' | 'listed' | 'precedes';

/** One step from the trusted block down to a block. */
export interface ProofStep {
  readonly by: StepBy;
  readonly block: BlockIdExt;
  /** Unix seconds, where the block's header was shown. */
  readonly genUtime?: number;
}

/** In types only, so that no other object passes for one. */
declare const proven: unique symbol;

/** A proven block, of the masterchain or of a shard. */
export interface ProvenBlock {
  readonly [proven]: true;
  readonly id: BlockIdExt;
  /** Unix seconds, where the block's header was shown. */
  readonly genUtime?: number;
  /** The final masterchain block at the top of `path`. */
  readonly masterchain: BlockIdExt;
  readonly provenance: BlockProvenance;
  /** From the final masterchain block down to this one, both included. */
  readonly path: readonly ProofStep[];
}

/** What is known of a proven block, out of reach of whoever holds the value. */
export interface BlockFacts {
  readonly id: BlockIdExt;
  /** int32: the network, where a header was shown. */
  readonly globalId: number | undefined;
  readonly provenance: BlockProvenance;
  readonly path: readonly ProofStep[];
  /** From where the signatures were walked to; absent where no signature of a proven set was looked at. */
  readonly start?: BlockIdExt | undefined;
}

const known = registry<BlockFacts>();

/** Their hashes in one piece of memory: each fact of a certificate has copies of its own, of up to 66 steps. */
function copySteps(path: readonly ProofStep[]): readonly ProofStep[] {
  const hashes = new Uint8Array(2 * HASH_BYTES * path.length);
  let at = 0;
  const copy = (hash: Uint8Array) => {
    hashes.set(hash, at);
    at += HASH_BYTES;
    return new Uint8Array(hashes.buffer, at - HASH_BYTES, HASH_BYTES);
  };
  const copies = path.map((step) => {
    const { workchain, shard, seqno, rootHash, fileHash } = step.block;
    const block = Object.freeze({ workchain, shard, seqno, rootHash: copy(rootHash), fileHash: copy(fileHash) });
    return Object.freeze({ ...step, block });
  });
  return Object.freeze(copies);
}

function copyBlockProvenance(provenance: BlockProvenance): BlockProvenance {
  switch (provenance.kind) {
    case 'assumed':
      return provenance;
    case 'checkpoint': {
      const { keyBlock, anchor } = provenance;
      const copies = { keyBlock: copyBlockId(keyBlock, 'keyBlock'), anchor: copyBlockId(anchor, 'anchor') };
      return Object.freeze({ ...provenance, ...copies });
    }
    case 'final':
      return Object.freeze({ ...provenance, validators: copyProvenance(provenance.validators) });
  }
}

/** Makes the value for a block. The caller has proven it. */
export function makeProven(facts: BlockFacts): ProvenBlock {
  // What is handed out is a copy: its bytes can be written over, those that are checked against cannot.
  const path = copySteps(facts.path);
  const last = path.at(-1)!;
  const block = {
    id: last.block,
    ...present({ genUtime: ownMembers(last).genUtime }),
    masterchain: path[0]!.block,
    provenance: copyBlockProvenance(facts.provenance),
    path,
  } as unknown as ProvenBlock; // the symbol exists in types only
  const { id, provenance } = facts;
  return known.make(block, {
    ...facts,
    id: copyBlockId(id, 'id'),
    provenance: copyBlockProvenance(provenance),
    path: copySteps(facts.path),
  });
}

/** What is known of a block that was made here. @throws TrustError `trust/unproven-block` for any other object */
export function factsOf(block: ProvenBlock, path = 'block'): BlockFacts {
  const facts = known.own(block);
  if (facts !== undefined) return facts;
  throw unproven('a block', path, 'blockOfReport, verifyShardTop and verifyShardBlock make one');
}

/** The same of a masterchain block. @throws TrustError `trust/wrong-workchain` for one of a shard */
export function masterchainFacts(block: ProvenBlock): BlockFacts {
  const facts = factsOf(block, 'masterchain');
  requireMasterchainId(facts.id, 'masterchain');
  return facts;
}

/** A block below a proven one. */
export function makeBelow(
  parent: BlockFacts,
  steps: readonly ProofStep[],
  globalId: number | undefined = parent.globalId,
): ProvenBlock {
  const path = [...parent.path, ...steps];
  return makeProven({ ...parent, id: path.at(-1)!.block, globalId, path });
}

/** Requires that a header or state is of the network of the block it stands under, where that is known. */
export function requireNetworkOf(facts: BlockFacts, globalId: number, path: string): void {
  if (facts.globalId !== undefined) requireSameNetwork(globalId, facts.globalId, path);
}

/**
 * Requires an answer to be one, and to be for this block where it names its block.
 * @param member which it has at least
 * @throws UsageError; TrustError `trust/not-connected`
 */
export function requireAnswer(facts: BlockFacts, answer: { readonly id?: BlockIdExt }, member: string): void {
  requireMember(answer, member, 'an answer', 'answer');
  requireAnswerFor(facts, memberOf(answer, 'id') as BlockIdExt | undefined); // it looks
}

/** Requires an answer that names its block to be for this one. @throws TrustError `trust/not-connected` */
export function requireAnswerFor({ id }: BlockFacts, named: BlockIdExt | undefined, path = 'answer.id'): void {
  if (named !== undefined) requireSameBlock(copyBlockId(named, path), id, 'the answer is for another block', path);
}

/**
 * Makes a proven block of an id without any proof: every fact below it says `assumed`. Every fact below it says so.
 * @param id all five fields, of the masterchain or of a shard
 * @throws UsageError for what is no block id
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
  /** The block that holds it. A fact says nothing of any later time. */
  readonly block: BlockIdExt;
  /** The masterchain block under which that stands. */
  readonly masterchain: BlockIdExt;
  /** Unix seconds of `block`; absent only in a list whose proof leaves out the header of a block of unknown time. */
  readonly genUtime?: number;
  readonly provenance: BlockProvenance;
  readonly path: readonly ProofStep[];
}

/** What a fact in a block carries. @param header when it was read for the fact */
export function factBase(facts: BlockFacts, header?: Pick<BlockHeader, 'genUtime'>): FactBase {
  const last = facts.path.at(-1)!;
  const genUtime = header?.genUtime ?? ownMembers(last).genUtime;
  const time = present({ genUtime });
  const path = copySteps([...facts.path.slice(0, -1), { ...last, ...time }]);
  const provenance = copyBlockProvenance(facts.provenance);
  return { block: path.at(-1)!.block, masterchain: path[0]!.block, ...time, provenance, path };
}
