/**
 * Verifies a certificate as a whole: from the block that the verifier trusts, key block by key block, to the certified
 * block, and every fact below it. The certificate cannot supply the trusted block.
 */
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import type { WorkMeter } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import { markAfter, readLinkOptions, requireFinal, staleBy } from '../chain/link.ts';
import { readPreviousBlocks } from '../chain/previous-blocks.ts';
import { trustOf } from '../facts/final-block.ts';
import {
  type FinalityException,
  factsOf,
  makeProven,
  type ProofStep,
  type ProvenBlock,
} from '../facts/proven-block.ts';
import { withMark } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import { reportClaims } from './claims.ts';
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
  signatureListOf,
  summaryOf,
  walkSteps,
} from './walk-steps.ts';
import { metered, workOf } from './work-limit.ts';

/** The verdict of a certificate, from the anchor that its verifier gave. */
export type CertificateVerdict =
  | { readonly status: 'final' }
  /**
   * 'self-consistent': you did not say what to trust, so nothing is proven. 'stale-set': the validators are too old for
   * a head.
   */
  | { readonly status: 'undecided'; readonly reason: 'self-consistent' | 'stale-set' };

/**
 * The validator set of a certificate that expires first. A proof does not show whether its keys were stolen later; an
 * attacker with these keys could have made every later block.
 */
export interface OldestSet {
  /** The key block that installed the set. */
  readonly keyBlock: BlockIdExt;
  /** Unix seconds until which the set was elected. */
  readonly utimeUntil: number;
  /** Seconds from the expiry to the verifier's clock, negative while the set is in office; only with a clock. */
  readonly ageSeconds?: number;
}

/**
 * The facts that a certificate proves, and its verdict. `JSON.stringify` of it gives the published JSON, `schemas/certificate-report-1.json`.
 */
export interface CertificateReport {
  readonly verdict: CertificateVerdict;
  readonly usedAnchor: { readonly kind: 'anchor' | 'checkpoint' | 'none'; readonly block: BlockIdExt };
  /** Key blocks from the trusted block on, which is the first. */
  readonly steps: readonly CertificateStep[];
  readonly oldestSet?: OldestSet;
  /** Number of key blocks before the verifier's checkpoint. They were read, but their signatures were not checked. */
  readonly skippedSteps: number;
  /** The certified block. */
  readonly block: BlockIdExt;
  /** Unix seconds of `block`. The certificate does not prove anything about a later time. */
  readonly genUtime: number;
  readonly signed: SignedSummary;
  /** The full report; only if the verifier said what to trust. */
  readonly report?: VerificationReport;
  /** The facts of the certificate; only when the verdict is final. */
  readonly proven?: ProvenBlock;
  /** Exceptions behind a final verdict, as in the provenance of the facts; absent where there are none. */
  readonly exceptions?: readonly FinalityException[];
  readonly facts: readonly CertifiedFact[];
  /** Set when only the validators that sign the masterchain were read of each list. */
  readonly validatorLists: 'main';
}

/** The inputs of a report, for the search for contradictions. */
export interface Judged {
  readonly report: CertificateReport;
  /** Every signed block after the trusted one: the key blocks, then the certified block. */
  readonly hops: readonly SignedHop[];
  /** Seqnos of all key blocks, with those before the trusted block. */
  readonly keyBlocks: readonly number[];
}

/** Called by `JSON.stringify`. */
function toJSON(this: CertificateReport) {
  return reportClaims(this);
}

/** Limit of the work of verifying a certificate. */
export function workOfParts({ last, facts }: CertificateParts): WorkMeter {
  return workOf(last.proof, facts.length);
}

/** Verifies a certificate and keeps what the search for contradictions needs. */
export function judgeCertificate(
  certificate: Certificate,
  opts: CertificateOptions = {},
  work = workOfParts(partsOf(certificate).parts),
): Judged {
  const { parts } = partsOf(certificate);
  const own = readLinkOptions(opts, ['anchor', 'checkpoint']);
  return metered(parts.last.proof, work, () => judgeParts(parts, own, work));
}

function judgeParts(parts: CertificateParts, opts: CertificateOptions, work: WorkMeter): Judged {
  const { engine, nowSeconds } = opts;
  const start = findStart(parts, opts);
  const { proof, signed } = parts.last;
  const { first, source, steps, hops, keyBlocks } = walkSteps(parts, start, present({ engine }), work);
  forgetOpened(proof);
  const { id, header } = readNamed(openMerkleProof(proof, 'last'), signed.fileHash, 'last');
  readPreviousBlocks(header, 'last');
  const list = signatureListOf(signed, id, source.validators);
  const judged = requireFinal(source, header, { list }, opts, 'last');
  requireAllUsed(proof, 'last', work);
  // An attacker with the old keys of the trusted block could have made all later blocks, however fresh they look.
  const mark = markAfter(start.checkpoint?.staleStart ?? 'none', staleBy(first.validators, nowSeconds), false);
  const isStale = mark === 'refused';
  const report = withMark(judged, mark);
  const verdict = verdictOf(report, start.kind, isStale);
  const isFinal = verdict.status === 'final';
  const { globalId, genUtime } = header;
  const trust = trustOf(report);
  const provenance = isFinal ? trust.provenance : Object.freeze({ kind: 'assumed' as const });
  const exceptions =
    provenance.kind === 'final' && provenance.exceptions.length > 0 ? provenance.exceptions : undefined;
  const path: ProofStep[] = [{ by: isFinal ? 'signatures' : 'assumed', block: id, genUtime }];
  const proven = makeProven({ id, globalId, ...trust, provenance, path });
  const findings = noFindings(work);
  const facts = parts.facts.map((part, k) => judgeFact(part, factsOf(proven), `facts[${k}]`, findings));
  const own: CertificateReport = {
    verdict,
    usedAnchor: Object.freeze({ kind: start.kind, block: copyBlockId(first.keyBlock, 'anchor') }),
    steps: Object.freeze(steps),
    ...present({ oldestSet: oldestOf(steps, nowSeconds) }),
    skippedSteps: start.at,
    block: copyBlockId(id, 'block'), // the report of its signatures keeps `id`
    genUtime,
    signed: summaryOf(report),
    // Without a trusted anchor the report is left out: it would look like a proof.
    ...(start.kind === 'none' ? {} : { report }),
    ...(isFinal ? { proven } : {}),
    ...present({ exceptions }),
    facts: Object.freeze(facts),
    validatorLists: 'main',
  };
  Object.freeze(Object.defineProperty(own, 'toJSON', { value: toJSON }));
  return {
    hops: [...hops, { id, keyBlock: header.keyBlock, signatures: list, validators: source.validators, report }],
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
 * Verifies a certificate from the block that you trust. Without an anchor or a checkpoint the verdict is never `final`,
 * since an attacker can make a certificate that agrees with itself.
 * @param certificate that `parseCertificate` or `buildCertificate` returned
 * @param opts `anchor` (a block id) or `checkpoint`, which you trust; `nowSeconds` (Unix seconds) to check that the
 * block is a recent head, by default not checked, as an old deposit stays valid; `engine` for Ed25519
 * @returns the verdict, and the proven facts if it is `final`
 * @throws TrustError naming the broken rule; CertificateError `cert/anchor`, `cert/claim`, `cert/unused-cells`;
 * DecodeError, ValidatorSetError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { parseCertificate, verifyCertificate } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * const { verdict, facts } = verifyCertificate(certificate, { checkpoint });
 * console.log(verdict.status, facts[0].kind); // final transaction
 * ```
 */
export function verifyCertificate(certificate: Certificate, opts: CertificateOptions = {}): CertificateReport {
  return judgeCertificate(certificate, opts).report;
}
