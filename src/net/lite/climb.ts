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
} from '../../base/errors.ts';
import {
  MAX_PROOF_LINKS,
  MAX_SHORT_ANSWERS,
  MAX_SYNC_ANSWERS,
  MAX_SYNC_LINKS,
  QUESTION_DEADLINE_MS,
} from '../../base/limits.ts';
import { present } from '../../base/present.ts';
import type { Signal } from '../../base/runtime-types.ts';
import type { ProvenHeader } from '../../chain/block-header.ts';
import type { PartialBlockProof } from '../../chain/block-proof.ts';
import { type Checkpoint, validatorSetAt } from '../../chain/checkpoint.ts';
import { type LinkOptions, staleBy } from '../../chain/link.ts';
import { trustError } from '../../chain/shared-checks.ts';
import { type BlockWalk, walkBlockProof } from '../../chain/walk.ts';
import { type BlockIdExt, differingField } from '../../decode/block-id.ts';
import type { SignatureSet } from '../../decode/signature-set.ts';
import type { VerificationReport } from '../../verify/report.ts';
import { onAbort } from '../async/on-abort.ts';
import { noAgreement } from '../sources/attribution.ts';
import type { Answered, LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { liteHint } from './server-errors.ts';
import { keyBlockOf } from './way.ts';

export type TrustStart = Checkpoint | BlockIdExt | BlockWalk;

/** What one server sent, and where it begins. */
export interface Leg {
  readonly client: LiteServerClient;
  readonly from: BlockIdExt;
  readonly tl: Uint8Array;
}

/** Where a climb stands: at a block that is proven by its own signatures. */
export interface Climb {
  readonly walk: BlockWalk;
  /** Header, signatures and report of `walk.tip`. */
  readonly header: ProvenHeader;
  readonly signatures: SignatureSet;
  readonly report: VerificationReport;
  /** The Merkle proof of the header. */
  readonly destProof: Uint8Array;
  /** The key block whose set signs what follows the base of this climb. An attacker with its old keys could have made all of it. */
  readonly base: Checkpoint | undefined;
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
   * Who named the target: it is asked first. Another server is asked for the way there only after it named the same block,
   * and does not rest for not knowing it: a block that only a liar names would cost all of them.
   */
  readonly namedBy: LiteServerClient;
  /** No other server is asked. Default false. */
  readonly isAlone?: boolean;
  /** Milliseconds for one answer. Default 10 s. */
  readonly deadlineMs?: number;
  /** Tell the server to wait for the target, some seconds. Default false. */
  readonly mayWait?: boolean;
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

/**
 * Every link of an answer leads forward, to no block behind the target. A block that is pinned and no key block is the one
 * exception: the way from it begins with a link back to the key block that rules there.
 */
function requireBelow({ links }: PartialBlockProof, target: BlockIdExt, isPinned: boolean): void {
  for (const [at, { kind, to }] of links.entries()) {
    const path = `proof.links[${at}]`;
    if (kind === 'back' && !(isPinned && at === 0)) {
      throw trustError('trust/incomplete', `a link back to block ${to.seqno}, on the way up`, path);
    }
    if (to.seqno > target.seqno) {
      throw trustError('trust/incomplete', `block ${to.seqno} is past block ${target.seqno}, the target`, path);
    }
  }
}

type Proven = Pick<Climb, 'header' | 'report' | 'signatures' | 'destProof'>;

/** Rules of a climb beside those of a walk: every answer leads onward, and stops short only at a key block. */
function requireOnward(
  { tip, tipHeader, reports }: BlockWalk,
  { links }: PartialBlockProof,
  known: BlockIdExt,
  isThere: boolean,
): Proven {
  const [link, report] = [links.at(-1), reports.at(-1)];
  if (tip.seqno <= known.seqno || link?.kind !== 'forward' || tipHeader === undefined || report === undefined) {
    throw trustError('trust/incomplete', `the answer leads nowhere: it ends at block ${tip.seqno}`, 'proof.to');
  }
  if (!isThere && !tipHeader.keyBlock) {
    throw trustError('trust/incomplete', `the answer stops at block ${tip.seqno}, which is no key block`, 'proof.to');
  }
  return { header: tipHeader, report, signatures: link.signatures.set, destProof: link.destProof };
}

/** One answer on the way up, and what it proves of the block that it ends at. */
interface Step extends Proven {
  readonly walk: BlockWalk;
  /** Whether the target is reached. */
  readonly isThere: boolean;
}

/**
 * Walks one answer towards a target, by the rules of a climb.
 * @throws TrustError, DecodeError, ValidatorSetError for an answer that does not hold
 */
export function walkTowards(
  from: TrustStart,
  { tl, claimed }: Answered<PartialBlockProof>,
  target: BlockIdExt,
  opts: LinkOptions,
): Step {
  requireBelow(claimed, target, !('tip' in from) && !('keyBlock' in from));
  const isThere = claimed.complete || claimed.to.seqno === target.seqno;
  const walk = walkBlockProof(from, tl, { ...opts, ...(isThere ? { to: target } : {}) });
  return { walk, ...requireOnward(walk, claimed, blockOf(from), isThere), isThere };
}

/** The key block whose set signs what follows. @param links of the first answer from there, which was walked */
export function baseOf(start: TrustStart, { links }: PartialBlockProof): Checkpoint | undefined {
  const link = links.find(({ kind }) => kind === 'forward');
  const isCheckpoint = !('tip' in start) && 'keyBlock' in start;
  return isCheckpoint ? start : link?.kind === 'forward' ? keyBlockOf(link) : undefined;
}

/** Whether the set of a base is past its stakes. */
export function isBaseStale(base: Checkpoint | undefined, nowSeconds: number): boolean {
  return base !== undefined && staleBy(validatorSetAt(base), nowSeconds) === true;
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
 * @param target the block to reach, above the start; it need not exist
 * @returns the climb that ends at this very block
 * @throws SourceError when no server gives a proof that holds; `statements` say what each one did
 */
export async function climb(fleet: Fleet, start: TrustStart, target: BlockIdExt, opts: ClimbOptions): Promise<Climb> {
  const {
    signal,
    engine,
    nowSeconds,
    namedBy,
    mayWait = false,
    isAlone = false,
    deadlineMs = QUESTION_DEADLINE_MS,
  } = opts;
  const linkOptions = present({ engine, nowSeconds });
  const named = new Set([namedBy]);
  const failed = new Set<LiteServerClient>();
  const statements = new Map<LiteServerClient, SourceError>();
  let current = start;
  let known = blockOf(start);
  let base: Checkpoint | undefined;
  let ahead: Question | undefined;
  let links = 0;
  let answers = 0;
  let bytes = 0;
  let shortAnswers = 0;

  function ask(client: LiteServerClient, from: BlockIdExt): Question {
    const stop = new AbortController();
    const cancel = () => stop.abort();
    const forget = signal === undefined ? () => {} : onAbort(signal, cancel);
    const question = { signal: stop.signal, serverMayWait: mayWait, deadlineMs, retries: isAlone ? 0 : 1 };
    const answer = fleet.ask(client, (one) => one.blockProof(from, target, question)).finally(forget);
    answer.catch(() => {}); // an answer that nobody waits for any more
    return { client, known: from, answer, cancel };
  }

  /** Asks a server for the target's number. It does not rest for another answer: the block may be an invention. */
  async function ifNamed(client: LiteServerClient): Promise<LiteServerClient> {
    const question = { retries: 0, deadlineMs: QUESTION_DEADLINE_MS, ...present({ signal }) };
    const { id } = await client.lookup(target.seqno, question);
    if (differingField(id, target) === undefined) return client;
    throw new SourceError('source/wrong-block', `${client.name}: it names another block ${target.seqno}`);
  }

  async function nextServer(): Promise<LiteServerClient> {
    const left = [...new Set([...fleet.usable(), namedBy])].filter((one) => fleet.isKept(one) && !failed.has(one));
    const known = left.find((one) => named.has(one));
    if (known !== undefined) return known;
    if (isAlone) throw statements.get(namedBy) ?? fleet.lastErrorOf(namedBy);
    const asked = left.map((client) =>
      ifNamed(client).catch((error: unknown) => {
        if (!(error instanceof SourceError) || error.code === 'source/aborted') fault = error;
        else statements.set(client, error);
        failed.add(client);
        throw error;
      }),
    );
    let fault: unknown;
    const other = await Promise.any(asked).catch(() => undefined);
    if (fault !== undefined) throw fault;
    if (other !== undefined) {
      named.add(other);
      return other;
    }
    const told = fleet.clients.flatMap((client) => {
      const error = statements.get(client) ?? fleet.lastErrorOf(client);
      return error === undefined ? [] : [{ source: client.name, error }];
    });
    throw noAgreement(`no lite server leads from block ${blockOf(current).seqno} to block ${target.seqno}`, told);
  }

  try {
    for (;;) {
      const question: Question = ahead ?? ask(await nextServer(), known);
      const { client } = question;
      ahead = undefined;
      let answered: Answered<PartialBlockProof>;
      try {
        answered = await question.answer;
      } catch (error) {
        if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
        statements.set(client, error);
        failed.add(client);
        continue;
      }
      const { tl, claimed } = answered;
      if (!claimed.complete && claimed.to.seqno > known.seqno && claimed.to.seqno < target.seqno) {
        ahead = ask(client, claimed.to);
        await beforeNextTask(); // the question has to be on its way before this thread is busy
      }
      let step: Step;
      try {
        step = walkTowards(current, answered, target, linkOptions);
      } catch (error) {
        if (!isBrokenProof(error)) throw error;
        ahead?.cancel();
        ahead = undefined;
        const broken = brokenProof(client, 'getBlockProof', tl, error);
        statements.set(client, broken);
        fleet.expel(client, broken);
        continue;
      }
      const { isThere, ...proven } = step;
      base ??= baseOf(start, claimed);
      failed.clear();
      links += claimed.links.length;
      answers += 1;
      bytes += tl.length;
      const climbed: Climb = { ...proven, base, leg: { client, from: known, tl }, links, answers, bytes };
      current = proven.walk;
      known = current.tip;
      await opts.onStep?.(climbed);
      if (isThere) return climbed;
      if (links >= MAX_SYNC_LINKS || answers >= MAX_SYNC_ANSWERS) {
        throw new SourceError('source/too-large', `${links} links and block ${target.seqno} is not reached`, {
          hint: 'start from a newer block: the checkpoint that was saved stands where this stopped',
        });
      }
      shortAnswers = claimed.links.length < MAX_PROOF_LINKS ? shortAnswers + 1 : 0;
      if (isAlone || shortAnswers < MAX_SHORT_ANSWERS) continue;
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
