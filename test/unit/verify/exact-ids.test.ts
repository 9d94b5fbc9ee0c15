/** An id is five values, not their encodings: whatever would be cut to the same bytes is no other spelling of it. */
import { describe, expect, it } from 'vitest';
import { FinalityError } from '../../../src/core/base/errors.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import { candidateBlockId } from '../../../src/core/message/candidate.ts';
import { signedMessage } from '../../../src/core/message/signed-message.ts';
import { validatorListHashShort } from '../../../src/core/validators/list-hash-short.ts';
import { checkSignatures } from '../../../src/core/verify/check-signatures.ts';
import { createVerifier, verifyBlock } from '../../../src/core/verify/verifier.ts';
import {
  candidateWithoutParent,
  candidateWithParent,
  emptyCandidate,
  makeSignedSet,
  type SetKind,
} from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([40n, 30n, 20n, 10n]);
const validators = makeSet(signers, { shuffle: false });
const verifier = await createVerifier(validators);
const sets: Readonly<Record<SetKind, SignatureList>> = {
  ordinary: makeSignedSet('ordinary', signers),
  simplex: makeSignedSet('simplex', signers),
};
const { rootHash, fileHash, seqno, shard } = sets.simplex.blockId;

/** Both hashes with two bytes moved from one to the other: 64 bytes all the same. */
const split = (first: number) => {
  const both = Uint8Array.of(...rootHash, ...fileHash);
  return { rootHash: both.slice(0, first), fileHash: both.slice(first) };
};

const ALTERED: readonly (readonly [string, object])[] = [
  ['seqno + 2^32', { seqno: seqno + 2 ** 32 }],
  ['seqno + 0.5', { seqno: seqno + 0.5 }],
  ['seqno - 2^32', { seqno: seqno - 2 ** 32 }],
  ['seqno as text', { seqno: String(seqno) }],
  ['seqno as bigint', { seqno: BigInt(seqno) }],
  ['no seqno', { seqno: undefined }],
  ['seqno NaN', { seqno: Number.NaN }],
  ['workchain 2^32 - 1', { workchain: 2 ** 32 - 1 }],
  ['workchain -1 - 2^32', { workchain: -1 - 2 ** 32 }],
  ['workchain -1.5', { workchain: -1.5 }],
  ['workchain 0', { workchain: 0 }],
  ['shard + 2^64', { shard: shard + 2n ** 64n }],
  ['shard - 2^64', { shard: shard - 2n ** 64n }],
  ['shard read as unsigned', { shard: 2n ** 63n }],
  ['shard as number', { shard: Number(shard) }],
  ['shard of a half', { shard: 1n << 62n }],
  ['hashes split 30/34', split(30)],
  ['hashes split 34/30', split(34)],
  ['hashes split 0/64', split(0)],
  ['a root hash as array', { rootHash: [...rootHash] }],
  ['a root hash as Uint16Array', { rootHash: Uint16Array.from(rootHash) }],
  ['a root hash of two realms', { rootHash: Object.create(Uint8Array.prototype) }],
  ['a file hash as hex', { fileHash: Buffer.from(fileHash).toString('hex') }],
  ['a null hash', { rootHash: null }],
];

describe.each(['ordinary', 'simplex'] as const)('a set of kind %s', (kind) => {
  it('is final as it is', () => {
    expect(verifyBlock(sets[kind], validators).verdict.status).toBe('final');
  });

  it.each(ALTERED)('is refused with %s in its id, at every door', (name, fields) => {
    const altered: SignatureList = { ...sets[kind], blockId: { ...sets[kind].blockId, ...fields } };
    const doors = [
      () => checkSignatures(altered, validators),
      () => verifyBlock(altered, validators),
      () => verifier.verify(altered),
    ];
    for (const door of doors) expect(door, name).toThrow(FinalityError);
    // An ordinary message covers two hashes of any block; the others are asked for the masterchain.
    if (kind === 'simplex' || !['workchain 0', 'shard of a half'].includes(name)) {
      expect(() => signedMessage(altered), name).toThrow(FinalityError);
    }
  });

  it.each([
    ['a node id of 31 bytes', { nodeIdShort: new Uint8Array(31) }],
    ['a signature of 63 bytes', { signature: new Uint8Array(63) }],
    ['a signature of 65 bytes', { signature: new Uint8Array(65) }],
    ['a signature as base64', { signature: 'A'.repeat(86) }],
  ])('is refused with %s', (_, fields) => {
    const [first, ...rest] = sets[kind].signatures;
    const altered = { ...sets[kind], signatures: [{ ...first!, ...fields } as typeof first & object, ...rest] };
    expect(() => verifyBlock(altered, validators)).toThrow(FinalityError);
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['text', '{}'],
    ['a set of no kind', { ...sets[kind], kind: undefined }],
    ['a set of another kind', { ...sets[kind], kind: 'Simplex' }],
    ['a set without id', { ...sets[kind], blockId: undefined }],
    ['a set whose id is text', { ...sets[kind], blockId: '(-1,8000000000000000,1)' }],
    ['a set without entries', { ...sets[kind], signatures: undefined }],
    ['a set whose entries are an object', { ...sets[kind], signatures: { length: 0 } }],
    ['a set with a hole in its entries', { ...sets[kind], signatures: [sets[kind].signatures[0], undefined] }],
  ])('is an error that says what to pass, for %s', (_, set) => {
    expect(() => verifyBlock(set as never, validators)).toThrow(FinalityError);
    expect(() => checkSignatures(set as never, validators)).toThrow(FinalityError);
  });
});

describe('a simplex set', () => {
  const set = sets.simplex as Extract<SignatureList, { kind: 'simplex' }>; // made so

  it.each([
    ['slot + 2^32', { slot: set.slot + 2 ** 32 }],
    ['slot - 2^32', { slot: set.slot - 2 ** 32 }],
    ['slot + 0.5', { slot: set.slot + 0.5 }],
    ['slot as text', { slot: '42' }],
    ['a session id of 31 bytes', { sessionId: set.sessionId.slice(1) }],
    ['a session id of 33 bytes', { sessionId: Uint8Array.of(...set.sessionId, 0) }],
    ['a candidate as array', { candidate: [...set.candidate] }],
  ])('is refused with %s, at every door', (_, fields) => {
    const altered = { ...set, ...fields } as SignatureList;
    for (const door of [
      () => signedMessage(altered),
      () => checkSignatures(altered, validators),
      () => verifyBlock(altered, validators),
    ]) {
      expect(door).toThrow(FinalityError);
    }
  });

  it.each([candidateWithParent, candidateWithoutParent, emptyCandidate])(
    'has a candidate whose block is read as typed values: %o',
    (make) => {
      const id = { ...set.blockId, seqno: 0xfffffffe, workchain: -2, shard: -5n };
      expect(candidateBlockId(make(id))).toEqual(id);
    },
  );
});

describe('the list hash', () => {
  it('is that of a uint32, of no other number', () => {
    const withAddresses = makeSet(signers, { shuffle: true });
    for (const session of [2 ** 32 + 7, 7.5, -1, Number.NaN, '7' as never]) {
      expect(() => validatorListHashShort(withAddresses, session)).toThrow(FinalityError);
    }
  });
});
