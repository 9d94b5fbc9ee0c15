/**
 * Public keys: the lenient decoding of the node, and the negated point that verification works with. A key record has 128
 * bytes: the key as received, then -x and y (32 bytes each, below 2^255), then 1 where there is such a point.
 */

import { addElements, copyElement, D, multiply, ONE, pack, powerForRoot, SQRT_M1, square, subtractElements, unpack } from './field';
import { LANES } from './lanes';
import { POINT, T, X, Y, Z } from './point';
import { ELEMENT, STRIDE } from './element';

export const KEY_RECORD: i32 = 128;
const KEY_X: i32 = 32;
const KEY_Y: i32 = 64;
const KEY_VALID: i32 = 96;

const U: usize = memory.data(ELEMENT, 64);
const V: usize = memory.data(ELEMENT, 64);
const XX: usize = memory.data(ELEMENT, 64);
const YY: usize = memory.data(ELEMENT, 64);
const W: usize = memory.data(ELEMENT, 64);
const BYTES: usize = memory.data(64, 16);
const CHECK: usize = memory.data(128, 16);

/** Makes the 32-byte number at `at`, below 2^255, the one below p. */
export function canonical(at: usize): void {
  const low = load<u64>(at);
  if (low >= 0xffffffffffffffed && load<u64>(at, 24) == 0x7fffffffffffffff && (load<u64>(at, 8) & load<u64>(at, 16)) == u64.MAX_VALUE) {
    store<u64>(at, low + 19);
    store<u64>(at, 0, 8);
    store<u64>(at, 0, 16);
    store<u64>(at, 0, 24);
  }
}

function isZero(at: usize): bool {
  canonical(at);
  return (load<u64>(at) | load<u64>(at, 8) | load<u64>(at, 16) | load<u64>(at, 24)) == 0;
}

/**
 * Decodes the keys of two records: y is the low 255 bits modulo p, x = sqrt((y^2 - 1) / (d y^2 + 1)) with the parity that
 * the top bit asks for; x = 0 with the top bit set is taken. Only "no such x" makes a key invalid.
 */
export function decodeKeys(record0: usize, record1: usize): void {
  unpack(YY, record0, record1);
  square(U, YY);
  multiply(V, U, D);
  subtractElements(U, U, ONE);
  addElements(V, V, ONE);
  square(W, V);
  multiply(W, W, V); // v^3
  multiply(XX, U, W); // u v^3
  square(W, W);
  multiply(W, W, V); // v^7
  multiply(W, W, U); // u v^7
  powerForRoot(W, W);
  multiply(XX, XX, W);
  square(W, XX);
  multiply(W, W, V); // v x^2, which is u, -u or nothing useful
  subtractElements(V, W, U);
  addElements(W, W, U);
  pack(CHECK, CHECK + 32, V);
  pack(CHECK + 64, CHECK + 96, W);
  for (let lane = 0; lane < LANES; lane++) {
    const record = lane == 0 ? record0 : record1;
    const isU = isZero(CHECK + 32 * lane);
    store<u32>(record + KEY_VALID, u32(isU || isZero(CHECK + 64 + 32 * lane)));
    const root = isU ? ONE : SQRT_M1;
    for (let k: usize = 0; k < <usize>ELEMENT; k += STRIDE) f64.store(V + 8 * lane + k, f64.load(root + k));
  }
  multiply(XX, XX, V);
  pack(BYTES, BYTES + 32, XX);
  for (let lane = 0; lane < LANES; lane++) {
    const bytes = BYTES + 32 * lane;
    const record = lane == 0 ? record0 : record1;
    canonical(bytes);
    // The record holds -x, so x changes sign exactly when its parity is the one asked for.
    const sign = (load<u8>(bytes) & 1) == load<u8>(record + 31) >> 7 ? -1.0 : 1.0;
    for (let k: usize = 8 * lane; k < <usize>ELEMENT; k += STRIDE) f64.store(XX + k, sign * f64.load(XX + k));
  }
  pack(record0 + KEY_X, record1 + KEY_X, XX);
  pack(record0 + KEY_Y, record1 + KEY_Y, YY);
}

@inline export function isDecodable(record: usize): bool {
  return load<u32>(record + KEY_VALID) != 0;
}

/** point = the negated points of two records. */
export function loadNegatedKeys(point: usize, record0: usize, record1: usize): void {
  loadAffine(point, record0 + KEY_X, record1 + KEY_X);
}

/** point = the affine points (x, y) at two addresses, 64 bytes each. */
export function loadAffine(point: usize, at0: usize, at1: usize): void {
  unpack(point + X, at0, at1);
  unpack(point + Y, at0 + 32, at1 + 32);
  copyElement(point + Z, ONE);
  multiply(point + T, point + X, point + Y);
}
