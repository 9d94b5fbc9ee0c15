/** Offers the recorded blocks in the form that the library takes. */
import { decodeBase64 } from '../../core/base/bytes.ts';
import {
  ORDINARY_HEADER_PROOF,
  ORDINARY_SIGNATURES,
  ORDINARY_VALIDATORS,
  SIMPLEX_SIGNATURES,
  SIMPLEX_VALIDATORS,
} from './recorded.ts';

/** A recorded block. Its JSON is frozen. */
export interface Sample {
  /** The parsed body of toncenter's `getMasterchainBlockSignatures`, for `parseSignatureList`. */
  readonly signatures: unknown;
  /** The set that signed, in the list form that `parseValidatorSet` takes: 32-byte keys in hex, weights in decimal. */
  readonly validators: unknown;
}

/** A recorded block of the ordinary kind, whose signatures cover two hashes and not its number. */
export interface OrdinarySample extends Sample {
  /**
   * A Merkle proof of the block's header, a bag of cells of some 330 bytes: `verifyHeader` of `ton-finality/chain` reads it, and
   * as `context: { header }` it binds the number too.
   */
  readonly headerProof: Uint8Array;
}

function frozen(json: unknown): unknown {
  if (typeof json === 'object' && json !== null) for (const value of Object.values(json)) frozen(value);
  return Object.freeze(json);
}

/** Mainnet block 59379986 of April 2026: 66 of 100 validators signed, 66.7132 % of the weight. Its signatures bind the whole id. */
export const simplexSample: Sample = Object.freeze({
  signatures: frozen(SIMPLEX_SIGNATURES),
  validators: frozen(SIMPLEX_VALIDATORS),
});

/** Mainnet block 3082200 of April 2020: 10 of 13 validators signed, 78.2952 % of the weight. */
export const ordinarySample: OrdinarySample = Object.freeze({
  signatures: frozen(ORDINARY_SIGNATURES),
  validators: frozen(ORDINARY_VALIDATORS),
  headerProof: decodeBase64(ORDINARY_HEADER_PROOF)!, // canonical: a test compares it with the block
});
