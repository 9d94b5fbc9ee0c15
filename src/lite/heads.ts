/** Where servers say the head is, what time they say it is, and which block of these to go for. All of it claims. */

import { SourceError, type SourceStatement } from '../base/errors.ts';
import { CONNECT_TIMEOUT_MS, MAX_CLOCK_SKEW_SECONDS } from '../base/limits.ts';
import { present } from '../base/present.ts';
import type { Signal } from '../base/runtime-types.ts';
import type { ClaimedHead } from '../decode/lite-answers.ts';
import { noAgreement } from '../sources/attribution.ts';
import type { LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { liteHint } from './server-errors.ts';

export interface ServerHead {
  readonly client: LiteServerClient;
  readonly head: ClaimedHead;
}

/**
 * Asks every server at once. Those of another network are out, those that do not answer rest.
 * @throws SourceError when none of them answers
 */
export async function askHeads(fleet: Fleet, signal: Signal | undefined): Promise<readonly ServerHead[]> {
  const deadline = { deadlineMs: CONNECT_TIMEOUT_MS, retries: 1, ...present({ signal }) };
  const failures: SourceStatement[] = [];
  const heads = await Promise.all(
    fleet.usable().map(async (client): Promise<ServerHead | undefined> => {
      try {
        const { claimed } = await fleet.ask(client, (one) => one.masterchainInfo(deadline));
        return { client, head: claimed };
      } catch (error) {
        if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
        failures.push({ source: client.name, error });
        return undefined;
      }
    }),
  );
  const answered = heads.filter((head) => head !== undefined);
  if (answered.length === 0) throw noAgreement('no lite server answers', failures);
  return answered;
}

/** Heads, the newest first; those of one number in the order of the servers. */
export function newestFirst(heads: readonly ServerHead[]): readonly ServerHead[] {
  return [...heads].sort((a, b) => b.head.last.seqno - a.head.last.seqno);
}

/**
 * Requires that this machine's clock is about that of the servers: with a slow one an old head looks new.
 * @param nowSeconds Unix seconds
 * @throws SourceError `source/clock`
 */
export function requireClock(heads: readonly ServerHead[], nowSeconds: number): void {
  const clocks = heads.flatMap(({ head }) => (head.now === undefined ? [] : [head.now])).sort((a, b) => a - b);
  const median = clocks[clocks.length >> 1];
  if (median === undefined || Math.abs(median - nowSeconds) <= MAX_CLOCK_SKEW_SECONDS) return;
  throw clockError(`this machine's clock says ${Math.round(nowSeconds)}, the servers' ${median}`);
}

export function clockError(message: string): SourceError {
  return new SourceError('source/clock', message, { hint: liteHint('source/clock')! }); // there is one for this code
}
