/**
 * Compares the blocks that a follower verified with other servers: one of them for each block, in turn, or as many as
 * have to agree before a block is handed out.
 */
import { SourceError, TrustError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { isStale } from '../../core/verify/set-check.ts';
import { tell } from '../async/callbacks.ts';
import { startTimer, untilAborted } from '../async/timer.ts';
import { COMPARE_WAIT_MS, inTurn } from '../machine/comparison.ts';
import type { BlockSource } from '../sources/block-source.ts';
import { type Comparison, compare, comparedOf, joinComparisons, signedWitness } from '../sources/compare.ts';
import type { OwnAnswer } from '../sources/signed-answer.ts';
import type { Assessed } from '../sources/until-good.ts';
import { weighWitnesses, witnessWarnings } from '../sources/witness-report.ts';
import type { FollowSettings } from './follow-options.ts';

/** A block, its report, and how to verify other signatures of it. */
export interface Reported extends Assessed {
  readonly answer: OwnAnswer;
}

const HINT = 'pass more servers, run by independent operators';

export class FollowWitnesses {
  readonly #opts: FollowSettings;
  readonly #signal: Signal;
  readonly #told = new Set<string>();
  #turn = 0;
  /** The question that is under way without anything waiting for it. */
  #asking: Promise<void> | undefined;
  /** A block that was not asked about, because a question was under way. */
  #left: Reported | undefined;
  #late: { readonly error: unknown } | undefined;
  #areFew = false;

  constructor(opts: FollowSettings, signal: Signal) {
    this.#opts = opts;
    this.#signal = signal;
  }

  /** Whether too few servers name the block that is held back. */
  get areFew(): boolean {
    return this.#areFew;
  }

  /**
   * Waits for the witnesses that have to agree.
   * @returns the error for two signed blocks that contradict each other, if there are any
   * @throws SourceError `source/not-ready` while too few agree; TrustError where two blocks are signed and neither is
   * known to
   * be the chain's; UsageError
   */
  async forkAt(reported: Reported): Promise<SourceError | undefined> {
    try {
      await this.#require(reported);
      return undefined;
    } catch (error) {
      if (error instanceof SourceError && error.code === 'source/disagree') return error;
      throw error;
    }
  }

  async #require(reported: Reported): Promise<void> {
    if (this.#late !== undefined) throw this.#late.error;
    const { others, witnesses } = this.#opts;
    const rest = others.filter(({ name }) => name !== reported.answer.source);
    if (rest.length === 0 && witnesses === 0) return;
    const asked = inTurn(rest, this.#turn++, witnesses);
    if (witnesses === 0) {
      this.#askBeside(asked, reported);
      return;
    }
    let comparison = await this.#ask(asked, reported, true);
    if (this.#weigh(comparison, reported).agreement !== 'enough') {
      const left = rest.filter((one) => !asked.includes(one));
      const more = await this.#ask(left, reported, true);
      comparison = joinComparisons([comparison, more]);
    }
    const { voices, agreement } = this.#take(comparison, reported);
    this.#areFew = agreement !== 'enough';
    if (!this.#areFew) return;
    const { contradicts, silent, behind } = comparison.report;
    const { seqno } = reported.answer.signatures.blockId;
    const words = `too-few-witnesses: ${voices} other servers name block ${seqno}, ${witnesses} are needed`;
    const statements = [...contradicts, ...silent, ...behind];
    throw new SourceError('source/not-ready', words, { statements, hint: HINT });
  }

  /** Returns the error that ends the run: that of too few witnesses, where they were the reason. */
  endOf(error: unknown): unknown {
    if (!this.#areFew || !(error instanceof SourceError) || error.code !== 'source/not-ready') return error;
    return new TrustError('trust/too-few-witnesses', error.message, { path: 'witnesses', hint: HINT, cause: error });
  }

  #isOld({ validators }: Reported): boolean {
    return isStale(validators, this.#opts.clock());
  }

  #weigh({ report, rivals }: Comparison, reported: Reported) {
    const { witnesses, countEachServer } = this.#opts;
    const prover = { name: reported.answer.source };
    const startIsStale = this.#isOld(reported);
    const terms = { startIsStale, acceptStaleStart: true, witnesses, prover, countEachServer, rivals };
    return { startIsStale, ...weighWitnesses(report, terms) };
  }

  /**
   * Reports the warnings of a comparison. @throws TrustError where two blocks of one number have valid signatures, and
   * it is unknown which one is the chain's
   */
  #take(comparison: Comparison, reported: Reported) {
    this.#warn(reported, comparison);
    const weighed = this.#weigh(comparison, reported);
    if (weighed.agreement !== 'contradicted') return weighed;
    const { contradicts, forked } = comparison.report;
    const names = [...forked, ...contradicts].map(({ source }) => source).join(', ');
    const { seqno } = reported.answer.signatures.blockId;
    const isOld = weighed.startIsStale;
    const why = isOld ? 'the validators can have withdrawn their stakes' : 'nothing proves which block has this number';
    throw new TrustError(
      isOld ? 'trust/stale-start' : 'trust/too-few-witnesses',
      `contradicted: ${names} showed a different block ${seqno}, and ${why}`,
      { path: 'others', hint: 'exclude the server that is wrong (--without SERVER)' },
    );
  }

  async #ask(asked: readonly BlockSource[], reported: Reported, waitForBlock: boolean): Promise<Comparison> {
    const { report, validators, verify, answer } = reported;
    const isOld = this.#isOld(reported);
    const opts = { verify, isOld, waitForBlock, signal: this.#signal };
    return await compare(asked.map(signedWitness), comparedOf(report, validators, answer), opts);
  }

  /** Asks without waiting for the answer. One question at a time: a server that hangs does not delay the others. */
  #askBeside(asked: readonly BlockSource[], reported: Reported): void {
    this.#left = this.#asking && reported;
    this.#asking ??= this.#ask(asked, reported, false)
      .then((comparison) => void this.#take(comparison, reported))
      .catch((error: unknown) => {
        if (!this.#signal.aborted) this.#late = { error };
      })
      .finally(() => {
        this.#asking = undefined;
      });
  }

  /** Waits a moment for the answer about the last block, because the run ends. @throws as the next block would */
  async settle(): Promise<void> {
    const timer = startTimer(COMPARE_WAIT_MS, this.#signal);
    const settled = async () => {
      await this.#asking;
      if (this.#left !== undefined) await this.#require(this.#left);
      await this.#asking;
    };
    await untilAborted(settled(), timer.signal)
      .catch((error: unknown) => {
        if (!timer.signal.aborted) throw error;
      })
      .finally(timer.close);
    if (this.#late !== undefined && !this.#signal.aborted) throw this.#late.error;
  }

  #warn({ answer }: Reported, { report }: Comparison): void {
    for (const warning of witnessWarnings(answer.signatures.blockId.seqno, report)) {
      // One event for each server, because it may contradict every block from now on.
      const key = `${warning.code} ${warning.servers?.join()}`;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      tell('onWarning', this.#opts.onWarning, Object.freeze(warning));
    }
  }
}
