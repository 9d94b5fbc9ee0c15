/** The types that verification returns, which all later rooms use. */

import type { Hash256 } from '../base/fields.ts';
import type { BlockIdExt, BlockIdField } from '../block/block-id.ts';
import type { SignatureList } from '../block/signature-list.ts';
import type { Provenance } from '../validators/validator-set.ts';

/**
 * The result of one entry. 'duplicate-signer' marks every entry of a repeated signer, so the order has no effect, and
 * each validator costs at most one check.
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
  /**
   * Default 'reject', as the node does: one defect rejects the whole list. 'ignore', for audits, counts the valid
   * entries.
   */
  readonly onDefect?: 'reject' | 'ignore';
  /** Final means more than num/den of the weight; 2/3 <= num/den < 1. Default 2/3. */
  readonly threshold?: { readonly num: bigint; readonly den: bigint };
  /** Default false: a set claimed by a server gives undecided. */
  readonly acceptClaimed?: boolean;
  /**
   * Default false. Accepts blocks whose number the signatures do not cover. Useful where a bound id is required by
   * default (`followBlocks`). Cannot be combined with `requireBoundId`.
   */
  readonly acceptUnbound?: boolean;
  /** Default false; true requires that signatures or a proven header cover the whole block id. */
  readonly requireBoundId?: boolean;
  /** Default false; true requires a set that is proven from a checkpoint: a given set then leads to undecided. */
  readonly requireProvenSet?: boolean;
  /**
   * Default false; true requires a proven header. Its network, epoch, time and hardforks are compared with those of the
   * set.
   */
  readonly requireHeader?: boolean;
}

/** A policy with every default filled in. */
export type ResolvedPolicy = Required<Policy>;

/**
 * Why a block is neither final nor not final: an input is wrong or unproven. The first reason in this order that
 * applies is given. Later versions may add reasons: treat an unknown reason as undecided.
 */
export type UndecidedReason =
  | 'wrong-validator-set'
  | 'no-known-signer'
  /** The set is only claimed by a server, or not proven although `requireProvenSet` is true. */
  | 'claimed-set'
  | 'stale-set'
  /** You passed a clock, and the expiry time of the set is not known. */
  | 'unknown-age'
  /** Requested as a head, and older than `maxHeadAgeSeconds` or of unknown age. */
  | 'stale-head'
  | 'unbound-id'
  /**
   * The block's network and epoch were not compared with those of the set, which `requireHeader` or `strict` requires.
   */
  | 'epoch-not-checked';

/** The judgement of one block. */
export type Verdict =
  | { readonly status: 'final' }
  /** Every entry is valid, but the weight is too small. */
  | { readonly status: 'insufficient' }
  /** The node would reject this list: an invalid signature, an unknown or a repeated signer. */
  | { readonly status: 'rejected'; readonly defects: readonly CheckedSignature[] }
  | { readonly status: 'undecided'; readonly reason: UndecidedReason };

/** The facts of a block's header. */
export interface BlockHeaderFacts {
  /**
   * 'proven': read from cells with the block's root hash; 'claimed': a server supplied it; 'given': you supplied it.
   * Only the original object that `verifyHeader` of `ton-finality/chain` returned is proven; a copy counts as given.
   */
  readonly source: 'proven' | 'claimed' | 'given';
  /** The block of this header. Only a proven header covers its fields. */
  readonly blockId?: BlockIdExt;
  /** uint32. */
  readonly seqno?: number;
  /** Unix seconds. */
  readonly genUtime?: number;
  /** uint32, gen_catchain_seqno. */
  readonly catchainSeqno?: number;
  /** uint32, gen_validator_list_hash_short. */
  readonly validatorListHashShort?: number;
  /**
   * uint32: the key block whose validators sign this block. A set proven from a different key block is the wrong one.
   */
  readonly prevKeyBlockSeqno?: number;
}

/** Inputs of a verdict in addition to the coverage; all of them optional. */
export interface BlockContext {
  readonly header?: BlockHeaderFacts;
  /**
   * Unix seconds, to be given when you request the block as a head. A set long past its `utimeUntil` then leads to
   * 'stale-set', and one without `utimeUntil` to 'unknown-age'.
   */
  readonly nowSeconds?: number;
  /**
   * Used together with `nowSeconds`. A block that was made longer ago, according to its header, leads to 'stale-head',
   * and so does a block without a header. The time in an unproven header is only a claim. Default: any age.
   */
  readonly maxHeadAgeSeconds?: number;
}

/**
 * Whether the header names the validator set that was used; 'not-checked' without a header, ADNL addresses or shuffle
 * flag.
 */
export type ValidatorSetCheck = 'match' | 'mismatch' | 'not-checked';

/**
 * Whether a proven header shows the block to belong to the network of the set; for a proven set also to its epoch, with
 * no hardfork in between. A block of a different network is an error.
 */
export type NetworkCheck = 'match' | 'not-checked';

/** A warning next to a verdict. It does not change the verdict. */
export interface Warning {
  /**
   * The code of the warning, for programs. Warnings about a block are `small-order-key`, `unknown-signers`,
   * `unbound-seqno`, `stale-set`, `set-not-compared` and `stale-start`. Servers add other codes, and later versions may
   * add more.
   */
  readonly code: string;
  /** The warning as text, for people. */
  readonly message: string;
}

/**
 * All results of verifying one block. `JSON.stringify` gives the members of `schemas/report-3.json`, and `reportToJson` adds
 * texts for people.
 */
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
  /** 'not-checked' without a proven header, or for a given set without `globalId`. */
  readonly network: NetworkCheck;
  readonly policy: ResolvedPolicy;
  readonly warnings: readonly Warning[];
  /** Name of the Ed25519 engine. */
  readonly engine: string;
}
