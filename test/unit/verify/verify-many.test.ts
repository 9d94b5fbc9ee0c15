/** `verifyMany` is as many calls of `verify`: same reports, same errors, whatever the engine makes of having the blocks together. */
import { describe, expect, it } from 'vitest';
import { reportToJson } from '../../../src/app/report/report-json.ts';
import type { Ed25519Engine, KeyRing, RingBlock } from '../../../src/core/ed25519/engine.ts';
import { opensslEngine } from '../../../src/core/ed25519/openssl.ts';
import { type BlockToVerify, createVerifier, openVerifier } from '../../../src/core/verify/verifier.ts';
import { counted } from '../../helpers/hostile.ts';
import { corrupted, makeSignedSet, withEntries } from '../../helpers/make-block.ts';
import { makeSet, makeSigners } from '../../helpers/make-validators.ts';

const signers = makeSigners([50n, 30n, 15n, 5n]);
const validators = makeSet(signers);
const ordinary = makeSignedSet('ordinary', signers);
const simplex = makeSignedSet('simplex', signers);
const sets = [
  ordinary,
  withEntries(simplex, [corrupted(simplex.signatures[0]!), ...simplex.signatures.slice(1)]),
  withEntries(simplex, []),
  withEntries(ordinary, ordinary.signatures.slice(1)),
  simplex,
];
const blocks = Array.from({ length: 150 }, (_, n): BlockToVerify => ({ signatures: sets[n % sets.length]! }));

/** An engine that takes blocks together, and what it was asked. */
function together(): { readonly engine: Ed25519Engine; readonly asked: number[] } {
  const asked: number[] = [];
  const open = (keys: readonly Uint8Array[]): KeyRing => {
    const ring = opensslEngine.open(keys);
    return {
      verify: ring.verify,
      verifyMany(many: readonly RingBlock[]) {
        asked.push(many.length);
        return many.map(({ message, keyIndexes, signatures }) => ring.verify(message, keyIndexes, signatures));
      },
      close() {},
    };
  };
  return { engine: { name: 'together', open }, asked };
}

describe('verifyMany', () => {
  it('gives the reports of verify, in order, from engines that take blocks together and from those that do not', async () => {
    const { engine, asked } = together();
    for (const one of [opensslEngine, engine]) {
      const verifier = await createVerifier(validators, { engine: one });
      const expected = blocks.map(({ signatures }) => reportToJson(verifier.verify(signatures)));
      expect(verifier.verifyMany(blocks).map((report) => reportToJson(report))).toEqual(expected);
      expect(verifier.verifyMany([])).toEqual([]);
      verifier.close();
    }
    // A part of the blocks at a time, and all of them.
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(blocks.length);
  });

  it('asks for 64 blocks at a time, and never for none', async () => {
    const { engine, asked } = together();
    const verifier = await createVerifier(validators, { engine });
    expect(verifier.verifyMany(blocks.slice(0, 128))).toHaveLength(128);
    expect(asked).toEqual([64, 64]);
    verifier.close();
  });

  it('ends where a block closes it while it is read', async () => {
    const verifier = await createVerifier(validators, { engine: opensslEngine });
    const closing = {
      get signatures() {
        verifier.close();
        return ordinary;
      },
    };
    expect(() => verifier.verifyMany([closing])).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    verifier.close(); // once more: nothing to do
  });

  it('gives every block its own context and expectation, and all the same policy', async () => {
    const verifier = await createVerifier(validators, { engine: opensslEngine });
    const context = { nowSeconds: 1_700_000_000 };
    const mixed: BlockToVerify[] = [
      { signatures: ordinary },
      { signatures: simplex, context: {}, expect: simplex.blockId },
    ];
    const opts = { requireBoundId: true, context };
    expect(verifier.verifyMany(mixed, opts).map((report) => reportToJson(report))).toEqual([
      reportToJson(verifier.verify(ordinary, opts)),
      reportToJson(verifier.verify(simplex, { requireBoundId: true, expect: simplex.blockId })),
    ]);
    const other = { ...simplex.blockId, seqno: simplex.blockId.seqno + 1 };
    expect(() => verifier.verifyMany([{ signatures: simplex }, { signatures: simplex, expect: other }])).toThrow(
      expect.objectContaining({ code: 'decode/unexpected-block' }),
    );
    verifier.close();
  });

  it('throws for a block that verify would throw for, before a signature of its part is checked', async () => {
    const { engine, asked } = together();
    const verifier = await createVerifier(validators, { engine });
    const relabelled = { ...simplex, blockId: { ...simplex.blockId, seqno: 999 } };
    expect(() => verifier.verifyMany([{ signatures: simplex }, { signatures: relabelled }])).toThrow(
      expect.objectContaining({ code: 'decode/candidate-mismatch' }),
    );
    expect(asked).toEqual([]);
    verifier.close();
  });

  it.each([
    [undefined, 'blocks'],
    [ordinary, 'blocks'],
    [[ordinary], 'blocks[0].'],
    [[undefined], 'blocks[0]'],
    [[{ signatures: ordinary }, { signatures: ordinary, header: {} }], 'blocks[1].header'],
    [[{ signatures: ordinary, context: undefined }], 'blocks[0].context'],
  ])('refuses what is no list of blocks: %#', async (given, path) => {
    const verifier = await createVerifier(validators, { engine: opensslEngine });
    expect(() => verifier.verifyMany(given as never)).toThrow(
      expect.objectContaining({ code: 'usage/bad-option', path: expect.stringContaining(path) }),
    );
    verifier.close();
  });

  it('refuses options that nobody knows, and after close', async () => {
    const verifier = await createVerifier(validators, { engine: opensslEngine });
    expect(() => verifier.verifyMany(blocks, { requireBoundID: true } as never)).toThrow(/did you mean requireBoundId/);
    verifier.close();
    expect(() => verifier.verifyMany(blocks)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    expect(() => verifier.verifyMany([])).toThrow(expect.objectContaining({ code: 'usage/closed' }));
  });

  it('reads every member of its arguments once', async () => {
    const verifier = await createVerifier(validators, { engine: opensslEngine });
    const context = { nowSeconds: 1_700_000_000 };
    const given = counted([{ signatures: ordinary }, { signatures: simplex, context, expect: simplex.blockId }]);
    const options = counted({ requireBoundId: true, context });
    expect(verifier.verifyMany(given.value, options.value)).toHaveLength(2);
    expect([...given.repeated(), ...options.repeated()]).toEqual([]);
    verifier.close();
  });

  it('is refused, as verify is, where reading what it was given closes the verifier', async () => {
    const closing = (close: () => void) => ({
      get requireBoundId() {
        close();
        return true;
      },
    });
    for (const method of ['verify', 'verifyMany'] as const) {
      const verifier = await createVerifier(validators, { engine: opensslEngine });
      const options = closing(() => verifier.close());
      const call = () =>
        method === 'verify'
          ? verifier.verify(ordinary, options)
          : verifier.verifyMany([{ signatures: ordinary }], options);
      expect(call).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    }
  });

  it('counts a signature as bad for which an engine gives no verdict', async () => {
    const { engine } = together();
    const open = (keys: readonly Uint8Array[]): KeyRing => ({ ...engine.open(keys), verifyMany: () => [[true]] });
    const verifier = await createVerifier(validators, { engine: { ...engine, open } });
    const reports = verifier.verifyMany([{ signatures: ordinary }, { signatures: ordinary }]);
    const outcomes = reports.map(({ coverage }) => coverage.signatures.map(({ outcome }) => outcome));
    expect(outcomes[0]).toEqual(['valid', 'bad-signature', 'bad-signature', 'bad-signature']);
    expect(outcomes[1]).toEqual(['bad-signature', 'bad-signature', 'bad-signature', 'bad-signature']);
    verifier.close();
  });
});

describe('beginMany', () => {
  const open = (engine: Ed25519Engine) => openVerifier(validators, engine);
  const closed = expect.objectContaining({ code: 'usage/closed' });

  it('gives the reports of verifyMany, later, and asks an engine that can for all of them at once', () => {
    const begun: number[] = [];
    const ahead: Ed25519Engine = {
      name: 'ahead',
      open(keys) {
        const ring = opensslEngine.open(keys);
        const verify = ({ message, keyIndexes, signatures }: RingBlock) => ring.verify(message, keyIndexes, signatures);
        return {
          verify: ring.verify,
          beginMany(many: readonly RingBlock[]) {
            begun.push(many.length);
            return () => many.map(verify);
          },
          close() {},
        };
      },
    };
    for (const engine of [opensslEngine, together().engine, ahead]) {
      const verifier = open(engine);
      const finish = verifier.beginMany(blocks);
      expect(finish().map((report) => reportToJson(report()))).toEqual(verifier.verifyMany(blocks).map(reportToJson));
    }
    expect(begun[0]).toBe(blocks.length);
  });

  it('keeps none of the reports from a caller because of one that cannot be made', () => {
    const header = { source: 'claimed', seqno: 7 } as const;
    const [first, second] = open(opensslEngine).beginMany([
      { signatures: ordinary, context: { header } },
      { signatures: ordinary },
    ])();
    expect(first).toThrow(expect.objectContaining({ code: 'usage/bad-option', path: 'context.header' }));
    expect(second!().verdict.status).toBe('final');
  });

  it('is not for a verifier that was closed, be it by a block that is looked at', () => {
    const shut = open(opensslEngine);
    shut.close();
    expect(() => shut.beginMany(blocks)).toThrow(closed);
    const verifier = open(opensslEngine);
    const closing = {
      get signatures() {
        verifier.close();
        return ordinary;
      },
    };
    expect(() => verifier.beginMany([closing])).toThrow(closed);
  });
});
