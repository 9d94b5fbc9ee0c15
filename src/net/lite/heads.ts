/** Where servers say the head is, what time they say it is, and which block of these to go for. All of it claims. */

import { SourceError, type SourceStatement } from '../../base/errors.ts';
import { CONNECT_TIMEOUT_MS, MAX_CLOCK_SKEW_SECONDS } from '../../base/limits.ts';
import { present } from '../../base/present.ts';
import type { Signal } from '../../base/runtime-types.ts';
import type { ClaimedHead } from '../lite-api/read-answers.ts';
import { noAgreement } from '../sources/attribution.ts';
import { liteHint } from '../sources/failure-hints.ts';
import type { LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';

/** Seconds by which a server's time may differ from that of the block that it just proved: a network may stand for a while. */
const ODD_CLOCK_SECONDS = 600;

export interface ServerHead {
  readonly client: LiteServerClient;
  readonly head: ClaimedHead;
  /** Unix seconds of this machine's clock when the server was asked, and when its answer was there. */
  readonly heldAgainst: readonly [asked: number, answered: number];
}

/** Asks a server for its head. @param now this machine's clock */
export async function askHead(
  client: LiteServerClient,
  now: () => number,
  question: () => Promise<{ readonly claimed: ClaimedHead }>,
): Promise<ServerHead> {
  const asked = now();
  const { claimed: head } = await question();
  return { client, head, heldAgainst: [asked, now()] };
}

/**
 * Asks every server at once. Those of another network are out, those that do not answer rest.
 * @throws SourceError when none of them answers
 */
export async function askHeads(
  fleet: Fleet,
  signal: Signal | undefined,
  now: () => number,
): Promise<readonly ServerHead[]> {
  const deadline = { deadlineMs: CONNECT_TIMEOUT_MS, retries: 1, ...present({ signal }) };
  const failures: SourceStatement[] = [];
  const heads = await Promise.all(
    fleet.usable().map(async (client): Promise<ServerHead | undefined> => {
      try {
        return await askHead(client, now, () => fleet.ask(client, (one) => one.masterchainInfo(deadline)));
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
 * side: with a slow one an old head looks new. What fewer say may as well be their own clocks. An answer may lie unread while this
 * machine sleeps, so it is right where it is right at any time between question and answer.
 * @param proved the server that just proved a block, and when that was made: where its time is far from that, it says nothing
 * @throws SourceError `source/clock`
 */
export function requireClock(
  heads: readonly ServerHead[],
  proved?: { readonly client: LiteServerClient; readonly genUtime: number },
): void {
  const clocks = heads.flatMap(({ client, head: { now }, heldAgainst }) => {
    const isProver = proved !== undefined && client === proved.client;
    const isOdd = isProver && now !== undefined && Math.abs(now - proved.genUtime) > ODD_CLOCK_SECONDS;
    return now === undefined || isOdd ? [] : [{ now, from: Math.min(...heldAgainst), to: Math.max(...heldAgainst) }];
  });
  const isAhead = clocks.every(({ now, to }) => now - to > MAX_CLOCK_SKEW_SECONDS);
  const isBehind = clocks.every(({ now, from }) => from - now > MAX_CLOCK_SKEW_SECONDS);
  if (clocks.length < 2 || !(isAhead || isBehind)) return;
  const says = Math.round(clocks[0]!.to); // there are two
  throw clockError(`this machine's clock says ${says}, the servers' ${clocks.map(({ now }) => now).join(', ')}`);
}

export function clockError(message: string): SourceError {
  return new SourceError('source/clock', message, { hint: liteHint('source/clock')! }); // there is one for this code
}
