/** The kernel's own source, compiled here: that it is what is embedded, and that its bounds hold where they are tightest. */
import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../scripts/build-kernel.mjs';
import { createKernelEngineSync, type KernelEngine } from '../../../src/core/ed25519/kernel.ts';
import { type KernelExports, KernelHeap } from '../../../src/core/ed25519/kernel-heap.ts';
import { compileKernelSync, kernelBytesSync } from '../../../src/core/ed25519/kernel-module.ts';
import { NO_PACE } from '../../../src/core/ed25519/table-pace.ts';
import { seededRandom } from '../../helpers/edge-signatures.ts';
import '../../helpers/relaxed-simd.ts';
import { compiledKernel } from '../../helpers/compiled-kernel.ts';
import { everyNth, isFull, share } from '../../helpers/share.ts';
import { fromHex, readEd25519Vectors } from '../../helpers/vectors.ts';

const P = Point.CURVE().p;
const L = Point.CURVE().n;

const VARIANTS = ['relaxed', 'simd', 'scalar'] as const;

interface DebugExports extends KernelExports {
  multiply(out: number, a: number, b: number): void;
  multiplyAhead(out: number, a: number, b: number): void;
  settle(): void;
  square(out: number, a: number): void;
  addElements(out: number, a: number, b: number): void;
  subtractElements(out: number, a: number, b: number): void;
  invert(out: number, a: number): void;
  pack(at0: number, at1: number, a: number): void;
  unpack(out: number, at0: number, at1: number): void;
  widestColumn(): number;
  assertExact(a: number, b: number, c: number): void;
  canonical(at: number): void;
  belowOrder(at: number): number;
  reduceScalar(out: number, x: number): void;
  rowsOf(width: number): number;
  topDigit(width: number): number;
  hashChallenge(out: number, r: number, key: number, message: number, length: number): void;
  refer(out: number, scalar: number, table: number, width: number): void;
  readonly NEUTRAL: WebAssembly.Global;
}

const exponent = (limb: number): number => Math.ceil(21.25 * limb);
const mod = (value: bigint, modulus = P): bigint => ((value % modulus) + modulus) % modulus;

describe.each(VARIANTS)('the %s kernel', (variant) => {
  it('is embedded as its source compiles to', async () => {
    expect(sha256(await compiledKernel(variant))).toBe(sha256(kernelBytesSync(variant)));
  });
});

describe.each(VARIANTS)('the %s kernel with assertions', (variant) => {
  const lanes = variant === 'scalar' ? 1 : 2;
  let bytes: Uint8Array<ArrayBuffer>;
  let heap: KernelHeap;
  let kernel: DebugExports;
  let made: KernelEngine | undefined;
  /** On an instance of its own; made once, for its self-test alone takes most of a second here. */
  const engine = (): KernelEngine => {
    made ??= createKernelEngineSync({ tableWidth: 4, pace: () => NO_PACE }, bytes);
    return made;
  };
  let [a, b, out, later, raw] = [0, 0, 0, 0, 0];

  beforeAll(async () => {
    bytes = await compiledKernel(variant, true);
    heap = new KernelHeap(compileKernelSync(bytes));
    kernel = heap.kernel as DebugExports; // the debug entry exports these
    [a, b, out, later] = [heap.allocate(192), heap.allocate(192), heap.allocate(192), heap.allocate(192)];
    raw = heap.allocate(4096);
  });

  /** Writes limbs, in units of their weights, to one lane. */
  function setLimbs(at: number, lane: number, limbs: readonly number[]): void {
    const view = new DataView(kernel.memory.buffer);
    limbs.forEach((limb, k) => {
      view.setFloat64(at + 8 * lanes * k + 8 * lane, limb * 2 ** exponent(k), true);
    });
  }

  function elementValue(at: number, lane: number): bigint {
    const view = new DataView(kernel.memory.buffer);
    let sum = 0n;
    for (let k = 0; k < 12; k++) sum += BigInt(view.getFloat64(at + 8 * lanes * k + 8 * lane, true));
    return sum;
  }

  const limbsValue = (limbs: readonly number[]): bigint =>
    limbs.reduce((sum, limb, k) => sum + BigInt(limb) * (1n << BigInt(exponent(k))), 0n);

  function setNumber(at: number, value: bigint, size = 32): void {
    for (let n = 0; n < size; n++) heap.bytes[at + n] = Number((value >> BigInt(8 * n)) & 0xffn);
  }

  function getNumber(at: number, size = 32): bigint {
    return BigInt(`0x${Buffer.from(heap.bytes.slice(at, at + size).reverse()).toString('hex')}`);
  }

  /** The largest folded limb, times a factor: how far sums of folded elements go. */
  const extreme = (k: number, factor: number): number =>
    factor * (2 ** (exponent(k + 1) - exponent(k) - 1) + (k % 3 === 2 ? 4096 : 0));

  it('multiplies exactly at the bounds: factors of four folded elements each, in every pattern of signs', () => {
    const random = seededRandom(1);
    const patterns = [
      () => 1,
      () => -1,
      (k: number) => (k % 2 === 0 ? 1 : -1),
      ...Array.from({ length: 40 }, () => () => (random() < 0.5 ? 1 : -1)),
    ];
    for (const signA of patterns) {
      for (const signB of patterns.slice(0, 12)) {
        const x = Array.from({ length: 12 }, (_, k) => signA(k) * extreme(k, 4));
        const y = Array.from({ length: 12 }, (_, k) => signB(k) * extreme(k, 4) - signB(k) * Math.floor(random() * 2));
        for (let lane = 0; lane < lanes; lane++) {
          setLimbs(a, lane, lane === 0 ? x : y);
          setLimbs(b, lane, lane === 0 ? y : x);
        }
        kernel.multiplyAhead(out, a, b);
        kernel.multiplyAhead(later, a, a); // folds the columns of a b
        for (let lane = 0; lane < lanes; lane++)
          expect(mod(elementValue(out, lane))).toBe(mod(limbsValue(x) * limbsValue(y)));
        kernel.settle();
        expect(mod(elementValue(later, 0))).toBe(mod(limbsValue(x) ** 2n));
        kernel.square(out, a);
        expect(mod(elementValue(out, 0))).toBe(mod(limbsValue(x) ** 2n));
      }
    }
    const widest = Math.log2(kernel.widestColumn());
    expect(widest).toBeGreaterThan(52.9);
    expect(widest).toBeLessThan(53);
  });

  it('takes multiply-adds only where a second rounding changes nothing', () => {
    kernel.assertExact(2 ** 26 + 1, 2 ** 26 + 1, 0); // 53 bits
    expect(() => kernel.assertExact(2 ** 27 + 1, 2 ** 27 + 1, 0)).toThrow(RangeError); // 55
    kernel.assertExact(2 ** 26, 2 ** 26, 1); // 53 bits
    expect(() => kernel.assertExact(2 ** 27, 2 ** 27, 1)).toThrow(RangeError); // 55
    kernel.assertExact(2 ** 27, -(2 ** 27), 2 ** 54 + 4); // a sum that cancels
  });

  it('multiplies table entries of all ones by sums', () => {
    const ones = Array.from({ length: 12 }, (_, k) => 2 ** (exponent(k + 1) - exponent(k)) - 1);
    const sums = Array.from({ length: 12 }, (_, k) => extreme(k, 4));
    for (let lane = 0; lane < lanes; lane++) {
      setLimbs(a, lane, ones);
      setLimbs(b, lane, sums);
    }
    kernel.multiply(out, a, b);
    expect(mod(elementValue(out, lanes - 1))).toBe(mod(limbsValue(ones) * limbsValue(sums)));
  });

  it('has an assertion that sees a factor that is not written yet', () => {
    for (let lane = 0; lane < lanes; lane++) setLimbs(a, lane, [3, ...Array<number>(11).fill(0)]);
    kernel.multiplyAhead(out, a, a);
    expect(() => kernel.multiplyAhead(later, out, a)).toThrow(RangeError);
    expect(() => kernel.multiplyAhead(later, a, out)).toThrow(RangeError);
    expect(() => kernel.square(later, out)).toThrow(RangeError);
    kernel.settle();
    kernel.multiplyAhead(later, out, a);
    kernel.settle();
    expect(elementValue(later, 0)).toBe(27n);
  });

  it('has assertions that see a column of more than 53 bits and a limb that is no multiple of its weight', () => {
    for (let lane = 0; lane < lanes; lane++) {
      setLimbs(
        a,
        lane,
        Array.from({ length: 12 }, (_, k) => extreme(k, 5)),
      );
      setLimbs(
        b,
        lane,
        Array.from({ length: 12 }, (_, k) => extreme(k, 4)),
      );
    }
    expect(() => kernel.multiply(out, a, b)).toThrow(RangeError);
    setLimbs(a, 0, [0, 0.5]);
    expect(() => kernel.multiply(out, a, b)).toThrow(RangeError);
  });

  it('reads and writes every number below 2^255, and sums far outside', () => {
    const edges = [0n, 1n, 18n, 19n, P - 1n, P, P + 1n, P + 18n, 1n << 254n, (1n << 255n) - 1n];
    for (let k = 1; k < 12; k++) edges.push((1n << BigInt(exponent(k))) - 1n, 1n << BigInt(exponent(k)));
    for (const value of edges) {
      setNumber(raw, value);
      setNumber(raw + 32, value ^ (1n << 255n)); // the top bit is not part of the number
      kernel.unpack(a, raw, raw + 32);
      for (let lane = 0; lane < lanes; lane++) expect(elementValue(a, lane)).toBe(value);
      kernel.pack(raw + 64, raw + 96, a);
      expect(mod(getNumber(raw + 64))).toBe(mod(value));
      kernel.subtractElements(b, b, b);
      kernel.subtractElements(b, b, a);
      kernel.subtractElements(b, b, a);
      kernel.pack(raw + 64, raw + 96, b);
      expect(getNumber(raw + 64)).toBeLessThan(1n << 255n);
      expect(mod(getNumber(raw + 64))).toBe(mod(-2n * value));
    }
    for (const sign of [1, -1]) {
      const limbs = Array.from({ length: 12 }, (_, k) => sign * extreme(k, 4));
      for (let lane = 0; lane < lanes; lane++) setLimbs(a, lane, limbs);
      kernel.pack(raw, raw + 32, a);
      expect(getNumber(raw)).toBeLessThan(1n << 255n);
      expect(mod(getNumber(raw))).toBe(mod(limbsValue(limbs)));
    }
  });

  it('subtracts p from the nineteen numbers below 2^255 that are not below p, and from no other', () => {
    for (let offset = -5n; offset < 19n; offset++) {
      setNumber(raw, P + offset);
      kernel.canonical(raw);
      expect(getNumber(raw)).toBe(mod(P + offset));
    }
    // All ones in some words only.
    for (const value of [P - (1n << 64n), P - (1n << 128n), P - (1n << 192n), (1n << 64n) - 1n, 0n]) {
      setNumber(raw, value);
      kernel.canonical(raw);
      expect(getNumber(raw)).toBe(value);
    }
  });

  it('inverts', () => {
    for (const value of [0n, 1n, 2n, P - 1n, 12345678901234567890n]) {
      setNumber(raw, value);
      kernel.unpack(a, raw, raw);
      kernel.invert(out, a);
      kernel.multiply(out, out, a);
      expect(mod(elementValue(out, 0))).toBe(value === 0n ? 0n : 1n);
    }
  });

  it('reduces scalars modulo L and compares them with L', () => {
    const random = seededRandom(2);
    const top = (1n << 512n) - 1n;
    const quotient = top / L;
    const edges = [0n, 1n, L - 1n, L, L + 1n, top, quotient * L, quotient * L - 1n, quotient * L + 1n, 1n << 252n];
    for (let bit = 240n; bit < 512n; bit += 3n) edges.push((1n << bit) - 1n, 1n << bit);
    for (let n = 0; n < 300; n++) {
      let value = 0n;
      // Runs of zeros and ones reach the ends of words more often than random bytes do.
      while (value >> 500n === 0n)
        value = (value << 16n) | BigInt([0, 0xffff, Math.floor(random() * 65536)][Math.floor(random() * 3)]!) | 1n;
      edges.push(value & top, ((value & top) / L) * L);
    }
    for (const value of edges) {
      setNumber(raw, value, 64);
      kernel.reduceScalar(raw + 128, raw);
      expect(getNumber(raw + 128)).toBe(value % L);
    }
    for (const value of [0n, L - 1n, L, L + 1n, 1n << 252n, (1n << 253n) - 1n, (1n << 256n) - 1n, L + (1n << 128n)]) {
      setNumber(raw, value);
      expect(kernel.belowOrder(raw) !== 0).toBe(value < L);
    }
  });

  it('takes scalars apart into digits that add up, at every width, and stays inside the table', () => {
    const random = seededRandom(3);
    for (const width of [4, 5, 6, 7, 8, 10, 12, 13, 14, 15]) {
      const half = 1 << (width - 1);
      const rows = kernel.rowsOf(width);
      const scalars = [0n, 1n, L - 1n, 1n << 252n, (1n << 252n) - 1n];
      for (const digit of [half - 1, half, half + 1, 2 * half - 1]) {
        let value = 0n;
        for (let at = 0; at < 252; at += width) value |= BigInt(digit) << BigInt(at);
        scalars.push(value % (1n << 252n));
      }
      for (let n = 0; n < 50; n++) {
        let value = 0n;
        for (let word = 0; word < 16; word++) value = (value << 16n) | BigInt(Math.floor(random() * 65536));
        scalars.push(value % L);
      }
      for (const scalar of scalars) {
        setNumber(raw, scalar);
        setNumber(raw + 32, (1n << 64n) - 1n, 8); // what stands after a scalar must not count
        kernel.refer(raw + 64, raw, 1 << 20, width);
        const view = new DataView(kernel.memory.buffer);
        let sum = 0n;
        let outside = 0;
        for (let row = 0; row < rows; row++) {
          const reference = view.getUint32(raw + 64 + 8 * row, true);
          if (reference === kernel.NEUTRAL.value) continue;
          const entry = ((reference & ~1) - (1 << 20)) / 96 - row * half;
          if (!(entry >= 0 && entry < (row === rows - 1 ? kernel.topDigit(width) : half))) outside++;
          sum += BigInt(reference & 1 ? -(entry + 1) : entry + 1) << BigInt(row * width);
        }
        expect([sum, outside]).toEqual([scalar, 0]);
      }
    }
  });

  it('hashes like SHA-512 at every length around a block', () => {
    const random = seededRandom(4);
    for (const length of [0, 1, 46, 47, 48, 63, 64, 65, 68, 174, 175, 176, 192, 500]) {
      const data = Uint8Array.from({ length: 64 + length }, () => Math.floor(random() * 256));
      heap.bytes.set(data, raw);
      kernel.hashChallenge(raw + 1024, raw, raw + 32, raw + 64, length);
      expect(Buffer.from(heap.bytes.slice(raw + 1024, raw + 1088)).toString('hex')).toBe(
        createHash('sha512').update(data).digest('hex'),
      );
    }
  });

  it('has room for the sums of the largest call, and refuses a larger one', () => {
    const jobs = heap.allocate(128 * 257);
    heap.bytes.fill(0xff, jobs, jobs + 128 * 257); // S beyond L everywhere: every sum is of neutral entries, which stand in no table
    const records = heap.allocate(128);
    heap.bytes.set(fromHex(readEd25519Vectors('speccheck')[3]!.public_key), records);
    kernel.decodeKeys(records, 1);
    for (let n = 0; n < 257; n++) heap.words[(jobs + 128 * n + 64) >> 2] = records;
    if (isFull || variant === 'relaxed') kernel.verifyJobs(jobs, 256, raw, 0, 4, raw, 8); // the one that is taken here, or all
    expect(() => kernel.verifyJobs(jobs, 257, raw, 0, 4, raw, 8)).toThrow(/assertion/);
    expect(() => kernel.verifyJobs(jobs, 0, raw, 0, 4, raw, 8)).toThrow(/assertion/);
    // The constants behind the buffers are whole.
    const edge = readEd25519Vectors('speccheck')[3]!;
    const ring = engine().open([fromHex(edge.public_key)]);
    ring.buildTables();
    const count = share(16, 256);
    const verdicts = ring.verify(
      fromHex(edge.message),
      new Array(count).fill(0),
      new Array(count).fill(fromHex(edge.signature)),
    );
    expect(verdicts).toEqual(new Array(count).fill(edge.openssl));
    ring.close();
  });

  it('decodes an odd number of keys without touching what stands behind them', () => {
    for (const count of [1, 3, 5]) {
      const records = heap.allocate(128 * 6);
      const keys = readEd25519Vectors('speccheck').slice(0, count);
      heap.bytes.fill(0xa5, records, records + 128 * 6);
      for (const [n, edge] of keys.entries()) heap.bytes.set(fromHex(edge.public_key), records + 128 * n);
      kernel.decodeKeys(records, count);
      expect(heap.bytes.slice(records + 128 * count, records + 128 * 6).every((byte) => byte === 0xa5)).toBe(true);
      for (let n = 0; n < count; n++) expect(heap.words[(records + 128 * n + 96) >> 2]).toBe(1);
    }
  });

  it('refuses a key that is no point even where the arithmetic would accept, and only that key', () => {
    // y = 2 has no x. The record gets the point of an honest key, whose owner signs over the bytes of the bad one.
    const off = new Uint8Array(32);
    off[0] = 2;
    const [secret, nonce] = [1234567n, 7654321n];
    const [publicKey, r] = [Point.BASE.multiply(secret).toBytes(), Point.BASE.multiply(nonce).toBytes()];
    const signed = (key: Uint8Array): Uint8Array => {
      const hash = createHash('sha512').update(r).update(key).update('message').digest().reverse();
      const k = BigInt(`0x${hash.toString('hex')}`) % L;
      const s = (nonce + k * secret) % L;
      return Uint8Array.from([...r, ...Array.from({ length: 32 }, (_, n) => Number((s >> BigInt(8 * n)) & 255n))]);
    };
    const records = heap.allocate(256);
    const [jobs, message] = [heap.allocate(128 * 4), heap.allocate(64)];
    const [baseRow, base] = [heap.allocate(128 * 96), heap.allocate(kernel.baseTableBytes(8))];
    const table = heap.allocate(kernel.tableBytes(4));
    kernel.buildBaseRow(baseRow);
    for (let step = 0; kernel.buildBaseStep(base, 8, step) === 0; step++);
    heap.bytes.set(new TextEncoder().encode('message'), message);
    heap.bytes.set(publicKey, records);
    heap.bytes.set(off, records + 128);
    kernel.decodeKeys(records, 2);
    expect([heap.words[(records + 96) >> 2], heap.words[(records + 224) >> 2]]).toEqual([1, 0]);
    heap.bytes.copyWithin(records + 160, records + 32, records + 96);
    kernel.buildKeyTables(records, records, table, table, 4);
    for (const width of [0, 4]) {
      for (const valid of [1, 0]) {
        heap.words[(records + 224) >> 2] = valid;
        for (let n = 0; n < 4; n++) {
          const isOff = n === 1 || n === 2;
          heap.bytes.set(signed(isOff ? off : publicKey), jobs + 128 * n);
          heap.words[(jobs + 128 * n + 64) >> 2] = records + (isOff ? 128 : 0);
          heap.words[(jobs + 128 * n + 68) >> 2] = table;
        }
        kernel.verifyJobs(jobs, 4, message, 7, width, width === 0 ? baseRow : base, 8);
        const verdicts = [0, 1, 2, 3].map((n) => heap.words[(jobs + 128 * n + 72) >> 2]);
        expect(verdicts).toEqual([1, valid, valid, 1]);
      }
    }
  });

  it('answers edge cases with every assertion on, with tables and without', () => {
    const edges = [...readEd25519Vectors('speccheck'), ...readEd25519Vectors('zip215').slice(0, share(4, 20))];
    const cases = everyNth(edges, 3, VARIANTS.indexOf(variant)); // each is tried with one variant or with all
    const ring = engine().open(cases.map((edge) => fromHex(edge.public_key)));
    const verdicts = () =>
      cases.map((edge, n) => ring.verify(fromHex(edge.message), [n], [fromHex(edge.signature)])[0]);
    expect(ring.tableBytes).toBe(0);
    expect(verdicts()).toEqual(cases.map((edge) => edge.openssl));
    expect(ring.tableBytes).toBe(0);
    ring.buildTables();
    expect(ring.tableBytes).toBeGreaterThan((cases.length - 2) * kernel.tableBytes(4));
    expect(verdicts()).toEqual(cases.map((edge) => edge.openssl));
    ring.close();
  });
});
