import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EngineError, UsageError } from '../../../src/core/base/errors.ts';
import type { KeyRing } from '../../../src/core/ed25519/engine.ts';
import { createKernelEngine, createKernelEngineSync, type KernelEngine } from '../../../src/core/ed25519/kernel.ts';
import { compileKernelSync, hasVariant, kernelBytesSync } from '../../../src/core/ed25519/kernel-module.ts';
import { KernelRing } from '../../../src/core/ed25519/kernel-ring.ts';
import { KernelState } from '../../../src/core/ed25519/kernel-state.ts';
import { NO_PACE } from '../../../src/core/ed25519/table-pace.ts';
import { makeSigner } from '../../helpers/make-validators.ts';
import '../../helpers/relaxed-simd.ts';
import { everyNth, isFull, share } from '../../helpers/share.ts';
import { ED25519_FILES, fromHex, readEd25519Vectors } from '../../helpers/vectors.ts';

const CASES = ED25519_FILES.flatMap((file) =>
  readEd25519Vectors(file).map((edge) => ({
    name: `${file}: ${edge.name}`,
    publicKey: fromHex(edge.public_key),
    message: fromHex(edge.message),
    signature: fromHex(edge.signature),
    expected: edge.openssl,
  })),
);
type Case = (typeof CASES)[number];

/** The cases, those of one key together. */
const GROUPS: readonly (readonly Case[])[] = (() => {
  const byKey = new Map<string, Case[]>();
  for (const edge of CASES) {
    const key = edge.publicKey.join();
    byKey.set(key, [...(byKey.get(key) ?? []), edge]);
  }
  return [...byKey.values()];
})();

/** The names of the cases that a ring over the keys of these groups answers otherwise than the node. */
function answeredOtherwise(ring: KeyRing, groups: readonly (readonly Case[])[]): string[] {
  return groups.flatMap((group, keyIndex) =>
    group
      .filter(({ message, signature, expected }) => ring.verify(message, [keyIndex], [signature])[0] !== expected)
      .map(({ name }) => name),
  );
}

/** The same of an engine; keys are opened some at a time. */
function disagreements(engine: KernelEngine, groups: typeof GROUPS): string[] {
  const wrong: string[] = [];
  // An open ring keeps the instance, and with it the base table, from one group of keys to the next.
  const holder = engine.open([]);
  for (let at = 0; at < groups.length; at += 50) {
    const opened = groups.slice(at, at + 50);
    const ring = engine.open(opened.map((group) => group[0]!.publicKey));
    ring.buildTables();
    wrong.push(...answeredOtherwise(ring, opened));
    ring.close();
  }
  holder.close();
  return wrong;
}

const message = new TextEncoder().encode('one message');
const signers = Array.from({ length: 5 }, (_, n) => makeSigner(`kernel ${n}`, 1n));
const publicKeys = signers.map((signer) => signer.publicKey);
const all = signers.map((_, n) => n);
const good = signers.map((signer) => signer.sign(message));

describe('the kernel', () => {
  // Of few keys at a time where not all are tried: each is tried with several widths.
  it.each([
    ...([0, 4, 5, 6, 7, 8] as const).map((width, turn) => ['relaxed', width, turn] as const), // the one that is taken here
    ...(['simd', 'scalar'] as const).flatMap((variant, turn) =>
      ([0, 4] as const).map((width) => [variant, width, 4 + 2 * turn + width / 4] as const),
    ),
  ])('answers public edge cases as the node does: %s, table width %i', (variant, tableWidth, turn) => {
    const engine = createKernelEngineSync({ tableWidth, variant, maxTableBytes: 64 * 2 ** 20 });
    expect(disagreements(engine, everyNth(GROUPS, 16, 2 * turn))).toEqual([]);
  });

  describe('does so with every table of the base point', () => {
    // One instance and one table for each key: the table of the base point is replaced by the next wider one.
    let state: KernelState;
    let ring: KernelRing;
    const groups = everyNth(GROUPS, 16, 6);
    beforeAll(() => {
      state = new KernelState(compileKernelSync(kernelBytesSync()));
      const publicKeys = groups.map(([edge]) => edge!.publicKey);
      const plan = { first: 4, final: 4, base: 12, maxBytes: 2 ** 27 } as const;
      ring = new KernelRing(state, publicKeys, plan, NO_PACE, undefined, () => {});
      ring.buildTables();
    });
    afterAll(() => ring.close());

    it.each([12, 13, 14, 15])('width %i', (base) => {
      state.growBase(base, Number.POSITIVE_INFINITY);
      expect(state.base?.width).toBe(base);
      expect(ring.tableBytes).toBeGreaterThan(share(110, 1800) * state.heap.kernel.tableBytes(4));
      expect(answeredOtherwise(ring, groups)).toEqual([]);
    });
  });

  it('accepts a signature and refuses it for another message, at every stage of its tables', async () => {
    const engine = await createKernelEngine();
    const ring = engine.open(publicKeys);
    const other = new TextEncoder().encode('another message');
    for (let block = 0; block < 60 || ring.tableBytes < 5 * 382_464; block++) {
      expect(ring.verify(message, all, good)).toEqual([true, true, true, true, true]);
      expect(ring.verify(other, all, good)).toEqual([false, false, false, false, false]);
      expect(block).toBeLessThan(1000);
    }
    expect(ring.tableBytes).toBe(5 * 382_464);
    ring.close();
    expect(ring.tableBytes).toBe(0);
  });

  it('mixes keys with tables, keys without and keys that are none in one call', () => {
    const engine = createKernelEngineSync({ tableWidth: 4 });
    const ring = engine.open([...publicKeys, new Uint8Array(31), new Uint8Array(32).fill(2)]);
    for (let block = 0; block < 30; block++) ring.verify(message, [0, 1], [good[0]!, good[1]!]);
    expect(ring.tableBytes).toBeGreaterThan(0);
    expect(
      ring.verify(
        message,
        [4, 0, 5, 1, 6, 2, 7, 0],
        [good[4]!, good[0]!, good[0]!, good[2]!, good[0]!, good[2]!, good[0]!],
      ),
    ).toEqual([true, true, false, false, false, true, false, false]);
    ring.close();
  });

  it('takes any number of signatures and a message of any length', () => {
    const engine = createKernelEngineSync({ tableWidth: 4 });
    const ring = engine.open(publicKeys);
    for (const length of [0, 1, 47, 48, 63, 64, 175, 176, 200_000]) {
      const long = new Uint8Array(length).fill(7);
      const signatures = signers.map((signer) => signer.sign(long));
      const count = isFull || length === 0 || length === 200_000 ? 603 : 67;
      const indexes = Array.from({ length: count }, (_, n) => n % 5);
      const verdicts = ring.verify(
        long,
        indexes,
        indexes.map((n) => signatures[n]!),
      );
      expect(verdicts.every(Boolean)).toBe(true);
    }
    expect(ring.verify(message, [], [])).toEqual([]);
    ring.close();
  });

  it('keeps its tables apart when one key signs twice in a block while they grow', () => {
    const ring = createKernelEngineSync().open(publicKeys);
    const twice = [0, 0, 1, 2, 1, 3, 3, 4];
    const signatures = twice.map((n) => good[n]!);
    for (let block = 0; block < 300; block++) {
      expect(ring.verify(message, twice, signatures)).toEqual(twice.map(() => true));
    }
    ring.close();
  });

  it('keeps several rings and engines apart, also when one of them closes and its memory is used again', () => {
    const [one, two] = [createKernelEngineSync({ tableWidth: 5 }), createKernelEngineSync({ tableWidth: 6 })];
    const reversed = [...publicKeys].reverse();
    const rings = [one.open(publicKeys), one.open(reversed), two.open(publicKeys), two.open(reversed)];
    for (const ring of rings) ring.buildTables();
    const check = (ring: number) =>
      expect(rings[ring]!.verify(message, all, ring % 2 === 0 ? good : [...good].reverse())).toEqual(
        all.map(() => true),
      );
    for (const ring of [0, 1, 2, 3, 2, 1, 0]) check(ring);
    rings[0]!.close();
    rings[0] = one.open(publicKeys);
    rings[0]!.buildTables();
    for (const ring of [1, 0, 3, 2]) check(ring);
    for (const ring of rings) ring.close();
  });

  it('survives the growth of its memory', () => {
    const engine = createKernelEngineSync({ tableWidth: 8, maxTableBytes: 2 ** 28 });
    const before = engine.open(publicKeys);
    before.buildTables();
    const many = engine.open(Array.from({ length: 120 }, (_, n) => publicKeys[n % 5]!));
    many.buildTables(); // 46 MB more
    expect(before.verify(message, all, good)).toEqual(all.map(() => true));
    expect(many.verify(message, [3, 118, 119], [good[3]!, good[3]!, good[3]!])).toEqual([true, true, false]);
    before.close();
    many.close();
    const after = engine.open(publicKeys);
    expect(after.verify(message, all, good)).toEqual(all.map(() => true));
  });

  it('stays within its budget of table bytes', () => {
    const engine = createKernelEngineSync({ maxTableBytes: 600_000 });
    const ring = engine.open(publicKeys);
    for (let block = 0; block < 200; block++) ring.verify(message, all, good);
    expect(ring.tableBytes).toBeGreaterThan(0);
    expect(ring.tableBytes).toBeLessThanOrEqual(600_000 - 393_216);
    expect(ring.verify(message, all, good)).toEqual(all.map(() => true));
    const none = createKernelEngineSync({ tableWidth: 0 }).open(publicKeys);
    for (let block = 0; block < 50; block++) none.verify(message, all, good);
    expect(none.tableBytes).toBe(0);
  });

  it('refuses an option that is none', async () => {
    await expect(createKernelEngine({ tableWidth: 9 as never })).rejects.toThrow(UsageError);
    await expect(createKernelEngine({ maxTableBytes: -1 })).rejects.toThrow(UsageError);
    await expect(createKernelEngine({ tablewidth: 4 } as never)).rejects.toThrow('did you mean tableWidth');
    const options = { tableWidth: 0 as number };
    const engine = await createKernelEngine(options as never);
    options.tableWidth = 99; // too late to matter
    expect(engine.open(publicKeys).tableBytes).toBe(0);
  });

  it('does not take a closed ring', () => {
    const ring = createKernelEngineSync().open(publicKeys);
    ring.close();
    ring.close();
    expect(() => ring.verify(message, all, good)).toThrow(expect.objectContaining({ code: 'usage/closed' }));
    expect(() => ring.buildTables()).toThrow(expect.objectContaining({ code: 'usage/closed' }));
  });
});

describe('the variant', () => {
  it('is one with vectors in this runtime, and the fastest one whose instructions it takes', () => {
    expect([hasVariant('scalar'), hasVariant('simd'), hasVariant('relaxed')]).toEqual([true, true, true]);
    expect(kernelBytesSync()).toEqual(kernelBytesSync('relaxed'));
    for (const [refused, left] of [
      ['relaxed', 'simd'],
      ['simd', 'scalar'],
    ] as const) {
      const validate = vi.spyOn(WebAssembly, 'validate');
      const probes = refused === 'relaxed' ? [false, true] : [false, false, true];
      for (const answer of probes) validate.mockReturnValueOnce(answer);
      expect(kernelBytesSync()).toEqual(kernelBytesSync(left));
      validate.mockRestore();
    }
  });
});

describe('a damaged kernel', () => {
  it('is an EngineError when it is truncated, empty or something else', () => {
    const bytes = kernelBytesSync();
    const other = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    for (const damaged of [bytes.slice(0, bytes.length - 1), bytes.slice(0, 100), new Uint8Array(0), other]) {
      expect(() => createKernelEngineSync({}, damaged)).toThrow(EngineError);
    }
  });

  it('is an EngineError when a constant in it is changed', () => {
    const bytes = kernelBytesSync();
    // d = -121665/121666, as it stands in the data section.
    const d = [0xa3, 0x78, 0x59, 0x13, 0xca, 0x4d, 0xeb, 0x75];
    const at = bytes.findIndex((_, n) => d.every((byte, m) => bytes[n + m] === byte));
    expect(at).toBeGreaterThan(0);
    bytes[at] = bytes[at]! ^ 1;
    expect(() => createKernelEngineSync({}, bytes)).toThrow(expect.objectContaining({ code: 'engine/self-test' }));
  });
});
