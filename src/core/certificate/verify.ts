/**
 * Judges a certificate, all or nothing: from the block that its reader trusts, key block by key block, to the block it is
 * for, and every fact below that. The certificate never brings its own trust.
 */
import { badArgument } from '../base/arguments.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import type { Meter } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import { markAfter, readLinkOptions, requireFinal, staleBy } from '../chain/link.ts';
import { readPreviousBlocks } from '../chain/previous-blocks.ts';
import { provenanceOf, startOf } from '../facts/final-block.ts';
import { type BlockProvenance, factsOf, makeProven, type ProvenBlock } from '../facts/proven-block.ts';
import { withMark } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import { type CertifiedFact, judgeFact, noFindings } from './judge-fact.ts';
import { forgetOpened, requireAllUsed } from './no-extra-cells.ts';
import { type Certificate, partsOf } from './parse.ts';
import type { CertificateParts } from './parts.ts';
import {
  type CertificateOptions,
  type CertificateStep,
  findStart,
  readNamed,
  type SignedHop,
  type SignedSummary,
  type Start,
  signatureSetOf,
  summaryOf,
  walkSteps,
} from './walk-steps.ts';
import { metered, workOf } from './work.ts';

/** The judgement of a certificate, from the anchor that its verifier gave. */
export type CertificateVerdict =
  | { readonly status: 'final' }
  /** self-consistent: nobody said what to trust, so nothing is proven. stale-set: too old to vouch for a head. */
  | { readonly status: 'undecided'; readonly reason: 'self-consistent' | 'stale-set' };

/**
 * The set of a certificate whose time ends first. Nothing in a proof shows whether its keys were stolen since; anyone who has
 * them could have made everything after it.
 */
export interface OldestSet {
  /** The key block that installed it. */
  readonly keyBlock: BlockIdExt;
  /** Unix seconds until which it was elected. */
  readonly utimeUntil: number;
  /** Seconds from then to the reader's clock, below zero while it is in office; only with a clock. */
  readonly ageSeconds?: number;
}

/** The facts that a certificate proves, and its verdict. */
export interface CertificateReport {
  readonly verdict: CertificateVerdict;
  readonly usedAnchor: { readonly kind: 'anchor' | 'checkpoint' | 'none'; readonly block: BlockIdExt };
  /** Key blocks from where trust starts, that one first. */
  readonly steps: readonly CertificateStep[];
  readonly oldestSet?: OldestSet;
  /** Key blocks before the reader's checkpoint: read, but nobody looked at their signatures. */
  readonly skippedSteps: number;
  /** The block it is for. */
  readonly block: BlockIdExt;
  /** Unix seconds of `block`. It says nothing of any later time. */
  readonly genUtime: number;
  readonly signed: SignedSummary;
  /** In full; only where the reader said what to trust. */
  readonly report?: VerificationReport;
  /** For more facts than the certificate carries; only when the verdict is final. */
  readonly proven?: ProvenBlock;
  readonly facts: readonly CertifiedFact[];
  /** Only the validators that sign the masterchain were read of each list. */
  readonly validatorLists: 'main';
}

/** What stands behind a report, for those who look for contradictions. */
export interface Judged {
  readonly report: CertificateReport;
  /** Every block that was signed, behind where trust starts: the key blocks, then the block that the certificate is for. */
  readonly hops: readonly SignedHop[];
  /** Seqnos of all key blocks, those before where trust starts too. */
  readonly keyBlocks: readonly number[];
}

const ownReports = new WeakSet<object>();

/** @throws UsageError for anything but a report that was made here */
export function requireOwnCertificateReport(report: CertificateReport): CertificateReport {
  if (ownReports.has(report)) return report;
  throw badArgument('report', 'the report object of verifyCertificate', report);
}

/** What judging a certificate may take. */
export function workOfParts({ last, facts }: CertificateParts): Meter {
  return workOf(last.proof, facts.length);
}

/** Judges a certificate and keeps what equivocation needs. */
export function judgeCertificate(
  certificate: Certificate,
  opts: CertificateOptions = {},
  work = workOfParts(partsOf(certificate).parts),
): Judged {
  const { parts } = partsOf(certificate);
  const own = readLinkOptions(opts, ['anchor', 'checkpoint']);
  return metered(parts.last.proof, work, () => judgeParts(parts, own, work));
}

function judgeParts(parts: CertificateParts, opts: CertificateOptions, work: Meter): Judged {
  const { engine, nowSeconds, anchor, checkpoint } = opts;
  const engines = present({ engine });
  const start = findStart(parts, present({ anchor, checkpoint }));
  const { proof, signed } = parts.last;
  const { first, source, steps, hops, keyBlocks } = walkSteps(parts, start, engines, work);
  forgetOpened(proof);
  const { id, header } = readNamed(openMerkleProof(proof, 'last'), signed.fileHash, 'last');
  readPreviousBlocks(header, 'last');
  const set = signatureSetOf(signed, id, source.validators);
  const clock = present({ nowSeconds });
  const judged = requireFinal(source, header, { set }, { ...engines, ...clock }, 'last');
  requireAllUsed(proof, 'last', work);
  // Whoever got hold of the old keys of where trust starts could have made all that follows, however fresh it looks.
  const mark = markAfter(start.checkpoint?.staleStart ?? 'none', staleBy(first.validators, nowSeconds), false);
  const isStale = mark === 'refused';
  const report = withMark(judged, mark);
  const verdict = verdictOf(report, start.kind, isStale);
  const isFinal = verdict.status === 'final';
  const provenance: BlockProvenance = isFinal ? provenanceOf(report) : Object.freeze({ kind: 'assumed' });
  const proven = makeProven({
    id,
    globalId: header.globalId,
    provenance,
    start: startOf(report),
    path: [{ by: isFinal ? 'signatures' : 'assumed', block: id, genUtime: header.genUtime }],
  });
  const findings = noFindings(work);
  const facts = parts.facts.map((part, k) => judgeFact(part, factsOf(proven), `facts[${k}]`, findings));
  const own: CertificateReport = Object.freeze({
    verdict,
    usedAnchor: Object.freeze({ kind: start.kind, block: copyBlockId(first.keyBlock, 'anchor') }),
    steps: Object.freeze(steps),
    ...present({ oldestSet: oldestOf(steps, nowSeconds) }),
    skippedSteps: start.at,
    block: id,
    genUtime: header.genUtime,
    signed: summaryOf(report),
    // A report under an anchor that nobody trusts would pass for more than it is.
    ...(start.kind === 'none' ? {} : { report }),
    ...(isFinal ? { proven } : {}),
    facts: Object.freeze(facts),
    validatorLists: 'main',
  });
  ownReports.add(own);
  return {
    hops: [...hops, { id, keyBlock: header.keyBlock, set, validators: source.validators, report }],
    keyBlocks,
    report: own,
  };
}

function oldestOf(steps: readonly CertificateStep[], nowSeconds: number | undefined): OldestSet | undefined {
  let oldest: OldestSet | undefined;
  for (const { block: keyBlock, utimeUntil } of steps) {
    if (utimeUntil === undefined || (oldest !== undefined && oldest.utimeUntil <= utimeUntil)) continue;
    const age = nowSeconds === undefined ? {} : { ageSeconds: nowSeconds - utimeUntil };
    oldest = Object.freeze({ keyBlock, utimeUntil, ...age });
  }
  return oldest;
}

function verdictOf(report: VerificationReport, anchor: Start['kind'], startIsStale: boolean): CertificateVerdict {
  if (anchor === 'none') return Object.freeze({ status: 'undecided', reason: 'self-consistent' });
  if (startIsStale || report.verdict.status !== 'final')
    return Object.freeze({ status: 'undecided', reason: 'stale-set' });
  return Object.freeze({ status: 'final' });
}

/**
 * Verifies a certificate from the anchor that its verifier trusts. Without an anchor or a checkpoint the outcome is never
 * `final`: a certificate that only agrees with itself can be made by anybody.
 * @param opts.nowSeconds when the block is asked for as a head: a set too old for that gives `undecided`
 * @throws TrustError naming the rule that is broken; CertificateError `cert/anchor`, `cert/claim`, `cert/unused-cells`;
 * DecodeError, ValidatorSetError; UsageError
 */
export function verifyCertificate(certificate: Certificate, opts: CertificateOptions = {}): CertificateReport {
  return judgeCertificate(certificate, opts).report;
}
