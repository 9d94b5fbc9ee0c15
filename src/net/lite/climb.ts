/**
 * Climbs from a trusted block to a later one, answer by answer, over all servers whose proofs hold. While one answer is
 * verified, the next one is requested.
 */

import { DecodeError, type FinalityError, SourceError, TrustError, ValidatorSetError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import type { ProvenHeader } from '../../core/chain/block-header.ts';
import type { ForwardLink, PartialBlockProof } from '../../core/chain/block-proof.ts';
import { type Checkpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import type { LinkOptions } from '../../core/chain/link.ts';
import { trustError } from '../../core/chain/shared-checks.ts';
import { type BlockWalk, verifyBlockProof } from '../../core/chain/walk.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { isStale, stakesEnd } from '../../core/verify/set-check.ts';
import { Tasks } from '../async/tasks.ts';
import { sleepUnlessStopped } from '../async/timer.ts';
import { type ClimbAction, type ClimbEvent, startClimb, stepClimb } from '../machine/climb.ts';
import { codeOfUnreadable, effectOf, isA, lacksBlock } from '../machine/outcome.ts';
import { failureOf } from '../sources/failure-hints.ts';
import { noAgreement } from '../sources/no-agreement.ts';
import type { Answered, LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { keyBlockOf } from './key-block-way.ts';

export type TrustStart = Checkpoint | BlockIdExt | BlockWalk;

/** The answer of one server. */
export interface Leg {
  readonly client: LiteServerClient;
  readonly tl: Uint8Array;
  readonly links: number;
}

/** The state of a climb, at a block that is proven by its own signatures. */
export interface Climb {
  readonly walk: BlockWalk;
  /** The header, signatures and report of `walk.tip`. */
  readonly header: ProvenHeader;
  readonly signatures: SignatureList;
  readonly report: VerificationReport;
  /** The Merkle proof of the header. */
  readonly destProof: Uint8Array;
  /**
   * The key block whose set signs the links after the start. An attacker with its old keys could have made all of them.
   */
  readonly base: Checkpoint;
  /** The last answer. */
  readonly leg: Leg;
}

/**
 * Servers that were silent, under `PROOF` when they were asked for a proof, and under `LOOKUP` for the id of a block.
 * Under the number of a block: servers that lack it.
 */
export type SilentServers = Map<string, ReadonlySet<LiteServerClient>>;
const PROOF = 'proof';
const LOOKUP = 'lookup';

export interface ClimbOptions extends LinkOptions {
  readonly signal?: Signal;
  /**
   * The server that named the target; it is asked first. Another server is asked for the way there only after it named
   * the same block. A server that does not know the block does not rest, because the block may be made up.
   */
  readonly namedBy: LiteServerClient;
  /** Whether no other server is asked. Default false. */
  readonly isAlone?: boolean;
  /**
   * Servers that were silent, or lacked the target, when an earlier climb asked them the same. They are not asked again,
   * and those of this climb are added: each would be waited for in every climb. Default none.
   */
  readonly silent?: SilentServers;
  /** Receives the servers that do not know the block that the climb has led to. */
  readonly unknownTo?: Set<LiteServerClient>;
  /** Milliseconds for one answer. Default 10 s. */
  readonly deadlineMs?: number;
  /** Whether the server may wait some seconds for the target. Default false. */
  readonly mayWait?: boolean;
  /** Called after each answer that holds; the climb waits for it. */
  readonly onStep?: (climb: Climb) => void | Promise<void>;
}

/** Returns the block that is trusted at the start. */
export function blockOf(start: TrustStart): BlockIdExt {
  if ('tip' in start) return start.tip;
  return 'keyBlock' in start ? start.keyBlock : start;
}

/** Returns the error of a server whose proof does not hold; its cause is the broken rule. */
export function brokenProof(
  client: LiteServerClient,
  operation: string,
  tl: Uint8Array,
  cause: FinalityError,
): SourceError {
  const code = codeOfUnreadable(cause);
  const what = code === 'source/malformed' ? 'that is not valid' : 'in a form that is not known';
  const more = { body: tl, cause, ...present({ hint: cause.hint }) };
  return failureOf(client.name, code, `${operation}: a proof ${what}: ${cause.message}`, more);
}

/**
 * Whether an error reports that a proof does not hold. Any other error is a defect of the program, or a mistake of the
 * caller.
 */
export function isBrokenProof(error: unknown): error is FinalityError {
  return error instanceof TrustError || error instanceof DecodeError || error instanceof ValidatorSetError;
}

/**
 * Requires a server's failure, which does not end the climb. A stop by the caller, or a defect of this program, is
 * thrown.
 */
export function requireServerFault(error: unknown): asserts error is SourceError {
  if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
}

/**
 * Returns what an answer proves. Links and blocks that hold do not count against the server's budget. @throws
 * SourceError where the answer does not hold: the server is out, or rests where the form of its answer is unknown
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
 * Checks that every link of an answer leads forward, to no block after the target. There is one exception: the way from
 * a pinned block that is not a key block begins with a link back to the key block in force there.
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
 * Walks one answer towards a target, by the rules of a climb. In addition to the rules of a walk, every answer must
 * lead further, and may end before the target only at a key block. @throws TrustError, DecodeError, ValidatorSetError
 * for an answer that does not hold
 */
export function walkTowards(
  from: TrustStart,
  { tl, claimed }: Answered<PartialBlockProof>,
  target: BlockIdExt,
  opts: LinkOptions,
): Omit<Climb, 'leg' | 'base'> & { readonly isThere: boolean } {
  const { links, complete, to } = claimed;
  requireBelow(claimed, target, !('tip' in from) && !('keyBlock' in from));
  const isThere = complete || to.seqno === target.seqno;
  const walk = verifyBlockProof(tl, from, { ...opts, ...(isThere ? { expect: target } : {}) });
  const { tip, tipHeader: header, reports } = walk;
  const [link, report] = [links.at(-1), reports.at(-1)];
  if (tip.seqno <= blockOf(from).seqno || link?.kind !== 'forward' || header === undefined || report === undefined) {
    throw trustError('trust/incomplete', `no progress: it ends at block ${tip.seqno}`, 'proof.to');
  }
  if (!isThere && !header.keyBlock) {
    const words = `the answer stops at block ${tip.seqno}, no key block`;
    throw trustError('trust/incomplete', words, 'proof.to');
  }
  return { walk, header, report, signatures: link.signatures.list, destProof: link.destProof, isThere };
}

/** Returns the key block whose set signs the links of an answer that `walkTowards` verified. */
export function baseOf(from: TrustStart, { links }: PartialBlockProof): Checkpoint {
  if (!('tip' in from) && 'keyBlock' in from) return from;
  return keyBlockOf(links.find(({ kind }) => kind === 'forward') as ForwardLink); // there is at least one forward link
}

/** Returns the time in Unix seconds from which the validators of a base can withdraw their stakes. */
export function stakesEndOf(base: Checkpoint): number {
  return stakesEnd(validatorSetAt(base));
}

/** Whether the validators of a base can have withdrawn their stakes. */
export function isBaseStale(base: Checkpoint, nowSeconds: number | undefined): boolean {
  return isStale(validatorSetAt(base), nowSeconds);
}

/**
 * Returns the block that trust continues from after a climb: the tip if it is a key block, else the key block in force
 * there.
 */
export function goOnFrom(walk: BlockWalk): TrustStart {
  return walk.tipHeader?.keyBlock === true ? walk : walk.checkpoint;
}

/**
 * Climbs to a block.
 * @param target the block to reach, after the start; it need not exist
 * @returns the climb that ends at exactly this block
 * @throws SourceError when no server gives a proof that holds; `statements` has the reason of each
 */
export async function climb(fleet: Fleet, start: TrustStart, target: BlockIdExt, opts: ClimbOptions): Promise<Climb> {
  const { engine, nowSeconds, namedBy, mayWait: serverMayWait = false, isAlone = false, silent = new Map() } = opts;
  const { deadlineMs = QUESTION_DEADLINE_MS, unknownTo = new Set() } = opts;
  unknownTo.clear();
  const statements = new Map<LiteServerClient, SourceError>();
  const tasks = new Tasks<ClimbEvent>(opts.signal);
  const proofs = new Map<number, Answered<PartialBlockProof>>();
  const targetNumber = String(target.seqno);
  const silentWhere = (...what: string[]) => new Set(what.flatMap((one) => [...(silent.get(one) ?? [])]));
  let current = start;
  let climbed: Climb | undefined;

  async function ask(id: number, client: LiteServerClient, from: BlockIdExt, signal: Signal): Promise<ClimbEvent> {
    const question = { serverMayWait, deadlineMs, retries: isAlone ? 0 : 1, signal };
    const answered = await fleet.ask(client, (one) => one.blockProof(from, target, question));
    // Answers of cancelled questions are dropped, because a server with short answers could otherwise fill the memory.
    if (tasks.isOpen(id)) proofs.set(id, answered);
    const { complete, to, links } = answered.claimed;
    return { kind: 'answered', id, complete, to, links: links.length };
  }

  /**
   * Asks a server for its block at the target's number. A server with a different answer does not rest, because the
   * target may be made up. A server that is silent does.
   */
  async function lookUp(id: number, client: LiteServerClient, signal: Signal): Promise<ClimbEvent> {
    const question = { retries: 0, deadlineMs: QUESTION_DEADLINE_MS, signal };
    const lookup = fleet.query(client, (one) => one.lookup(target.seqno, question));
    const { id: block } = await lookup.catch((error: unknown) => {
      if (error instanceof SourceError && isA(error.code, 'silence')) fleet.rest(client, error);
      throw error;
    });
    if (tasks.isOpen(id) && differingField(block, target) !== undefined) {
      const words = `${client.name}: the server names a different block ${target.seqno}`;
      statements.set(client, new SourceError('source/wrong-block', words));
    }
    return { kind: 'named', id, block };
  }

  function verify(id: number, client: LiteServerClient): ClimbEvent {
    const answered = proofs.get(id)!; // `verify` follows an answer only
    proofs.delete(id);
    const leg = { client, tl: answered.tl, links: answered.claimed.links.length };
    try {
      const walk = () => ({
        ...walkTowards(current, answered, target, present({ engine, nowSeconds })),
        base: climbed?.base ?? baseOf(start, answered.claimed),
      });
      const { isThere, ...step } = provenBy(fleet, client, 'getBlockProof', leg, walk);
      climbed = { ...step, leg };
      current = step.walk;
      unknownTo.clear();
      return { kind: 'held', tip: step.walk.tip, isThere };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      statements.set(client, error);
      return { kind: 'false' };
    }
  }

  function noWay(): unknown {
    if (isAlone) return statements.get(namedBy) ?? fleet.lastErrorOf(namedBy);
    // The server that named the target says most about it.
    const told = [...new Set([namedBy, ...fleet.servers])].flatMap((client) => {
      const error = statements.get(client) ?? fleet.lastErrorOf(client);
      return error === undefined ? [] : [{ source: client.name, error }];
    });
    const words = `no lite server leads from block ${blockOf(current).seqno} to block ${target.seqno}`;
    return noAgreement(words, told, fleet.servers.length - told.length);
  }

  async function perform(action: ClimbAction<LiteServerClient>, links: number): Promise<Climb | undefined> {
    if (action.kind === 'ask' || action.kind === 'lookup') {
      const { id, server } = action;
      const work = (signal: Signal) =>
        action.kind === 'ask' ? ask(id, server, action.from, signal) : lookUp(id, server, signal);
      tasks.begin(id, work, (error) => {
        statements.set(server, error);
        const isUnknown = lacksBlock(error.code);
        // Another server may have pruned the block.
        const isOther = error.code === 'source/other-chain' || (isUnknown && server === namedBy);
        if (isOther && action.kind === 'ask') unknownTo.add(server);
        const isSilent = isA(error.code, 'silence');
        const what = action.kind === 'ask' ? PROOF : isUnknown ? targetNumber : LOOKUP;
        if (what === targetNumber || isSilent) silent.set(what, silentWhere(what).add(server));
        return { kind: 'failed', id, isSilent };
      });
    } else if (action.kind === 'cancel') {
      tasks.cancel(action.id);
      proofs.delete(action.id);
    } else if (action.kind === 'verify') {
      if (!tasks.isIdle) await sleepUnlessStopped(0, opts.signal); // sends the next question before this thread is busy
      const event = verify(action.id, action.server);
      tasks.put(event);
      if (event.kind === 'held') await opts.onStep?.(climbed!); // set where an answer holds
    } else if (action.how === 'there') return climbed;
    else if (action.how === 'no-way') throw noWay();
    else if (action.how === 'too-short') {
      const words = `${namedBy.name}: its answers are too short to reach block ${target.seqno}`;
      throw new SourceError('source/not-ready', words);
    } else {
      throw new SourceError('source/too-large', `${links} links and block ${target.seqno} is not reached`, {
        hint: 'start from a newer block or the saved checkpoint',
      });
    }
    return undefined;
  }

  return await tasks.run(
    startClimb({
      from: blockOf(start),
      target,
      namedBy,
      isAlone,
      silent: silentWhere(PROOF),
      withoutId: silentWhere(LOOKUP, targetNumber),
    }),
    { kind: 'begin' },
    (state, event) => stepClimb(state, event, { usable: fleet.usable(), kept: fleet.kept() }),
    (action, { links }) => perform(action, links),
  );
}
