/**
 * The one interface behind which every way of checking Ed25519 stands, and the rule they all keep.
 *
 * The accept rule is that of the TON node (OpenSSL's one-shot verify on a raw key, `ton crypto/Ed25519.cpp`):
 *  1. the key has 32 bytes and the signature R || S has 64, else false;
 *  2. S, little-endian, is below L = 2^252 + 27742317777372353535851937790883648493;
 *  3. the key A is decoded leniently: the top bit is the sign of x, y is taken mod p, x = 0 with the sign bit is fine;
 *     only "no such x" is false. Small-order and mixed-order keys are accepted;
 *  4. k = SHA-512(R || key || message) mod L, over the bytes as received;
 *  5. R' = [S]B - [k]A, without a multiplication by the cofactor;
 *  6. true exactly when the canonical encoding of R' equals R byte for byte. R itself is never decoded.
 *
 * An engine may be faster than another; it may not answer differently.
 */

/** One way to check Ed25519. All engines accept exactly the same signatures as the node. */
export interface Ed25519Engine {
  readonly name: string;
  /**
   * Prepares the keys of one validator set, once, from copies. A key of another length than 32, or that is no curve point,
   * stays in the ring and never verifies.
   * @throws UsageError `usage/bad-option` for anything but an array of bytes
   */
  open(publicKeys: readonly Uint8Array[]): KeyRing;
}

/** One message and signatures of it: what `KeyRing.verify` takes. */
export interface RingBlock {
  readonly message: Uint8Array;
  readonly keyIndexes: readonly number[];
  readonly signatures: readonly Uint8Array[];
}

/** The prepared keys of one set. Hold it as long as the set lives; it is not for use after `close`. */
export interface KeyRing {
  /**
   * Checks signatures of one message: `signatures[i]` (64 bytes, R || S) made by key `keyIndexes[i]`. Never throws on
   * bytes: whatever is not a valid signature is `false`. All of them are copied first, and none is written to. They may be views of
   * one piece of memory, so whoever implements this minds `byteOffset` and transfers nothing.
   * @throws UsageError `usage/bad-option` for anything but bytes and numbers, `usage/closed`
   */
  verify(message: Uint8Array, keyIndexes: readonly number[], signatures: readonly Uint8Array[]): boolean[];
  /** The same for many messages, where an engine gains by having them together; else `verify`, one after the other, does. */
  verifyMany?(blocks: readonly RingBlock[]): boolean[][];
  /**
   * The same in two halves, where other threads can be at it meanwhile: hands out what is theirs, and gives a function that does the
   * rest and has the verdicts. One begun after it, or closing the ring, ends it first.
   */
  beginMany?(blocks: readonly RingBlock[]): () => boolean[][];
  /** Frees tables. */
  close(): void;
}
