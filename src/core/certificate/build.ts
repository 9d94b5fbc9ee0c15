/**
 * Makes certificates: takes proofs as servers send them, verifies each, and keeps the fewest signatures and only the
 * cells that verification opens. Two makers therefore get the same bytes from the same facts.
 */

import { badArgument, badOption, requireMembers } from '../base/arguments.ts';
import { MAX_CERTIFICATE_FACTS } from '../base/limits.ts';
import { requireOptions } from '../base/options.ts';
import { type Own, ownList } from '../base/own-bytes.ts';
import { present } from '../base/present.ts';
import { type BlockIdExt, copyBlockId, differingField } from '../block/block-id.ts';
import { copySignatureList, type SignatureList } from '../block/signature-list.ts';
import { type CellLike, parseSingleRoot } from '../cells/boc.ts';
import { buildMerkleProof } from '../cells/build-proof.ts';
import { type Cell, ownReading } from '../cells/cell.ts';
import { writeBoc } from '../cells/write-boc.ts';
import { type KeyBlockStep, readStep } from '../chain/advance.ts';
import { type BlockHeader, openBlock, readProvenBlock } from '../chain/block-header.ts';
import { parsePartialBlockProof } from '../chain/block-proof.ts';
import { type Checkpoint, ownCheckpoint } from '../chain/checkpoint.ts';
import { type ForwardSource, type LinkOptions, requireFinal } from '../chain/link.ts';
import { trustError } from '../chain/shared-checks.ts';
import type { BlockFacts } from '../facts/proven-block.ts';
import { type FactInput, factPartsOf, recutFact } from './build-fact.ts';
import { certError } from './certificate-error.ts';
import type { FactParts } from './fact-parts.ts';
import { minimalSigners, type SignerOptions } from './minimal-signers.ts';
import { type Certificate, parseCertificate } from './parse.ts';
import { certificateCell, type StepPart } from './parts.ts';
import { verifyCertificate } from './verify.ts';
import { sourceFrom } from './walk-steps.ts';

/** The input of `buildCertificate`. */
export interface CertificateInput extends Pick<LinkOptions, 'engine'> {
  /** The start. Its key block becomes the anchor that verifiers have to trust. */
  readonly checkpoint: Checkpoint;
  /**
   * The steps from there, in order: liteServer.partialBlockProof with forward links only, or key blocks with their
   * signatures.
   */
  readonly proofs?: readonly (Uint8Array | KeyBlockStep)[];
  /** The signatures of the certified block, and a proof of its header; not needed when `proofs` end with this block. */
  readonly signatures?: SignatureList;
  readonly headerProof?: CellLike;
  readonly facts?: readonly FactInput[];
  /** Default: the fewest signatures that are final. */
  readonly signers?: SignerOptions;
}

/** A block on the way, which is final under the previous one. */
interface StepCells {
  readonly signatures: Own<SignatureList>;
  /** Shows the header. */
  readonly header: Cell;
  /** Shows the configuration too. */
  readonly config: Cell | undefined;
}

function blockKey({ seqno, rootHash }: BlockIdExt): string {
  return `${seqno}:${rootHash.join()}`;
}

/** All blocks on the way, in order, and the configurations that the proofs show. */
function readHops({ proofs = [], signatures, headerProof }: CertificateInput) {
  const hops: StepCells[] = [];
  const configs = new Map<string, Cell>();
  for (const [k, proof] of ownList(proofs, 'proofs').entries()) {
    if (!(proof instanceof Uint8Array)) {
      const { block, named } = readStep(proof, `proofs[${k}]`);
      const { root } = openBlock(block, 'block');
      hops.push({ signatures: named.list, header: root, config: root });
      continue;
    }
    for (const [n, link] of parsePartialBlockProof(proof, `proofs[${k}]`).links.entries()) {
      const path = `proofs[${k}].links[${n}]`;
      if (link.kind !== 'forward') {
        throw badOption('a certificate leads forward only, this link leads back', path);
      }
      configs.set(blockKey(link.from), openBlock(link.configProof, `${path}.config_proof`).root);
      const header = openBlock(link.destProof, `${path}.dest_proof`).root;
      hops.push({ signatures: link.signatures.list, header, config: undefined });
    }
  }
  if ((signatures === undefined) !== (headerProof === undefined)) {
    throw badOption('expected signatures and headerProof together', 'headerProof');
  }
  if (signatures !== undefined && headerProof !== undefined) {
    const own = copySignatureList(signatures);
    hops.push({ signatures: own, header: openBlock(headerProof, 'headerProof').root, config: undefined });
  }
  return { hops, configs };
}

/** The result of a reading, and the opened cells as a separate Merkle proof. */
function cut<T>(root: Cell, read: (root: Cell) => T): { read: T; proof: Cell } {
  const own = ownReading(root);
  return { read: read(own), proof: parseSingleRoot(buildMerkleProof(own), 'proof') };
}

function signedPart(list: Own<SignatureList>, source: ForwardSource, input: CertificateInput, header: BlockHeader) {
  const engines = present({ engine: input.engine });
  const report = requireFinal(source, header, { list }, engines, `block ${list.blockId.seqno}`);
  const signers = minimalSigners(report, input.signers);
  const signatures = signers.map(({ index, signature }) => ({ index, signature }));
  const part = { fileHash: list.blockId.fileHash, signatures };
  return list.kind === 'ordinary' ? part : { ...part, simplex: list };
}

/** Verifies the blocks in order and returns every key block on the way, and the last block. */
function readChain(input: CertificateInput) {
  const { keyBlock: anchor, configProof } = ownCheckpoint(input.checkpoint); // proves a checkpoint that was not made here
  const { hops, configs } = readHops(input);
  const last = hops.at(-1);
  if (last === undefined) {
    throw certError('cert/insufficient', 'no block to certify: neither proofs nor signatures', 'proofs');
  }
  const path = 'checkpoint.configProof';
  const first = cut(openBlock(configProof, path).root, (root) => sourceFrom(root, anchor, anchor, path, 'unread'));
  let source = first.read;
  const steps: StepPart[] = [{ proof: first.proof, signed: undefined }];
  const target = last.signatures.blockId;
  for (const hop of hops.slice(0, -1)) {
    const id = hop.signatures.blockId;
    const name = `block ${id.seqno}`;
    const { header } = readProvenBlock(hop.header, id, name);
    // Drops blocks that are not key blocks and lead nowhere, and a second copy of the certified block from `signatures`.
    if (!header.keyBlock || differingField(id, target) === undefined) continue;
    const config = configs.get(blockKey(id)) ?? hop.config;
    if (config === undefined) {
      const message = `no proof shows the configuration of key ${name}`;
      throw trustError('trust/no-config', message, 'proofs', 'pass a proof that starts at it, or the key block itself');
    }
    const signed = signedPart(hop.signatures, source, input, header);
    const { read, proof } = cut(config, (root) => sourceFrom(root, id, anchor, name));
    source = read;
    steps.push({ proof, signed });
  }
  const { read, proof } = cut(last.header, (root) => readProvenBlock(root, target, 'header'));
  const signed = signedPart(last.signatures, source, input, read.header);
  return { anchor, steps, target, globalId: source.globalId, last: { proof, signed } };
}

const INPUT = ['checkpoint', 'proofs', 'signatures', 'headerProof', 'facts', 'signers', 'engine'];

/**
 * The members that identify each kind of fact. Unknown members are rejected: a misspelt one would certify something
 * else.
 */
const FACTS: Readonly<Record<FactInput['kind'], readonly string[]>> = {
  transaction: ['account', 'lt', 'answer', 'way', 'message'],
  account: ['account', 'answer', 'way'],
  config: ['param', 'answer'],
  library: ['hash', 'answer'],
  'shard-block': ['block', 'way'],
};

function readFact(given: FactInput, path: string): FactInput {
  const { kind } = requireMembers(given, 'a fact', path);
  if (typeof kind !== 'string' || !Object.hasOwn(FACTS, kind)) {
    throw badArgument(`${path}.kind`, Object.keys(FACTS).join(', '), kind);
  }
  const fact = requireOptions(given, ['kind', ...FACTS[kind as FactInput['kind']]], path);
  if (fact.kind === 'shard-block') copyBlockId(fact.block, `${path}.block`);
  else requireMembers(fact.answer, 'an answer', `${path}.answer`);
  const way = 'way' in fact ? requireOptions(fact.way, ['links', 'shardProof'], `${path}.way`) : undefined;
  if (fact.kind === 'shard-block' && !(way && 'links' in way)) throw badArgument(`${path}.way`, 'links', fact.way);
  return Object.assign(fact, present({ way })); // a copy made here
}

/**
 * Makes a certificate, and verifies it as a verifier with the same checkpoint would.
 * @param given `checkpoint`, the start that verifiers have to trust; `proofs`, or `signatures` with `headerProof`, from there
 * to the certified block; `facts` below this block, by default none; `signers`, by default the fewest
 * @returns the certificate; `certificateToBoc` writes it to bytes
 * @throws TrustError naming the broken rule; CertificateError `cert/insufficient`; DecodeError; UsageError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCheckpoint } from 'ton-finality/chain';
 * import { buildCertificate, certificateToBoc } from 'ton-finality/facts';
 * const checkpoint = parseCheckpoint(JSON.parse(readFileSync('vectors/examples/checkpoint.json', 'utf8')));
 * const proofs = [readFileSync('vectors/examples/block-proof.tl')];
 * const certificate = buildCertificate({ checkpoint, proofs });
 * console.log(certificateToBoc(certificate).length); // 1665
 * ```
 */
export function buildCertificate(given: CertificateInput): Certificate {
  const input = requireOptions(given, INPUT);
  const wanted = ownList(input.facts ?? [], 'facts', MAX_CERTIFICATE_FACTS).map((fact, k) =>
    readFact(fact, `facts[${k}]`),
  );
  const { target, ...chain } = readChain(input);
  const block: BlockFacts = {
    id: target,
    globalId: chain.globalId,
    provenance: { kind: 'assumed' }, // only to read the facts once: they are verified again below
    path: [{ by: 'assumed', block: target }],
  };
  const facts = wanted.map(
    (fact, k): FactParts => recutFact(factPartsOf(fact, block, `facts[${k}]`), block, `facts[${k}]`),
  );
  const certificate = parseCertificate(writeBoc(certificateCell({ ...chain, facts })));
  const engines = present({ engine: input.engine });
  verifyCertificate(certificate, { anchor: chain.anchor, ...engines });
  return certificate;
}
