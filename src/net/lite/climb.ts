/**
 * From a trusted block to a later one, answer by answer, over whichever servers give proofs that hold. While one answer is
 * verified the next one is on its way.
 */

import { DecodeError, type FinalityError, SourceError, TrustError, ValidatorSetError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import type { SignatureSet } from '../../core/block/signature-set.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import type { PartialBlockProof } from '../../core/chain/block-proof.ts';
import { type Checkpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import type { LinkOptions } from '../../core/chain/link.ts';
import { trustError } from '../../core/chain/shared-checks.ts';
import { type BlockWalk, walkBlockProof } from '../../core/chain/walk.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { stakesEnd } from '../../core/verify/set-check.ts';
import { Tasks } from '../async/tasks.ts';
import { type ClimbEvent, startClimb, step } from '../machine/climb.ts';
import { codeOfUnreadable, effectOf } from '../machine/outcome.ts';
import { liteHint } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { Answered, LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
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
  const code = codeOfUnreadable(cause);
  const what = code === 'source/malformed' ? 'that does not hold' : 'in a form that is not known';
  return new SourceError(code, `${client.name}: ${operation}: a proof ${what}: ${cause.message}`, {
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

/** Unix seconds from which the stakes of a base's set are free again. */
export function stakesEndOf(base: Checkpoint | undefined): number {
  return base === undefined ? Number.POSITIVE_INFINITY : stakesEnd(validatorSetAt(base));
}

/** Whether the set of a base is past its stakes. */
export function isBaseStale(base: Checkpoint | undefined, nowSeconds: number): boolean {
  return nowSeconds > stakesEndOf(base);
}

/** Where trust is after a climb: at the tip where that is a key block, else at the key block that rules there. */
export function goOnFrom(walk: BlockWalk): TrustStart {
  return walk.tipHeader?.keyBlock === true ? walk : walk.checkpoint;
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
  const { signal, engine, nowSeconds, namedBy, mayWait = false, isAlone = false, onStep } = opts;
  const { deadlineMs = QUESTION_DEADLINE_MS } = opts;
  const linkOptions = present({ engine, nowSeconds });
  const statements = new Map<LiteServerClient, SourceError>();
  const tasks = new Tasks<ClimbEvent>(signal);
  const proofs = new Map<number, Answered<PartialBlockProof>>();
  let current = start;
  let base: Checkpoint | undefined;
  let bytes = 0;
  let climbed: Climb | undefined;

  function ask(id: number, client: LiteServerClient, from: BlockIdExt): void {
    const question = { serverMayWait: mayWait, deadlineMs, retries: isAlone ? 0 : 1 };
    const proof = async (signal: Signal): Promise<ClimbEvent> => {
      const asked = { ...question, signal };
      const answered = await fleet.ask(client, (one) => one.blockProof(from, target, asked));
      if (tasks.isOpen(id)) proofs.set(id, answered);
      const { complete, to, links } = answered.claimed;
      return { kind: 'answered', id, complete, to, links: links.length };
    };
    tasks.begin(id, proof, (error) => failed(id, client, error));
  }

  function failed(id: number, client: LiteServerClient, error: SourceError): ClimbEvent {
    statements.set(client, error);
    return { kind: 'failed', id };
  }

  /** What was cancelled is not kept: a server whose answers are short could else fill the memory with those that follow. */
  function cancel(id: number): void {
    tasks.cancel(id);
    proofs.delete(id);
  }

  /** The server does not rest for another answer: the block may be an invention. */
  function lookUp(id: number, client: LiteServerClient): void {
    const question = { retries: 0, deadlineMs: QUESTION_DEADLINE_MS };
    const named = async (signal: Signal): Promise<ClimbEvent> => {
      const { id: block } = await fleet.query(client, (one) => one.lookup(target.seqno, { ...question, signal }));
      if (tasks.isOpen(id) && differingField(block, target) !== undefined) {
        const words = `${client.name}: it names another block ${target.seqno}`;
        statements.set(client, new SourceError('source/wrong-block', words));
      }
      return { kind: 'named', id, block };
    };
    tasks.begin(id, named, (error) => failed(id, client, error));
  }

  function verify(id: number, client: LiteServerClient): ClimbEvent {
    const answered = proofs.get(id)!; // verified because it came
    proofs.delete(id);
    const { tl, claimed } = answered;
    try {
      const { isThere, ...proven } = walkTowards(current, answered, target, linkOptions);
      base ??= baseOf(start, claimed);
      bytes += tl.length;
      fleet.proved(client, tl, claimed.links.length);
      const leg = { client, from: blockOf(current), tl };
      const links = (climbed?.links ?? 0) + claimed.links.length;
      climbed = { ...proven, base, leg, links, answers: (climbed?.answers ?? 0) + 1, bytes };
      current = proven.walk;
      return { kind: 'held', tip: proven.walk.tip, isThere };
    } catch (error) {
      if (!isBrokenProof(error)) throw error;
      const broken = brokenProof(client, 'getBlockProof', tl, error);
      statements.set(client, broken);
      if (effectOf(broken) === 'out') fleet.expel(client, broken);
      else fleet.rest(client, broken);
      return { kind: 'false' };
    }
  }

  function noWay(): unknown {
    if (isAlone) return statements.get(namedBy) ?? fleet.lastErrorOf(namedBy);
    const told = fleet.clients.flatMap((client) => {
      const error = statements.get(client) ?? fleet.lastErrorOf(client);
      return error === undefined ? [] : [{ source: client.name, error }];
    });
    return noAgreement(
      `no lite server leads from block ${blockOf(current).seqno} to block ${target.seqno}`,
      told,
      fleet.clients.length - told.length,
    );
  }

  let state = startClimb<LiteServerClient>({ from: blockOf(start), target, namedBy, isAlone });
  let event: ClimbEvent = { kind: 'begin' };
  try {
    for (;;) {
      const [after, actions] = step(state, event, { usable: fleet.usable(), kept: fleet.kept() });
      state = after;
      let done: ClimbEvent | undefined;
      for (const action of actions) {
        if (action.kind === 'ask') ask(action.id, action.server, action.from);
        else if (action.kind === 'lookup') lookUp(action.id, action.server);
        else if (action.kind === 'cancel') cancel(action.id);
        else if (action.kind === 'verify') {
          if (!tasks.isIdle) await beforeNextTask(); // the next question has to be on its way before this thread is busy
          done = verify(action.id, action.server);
        } else if (action.kind === 'report') {
          await onStep?.(climbed!); // there is one that holds
          done = { kind: 'reported' };
        } else if (action.how === 'there') return climbed!;
        else if (action.how === 'no-way') throw noWay();
        else if (action.how === 'too-short') {
          const words = `${namedBy.name}: its answers are short, block ${target.seqno} is far`;
          throw new SourceError('source/not-ready', words);
        } else {
          const words = `${state.links} links and block ${target.seqno} is not reached`;
          throw new SourceError('source/too-large', words, {
            hint: 'start from a newer block: the checkpoint that was saved stands where this stopped',
          });
        }
      }
      event = done ?? (await tasks.take());
    }
  } finally {
    tasks.close();
  }
}
