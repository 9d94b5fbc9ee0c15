/** Decodes the notification that a jetton wallet sends to its owner for incoming jettons. Source: TEP-74. */

import { ownMembers } from '../base/present.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { type MessageAddress, readMessageAddress } from './addresses.ts';
import { readGrams } from './currency.ts';
import { asCell, type MessageFact, readEither, requireMessage } from './messages.ts';

const TRANSFER_NOTIFICATION = 0x7362d09c;

/**
 * A jetton transfer as a message describes it. **An attacker can send such a message.** It only counts if its source is
 * the receiver's own wallet of a jetton that you accept. Prove the state of this wallet once (its data contain owner
 * and master), keep its address, and compare.
 */
export interface JettonNotification {
  /** uint64, chosen by the sender. */
  readonly queryId: bigint;
  /** Amount in the jetton's smallest unit. */
  readonly amount: bigint;
  /** The sender of the jettons, according to the wallet. */
  readonly sender: MessageAddress;
  /** The payload that the sender attached. */
  readonly payload: Cell;
  /** The source of the message: compare it with the wallet that you know. */
  readonly wallet: MessageAddress;
}

/**
 * Reads a jetton notification from a proven message. transfer_notification#7362d09c query_id:uint64 amount:(VarUInteger
 * 16) sender:MsgAddress   forward_payload:(Either Cell ^Cell) = InternalMsgBody; Source: TEP-74.
 * @param message an incoming message that `messagesOf` returned
 * @returns the notification; `undefined` for any other message: a different opcode, a bounced, external or outgoing
 * message
 * @throws DecodeError `decode/boc` for a body that starts as a notification and is malformed; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { jettonNotificationOf, messagesOf, parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * const [fact] = verifyCertificate(certificate, { checkpoint }).facts;
 * const [message] = fact.kind === 'transaction' && fact.found ? messagesOf(fact) : [];
 * console.log(jettonNotificationOf(message)); // undefined, because this deposit is in TON
 * ```
 */
export function jettonNotificationOf(message: MessageFact): JettonNotification | undefined {
  requireMessage(message);
  if (message.kind !== 'internal' || message.direction !== 'in' || message.bounced) return undefined;
  if (ownMembers(message).opcode !== TRANSFER_NOTIFICATION) return undefined;
  const slice = new Slice(message.body, 'body');
  slice.tag(32, TRANSFER_NOTIFICATION, 'a notification');
  const queryId = slice.uint64();
  const amount = readGrams(slice);
  const sender = readMessageAddress(slice);
  // Some wallets leave the bit out if nothing is attached.
  const payload = slice.bitsLeft > 0 ? readEither(slice) : asCell(slice);
  return Object.freeze({ queryId, amount, sender, payload, wallet: message.source });
}
