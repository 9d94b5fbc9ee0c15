/** What is checked, hashed and reported is one reading of the input, whatever else it would answer. */
import { describe, expect, it } from 'vitest';
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import { referenceEngine } from '../../../src/core/ed25519/reference.ts';
import { signerIndex } from '../../../src/core/validators/signer-index.ts';
import { createValidatorSet, type ValidatorSet } from '../../../src/core/validators/validator-set.ts';
import { checkSignatures } from '../../../src/core/verify/check-signatures.ts';
import { createVerifier, verifyBlock } from '../../../src/core/verify/verifier.ts';
import { textOf } from '../../helpers/hostile.ts';
import { candidateWithParent, hashOf, makeBlockId, makeSignedSet } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';
import { requireHonest } from '../../helpers/require-honest.ts';

const signers = makeSigners([40n, 30n, 20n, 10n]);
const validators = makeSet(signers);
const signed = makeSignedSet('simplex', signers) as Extract<SignatureList, { kind: 'simplex' }>; // made so
const other: BlockIdExt = { ...makeBlockId(1000), rootHash: hashOf('a root nobody signed') };

/** An object whose member `name` gives one value after the other, and the last one from then on. */
function changing<T extends object>(base: T, name: keyof T, values: readonly unknown[]): T {
  let turn = 0;
  return Object.defineProperty({ ...base }, name, {
    enumerable: true,
    get: () => values[Math.min(turn++, values.length - 1)],
  });
}

/** All orders of two values over a few reads. */
function orders<T>(one: T, two: T, length = 5): T[][] {
  return Array.from({ length: 2 ** length }, (_, bits) =>
    Array.from({ length }, (__, at) => (((bits >> at) & 1) === 1 ? two : one)),
  );
}

describe('a set that answers otherwise each time it is read', () => {
  it.each([
    ['candidate', signed.candidate, candidateWithParent(other)],
    ['blockId', signed.blockId, other],
    ['slot', signed.slot, signed.slot + 1],
    ['kind', 'simplex', 'ordinary'],
    ['sessionId', signed.sessionId, hashOf('another')],
    ['signatures', signed.signatures, signed.signatures.slice(0, 1)],
  ] as const)('is never final for a block that nobody signed: %s', (name, one, two) => {
    for (const values of orders<unknown>(one, two)) {
      requireHonest(signed.blockId, () => verifyBlock(changing(signed, name, values), validators));
      requireHonest(signed.blockId, () =>
        verifyBlock(changing({ ...signed, blockId: other }, name, values), validators),
      );
      requireHonest(signed.blockId, () =>
        verifyBlock(changing({ ...signed, candidate: candidateWithParent(other) }, name, values), validators),
      );
    }
  });

  it('shows node ids in memory where nothing stands but node ids: what was checked can be reached through none of them', () => {
    const { blockId, signatures, kind } = checkSignatures(signed, validators);
    expect(kind).toBe('simplex');
    const ids = signatures.map(({ nodeIdShort }) => nodeIdShort);
    const whole = Buffer.concat(signed.signatures.map(({ nodeIdShort }) => nodeIdShort));
    for (const id of ids) expect(whole.includes(Buffer.from(id.buffer))).toBe(true);
    expect(blockId.rootHash.buffer.byteLength).toBe(32);
  });

  it('counts no entry that was read as somebody else’s', () => {
    const [first, second] = signed.signatures;
    for (const ids of orders(first!.nodeIdShort, second!.nodeIdShort)) {
      const entry = changing(first!, 'nodeIdShort', ids);
      const { signedWeight, signatures } = checkSignatures({ ...signed, signatures: [entry] }, validators);
      const isFirst = textOf(signatures[0]!.nodeIdShort) === textOf(first!.nodeIdShort);
      expect([signedWeight, signatures[0]!.outcome]).toEqual(isFirst ? [40n, 'valid'] : [0n, 'bad-signature']);
    }
  });
});

const optionSigners = makeSigners([1n, 1n, 1n]);

describe('options', () => {
  it('are read once: a getter cannot ask for more when it is looked at and for less when it counts', () => {
    let reads = 0;
    const options = {
      get requireBoundId() {
        return reads++ === 0;
      },
    };
    const report = verifyBlock(makeSignedSet('ordinary', optionSigners), makeSet(optionSigners), options);
    expect(report.verdict).toEqual({ status: 'undecided', reason: 'unbound-id' });
    expect(reads).toBe(1);
  });
});

describe('a validator set', () => {
  const attackers = makeSigners([40n, 30n, 20n, 10n], 'attacker');
  const forged = makeSignedSet('ordinary', attackers);
  const honest = makeSignedSet('ordinary', signers);

  it('does not change with the buffer that its keys came in', () => {
    const buffer = Buffer.concat(signers.map(({ publicKey }) => publicKey));
    const set = createValidatorSet(
      signers.map(({ weight }, n) => ({ publicKey: buffer.subarray(32 * n, 32 * (n + 1)), weight })),
    );
    Buffer.concat(attackers.map(({ publicKey }) => publicKey)).copy(buffer);
    expect(verifyBlock(honest, set).verdict.status).toBe('final');
    expect(verifyBlock(forged, set).verdict).toEqual({ status: 'undecided', reason: 'no-known-signer' });
  });

  it('made here stands for what was checked, even when its own bytes are written to', async () => {
    const set = makeSet(signers);
    set.validators.forEach(({ publicKey }, n) => {
      publicKey.set(attackers[n]!.publicKey);
    });
    const verifier = await createVerifier(set);
    for (const ask of [(one: SignatureList) => verifyBlock(one, set), (one: SignatureList) => verifier.verify(one)]) {
      expect(ask(honest).verdict.status).toBe('final');
      expect(ask(forged).verdict.status).toBe('undecided');
    }
  });

  it('put together by hand is read anew each time, and a verifier keeps what it was given', async () => {
    const set = { ...validators, validators: validators.validators.map((one) => ({ ...one })) };
    const verifier = await createVerifier(set);
    expect(verifyBlock(honest, set).verdict.status).toBe('final');
    for (const [n, { publicKey }] of attackers.entries()) {
      set.validators[n] = { publicKey, weight: set.validators[n]!.weight };
    }
    expect(verifyBlock(honest, set).verdict).toEqual({ status: 'undecided', reason: 'no-known-signer' });
    expect(verifier.verify(honest).verdict.status).toBe('final');
    expect(verifier.verify(forged).verdict.status).toBe('undecided');
  });

  it('that answers otherwise each time is checked with the keys and weights of one reading', () => {
    const keys = orders(signers[3]!.publicKey, attackers[0]!.publicKey);
    for (const values of keys) {
      const heavy = { publicKey: signers[0]!.publicKey, weight: 70n };
      const list = [heavy, changing({ publicKey: signers[3]!.publicKey, weight: 30n }, 'publicKey', values)];
      const set: ValidatorSet = { ...validators, validators: list, totalWeight: 100n };
      const { publicKeys, nodeIds } = signerIndex(set);
      expect(nodeIds).toHaveLength(2);
      expect([signers[3]!, attackers[0]!].map(({ publicKey }) => textOf(publicKey))).toContain(textOf(publicKeys[1]));
    }
    for (const weights of orders(30n, 1n)) {
      const list = [
        { publicKey: signers[0]!.publicKey, weight: 1n },
        changing({ publicKey: signers[3]!.publicKey, weight: 30n }, 'weight', weights),
      ];
      const set = createValidatorSet(list);
      expect(signerIndex(set).weights).toEqual([1n, set.totalWeight - 1n]);
    }
  });

  it('hands its engine copies of its keys', () => {
    const engine = {
      name: 'careless',
      open(keys: readonly Uint8Array[]) {
        const ring = referenceEngine.open(keys);
        for (const key of keys) key.fill(0);
        return ring;
      },
    };
    expect(verifyBlock(honest, validators, { engine }).verdict.status).toBe('final');
    expect(verifyBlock(honest, validators, { engine }).verdict.status).toBe('final');
  });
});
