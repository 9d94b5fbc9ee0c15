/** Renders the report as text: the verdict first, then the reasons. It computes no verdict. */
import { encodeHex } from '../../core/base/bytes.ts';
import type { BlockIdField } from '../../core/block/block-id.ts';
import { signerIndex } from '../../core/validators/signer-index.ts';
import type { Provenance } from '../../core/validators/validator-set.ts';
import { sourceOf } from '../../core/verify/check-signatures.ts';
import { requireOwnReport } from '../../core/verify/own-report.ts';
import type { ResolvedPolicy, SignatureOutcome, VerificationReport, Warning } from '../../core/verify/report.ts';
import { headlineOf } from './headline.ts';
import { hintsOf } from './hints.ts';
import { percentOf, row, rows } from './layout.ts';

const BAR_CELLS = 48;

/** Draws signed weight as a bar, with a mark at the required weight. A cell is filled only if its whole share has signed. */
function bar(signed: bigint, required: bigint, total: bigint): string {
  const cells = BigInt(BAR_CELLS);
  const filled = Number((signed * cells) / total);
  const line = Number((required * cells) / total);
  const drawn: string[] = Array.from({ length: BAR_CELLS }, (_, cell) => (cell < filled ? '█' : '░'));
  drawn.splice(line, 0, '|');
  return drawn.join('');
}

const SIGNATURE_WORDS: Readonly<Record<SignatureOutcome, string>> = {
  valid: 'valid',
  'bad-signature': 'bad signature',
  'unknown-signer': 'unknown signer',
  'duplicate-signer': 'duplicate signer',
};

const FIELD_WORDS: Readonly<Record<BlockIdField, string>> = {
  workchain: 'workchain',
  shard: 'shard',
  seqno: 'seqno',
  rootHash: 'root hash',
  fileHash: 'file hash',
};

function provenanceWords(provenance: Provenance): string {
  switch (provenance.kind) {
    case 'given':
      return 'given by the caller';
    case 'proven':
      return `proven from block ${provenance.anchor.seqno}, by key block ${provenance.keyBlock.seqno}`;
    case 'claimed':
      return `only claimed by ${provenance.source}`;
  }
}

function policyWords(policy: ResolvedPolicy): string {
  const words = [
    `more than ${policy.threshold.num}/${policy.threshold.den}`,
    policy.onDefect === 'reject' ? 'any defect rejects, as in the node' : 'defects ignored, unlike the node',
  ];
  if (policy.acceptClaimed) words.push('claimed set accepted');
  if (policy.acceptUnbound) words.push('unbound number accepted');
  if (policy.requireBoundId) words.push('whole id must be bound');
  if (policy.requireProvenSet) words.push('set must be proven');
  if (policy.requireHeader) words.push('header must be proven');
  return words.join(', ');
}

function signerCounts(report: VerificationReport): string {
  const { coverage } = report;
  const outcomes = Object.entries(SIGNATURE_WORDS)
    .map(([wanted, words]) => [coverage.signatures.filter(({ outcome }) => outcome === wanted).length, words] as const)
    .filter(([count]) => count > 0)
    .map((words) => words.join(' '));
  const entries = `${coverage.signatures.length} ${coverage.signatures.length === 1 ? 'entry' : 'entries'}`;
  const missing = `${coverage.missing.length} of ${report.validators.count} validators missing`;
  return `${[entries, ...outcomes].join(', ')}; ${missing}`;
}

const SET_CHECK_WORDS = {
  match: 'its hash matches the header',
  mismatch: 'its hash does not match the header',
  'not-checked': 'not compared with a header',
} as const;

/** A warning in one line. */
export function warningWords({ code, message }: Warning): string {
  return `${code}: ${message}`;
}

/**
 * Returns one line for each entry, and one for each missing validator, without a final line end.
 * @throws UsageError `bad-option` for anything but a report that was made here
 */
export function renderSigners(report: VerificationReport): string {
  requireOwnReport(report);
  const { signatures, missing, totalWeight } = report.coverage;
  const index = signerIndex(sourceOf(report.coverage).validators);
  const line = (place: string, nodeId: Uint8Array, weight: bigint, outcome: string) =>
    `  ${place.padStart(5)}  ${encodeHex(nodeId)}  ${weight.toString().padStart(20)}  ${percentOf(weight, totalWeight).padStart(10)}  ${outcome}`;
  const weightOf = (nodeId: Uint8Array) => {
    const position = index.find(nodeId);
    return position === undefined ? 0n : index.weights[position]!;
  };
  return [
    `  ${'entry'.padStart(5)}  ${'node id'.padEnd(64)}  ${'weight'.padStart(20)}  ${'share'.padStart(10)}  outcome`,
    ...signatures.map((entry) =>
      line(String(entry.index), entry.nodeIdShort, entry.weight, SIGNATURE_WORDS[entry.outcome]),
    ),
    ...missing.map((nodeId) => line('-', nodeId, weightOf(nodeId), 'missing')),
  ].join('\n');
}

/**
 * Returns the report in about a dozen lines, without a final line end.
 * @param report the report of a verification, as the library returned it
 * @returns the text
 * @throws UsageError `bad-option` for anything but a report that was made here
 * @example
 * ```ts
 * import { parseSignatureList, parseValidatorSet, verifyBlock } from 'ton-finality';
 * import { renderText } from 'ton-finality/report';
 * import { simplexSample } from 'ton-finality/sample';
 * const signatures = parseSignatureList(simplexSample.signatures);
 * const validators = parseValidatorSet(simplexSample.validators);
 * const text = renderText(verifyBlock(signatures, validators));
 * console.log(text.split('\n')[0]); // FINAL: masterchain block 59379986 (simplex signatures)
 * ```
 */
export function renderText(report: VerificationReport): string {
  requireOwnReport(report);
  const { coverage, requiredWeight } = report;
  const { blockId } = sourceOf(coverage);
  const { signedWeight, totalWeight } = coverage;
  const margin = signedWeight - requiredWeight;
  const comparison = margin >= 0n ? `${margin} more than needed` : `${-margin} short of ${requiredWeight}`;
  return [
    headlineOf(report),
    '',
    ...rows({
      coverage: `${bar(signedWeight, requiredWeight, totalWeight)}  ${percentOf(signedWeight, totalWeight)}`,
      weight: `${signedWeight} of ${totalWeight} signed, ${comparison}`,
      signers: signerCounts(report),
      'root hash': encodeHex(blockId.rootHash),
      'file hash': encodeHex(blockId.fileHash),
      bound: report.bound.map((field) => FIELD_WORDS[field]).join(', '),
      set: `${provenanceWords(report.validators.provenance)}; ${SET_CHECK_WORDS[report.validators.setCheck]}`,
      network: report.network === 'match' ? undefined : 'not checked',
      policy: policyWords(report.policy),
      engine: report.engine,
    }),
    ...report.warnings.map((warning) => row('warning', warningWords(warning))),
    ...hintsOf(report).map((hint) => row('hint', hint)),
  ].join('\n');
}
