/**
 * Evidence of a fork: two answers that each prove blocks final from the same key block, although both cannot be on one
 * chain. A holder of the file can check it without any server. The two ways are compared at the block where they differ
 * first, because validators of a forged way after it may be made up.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '../../core/base/bytes.ts';
import { DecodeError } from '../../core/base/errors.ts';
import { readBase64 } from '../../core/base/fields.ts';
import { OPEN_BRACE } from '../../core/base/json-scan.ts';
import { requireList, requireObject, requireString } from '../../core/base/json-structure.ts';
import { parseJsonBytes } from '../../core/base/json-text.ts';
import { MAX_PROOF_ANSWER_BYTES, MAX_SERVER_TEXT_CHARS } from '../../core/base/limits.ts';
import { present } from '../../core/base/present.ts';
import { type BlockIdExt, differingField } from '../../core/block/block-id.ts';
import { cleanServerText } from '../../core/block/envelope.ts';
import { parseSignatureList } from '../../core/block/signature-list.ts';
import { parsePartialBlockProof } from '../../core/chain/block-proof.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint, validatorSetAt } from '../../core/chain/checkpoint.ts';
import type { LinkOptions } from '../../core/chain/link.ts';
import { trustError } from '../../core/chain/shared-checks.ts';
import { type BlockWalk, verifyBlockProof } from '../../core/chain/walk.ts';
import { parseValidatorSet } from '../../core/validators/from-json.ts';
import type { ValidatorSet } from '../../core/validators/validator-set.ts';
import type { VerificationReport } from '../../core/verify/report.ts';
import { contradict, type SignedBlock, signedBoth } from '../../core/verify/signed-both.ts';
import { verifyBlock } from '../../core/verify/verifier.ts';
import {
  EVIDENCE_SCHEMA,
  evidenceOf,
  type ForkEvidence,
  type ProvenSide,
  SIGNED_TWICE_SCHEMA,
} from '../sources/fork-error.ts';

/** One of the two certified blocks. */
export interface ForkSide {
  readonly source: string;
  /** The block at which the two ways differ first; a way may lead further. */
  readonly blockId: BlockIdExt;
  /** The walk of the proof; absent where the side is a signature list. */
  readonly walk?: BlockWalk;
}

/** The fork that an evidence file proves. */
export interface ForkProof {
  /**
   * The checkpoint of both sides. Absent where the file names a validator set instead; check yourself that this set was
   * entitled to sign.
   */
  readonly checkpoint?: Checkpoint;
  /** The number of both blocks; the lower number where one block says that the other is not a key block. */
  readonly seqno: number;
  readonly sides: readonly [ForkSide, ForkSide];
  /** Node ids of the validators with a valid signature on both blocks. */
  readonly signedBoth: readonly Uint8Array[];
  /** The weight of those validators, and of the whole set. */
  readonly signedBothWeight: bigint;
  readonly totalWeight: bigint;
}

/** Makes evidence. @param sides two answers that hold from the checkpoint */
export function forkEvidence(checkpoint: Checkpoint, sides: readonly [ProvenSide, ProvenSide]): ForkEvidence {
  const { seqno } = parsePartialBlockProof(sides[0].body).to;
  return evidenceOf(EVIDENCE_SCHEMA, seqno, { checkpoint: checkpointToJson(checkpoint) }, sides);
}

/** A block on the way that signatures make final, and the key block of their set. */
interface ForkHop extends SignedBlock {
  /** `undefined` for the set of the file. */
  readonly from: BlockIdExt | undefined;
  /** Set for a signature list, which does not name its key block: one set may serve under several. */
  readonly isBare?: true;
  readonly report: VerificationReport;
}

interface Side extends ForkSide {
  readonly hops: readonly ForkHop[];
}

/** The checkpoint or the set that both sides are verified with. */
interface Trust {
  readonly isSignedTwice: boolean;
  readonly checkpoint?: Checkpoint;
  readonly validators: ValidatorSet;
}

/** Reads a signature list. All signatures must be valid and must cover the number of the block. */
function readSigned(body: Uint8Array, path: string, trust: Trust, engine: Pick<LinkOptions, 'engine'>): ForkHop {
  const signatures = parseSignatureList(parseJsonBytes(body, path));
  const report = verifyBlock(signatures, trust.validators, { requireBoundId: true, ...engine });
  if (report.verdict.status !== 'final') {
    throw trustError('trust/incomplete', `expected signatures of a final block: ${report.verdict.status}`, path);
  }
  return {
    from: trust.checkpoint?.keyBlock,
    id: signatures.blockId,
    keyBlock: false,
    signatures,
    report,
    isBare: true,
  };
}

function readSide(value: unknown, path: string, trust: Trust, engine: Pick<LinkOptions, 'engine'>): Side {
  const side = requireObject(value, path);
  const text = (name: 'source' | 'answer' | 'sha256') => requireString(side[name], `${path}.${name}`);
  const source = cleanServerText(text('source').slice(0, MAX_SERVER_TEXT_CHARS));
  const tl = readBase64(text('answer'), `${path}.answer`, MAX_PROOF_ANSWER_BYTES);
  if (encodeHex(sha256(tl)) !== text('sha256')) {
    throw new DecodeError('decode/shape', 'the answer has a different SHA-256', { path: `${path}.sha256` });
  }
  const { checkpoint } = trust;
  // JSON; an answer as TL begins with the id of its constructor.
  if (tl[0] === OPEN_BRACE && trust.isSignedTwice) {
    const hop = readSigned(tl, `${path}.answer`, trust, engine);
    return { source, blockId: hop.id, hops: [hop] };
  }
  if (checkpoint === undefined) throw new DecodeError('decode/shape', 'expected a checkpoint for a proof', { path });
  const walk = verifyBlockProof(tl, checkpoint, engine);
  const forward = parsePartialBlockProof(tl).links.filter((link) => link.kind === 'forward');
  const hops = forward.map(({ from, to: id, toKeyBlock: keyBlock, signatures: { list } }, k): ForkHop => {
    return { from, id, keyBlock, signatures: list, report: walk.reports[k]! }; // one report for each forward link, in order
  });
  return { source, blockId: walk.tip, walk, hops };
}

/** Finds the first two blocks, one of each way, that one set signed and that contradict each other. */
function findFork(one: readonly ForkHop[], other: readonly ForkHop[]): readonly [ForkHop, ForkHop] | undefined {
  for (const a of one) {
    const b = other.find(({ from, ...hop }) => {
      if ((a.isBare || hop.isBare) && a.id.seqno !== hop.id.seqno) return false;
      const isOfSet = from === a.from || (from && a.from && differingField(from, a.from) === undefined);
      return isOfSet && contradict(a, hop);
    });
    if (b !== undefined) return [a, b];
  }
  return undefined;
}

/** Reads the checkpoint or the set of the file. @throws DecodeError, ValidatorSetError, TrustError */
function readTrust(evidence: Readonly<Record<string, unknown>>): Trust {
  const isSignedTwice = evidence.schema === SIGNED_TWICE_SCHEMA;
  if (!isSignedTwice && evidence.schema !== EVIDENCE_SCHEMA) {
    const wanted = `expected ${EVIDENCE_SCHEMA} or ${SIGNED_TWICE_SCHEMA}`;
    throw new DecodeError('decode/shape', wanted, { path: 'evidence.schema' });
  }
  if (isSignedTwice && evidence.validators !== undefined) {
    return { isSignedTwice, validators: parseValidatorSet(evidence.validators) };
  }
  const checkpoint = parseCheckpoint(evidence.checkpoint);
  return { isSignedTwice, checkpoint, validators: validatorSetAt(checkpoint) };
}

/**
 * Verifies an evidence file: both sides are valid under the checkpoint or the validator set in the file, and one set
 * signed two conflicting blocks. Two blocks conflict if they have one number, if they are candidates of one Simplex
 * slot, or if one says that the other is not a key block. Check yourself whether the checkpoint in the file belongs to
 * the chain that you know.
 * @param json the parsed file
 * @param opts the Ed25519 engine; default: the fastest of this platform
 * @returns both blocks, and the validators that signed both, with their weight
 * @throws TrustError for evidence that proves no fork; DecodeError, ValidatorSetError
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { verifyForkEvidence } from 'ton-finality/servers';
 * const proof = verifyForkEvidence(JSON.parse(readFileSync('fork.json', 'utf8')));
 * console.log(`${proof.signedBothWeight} of ${proof.totalWeight} signed both`); // 3 of 3 signed both
 * ```
 */
export function verifyForkEvidence(json: unknown, opts: Pick<LinkOptions, 'engine'> = {}): ForkProof {
  const object = requireObject(json, 'evidence');
  const trust = readTrust(object);
  const sides = requireList(object.sides, 2, 'evidence.sides');
  const engine = present({ engine: opts.engine });
  const [first, second] = sides.map((value, at) => readSide(value, `evidence.sides[${at}]`, trust, engine));
  if (first === undefined || second === undefined) {
    throw new DecodeError('decode/shape', `expected two sides, got ${sides.length}`, { path: 'evidence.sides' });
  }
  const fork = findFork(first.hops, second.hops);
  if (fork === undefined) {
    // A block that a back link leads to is final too, but it has no signatures here.
    const isUnsigned = first.blockId.seqno === second.blockId.seqno && differingField(first.blockId, second.blockId);
    const message = isUnsigned
      ? 'expected signatures of both blocks'
      : 'expected two blocks that contradict each other';
    throw trustError('trust/incomplete', `${message}: this is not a fork`, 'evidence.sides');
  }
  const [one, other] = fork;
  const { signatures, weight } = signedBoth(one.report, other.report);
  const told = ({ source, walk }: Side, { id }: ForkHop): ForkSide => ({ source, blockId: id, ...present({ walk }) });
  return Object.freeze({
    ...present({ checkpoint: trust.checkpoint }),
    seqno: Math.min(one.id.seqno, other.id.seqno),
    sides: [told(first, one), told(second, other)] as const,
    signedBoth: signatures.map(({ nodeIdShort }) => nodeIdShort),
    signedBothWeight: weight,
    totalWeight: one.report.coverage.totalWeight,
  });
}
