/** Two signed blocks that contradict each other, as an error and as a file. */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64, encodeHex } from '../../core/base/bytes.ts';
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { membersOf, type ValidatorSet } from '../../core/validators/validator-set.ts';

/** The identifier in the `schema` of evidence that consists of two proofs from one key block. */
export const EVIDENCE_SCHEMA = 'ton-finality/fork-evidence@1';

/** The identifier in the `schema` of evidence with signature lists as servers over HTTP send them. */
export const SIGNED_TWICE_SCHEMA = 'ton-finality/signed-twice@1';

/** The JSON of an evidence file. */
export interface ForkEvidence {
  readonly schema: typeof EVIDENCE_SCHEMA | typeof SIGNED_TWICE_SCHEMA;
  readonly seqno: number;
  /** The key block that both sides start from, with the proof of its configuration. */
  readonly checkpoint?: Readonly<Record<string, unknown>>;
  /** In a `signed-twice` file, in place of a checkpoint: the weights of the set that signed, by public key in hex. */
  readonly validators?: Readonly<Record<string, string>>;
  readonly sides: readonly {
    /** The server's label. */
    readonly source: string;
    /**
     * The server's answer in base64, followed by its SHA-256 in hex. The answer is a liteServer.partialBlockProof; in a
     * `signed-twice` file it may also be the JSON of getMasterchainBlockSignatures.
     */
    readonly answer: string;
    readonly sha256: string;
  }[];
}

/** An answer of a server that shows a block to be signed. */
export interface ProvenSide {
  readonly source: string;
  readonly body: Uint8Array;
}

/**
 * Returns the evidence as JSON.
 * @param schema what both sides are: proofs from one key block, or signature lists of one set, of which one may be a
 * proof
 * @param trust the set, or the checkpoint that proves it, as JSON
 */
export function evidenceOf(
  schema: ForkEvidence['schema'],
  seqno: number,
  trust: ValidatorSet | Required<Pick<ForkEvidence, 'checkpoint'>>,
  both: readonly [ProvenSide, ProvenSide],
): ForkEvidence {
  const sides = both.map(({ source, body }) => ({
    source,
    answer: encodeBase64(body),
    sha256: encodeHex(sha256(body)),
  }));
  if ('checkpoint' in trust) return { schema, seqno, checkpoint: trust.checkpoint, sides };
  const weights = membersOf(trust).map(({ publicKey, weight }) => [encodeHex(publicKey), String(weight)]);
  return { schema, seqno, validators: Object.fromEntries(weights), sides };
}

export const FORK_HINT =
  'trust neither block: keep the evidence, publish it, and stop every program that acts on this chain';

/** Reports two signed blocks that contradict each other. `evidence` contains the proofs of both. */
export class ForkError extends SourceError {
  readonly evidence: ForkEvidence;

  constructor(message: string, evidence: ForkEvidence, statements: readonly SourceStatement[]) {
    super('source/disagree', message, { statements, hint: FORK_HINT });
    this.evidence = evidence;
  }
}
