/** A proven message for a person, with the jettons that it tells of. */
import { DecodeError } from '../../core/base/errors.ts';
import { jettonNotificationOf } from '../../core/facts/jetton.ts';
import type { MessageFact } from '../../core/facts/messages.ts';
import { messageRows } from '../report/render-facts.ts';
import { printNote } from './output.ts';

/** Rows of a report. Anybody can send a message whose body only starts as a notification does: it is proven all the same. */
export async function messageWords(message: MessageFact): Promise<string[]> {
  try {
    return messageRows(message, jettonNotificationOf(message));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    await printNote(`the body starts like a jetton notification but is not valid: ${error.message}`);
    return messageRows(message);
  }
}
