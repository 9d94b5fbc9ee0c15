/**
 * From a trusted block to a later one, answer by answer, over whichever servers give proofs that hold. While one answer is
 * verified the next one is on its way.
 */

import {
  DecodeError,
  type FinalityError,
  SourceError,
  type SourceErrorCode,
  TrustError,
  ValidatorSetError,
} from '../base/errors.ts';
import { MAX_PROOF_LINKS, MAX_SHORT_ANSWERS, MAX_SYNC_ANSWERS, MAX_SYNC_LINKS } from '../base/limits.ts';
import { present } from '../base/present.ts';
import type { Signal } from '../base/runtime-types.ts';
import type { PartialBlockProof } from '../chain/block-proof.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import type { LinkOptions } from '../chain/link.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type BlockWalk, walkBlockProof } from '../chain/walk.ts';
import type { BlockIdExt } from '../decode/block-id.ts';
import { noAgreement } from '../sources/attribution.ts';
import type { Answered, LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { liteHint } from './server-errors.ts';

export type TrustStart = Checkpoint | BlockIdExt | BlockWalk;

/** What one server sent, and where it begins. */
export interface Leg {
  readonly client: LiteServerClient;
  readonly from: BlockIdExt;
  readonly tl: Uint8Array;
}

/** Where a climb stands. */
export interface Climb {
  readonly walk: BlockWalk;
  /** The last answer. */
  readonly leg: Leg;
  /** Of this climb. */
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
}

export interface ClimbOptions extends LinkOptions {
  readonly signal?: Signal;
  /**
   * Who named the target: it is asked first, and nobody is told to wait for that block or sent to rest for not knowing it.
   * For a block that only a liar names every server would be waited for, and would rest beside the liar.
   */
  readonly namedBy?: LiteServerClient;
  /** Called after each answer that holds; waited for. */
  readonly onStep?: (climb: Climb) => void | Promise<void>;
}

/** The block that is trusted at the start. */
export function blockOf(start: TrustStart): BlockIdExt {
  if ('tip' in start) return start.tip;
  return 'keyBlock' in start ? start.keyBlock : start;
}

/** The error of a server whose proof does not hold: the rule that is broken is its cause. */
export function brokenProof(
  client: LiteServerClient,
  operation: string,
  tl: Uint8Array,
  cause: FinalityError,
): SourceError {
  const code: SourceErrorCode = 'source/malformed';
  return new SourceError(code, `${client.name}: ${operation}: a proof that does not hold: ${cause.message}`, {
    endpoint: client.name,
    body: tl,
    cause,
    hint: cause.hint ?? liteHint(code) ?? '',
  });
}

/** Whether an error says that what was to be proven is not: anything else is a fault of the program, or of the caller. */
export function isBrokenProof(error: unknown): error is FinalityError {
  return error instanceof TrustError || error instanceof DecodeError || error instanceof ValidatorSetError;
}

/** Rules of a climb beside those of a walk: every answer leads onward, and stops short only at a key block. */
function requireOnward(walk: BlockWalk, known: BlockIdExt): void {
  if (walk.tip.seqno <= known.seqno) {
    throw trustError('trust/incomplete', `the answer leads nowhere: it ends at block ${walk.tip.seqno}`, 'proof.to');
  }
  if (!walk.complete && walk.tipHeader?.keyBlock !== true) {
    throw trustError(
      'trust/incomplete',
      `the answer stops at block ${walk.tip.seqno}, which is no key block`,
      'proof.to',
    );
  }
}

interface Question {
  readonly client: LiteServerClient;
  readonly known: BlockIdExt;
  readonly answer: Promise<Answered<PartialBlockProof>>;
  cancel(): void;
}

/** Lets everything happen that is only waiting for this thread. */
function beforeNextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/**
 * @param target the block to reach; it need not exist
 * @throws SourceError when no server gives a proof that holds; `statements` say what each one did
 */
export async function climb(fleet: Fleet, start: TrustStart, target: BlockIdExt, opts: ClimbOptions): Promise<Climb> {
  const { signal, engine, nowSeconds, namedBy } = opts;
  const linkOptions = present({ engine, nowSeconds });
  const failed = new Set<LiteServerClient>();
  let current = start;
  let known = blockOf(start);
  let ahead: Question | undefined;
  let links = 0;
  let answers = 0;
  let bytes = 0;
  let shortAnswers = 0;

  function ask(client: LiteServerClient, from: BlockIdExt): Question {
    const stop = new AbortController();
    const cancel = () => stop.abort();
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    const question = { signal: stop.signal, serverMayWait: namedBy === undefined, retries: 1 };
    const isBound = namedBy === undefined || namedBy === client;
    const askIt = (one: LiteServerClient) => one.blockProof(from, target, question);
    const answer = (isBound ? fleet.ask(client, askIt) : askIt(client)).finally(() =>
      signal?.removeEventListener('abort', cancel),
    );
    answer.catch(() => {}); // an answer that nobody waits for any more
    return { client, known: from, answer, cancel };
  }

  function nextServer(): LiteServerClient {
    const left = fleet.usable().filter((one) => !failed.has(one));
    const client = left.find((one) => one === namedBy) ?? left[0];
    if (client !== undefined) return client;
    throw noAgreement(`no lite server leads from block ${known.seqno} to block ${target.seqno}`, fleet.statements());
  }

  try {
    for (;;) {
      const question: Question = ahead ?? ask(nextServer(), known);
      const { client } = question;
      ahead = undefined;
      let answered: Answered<PartialBlockProof>;
      try {
        answered = await question.answer;
      } catch (error) {
        if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
        failed.add(client);
        continue;
      }
      const { tl, claimed } = answered;
      if (!claimed.complete && claimed.to.seqno > known.seqno) {
        ahead = ask(client, claimed.to);
        await beforeNextTask(); // the question has to be on its way before this thread is busy
      }
      let walk: BlockWalk;
      try {
        walk = walkBlockProof(current, tl, { ...linkOptions, ...(claimed.complete ? { to: target } : {}) });
        requireOnward(walk, known);
      } catch (error) {
        if (!isBrokenProof(error)) throw error;
        ahead?.cancel();
        ahead = undefined;
        fleet.expel(client, brokenProof(client, 'getBlockProof', tl, error));
        continue;
      }
      failed.clear();
      links += claimed.links.length;
      answers += 1;
      bytes += tl.length;
      const step: Climb = { walk, leg: { client, from: known, tl }, links, answers, bytes };
      current = walk;
      known = walk.tip;
      await opts.onStep?.(step);
      if (claimed.complete) return step;
      if (links >= MAX_SYNC_LINKS || answers >= MAX_SYNC_ANSWERS) {
        throw new SourceError('source/too-large', `${links} links and block ${target.seqno} is not reached`, {
          hint: 'start from a newer block: the checkpoint that was saved stands where this stopped',
        });
      }
      shortAnswers = claimed.links.length < MAX_PROOF_LINKS ? shortAnswers + 1 : 0;
      if (shortAnswers < MAX_SHORT_ANSWERS) continue;
      // Allowed, but no server has to be asked three times for what fits into one answer.
      shortAnswers = 0;
      failed.add(client);
      ahead?.cancel();
      ahead = undefined;
    }
  } finally {
    ahead?.cancel();
  }
}
