/**
 * Evidence of a fork: two answers that each prove a block of the same number final, from the same key block. Whoever has
 * the file can check it without any server.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64, encodeHex } from '../base/bytes.ts';
import { DecodeError } from '../base/errors.ts';
import { MAX_PROOF_ANSWER_BYTES, MAX_SERVER_TEXT_CHARS } from '../base/limits.ts';
import { present } from '../base/present.ts';
import { parsePartialBlockProof } from '../chain/block-proof.ts';
import { type Checkpoint, checkpointToJson, parseCheckpoint } from '../chain/checkpoint.ts';
import type { LinkOptions } from '../chain/link.ts';
import { trustError } from '../chain/shared-checks.ts';
import { type BlockWalk, walkBlockProof } from '../chain/walk.ts';
import { type BlockIdExt, differingField } from '../decode/block-id.ts';
import { cleanServerText } from '../decode/envelope.ts';
import { readBase64 } from '../decode/fields.ts';
import { requireList, requireObject, requireString } from '../decode/json-structure.ts';
import { signedBoth } from '../verify/signed-both.ts';

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
  readonly blockId: BlockIdExt;
  readonly walk: BlockWalk;
}

/** What an evidence file proves. */
export interface ForkProof {
  readonly checkpoint: Checkpoint;
  readonly seqno: number;
  readonly sides: readonly [ForkSide, ForkSide];
  /** Node ids of those whose valid signature stands under both blocks. */
  readonly signedBoth: readonly Uint8Array[];
  /** The weight they have in the first block's set, and that of the whole set. */
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

/**
 * Checks an evidence file: both answers hold, from the checkpoint in the file, and lead to two blocks of one number.
 * Whether that checkpoint is of the chain you know is yours to compare.
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
  const [first, second] = sides.map((value, at): ForkSide => {
    const path = `evidence.sides[${at}]`;
    const side = requireObject(value, path);
    const [source, answer, digest] = (['source', 'answer', 'sha256'] as const).map((name) =>
      requireString(side[name], `${path}.${name}`),
    ) as [string, string, string]; // three names, three texts
    const tl = readBase64(answer, `${path}.answer`, MAX_PROOF_ANSWER_BYTES);
    if (encodeHex(sha256(tl)) !== digest) {
      throw new DecodeError('decode/shape', 'the answer has another SHA-256', { path: `${path}.sha256` });
    }
    const walk = walkBlockProof(checkpoint, tl, engine);
    return { source: cleanServerText(source.slice(0, MAX_SERVER_TEXT_CHARS)), blockId: walk.tip, walk };
  });
  if (first === undefined || second === undefined) {
    throw new DecodeError('decode/shape', `expected two sides, got ${sides.length}`, { path: 'evidence.sides' });
  }
  const isFork =
    first.blockId.seqno === second.blockId.seqno &&
    first.blockId.seqno > checkpoint.keyBlock.seqno &&
    differingField(first.blockId, second.blockId) !== undefined;
  if (!isFork)
    throw trustError('trust/incomplete', 'expected two blocks of one number: this is no fork', 'evidence.sides');
  // A block that a back link leads to is final too, but nobody's signature stands under it.
  const [one, other] = [first, second].map(({ walk }) => walk.tipHeader && walk.reports.at(-1));
  if (one === undefined || other === undefined) {
    throw trustError('trust/incomplete', 'expected signatures of both blocks', 'evidence.sides');
  }
  const { signatures, weight } = signedBoth(one, other);
  return Object.freeze({
    checkpoint,
    seqno: first.blockId.seqno,
    sides: [first, second] as const,
    signedBoth: signatures.map(({ nodeIdShort }) => nodeIdShort),
    signedBothWeight: weight,
    totalWeight: one.coverage.totalWeight,
  });
}
