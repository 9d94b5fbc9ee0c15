/** From the JSON text of a good 100-signature block to the report, against the 100 bare `crypto.verify` calls in it. */
import { createPublicKey, verify } from 'node:crypto';
import { parseSignatureList } from '../src/core/block/signature-list.ts';
import { opensslEngine } from '../src/core/ed25519/openssl.ts';
import { signedMessage } from '../src/core/message/signed-message.ts';
import { createVerifier } from '../src/core/verify/verifier.ts';
import { makeSignedSet, toAnswer } from '../test/helpers/make-block.ts';
import { makeSet, makeSigners } from '../test/helpers/make-validators.ts';
import { compare, type Timing } from './harness.ts';

export const VALIDATORS = 100;

/** By then `createVerifier` has its tables, and everything is compiled. */
const BLOCKS_TO_STEADY = 100;

export async function endToEnd(rounds: number): Promise<Timing[]> {
  const signers = makeSigners(Array.from({ length: VALIDATORS }, (_, i) => 1_000_000_000_000n + BigInt(i)));
  const set = makeSignedSet('simplex', signers);
  const text = JSON.stringify({ ok: true, result: toAnswer(set) });
  const message = signedMessage(set);
  const keys = signers.map(({ publicKey }) =>
    createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
      format: 'jwk',
    }),
  );
  const verifier = await createVerifier(makeSet(signers), { engine: opensslEngine });
  const steady = await createVerifier(makeSet(signers));

  const bare = () => set.signatures.every(({ signature }, i) => verify(null, message, keys[i]!, signature));
  const whole = () => verifier.verify(parseSignatureList(JSON.parse(text))).verdict.status === 'final';
  const wholeSteady = () => steady.verify(parseSignatureList(JSON.parse(text))).verdict.status === 'final';
  const decodeOnly = () => parseSignatureList(JSON.parse(text)).signatures.length === VALIDATORS;
  if (!bare() || !whole() || !decodeOnly()) throw new Error('a candidate answers wrongly');
  for (let block = 0; block < BLOCKS_TO_STEADY; block++) {
    if (!wholeSteady()) throw new Error('createVerifier answers wrongly');
  }

  const timings = await compare(
    [
      { name: '100 bare crypto.verify calls', run: bare },
      { name: 'JSON text to report, OpenSSL engine', run: whole },
      { name: 'JSON text to report, createVerifier in its stride', run: wholeSteady },
      { name: 'JSON text to typed set', run: decodeOnly },
    ],
    { rounds, unitsPerRound: (name) => (name.includes('typed set') ? 20 : name.includes('createVerifier') ? 5 : 1) },
  );
  verifier.close();
  steady.close();
  return timings;
}
