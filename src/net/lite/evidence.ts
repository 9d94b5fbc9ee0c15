/**
 * Evidence of a fork: two answers that each prove blocks final, from the same key block, and not both of them can be.
 * Whoever has the file can check it without any server. The ways are compared where they part: behind that, each of them
 * may have signers of its own making.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64, encodeHex } from '../../base/bytes.ts';
import { DecodeError } from '../../base/errors.ts';
import { MAX_PROOF_ANSWER_BYTES, MAX_SERVER_TEXT_CHARS } from '../../base/limits.ts';
import { present } from '../../base/present.ts';
import { parsePartialBlockProof } from '../../chain/block-proof.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../../chain/checkpoint.ts';
import type { LinkOptions } from '../../chain/link.ts';
import { trustError } from '../../chain/shared-checks.ts';
import { type BlockWalk, walkBlockProof } from '../../chain/walk.ts';
import { type BlockIdExt, differingField } from '../../decode/block-id.ts';
import { cleanServerText } from '../../decode/envelope.ts';
import { readBase64 } from '../../decode/fields.ts';
import { requireList, requireObject, requireString } from '../../decode/json-structure.ts';
import type { VerificationReport } from '../../verify/report.ts';
import { contradict, type SignedBlock, signedBoth } from '../../verify/signed-both.ts';

/** The identifier in an evidence file's `schema`. */
export const EVIDENCE_SCHEMA = 'ton-finality/fork-evidence@1';

/** The file, as JSON. */
export interface ForkEvidence {
  readonly schema: typeof EVIDENCE_SCHEMA;
  readonly seqno: number;
  /** The key block that both sides start from, with the proof of its configuration. */
  readonly checkpoint: Readonly<Record<string, unknown>>;
  readonly sides: readonly {
    /** The server's label. */
    readonly source: string;
    /** liteServer.partialBlockProof in base64, and its SHA-256 in hex. */
    readonly answer: string;
    readonly sha256: string;
  }[];
}

/** One of the two certified blocks. */
export interface ForkSide {
  readonly source: string;
  /** Where its way parts from the other one, which need not be where it ends. */
  readonly blockId: BlockIdExt;
  readonly walk: BlockWalk;
}

/** What an evidence file proves. */
export interface ForkProof {
  readonly checkpoint: Checkpoint;
  /** The number of both blocks, or the lower one: of a key block that the other block says there was none. */
  readonly seqno: number;
  readonly sides: readonly [ForkSide, ForkSide];
  /** Node ids of those whose valid signature stands under both blocks. */
  readonly signedBoth: readonly Uint8Array[];
  /** The weight they have in the set that signed both blocks, and that of the whole set. */
  readonly signedBothWeight: bigint;
  readonly totalWeight: bigint;
}

interface ProvenSide {
  readonly source: string;
  /** liteServer.partialBlockProof, TL. */
  readonly body: Uint8Array;
}

/** @param sides two answers that hold from the checkpoint */
export function forkEvidence(checkpoint: Checkpoint, sides: readonly [ProvenSide, ProvenSide]): ForkEvidence {
  return {
    schema: EVIDENCE_SCHEMA,
    seqno: parsePartialBlockProof(sides[0].body).to.seqno,
    checkpoint: checkpointToJson(checkpoint),
    sides: sides.map(({ source, body }) => ({
      source,
      answer: encodeBase64(body),
      sha256: encodeHex(sha256(body)),
    })),
  };
}

/** A block on the way that signatures make final, and the key block whose set they are of. */
interface Hop extends SignedBlock {
  readonly from: BlockIdExt;
  readonly report: VerificationReport;
}

interface Side extends ForkSide {
  readonly hops: readonly Hop[];
}

function readSide(value: unknown, path: string, checkpoint: Checkpoint, engine: Pick<LinkOptions, 'engine'>): Side {
  const side = requireObject(value, path);
  const [source, answer, digest] = (['source', 'answer', 'sha256'] as const).map((name) =>
    requireString(side[name], `${path}.${name}`),
  ) as [string, string, string]; // three names, three texts
  const tl = readBase64(answer, `${path}.answer`, MAX_PROOF_ANSWER_BYTES);
  if (encodeHex(sha256(tl)) !== digest) {
    throw new DecodeError('decode/shape', 'the answer has another SHA-256', { path: `${path}.sha256` });
  }
  const walk = walkBlockProof(checkpoint, tl, engine);
  const forward = parsePartialBlockProof(tl).links.filter((link) => link.kind === 'forward');
  const hops = forward.map(({ from, to: id, toKeyBlock: keyBlock, signatures: { set } }, k): Hop => {
    return { from, id, keyBlock, set, report: walk.reports[k]! }; // one for each forward link, in order
  });
  return { source: cleanServerText(source.slice(0, MAX_SERVER_TEXT_CHARS)), blockId: walk.tip, walk, hops };
}

/** The first two blocks, one of each way, that one set signed and that cannot both be. */
function findFork(one: readonly Hop[], other: readonly Hop[]): readonly [Hop, Hop] | undefined {
  for (const a of one) {
    const b = other.find(({ from, ...hop }) => differingField(from, a.from) === undefined && contradict(a, hop));
    if (b !== undefined) return [a, b];
  }
  return undefined;
}

/**
 * Checks an evidence file: both answers hold, from the checkpoint in the file, and one set signed two blocks that cannot both
 * be. Those are two of one number, two candidates of one Simplex slot, or a key block and a later block that says there was
 * none. Whether that checkpoint is of the chain you know is yours to compare.
 * @param json the parsed file
 * @throws TrustError for evidence that proves no fork; DecodeError, ValidatorSetError
 */
export function verifyForkEvidence(json: unknown, opts: Pick<LinkOptions, 'engine'> = {}): ForkProof {
  const object = requireObject(json, 'evidence');
  if (object.schema !== EVIDENCE_SCHEMA) {
    throw new DecodeError('decode/shape', `expected ${EVIDENCE_SCHEMA}`, { path: 'evidence.schema' });
  }
  const sides = requireList(object.sides, 2, 'evidence.sides');
  const checkpoint = parseCheckpoint(object.checkpoint);
  const engine = present({ engine: opts.engine });
  const [first, second] = sides.map((value, at) => readSide(value, `evidence.sides[${at}]`, checkpoint, engine));
  if (first === undefined || second === undefined) {
    throw new DecodeError('decode/shape', `expected two sides, got ${sides.length}`, { path: 'evidence.sides' });
  }
  const fork = findFork(first.hops, second.hops);
  if (fork === undefined) {
    // A block that a back link leads to is final too, but nobody's signature stands under it.
    const isUnsigned = first.blockId.seqno === second.blockId.seqno && differingField(first.blockId, second.blockId);
    const message = isUnsigned ? 'expected signatures of both blocks' : 'expected two blocks that cannot both be';
    throw trustError('trust/incomplete', `${message}: this is no fork`, 'evidence.sides');
  }
  const [one, other] = fork;
  const { signatures, weight } = signedBoth(one.report, other.report);
  const told = ({ source, walk }: Side, { id }: Hop): ForkSide => ({ source, blockId: id, walk });
  return Object.freeze({
    checkpoint,
    seqno: Math.min(one.id.seqno, other.id.seqno),
    sides: [told(first, one), told(second, other)] as const,
    signedBoth: signatures.map(({ nodeIdShort }) => nodeIdShort),
    signedBothWeight: weight,
    totalWeight: one.report.coverage.totalWeight,
  });
}
