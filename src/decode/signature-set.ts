/** `blocks.blockSignatures` and `blocks.blockSignatures.simplex`: the answer of v2 getMasterchainBlockSignatures. */
import * as z from 'zod/mini';
import { DecodeError } from '../base/errors.ts';
import { MAX_CANDIDATE_BYTES, MAX_SIGNATURE_ENTRIES, SIGNATURE_BYTES } from '../base/limits.ts';
import { type BlockIdExt, blockIdSchema, readBlockId, requireMasterchain } from './block-id.ts';
import { unwrapAnswer } from './envelope.ts';
import { type Hash256, readBase64, readBase64Exact, readHash256, readUint32 } from './fields.ts';
import { describeJson, joinPath, parseStructure, requireAtMost, requireObject } from './json-structure.ts';

/** One signer's entry. */
export interface SignatureEntry {
  /** The signer: SHA-256 of TL pub.ed25519, see `nodeIdShort`. */
  readonly nodeIdShort: Hash256;
  /** 64 bytes, R || S. */
  readonly signature: Uint8Array;
}

/**
 * Signatures of one block, of either kind. A repeated signer is kept: judging it is not the decoder's business.
 * Source: ton `tl/generate/scheme/tonlib_api.tl`, blocks.blockSignatures and blocks.blockSignatures.simplex.
 */
export type SignatureSet = {
  readonly blockId: BlockIdExt;
  readonly signatures: readonly SignatureEntry[];
} & (
  | { readonly kind: 'ordinary' }
  | {
      readonly kind: 'simplex';
      readonly sessionId: Hash256;
      /** uint32; a negative JSON int32 is read modulo 2^32. */
      readonly slot: number;
      /** TL consensus.CandidateHashData, boxed. Its contents are checked by `signedMessage`. */
      readonly candidate: Uint8Array;
    }
);

const ordinaryFields = {
  id: blockIdSchema,
  signatures: z.array(
    z.looseObject({
      node_id_short: z.string(),
      signature: z.string(),
    }),
  ),
};

const ordinarySchema = z.looseObject(ordinaryFields);

const simplexSchema = z.looseObject({
  ...ordinaryFields,
  session_id: z.string(),
  candidate: z.string(),
});

/** The type of an entry may be missing: older typings of other libraries leave it out. */
function requireEntryType(type: unknown, path: string): void {
  if (type === undefined || type === 'blocks.signature') return;
  throw new DecodeError('decode/shape', `expected "blocks.signature", got ${describeJson(type)}`, {
    path: `${path}.@type`,
  });
}

function readCommon(json: z.output<typeof ordinarySchema>, path: string) {
  const idPath = joinPath(path, ['id']);
  const blockId = requireMasterchain(readBlockId(json.id, idPath), idPath);
  const signatures = json.signatures.map((entry, index) => {
    const at = joinPath(path, ['signatures', index]);
    requireEntryType(entry['@type'], at);
    return Object.freeze({
      nodeIdShort: readHash256(entry.node_id_short, `${at}.node_id_short`),
      signature: readBase64Exact(entry.signature, `${at}.signature`, SIGNATURE_BYTES),
    });
  });
  return { blockId, signatures: Object.freeze(signatures) };
}

/**
 * Reads a v2 getMasterchainBlockSignatures answer, bare or in any wrapping (see `envelope.ts`). Unknown extra keys are
 * dropped; an unknown `@type` is an error, never an empty set.
 * @throws DecodeError naming the JSON path; `decode/api-error` with the server's words for an error body; `decode/range`
 * for an id outside the masterchain (workchain -1, shard -2^63)
 */
export function parseSignatureSet(json: unknown): SignatureSet {
  const answer = unwrapAnswer(json);
  const { path } = answer;
  const result = requireObject(answer.result, path);
  const { signatures } = result;
  if (Array.isArray(signatures)) {
    requireAtMost(MAX_SIGNATURE_ENTRIES, signatures.length, joinPath(path, ['signatures']));
  }
  const type = result['@type'];
  switch (type) {
    case 'blocks.blockSignatures': {
      const common = readCommon(parseStructure(ordinarySchema, result, path), path);
      return Object.freeze({ kind: 'ordinary', ...common });
    }
    case 'blocks.blockSignatures.simplex': {
      const simplex = parseStructure(simplexSchema, result, path);
      return Object.freeze({
        kind: 'simplex',
        ...readCommon(simplex, path),
        sessionId: readHash256(simplex.session_id, joinPath(path, ['session_id'])),
        slot: readUint32(simplex.slot, joinPath(path, ['slot'])),
        candidate: readBase64(simplex.candidate, joinPath(path, ['candidate']), MAX_CANDIDATE_BYTES),
      });
    }
    default: {
      const got = typeof type === 'string' ? JSON.stringify(type.slice(0, 64)) : describeJson(type);
      throw new DecodeError(
        'decode/shape',
        `expected "blocks.blockSignatures" or "blocks.blockSignatures.simplex", got ${got}`,
        { path: joinPath(path, ['@type']) },
      );
    }
  }
}
