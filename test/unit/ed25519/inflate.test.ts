import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflate, inflateSync, kernelBytes, kernelBytesSync } from '../../../src/core/ed25519/kernel-module.ts';
import { seededRandom } from '../../helpers/edge-signatures.ts';

const random = seededRandom(5);
const data = Uint8Array.from({ length: 50_000 }, (_, n) => (n % 3 === 0 ? Math.floor(random() * 12) : 65));
const deflated = new Uint8Array(deflateRawSync(data, { level: 9 }));

describe('inflating', () => {
  it('gives back what was deflated, at once or not', async () => {
    expect(inflateSync(deflated)).toEqual(data);
    expect(await inflate(deflated)).toEqual(data);
  });

  it('throws on data that ends early or is something else', async () => {
    for (const damaged of [deflated.slice(0, -10), new Uint8Array(), new Uint8Array(100).fill(255)]) {
      expect(() => inflateSync(damaged)).toThrow();
      await expect(inflate(damaged)).rejects.toThrow();
    }
  });

  it('gives the same kernels both ways', async () => {
    for (const variant of ['simd', 'scalar', 'auto'] as const) {
      expect(await kernelBytes(variant)).toEqual(kernelBytesSync(variant));
    }
  });
});
