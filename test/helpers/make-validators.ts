/** Validators whose secret keys we know: seeded, so that the same name always makes the same key. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  createValidatorSet,
  type ValidatorSet,
  type ValidatorSetOptions,
} from '../../src/core/validators/validator-set.ts';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Signer {
  readonly publicKey: Uint8Array;
  readonly weight: bigint;
  sign(message: Uint8Array): Uint8Array;
}

function privateKey(seed: string): KeyObject {
  const secret = createHash('sha256').update(seed).digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, secret]), format: 'der', type: 'pkcs8' });
}

/** Made once: chains by the hundred have the same signers. */
const keys = new Map<string, { readonly secret: KeyObject; readonly publicKey: string }>();

function keyOf(seed: string) {
  let key = keys.get(seed);
  if (key === undefined) {
    const secret = privateKey(seed);
    key = { secret, publicKey: String(createPublicKey(secret).export({ format: 'jwk' }).x) };
    keys.set(seed, key);
  }
  return key;
}

export function makeSigner(seed: string, weight: bigint): Signer {
  const { secret, publicKey } = keyOf(seed);
  return {
    publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
    weight,
    sign: (message) => new Uint8Array(sign(null, message, secret)),
  };
}

/** One signer a weight. */
export function makeSigners(weights: readonly bigint[], seed = 'validator'): readonly Signer[] {
  return weights.map((weight, i) => makeSigner(`${seed} ${i}`, weight));
}

export function makeSet(signers: readonly Signer[], opts?: ValidatorSetOptions): ValidatorSet {
  return createValidatorSet(
    signers.map(({ publicKey, weight }) => ({ publicKey, weight })),
    opts,
  );
}
