/** The parts of a deposit that the rules examine. Each part is read once, when a rule needs it for the first time. */
import { badArgument, isObject, requireMembers } from '../base/arguments.ts';
import { encodeHex } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { ownList } from '../base/own-bytes.ts';
import { ownMembers } from '../base/present.ts';
import { differingField } from '../block/block-id.ts';
import { type AccountId, sameAccount } from './account-id.ts';
import { type AccountFact, lastTransactionOf } from './account-state.ts';
import type { MessageAddress } from './addresses.ts';
import { readComment } from './comment.ts';
import type { OwnTerms } from './deposit-terms.ts';
import { unproven } from './fact-checks.ts';
import type { HistoryFact } from './history.ts';
import { jettonNotificationOf } from './jetton.ts';
import { type MessageFact, messagesOf } from './messages.ts';
import type { BlockFacts } from './proven-block.ts';
import { cellsOf, provenUnder, type TransactionFact } from './transaction.ts';

/**
 * Facts that prove a deposit: the transaction, and for a jetton the state of the vault's wallet under the same masterchain
 * block. The report of `verifyCertificate` is such a proof.
 */
export interface DepositProof {
  readonly facts: readonly object[];
}

type ArrivalFact = TransactionFact | HistoryFact;

/** The facts that matter, each transaction once. */
function gather({ facts }: DepositProof, { asset }: OwnTerms) {
  const arrivals = new Map<string, ArrivalFact>();
  const wallets: { readonly fact: AccountFact; readonly facts: BlockFacts }[] = [];
  let isOutbound = false;
  for (const [k, given] of ownList(facts, 'facts').entries()) {
    if (!isObject(given)) throw badArgument(`facts[${k}]`, 'a fact', given);
    const { kind, message } = given;
    if (kind === 'message' && isObject(message) && message.direction === 'out') isOutbound = true;
    const fact = (kind === 'message' ? given.transaction : given) as ArrivalFact; // `arrivals` has it
    if (kind === 'account' && given.found === true) {
      const known = lastTransactionOf(given);
      if (known === undefined) throw unproven('an account', `facts[${k}]`);
      const isWallet = asset !== 'TON' && sameAccount(known.account, asset.wallet);
      if (isWallet) wallets.push({ fact: given as unknown as AccountFact, facts: known.facts });
    } else if (kind === 'message' && !isObject(fact)) {
      throw badArgument(`facts[${k}].transaction`, 'a fact', fact);
    } else if ((kind === 'message' || kind === 'transaction' || kind === 'history') && fact.found) {
      const { workchain, address } = provenUnder(fact).account;
      arrivals.set([workchain, encodeHex(address), fact.lt].join(), fact);
    }
  }
  return { arrivals: [...arrivals.values()], wallets, isOutbound };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns the account of an address, of which a rule has checked that it has one. */
function accountOf(address: MessageAddress): AccountId {
  return (address as Extract<MessageAddress, { readonly kind: 'account' }>).account;
}

type Internal = Extract<MessageFact, { readonly kind: 'internal' }>;

/** Reads a notification; `undefined` if it cannot be read to its end. */
function notificationOf(message: MessageFact) {
  try {
    return jettonNotificationOf(message);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** What readers return for a text that they cannot read: `isName(text) && text`, `Number(text)`. */
const NO_RECIPIENTS: readonly unknown[] = [null, '', false, Number.NaN];

/**
 * Calls the caller's reader of the comment; `undefined` if it returns nothing or throws. @param said gets what it
 * throws
 */
function readRecipient(read: OwnTerms['payload'], text: Uint8Array | undefined, said: { cause?: unknown }): unknown {
  if (text === undefined) return undefined;
  let recipient: unknown;
  let then: unknown;
  try {
    recipient = read(text);
    ({ then } = Object(recipient) as { readonly then?: unknown });
  } catch (cause) {
    said.cause = cause;
    return undefined;
  }
  if (typeof then === 'function') throw badArgument('payload', 'a function that returns at once', recipient);
  return NO_RECIPIENTS.includes(recipient) ? undefined : recipient;
}

/**
 * A deposit before it is accepted. Except for the first parts, a part may only be read after the rules before it
 * passed.
 */
export type DepositCandidate = ReturnType<typeof candidateOf>;

/**
 * Reads the facts. @throws UsageError for anything but a list of facts; TrustError `trust/unproven-block` for facts
 * that were not proven here
 */
export function candidateOf(proof: DepositProof, terms: OwnTerms) {
  requireMembers(proof, 'facts, or the report of a certificate', 'proof');
  const { arrivals, wallets, isOutbound } = gather(proof, terms);
  const { asset } = terms;
  const arrival = arrivals[0]!;
  const under = once(() => provenUnder(arrival));
  const facts = () => under().facts!;
  const messages = once(() => messagesOf(arrival));
  const inbound = () => messages().find(({ direction }) => direction === 'in');
  const message = () => inbound() as Internal;
  const notification = once(() => notificationOf(message()));
  const data = () => cellsOf(arrival).data;
  const outcome = () => ownMembers(data().outcome);
  const body = () => (asset === 'TON' ? message().body : notification()!.payload);
  const from = () => (asset === 'TON' ? message().source : notification()!.sender);
  /** Details of an error in addition to its code, as far as they were read: the amount, and what `payload` threw. */
  const said: { amount?: bigint; atLeast: bigint; cause?: unknown } = { atLeast: terms.atLeast };
  const amount = () => {
    said.amount = asset === 'TON' ? outcome().credit!.grams : notification()!.amount;
    return said.amount;
  };
  return {
    terms,
    arrivals,
    isOutbound,
    under,
    facts,
    data,
    outcome,
    messages,
    inbound,
    message,
    notification,
    body,
    source: () => accountOf(message().source),
    sender: () => accountOf(from()),
    amount,
    wallet: () =>
      wallets.find(({ facts: { path } }) => differingField(path[0]!.block, facts().path[0]!.block) === undefined)?.fact,
    recipient: once(() => readRecipient(terms.payload, readComment(body()), said)),
    said,
  };
}
