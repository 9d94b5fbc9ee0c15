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
import { type Comparison, compare, comparedOf, joinComparisons, signedWitness } from '../sources/ask-witnesses.ts';
import type { BlockSource } from '../sources/block-source.ts';
import { Comparisons } from '../sources/comparison.ts';
import type { OwnAnswer } from '../sources/signed-answer.ts';
import type { Assessed } from '../sources/until-good.ts';
import {
  MORE_SERVERS,
  tooFewAgree,
  type WitnessReport,
  weighWitnesses,
  witnessWarnings,
} from '../sources/witness-report.ts';
import type { FollowSettings } from './follow-options.ts';

/** A block, its report, and how to verify other signatures of it. */
export interface Reported extends Assessed {
  readonly answer: OwnAnswer;
}

/** @param fail ends the run */
export function followWitnesses(opts: FollowSettings, signal: Signal, fail: (error: unknown) => void) {
  const told = new Set<string>();
  let turn = 0;
  /** The question that is under way without anything waiting for it. */
  let asking: Promise<void> | undefined;
  /** A block that was not asked about, because a question was under way. */
  let left: Reported | undefined;
  const comparisons = new Comparisons(signal, fail);
  /** The questions to witnesses that are under way. */
  const open = new Map<BlockSource, Promise<unknown>>();
  let areFew = false;

  /**
   * Waits for the witnesses that have to agree.
   * @returns the error for two signed blocks that contradict each other, if there are any
   * @throws SourceError `source/not-ready` while too few agree; TrustError where two blocks are signed and neither is
   * known to
   * be the chain's; UsageError
   */
  async function forkAt(reported: Reported): Promise<SourceError | undefined> {
    try {
      await requireAgreed(reported);
      return undefined;
    } catch (error) {
      if (error instanceof SourceError && error.code === 'source/disagree') return error;
      throw error;
    }
  }

  async function requireAgreed(reported: Reported): Promise<void> {
    const { others, witnesses } = opts;
    const prover = reported.answer.source;
    // A server that does not answer is not asked for the next block as well.
    const rest = others.filter((one) => one.name !== prover && !open.has(one));
    if (witnesses === 0) {
      if (rest.length > 0) askBeside(inTurn(rest, turn++, 1), reported);
      return;
    }
    const given = new Map<WitnessReport, Comparison>();
    const questions = inTurn(rest, turn++, rest.length).map((client) => ({
      client,
      ask() {
        const asked = ask([client], reported, true)
          .then((comparison) => {
            given.set(comparison.report, comparison);
            return comparison.report;
          })
          .finally(() => open.delete(client));
        open.set(client, asked);
        return asked;
      },
    }));
    await comparisons.compare(questions.slice(0, witnesses), {
      more: questions.slice(witnesses),
      witnesses,
      isWhole: false,
      voices: () => weigh(joinComparisons([...given.values()]), reported).voices,
      onLate: (report) => void take(given.get(report)!, reported), // every answer is kept
    });
    const comparison = joinComparisons([...given.values()]);
    const { voices, agreement } = take(comparison, reported);
    areFew = agreement !== 'enough';
    if (!areFew) return;
    const { contradicts, silent, behind } = comparison.report;
    const { seqno } = reported.answer.signatures.blockId;
    const words = tooFewAgree(voices, seqno, witnesses);
    const statements = [...contradicts, ...silent, ...behind];
    throw new SourceError('source/not-ready', words, { statements, hint: MORE_SERVERS });
  }

  /** Returns the error that ends the run: that of too few witnesses, where they were the reason. */
  function endOf(error: unknown): unknown {
    if (!areFew || !(error instanceof SourceError) || error.code !== 'source/not-ready') return error;
    return new TrustError('trust/too-few-witnesses', error.message, {
      path: 'witnesses',
      hint: MORE_SERVERS,
      cause: error,
    });
  }

  function isOldSet({ validators }: Reported): boolean {
    return isStale(validators, opts.clock());
  }

  function weigh({ report, rivals }: Comparison, reported: Reported) {
    const { witnesses, countEachServer } = opts;
    const prover = { name: reported.answer.source };
    // The clock may have been set since it made a second history old keys, and not a fork.
    const startIsStale = report.forked.length > 0 || isOldSet(reported);
    const terms = { startIsStale, acceptStaleStart: true, witnesses, prover, countEachServer, rivals };
    return { startIsStale, ...weighWitnesses(report, terms) };
  }

  /**
   * Reports the warnings of a comparison. @throws TrustError where two blocks of one number have valid signatures, and
   * it is unknown which one is the chain's
   */
  function take(comparison: Comparison, reported: Reported) {
    warn(reported, comparison);
    const weighed = weigh(comparison, reported);
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

  async function ask(asked: readonly BlockSource[], reported: Reported, waitForBlock: boolean): Promise<Comparison> {
    const { report, validators, verify, answer } = reported;
    const terms = { verify, isOld: () => isOldSet(reported), waitForBlock, signal };
    return await compare(asked.map(signedWitness), comparedOf(report, validators, answer), terms);
  }

  /** Asks without waiting for the answer. One question at a time: a server that hangs does not delay the others. */
  function askBeside(asked: readonly BlockSource[], reported: Reported): void {
    left = asking && reported;
    asking ??= ask(asked, reported, false)
      .then((comparison) => void take(comparison, reported))
      .catch(fail)
      .finally(() => {
        asking = undefined;
      });
  }

  /** Waits a moment for the answer about the last block, because the run ends. @throws as the next block would */
  async function settle(): Promise<void> {
    const timer = startTimer(COMPARE_WAIT_MS, signal);
    const settled = async () => {
      await asking;
      if (left !== undefined) await requireAgreed(left);
      await asking;
      await Promise.allSettled(open.values());
    };
    await untilAborted(settled(), timer.signal)
      .catch((error: unknown) => {
        if (!timer.signal.aborted) throw error;
      })
      .finally(timer.close);
  }

  function warn({ answer }: Reported, { report }: Comparison): void {
    for (const warning of witnessWarnings(answer.signatures.blockId.seqno, report)) {
      // One event for each server, because it may contradict every block from now on.
      const key = `${warning.code} ${warning.servers?.join()}`;
      if (told.has(key)) continue;
      told.add(key);
      tell('onWarning', opts.onWarning, Object.freeze(warning));
    }
  }

  return {
    /** Whether too few servers name the block that is held back. */
    get areFew() {
      return areFew;
    },
    forkAt,
    endOf,
    settle,
  };
}
