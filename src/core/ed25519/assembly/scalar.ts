/**
 * Scalars: reduction modulo L = 2^252 + c, the test S < L, and the signed digits that pick table entries. Little-endian
 * 32-bit words in 64-bit arithmetic; a few hundred nanoseconds a signature, so plain loops.
 */

/** c = 27742317777372353535851937790883648493, four words. */
const C: usize = memory.data<u32>([0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de]);
const L: usize = memory.data<u32>([0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000, 0]);

/** Bits of L, and what rows of a table have to cover below its top row. */
const SCALAR_BITS: i32 = 253;

const HIGH: usize = memory.data(40, 16);
const PRODUCT: usize = memory.data(64, 16);
const SUM: usize = memory.data(40, 16);

/** out = words of x from bit 252 on. */
function above252(out: usize, x: usize, words: i32): void {
  for (let n = 0; n < words; n++) {
    store<u32>(out + 4 * n, <u32>(load<u64>(x + 28 + 4 * n) >> 28));
  }
}

/** PRODUCT = HIGH * c, zero-filled to 16 words. */
function timesC(words: i32): void {
  memory.fill(PRODUCT, 0, 64);
  for (let i = 0; i < words; i++) {
    const factor = <u64>load<u32>(HIGH + 4 * i);
    let carry: u64 = 0;
    for (let j = 0; j < 4; j++) {
      const at = PRODUCT + 4 * (i + j);
      carry += factor * <u64>load<u32>(C + 4 * j) + <u64>load<u32>(at);
      store<u32>(at, <u32>carry);
      carry >>= 32;
    }
    store<u32>(PRODUCT + 4 * (i + 4), <u32>carry);
  }
}

/** SUM += sign * (x mod 2^252), words 0 to 7 of x; SUM is a two's complement number of nine words. */
function accumulate(x: usize, sign: i64): void {
  let carry: i64 = 0;
  for (let n = 0; n < 8; n++) {
    let word = <i64>load<u32>(x + 4 * n);
    if (n == 7) word &= 0x0fffffff;
    carry += <i64>load<u32>(SUM + 4 * n) + sign * word;
    store<u32>(SUM + 4 * n, <u32>carry);
    carry >>= 32;
  }
  store<u32>(SUM + 32, load<u32>(SUM + 32) + <u32>carry);
}

/** SUM -= L where that is not negative; whether it was. */
function subtractOrder(): bool {
  let borrow: i64 = 0;
  for (let n: usize = 0; n < 36; n += 4) borrow = (borrow + <i64>load<u32>(SUM + n) - <i64>load<u32>(L + n)) >> 32;
  if (borrow < 0) return false;
  for (let n: usize = 0; n < 36; n += 4) {
    borrow += <i64>load<u32>(SUM + n) - <i64>load<u32>(L + n);
    store<u32>(SUM + n, <u32>borrow);
    borrow >>= 32;
  }
  return true;
}

/**
 * Writes the 64-byte number at `x` modulo L, 32 bytes. 2^252 = -c: three folds give lo0 - lo1 + lo2 - y3 with
 * lo < 2^252 and y3 < 2^131, so plus 2L it lies between 0 and 4L. The 8 bytes after x are read and do not count.
 */
export function reduceScalar(out: usize, x: usize): void {
  for (let n: usize = 0; n < 36; n += 4) store<u32>(SUM + n, load<u32>(L + n) << 1 | (n > 0 ? load<u32>(L + n - 4) >> 31 : 0));
  accumulate(x, 1);
  above252(HIGH, x, 9); // 260 bits
  store<u32>(HIGH + 32, load<u32>(x + 60) >> 28);
  timesC(9); // 385 bits
  accumulate(PRODUCT, -1);
  above252(HIGH, PRODUCT, 5); // 133 bits
  timesC(5); // 258 bits
  accumulate(PRODUCT, 1);
  above252(HIGH, PRODUCT, 1); // 6 bits
  timesC(1); // 131 bits
  accumulate(PRODUCT, -1);
  while (subtractOrder()) {}
  memory.copy(out, SUM, 32);
}

/** Whether the 32-byte number at `s` is below L. */
export function belowOrder(s: usize): bool {
  let borrow: i64 = 0;
  for (let n: usize = 0; n < 32; n += 4) borrow = (borrow + <i64>load<u32>(s + n) - <i64>load<u32>(L + n)) >> 32;
  return borrow < 0;
}

/** Rows of a table: windows of `width` bits below bit 252, of which the top one takes bit 252 as well. */
export function rowsOf(width: i32): i32 {
  return (SCALAR_BITS - 2 + width) / width;
}

/** The largest digit of the top row; that of the others is 2^(width-1). Below L, a set bit 252 has only zeros below it down to bit 125, so nothing is carried into it. */
export function topDigit(width: i32): i32 {
  return 1 << (SCALAR_BITS - 1 - width * (rowsOf(width) - 1));
}

/** Bits [at, at + width) of the number at `scalar`. */
@inline export function bitsAt(scalar: usize, at: i32, width: i32): i32 {
  return <i32>(load<u64>(scalar + (at >> 3)) >> (at & 7)) & ((1 << width) - 1);
}
