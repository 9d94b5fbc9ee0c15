/**
 * Compares a signed block with what other sources name under its number. All sources are asked at the same time, within
 * one deadline. A source that names a different block may show signatures of it, which are verified with the same set.
 */
import { DecodeError, SourceError } from '../../core/base/errors.ts';
import { QUESTION_DEADLINE_MS } from '../../core/base/limits.ts';
import type { Own } from '../../core/base/own-bytes.ts';
import { present } from '../../core/base/present.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { type BlockIdExt, differingField, formatBlockId } from '../../core/block/block-id.ts';
import type { SignatureList } from '../../core/block/signature-list.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import type { VerificationReport, Warning } from '../../core/verify/report.ts';
import { withinOneDeadline } from '../async/timer.ts';
import { opinionOfFailure, opinionOfSignatures } from '../machine/agreement.ts';
import type { AskOptions, BlockSource, SignedAnswer } from './block-source.ts';
import { askRow, type ShardStateWitness } from './cross-check.ts';
import { evidenceOf, FORK_HINT, ForkError, type ForkEvidence, SIGNED_TWICE_SCHEMA } from './fork-error.ts';
import { askSigned, type OwnAnswer } from './signed-answer.ts';
import { isSignedEnough } from './until-good.ts';
import { joinReports, reportOf, type WitnessReport } from './witness-report.ts';

/** A source that is asked which block has a number. */
export interface Witness {
  readonly name: string;
  /** Returns the block that the source names under this number. @throws SourceError */
  named(seqno: number, opts: AskOptions): Promise<NamedBlock>;
}

interface NamedBlock {
  readonly blockId: BlockIdExt;
  readonly signed?: OwnAnswer;
}

/** Makes a witness of a server that shows signatures for the block it names. */
export function signedWitness(source: BlockSource): Witness {
  return {
    name: source.name,
    async named(seqno, opts) {
      const signed = await askSigned(source, seqno, opts);
      return { blockId: signed.signatures.blockId, signed };
    },
  };
}

/** Makes a witness of a server that has rows of blocks and no signatures. */
export function rowWitness(v3: ShardStateWitness): Witness {
  return {
    name: v3.name,
    named: async (seqno, opts) => ({ blockId: (await askRow(v3, seqno, opts)).id }),
  };
}

/** The block that the others are compared with. */
export interface ComparedBlock {
  readonly blockId: BlockIdExt;
  /** The label of the server that gave the block. */
  readonly source: string;
  /** Whether the block's number is proven, and not only the server's claim. */
  readonly isBound: boolean;
  /** Returns both blocks as a file of evidence; `undefined` where ours cannot be shown. */
  evidence(source: string, body: Uint8Array): ForkEvidence | undefined | Promise<ForkEvidence | undefined>;
}

/** Makes a block to compare with from the signatures that a server gave; the evidence is what both servers sent. */
export function comparedOf(
  { bound }: Pick<VerificationReport, 'bound'>,
  validators: ValidatorSet,
  { signatures, source, body: ours }: SignedAnswer,
): ComparedBlock {
  const { blockId } = signatures;
  return {
    blockId,
    source,
    isBound: bound.includes('seqno'),
    evidence: (other, body) =>
      // The signed bytes of an ordinary list have no number, so the file could not show that both blocks have the same
      // one.
      ours === undefined || signatures.kind !== 'simplex'
        ? undefined
        : evidenceOf(SIGNED_TWICE_SCHEMA, blockId.seqno, validators, [
            { source, body: ours },
            { source: other, body },
          ]),
  };
}

export interface CompareOptions {
  /** Verifies signatures with the set that signed our block. */
  readonly verify: (set: Own<SignatureList>) => VerificationReport;
  /**
   * Returns whether the validators of that set can have withdrawn their stakes by now. Such a set can sign two histories,
   * so a second one is not evidence of a fork.
   */
  readonly isOld: () => boolean;
  readonly signal?: Signal;
  /** Milliseconds in which a source has to name its block. Default 10 s. */
  readonly deadlineMs?: number;
  /** Whether a server that does not have the block yet gets until the deadline. Default false. */
  readonly waitForBlock?: boolean;
}

export interface Comparison {
  readonly report: WitnessReport;
  /**
   * How many servers contradict with valid signatures while the number of neither block is proven. Either block may
   * then be the one of that number.
   */
  readonly rivals: number;
  /** Warnings about lists that did not verify: `signatures-not-final`. */
  readonly poor: readonly Warning[];
}

/** Returns the warning that says why the signatures of a server were rejected. */
export function notFinal(source: string, { verdict }: VerificationReport, other: BlockIdExt | undefined): Warning {
  const names = other === undefined ? '' : `; the server names a different block: ${formatBlockId(other)}`;
  const message = `${source}: its list of signatures is not final: ${verdict.status}${names}`;
  return { code: 'signatures-not-final', message };
}

/** Returns what one source adds to the comparison. @throws ForkError */
async function compareWithSource(
  name: string,
  { blockId, signed }: NamedBlock,
  ours: ComparedBlock,
  opts: CompareOptions,
): Promise<Comparison> {
  const other = differingField(blockId, ours.blockId) === undefined ? undefined : blockId;
  let report: VerificationReport | undefined;
  try {
    report = signed && opts.verify(signed.signatures);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  const isGood = report !== undefined && isSignedEnough(report);
  const poor = report === undefined || isGood ? [] : [notFinal(name, report, other)];
  if (other === undefined) return { report: reportOf('agreed', { source: name }), rivals: 0, poor };
  const statement = { source: name, key: formatBlockId(other), ...present({ body: signed?.body }) };
  const outcomes = report?.coverage.signatures.map(({ outcome }) => outcome) ?? [];
  const areEnough = isGood && report?.validators.provenance.kind !== 'claimed';
  const bindNumber = report?.bound.includes('seqno') === true;
  const areForged = outcomes.includes('bad-signature') && !outcomes.includes('unknown-signer');
  const opinion = opinionOfSignatures({ areEnough, bindNumber, areForged }, ours.isBound);
  const rivals = Number(areEnough && !ours.isBound);
  if (opinion !== 'forked') return { report: reportOf(opinion, statement), rivals, poor };
  const { source, body } = signed!; // without a signed answer there is no report
  const evidence = body && (await ours.evidence(source, body));
  if (opts.isOld()) return { report: reportOf('forked', statement, evidence), rivals, poor };
  const key = formatBlockId(ours.blockId);
  const message = `two certified blocks ${blockId.seqno}: ${ours.source} says ${key}; ${source} says ${statement.key}`;
  const statements = [{ source: ours.source, key }, statement];
  if (evidence === undefined) throw new SourceError('source/disagree', message, { statements, hint: FORK_HINT });
  throw new ForkError(message, evidence, statements);
}

/** Joins the comparisons with several sources into one. */
export function joinComparisons(all: readonly Comparison[]): Comparison {
  return {
    report: joinReports(all.map(({ report }) => report)),
    rivals: all.reduce((sum, { rivals }) => sum + rivals, 0),
    poor: all.flatMap(({ poor }) => poor),
  };
}

/**
 * Asks all sources which block has the number, and sorts their answers.
 * @throws ForkError when a source shows a different block of this number, signed by the same set, which is within its
 * stakes;
 * SourceError `source/aborted`
 */
export async function compare(
  witnesses: readonly Witness[],
  ours: ComparedBlock,
  opts: CompareOptions,
): Promise<Comparison> {
  const { deadlineMs = QUESTION_DEADLINE_MS, waitForBlock = false, signal: caller } = opts;
  async function ask({ name, named }: Witness, outer: Signal): Promise<Comparison> {
    let said: NamedBlock;
    try {
      said = await withinOneDeadline(name, { signal: outer, deadlineMs }, [], (signal) =>
        named(ours.blockId.seqno, { signal, deadlineMs, waitForBlock }),
      );
    } catch (error) {
      if (!(error instanceof SourceError) || outer.aborted) throw error;
      return { report: reportOf(opinionOfFailure(error.code), { source: name, error }), rivals: 0, poor: [] };
    }
    return await compareWithSource(name, said, ours, opts);
  }
  // A fork ends the comparison, so its signal stops the other questions.
  return await withinOneDeadline('the other servers', present({ signal: caller }), [], async (signal) =>
    joinComparisons(await Promise.all(witnesses.map((witness) => ask(witness, signal)))),
  );
}
