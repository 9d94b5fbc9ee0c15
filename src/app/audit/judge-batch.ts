/**
 * Turns blocks into rows. Blocks of one set are checked together, so that no thread waits for another between two
 * blocks.
 */

import { FinalityError, SourceError, TrustError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import type { Ed25519Engine } from '../../core/ed25519/engine.ts';
import { createWorkerPool, forBusyCaller } from '../../core/ed25519/workers.ts';
import { ownSet, type ValidatorSet } from '../../core/validators/validator-set.ts';
import type { BlockHeaderFacts, ResolvedPolicy, VerificationReport } from '../../core/verify/report.ts';
import { type AheadVerifier, type BlockToVerify, openVerifier } from '../../core/verify/verifier.ts';
import { isA } from '../../net/machine/outcome.ts';
import { isBest, isOfAnotherSet, isSignedEnough, untilGood } from '../../net/sources/until-good.ts';
import { resultOrRefusal } from './audit-source.ts';
import type { AuditItem } from './block-items.ts';
import type { AuditRow, AuditSet } from './ledger-lines.ts';
import { linkedRow, markOf, setLineOf, signedRow } from './report-to-row.ts';
import type { SetBook } from './set-book.ts';

type SignedItem = Extract<AuditItem, { type: 'signed' }>;

/** Rows of a batch, in order, and the sets that they name. */
export type JudgedBatch = Awaited<ReturnType<Awaited<ReturnType<BatchJudge['begin']>>>>;

/** Result for one block: its report, or the reason why there is none. */
type Judgement = VerificationReport | FinalityError;

/** @param found the result for the block, or for the later block that leads down to it */
function rowOf(item: AuditItem, found: Judgement | undefined): AuditRow {
  const { seqno } = item;
  const report = found instanceof FinalityError ? undefined : found;
  if (item.type === 'linked') {
    const { blockId, known, of } = item;
    return linkedRow(blockId, known, of, report?.verdict.status === 'final', report && markOf(report));
  }
  if (found instanceof FinalityError) return { type: 'failure', seqno, code: found.code };
  if (item.type === 'failure' || report === undefined) throw new TypeError(`no report of block ${seqno}`);
  return signedRow(report, item.known);
}

/** A set signs only blocks after its key block. An earlier block has a different key block, whatever a server claims. */
function beforeKeyBlock(seqno: number, provenBy: number | undefined): BlockHeaderFacts | undefined {
  if (provenBy === undefined || seqno > provenBy) return undefined;
  return { source: 'claimed', prevKeyBlockSeqno: seqno - 1 };
}

/** Returns the key block that installed a set, if that is proven. */
function keyBlockOf({ provenance }: ValidatorSet): number | undefined {
  return provenance.kind === 'proven' ? provenance.keyBlock.seqno : undefined;
}

/**
 * Returns whether another server may have better signatures. Headers that were fetched exclude that, because they
 * name a different set.
 */
function mayBeOnlyThisServer({ known }: SignedItem, report: VerificationReport): boolean {
  const { verdict } = report;
  const isOfAnother = verdict.status === 'undecided' && verdict.reason === 'wrong-validator-set';
  return !isSignedEnough(report) && (known !== undefined || !isOfAnother);
}

/**
 * Returns the final blocks of a batch that no final block after them names as its parent. All other final blocks lie
 * below these.
 */
function topsOf(items: readonly AuditItem[], final: ReadonlySet<number>): readonly SignedItem[] {
  const tops: SignedItem[] = [];
  let parent: BlockIdExt | undefined;
  for (const item of [...items].reverse()) {
    const isTop = item.type === 'signed' && final.has(item.seqno);
    const follows = parent; // of the block after this one
    parent = isTop || (item.type === 'linked' && final.has(item.of)) ? item.known?.parent : undefined;
    if (isTop && (follows === undefined || differingField(follows, item.signatures.blockId) !== undefined))
      tops.push(item);
  }
  return tops;
}

/** Returns the given engine, or a pool of workers that is closed when the work is done. */
export async function engineOrPool(given: Ed25519Engine | undefined) {
  if (given !== undefined) return { engine: given, close: async () => {} };
  const pool = await createWorkerPool();
  return { engine: pool, close: () => pool.close() };
}

/** Blocks in a row that the other servers may not have, before they are asked for no block below. */
const MAX_MISSED = 2;

/** Most key rings that are held: their tables are large. */
const MAX_VERIFIERS = 2;

export class BatchJudge {
  readonly #engine: Ed25519Engine;
  readonly #policy: ResolvedPolicy;
  readonly #book: SetBook;
  readonly #verifiers = new Map<ValidatorSet, AheadVerifier>();
  /** The set that each block is judged by. */
  readonly #sets = new WeakMap<SignedItem, ValidatorSet>();

  constructor(engine: Ed25519Engine, policy: ResolvedPolicy, book: SetBook) {
    this.#engine = forBusyCaller(engine);
    this.#policy = policy;
    this.#book = book;
  }

  get engineName(): string {
    return this.#engine.name;
  }

  #verifierOf(set: ValidatorSet): AheadVerifier {
    const known = this.#verifiers.get(set);
    if (known !== undefined) return known;
    const verifier = openVerifier(ownSet(set), this.#engine);
    this.#verifiers.set(set, verifier);
    if (this.#verifiers.size > MAX_VERIFIERS) {
      const [oldest, ring] = this.#verifiers.entries().next().value!; // there are some
      ring.close();
      this.#verifiers.delete(oldest);
    }
    return verifier;
  }

  /**
   * Returns the block with a claim that fits the set, if any server makes one: no server may rule out a set on its own.
   */
  async #withFittingClaim(item: SignedItem, set: ValidatorSet, signal: Signal): Promise<SignedItem> {
    const provenBy = keyBlockOf(set);
    if (item.known !== undefined || provenBy === undefined || item.seqno <= provenBy) return item;
    const { good = item } = await untilGood<SignedItem, SignedItem>([item], {
      judge: (one) => one,
      isGood: ({ claimed }) => (claimed?.prevKeyBlockSeqno ?? provenBy) === provenBy,
      another: async (refused) => {
        const next = await refused.at(-1)!.anotherClaim?.(signal); // the first answer was refused
        return next && { ...item, ...next };
      },
    });
    this.#sets.set(good, set);
    return good;
  }

  /**
   * Begins to check blocks under one set. A block that cannot be read does not keep the others from their reports.
   * @returns a function that gives the result of each, in order
   */
  #begin(set: ValidatorSet, items: readonly SignedItem[]): () => Judgement[] {
    const provenBy = keyBlockOf(set);
    const blocks = items.map(({ seqno, signatures, known, claimed }): BlockToVerify => {
      const header = known?.header ?? beforeKeyBlock(seqno, provenBy) ?? claimed;
      return header === undefined ? { signatures } : { signatures, context: { header } };
    });
    const finish = resultOrRefusal(() => this.#verifierOf(set).beginMany(blocks, this.#policy));
    // A source that overwrites what it handed out can combine a header with the signatures of another block.
    if (typeof finish === 'function') return () => finish().map(resultOrRefusal);
    const found = items.length === 1 ? [finish] : items.flatMap((item) => this.#begin(set, [item])());
    return () => found;
  }

  /**
   * Begins to check a batch: workers run until you ask for its rows, or begin the next.
   * @throws FinalityError for errors that end the audit, such as a start that must not be trusted
   */
  async begin(items: readonly AuditItem[], signal: Signal) {
    const found = new Map<number, Judgement>();
    const bySet = new Map<ValidatorSet, SignedItem[]>();
    /** The blocks, each from the server whose signatures its row shows. */
    const taken: AuditItem[] = [];
    for (const given of items) {
      let item = given;
      const set = item.type === 'signed' ? await this.#setFor(item, signal) : undefined;
      if (item.type === 'failure') found.set(item.seqno, item.error);
      else if (set instanceof FinalityError) found.set(item.seqno, set);
      else if (item.type === 'signed' && set !== undefined) {
        item = await this.#withFittingClaim(item, set, signal);
        bySet.set(set, [...(bySet.get(set) ?? []), item]);
      }
      taken.push(item);
    }
    /** Sets by hash. */
    const sets = new Map<string, AuditSet>();
    const begun: (readonly [readonly SignedItem[], () => Judgement[]])[] = [];
    for (const [set, together] of bySet) {
      const line = setLineOf(set);
      if (!sets.has(line.set)) sets.set(line.set, line);
      begun.push([together, this.#begin(set, together)]);
    }
    return async () => {
      for (const [together, finish] of begun) {
        for (const [n, one] of finish().entries()) found.set(together[n]!.seqno, one);
      }
      await this.#askOthers(taken, found, signal);
      /** Blocks that are final by their own signatures. */
      const final = new Set<number>();
      /** Reasons by seqno why a block is missing. */
      const failures = new Map<number, FinalityError>();
      for (const [seqno, one] of found) {
        if (one instanceof FinalityError) failures.set(seqno, one);
        else if (one.verdict.status === 'final') final.add(seqno);
      }
      for (const top of topsOf(taken, final)) {
        const set = this.#sets.get(top)!; // it was judged
        await this.#book.compare(set, top, signal);
      }
      const rows = taken.map((item) => rowOf(item, found.get(item.type === 'linked' ? item.of : item.seqno)));
      return { items: taken, rows, sets, failures, final };
    };
  }

  /**
   * Asks other servers for better signatures of the blocks of a batch. The signatures of a chain cover the number from
   * some block on. Those that do not may be of an older block if signatures of an earlier block of the batch do.
   * Otherwise the other servers are asked for the last such block, then for the one before, as long as they have better
   * signatures.
   * @param taken the blocks, each replaced by that of the server whose signatures count
   * @param found the result of each, likewise
   */
  async #askOthers(taken: AuditItem[], found: Map<number, Judgement>, signal: Signal): Promise<void> {
    const isFinal = (one?: Judgement) => one !== undefined && 'verdict' in one && one.verdict.status === 'final';
    const lowestFinal = () => Math.min(...[...found.keys()].filter((seqno) => isFinal(found.get(seqno))));
    const bound = lowestFinal();
    const missed = new Map<number, SourceError>();
    let vain = 0;
    for (const [at, item] of [...taken.entries()].reverse()) {
      const { seqno } = item;
      const one = found.get(seqno);
      if (item.type !== 'signed' || one === undefined) continue;
      const isBad = one instanceof FinalityError || mayBeOnlyThisServer(item, one);
      // A block of another set says nothing about the signatures of the blocks below it.
      if (!isBad && (isBest(one) || !isSignedEnough(one) || (vain >= MAX_MISSED && bound >= seqno))) continue;
      const leads = taken.some((other) => other.type === 'linked' && other.of === seqno);
      const { item: best, missing, isOfAnother } = await this.#ofOthers(item, one, leads, found, signal);
      taken[at] = best;
      if (missing !== undefined) missed.set(seqno, missing);
      if (isFinal(found.get(seqno))) vain = 0;
      // A server that answered without this block, or says that it is of another set, may have the blocks below it.
      else if (!isBad && !isOfAnother) vain += missing === undefined || isA(missing.code, 'silence') ? MAX_MISSED : 1;
    }
    const lowest = lowestFinal();
    for (const [seqno, missing] of missed) if (lowest < seqno) found.set(seqno, missing);
  }

  /**
   * Takes the block from the first server with valid signatures, else from the first server. If one server could not be
   * asked, the result is a failure, which a later run tries again: a row must not blame validators because of one
   * server.
   * @param first the result of this server
   * @param leads whether earlier blocks were found through exactly this block: a different block in its place would
   * make them final
   * @returns the block, why another server could not be asked, if it could not, and whether one says that another set signed
   */
  async #ofOthers(item: SignedItem, first: Judgement, leads: boolean, found: Map<number, Judgement>, signal: Signal) {
    const { seqno } = item;
    /** Blocks whose set could not be proven, which is no fault of the servers that gave them. */
    const unproven = new Set<SignedItem>();
    const { good, judged, missing } = await untilGood<SignedItem, { item: SignedItem; report: VerificationReport }>(
      [item],
      {
        judge: async (one) => {
          const report = one === item ? first : await this.#judgeOne(one, signal);
          if (report instanceof SourceError) unproven.add(one);
          if (report instanceof FinalityError) throw report;
          return { item: one, report };
        },
        isGood: ({ report }) => isBest(report),
        isRefusal: (error) => error instanceof FinalityError,
        another: async (refused) => {
          const next = await refused.at(-1)!.another?.(signal); // the first answer was refused
          return next && { ...item, ...next };
        },
        blame: (refused) => {
          for (const one of refused) if (!unproven.has(one)) one.blame?.();
        },
      },
    );
    const isOfAnother = judged.some(({ report }) => isOfAnotherSet(report));
    const best = good ?? judged.find(({ report }) => isSignedEnough(report));
    if (best === undefined) {
      if (missing !== undefined) found.set(seqno, missing);
      return { item, missing };
    }
    if (leads && differingField(best.item.signatures.blockId, item.signatures.blockId) !== undefined) {
      const words = `${item.from}: its block ${seqno} is not the one that is final`;
      found.set(seqno, new SourceError('source/wrong-block', words));
      return { item };
    }
    found.set(seqno, best.report);
    return { item: best.item, missing, isOfAnother };
  }

  async #judgeOne(item: SignedItem, signal: Signal): Promise<Judgement> {
    const set = await this.#setFor(item, signal);
    return set instanceof FinalityError ? set : this.#begin(set, [item])()[0]!; // one report for each
  }

  /** Returns the set of a block, or the error why it has none. @throws FinalityError for errors that end the audit */
  async #setFor(item: SignedItem, signal: Signal): Promise<ValidatorSet | FinalityError> {
    try {
      const set = await this.#book.setFor(item, signal);
      this.#sets.set(item, set);
      return set;
    } catch (error) {
      const isOtherNetwork = error instanceof TrustError && error.code === 'trust/wrong-network';
      if (isOtherNetwork || (error instanceof SourceError && error.code !== 'source/aborted')) return error;
      throw error;
    }
  }

  close(): void {
    for (const verifier of this.#verifiers.values()) verifier.close();
    this.#verifiers.clear();
  }
}
