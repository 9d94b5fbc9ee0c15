import { describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { nodeIdShort } from '../../../src/core/validators/node-id-short.ts';
import { coverageRatio, reportFacts } from '../../../src/core/verify/report-facts.ts';
import { verifyBlock } from '../../../src/core/verify/verifier.ts';
import { corrupted, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([53n, 20n, 12n, 10n, 5n]);
const [stranger] = makeSigners([1n], 'stranger');
const signed = makeSignedSet('ordinary', [...signers, stranger!]).signatures;
const set = makeSignedSet('ordinary', signers);
const mixed = withEntries(set, [signed[0]!, corrupted(signed[1]!), signed[5]!, signed[2]!, signed[2]!]);
const keyOf = (n: number) => encodeHex(signers[n]!.publicKey);
const idOf = (n: number) => encodeHex(nodeIdShort(signers[n]!.publicKey));

describe('the JSON of a report', () => {
  it('names each entry with its signer, counts each outcome, and lists who is missing', () => {
    expect(reportFacts(verifyBlock(mixed, makeSet(signers)))).toEqual({
      schema: 'ton-finality/report@3',
      block: {
        workchain: -1,
        shard: String(-(2n ** 63n)),
        seqno: 1000,
        rootHash: encodeHex(set.blockId.rootHash),
        fileHash: encodeHex(set.blockId.fileHash),
      },
      kind: 'ordinary',
      verdict: { status: 'rejected', defects: [1, 2, 3, 4] },
      signedWeight: '53',
      totalWeight: '100',
      requiredWeight: '67',
      coverage: 0.53,
      counts: {
        entries: 5,
        valid: 1,
        badSignature: 1,
        unknownSigner: 1,
        duplicateSigner: 2,
        validators: 5,
        missing: 2,
      },
      bound: ['rootHash', 'fileHash'],
      validatorSet: { provenance: { kind: 'given' }, setCheck: 'not-checked' },
      network: 'not-checked',
      policy: {
        onDefect: 'reject',
        threshold: '2/3',
        acceptClaimed: false,
        acceptUnbound: false,
        requireBoundId: false,
        requireProvenSet: false,
        requireHeader: false,
      },
      warnings: [{ code: 'unbound-seqno', message: expect.any(String) }],
      engine: expect.any(String),
      signers: [
        { index: 0, nodeIdShort: idOf(0), publicKey: keyOf(0), weight: '53', outcome: 'valid' },
        { index: 1, nodeIdShort: idOf(1), publicKey: keyOf(1), weight: '20', outcome: 'bad-signature' },
        {
          index: 2,
          nodeIdShort: encodeHex(nodeIdShort(stranger!.publicKey)),
          weight: '0',
          outcome: 'unknown-signer',
        },
        { index: 3, nodeIdShort: idOf(2), publicKey: keyOf(2), weight: '12', outcome: 'duplicate-signer' },
        { index: 4, nodeIdShort: idOf(2), publicKey: keyOf(2), weight: '12', outcome: 'duplicate-signer' },
      ],
      missing: [
        { nodeIdShort: idOf(3), weight: '10' },
        { nodeIdShort: idOf(4), weight: '5' },
      ],
    });
  });

  it('is what JSON.stringify makes of the report', () => {
    const report = verifyBlock(mixed, makeSet(signers));
    expect(JSON.parse(JSON.stringify(report))).toEqual(reportFacts(report));
  });

  it('has no list of defects where the verdict has none', () => {
    expect(reportFacts(verifyBlock(set, makeSet(signers))).verdict).toEqual({ status: 'final' });
  });

  it('rounds the share of the weight down to six digits', () => {
    expect(coverageRatio(2n, 3n)).toBe(0.666666);
    expect(coverageRatio(2n ** 61n - 1n, 2n ** 61n)).toBe(0.999999);
    expect(coverageRatio(7n, 7n)).toBe(1);
  });
});
