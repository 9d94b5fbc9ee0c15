/**
 * Verifies one block from several servers. Servers are asked until the signatures are valid; then every other server
 * that is not out is asked to compare. The machine makes the decisions, as it does for lite servers.
 */
import { FinalityError, SourceError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import type { Warning } from '../../core/verify/report.ts';
import { isStale } from '../../core/verify/set-check.ts';
import type { Agreement } from '../machine/agreement.ts';
import { EFFECTS, outcomeOf } from '../machine/outcome.ts';
import { compare, comparedOf, notFinal, signedWitness, type Witness } from './ask-witnesses.ts';
import type { AskOptions, BlockSource, SignedAnswer } from './block-source.ts';
import { failureOf } from './failure-hints.ts';
import { goodBlock, type Search } from './good-block.ts';
import { quorumOf } from './quorum-of.ts';
import { askSigned, headOf } from './signed-answer.ts';
import type { Assessed } from './until-good.ts';
import {
  distinctWarnings,
  NOTHING_SAID,
  type WitnessReport,
  warningOf,
  weighWitnesses,
  withVoices,
  witnessWarnings,
} from './witness-report.ts';

/** Which block to verify, and what to ask the other servers. */
export interface Verification extends Search {
  /** How many other servers have to name the same block. */
  readonly witnesses: number;
  /** Whether servers of one address block or host name count as a witness each. */
  readonly countEachServer?: boolean;
  /** The time in Unix seconds, by which the validators can or cannot have withdrawn their stakes. */
  readonly nowSeconds: number;
  /** Witnesses in addition to the sources, such as servers that have no signatures. */
  readonly more?: readonly Witness[];
  readonly signal?: Signal;
}

export interface VerifiedBlock<T extends Assessed> {
  /** The block with valid signatures; without one, the block that came first. */
  readonly judged: T | undefined;
  /** Why no block could be judged. */
  readonly error?: FinalityError;
  readonly witnesses: WitnessReport;
  /** Whether the other servers' answers are enough for a report that is final. */
  readonly agreement: Agreement;
  readonly rivals: number;
  /** Everything else that the report should warn of. */
  readonly warnings: readonly Warning[];
}

/** A source whose last answer is remembered, so that it is not asked for the same block twice. */
interface Overheard extends BlockSource {
  /** Returns the last signatures, or the error of a later question; `undefined` where the source was not asked. */
  last(): SignedAnswer | SourceError | undefined;
}

/** Rewords the error of a question that was stopped because another server was faster: `aborted` would not say why. */
function inWords(name: string, error: SourceError): SourceError {
  if (error.code !== 'source/aborted') return error;
  return failureOf(name, 'source/timeout', 'no answer yet when another server gave one');
}

function overheard<S extends BlockSource>(source: S): S & Overheard {
  let last: SignedAnswer | SourceError | undefined;
  async function noting<T>(question: Promise<T>): Promise<T> {
    try {
      return await question;
    } catch (error) {
      if (error instanceof SourceError) last = inWords(source.name, error);
      throw error;
    }
  }
  return {
    ...source,
    latestSeqno: (opts = {}) => noting(headOf(source, opts)),
    async signatures(seqno, opts = {}) {
      last = failureOf(source.name, 'source/timeout', 'no answer yet');
      const answer = await noting(askSigned(source, seqno, opts));
      last = answer;
      return answer;
    },
    last: () => last,
  };
}

function isOther(answer: SignedAnswer, id: BlockIdExt): boolean {
  return differingField(answer.signatures.blockId, id) !== undefined;
}

/** Returns the servers that may be asked about the block of an answer, the likeliest first. */
function inLine<S extends Overheard>(
  sources: readonly S[],
  answer: SignedAnswer,
  need: number | undefined,
  bad: ReadonlySet<string>,
): readonly S[] {
  const others = sources.filter((source) => {
    if (source.name === answer.source) return false;
    const said = source.last();
    if (said instanceof SourceError) return said.code === 'source/timeout';
    // Servers of a quorum agree on the block, but their lists may differ.
    return need === undefined ? !bad.has(source.name) : said === undefined || !isOther(said, answer.signatures.blockId);
  });
  return [...sources.filter(({ name }) => name === answer.source), ...others];
}

/** Returns the other servers as witnesses, each with its answer about this block if it gave one already. */
function witnessesOf(sources: readonly Overheard[], { signatures, source }: SignedAnswer): readonly Witness[] {
  return sources.flatMap((one) => {
    const said = one.last();
    const isOut = said instanceof SourceError && EFFECTS[outcomeOf(said)] === 'out';
    if (one.name === source || isOut) return [];
    // The latest block of a server may be a later one.
    const isOfThis =
      said !== undefined &&
      !(said instanceof SourceError) &&
      said.signatures.blockId.seqno === signatures.blockId.seqno;
    return [signedWitness(isOfThis ? { ...one, signatures: async () => said } : one)];
  });
}

/**
 * Verifies one block from several servers.
 * @param judge is also given the servers that may be asked about the block, the likeliest first
 * @throws ForkError when a server shows a different block of this number, signed by the same set, which is within its
 * stakes;
 * UsageError; errors that are not about a server
 */
export async function verifyFrom<S extends BlockSource, T extends Assessed>(
  given: readonly S[],
  terms: Verification,
  judge: (answer: SignedAnswer, servers: readonly S[], limit: Pick<AskOptions, 'deadlineMs'>) => Promise<T>,
): Promise<VerifiedBlock<T>> {
  const { need, deadlineMs, wanted, witnesses, nowSeconds, countEachServer, more = [], signal } = terms;
  const sources = given.map((source) => overheard(source));
  const bad = new Set<string>();
  const { good, judged, errors } = await goodBlock(sources, terms, async (answer, limit) => {
    const servers = inLine(sources, answer, need, bad);
    bad.add(answer.source); // removed if the answer turns out to be good
    return await judge(answer, servers, limit);
  });
  const failures = sources.flatMap((source) => {
    const said = source.last();
    return said instanceof SourceError ? [{ name: source.name, warning: warningOf(said) }] : [];
  });
  const words = distinctWarnings(errors.map(warningOf));
  const split = need === undefined ? [] : (quorumOf(given, need).warnings ?? []);
  const told = [...split, ...failures.map(({ warning }) => warning), ...words];
  if (good === undefined) {
    const late = sources
      .filter((source) => source.last() === undefined && deadlineMs !== undefined)
      .map(({ name }) => ({
        code: 'not-asked',
        message: `${name}: not asked for signatures, because the time limit was reached`,
      }));
    const nothing = { witnesses: NOTHING_SAID, agreement: 'enough', rivals: 0 } as const;
    const [first, ...rest] = judged;
    if (first === undefined) {
      const [error = new SourceError('source/upstream', 'no server gave an answer')] = errors;
      return { judged: undefined, error, ...nothing, warnings: [...words.slice(1), ...late] };
    }
    // All servers were asked for better signatures.
    const worse = rest.map(({ answer, report }) => {
      const { blockId } = answer.signatures;
      return notFinal(answer.source, report, isOther(first.answer, blockId) ? blockId : undefined);
    });
    return { judged: first, ...nothing, warnings: distinctWarnings([...worse, ...told, ...late]) };
  }
  const isOld = isStale(good.validators, nowSeconds);
  const { report, rivals, poor } = await compare(
    [...witnessesOf(sources, good.answer), ...more],
    comparedOf(good.report, good.validators, good.answer),
    {
      verify: good.verify,
      isOld: () => isOld,
      waitForBlock: wanted === 'latest' && witnesses > 0,
      deadlineMs: Math.min(QUESTION_DEADLINE_MS, deadlineMs ?? Number.POSITIVE_INFINITY),
      ...present({ signal }),
    },
  );
  const silent = report.silent.flatMap(({ source, error }) =>
    failures.some(({ name }) => name === source) || !(error instanceof FinalityError)
      ? []
      : [{ code: 'not-cross-checked', message: error.message }],
  );
  // A caller that names a set accepts its age, so only two histories that an old set signed are an open question.
  const starts = { startIsStale: isOld, acceptStaleStart: true };
  const prover = { name: good.answer.source };
  const { voices, agreement } = weighWitnesses(report, { ...starts, witnesses, rivals, prover, countEachServer });
  const warnings = [...told, ...poor, ...silent, ...witnessWarnings(good.answer.signatures.blockId.seqno, report)];
  const counted = withVoices(report, voices);
  return { judged: good, witnesses: counted, agreement, rivals, warnings: distinctWarnings(warnings) };
}
