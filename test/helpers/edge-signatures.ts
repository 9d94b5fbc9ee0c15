/**
 * Signatures at the edges of the accept rule, many of them and fast: keys and R with small-order parts, non-canonical and
 * senseless encodings, S shifted by multiples of L, scalars at the edges of windows and limbs, single-bit flips. About a
 * third of them are valid. Made from a seed; what each should give is for an oracle to say.
 */
import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';

const L = Point.CURVE().n;
const P = Point.CURVE().p;

/** Signatures of one message by keys of a pool. */
export interface EdgeBlock {
  readonly message: Uint8Array;
  readonly keyIndexes: readonly number[];
  readonly signatures: readonly Uint8Array[];
  /** How each was made, for the report of a failure. */
  readonly kinds: readonly string[];
}

export interface EdgePool {
  readonly publicKeys: readonly Uint8Array[];
  block(size: number): EdgeBlock;
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function littleEndian(value: bigint): Uint8Array<ArrayBuffer> {
  const hex = value.toString(16).padStart(64, '0');
  return new Uint8Array(Buffer.from(hex, 'hex').reverse());
}

function fromLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

const EIGHTH = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
/** The small-order points; index n is n times one of order 8. */
const SMALL: readonly Point[] = Array.from({ length: 8 }, (_, n) => EIGHTH.multiply(BigInt(n), false));

function withSign(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const signed = Uint8Array.from(bytes);
  signed[31] = signed[31]! ^ 0x80;
  return signed;
}

/** Every 32-byte string that decodes to a small-order point, with the index of that point. */
const SMALL_ENCODINGS: readonly { readonly bytes: Uint8Array; readonly torsion: number }[] = SMALL.flatMap(
  (point, torsion) => {
    const canonical = point.toBytes();
    const all = [canonical];
    const { x, y } = point.toAffine();
    if (x === 0n) all.push(withSign(canonical));
    if (y < 19n) {
      const high = littleEndian(y + P + (BigInt(canonical[31]! >> 7) << 255n));
      all.push(high);
      if (x === 0n) all.push(withSign(high));
    }
    return all.map((bytes) => ({ bytes, torsion }));
  },
);

/** Scalars whose signed digits, words or limbs sit at an edge. */
const EDGE_SCALARS: readonly bigint[] = [
  ...[0n, 1n, 2n, 8n, L - 1n, L - 2n, L >> 1n, (L >> 1n) + 1n, 1n << 252n, (1n << 252n) - 1n, (1n << 251n) - 1n],
  ...[4n, 5n, 6n, 7n, 8n, 12n].flatMap((width) => {
    const repeat = (digit: bigint) => {
      let value = 0n;
      for (let at = 0n; at + width <= 252n; at += width) value |= digit << at;
      return value;
    };
    const half = 1n << (width - 1n);
    return [repeat(half), repeat(half - 1n), repeat(half + 1n), repeat((1n << width) - 1n), repeat(1n)];
  }),
].map((value) => value % L);

/** Field elements whose limbs, words or bytes sit at an edge: y of keys and of R. */
function edgeField(random: () => number): bigint {
  const pick = Math.floor(random() * 6);
  if (pick === 0) return BigInt(Math.floor(random() * 40)); // 0 to 18 have a second encoding
  if (pick === 1) return P - 1n - BigInt(Math.floor(random() * 40));
  if (pick === 2) return P + BigInt(Math.floor(random() * 19)); // non-canonical, the last is all ones
  if (pick === 3)
    return (1n << BigInt(Math.ceil(21.25 * Math.floor(random() * 12)))) - BigInt(Math.floor(random() * 3));
  let value = 0n;
  for (let limb = 0; limb < 12; limb++) {
    const width = Math.ceil(21.25 * (limb + 1)) - Math.ceil(21.25 * limb);
    const edges = [0, 1, 2 ** (width - 1) - 1, 2 ** (width - 1), 2 ** width - 1];
    value |= BigInt(edges[Math.floor(random() * edges.length)]!) << BigInt(Math.ceil(21.25 * limb));
  }
  return value;
}

interface PoolKey {
  readonly bytes: Uint8Array;
  /** A = scalar * B + torsion; undefined where nobody knows the scalar. */
  readonly known: { readonly scalar: bigint; readonly torsion: number } | undefined;
}

export function makeEdgePool(keyCount: number, seed: number): EdgePool {
  const random = seededRandom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const bytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, () => below(256));
  const scalar = (): bigint => fromLittleEndian(bytes(32)) % L;
  const edgePoint = (): Uint8Array => littleEndian((edgeField(random) % (1n << 255n)) | (BigInt(below(2)) << 255n));

  const keys = Array.from({ length: keyCount }, (_, n): PoolKey => {
    if (n % 10 === 8) {
      const { bytes, torsion } = SMALL_ENCODINGS[below(SMALL_ENCODINGS.length)]!;
      return { bytes, known: { scalar: 0n, torsion } };
    }
    if (n % 10 === 9) return { bytes: below(4) === 0 ? bytes(32) : edgePoint(), known: undefined };
    const torsion = n % 10 < 4 ? 0 : below(8);
    const secret = below(8) === 0 ? EDGE_SCALARS[below(EDGE_SCALARS.length)]! : scalar();
    return {
      bytes: Point.BASE.multiply(secret, false).add(SMALL[torsion]!).toBytes(),
      known: { scalar: secret, torsion },
    };
  });

  /** R = r * B + torsion, for every torsion. */
  const nonces = Array.from({ length: 96 }, (_, n) => {
    const r = n < EDGE_SCALARS.length ? EDGE_SCALARS[n]! : scalar();
    const point = Point.BASE.multiply(r, false);
    return { r, encoded: SMALL.map((small) => point.add(small).toBytes()) };
  });

  function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array): bigint {
    return fromLittleEndian(createHash('sha512').update(r).update(key).update(message).digest()) % L;
  }

  /** The signature without cofactor where a fitting torsion of R is found, else one that is valid but for the torsion. */
  function sign(key: PoolKey, message: Uint8Array): Uint8Array {
    const signature = new Uint8Array(64);
    const { scalar: secret, torsion } = key.known ?? { scalar: scalar(), torsion: 0 };
    const { r, encoded } = nonces[below(nonces.length)]!;
    const start = below(8);
    for (let n = 0; n < 8; n++) {
      const torsionOfR = torsion === 0 ? 0 : (start + n) % 8;
      const encodedR = encoded[torsionOfR]!;
      const k = challenge(encodedR, key.bytes, message);
      signature.set(encodedR, 0);
      signature.set(littleEndian((r + k * secret) % L), 32);
      if ((torsionOfR + Number(k % 8n) * torsion) % 8 === 0) break;
    }
    return signature;
  }

  const changes: Record<string, (signature: Uint8Array, key: PoolKey, message: Uint8Array) => Uint8Array> = {
    honest: (signature) => signature,
    'other torsion in R': (_, key, message) => {
      const { r, encoded } = nonces[below(nonces.length)]!;
      const encodedR = encoded[below(8)]!;
      const k = challenge(encodedR, key.bytes, message);
      return new Uint8Array([...encodedR, ...littleEndian((r + k * (key.known?.scalar ?? 1n)) % L)]);
    },
    'S + jL': (signature) => {
      const s = fromLittleEndian(signature.subarray(32));
      const shifted = s + L * BigInt(1 + below(15));
      signature.set(littleEndian(shifted < 1n << 256n ? shifted : s + L), 32);
      return signature;
    },
    'edge S': (signature) => {
      const edges = [0n, 1n, L - 1n, L, L + 1n, (1n << 252n) - 1n, 1n << 252n, (1n << 253n) - 1n, (1n << 256n) - 1n];
      signature.set(littleEndian(edges[below(edges.length)]!), 32);
      return signature;
    },
    'small R': (_, key, message) => {
      // S = k a cancels the prime-order part, so that R' is a small point.
      const { bytes: r } = SMALL_ENCODINGS[below(SMALL_ENCODINGS.length)]!;
      const k = challenge(r, key.bytes, message);
      return new Uint8Array([...r, ...littleEndian((k * (key.known?.scalar ?? 0n)) % L)]);
    },
    'edge R': (signature) => {
      signature.set(edgePoint(), 0);
      return signature;
    },
    'flipped bit': (signature) => {
      const bit = below(512);
      signature[bit >> 3] = signature[bit >> 3]! ^ (1 << (bit & 7));
      return signature;
    },
    'other message': (_, key) => sign(key, bytes(68)),
    'other key': (_, __, message) => sign(keys[below(keys.length)]!, message),
    'random bytes': () => bytes(64),
    'all ones': () => new Uint8Array(64).fill(255),
  };
  const kindNames = Object.keys(changes);

  return {
    publicKeys: keys.map((key) => key.bytes),
    block(size) {
      const message = bytes(below(3) === 0 ? below(300) : 68);
      const keyIndexes = Array.from({ length: size }, () => below(keys.length));
      const kinds = keyIndexes.map(() => (below(2) === 0 ? 'honest' : kindNames[below(kindNames.length)]!));
      const signatures = keyIndexes.map((keyIndex, n) => {
        const key = keys[keyIndex]!;
        return changes[kinds[n]!]!(sign(key, message), key, message);
      });
      return { message, keyIndexes, signatures, kinds };
    },
  };
}
