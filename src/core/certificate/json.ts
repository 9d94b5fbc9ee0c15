/**
 * Converts a certificate to JSON and back. The JSON has the bytes, and for people a description of what they prove.
 * Reading computes the description again and rejects any difference, so the bytes alone determine the meaning.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { isList, isObject } from '../base/arguments.ts';
import { encodeBase64, encodeHex } from '../base/bytes.ts';
import type { CertificateError } from '../base/errors.ts';
import { readBase64 } from '../base/fields.ts';
import { describeJson, requireObject } from '../base/json-structure.ts';
import { MAX_CERTIFICATE_BYTES } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { type Json, membersToJson } from '../facts/to-json.ts';
import { certError } from './certificate-error.ts';
import { factClaim } from './claims.ts';
import { type Certificate, certificateToBoc, parseCertificate, partsOf } from './parse.ts';
import { type CertificateReport, type Judged, judgeCertificate } from './verify.ts';
import { type CertificateOptions, findStart } from './walk-steps.ts';

/** The identifier in the JSON of a certificate. */
export const CERTIFICATE_SCHEMA = 'ton-finality/certificate@1';

/** The description of a certificate, which does not depend on the verifier's anchor. */
function claimsOf(certificate: Certificate, { report, keyBlocks }: Judged): Json {
  const { block, genUtime, signed, facts } = report;
  const said = membersToJson({ anchor: partsOf(certificate).parts.anchor, block, genUtime, signed, keyBlocks });
  return { ...said, facts: facts.map(factClaim) };
}

/**
 * Converts a certificate to JSON, for people and for programs that exchange text. Read it back with
 * `parseCertificateJson`.
 * @param certificate to convert
 * @returns plain JSON: the bytes in base64, and a description of what they prove
 * @throws TrustError, CertificateError when the certificate contradicts itself
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { certificateToJson, parseCertificate } from 'ton-finality/facts';
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * console.log(certificateToJson(certificate).schema); // ton-finality/certificate@1
 * ```
 */
export function certificateToJson(certificate: Certificate): Json {
  const bytes = certificateToBoc(certificate);
  return {
    schema: CERTIFICATE_SCHEMA,
    version: 1,
    certificate: encodeBase64(bytes),
    sha256: encodeHex(sha256(bytes)),
    claims: claimsOf(certificate, judgeCertificate(certificate)),
  };
}

const MEMBERS = ['schema', 'version', 'certificate', 'sha256', 'claims'];

/**
 * Whether a claim equals what was found: the same values, with members in any order. Goes no deeper than what was
 * found.
 */
function isSameJson(found: unknown, claimed: unknown): boolean {
  if (typeof found !== 'object' || found === null) return found === claimed;
  if (!(isList(found) ? isList(claimed) : isObject(claimed))) return false;
  const [members, others] = [Object.entries(found), new Map(Object.entries(claimed as object))]; // a list, or an object
  return (
    members.length === others.size &&
    members.every(([key, value]) => others.has(key) && isSameJson(value, others.get(key)))
  );
}

/** Reads the bytes of a certificate from its JSON. The description is not compared here. */
function readJson(json: unknown, trusted: CertificateOptions) {
  const object = requireObject(json, 'certificate');
  if (object.schema !== CERTIFICATE_SCHEMA || object.version !== 1) {
    throw certError('cert/version', `expected ${CERTIFICATE_SCHEMA}, got ${describeJson(object.schema)}`, 'schema');
  }
  const unknown = Object.keys(object).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) throw wrongClaim('a member that no certificate has', unknown);
  const bytes = readBase64(object.certificate, 'certificate', MAX_CERTIFICATE_BYTES);
  const certificate = parseCertificate(bytes);
  findStart(partsOf(certificate).parts, trusted);
  if (object.sha256 !== encodeHex(certificate.id)) throw wrongClaim('not the hash of the certificate', 'sha256');
  return { certificate, claims: object.claims };
}

function wrongClaim(message: string, path: string): CertificateError {
  return certError('cert/claim', message, path);
}

function requireClaims(certificate: Certificate, judged: Judged, claims: unknown): void {
  if (!isSameJson(claimsOf(certificate, judged), claims)) throw wrongClaim('not what the certificate proves', 'claims');
}

/**
 * Reads a certificate from its JSON.
 * @param json parsed, with a parser that rejects repeated keys
 * @param opts `anchor` or `checkpoint`, if you already know what you trust. A certificate from elsewhere is then
 * rejected before its description is compared, which takes as long as verifying it.
 * @returns the certificate, to be verified with `verifyCertificate`
 * @throws CertificateError `cert/anchor`; `cert/version` for an unknown format; `cert/claim` when the description is
 * not what the bytes prove or a member is unknown; DecodeError `decode/base64`; and as `parseCertificate`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { certificateToJson, parseCertificate, parseCertificateJson } from 'ton-finality/facts';
 * const json = certificateToJson(parseCertificate(readFileSync('vectors/examples/deposit.fin.boc')));
 * const certificate = parseCertificateJson(json);
 * console.log(certificate.globalId); // 42
 * ```
 */
export function parseCertificateJson(
  json: unknown,
  opts: Pick<CertificateOptions, 'anchor' | 'checkpoint'> = {},
): Certificate {
  const { certificate, claims } = readJson(json, requireOptions(opts, ['anchor', 'checkpoint']));
  requireClaims(certificate, judgeCertificate(certificate), claims);
  return certificate;
}

/**
 * Reads a certificate from JSON and verifies it. Its signatures are only checked once.
 * @throws as `parseCertificateJson` and `verifyCertificate`
 */
export function verifyCertificateJson(json: unknown, opts: CertificateOptions): CertificateReport {
  const { certificate, claims } = readJson(json, opts);
  const judged = judgeCertificate(certificate, opts);
  requireClaims(certificate, judged, claims);
  return judged.report;
}
