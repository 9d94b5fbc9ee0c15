/**
 * Judges a certificate, all or nothing: from the block that its reader trusts, key block by key block, to the block it is
 * for, and every fact below that. The certificate never brings its own trust.
 */
import { equalBytes } from '../base/bytes.ts';
import { CertificateError, UsageError } from '../base/errors.ts';
import { HASH_BYTES } from '../base/limits.ts';
import { present } from '../base/present.ts';
import type { Cell } from '../cells/cell.ts';
import { openMerkleProof } from '../cells/merkle-proof.ts';
import {
  type BlockHeader,
  type PreviousBlocks,
  readBlock,
  readHeader,
  requireMasterchainId,
} from '../chain/block-header.ts';
import { type Checkpoint, ownCheckpoint } from '../chain/checkpoint.ts';
import { type ForwardSource, type LinkOptions, requireFinal, staleBy } from '../chain/link.ts';
import { readPreviousBlocks } from '../chain/previous-blocks.ts';
import { requireSameNetwork } from '../chain/shared-checks.ts';
import { readTrustedConfig, validatorsOf } from '../chain/trusted-config.ts';
import { type BlockIdExt, copyBlockId, differingField } from '../decode/block-id.ts';
import type { SignatureSet } from '../decode/signature-set.ts';
import { provenanceOf } from '../inclusion/final-block.ts';
import { type BlockProvenance, factsOf, makeProven, type ProvenBlock } from '../inclusion/proven-block.ts';
import { signerIndex } from '../validators/signer-index.ts';
import type { ValidatorSet } from '../validators/validator-set.ts';
import { withStaleStart } from '../verify/own-report.ts';
import type { VerificationReport } from '../verify/report.ts';
import { type CertifiedFact, judgeFact } from './judge-fact.ts';
import { type Certificate, partsOf } from './parse.ts';
import type { CertificateParts, SignedPart } from './parts.ts';
import { forgetOpened, requireAllUsed } from './used-cells.ts';

/** Where the reader's trust stands, and when. */
export interface CertificateOptions extends LinkOptions {
  /** The block that the reader pins: all five fields have to be those of the certificate's anchor. */
  readonly anchor?: BlockIdExt;
  /** Or a checkpoint of the reader's own, whose key block is one of the certificate's. */
  readonly checkpoint?: Checkpoint;
}

/** What the signatures of a block come to. */
export interface SignedSummary {
  readonly kind: SignatureSet['kind'];
  readonly signers: number;
  readonly validators: number;
  readonly signedWeight: bigint;
  readonly totalWeight: bigint;
}

/** One key block on the way. */
export interface CertificateStep {
  readonly block: BlockIdExt;
  /** Unix seconds. */
  readonly genUtime: number;
  /** Unix seconds until which its validators were elected. */
  readonly utimeUntil?: number;
  /** The signatures under it; absent for the block that trust starts from. */
  readonly signed?: SignedSummary;
}

/** The judgement of a certificate, from the anchor that its reader gave. */
export type CertificateVerdict =
  | { readonly status: 'final' }
  /** self-consistent: nobody said what to trust, so nothing is proven. stale-set: too old to vouch for a head. */
  | { readonly status: 'undecided'; readonly reason: 'self-consistent' | 'stale-set' };

/** What a certificate proves, and from where. */
export interface CertificateReport {
  readonly verdict: CertificateVerdict;
  readonly usedAnchor: { readonly kind: 'anchor' | 'checkpoint' | 'none'; readonly block: BlockIdExt };
  /** Key blocks from where trust starts, that one first. */
  readonly steps: readonly CertificateStep[];
  /** Key blocks before the reader's checkpoint, which were not looked at. */
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
  readonly validators: ValidatorSet;
  readonly set: SignatureSet;
}

const NOBODY = new Uint8Array(HASH_BYTES);

/** Signatures by place as signatures by name. A place that the set does not have is a name that nobody has. */
export function signatureSetOf(part: SignedPart, blockId: BlockIdExt, validators: ValidatorSet): SignatureSet {
  const { nodeIds } = signerIndex(validators);
  const signatures = part.signatures.map(({ index, signature }) => ({
    nodeIdShort: nodeIds[index] ?? NOBODY,
    signature,
  }));
  const common = { blockId, signatures };
  return part.simplex === undefined ? { kind: 'ordinary', ...common } : { kind: 'simplex', ...common, ...part.simplex };
}

/** The block that a proof is of, by its own header. @throws TrustError, DecodeError as a header */
export function readNamed(root: Cell, fileHash: Uint8Array, path: string): { id: BlockIdExt; header: BlockHeader } {
  const header = readHeader(readBlock(root, path), path);
  const { workchain, shard, seqno } = header;
  const id = Object.freeze({ workchain, shard, seqno, rootHash: root.hash(0), fileHash });
  requireMasterchainId(id, path);
  return { id, header };
}

/** The source that a proven configuration is for the blocks after it. */
export function sourceFrom(
  root: Cell,
  id: BlockIdExt,
  anchor: BlockIdExt,
  path: string,
  previous: PreviousBlocks = 'required',
): ForwardSource {
  const config = readTrustedConfig(root, id, path, previous, true);
  const { globalId, genUtime, vertSeqno } = config;
  return { id, globalId, genUtime, vertSeqno, validators: validatorsOf(config, anchor) };
}

interface Start {
  readonly source: ForwardSource;
  readonly at: number;
  readonly kind: 'anchor' | 'checkpoint' | 'none';
}

function isSame(a: BlockIdExt, b: BlockIdExt): boolean {
  return differingField(a, b) === undefined;
}

/** Where the reader's trust enters the chain. @throws CertificateError `cert/anchor` */
function findStart({ anchor, steps }: CertificateParts, opts: CertificateOptions): Start {
  if (opts.checkpoint !== undefined) {
    const { keyBlock: id, globalId, genUtime, validators } = ownCheckpoint(opts.checkpoint);
    const source = { id, globalId, genUtime, validators };
    const at = steps.findIndex(({ proof, signed }) => {
      if (signed === undefined) return isSame(anchor, id);
      return equalBytes(proof.ref(0).hash(0), id.rootHash) && equalBytes(signed.fileHash, id.fileHash);
    });
    if (at >= 0) return { source, at, kind: 'checkpoint' };
    throw new CertificateError(
      'cert/anchor',
      `no key block of the certificate is that of the checkpoint, ${id.seqno}`,
      {
        path: 'checkpoint',
        hint: 'ask for a certificate that starts from your checkpoint',
      },
    );
  }
  if (opts.anchor !== undefined) {
    const field = differingField(copyBlockId(opts.anchor, 'anchor'), anchor);
    if (field !== undefined) {
      throw new CertificateError('cert/anchor', `the certificate starts from another block: ${field} differs`, {
        path: 'anchor',
        hint: 'ask for a certificate that starts from the block you trust',
      });
    }
  }
  const [first] = steps;
  const path = 'chain[0]';
  forgetOpened(first!.proof);
  // What comes before a block that is pinned proves nothing more.
  const source = sourceFrom(openMerkleProof(first!.proof, path), anchor, anchor, path, 'unread');
  requireAllUsed(first!.proof, path);
  return { source, at: 0, kind: opts.anchor === undefined ? 'none' : 'anchor' };
}

/** Judges a certificate and keeps what equivocation needs. */
export function judgeCertificate(certificate: Certificate, opts: CertificateOptions = {}): Judged {
  if (opts.anchor !== undefined && opts.checkpoint !== undefined) {
    throw new UsageError('usage/bad-option', 'expected one of anchor and checkpoint, got both', { path: 'anchor' });
  }
  const { parts } = partsOf(certificate);
  const { engine, nowSeconds } = opts;
  const engines = present({ engine });
  const start = findStart(parts, opts);
  requireSameNetwork(parts.globalId, start.source.globalId, 'certificate.global_id');
  // The anchor of a checkpoint is what its holder pinned once; of anything else it is the first block.
  const pinned = opts.checkpoint === undefined ? parts.anchor : ownCheckpoint(opts.checkpoint).anchor;
  let { source } = start;
  const until = ({ validators: { utimeUntil } }: ForwardSource) => present({ utimeUntil });
  const steps: CertificateStep[] = [{ block: source.id, genUtime: source.genUtime, ...until(source) }];
  for (const [k, { proof, signed }] of parts.steps.entries()) {
    if (k <= start.at || signed === undefined) continue;
    const path = `chain[${k}]`;
    forgetOpened(proof);
    const root = openMerkleProof(proof, path);
    const { id, header } = readNamed(root, signed.fileHash, path);
    const report = requireFinal(source, header, { set: signatureSetOf(signed, id, source.validators) }, engines, path);
    source = sourceFrom(root, id, pinned, path);
    requireAllUsed(proof, path);
    steps.push({ block: id, genUtime: header.genUtime, ...until(source), signed: summaryOf(report) });
  }
  const { proof, signed } = parts.last;
  forgetOpened(proof);
  const { id, header } = readNamed(openMerkleProof(proof, 'last'), signed.fileHash, 'last');
  readPreviousBlocks(header, 'last');
  const set = signatureSetOf(signed, id, source.validators);
  const clock = present({ nowSeconds });
  const judged = requireFinal(source, header, { set }, { ...engines, ...clock }, 'last');
  requireAllUsed(proof, 'last');
  // Whoever got hold of the old keys of where trust starts could have made all that follows, however fresh it looks.
  const isStale = staleBy(start.source.validators, nowSeconds) === true;
  const report = isStale ? withStaleStart(judged, 'refused') : judged;
  const verdict = verdictOf(report, start.kind, isStale);
  const isFinal = verdict.status === 'final';
  const provenance: BlockProvenance = isFinal ? provenanceOf(report) : Object.freeze({ kind: 'assumed' });
  const proven = makeProven({
    id,
    globalId: header.globalId,
    provenance,
    path: [{ by: isFinal ? 'signatures' : 'assumed', block: id, genUtime: header.genUtime }],
  });
  const facts = parts.facts.map((part, k) => judgeFact(part, factsOf(proven), `facts[${k}]`));
  return {
    validators: source.validators,
    set,
    report: Object.freeze({
      verdict,
      usedAnchor: Object.freeze({ kind: start.kind, block: start.source.id }),
      steps: Object.freeze(steps),
      skippedSteps: start.at,
      block: id,
      genUtime: header.genUtime,
      signed: summaryOf(report),
      // A report under an anchor that nobody trusts would pass for more than it is.
      ...(start.kind === 'none' ? {} : { report }),
      ...(isFinal ? { proven } : {}),
      facts: Object.freeze(facts),
      validatorLists: 'main',
    }),
  };
}

function summaryOf({ coverage, validators }: VerificationReport): SignedSummary {
  const { kind, signatures, signedWeight, totalWeight } = coverage;
  return Object.freeze({ kind, signers: signatures.length, validators: validators.count, signedWeight, totalWeight });
}

function verdictOf(report: VerificationReport, anchor: Start['kind'], startIsStale: boolean): CertificateVerdict {
  if (anchor === 'none') return Object.freeze({ status: 'undecided', reason: 'self-consistent' });
  if (startIsStale || report.verdict.status !== 'final')
    return Object.freeze({ status: 'undecided', reason: 'stale-set' });
  return Object.freeze({ status: 'final' });
}

/**
 * Verifies a certificate from where its reader's trust stands. Without an anchor or a checkpoint the outcome is never
 * `final`: a certificate that only agrees with itself can be made by anybody.
 * @param opts.nowSeconds when the block is asked for as a head: a set too old for that gives `undecided`
 * @throws TrustError naming the rule that is broken; CertificateError `cert/anchor`, `cert/claim`, `cert/unused-cells`;
 * DecodeError, ValidatorSetError; UsageError
 */
export function verifyCertificate(certificate: Certificate, opts: CertificateOptions = {}): CertificateReport {
  return judgeCertificate(certificate, opts).report;
}
