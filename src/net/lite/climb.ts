/**
 * From a trusted block to a later one, answer by answer, over whichever servers give proofs that hold. While one answer is
 * verified the next one is on its way.
 */

import { DecodeError, type FinalityError, SourceError, TrustError, ValidatorSetError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import type { SignatureList } from '../../core/block/signature-set.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import type { ForwardLink, PartialBlockProof } from '../../core/chain/block-proof.ts';
import { type Checkpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import type { LinkOptions } from '../../core/chain/link.ts';
import { trustError } from '../../core/chain/shared-checks.ts';
import { type BlockWalk, verifyBlockProof } from '../../core/chain/walk.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { isStale, stakesEnd } from '../../core/verify/set-check.ts';
import { Tasks } from '../async/tasks.ts';
import { type ClimbAction, type ClimbEvent, startClimb, stepClimb } from '../machine/climb.ts';
import { codeOfUnreadable, effectOf } from '../machine/outcome.ts';
import { liteHint } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { Answered, LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { keyBlockOf } from './way.ts';

export type TrustStart = Checkpoint | BlockIdExt | BlockWalk;

/** What one server sent. */
export interface Leg {
  readonly client: LiteServerClient;
  readonly tl: Uint8Array;
  readonly links: number;
}

/** An answer on the way up, and what it proves of the block that it ends at. */
interface ClimbStep {
  readonly walk: BlockWalk;
  /** Header, signatures and report of `walk.tip`. */
  readonly header: ProvenHeader;
  readonly signatures: SignatureList;
  readonly report: VerificationReport;
  /** The Merkle proof of the header. */
  readonly destProof: Uint8Array;
  /** The key block whose set signs what follows the start. An attacker with its old keys could have made all of it. */
  readonly base: Checkpoint;
}

/** Where a climb stands: at a block that is proven by its own signatures. Its base is that of the whole climb. */
export interface Climb extends ClimbStep {
  /** The last answer. */
  readonly leg: Leg;
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
  const what = code === 'source/malformed' ? 'that is not valid' : 'in a form that is not known';
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

/** A server's failure is told; a stop by the caller, or a fault of this program, ends everything. */
export function requireServerFault(error: unknown): asserts error is SourceError {
  if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
}

/**
 * What an answer proves. Its server pays nothing for links and blocks that hold.
 * @throws SourceError where it does not hold: the server is out, or rests where the form of its answer is not known
 */
export function provenBy<T>(
  fleet: Fleet,
  client: LiteServerClient,
  operation: string,
  { tl, links = 1 }: { readonly tl: Uint8Array; readonly links?: number },
  prove: () => T,
): T {
  try {
    const held = prove();
    fleet.proved(client, tl, links);
    return held;
  } catch (cause) {
    if (!isBrokenProof(cause)) throw cause;
    const error = brokenProof(client, operation, tl, cause);
    if (effectOf(error) === 'out') fleet.expel(client, error);
    else fleet.rest(client, error);
    throw error;
  }
}

/**
 * Every link of an answer leads forward, to no block behind the target. A block that is pinned and no key block is the one
 * exception: the way from it begins with a link back to the key block that rules there.
 */
function requireBelow({ links }: PartialBlockProof, target: BlockIdExt, isPinned: boolean): void {
  for (const [at, { kind, to }] of links.entries()) {
    const path = `proof.links[${at}]`;
    if (kind === 'back' && !(isPinned && at === 0)) {
      throw trustError('trust/incomplete', `a link back to block ${to.seqno}, expected a link forward`, path);
    }
    if (to.seqno > target.seqno) {
      throw trustError('trust/incomplete', `block ${to.seqno} is past block ${target.seqno}, the target`, path);
    }
  }
}

/**
 * Walks one answer towards a target, by the rules of a climb: beside those of a walk, every answer leads onward, and stops short only at
 * a key block.
 * @throws TrustError, DecodeError, ValidatorSetError for an answer that does not hold
 */
export function walkTowards(
  from: TrustStart,
  { tl, claimed }: Answered<PartialBlockProof>,
  target: BlockIdExt,
  opts: LinkOptions,
): ClimbStep & { readonly isThere: boolean } {
  const { links, complete, to } = claimed;
  requireBelow(claimed, target, !('tip' in from) && !('keyBlock' in from));
  const isThere = complete || to.seqno === target.seqno;
  const walk = verifyBlockProof(tl, from, { ...opts, ...(isThere ? { expect: target } : {}) });
  const { tip, tipHeader: header, reports } = walk;
  const [link, report] = [links.at(-1), reports.at(-1)];
  if (tip.seqno <= blockOf(from).seqno || link?.kind !== 'forward' || header === undefined || report === undefined) {
    throw trustError('trust/incomplete', `the answer makes no progress: it ends at block ${tip.seqno}`, 'proof.to');
  }
  if (!isThere && !header.keyBlock) {
    throw trustError(
      'trust/incomplete',
      `the answer stops at block ${tip.seqno}, which is not a key block`,
      'proof.to',
    );
  }
  const isCheckpoint = !('tip' in from) && 'keyBlock' in from;
  const base = isCheckpoint ? from : keyBlockOf(links.find(({ kind }) => kind === 'forward') as ForwardLink); // the last is one
  return { walk, header, report, signatures: link.signatures.set, destProof: link.destProof, base, isThere };
}

/** Unix seconds from which the stakes of a base's set are free again. */
export function stakesEndOf(base: Checkpoint): number {
  return stakesEnd(validatorSetAt(base));
}

/** Whether the set of a base is past its stakes. */
export function isBaseStale(base: Checkpoint, nowSeconds: number | undefined): boolean {
  return isStale(validatorSetAt(base), nowSeconds);
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
  const { engine, nowSeconds, namedBy, mayWait: serverMayWait = false, isAlone = false } = opts;
  const { deadlineMs = QUESTION_DEADLINE_MS } = opts;
  const statements = new Map<LiteServerClient, SourceError>();
  const tasks = new Tasks<ClimbEvent>(opts.signal);
  const proofs = new Map<number, Answered<PartialBlockProof>>();
  let current = start;
  let climbed: Climb | undefined;

  async function ask(id: number, client: LiteServerClient, from: BlockIdExt, signal: Signal): Promise<ClimbEvent> {
    const question = { serverMayWait, deadlineMs, retries: isAlone ? 0 : 1, signal };
    const answered = await fleet.ask(client, (one) => one.blockProof(from, target, question));
    // What was cancelled is not kept: a server whose answers are short could else fill the memory with those that follow.
    if (tasks.isOpen(id)) proofs.set(id, answered);
    const { complete, to, links } = answered.claimed;
    return { kind: 'answered', id, complete, to, links: links.length };
  }

  /** The server does not rest for another answer: the block may be an invention. */
  async function lookUp(id: number, client: LiteServerClient, signal: Signal): Promise<ClimbEvent> {
    const question = { retries: 0, deadlineMs: QUESTION_DEADLINE_MS, signal };
    const { id: block } = await fleet.query(client, (one) => one.lookup(target.seqno, question));
    if (tasks.isOpen(id) && differingField(block, target) !== undefined) {
      const words = `${client.name}: the server names a different block ${target.seqno}`;
      statements.set(client, new SourceError('source/wrong-block', words));
    }
    return { kind: 'named', id, block };
  }

  function verify(id: number, client: LiteServerClient): ClimbEvent {
    const answered = proofs.get(id)!; // verified because it came
    proofs.delete(id);
    const leg = { client, tl: answered.tl, links: answered.claimed.links.length };
    try {
      const walk = () => walkTowards(current, answered, target, present({ engine, nowSeconds }));
      const { isThere, ...step } = provenBy(fleet, client, 'getBlockProof', leg, walk);
      climbed = { ...step, base: climbed?.base ?? step.base, leg };
      current = step.walk;
      return { kind: 'held', tip: step.walk.tip, isThere };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      statements.set(client, error);
      return { kind: 'false' };
    }
  }

  function noWay(): unknown {
    if (isAlone) return statements.get(namedBy) ?? fleet.lastErrorOf(namedBy);
    const told = fleet.clients.flatMap((client) => {
      const error = statements.get(client) ?? fleet.lastErrorOf(client);
      return error === undefined ? [] : [{ source: client.name, error }];
    });
    const words = `no lite server leads from block ${blockOf(current).seqno} to block ${target.seqno}`;
    return noAgreement(words, told, fleet.clients.length - told.length);
  }

  async function perform(action: ClimbAction<LiteServerClient>, links: number): Promise<Climb | undefined> {
    if (action.kind === 'ask' || action.kind === 'lookup') {
      const { id, server } = action;
      const work = (signal: Signal) =>
        action.kind === 'ask' ? ask(id, server, action.from, signal) : lookUp(id, server, signal);
      tasks.begin(id, work, (error) => {
        statements.set(server, error);
        return { kind: 'failed', id };
      });
    } else if (action.kind === 'cancel') {
      tasks.cancel(action.id);
      proofs.delete(action.id);
    } else if (action.kind === 'verify') {
      if (!tasks.isIdle) await beforeNextTask(); // the next question has to be on its way before this thread is busy
      tasks.put(verify(action.id, action.server));
    } else if (action.kind === 'report') {
      await opts.onStep?.(climbed!); // there is one that holds
      tasks.put({ kind: 'reported' });
    } else if (action.how === 'there') return climbed;
    else if (action.how === 'no-way') throw noWay();
    else if (action.how === 'too-short') {
      throw new SourceError(
        'source/not-ready',
        `${namedBy.name}: the answers of the server are too short to reach block ${target.seqno}`,
      );
    } else {
      throw new SourceError('source/too-large', `${links} links and block ${target.seqno} is not reached`, {
        hint: 'start from a newer block, for example from the checkpoint that was saved',
      });
    }
    return undefined;
  }

  return await tasks.run(
    startClimb({ from: blockOf(start), target, namedBy, isAlone }),
    { kind: 'begin' },
    (state, event) => stepClimb(state, event, { usable: fleet.usable(), kept: fleet.kept() }),
    (action, { links }) => perform(action, links),
  );
}
