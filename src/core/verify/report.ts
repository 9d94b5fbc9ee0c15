/** The types that verification hands out, shared by every later room. No code but two lists. */

import type { Hash256 } from '../base/fields.ts';
import type { BlockIdExt, BlockIdField } from '../block/block-id.ts';
import type { SignatureList } from '../block/signature-set.ts';
import type { Provenance } from '../validators/validator-set.ts';

/**
 * The result of one entry. 'duplicate-signer' marks every entry of a repeated signer, so order never matters and work is one
 * check a validator.
 */
export type SignatureOutcome = 'valid' | 'bad-signature' | 'unknown-signer' | 'duplicate-signer';

/** One entry of the list and its result. */
export interface CheckedSignature {
  /** Position in `SignatureList.signatures`. */
  readonly index: number;
  readonly nodeIdShort: Hash256;
  readonly outcome: SignatureOutcome;
  /** The signer's weight; 0n for an unknown signer. */
  readonly weight: bigint;
}

/** The result of checking each signature, before any policy is applied. Pass it to `judge` to get a verdict. */
export interface Coverage {
  readonly blockId: BlockIdExt;
  readonly kind: SignatureList['kind'];
  /** Sum over outcome 'valid'. */
  readonly signedWeight: bigint;
  /** Sum over the validator set. */
  readonly totalWeight: bigint;
  readonly signatures: readonly CheckedSignature[];
  /** Node ids of validators with no entry at all. */
  readonly missing: readonly Hash256[];
}

/**
 * A verification policy. It is never weaker than the node's own rule unless you enable an exception; enabled exceptions appear
 * in the report.
 */
export interface Policy {
  /** Default 'reject', as the node does: one defect rejects the whole set. 'ignore', for audits, counts the good entries. */
  readonly onDefect?: 'reject' | 'ignore';
  /** Final means more than num/den of the weight; 2/3 <= num/den < 1. Default 2/3. */
  readonly threshold?: { readonly num: bigint; readonly den: bigint };
  /** Default false: a set claimed by a server gives undecided. */
  readonly acceptClaimed?: boolean;
  /**
   * Default false. Accepts blocks whose number the signatures do not cover. Only useful where a bound id is required by default
   * (`followBlocks`). Cannot be combined with `requireBoundId`.
   */
  readonly acceptUnbound?: boolean;
  /** Default false; true asks that the whole block id is bound, by the signatures or by a proven header. */
  readonly requireBoundId?: boolean;
  /** Default false; true asks for a set that is proven from a checkpoint: one that is only given is undecided. */
  readonly requireProvenSet?: boolean;
  /**
   * Default false; true asks for a proven header, by which the block's network, epoch, time and hardforks are compared with
   * those of the set.
   */
  readonly requireHeader?: boolean;
}

/** A policy with every default filled in. */
export type ResolvedPolicy = Required<Policy>;

/**
 * Why a block is neither final nor not final: an input is wrong or unproven, not the block. The first reason that applies, in
 * this order. Later versions may add reasons: treat an unknown one as undecided.
 */
export type UndecidedReason =
  | 'wrong-validator-set'
  | 'no-known-signer'
  /** Only claimed by a server; or not proven, where `requireProvenSet` asks for it. */
  | 'claimed-set'
  | 'stale-set'
  /** A clock was given, and the end of the set's time is not known. */
  | 'unknown-age'
  /** Requested as a head, and older than `maxHeadAgeSeconds`, or of unknown age. */
  | 'stale-head'
  | 'unbound-id'
  /** The block's network and epoch were not compared with those of the set, where `requireHeader` or `strict` asks for it. */
  | 'epoch-not-checked';

/** The judgement of one block. */
export type Verdict =
  | { readonly status: 'final' }
  /** Every entry is good, the weight is not enough. */
  | { readonly status: 'insufficient' }
  /** The node would refuse this set: a bad signature, an unknown or a repeated signer. */
  | { readonly status: 'rejected'; readonly defects: readonly CheckedSignature[] }
  | { readonly status: 'undecided'; readonly reason: UndecidedReason };

/** The facts of a block's header. */
export interface BlockHeaderFacts {
  /**
   * proven: read from cells that hash to the block's root hash; claimed: a server said so; given: the caller says so. Only the original object that `verifyHeader` of `ton-finality/chain` returned is proven; a copy counts as given.
   */
  readonly source: 'proven' | 'claimed' | 'given';
  /** The block this header belongs to. Only that of a proven header binds anything. */
  readonly blockId?: BlockIdExt;
  /** uint32. */
  readonly seqno?: number;
  /** Unix seconds. */
  readonly genUtime?: number;
  /** uint32, gen_catchain_seqno. */
  readonly catchainSeqno?: number;
  /** uint32, gen_validator_list_hash_short. */
  readonly validatorListHashShort?: number;
  /** uint32: the key block whose set signs this block. A set proven from another key block is the wrong one. */
  readonly prevKeyBlockSeqno?: number;
}

/** Inputs of a verdict other than the coverage; all of them optional. */
export interface BlockContext {
  readonly header?: BlockHeaderFacts;
  /**
   * Unix seconds, given when the block is asked for as a head: a set long past its `utimeUntil` is then 'stale-set', one
   * without `utimeUntil` 'unknown-age'.
   */
  readonly nowSeconds?: number;
  /**
   * Used together with `nowSeconds`. A block that was made longer ago, by its header, is 'stale-head', and so is a block without a header. The time of
   * an unproven header is only a claim. Default: any age.
   */
  readonly maxHeadAgeSeconds?: number;
}

/** Whether the header names the validator set that was used: 'not-checked' without a header, ADNL addresses or shuffle flag. */
export type ValidatorSetCheck = 'match' | 'mismatch' | 'not-checked';

/**
 * Whether a proven header shows the block to be of the network of the set; of a proven set, of its epoch and beyond no hardfork too.
 * A block that is of another network is refused.
 */
export type NetworkCheck = 'match' | 'not-checked';

/** A warning next to a verdict. It does not change the verdict. */
export interface Warning {
  /**
   * The code of the warning, for programs: of a block `small-order-key`, `unknown-signers`, `unbound-seqno`, `stale-set`, `set-not-compared`,
   * `stale-start`; servers add their own. There may be more in later versions.
   */
  readonly code: string;
  /** The warning as text, for people. */
  readonly message: string;
}

/** Everything a caller needs to act on one block. */
export interface VerificationReport {
  readonly coverage: Coverage;
  readonly verdict: Verdict;
  /** The smallest weight that is final under the policy; floor(2 * total / 3) + 1 by default. */
  readonly requiredWeight: bigint;
  /** The fields of the block id that signatures and proofs cover. */
  readonly bound: readonly BlockIdField[];
  readonly validators: {
    readonly provenance: Provenance;
    readonly count: number;
    readonly setCheck: ValidatorSetCheck;
  };
  /** 'not-checked' without a proven header, or under a given set without `globalId`. */
  readonly network: NetworkCheck;
  readonly policy: ResolvedPolicy;
  readonly warnings: readonly Warning[];
  /** Name of the Ed25519 engine. */
  readonly engine: string;
}
