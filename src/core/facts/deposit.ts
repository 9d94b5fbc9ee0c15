/**
 * Accepts deposits: turns proven facts into what a bridge may release on the other side. It fetches nothing, and the
 * result only depends on the facts and terms.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { badArgument } from '../base/arguments.ts';
import { concatBytes, equalBytes } from '../base/bytes.ts';
import { DepositError, type DepositErrorCode } from '../base/errors.ts';
import { plain } from '../base/plain-json.ts';
import { registry } from '../base/registry.ts';
import type { BlockIdExt } from '../block/block-id.ts';
import { bigEndianBytes } from '../cells/write-boc.ts';
import { type AccountId, requireAccount } from './account-id.ts';
import { candidateOf, type DepositCandidate, type DepositProof } from './deposit-candidate.ts';
import { DEPOSIT_RULES, RETRYABLE_DEPOSITS } from './deposit-rules.ts';
import { type DepositTerms, type JettonAsset, readTerms } from './deposit-terms.ts';
import { type BlockProvenance, factBase } from './proven-block.ts';
import { type Json, membersToJson } from './to-json.ts';

/** Exists in types only, so that a look-alike does not compile. */
declare const accepted: unique symbol;

/** A deposit that met every rule. Only `acceptDeposit` makes one; a copy does not count. */
export interface Deposit<Recipient> {
  readonly [accepted]: true;
  /**
   * 32 bytes that identify this deposit by network, vault and incoming message. **Release once for each key**: write
   * the key in the same transaction of your database that orders the release, and let the other side reject a repeated
   * key.
   */
  readonly key: Uint8Array;
  /** Amount in the asset's smallest unit. */
  readonly amount: bigint;
  /** The account that sent the deposit; for a jetton the account that sent the jettons. */
  readonly sender: AccountId;
  /** The result of `payload` for the proven body. */
  readonly recipient: Recipient;
  readonly asset: 'TON' | JettonAsset;
  readonly vault: AccountId;
  readonly transaction: {
    readonly lt: bigint;
    readonly hash: Uint8Array;
    /** Unix seconds. */
    readonly now: number;
  };
  /** The block that contains the transaction; for a fact of a history, the block up to which the history was proven. */
  readonly block: BlockIdExt;
  /** The masterchain block under which that block is proven. */
  readonly masterchain: BlockIdExt;
  readonly provenance: BlockProvenance;
  /** The codes of all rules, each of which passed. */
  readonly rules: readonly string[];
}

/** The key of each deposit as it was made, since bytes cannot be frozen. */
const deposits = registry<Uint8Array>();

/**
 * Returns a deposit unchanged if it is an original result of `acceptDeposit`. Call this where you release the money.
 * @param deposit that `acceptDeposit` returned
 * @returns the same object
 * @throws UsageError for anything else, including a copy of a deposit
 * @example
 * ```ts
 * import { UsageError } from 'ton-finality';
 * import { requireDeposit } from 'ton-finality/facts';
 * let result = 'released';
 * try {
 *   requireDeposit(JSON.parse('{ "amount": "3000000000", "recipient": "mallory" }'));
 * } catch (error) {
 *   if (error instanceof UsageError) result = error.code;
 * }
 * console.log(result); // usage/bad-option, because a copy from a file is not a deposit
 * ```
 */
export function requireDeposit<Recipient>(deposit: Deposit<Recipient>): Deposit<Recipient> {
  const key = deposits.own(deposit);
  if (key !== undefined && equalBytes(deposit.key, key)) return deposit;
  throw badArgument(
    'deposit',
    'the deposit object of acceptDeposit',
    deposit,
    'pass the returned object unchanged, no copy',
  );
}

const DOMAIN = 'ton-finality/deposit@1';

/**
 * Identifies the message, not the transaction: after a hardfork the same message could come in again. The lt of the
 * message is not used, since clones repeat it.
 */
function depositKey({ terms: { network, vault }, message }: DepositCandidate): Uint8Array {
  return sha256(
    concatBytes(
      new TextEncoder().encode(DOMAIN),
      bigEndianBytes(network.globalId, 4),
      network.zerostate.rootHash,
      bigEndianBytes(vault.workchain, 4),
      vault.address,
      message().hash,
    ),
  );
}

/** Added where a mistake in the terms rejects a valid deposit too. */
const TERMS = ': check your terms before you skip the deposit';

/** What to do next, besides: where the terms may be wrong, or the facts of a different proof may contain a deposit. */
const NEXT: Readonly<Record<string, string>> = {
  'deposit/stale-start': ', after you moved the checkpoint',
  'deposit/clock': ', after you set the clock',
  'deposit/ambiguous': ': give one transaction at a time',
  'deposit/other-network': TERMS,
  'deposit/other-account': TERMS,
  'deposit/other-wallet': TERMS,
  'deposit/wallet-code': TERMS,
  'deposit/too-old': TERMS,
  'deposit/recipient': TERMS,
  'deposit/outbound': ': certify the transaction, or its message `in`, if a deposit came in',
};

/** Requires every rule. @throws DepositError with the code of the first broken rule */
export function requireRules(candidate: DepositCandidate, rules: Partial<typeof DEPOSIT_RULES> = DEPOSIT_RULES): void {
  for (const [code, holds] of Object.entries(rules)) {
    if (holds(candidate)) continue;
    const retryable = RETRYABLE_DEPOSITS.includes(code);
    const hint = `${retryable ? 'prove it again' : 'do not pay it'}${NEXT[code] ?? ''}`;
    throw new DepositError(code as DepositErrorCode, `breaks the rule ${code}`, {
      path: 'deposit',
      hint,
      retryable,
      ...candidate.said,
    });
  }
}

/** Makes the text for logs: bytes in hex, numbers as decimal text, accounts in raw form. */
function textForLogs(this: Deposit<unknown>): Json {
  const { recipient, ...known } = this;
  return { ...membersToJson(known), ...plain({ recipient }) };
}

/**
 * Accepts a deposit, or throws an error that names the broken rule.
 * @param proof `{ facts: [transaction] }`; for a jetton `{ facts: [transaction, wallet] }`; or the report of
 * `verifyCertificate`
 * @param terms what your bridge requires: network, checkpoint, time, vault, asset, smallest amount, and how to read the
 * recipient. See docs/deposits.md
 * @returns the deposit; release it once for each `key`
 * @throws DepositError with the code of the broken rule, `retryable` if a different proof may pass; TrustError
 * `trust/unproven-block` for facts that were not proven here; DecodeError for an unreadable message; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { acceptDeposit, parseAccountId, parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * const { amount, recipient } = acceptDeposit(verifyCertificate(certificate, { checkpoint, nowSeconds: 1795465082 }), {
 *   network: { globalId: 42, zerostate: checkpoint.anchor },
 *   checkpoint,
 *   nowSeconds: 1795465082, // a live bridge passes Date.now() / 1000
 *   vault: parseAccountId('0:156ea5130167a123f6203fb727fa6d66aff46b11c5f9a7c9c54f4c13dd3985c2'),
 *   asset: 'TON',
 *   atLeast: 1_000_000_000n,
 *   since: 1n,
 *   payload: (text) => new TextDecoder().decode(text),
 * });
 * console.log(amount, recipient); // 3000000000n alice
 * ```
 */
export function acceptDeposit<Recipient>(proof: DepositProof, terms: DepositTerms<Recipient>): Deposit<Recipient> {
  const own = readTerms(terms);
  const candidate = candidateOf(proof, own);
  requireRules(candidate);
  const { data, sender, amount, recipient, facts, under } = candidate;
  const { block, masterchain, provenance } = factBase(facts());
  const { lt, now } = data();
  const deposit = {
    key: depositKey(candidate),
    amount: amount(),
    sender: requireAccount(sender()),
    recipient: recipient() as Recipient, // `payload` returned it
    asset: own.asset,
    vault: requireAccount(own.vault),
    transaction: Object.freeze({ lt, hash: under().hash.slice(), now }),
    block,
    masterchain,
    provenance,
    rules: Object.freeze(Object.keys(DEPOSIT_RULES)),
  } as unknown as Deposit<Recipient>; // the symbol exists in types only
  Object.defineProperty(deposit, 'toJSON', { value: textForLogs });
  return deposits.make(deposit, deposit.key.slice());
}
