/**
 * A certificate as JSON: the bytes, and what they prove in words for people. The words are output: on reading they are
 * computed again, and any difference is refused. So there is one source of truth.
 */
import { decodeBase64, encodeBase64, encodeHex } from '../base/bytes.ts';
import { CertificateError } from '../base/errors.ts';
import { blockIdJson } from '../chain/checkpoint.ts';
import { describeJson, requireObject } from '../decode/json-structure.ts';
import { formatAccountId } from '../inclusion/account-id.ts';
import { messageToJson } from '../inclusion/to-json.ts';
import type { CertifiedFact } from './judge-fact.ts';
import { type Certificate, certificateToBoc, parseCertificate } from './parse.ts';
import { type CertificateReport, type SignedSummary, verifyCertificate } from './verify.ts';

/** The identifier in the JSON of a certificate. */
export const CERTIFICATE_SCHEMA = 'ton-finality/certificate@1';

type Json = Readonly<Record<string, unknown>>;

function signedJson({ kind, signers, validators, signedWeight, totalWeight }: SignedSummary): Json {
  return { kind, signers, validators, signedWeight: String(signedWeight), totalWeight: String(totalWeight) };
}

/** What a fact says, without where it stands. */
function factClaim(fact: CertifiedFact): Json {
  const block = blockIdJson(fact.block);
  switch (fact.kind) {
    case 'shard-block':
      return { kind: fact.kind, block };
    case 'message': {
      const { account, lt, hash } = fact.transaction;
      const of = { account: formatAccountId(account), lt: String(lt), transactionHash: encodeHex(hash) };
      return { kind: fact.kind, ...of, message: messageToJson(fact.message), block };
    }
    case 'transaction': {
      const asked = { account: formatAccountId(fact.account), lt: String(fact.lt) };
      if (!fact.found) return { kind: fact.kind, found: false, reason: fact.reason, ...asked, block };
      const outcome = fact.transaction === undefined ? {} : { success: fact.transaction.outcome.success };
      return { kind: fact.kind, found: true, ...asked, hash: encodeHex(fact.hash), ...outcome, block };
    }
    case 'account': {
      const account = formatAccountId(fact.account);
      if (!fact.exists) return { kind: fact.kind, exists: false, reason: fact.reason, account, block };
      const { accountHash, balance, lastTransLt } = fact;
      const state = {
        accountHash: encodeHex(accountHash),
        balance: String(balance.grams),
        lastTransLt: String(lastTransLt),
      };
      return { kind: fact.kind, exists: true, account, ...state, block };
    }
    case 'config':
      return {
        kind: fact.kind,
        found: fact.found,
        param: fact.param,
        ...(fact.found ? { hash: encodeHex(fact.hash) } : {}),
        block,
      };
    default:
      return { kind: fact.kind, found: fact.found, hash: encodeHex(fact.hash), block };
  }
}

function claimsOf(certificate: Certificate): Json {
  const { block, genUtime, signed, steps, facts } = verifyCertificate(certificate);
  return {
    anchor: blockIdJson(certificate.anchor),
    block: blockIdJson(block),
    genUtime,
    signed: signedJson(signed),
    keyBlocks: steps.map((step) => step.block.seqno),
    facts: facts.map(factClaim),
  };
}

/**
 * A certificate as JSON, for people and for programs that carry text. Read it back with `parseCertificateJson`.
 * @throws TrustError, CertificateError when the certificate does not even agree with itself
 */
export function certificateToJson(certificate: Certificate): Json {
  return {
    schema: CERTIFICATE_SCHEMA,
    version: 1,
    certificate: encodeBase64(certificateToBoc(certificate)),
    sha256: encodeHex(certificate.id),
    claims: claimsOf(certificate),
  };
}

/** The identifier in the JSON of what came out of a certificate. */
export const CERTIFICATE_REPORT_SCHEMA = 'ton-finality/certificate-report@1';

/** What a certificate proves, as JSON. A published contract: `schemas/certificate-report-1.json`. */
export function certificateReportToJson(report: CertificateReport): Json {
  const { verdict, usedAnchor, steps, skippedSteps, block, genUtime, signed, facts, validatorLists } = report;
  return {
    schema: CERTIFICATE_REPORT_SCHEMA,
    verdict,
    usedAnchor: { kind: usedAnchor.kind, block: blockIdJson(usedAnchor.block) },
    block: blockIdJson(block),
    genUtime,
    signed: signedJson(signed),
    steps: steps.map((step) => ({
      block: blockIdJson(step.block),
      genUtime: step.genUtime,
      ...(step.utimeUntil === undefined ? {} : { utimeUntil: step.utimeUntil }),
      ...(step.signed === undefined ? {} : { signed: signedJson(step.signed) }),
    })),
    skippedSteps,
    validatorLists,
    facts: facts.map(factClaim),
  };
}

const MEMBERS = ['schema', 'version', 'certificate', 'sha256', 'claims'];

/** JSON with the members of every object in order, so that equal values are equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

/**
 * Reads a certificate from its JSON.
 * @param json parsed; a key that stands twice in the text is for its parser to refuse, as the command does
 * @throws CertificateError `cert/version` for what is none, `cert/claim` when what it says of itself is not what its bytes
 * prove or a member is unknown; and as `parseCertificate`
 */
export function parseCertificateJson(json: unknown): Certificate {
  const object = requireObject(json, 'certificate');
  if (object.schema !== CERTIFICATE_SCHEMA || object.version !== 1) {
    throw new CertificateError('cert/version', `expected ${CERTIFICATE_SCHEMA}, got ${describeJson(object.schema)}`, {
      path: 'schema',
    });
  }
  const unknown = Object.keys(object).find((key) => !MEMBERS.includes(key));
  const claim = (message: string, path: string) => new CertificateError('cert/claim', message, { path });
  if (unknown !== undefined) throw claim('a member that no certificate has', unknown);
  const bytes = typeof object.certificate === 'string' ? decodeBase64(object.certificate) : undefined;
  if (bytes === undefined) throw new CertificateError('cert/version', 'expected base64', { path: 'certificate' });
  const certificate = parseCertificate(bytes);
  if (object.sha256 !== encodeHex(certificate.id)) throw claim('not the hash of the certificate', 'sha256');
  if (JSON.stringify(sorted(object.claims)) !== JSON.stringify(sorted(claimsOf(certificate)))) {
    throw claim('not what the certificate proves', 'claims');
  }
  return certificate;
}
