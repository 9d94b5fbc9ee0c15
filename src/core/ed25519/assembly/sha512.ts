/** SHA-512 of R || key || message, the challenge of Ed25519 (FIPS 180-4; RFC 8032, 5.1.7). One hash at a time. */

const ROUND_CONSTANTS: usize = memory.data<u64>([
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
  0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
  0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
  0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
  0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
  0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
  0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
  0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
  0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
  0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
  0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
  0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
]);
const INITIAL: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
]);
const STATE: usize = memory.data(64, 16);
const SCHEDULE: usize = memory.data(640, 16);
const BLOCK: usize = memory.data(128, 16);

@inline function choose(e: u64, f: u64, g: u64): u64 { return g ^ (e & (f ^ g)); }
@inline function majority(a: u64, b: u64, c: u64): u64 { return (a & b) | (c & (a | b)); }
@inline function sum0(a: u64): u64 { return rotr(a, 28) ^ rotr(a, 34) ^ rotr(a, 39); }
@inline function sum1(e: u64): u64 { return rotr(e, 14) ^ rotr(e, 18) ^ rotr(e, 41); }
@inline function sigma0(w: u64): u64 { return rotr(w, 1) ^ rotr(w, 8) ^ (w >> 7); }
@inline function sigma1(w: u64): u64 { return rotr(w, 19) ^ rotr(w, 61) ^ (w >> 6); }
/** The part of a round that does not depend on a, b, c. */
@inline function step(e: u64, f: u64, g: u64, h: u64, at: usize, k: usize): u64 {
  return h + sum1(e) + choose(e, f, g) + load<u64>(at) + load<u64>(k);
}

function compress(block: usize): void {
  for (let t: usize = 0; t < 128; t += 8) store<u64>(SCHEDULE + t, bswap(load<u64>(block + t)));
  for (let t = SCHEDULE; t < SCHEDULE + 512; t += 8) {
    store<u64>(t, sigma1(load<u64>(t, 112)) + load<u64>(t, 72) + sigma0(load<u64>(t, 8)) + load<u64>(t), 128);
  }
  let a = load<u64>(STATE, 0);
  let b = load<u64>(STATE, 8);
  let c = load<u64>(STATE, 16);
  let d = load<u64>(STATE, 24);
  let e = load<u64>(STATE, 32);
  let f = load<u64>(STATE, 40);
  let g = load<u64>(STATE, 48);
  let h = load<u64>(STATE, 56);
  // Eight rounds a turn, so that the variables change their roles instead of their places.
  for (let t: usize = 0; t < 640; t += 64) {
    const w = SCHEDULE + t;
    const k = ROUND_CONSTANTS + t;
    h = step(e, f, g, h, w, k); d += h; h += sum0(a) + majority(a, b, c);
    g = step(d, e, f, g, w + 8, k + 8); c += g; g += sum0(h) + majority(h, a, b);
    f = step(c, d, e, f, w + 16, k + 16); b += f; f += sum0(g) + majority(g, h, a);
    e = step(b, c, d, e, w + 24, k + 24); a += e; e += sum0(f) + majority(f, g, h);
    d = step(a, b, c, d, w + 32, k + 32); h += d; d += sum0(e) + majority(e, f, g);
    c = step(h, a, b, c, w + 40, k + 40); g += c; c += sum0(d) + majority(d, e, f);
    b = step(g, h, a, b, w + 48, k + 48); f += b; b += sum0(c) + majority(c, d, e);
    a = step(f, g, h, a, w + 56, k + 56); e += a; a += sum0(b) + majority(b, c, d);
  }
  store<u64>(STATE, load<u64>(STATE, 0) + a, 0);
  store<u64>(STATE, load<u64>(STATE, 8) + b, 8);
  store<u64>(STATE, load<u64>(STATE, 16) + c, 16);
  store<u64>(STATE, load<u64>(STATE, 24) + d, 24);
  store<u64>(STATE, load<u64>(STATE, 32) + e, 32);
  store<u64>(STATE, load<u64>(STATE, 40) + f, 40);
  store<u64>(STATE, load<u64>(STATE, 48) + g, 48);
  store<u64>(STATE, load<u64>(STATE, 56) + h, 56);
}

/** Writes the 64 bytes of SHA-512(R || key || message) to `out`; R and key have 32 bytes. */
export function hashChallenge(out: usize, r: usize, key: usize, message: usize, length: usize): void {
  memory.copy(STATE, INITIAL, 64);
  memory.copy(BLOCK, r, 32);
  memory.copy(BLOCK + 32, key, 32);
  let filled: usize = 64;
  let left = length;
  while (filled + left >= 128) {
    memory.copy(BLOCK + filled, message, 128 - filled);
    compress(BLOCK);
    message += 128 - filled;
    left -= 128 - filled;
    filled = 0;
  }
  memory.copy(BLOCK + filled, message, left);
  filled += left;
  store<u8>(BLOCK + filled, 0x80);
  memory.fill(BLOCK + filled + 1, 0, 127 - filled);
  if (filled >= 112) {
    compress(BLOCK);
    memory.fill(BLOCK, 0, 128);
  }
  store<u64>(BLOCK, bswap<u64>((<u64>length + 64) << 3), 120);
  compress(BLOCK);
  for (let n: usize = 0; n < 64; n += 8) store<u64>(out + n, bswap(load<u64>(STATE + n)));
}
