/** Runs a command over lite servers: opens them, says why there is no result yet, and keeps answers and evidence. */
import { SourceError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import type { LiteServerClient } from '../../../net/lite/client.ts';
import { flagOfOption } from '../input/flag-in-error.ts';
import { type LitePlan, openLite } from '../input/lite-options.ts';
import type { Wanted } from '../input/server-options.ts';
import { printEvent } from '../output/print.ts';
import { type TellOptions, tellFork } from '../output/print-witnesses.ts';
import { saveTo } from '../output/save-answers.ts';
import { sayWhileWaiting, type Waiting } from '../output/say-while-waiting.ts';

/** Checks that a proven block has the requested number; no other block is reported. @throws SourceError */
export function requireWantedBlock(seqno: number, wanted: Wanted): void {
  if (wanted === 'latest' || seqno === wanted) return;
  throw new SourceError('source/wrong-block', `asked for block ${wanted}, block ${seqno} was proven`);
}

/**
 * Runs work over the servers of a plan, and closes them afterwards.
 * @param options `save` names a folder for the answers
 * @param beforeNote called before each line on standard error about the run
 */
export async function overLite<T>(
  plan: LitePlan,
  options: TellOptions & { readonly save?: string | undefined },
  work: (clients: readonly LiteServerClient[], waiting: Waiting) => Promise<T>,
  beforeNote: () => void = () => {},
): Promise<T> {
  const saver = options.save === undefined ? undefined : saveTo(options.save);
  const waiting = sayWhileWaiting(options.json, beforeNote);
  const clients = openLite(plan, present({ onServer: waiting.onServer, onAnswer: saver?.keep }));
  try {
    return await work(clients, waiting);
  } catch (error) {
    beforeNote();
    await tellFork(error, options);
    return flagOfOption('strict', 'witnesses')(error);
  } finally {
    waiting.end();
    for (const client of clients) client.close();
    if (saver !== undefined) await printEvent('answers-saved', saver.summary(), options.json);
  }
}
