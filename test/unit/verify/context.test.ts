/** What a caller says beside the signatures: each word of it is looked at, and none of it counts as proven. */
import { describe, expect, it } from 'vitest';
import { checkSignatures } from '../../../src/core/verify/check-signatures.ts';
import { markProven, resolveContext } from '../../../src/core/verify/context.ts';
import { judge } from '../../../src/core/verify/judge.ts';
import { strict } from '../../../src/core/verify/strict.ts';
import { createVerifier, verifyBlock } from '../../../src/core/verify/verifier.ts';
import { makeBlockId, makeSignedSet } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 20n]);
const validators = makeSet(signers);
const set = makeSignedSet('ordinary', signers);
const headerOf = (header: object) => resolveContext({ header } as never).header;

describe('a header in the context', () => {
  it('is the proven one itself, and any other that says so is only given', () => {
    const blockId = makeBlockId(1000);
    const proven = markProven(Object.freeze({ source: 'proven' as const, blockId }));
    expect(headerOf(proven)).toMatchObject({ source: 'proven', blockId });
    expect(headerOf({ ...proven })).toEqual({ source: 'given', blockId });
    expect(headerOf({ source: 'claimed', seqno: 5 })).toEqual({ source: 'claimed', seqno: 5 });
    expect(headerOf({ source: 'given' })).toEqual({ source: 'given' });
  });

  it('is from nobody else than who gave, claimed or proved it', () => {
    for (const source of ['trusted', 'Proven', '', undefined, 1]) {
      expect(() => headerOf({ source, seqno: 5 })).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', path: expect.stringMatching(/^context\.header/) }),
      );
    }
  });

  it('has numbers of 32 bits, which some servers print as negative ones', () => {
    const names = ['seqno', 'genUtime', 'catchainSeqno', 'validatorListHashShort', 'prevKeyBlockSeqno'];
    for (const name of names) {
      const read = (number: unknown) => headerOf({ source: 'given', [name]: number });
      for (const [number, same] of [
        [0, 0],
        [2 ** 32 - 1, 2 ** 32 - 1],
        [-1, 2 ** 32 - 1],
        [-(2 ** 31), 2 ** 31],
      ]) {
        expect(read(number)).toEqual({ source: 'given', [name]: same });
      }
      for (const number of [2 ** 32, 2 ** 32 + 1, -(2 ** 31) - 1, 1.5, '5', null]) {
        expect(() => read(number)).toThrow(
          expect.objectContaining({ code: 'usage/bad-option', path: `context.header.${name}` }),
        );
      }
    }
  });
});

describe('an option in the wrong place', () => {
  it('is told where it belongs', async () => {
    const verifier = await createVerifier(validators);
    const calls: readonly (readonly [name: string, hint: string, call: (options: never) => unknown])[] = [
      ['engine', 'engine.open', (options) => checkSignatures(set, validators, options)],
      ['onDefect', 'a policy is for judge', (options) => checkSignatures(set, validators, options)],
      ['id', 'write blockId', (options) => headerOf({ source: 'given', ...(options as object) })],
      ['requireBoundId', 'pass a policy next to context', (options) => resolveContext(options)],
      [
        'nowSeconds',
        'the third argument',
        (options) => judge(checkSignatures(set, validators), validators, {}, options),
      ],
      ['engine', 'an option of verifyBlock', (options) => strict(options)],
      ['context', 'are options here', (options) => strict(options)],
      ['evidence', 'are options here', (options) => strict(options)],
      ['header', 'write context: { header }', (options) => verifier.verify(set, options)],
      ['nowSeconds', 'write context: { nowSeconds }', (options) => verifier.verify(set, options)],
      ['policy', 'options themselves', (options) => verifier.verify(set, options)],
      ['engine', 'createVerifier takes the engine', (options) => verifier.verify(set, options)],
      [
        'header',
        'write context: { header }',
        (options) => verifier.verifyMany([{ signatures: set, ...(options as object) }]),
      ],
    ];
    for (const [name, hint, call] of calls) {
      expect(() => call({ [name]: 5 } as never), name).toThrow(
        expect.objectContaining({ code: 'usage/bad-option', hint: expect.stringContaining(hint) }),
      );
    }
    for (const call of [
      () => verifyBlock(set, validators, { evidence: {} } as never),
      () => verifier.verifyMany([{ signatures: set, evidence: {} } as never]),
    ]) {
      expect(call).toThrow(/evidence: unknown option; did you mean context\?/);
    }
    expect(() => verifier.verifyMany([{ set } as never])).toThrow(/set: unknown option; did you mean signatures\?/);
    await expect(createVerifier(validators, { expect: 5 } as never)).rejects.toMatchObject({
      hint: 'it is for verifier.verify',
    });
    verifier.close();
  });
});
