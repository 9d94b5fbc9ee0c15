/** Converts the bytes of a certificate to its parts, and back. `verify.ts` verifies the content. */

import { sha256 } from '@noble/hashes/sha2.js';
import type { CertificateError } from '../base/errors.ts';
import {
  MASTERCHAIN_SHARD,
  MASTERCHAIN_WORKCHAIN,
  MAX_CELL_SIGNATURES,
  MAX_CERTIFICATE_BYTES,
  MAX_CERTIFICATE_FACTS,
  MAX_CERTIFICATE_STEPS,
  SIGNATURE_BYTES,
} from '../base/limits.ts';
import { ownBytes } from '../base/own-bytes.ts';
import { registry } from '../base/registry.ts';
import { type BlockIdExt, copyBlockId } from '../block/block-id.ts';
import { parseSingleRoot } from '../cells/boc.ts';
import type { Cell } from '../cells/cell.ts';
import { forEachEntry } from '../cells/dictionary.ts';
import { Slice } from '../cells/slice.ts';
import { isCanonical } from '../cells/write-boc.ts';
import { hasShortestLabels } from '../cells/write-dictionary.ts';
import { readCandidate } from '../chain/block-signatures.ts';
import { readIdTail } from '../chain/previous-blocks.ts';
import { certError, tooMany } from './certificate-error.ts';
import { type FactParts, proofRef, readFactParts, type Ways } from './fact-parts.ts';
import {
  CANDIDATE_CELL_BYTES,
  CERTIFICATE_KIND,
  CERTIFICATE_TAG,
  CERTIFICATE_VERSION,
  type CertificateParts,
  SIGNER_INDEX_BITS,
  type SignedPart,
  type StepPart,
} from './parts.ts';
import { metered, requireHashable, workOf } from './work-limit.ts';

/** A parsed certificate. Do not trust its content before `verifyCertificate`. */
export interface Certificate {
  readonly version: 1;
  /** int32: the network that the certificate names. */
  readonly globalId: number;
  /** The block where the certificate starts. The verifier has to trust this block for its own reasons. */
  readonly anchor: BlockIdExt;
  /** SHA-256 of the bytes. Equal content has equal bytes, so this hash identifies the certificate. */
  readonly id: Uint8Array;
  /** Number of key blocks on the way, with the anchor, and number of facts. */
  readonly steps: number;
  readonly facts: readonly FactParts['kind'][];
}

const certificates = registry<{ readonly bytes: Uint8Array; readonly parts: CertificateParts }>();

/**
 * Returns the parts of a certificate that was read here. @throws CertificateError `cert/version` for any other object
 */
export function partsOf(certificate: Certificate) {
  const kept = certificates.own(certificate);
  if (kept !== undefined) return kept;
  const hint = 'pass the object that parseCertificate returned, not its bytes or a copy';
  throw certError('cert/version', 'expected a certificate of parseCertificate', 'certificate', hint);
}

function readId(slice: Slice): BlockIdExt {
  const workchain = slice.int32();
  const shard = BigInt.asIntN(64, slice.uint64());
  const id = { workchain, shard, ...readIdTail(slice) };
  slice.end();
  if (workchain !== MASTERCHAIN_WORKCHAIN || shard !== MASTERCHAIN_SHARD) {
    throw slice.error('expected a block of the masterchain');
  }
  return Object.freeze(id);
}

function notCanonical(path: string): CertificateError {
  const hint = 'ask its maker for the original file';
  return certError('cert/not-canonical', 'not the canonical encoding of this content', path, hint);
}

/**
 * Whether every cell of a candidate is as full as possible, as `candidateCell` makes them. The candidate was read, so
 * it ends and has whole bytes.
 */
function isCandidateChain(first: Cell): boolean {
  let cell = first;
  for (; cell.refCount > 0; cell = cell.ref(0)) if (cell.bitLength !== 8 * CANDIDATE_CELL_BYTES) return false;
  return cell === first || cell.bitLength > 0;
}

/**
 * Reads signatures.
 * @param seen entries of the whole certificate. An honest certificate has no signature twice, and each costs a check.
 */
function readSigned(slice: Slice, seen: Set<number>): SignedPart {
  const isSimplex = slice.bit();
  const fileHash = slice.bytes(32);
  const signatures: { index: number; signature: Uint8Array }[] = [];
  const root = slice.maybeRef();
  if (root !== undefined) {
    const path = `${slice.path}.signatures`;
    forEachEntry(new Slice(root, path), SIGNER_INDEX_BITS, MAX_CELL_SIGNATURES, (index, value) => {
      if (seen.has(value.index)) throw notCanonical(path);
      seen.add(value.index);
      signatures.push({ index, signature: value.bytes(SIGNATURE_BYTES) });
      value.end();
    });
    if (!hasShortestLabels(root, SIGNER_INDEX_BITS)) throw notCanonical(path);
  }
  if (!isSimplex) {
    slice.end();
    return { fileHash, signatures };
  }
  const sessionId = slice.bytes(32);
  const slot = slice.uint(32);
  const chain = slice.ref();
  const candidate = readCandidate(chain, `${slice.path}.candidate`);
  if (!isCandidateChain(chain)) throw notCanonical(`${slice.path}.candidate`);
  slice.end();
  return { fileHash, signatures, simplex: { sessionId, slot, candidate } };
}

function readSteps(first: Slice, seen: Set<number>): StepPart[] {
  const steps: StepPart[] = [];
  for (let step: Slice | undefined = first; step !== undefined; ) {
    if (steps.length === MAX_CERTIFICATE_STEPS) throw tooMany('steps', MAX_CERTIFICATE_STEPS, 'certificate');
    const proof = proofRef(step);
    const next: Slice | undefined = step.maybeSlice('next');
    const signed: SignedPart | undefined = step.bit() ? readSigned(step.refSlice('signed'), seen) : undefined;
    step.end();
    if ((signed === undefined) !== (steps.length === 0)) {
      throw step.error('expected signatures of every key block but the anchor');
    }
    steps.push({ proof, signed });
    step = next;
  }
  return steps;
}

function readFacts(first: Slice | undefined): FactParts[] {
  const facts: FactParts[] = [];
  const bodies = new Set<number>(); // places in the bag, which contains each cell once
  const ways: Ways = new Map();
  for (let fact = first; fact !== undefined; ) {
    if (facts.length === MAX_CERTIFICATE_FACTS) throw tooMany('facts', MAX_CERTIFICATE_FACTS, 'certificate');
    const kind = fact.uint(8);
    const next: Slice | undefined = fact.maybeSlice('next');
    const [body, path] = [fact.ref(), `facts[${facts.length}]`];
    if (bodies.has(body.index)) throw certError('cert/not-canonical', 'a duplicate fact', path);
    bodies.add(body.index);
    facts.push(readFactParts(kind, body, path, ways));
    fact.end();
    fact = next;
  }
  return facts;
}

function readParts(root: Slice): CertificateParts {
  const tag = root.bitsLeft >= 40 ? root.uint(32) : 0;
  if (tag !== CERTIFICATE_TAG) throw certError('cert/version', 'not a certificate', root.path);
  const version = root.uint(8);
  if (version !== CERTIFICATE_VERSION) {
    throw certError('cert/version', `expected version ${CERTIFICATE_VERSION}, got ${version}`, root.path);
  }
  const globalId = root.int32();
  const kind = root.uint(8);
  if (kind !== CERTIFICATE_KIND) {
    throw certError('cert/version', `expected a certificate of kind ${CERTIFICATE_KIND}, got ${kind}`, root.path);
  }
  const anchor = readId(root.refSlice('anchor'));
  const seen = new Set<number>();
  const steps = readSteps(root.refSlice('chain'), seen);
  const lastBlock = root.refSlice('last');
  const last = { proof: proofRef(lastBlock), signed: readSigned(lastBlock.refSlice('signed'), seen) };
  lastBlock.end();
  const facts = readFacts(root.maybeSlice('facts'));
  root.end();
  return { globalId, anchor, steps, last, facts };
}

/**
 * Reads a certificate. Only the canonical encoding is accepted: a different encoding of the same content is rejected.
 * @param bytes of the file; use `parseCertificateJson` for the JSON form
 * @returns the certificate, to be verified with `verifyCertificate`
 * @throws CertificateError `cert/version`, `cert/not-canonical`, `cert/too-large`; DecodeError `decode/boc`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCertificate } from 'ton-finality/facts';
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * console.log(certificate.facts[0]); // transaction
 * ```
 */
export function parseCertificate(bytes: Uint8Array): Certificate {
  const copy = ownBytes(bytes, 'certificate');
  if (copy.length > MAX_CERTIFICATE_BYTES) {
    const message = `expected at most ${MAX_CERTIFICATE_BYTES} bytes, got ${copy.length}`;
    throw certError('cert/too-large', message, 'certificate');
  }
  const root = parseSingleRoot(copy, 'certificate', requireHashable);
  // Every part was read to its end and has one layout. The form of the bag, and of the trees that are not read here,
  // remains.
  const parts = metered(root, workOf(root), () => readParts(new Slice(root, 'certificate')));
  if (root.level !== 0 || !isCanonical(copy, root)) throw notCanonical('certificate');
  const certificate: Certificate = {
    version: CERTIFICATE_VERSION,
    globalId: parts.globalId,
    anchor: copyBlockId(parts.anchor, 'anchor'), // a copy, since the caller can write to its bytes
    id: sha256(copy),
    steps: parts.steps.length,
    facts: Object.freeze(parts.facts.map(({ kind }) => kind)),
  };
  return certificates.make(certificate, { bytes: copy, parts });
}

/**
 * Writes a certificate as bytes, for a file named `*.fin.boc`.
 * @param certificate that `buildCertificate` or `parseCertificate` returned
 * @returns the bytes; equal certificates have equal bytes
 * @throws CertificateError `cert/version` for any other object
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { certificateToBoc, parseCertificate } from 'ton-finality/facts';
 * const certificate = parseCertificate(readFileSync('vectors/examples/deposit.fin.boc'));
 * console.log(certificateToBoc(certificate).length); // 4321
 * ```
 */
export function certificateToBoc(certificate: Certificate): Uint8Array {
  return partsOf(certificate).bytes.slice();
}
