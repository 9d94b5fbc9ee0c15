/** What a jetton wallet tells its owner when jettons came in. Decodes only. Source: TEP-74. */

import { ownMembers } from '../base/present.ts';
import type { Cell } from '../cells/cell.ts';
import { Slice } from '../cells/slice.ts';
import { type MessageAddress, readMessageAddress } from './addresses.ts';
import { readGrams } from './currency.ts';
import { asCell, type MessageFact, requireMessage } from './messages.ts';

const TRANSFER_NOTIFICATION = 0x7362d09c;

/**
 * A jetton transfer as a message tells it. **Anybody can send such a message.** It is worth something only when its source
 * is the wallet, of the jetton that you accept, that belongs to the receiving account: prove the state of that wallet once
 * (its data hold owner and master), keep its address, and compare.
 */
export interface JettonNotification {
  /** uint64, chosen by the sender. */
  readonly queryId: bigint;
  /** In the jetton's smallest unit. */
  readonly amount: bigint;
  /** Who sent the jettons, as the wallet says. */
  readonly sender: MessageAddress;
  /** What the sender attached. */
  readonly payload: Cell;
  /** Where the message came from: compare it with the wallet you know. */
  readonly wallet: MessageAddress;
}

/**
 * Reads a jetton notification from a proven message.
 * transfer_notification#7362d09c query_id:uint64 amount:(VarUInteger 16) sender:MsgAddress
 *   forward_payload:(Either Cell ^Cell) = InternalMsgBody; Source: TEP-74.
 * @returns `undefined` for any other message: another opcode, one that bounced, from outside, or one that went out
 * @throws DecodeError `decode/boc` for a body that starts as a notification and is malformed
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
  let payload: Cell;
  // Some wallets leave the bit out where nothing is attached.
  if (slice.bitsLeft > 0 && slice.bit()) {
    payload = slice.ref();
    slice.end();
  } else {
    payload = asCell(slice);
  }
  return Object.freeze({ queryId, amount, sender, payload, wallet: message.source });
}
