/** Renders a proven message, with the jettons that it mentions. */
import { DecodeError } from '../../core/base/errors.ts';
import { jettonNotificationOf } from '../../core/facts/jetton.ts';
import type { MessageFact } from '../../core/facts/messages.ts';
import { messageRows } from '../report/render-facts.ts';
import { printNote } from './output.ts';

/** Returns rows of a report. Any account can send a message whose body only starts like a notification; the message is still proven. */
export async function messageWords(message: MessageFact): Promise<string[]> {
  try {
    return messageRows(message, jettonNotificationOf(message));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    await printNote(`the body starts like a jetton notification but is not valid: ${error.message}`);
    return messageRows(message);
  }
}
