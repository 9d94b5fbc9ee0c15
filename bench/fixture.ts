/** What all benches of signatures verify: blocks of one 68-byte message each, signed by all validators. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { sha512 } from '@noble/hashes/sha2.js';
import { makeSigner } from '../test/helpers/make-validators.ts';

interface Block {
  readonly message: Uint8Array;
  readonly signatures: readonly Uint8Array[];
}

export interface Fixture {
  readonly publicKeys: readonly Uint8Array[];
  readonly indexes: readonly number[];
  readonly blocks: readonly Block[];
}

export function makeFixture(validators: number, blocks: number): Fixture {
  const signers = Array.from({ length: validators }, (_, n) => makeSigner(`bench ${n}`, 1n));
  return {
    publicKeys: signers.map((signer) => signer.publicKey),
    indexes: signers.map((_, n) => n),
    blocks: Array.from({ length: blocks }, (_, n) => {
      const message = sha512(new Uint8Array([n & 255, n >> 8])).slice(0, 64);
      const padded = new Uint8Array(68);
      padded.set(message, 4);
      return { message: padded, signatures: signers.map((signer) => signer.sign(padded)) };
    }),
  };
}

/** The keys as `node:crypto` wants them. */
export function nativeKeys(publicKeys: readonly Uint8Array[]): KeyObject[] {
  return publicKeys.map((publicKey) =>
    createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
      format: 'jwk',
    }),
  );
}
