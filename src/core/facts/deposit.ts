/**
 * Accepts a deposit: the step from what is proven to what a bridge may release on the other side. Nothing is fetched, and the
 * answer is the same for the same facts and terms.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { badArgument, isObject } from '../base/arguments.ts';
import { concatBytes, equalBytes } from '../base/bytes.ts';
import { DepositError, type DepositErrorCode } from '../base/errors.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { type AccountId, requireAccount } from './account-id.ts';
import { type Candidate, candidateOf, type DepositProof } from './deposit-candidate.ts';
import { DEPOSIT_RULES, RETRYABLE } from './deposit-rules.ts';
import { type DepositTerms, type JettonAsset, readTerms } from './deposit-terms.ts';
import { type BlockProvenance, factBase } from './proven-block.ts';

/** In types only, so that no other object passes for one. */
declare const accepted: unique symbol;

/** A deposit that met every rule. Only `acceptDeposit` makes one; a copy does not count. */
export interface Deposit<Recipient> {
  readonly [accepted]: true;
  /**
   * 32 bytes, of this deposit alone: of the network, the vault and the message that came in. **Release once for each key**: write
   * it in the one transaction of your database that also orders the release, and have the other side refuse a key twice.
   */
  readonly key: Uint8Array;
  /** In the asset's smallest unit. */
  readonly amount: bigint;
  /** Of a jetton: who sent the jettons. */
  readonly sender: AccountId;
  /** What `payload` read in the proven body. */
  readonly recipient: Recipient;
  readonly asset: 'TON' | JettonAsset;
  readonly vault: AccountId;
  readonly transaction: {
    readonly lt: bigint;
    readonly hash: Uint8Array;
    /** Unix seconds. */
    readonly now: number;
  };
  /** The block that holds the transaction; of a fact of a history, the block up to which that was proven. */
  readonly block: BlockIdExt;
  /** The masterchain block under which that stands. */
  readonly masterchain: BlockIdExt;
  readonly provenance: BlockProvenance;
  /** The codes of all rules, each of which held. */
  readonly rules: readonly string[];
}

/** The key of each as it was made: bytes cannot be frozen. */
const deposits = new WeakMap<object, Uint8Array>();

/**
 * Throws unless the value is an original result of `acceptDeposit`. Call it where you release the money.
 * @throws UsageError for anything else, a copy of a deposit among it
 */
export function requireDeposit<Recipient>(deposit: Deposit<Recipient>): Deposit<Recipient> {
  const key = isObject(deposit) ? deposits.get(deposit) : undefined;
  if (key !== undefined && equalBytes(deposit.key, key)) return deposit;
  throw badArgument('deposit', 'the deposit object of acceptDeposit', deposit);
}

const DOMAIN = 'ton-finality/deposit@1';

function int32(value: number): Uint8Array {
  return Uint8Array.of(value >> 24, value >> 16, value >> 8, value);
}

/** The message, not the transaction: the same message could come in again beyond a hardfork. Not its lt: clones repeat that. */
function keyOf({ terms: { network, vault }, message }: Candidate): Uint8Array {
  return sha256(
    concatBytes(
      new TextEncoder().encode(DOMAIN),
      int32(network.globalId),
      network.zerostate.rootHash,
      int32(vault.workchain),
      vault.address,
      message().hash,
    ),
  );
}

/** @throws DepositError with the code of the first rule that is broken */
export function requireRules(candidate: Candidate, rules: Partial<typeof DEPOSIT_RULES> = DEPOSIT_RULES): void {
  for (const [code, holds] of Object.entries(rules)) {
    if (holds(candidate)) continue;
    const retryable = RETRYABLE.includes(code);
    const hint = retryable ? 'prove it again' : 'do not pay it';
    throw new DepositError(code as DepositErrorCode, `breaks the rule ${code}`, {
      path: 'deposit',
      hint,
      retryable,
      ...candidate.said,
    });
  }
}

/**
 * Accepts a deposit, or throws an error that names the broken rule.
 * @param proof `{ facts: [transaction] }`, of a jetton `{ facts: [transaction, wallet] }`; or the report of `verifyCertificate`
 * @param terms all that your bridge demands: docs/deposits.md
 * @throws DepositError with the code of the rule that is broken, `retryable` where another proof may meet it; TrustError
 * `trust/unproven-block` for facts that were not proven here; DecodeError for a message that cannot be read; UsageError
 */
export function acceptDeposit<Recipient>(proof: DepositProof, terms: DepositTerms<Recipient>): Deposit<Recipient> {
  const own = readTerms(terms);
  const candidate = candidateOf(proof, own);
  requireRules(candidate);
  const { data, sender, amount, recipient, facts, under } = candidate;
  const { block, masterchain, provenance } = factBase(facts());
  const { lt, now } = data();
  const deposit = Object.freeze({
    key: keyOf(candidate),
    amount: amount(),
    sender: requireAccount(sender()),
    recipient: recipient() as Recipient, // what its function gave
    asset: own.asset,
    vault: requireAccount(own.vault),
    transaction: Object.freeze({ lt, hash: under().hash.slice(), now }),
    block,
    masterchain,
    provenance,
    rules: Object.freeze(Object.keys(DEPOSIT_RULES)),
  }) as unknown as Deposit<Recipient>; // the symbol exists in types only
  deposits.set(deposit, deposit.key.slice());
  return deposit;
}
