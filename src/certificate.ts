/**
 * `ton-finality/certificate`: one file by which a stranger checks, offline and from a block that he trusts, that a block is
 * final and that a fact stands in it. Runs anywhere.
 */

export { CertificateError, type CertificateErrorCode } from './base/errors.ts';
export { buildCertificate, type CertificateInput } from './certificate/build.ts';
export type { FactInput, ShardWay } from './certificate/build-fact.ts';
export { type Equivocation, findEquivocation } from './certificate/equivocation.ts';
export type { FactKind } from './certificate/fact-parts.ts';
export {
  CERTIFICATE_REPORT_SCHEMA,
  CERTIFICATE_SCHEMA,
  certificateReportToJson,
  certificateToJson,
  parseCertificateJson,
} from './certificate/json.ts';
export type { CertifiedFact, CertifiedMessage, ShardBlockFact } from './certificate/judge-fact.ts';
export { minimalSigners, type PickedSigner, type SignerOptions } from './certificate/minimal-signers.ts';
export { type Certificate, certificateToBoc, parseCertificate } from './certificate/parse.ts';
export {
  type CertificateReport,
  type CertificateVerdict,
  type OldestSet,
  verifyCertificate,
} from './certificate/verify.ts';
export type { CertificateOptions, CertificateStep, SignedSummary } from './certificate/walk-steps.ts';
