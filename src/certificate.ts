/**
 * `ton-finality/certificate`: one file by which a stranger checks, offline and from a block that he trusts, that a block is
 * final and that a fact stands in it. Runs anywhere.
 */

export {
  CertificateError,
  type CertificateErrorCode,
  DepositError,
  type DepositErrorCode,
} from './core/base/errors.ts';
export { buildCertificate, type CertificateInput } from './core/certificate/build.ts';
export type { FactInput, ShardWay } from './core/certificate/build-fact.ts';
export { type Equivocation, findEquivocation } from './core/certificate/equivocation.ts';
export type { FactKind } from './core/certificate/fact-parts.ts';
export {
  CERTIFICATE_REPORT_SCHEMA,
  CERTIFICATE_SCHEMA,
  certificateReportToJson,
  certificateToJson,
  parseCertificateJson,
} from './core/certificate/json.ts';
export type { CertifiedFact, CertifiedMessage, ShardBlockFact } from './core/certificate/judge-fact.ts';
export { minimalSigners, type PickedSigner, type SignerOptions } from './core/certificate/minimal-signers.ts';
export { type Certificate, certificateToBoc, parseCertificate } from './core/certificate/parse.ts';
export {
  type CertificateReport,
  type CertificateVerdict,
  type OldestSet,
  verifyCertificate,
} from './core/certificate/verify.ts';
export type { CertificateOptions, CertificateStep, SignedSummary } from './core/certificate/walk-steps.ts';
export { acceptDeposit, type Deposit, requireDeposit } from './core/facts/deposit.ts';
export type { DepositProof } from './core/facts/deposit-candidate.ts';
export type { DepositTerms, JettonAsset } from './core/facts/deposit-terms.ts';
