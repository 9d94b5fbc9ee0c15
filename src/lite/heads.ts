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

/** Seconds by which a server's time may differ from that of the block that it just proved: a network may stand for a while. */
const ODD_CLOCK_SECONDS = 600;

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
 * Requires that the servers do not all say, two of them at least, that this machine's clock is wrong, and wrong to the same
 * side: with a slow one an old head looks new. What fewer say may as well be their own clocks.
 * @param nowSeconds Unix seconds
 * @param proved the server that just proved a block, and when that was made: where its time is far from that, it says nothing
 * @throws SourceError `source/clock`
 */
export function requireClock(
  heads: readonly ServerHead[],
  nowSeconds: number,
  proved?: { readonly client: LiteServerClient; readonly genUtime: number },
): void {
  const clocks = heads.flatMap(({ client, head: { now } }) => {
    const isProver = proved !== undefined && client === proved.client;
    const isOdd = isProver && now !== undefined && Math.abs(now - proved.genUtime) > ODD_CLOCK_SECONDS;
    return now === undefined || isOdd ? [] : [now];
  });
  const off = (sign: 1 | -1) => clocks.every((clock) => sign * (clock - nowSeconds) > MAX_CLOCK_SKEW_SECONDS);
  if (clocks.length < 2 || !(off(1) || off(-1))) return;
  throw clockError(`this machine's clock says ${Math.round(nowSeconds)}, the servers' ${clocks.join(', ')}`);
}

export function clockError(message: string): SourceError {
  return new SourceError('source/clock', message, { hint: liteHint('source/clock')! }); // there is one for this code
}
