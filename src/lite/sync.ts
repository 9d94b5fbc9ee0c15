/**
 * From a pinned block to today's head, with no server believed: what is proven, how old it is, and what other servers say
 * of it. Interrupted anywhere, it goes on from the last key block that was proven.
 */

import { badArgument, requireInteger, requireOptions } from '../base/arguments.ts';
import { SourceError, UsageError } from '../base/errors.ts';
import {
  MAX_CLOCK_SKEW_SECONDS,
  MAX_HEAD_AGE_SECONDS,
  MAX_SEQNO,
  RETRY_BASE_MS,
  STALE_START_WITNESSES,
} from '../base/limits.ts';
import { present } from '../base/present.ts';
import type { Signal } from '../base/runtime-types.ts';
import { type ProvenHeader, provenHeader } from '../chain/block-header.ts';
import { parsePartialBlockProof } from '../chain/block-proof.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import { type KeyBlock, keyBlocksOf } from '../chain/key-blocks.ts';
import type { BlockWalk } from '../chain/walk.ts';
import { type BlockIdExt, differingField } from '../decode/block-id.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import { chooseOneOffEngine } from '../ed25519/choose.ts';
import type { Ed25519Engine } from '../ed25519/engine.ts';
import { noAgreement } from '../sources/attribution.ts';
import { sleep } from '../sources/timer.ts';
import { withAcceptedStart, withStaleStart } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { LiteServerClient } from './client.ts';
import { blockOf, type Climb, climb, type Leg, type TrustStart } from './climb.ts';
import { Fleet } from './fleet.ts';
import { askHeads, chooseTarget, clockError, requireClock } from './heads.ts';
import { askWitnesses, type WitnessReport } from './witnesses.ts';

/** How far a synchronisation has come. Everything in it is proven. */
export interface SyncProgress {
  /** Where a later run can go on, together with `startIsStale`. */
  readonly checkpoint: Checkpoint;
  /** Those that the last answer led over, in order; the last one may be `tip`. */
  readonly keyBlocks: readonly KeyBlock[];
  /** The newest block proven so far, and the one that is gone for. */
  readonly tip: BlockIdExt;
  readonly target: BlockIdExt;
  readonly startIsStale: boolean;
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
  /** The server that gave the last answer. */
  readonly source: string;
}

/** Where the walk ends, who must agree on its end, and what is told on the way. */
export interface SyncOptions {
  /** Unix seconds. Default: this machine's clock, read whenever it matters. */
  readonly now?: () => number;
  /** Seqno of a later block to go to, in place of the head; its age is then not judged. Above that of the start. */
  readonly to?: number;
  /** How many servers beside the one that gave the proof must name the same head; fewer is an error. Default: none must, all are asked. */
  readonly witnesses?: number;
  /** Take a head for final though whoever has the old keys of the start could have made it. Default false. */
  readonly acceptStaleStart?: boolean;
  /** What an interrupted run said of its start, when this one goes on from its checkpoint. */
  readonly startWasStale?: boolean;
  /** Seconds after which a head is stale. Default 60. */
  readonly maxHeadAgeSeconds?: number;
  /** Called after each answer that holds; waited for. What it throws is thrown. */
  readonly onProgress?: (progress: SyncProgress) => void | Promise<void>;
  readonly engine?: Ed25519Engine;
  readonly signal?: Signal;
}

/** Where a synchronisation ended. */
export interface SyncResult {
  /**
   * final: the head is proven and fresh. stale-set: the start is older than its set's stakes, and too few servers beside
   * the first name the same head. stale-head: all servers are behind, or the network stands.
   */
  readonly verdict:
    | { readonly status: 'final' }
    | { readonly status: 'undecided'; readonly reason: 'stale-set' | 'stale-head' };
  /** Keep it only if the verdict is not stale-set: a start that must not be believed would be forgotten. */
  readonly checkpoint: Checkpoint;
  readonly tip: BlockIdExt;
  readonly tipHeader: ProvenHeader;
  /** Those of the head, for a policy of your own; absent where there is no report. */
  readonly signatures?: SignatureSet;
  /** That of the head; absent where the head is the very block that trust began at. */
  readonly report?: VerificationReport;
  readonly startIsStale: boolean;
  /** Seconds between the head and the clock when it was reached. */
  readonly headAgeSeconds: number;
  readonly witnesses: WitnessReport;
  readonly links: number;
  readonly answers: number;
  readonly bytes: number;
}

/** Times that another target is chosen because the one before could not be reached, or had become old. */
const MAX_ROUNDS = 4;
const NO_WITNESSES: WitnessReport = Object.freeze({ agreed: [], silent: [], refuted: [] });

const machineClock = () => Date.now() / 1000;

/** Totals over all climbs of a run. */
interface Sum {
  links: number;
  answers: number;
  bytes: number;
}

/** A block to go for, and who named it. */
export interface Target {
  readonly client: LiteServerClient;
  readonly block: BlockIdExt;
}

interface Reached {
  readonly walk: BlockWalk;
  readonly leg: Leg;
}

/** Where trust stands after a climb: at the tip where that is a key block, else at the key block that rules there. */
export function goOnFrom(walk: BlockWalk): TrustStart {
  return walk.tipHeader?.keyBlock === true ? walk : walk.checkpoint;
}

async function pause(ms: number, signal: Signal | undefined): Promise<void> {
  await sleep(ms, signal).catch(() => {
    throw new SourceError('source/aborted', 'the synchronisation was stopped by the caller');
  });
}

/** The signatures of the block that an answer ends at. */
function signaturesOf({ tl }: Leg): SignatureSet {
  const link = parsePartialBlockProof(tl).links.at(-1);
  if (link?.kind !== 'forward') throw new TypeError('an answer that ends without signatures');
  return link.signatures.set;
}

class Sync {
  readonly #fleet: Fleet;
  readonly #opts: SyncOptions;
  readonly #now: () => number;
  readonly #sum: Sum = { links: 0, answers: 0, bytes: 0 };
  #trusted: TrustStart;
  #startIsStale: boolean;
  #reached: Reached | undefined;

  constructor(servers: readonly LiteServerClient[], from: TrustStart, opts: SyncOptions) {
    this.#fleet = new Fleet(servers);
    this.#opts = opts;
    this.#now = opts.now ?? machineClock;
    this.#trusted = from;
    this.#startIsStale = opts.startWasStale ?? false;
  }

  async run(): Promise<SyncResult> {
    for (let round = 1; ; round++) {
      const target = await this.#target();
      const known = blockOf(this.#trusted);
      if (target.block.seqno <= (this.#reached?.walk.tip ?? known).seqno) return await this.#atHead(target);
      try {
        await this.#climbTo(target);
      } catch (error) {
        const mayHelp = error instanceof SourceError && !['source/aborted', 'source/too-large'].includes(error.code);
        if (!mayHelp || round >= MAX_ROUNDS || this.#fleet.usable().length === 0) throw error;
        this.#fleet.rest(target.client, error); // it named a block that nobody can prove
        await pause(RETRY_BASE_MS * round, this.#opts.signal);
        continue;
      }
      // A long way: by now there are newer blocks, and a head has to be fresh when it is told.
      if (round < MAX_ROUNDS && this.#age(this.#reached!.walk.tipHeader!) > this.#maxAge / 2) continue;
      return await this.#judge();
    }
  }

  async #target(): Promise<Target> {
    const { to, signal } = this.#opts;
    if (to === undefined) {
      const heads = await askHeads(this.#fleet, signal);
      requireClock(heads, this.#now());
      const { client, head } = chooseTarget(heads, Math.min(2, heads.length));
      return { client, block: head.last };
    }
    for (const client of this.#fleet.usable()) {
      try {
        const opts = { serverMayWait: true, ...present({ signal }) };
        return { client, block: (await this.#fleet.ask(client, (one) => one.lookup(to, opts))).id };
      } catch (error) {
        if (!(error instanceof SourceError) || error.code === 'source/aborted') throw error;
      }
    }
    throw noAgreement(`no lite server has block ${to}`, this.#fleet.statements());
  }

  get #maxAge(): number {
    if (this.#opts.to !== undefined) return Number.POSITIVE_INFINITY;
    return this.#opts.maxHeadAgeSeconds ?? MAX_HEAD_AGE_SECONDS;
  }

  #age({ genUtime }: ProvenHeader): number {
    return Math.max(0, this.#now() - genUtime);
  }

  async #climbTo({ block: target }: Target): Promise<void> {
    const { signal, engine, onProgress } = this.#opts;
    const before = { ...this.#sum };
    const onStep = async ({ walk, leg, links, answers, bytes }: Climb) => {
      this.#trusted = goOnFrom(walk);
      this.#startIsStale ||= walk.startIsStale === true;
      this.#reached = { walk, leg };
      this.#sum.links = before.links + links;
      this.#sum.answers = before.answers + answers;
      this.#sum.bytes = before.bytes + bytes;
      await onProgress?.({
        checkpoint: walk.checkpoint,
        keyBlocks: keyBlocksOf(leg.tl),
        tip: walk.tip,
        target,
        startIsStale: this.#startIsStale,
        ...this.#sum,
        source: leg.client.name,
      });
    };
    await climb(this.#fleet, this.#trusted, target, {
      nowSeconds: this.#now(),
      onStep,
      ...present({ signal, engine }),
    });
  }

  /** No server has anything newer than what is proven. */
  async #atHead({ client, block }: Target): Promise<SyncResult> {
    if (this.#reached !== undefined) return await this.#judge();
    const known = blockOf(this.#trusted);
    const start = this.#trusted;
    if (block.seqno < known.seqno || !('keyBlock' in start) || known.seqno === 0) {
      throw new SourceError(
        'source/not-ready',
        `${client.name}: the servers' newest block is ${block.seqno}, trust stands at ${known.seqno}`,
        {
          hint: 'wait for a newer block, or ask other servers: these are behind',
        },
      );
    }
    if (differingField(block, known) !== undefined) {
      throw new SourceError('source/other-chain', `${client.name}: its block ${known.seqno} is not the trusted one`, {
        endpoint: client.name,
        hint: 'the server is on another chain, or the checkpoint is',
      });
    }
    return this.#result(start, known, provenHeader(start.configProof, known), undefined, NO_WITNESSES);
  }

  async #judge(): Promise<SyncResult> {
    const { walk, leg } = this.#reached!; // called once there is one
    const { signal, engine, witnesses: wanted = 0 } = this.#opts;
    const header = walk.tipHeader;
    if (header === undefined) throw new TypeError('a head without a header');
    if (header.genUtime > this.#now() + MAX_CLOCK_SKEW_SECONDS) {
      throw clockError(
        `head ${header.seqno} was made at ${header.genUtime}, this machine's clock says ${Math.round(this.#now())}`,
      );
    }
    const witnesses = await askWitnesses(this.#fleet, walk.tip, leg, {
      ...present({ signal, engine }),
    });
    if (witnesses.agreed.length < wanted) {
      const message = `${wanted} witnesses wanted, ${witnesses.agreed.length} name block ${walk.tip.seqno} as it is proven`;
      throw new SourceError('source/not-ready', message, {
        statements: [...witnesses.silent, ...witnesses.refuted],
        hint: 'give more servers, of operators that do not depend on each other',
      });
    }
    return this.#result(walk.checkpoint, walk.tip, header, { report: walk.reports.at(-1), leg }, witnesses);
  }

  #result(
    checkpoint: Checkpoint,
    tip: BlockIdExt,
    tipHeader: ProvenHeader,
    shown: { readonly report: VerificationReport | undefined; readonly leg: Leg } | undefined,
    witnesses: WitnessReport,
  ): SyncResult {
    const headAgeSeconds = this.#age(tipHeader);
    const isDoubtful =
      this.#startIsStale && this.#opts.acceptStaleStart !== true && witnesses.agreed.length < STALE_START_WITNESSES;
    const verdict = isDoubtful
      ? ({ status: 'undecided', reason: 'stale-set' } as const)
      : headAgeSeconds > this.#maxAge
        ? ({ status: 'undecided', reason: 'stale-head' } as const)
        : ({ status: 'final' } as const);
    const told = (one: VerificationReport) => (isDoubtful ? withStaleStart(one, 'refused') : withAcceptedStart(one));
    const report = shown?.report !== undefined && this.#startIsStale ? told(shown.report) : shown?.report;
    return Object.freeze({
      verdict,
      checkpoint,
      tip,
      tipHeader,
      ...(shown === undefined || report === undefined ? {} : { report, signatures: signaturesOf(shown.leg) }),
      startIsStale: this.#startIsStale,
      headAgeSeconds,
      witnesses,
      ...this.#sum,
    });
  }
}

const SYNC_KEYS = [
  'now',
  'to',
  'witnesses',
  'acceptStaleStart',
  'startWasStale',
  'maxHeadAgeSeconds',
  'onProgress',
  'engine',
  'signal',
];

/**
 * Goes from a trusted block to the head that lite servers know, link by link.
 * @param servers one or more; with several, one that fails or lies is passed over, and the head is compared
 * @param from a checkpoint, or a block that you pin: a key block or a zerostate
 * @throws SourceError when no server leads on: `statements` say why; `source/clock`; ForkError when two blocks of one number
 * are certified; UsageError. What was proven until then was told by `onProgress`.
 */
export async function syncCheckpoint(
  servers: readonly LiteServerClient[],
  from: Checkpoint | BlockIdExt,
  opts: SyncOptions = {},
): Promise<SyncResult> {
  requireOptions(opts, SYNC_KEYS);
  if (!Array.isArray(servers)) throw badArgument('servers', 'an array of clients', servers);
  const { witnesses = 0, to } = opts;
  if (to !== undefined) requireInteger(to, 'to', 1, MAX_SEQNO);
  if (!(Number.isInteger(witnesses) && witnesses >= 0 && witnesses < Math.max(1, servers.length))) {
    throw new UsageError('usage/bad-option', `expected 0 to ${servers.length - 1}, got ${witnesses}`, {
      path: 'witnesses',
      hint: 'the server that gives the proof is no witness of itself',
    });
  }
  const engine = opts.engine ?? (await chooseOneOffEngine());
  return await new Sync(servers, from, { ...opts, engine }).run();
}
