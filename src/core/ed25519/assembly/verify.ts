/**
 * Verification of many signatures in one call. Each job gets its own exact verdict: the neighbours in a vector and the
 * shared inversion only share instructions, never a sum.
 *
 * A job has 128 bytes: R, S (32 each), the addresses of the key's record and of its table (0: none), the verdict (out),
 * and from byte 80 the challenge k.
 */

import { copyElement, invert, multiply, ONE, pack, settle, subtractElements, addElements } from './field';
import { canonical, decodeKeys, isDecodable, loadAffine, loadNegatedKeys } from './key';
import { LANES } from './lanes';
import { multiplyPlain } from './plain';
import { beginAdd, endAdd, ENTRY, loadEntry, POINT, ROOM, T, X, Y, Z } from './point';
import { ELEMENT } from './element';
import { belowOrder, bitsAt, reduceScalar, rowsOf } from './scalar';
import { hashChallenge } from './sha512';

export const JOB: i32 = 128;
const JOB_S: i32 = 32;
const JOB_KEY: i32 = 64;
const JOB_TABLE: i32 = 68;
const JOB_VERDICT: i32 = 72;
const JOB_K: i32 = 80;

/** Jobs one call takes. */
export const MAX_JOBS: i32 = 256;

/** The sums, one for as many jobs as there are lanes; T holds the products of the Zs before. */
const MAX_SUMS: i32 = MAX_JOBS / LANES;
const SUMS: usize = memory.data(MAX_SUMS * POINT, 64);
const INVERSE: usize = memory.data(ELEMENT, 64);
const ZINVERSE: usize = memory.data(ELEMENT, 64);
const XX: usize = memory.data(ELEMENT, 64);
const YY: usize = memory.data(ELEMENT, 64);
const KEY: usize = memory.data(POINT, 64);
const DIGEST: usize = memory.data(80, 16);
const BYTES: usize = memory.data(128, 16);
/** A scalar of a signature that is already refused. */
const NO_SCALAR: usize = memory.data(48, 16);
/** References to table entries, the lanes in turn: at most 63 rows for the key and 32 for the base point. Two lists of `LIST` bytes, for two sums in turns. */
const LIST: i32 = 8 * 128;
const REFERENCES: usize = memory.data(2 * LIST, 64);
/** The entry of the neutral point: (1/2, 1/2, 0). */
export const NEUTRAL: usize = memory.data<u64>([
  0xfffffffffffffff7, 0xffffffffffffffff, 0xffffffffffffffff, 0x3fffffffffffffff,
  0xfffffffffffffff7, 0xffffffffffffffff, 0xffffffffffffffff, 0x3fffffffffffffff,
  0, 0, 0, 0,
]);

/** What the prefetch reads ends here, so that no compiler drops the reads. */
let sink: u64 = 0;

/** Writes a reference for every row of a table to every second word from `out` on. */
export function refer(out: usize, scalar: usize, table: usize, width: i32): void {
  const rows = rowsOf(width);
  const half = 1 << (width - 1);
  const rowBytes = half * ENTRY;
  const mask = (1 << width) - 1;
  let at = 0;
  let carry = 0;
  for (let row = 1; row < rows; row++) {
    let digit = (<i32>(load<u64>(scalar + (at >> 3)) >> (at & 7)) & mask) + carry;
    carry = i32(digit > half);
    digit -= carry << width;
    store<u32>(out, digit == 0 ? <u32>NEUTRAL : <u32>table + (abs(digit) - 1) * ENTRY + u32(digit < 0));
    out += 8;
    at += width;
    table += rowBytes;
  }
  const digit = bitsAt(scalar, at, 253 - at) + carry;
  store<u32>(out, digit == 0 ? <u32>NEUTRAL : <u32>table + (digit - 1) * ENTRY);
}

/** Hashes, reduces and range-checks; the scalars of a refused signature count as 0. */
function prepareJob(job: usize, message: usize, length: usize): bool {
  const record = load<u32>(job, JOB_KEY);
  const good = belowOrder(job + JOB_S) && isDecodable(record);
  store<u32>(job, u32(good), JOB_VERDICT);
  if (good) {
    hashChallenge(DIGEST, job, record, message, length);
    reduceScalar(job + JOB_K, DIGEST);
  }
  return good;
}

/** Verifies `count` jobs, all with tables of `width`, or all without for width 0. */
export function verifyJobs(jobs: usize, count: i32, message: usize, length: usize, width: i32, base: usize, baseWidth: i32): void {
  const pairs = (count + LANES - 1) / LANES;
  assert(count > 0 && pairs <= MAX_SUMS);
  for (let n = 0; n < pairs; n++) {
    const job0 = jobs + LANES * n * JOB;
    const job1 = LANES * n + LANES - 1 < count ? job0 + (LANES - 1) * JOB : job0;
    const good0 = prepareJob(job0, message, length);
    const good1 = job1 == job0 ? good0 : prepareJob(job1, message, length);
    const k0 = good0 ? job0 + JOB_K : NO_SCALAR;
    const k1 = good1 ? job1 + JOB_K : NO_SCALAR;
    const s0 = good0 ? job0 + JOB_S : NO_SCALAR;
    const s1 = good1 ? job1 + JOB_S : NO_SCALAR;
    const sum = SUMS + n * POINT;
    if (width == 0) {
      loadNegatedKeys(KEY, load<u32>(job0, JOB_KEY), load<u32>(job1, JOB_KEY));
      multiplyPlain(sum, KEY, k0, k1, s0, s1, base, NEUTRAL);
    } else {
      const rows = rowsOf(width);
      const bytes = 8 * (rows + rowsOf(baseWidth));
      assert(bytes <= LIST);
      const list = REFERENCES + (n & 1) * LIST;
      refer(list, k0, load<u32>(job0, JOB_TABLE), width);
      refer(list + 8 * rows, s0, base, baseWidth);
      if (LANES > 1) {
        refer(list + 4, k1, load<u32>(job1, JOB_TABLE), width);
        refer(list + 8 * rows + 4, s1, base, baseWidth);
      }
      if ((n & 1) == 1) addReferenced(sum - POINT, bytes, true);
      else if (n == pairs - 1) addReferenced(sum, bytes, false);
    }
  }
  shareInversion(pairs);
  for (let n = pairs - 1; n >= 0; n--) {
    const job0 = jobs + LANES * n * JOB;
    const sum = SUMS + n * POINT;
    if (n > 0) {
      multiply(ZINVERSE, INVERSE, sum - POINT + T);
      multiply(INVERSE, INVERSE, sum + Z);
    } else {
      copyElement(ZINVERSE, INVERSE);
    }
    multiply(XX, sum + X, ZINVERSE);
    multiply(YY, sum + Y, ZINVERSE);
    pack(BYTES, BYTES + 64, XX);
    pack(BYTES + 32, BYTES + 96, YY);
    for (let lane = 0; lane < LANES; lane++) {
      if (LANES * n + lane < count) compareWithR(job0 + lane * JOB, BYTES + 64 * lane, BYTES + 64 * lane + 32);
    }
  }
}

/**
 * sum = all entries referenced in the first list, and where there are two, the sum behind it = all in the second. Two sums take turns by half an
 * addition, so that one's last product is folded while the other multiplies. One sum alone waits for its product before it ends an addition; what is
 * waiting when the next begins is T, which is written before it is read.
 */
function addReferenced(sum: usize, bytes: i32, two: bool): void {
  start(sum, REFERENCES, bytes);
  if (two) start(sum + POINT, REFERENCES + LIST, bytes);
  for (let at: usize = REFERENCES + 8; at < REFERENCES + bytes; at += 8) {
    const withT = at + 8 < REFERENCES + bytes;
    beginAdd(sum, load<u32>(at), load<u32>(at, 4), 0);
    if (two) beginAdd(sum + POINT, load<u32>(at, LIST), load<u32>(at, LIST + 4), ROOM);
    else settle();
    endAdd(sum, load<u32>(at), load<u32>(at, 4), withT, 0);
    if (two) endAdd(sum + POINT, load<u32>(at, LIST), load<u32>(at, LIST + 4), withT, ROOM);
  }
  settle();
}

/** sum = the first entry of a list. Before, every cache line of all of them is asked for, so that the misses overlap instead of queueing. */
function start(sum: usize, list: usize, bytes: i32): void {
  let seen: u64 = 0;
  for (let at = list; at < list + bytes; at += 4) {
    const entry = load<u32>(at) & ~1;
    seen |= load<u64>(entry) | load<u64>(entry, 64);
  }
  sink = seen;
  loadEntry(sum, load<u32>(list), load<u32>(list, 4));
}

/** INVERSE = 1 / (product of all Z), and each T the product of the Zs up to its own. */
function shareInversion(pairs: i32): void {
  copyElement(SUMS + T, SUMS + Z);
  for (let n = 1; n < pairs; n++) {
    const sum = SUMS + n * POINT;
    multiply(sum + T, sum - POINT + T, sum + Z);
  }
  invert(INVERSE, SUMS + (pairs - 1) * POINT + T);
}

/** Keeps the verdict only if the canonical encoding of (x, y) is R, byte for byte. */
function compareWithR(job: usize, x: usize, y: usize): void {
  canonical(x);
  canonical(y);
  store<u64>(y, load<u64>(y, 24) | load<u64>(x) << 63, 24);
  const same = load<u64>(job) == load<u64>(y) && load<u64>(job, 8) == load<u64>(y, 8)
    && load<u64>(job, 16) == load<u64>(y, 16) && load<u64>(job, 24) == load<u64>(y, 24);
  if (!same) store<u32>(job, 0, JOB_VERDICT);
}
