/**
 * The one interface of all engines that check Ed25519, and the rule that they all keep.
 *
 * The accept rule is the TON node's (OpenSSL's one-shot verify on a raw key, `ton crypto/Ed25519.cpp`):
 *  1. The key has 32 bytes and the signature R || S has 64, else the result is false.
 *  2. S, little-endian, is below L = 2^252 + 27742317777372353535851937790883648493.
 *  3. The key A is decoded leniently: the top bit is the sign of x, y is taken mod p, and x = 0 with the sign bit is valid.
 *     The result is only false if there is no such x. Small-order and mixed-order keys are accepted.
 *  4. k = SHA-512(R || key || message) mod L, over the bytes as received.
 *  5. R' = [S]B - [k]A, without a multiplication by the cofactor.
 *  6. The result is true exactly when the canonical encoding of R' equals R byte for byte. R itself is never decoded.
 *
 * Engines may differ in speed, not in their answers.
 */

/** One way to check Ed25519. All engines accept exactly the same signatures as the node. */
export interface Ed25519Engine {
  readonly name: string;
  /**
   * Prepares the keys of one validator set, once, from copies. A key whose length is not 32, or that is not a curve point,
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

/** The prepared keys of one set. Keep it as long as the set lives; do not use it after `close`. */
export interface KeyRing {
  /**
   * Checks signatures of one message: `signatures[i]` (64 bytes, R || S) made by key `keyIndexes[i]`. Never throws on
   * bytes: an invalid signature is `false`. The engine copies all bytes first, and writes to none. The signatures may be views of
   * one piece of memory, so an implementation respects `byteOffset` and transfers nothing.
   * @throws UsageError `usage/bad-option` for anything but bytes and numbers, `usage/closed`
   */
  verify(message: Uint8Array, keyIndexes: readonly number[], signatures: readonly Uint8Array[]): boolean[];
  /** Checks many messages, if an engine gains by having them together; otherwise `verify` is called for one after the other. */
  verifyMany?(blocks: readonly RingBlock[]): boolean[][];
  /**
   * Starts checking in other threads and returns a function that finishes and returns the verdicts. A batch begun later, or closing
   * the ring, ends this batch first.
   */
  beginMany?(blocks: readonly RingBlock[]): () => boolean[][];
  /** Frees tables. */
  close(): void;
}
