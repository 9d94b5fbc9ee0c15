/**
 * Makes a report of one block of `followBlocks`. Before invalid signatures are reported, another server is asked for
 * the block. If no validator of the set signed, the callback is asked for the set once more.
 */

import { badArgument, isObject } from '../../core/base/arguments.ts';
import { SourceError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { chooseEngine } from '../../core/ed25519/choose.ts';
import { ownSet, type ValidatorSet } from '../../core/validators/validator-set.ts';
import { withAcceptedStart } from '../../core/verify/own-report.ts';
import type { BlockContext, VerificationReport } from '../../core/verify/report.ts';
import { isStale } from '../../core/verify/set-check.ts';
import { type AheadVerifier, openVerifier, verifyOwn } from '../../core/verify/verifier.ts';
import { callbackFailed, consult } from '../async/callbacks.ts';
import { lacksBlock } from '../machine/outcome.ts';
import type { BlockSource } from '../sources/block-source.ts';
import { seenRootHashes } from '../sources/seen-root-hashes.ts';
import { type OwnAnswer, readSigned } from '../sources/signed-answer.ts';
import { isBest, isOfAnotherSet, isSignedEnough, untilGood } from '../sources/until-good.ts';
import type { FollowSettings } from './follow-options.ts';
import type { Reported } from './follow-witnesses.ts';

type TriedBlock = Omit<Reported, 'verify'> & { readonly more: BlockContext };

/** Returns the failure of a server with what was found about another server's signatures: both may be why no block is final. */
function withVerdict(missing: SourceError, source: string, { verdict }: VerificationReport): SourceError {
  const found = verdict.status === 'undecided' ? verdict.reason : verdict.status;
  const { code, message, statements, attempts, retryAfterMs, hint } = missing;
  const words = `${message}; the signatures of ${source}: ${found}`;
  return new SourceError(code, words, { statements, attempts, retryAfterMs, hint, cause: missing });
}

export function createBlockJudge(source: BlockSource, opts: FollowSettings) {
  const known = seenRootHashes();
  /** Since when no list covers its number, while a server is behind. */
  let unboundSinceMs: number | undefined;

  /**
   * Whether a server that is behind may soon have a list that covers the number. A chain whose signatures never cover it
   * waits once.
   */
  function mayBeBound({ code }: SourceError): boolean {
    if (!lacksBlock(code)) return false;
    unboundSinceMs ??= performance.now();
    return performance.now() - unboundSinceMs < QUESTION_DEADLINE_MS;
  }

  let current: { readonly validators: ValidatorSet; readonly verifier: AheadVerifier } | undefined;

  async function verifierOf(validators: ValidatorSet): Promise<AheadVerifier> {
    if (current === undefined || current.validators !== validators) {
      current?.verifier.close();
      current = undefined;
      current = { validators, verifier: openVerifier(ownSet(validators), opts.engine ?? (await chooseEngine())) };
    }
    return current.verifier;
  }

  /** Calls the callback with a copy of the set, so that changes to it do not affect the verification. */
  async function validatorsOf({ signatures }: OwnAnswer, isAgain: boolean, signal: Signal): Promise<ValidatorSet> {
    const { validators } = opts;
    if (typeof validators !== 'function') return validators;
    return await consult('validators', () => validators(structuredClone(signatures), { signal, isAgain }), signal);
  }

  /** Reads the clock. Called when all else is there, so that the time is that of the judgement. */
  function timeNow(): number {
    try {
      return opts.clock();
    } catch (error) {
      throw callbackFailed('clock', error);
    }
  }

  /**
   * Verifies signatures. The clock judges every block, whatever head a server names: a head is a claim, so it does not
   * show that a block is old. Only `acceptStaleStart` excepts a set past its stakes, and the report then carries a mark.
   * @param more the context without the time
   */
  async function verified(
    answer: OwnAnswer,
    isAgain: boolean,
    signal: Signal,
    more: BlockContext,
  ): Promise<TriedBlock> {
    const validators = await validatorsOf(answer, isAgain, signal);
    const verifier = await verifierOf(validators);
    const nowSeconds = timeNow();
    const isAccepted = opts.acceptStaleStart && isStale(validators, nowSeconds);
    const context = isAccepted ? more : { ...more, nowSeconds };
    const report = verifier.verify(answer.signatures, { ...opts.policy, context });
    return { report: isAccepted ? withAcceptedStart(report) : report, answer, validators, more };
  }

  async function judge(answer: OwnAnswer, signal: Signal, noContext: Set<OwnAnswer>): Promise<TriedBlock> {
    const { signatures, source: said, body } = answer;
    known.requireNew(signatures.blockId, said, body);
    const { contextOf } = opts;
    const askContext = async () => await contextOf?.(structuredClone(signatures), { signal, source: said });
    const more = await consult('contextOf', askContext, signal).catch((error: unknown) => {
      noContext.add(answer);
      throw error;
    });
    if (more !== undefined && !isObject(more))
      throw badArgument('contextOf', 'a callback that returns an object', more);
    return await verified(answer, false, signal, more ?? {});
  }

  /** Verifies the same signatures with the set that the callback returns when it is called with `isAgain`. */
  async function judgedAgain(judged: readonly TriedBlock[], seqno: number, signal: Signal): Promise<TriedBlock> {
    let best: TriedBlock | undefined;
    for (const { answer, more } of judged) {
      const one = await verified(answer, true, signal, more);
      if (best === undefined || isSignedEnough(one.report)) best = one;
      if (isSignedEnough(one.report)) break;
    }
    if (best !== undefined && !isOfAnotherSet(best.report)) return best;
    throw new SourceError('source/not-ready', `${source.name}: no member of the validator set signed block ${seqno}`, {
      hint: 'validators must return the set of this block',
    });
  }

  return {
    /**
     * Makes the report of a block.
     * @returns with `isOfAnother` where the given signatures were refused
     * @throws SourceError for a failure of the answers; UsageError for a callback that throws; ValidatorSetError
     */
    async report(seqno: number, given: unknown, signal: Signal): Promise<Reported & { readonly isOfAnother: boolean }> {
      /** Answers whose context failed, which is no fault of the servers that gave them. */
      const noContext = new Set<OwnAnswer>();
      // Servers agree on the block, but not on the list: one valid list is enough.
      const first = readSigned(given, seqno, source.name);
      const { good, judged, errors, missing } = await untilGood([first], {
        judge: (answer) => judge(answer, signal, noContext),
        isGood: ({ report }) => isBest(report),
        another: async (refused) => {
          const next = await refused.at(-1)!.another?.({ signal }); // at least the given answer was refused
          return next && readSigned(next, seqno, source.name);
        },
        blame: (refused) => {
          for (const one of refused) if (!noContext.has(one)) one.blame?.();
        },
      });

      // The first of the bad answers represents all of them, unless another one is signed.
      let best = good ?? judged.find(({ report }) => isSignedEnough(report)) ?? judged[0];
      if (best === undefined)
        throw missing ?? errors.at(-1) ?? new SourceError('source/malformed', `${source.name}: no answer`);
      if (typeof opts.validators === 'function' && judged.every(({ report }) => isOfAnotherSet(report))) {
        best = await judgedAgain(judged, seqno, signal);
      }
      const { report, answer, validators } = best;
      if (good !== undefined) unboundSinceMs = undefined;
      // One liar next to a slow server does not have its list reported.
      if (missing !== undefined && (!isSignedEnough(report) || mayBeBound(missing)))
        throw withVerdict(missing, answer.source, report);
      if (isSignedEnough(report)) known.note(report.coverage.blockId, answer.source);
      const judging = { ...opts.policy, ...present({ engine: opts.engine }) };
      const isOfAnother = answer !== first;
      return { report, answer, validators, isOfAnother, verify: (set) => verifyOwn(set, validators, judging) };
    },
    close(): void {
      current?.verifier.close();
    },
  };
}
