/**
 * Asks other servers for their block at the number of a proven one. A server that names a different block is asked to
 * prove it, from the newest key block that its chain may share with ours. Only a proof that does not hold shows a lie;
 * a proof that holds shows two histories.
 */

import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../core/block/block-id.ts';
import type { PartialBlockProof } from '../../core/chain/block-proof.ts';
import type { LinkOptions } from '../../core/chain/link.ts';
import { type BlockWalk, verifyBlockProof } from '../../core/chain/walk.ts';
import { onAbort } from '../async/on-abort.ts';
import { sleepUnlessStopped, startTimer } from '../async/timer.ts';
import { opinionOfFailure } from '../machine/agreement.ts';
import {
  type ContradictionEvent,
  type NoAnswer,
  startContradiction,
  stepContradiction,
} from '../machine/contradiction.ts';
import { lacksBlock, OUTCOMES, outcomeOf } from '../machine/outcome.ts';
import { failureOf } from '../sources/failure-hints.ts';
import { FORK_HINT, ForkError, type ForkEvidence } from '../sources/fork-error.ts';
import { saidBy } from '../sources/no-agreement.ts';
import { joinReports, NOTHING_SAID, reportOf, type WitnessReport } from '../sources/witness-report.ts';
import type { Answered, LiteServerClient } from './client.ts';
import { isBaseStale, isBrokenProof, provenBy, requireServerFault, walkTowards } from './climb.ts';
import type { Fleet } from './fleet.ts';
import { forkEvidence } from './fork-evidence.ts';
import { askHeads, requireClock } from './heads.ts';
import { type Hop, hopsOf, keyBlockOf, keyBlocksBelow, parting, proofOf, readHop, type Way } from './key-block-way.ts';

export { ForkError, joinReports, type WitnessReport };

/** Milliseconds for a server that named a different block in an earlier comparison of this run, and did not prove it. */
const OPEN_AGAIN_MS = 5_000;

/** How servers are compared. Without a clock, no set counts as stale. */
export interface WitnessOptions extends Pick<LinkOptions, 'engine'> {
  /** Returns the time in Unix seconds. Read when two histories are judged: the machine may have slept in the comparison. */
  readonly clock?: () => number;
  readonly signal?: Signal;
  /**
   * Returns whether the way begins with a set whose validators can have withdrawn their stakes by now. Such a set can
   * sign two histories.
   */
  readonly isBaseStale?: () => boolean;
  /** Milliseconds in which a server has to name its block. Default 10 s. */
  readonly deadlineMs?: number;
  /** How often a server that fails to name its block is asked again. Default 1. */
  readonly retries?: number;
  /** Called when a server names a different block, before it is asked to prove that block. */
  readonly onOther?: () => void;
  /**
   * Servers that named a different block in an earlier comparison of this run and did not prove it. They have less time,
   * and count the same again after it: a liar could otherwise hold up each comparison until the head is old. Default
   * none.
   */
  readonly open?: readonly SourceStatement[];
}

/** The block that other servers are compared with. */
export interface Compared {
  readonly tip: BlockIdExt;
  /** The way that leads to the block. */
  readonly way: Way;
  /** The server that proved the block, or named it first. It does not count as a witness. */
  readonly prover?: LiteServerClient;
}

/** A block of ours that hashes prove, and whose own signatures are being requested. */
export interface HashedBlock {
  readonly id: BlockIdExt;
  /** Returns the way to the block, as far as servers give it in a short time. */
  readonly wayTo: () => Promise<Way>;
}

function askOptions(signal: Signal | undefined, retries: number) {
  return { deadlineMs: QUESTION_DEADLINE_MS, serverMayWait: true, retries, ...present({ signal }) };
}

type WholeHop = Hop & { readonly link: Uint8Array };
const isWhole = (hop: Hop | undefined): hop is WholeHop => hop?.link !== undefined;

/** Returns a hop of our own way with its link; a link that was dropped is requested again. */
async function wholeHop(fleet: Fleet, hop: Hop, { engine, signal }: WitnessOptions): Promise<WholeHop | undefined> {
  if (isWhole(hop)) return hop;
  const { from, to } = hop;
  for (const client of fleet.usable()) {
    try {
      const { tl } = await fleet.ask(client, (one) => one.blockProof(from, to, askOptions(signal, 1)));
      verifyBlockProof(tl, from, present({ engine })); // below, the first hop has to end at `to`
      const [again] = hopsOf({ client, tl });
      if (isWhole(again) && differingField(again.to, to) === undefined) return again;
    } catch (error) {
      if (!isBrokenProof(error)) requireServerFault(error);
    }
  }
  return undefined;
}

/**
 * Judges two histories: a fork where the validators of the set that signed both still have stakes, else a case of old
 * keys.
 * @returns evidence of old keys; `undefined` where one side can no longer be shown
 * @param parted two verified hops from one key block to blocks that contradict each other
 * @param isSigned whether servers can have the signatures of our side; without, hashes prove its block
 * @throws ForkError; a SourceError of the same code where one side cannot be shown; SourceError `source/clock` where
 * servers contradict the clock by which keys are old
 */
export async function judgeParting(
  fleet: Fleet,
  [ours, theirs]: readonly [Hop, Hop],
  opts: WitnessOptions,
  isSigned = true,
): Promise<ForkEvidence | undefined> {
  const own = isSigned ? await wholeHop(fleet, ours, opts) : undefined;
  const other = isWhole(theirs) ? theirs : undefined; // a long way has dropped its first links
  const known = other ?? own;
  const start = known && keyBlockOf(readHop(known));
  const { clock, signal } = opts;
  const looksOld = () => start !== undefined && isBaseStale(start, clock?.());
  let isOld = looksOld();
  if (isOld) {
    // A clock that is set ahead makes keys look old. Servers may not answer, and it may be set right meanwhile.
    requireClock((await askHeads(fleet, signal, clock!).catch(requireServerFault)) ?? []);
    isOld = looksOld();
  }
  const statements = [ours, theirs].map(({ source, to }) => ({ source, key: formatBlockId(to) }));
  const message = `two certified blocks ${Math.min(ours.to.seqno, theirs.to.seqno)} after key block ${ours.from.seqno}: ${saidBy(statements)}`;
  if (own === undefined || other === undefined) {
    if (isOld) return undefined;
    throw new SourceError('source/disagree', message, { statements, hint: FORK_HINT });
  }
  const sides = [own, other].map((hop, at) => ({ ...statements[at]!, source: hop.source, body: proofOf(hop) }));
  const evidence = forkEvidence(start!, [sides[0]!, sides[1]!]); // there are two
  if (isOld) return evidence;
  throw new ForkError(message, evidence, sides);
}

/**
 * Judges two ways that this run has proven itself. @returns `forked` where they part
 * @throws ForkError; a SourceError of the same code where one side cannot be shown
 */
export async function judgeStray(fleet: Fleet, way: Way, stray: Way, opts: WitnessOptions): Promise<WitnessReport> {
  const parted = parting(way, stray);
  if (parted === undefined) return NOTHING_SAID;
  const { source, to } = parted[1];
  return reportOf('forked', { source, key: formatBlockId(to) }, await judgeParting(fleet, parted, opts));
}

function whyNone({ code }: SourceError): NoAnswer {
  if (lacksBlock(code)) return 'unknown-block';
  return OUTCOMES[code] === 'busy' ? 'busy' : 'failed';
}

/**
 * Asks a server to prove the different block that it names, from our newest key block below. If the server does not
 * know that key block, the questions start from earlier ones, down to the root. All of ours are proven, so the first
 * proof that holds proves the block from the root.
 * @param compared our way, and our block at the number of the other one if hashes prove ours
 * @throws ForkError when the server proves its block with a set whose validators still have stakes
 */
export async function confront(
  fleet: Fleet,
  client: LiteServerClient,
  { way, hashed }: Pick<Compared, 'way'> & { readonly hashed?: HashedBlock },
  other: BlockIdExt,
  opts: WitnessOptions,
): Promise<WitnessReport> {
  const { engine, signal } = opts;
  const key = formatBlockId(other);
  let theirs: Hop[];
  let trusted: BlockIdExt | BlockWalk | undefined;
  let last: SourceError | undefined;
  let parted: readonly [Hop, Hop] | undefined;
  let isSigned = true;
  let answered: Answered<PartialBlockProof> | undefined;

  // The server named the block. Once it has waited for that block, waiting again shows nothing new about our own
  // blocks.
  let serverMayWait = true;
  const askedAtMs = performance.now();
  const forMs = () => performance.now() - askedAtMs;

  async function ask(from: BlockIdExt): Promise<ContradictionEvent> {
    try {
      const question = { ...askOptions(signal, 0), serverMayWait };
      answered = await fleet.ask(client, (one) => one.blockProof(from, other, question));
      return { kind: 'answered', bytes: answered.tl.length };
    } catch (error) {
      requireServerFault(error);
      last = error;
      serverMayWait &&= !lacksBlock(error.code);
      return { kind: 'failed', why: whyNone(error), forMs: forMs() };
    }
  }

  /** Both blocks of this number are proven, so the two ways part: at signatures of both, or at hashes of ours. */
  async function partedAt({ id: to, wayTo }: HashedBlock, last: Hop): Promise<readonly [Hop, Hop]> {
    const found = parting(await wayTo(), theirs);
    isSigned = found !== undefined;
    const { source } = way.at(-1)!; // the proof of a block after ours
    return found ?? [{ ...last, to, source }, last]; // without signatures of ours, no link is shown
  }

  async function verify(from: BlockIdExt | BlockWalk, proof: Answered<PartialBlockProof>): Promise<ContradictionEvent> {
    const startMs = performance.now();
    const answer = { tl: proof.tl, links: proof.claimed.links.length };
    try {
      const walked = () => walkTowards(from, proof, other, present({ engine }));
      const { walk } = provenBy(fleet, client, 'getBlockProof', answer, walked);
      const cpuMs = performance.now() - startMs;
      theirs.push(...hopsOf({ client, tl: proof.tl }));
      parted = parting(way, theirs);
      const last = theirs.at(-1)!; // an answer that holds has a link forward
      if (parted === undefined && hashed !== undefined && last.to.seqno === hashed.id.seqno)
        parted = await partedAt(hashed, last);
      trusted = walk;
      return { kind: 'held', tip: walk.tip, isApart: parted !== undefined, cpuMs };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      last = error;
      return outcomeOf(error) === 'false' ? { kind: 'false' } : { kind: 'failed', why: 'failed', forMs: forMs() };
    }
  }

  let state = startContradiction(other, keyBlocksBelow(way, other.seqno));
  let event: ContradictionEvent = { kind: 'begin' };
  for (;;) {
    const [after, action] = stepContradiction(state, event);
    state = after;
    if (action.kind === 'ask') {
      if (action.isStart) {
        trusted = action.from;
        theirs = [];
      }
      event = await ask(action.from);
    } else if (action.kind === 'verify') {
      event = await verify(trusted!, answered!); // `verify` follows a question and its answer
    } else if (action.kind === 'wait') {
      await sleepUnlessStopped(action.ms, signal);
      event = { kind: 'waited' };
    } else if (action.how === 'open') {
      return reportOf('contradicts', { source: client.name, key, ...present({ error: last }) });
    } else if (action.how === 'refuted') {
      return reportOf('refuted', { source: client.name, key, error: last, body: answered!.tl });
    } else {
      const evidence = await judgeParting(fleet, parted!, opts, isSigned);
      const body = answered!.tl;
      if (opts.isBaseStale?.() !== true) {
        const words = `the server proves block ${key} with validators that can have withdrawn their stakes`;
        fleet.expel(client, failureOf(client.name, 'source/disagree', words, { body }));
      }
      return reportOf('forked', { source: client.name, key, body }, evidence);
    }
  }
}

/**
 * Asks one server. @throws ForkError when a different block of this number is certified too, by a set whose validators
 * still have stakes
 */
export async function askWitness(
  fleet: Fleet,
  client: LiteServerClient,
  compared: Compared,
  opts: WitnessOptions,
): Promise<WitnessReport> {
  const { tip } = compared;
  const { signal, deadlineMs, retries = 1 } = opts;
  let id: BlockIdExt;
  try {
    const question = { ...askOptions(signal, retries), ...present({ deadlineMs }) };
    id = (await fleet.ask(client, (one) => one.lookup(tip.seqno, question))).id;
  } catch (error) {
    requireServerFault(error);
    return reportOf(opinionOfFailure(error.code), { source: client.name, error });
  }
  if (differingField(id, tip) === undefined) return reportOf('agreed', { source: client.name });
  opts.onOther?.();
  return await confront(fleet, client, compared, id, opts);
}

/**
 * Asks all servers that are not out at the same time, except the one that gave the proof. @throws ForkError when a
 * different block of this number is certified too, by a set whose validators still have stakes
 */
export async function askWitnesses(fleet: Fleet, compared: Compared, opts: WitnessOptions): Promise<WitnessReport> {
  const stop = new AbortController();
  const forget = onAbort(opts.signal, () => stop.abort());
  const others = fleet.kept().filter((client) => client !== compared.prover);
  const ask = async (client: LiteServerClient) => {
    const question = (signal: Signal) => askWitness(fleet, client, compared, { ...opts, signal });
    const before = opts.open?.find(({ source }) => source === client.name);
    if (before === undefined) return await question(stop.signal);
    const timer = startTimer(OPEN_AGAIN_MS, stop.signal);
    try {
      return await question(timer.signal);
    } catch (error) {
      if (!timer.expired) throw error;
      return reportOf('contradicts', before);
    } finally {
      timer.close();
    }
  };
  try {
    return joinReports(await Promise.all(others.map(ask)));
  } finally {
    stop.abort(); // a fork ends the comparison
    forget();
  }
}
