/** The rules of a deposit, in their order. Each is one function with an error code of its own. */
import { equalBytes } from '../base/bytes.ts';
import type { DepositErrorCode } from '../base/errors.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../base/limits.ts';
import { ownMembers } from '../base/present.ts';
import { type BlockIdExt, differingField } from '../block/block-id.ts';
import type { Cell } from '../cells/cell.ts';
import { tableOf } from '../cells/cell.ts';
import { isStale } from '../verify/set-check.ts';
import type { AccountData } from './account-cell.ts';
import { sameAccount } from './account-id.ts';
import { type AccountFact, accountDataOf } from './account-state.ts';
import { isAccount } from './addresses.ts';
import { isEncrypted } from './comment.ts';
import type { DepositCandidate } from './deposit-candidate.ts';
import type { JettonAsset } from './deposit-terms.ts';

/** Whether a candidate satisfies a rule. */
export type DepositRule = (candidate: DepositCandidate) => boolean;

function isSame(a: BlockIdExt | undefined, b: BlockIdExt): boolean {
  return a !== undefined && differingField(a, b) === undefined;
}

/** For a fact proven by signatures, the key block of the validators; for a key block of a checkpoint, this block. */
function provenFrom({ under }: DepositCandidate) {
  const { facts } = under();
  if (facts === undefined) return undefined;
  const { provenance, start } = ownMembers(facts);
  if (provenance.kind === 'checkpoint') return { ...provenance, start };
  if (provenance.kind !== 'final' || provenance.validators.kind !== 'proven') return undefined;
  const { keyBlock, anchor } = provenance.validators;
  return { keyBlock, anchor, start, exceptions: provenance.exceptions };
}

/**
 * Validators whose stakes are free prove nothing alone. This also applies to a path that was verified without a clock.
 */
function isFresh({ terms: { checkpoint, nowSeconds } }: DepositCandidate): boolean {
  return checkpoint.staleStart === 'none' && !isStale(checkpoint.validators, nowSeconds);
}

function isFromCheckpoint(candidate: DepositCandidate): boolean {
  const { keyBlock, anchor } = candidate.terms.checkpoint;
  const from = provenFrom(candidate)!;
  return isSame(from.anchor, anchor) && (isSame(from.keyBlock, keyBlock) || isSame(from.start, keyBlock));
}

function isOfNetwork({ terms: { checkpoint, network } }: DepositCandidate): boolean {
  const { anchor, globalId } = checkpoint;
  return globalId === network.globalId && (anchor.seqno > 0 || isSame(anchor, network.zerostate));
}

function isPast({ terms: { nowSeconds, checkpoint }, facts }: DepositCandidate): boolean {
  const times = [checkpoint.genUtime, ...facts().path.map((step) => ownMembers(step).genUtime ?? 0)];
  return Math.max(...times) <= nowSeconds + MAX_CLOCK_SKEW_SECONDS;
}

/**
 * Whether the money went back: to the source of the message, or to the giver of jettons, directly or through the
 * wallet.
 */
function isUnanswered({ messages, source, sender }: DepositCandidate): boolean {
  const parties = [source(), sender()];
  return !messages().some(
    ({ direction, destination }) => direction === 'out' && parties.some((party) => isAccount(destination, party)),
  );
}

/** The hashes that identify code: of its cell, and of the library that the cell names. library_ref#02 hash:bits256 */
function codeHashes(code: Cell): readonly Uint8Array[] {
  if (code.kind !== 'library') return [code.hash(0)];
  const { bytes, dataAt } = tableOf(code);
  const at = dataAt[code.index]! + 1;
  return [code.hash(0), bytes.slice(at, at + 32)];
}

function hasListedCode(candidate: DepositCandidate): boolean {
  const { walletCodeHashes } = candidate.terms.asset as JettonAsset;
  const { status, code } = ownMembers<Partial<AccountData>>(accountDataOf(candidate.wallet()!));
  return (
    status === 'active' &&
    code !== undefined &&
    codeHashes(code).some((hash) => walletCodeHashes.some((listed) => equalBytes(listed, hash)))
  );
}

/** A rule for jettons only. */
const jetton =
  (holds: (candidate: DepositCandidate, asset: JettonAsset) => boolean) =>
  (candidate: DepositCandidate): boolean =>
    candidate.terms.asset === 'TON' || holds(candidate, candidate.terms.asset);

/** The rules in their order: each relies on the earlier ones. */
export const DEPOSIT_RULES: Readonly<Record<DepositErrorCode, DepositRule>> = {
  // why the facts are trusted
  'deposit/absent': ({ arrivals }) => arrivals.length > 0,
  'deposit/ambiguous': ({ arrivals }) => arrivals.length === 1,
  'deposit/not-final': (c) => provenFrom(c) !== undefined,
  'deposit/exception': (c) => provenFrom(c)!.exceptions.length === 0,
  'deposit/other-network': isOfNetwork,
  'deposit/other-trust': isFromCheckpoint,
  'deposit/stale-start': isFresh,
  'deposit/clock': isPast,
  // what the facts are
  'deposit/other-workchain': ({ under, terms }) => under().account.workchain === terms.vault.workchain,
  'deposit/other-account': ({ under, terms }) => equalBytes(under().account.address, terms.vault.address),
  'deposit/incomplete': ({ under }) => under().cells !== undefined,
  'deposit/too-old': ({ data, terms }) => data().lt >= terms.since,
  'deposit/not-ordinary': ({ outcome }) => outcome().type === 'ordinary',
  'deposit/outbound': ({ isOutbound }) => !isOutbound,
  'deposit/no-message': ({ inbound }) => inbound() !== undefined,
  'deposit/external': ({ inbound }) => inbound()!.kind === 'internal',
  'deposit/bounced': ({ message }) => !message().bounced,
  'deposit/anycast': ({ message }) => message().source.kind === 'account' && message().destination.kind === 'account',
  // whether the transaction succeeded
  'deposit/account-status': ({ data }) => data().origStatus === 'active' && data().endStatus === 'active',
  'deposit/compute': ({ outcome }) => {
    const { compute } = outcome();
    return compute?.skipped === false && compute.success;
  },
  'deposit/action': ({ outcome }) => outcome().action?.success === true,
  'deposit/aborted': ({ outcome }) => !outcome().aborted && !outcome().destroyed,
  'deposit/bounce-phase': ({ outcome }) => outcome().bounce === undefined,
  // the amount
  'deposit/other-wallet': jetton(({ message }, { wallet }) => isAccount(message().source, wallet)),
  'deposit/notification': jetton(({ notification }) => notification()?.sender.kind === 'account'),
  'deposit/wallet-state': jetton(({ wallet }) => ownMembers<Partial<AccountFact>>(wallet() ?? {}).cell?.level === 0),
  'deposit/wallet-code': jetton(hasListedCode),
  'deposit/answered': (c) => c.terms.mayAnswer || isUnanswered(c),
  'deposit/from-vault': ({ sender, terms }) => !sameAccount(sender(), terms.vault),
  'deposit/other-sender': ({ sender, terms }) => terms.sender === undefined || sameAccount(sender(), terms.sender),
  'deposit/no-credit': ({ outcome }) => outcome().credit !== undefined,
  'deposit/other-currency': ({ outcome, message, terms }) =>
    terms.ignoreExtraCurrencies ||
    [message().value, outcome().credit!].every((amount) => ownMembers(amount).other === undefined),
  'deposit/too-little': ({ amount, terms }) => amount() >= terms.atLeast,
  // the recipient
  'deposit/encrypted': ({ body }) => !isEncrypted(body()),
  'deposit/recipient': ({ recipient }) => recipient() !== undefined,
};

/** Rules that a different proof of the same deposit, or a newer checkpoint, may satisfy. */
export const RETRYABLE_DEPOSITS: readonly string[] = [
  'deposit/absent',
  'deposit/ambiguous',
  'deposit/not-final',
  'deposit/exception',
  'deposit/other-trust',
  'deposit/stale-start',
  'deposit/clock',
  'deposit/incomplete',
  'deposit/outbound',
  'deposit/wallet-state',
];
