/**
 * Decompresses raw DEFLATE (RFC 1951), for the embedded kernel only: synchronous and the same in every runtime, which
 * `DecompressionStream` is not. Not for data from outside: it trusts its input to be whole.
 */

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_CODE_BITS = 15;
const MAX_COPY = 258;

/** A canonical Huffman code: how many codes each length has, and the symbols in code order. */
interface HuffmanCode {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function huffmanCode(lengths: ArrayLike<number>): HuffmanCode {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (let symbol = 0; symbol < lengths.length; symbol++) counts[lengths[symbol]!]!++;
  counts[0] = 0;
  const next = new Uint16Array(MAX_CODE_BITS + 2);
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++) next[bits + 1] = next[bits]! + counts[bits]!;
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const bits = lengths[symbol]!;
    if (bits > 0) symbols[next[bits]!++] = symbol;
  }
  return { counts, symbols };
}

/**
 * The first `wanted` bytes of the inflated data.
 * @throws RangeError on input that ends early or makes no sense
 */
export function inflateRaw(input: Uint8Array, wanted: number): Uint8Array<ArrayBuffer> {
  let at = 0;
  let hold = 0;
  let held = 0;
  /** A last copy may run past what is wanted. */
  const output = new Uint8Array(wanted + MAX_COPY);
  let length = 0;

  function bits(count: number): number {
    while (held < count) {
      if (at >= input.length) throw new RangeError('deflated data ends early');
      hold |= input[at++]! << held;
      held += 8;
    }
    const value = hold & ((1 << count) - 1);
    hold >>>= count;
    held -= count;
    return value;
  }

  /** Bit by bit, with the state in locals: this runs once, before any compiler has warmed to it. */
  function symbol({ counts, symbols }: HuffmanCode): number {
    let value = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_BITS; length++) {
      if (held === 0) {
        if (at >= input.length) throw new RangeError('deflated data ends early');
        hold = input[at++]!;
        held = 8;
      }
      value |= hold & 1;
      hold >>>= 1;
      held--;
      const count = counts[length]!;
      if (value < first + count) return symbols[index + value - first]!;
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new RangeError('deflated data has an unknown code');
  }

  /** The codes that a block of type 2 begins with. */
  function readCodes(): readonly [HuffmanCode, HuffmanCode] {
    const literals = bits(5) + 257;
    const distances = bits(5) + 1;
    const used = bits(4) + 4;
    const lengthsOfLengths = new Uint8Array(19);
    for (let n = 0; n < used; n++) lengthsOfLengths[CODE_LENGTH_ORDER[n]!] = bits(3);
    const code = huffmanCode(lengthsOfLengths);
    const lengths = new Uint8Array(literals + distances);
    for (let n = 0; n < lengths.length; ) {
      const value = symbol(code);
      if (value < 16) {
        lengths[n++] = value;
      } else {
        const repeated = value === 16 ? lengths[n - 1]! : 0;
        const times = value === 16 ? 3 + bits(2) : value === 17 ? 3 + bits(3) : 11 + bits(7);
        lengths.fill(repeated, n, n + times);
        n += times;
      }
    }
    return [huffmanCode(lengths.subarray(0, literals)), huffmanCode(lengths.subarray(literals))];
  }

  for (let last = 0; last === 0 && length < wanted; ) {
    last = bits(1);
    // Type 2, own codes, is the only one that a compiled kernel is ever stored as.
    if (bits(2) !== 2) throw new RangeError('deflated data has an unexpected block type');
    const [literals, distances] = readCodes();
    for (let value = symbol(literals); value !== 256 && length < wanted; value = symbol(literals)) {
      if (value < 256) {
        output[length++] = value;
        continue;
      }
      const copied = LENGTH_BASE[value - 257]! + bits(LENGTH_BITS[value - 257]!);
      const code = symbol(distances);
      const distance = DISTANCE_BASE[code]! + bits(code < 2 ? 0 : (code >> 1) - 1);
      if (!(distance <= length)) throw new RangeError('deflated data points before its start');
      for (let end = length + copied; length < end; length++) output[length] = output[length - distance]!;
    }
  }
  if (length < wanted) throw new RangeError('deflated data ends early');
  return output.slice(0, wanted);
}
