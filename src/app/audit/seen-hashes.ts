/** A compact set of hashes, 16 bytes each. It keeps the first 64 bits of a SHA-256, which no two of a million share by chance. */

import { randomBytes } from 'node:crypto';

const FIRST_SLOTS = 1 << 10;

export class SeenHashes {
  /** A random seed that an attacker does not know: otherwise hashes with one word in common could fill one run of slots. */
  readonly #seed = randomBytes(8).readUInt32BE() | 1;
  /** Two words for each slot; both are zero in a free slot. */
  #words = new Uint32Array(2 * FIRST_SLOTS);
  #count = 0;
  /** Slots visited to add all hashes. */
  steps = 0;

  /** Adds a hash. @param hash at least 16 hex digits @returns whether it is new */
  add(hash: string): boolean {
    const [high, low] = halvesOf(hash);
    const at = slotOf(this.#words, high, low, this.#seed);
    const home = (2 * mixed(high, low, this.#seed)) % this.#words.length;
    this.steps += 1 + ((at - home + this.#words.length) % this.#words.length) / 2;
    if (isTaken(this.#words, at)) return false;
    this.#words.set([high, low], at);
    this.#count += 1;
    if (4 * this.#count > this.#words.length) this.#grow(); // half of the slots
    return true;
  }

  has(hash: string): boolean {
    return isTaken(this.#words, slotOf(this.#words, ...halvesOf(hash), this.#seed));
  }

  #grow(): void {
    const [old, words] = [this.#words, new Uint32Array(2 * this.#words.length)];
    for (let at = 0; at < old.length; at += 2) {
      if (isTaken(old, at)) words.set(old.subarray(at, at + 2), slotOf(words, old[at]!, old[at + 1]!, this.#seed));
    }
    this.#words = words;
  }
}

function halvesOf(hash: string): readonly [high: number, low: number] {
  const high = Number.parseInt(hash.slice(0, 8), 16);
  const low = Number.parseInt(hash.slice(8, 16), 16);
  return [high, high === 0 && low === 0 ? 1 : low];
}

function isTaken(words: Uint32Array, at: number): boolean {
  return words[at] !== 0 || words[at + 1] !== 0;
}

/** Mixes both words and the seed into every bit, as the last steps of MurmurHash3 do. */
function mixed(high: number, low: number, seed: number): number {
  let mix = Math.imul(high ^ seed, 0xcc9e2d51);
  mix = Math.imul((mix ^ (mix >>> 15)) + low, 0x1b873593) ^ seed;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/** Returns the slot of a hash, or the free slot for it. */
function slotOf(words: Uint32Array, high: number, low: number, seed: number): number {
  let at = (2 * mixed(high, low, seed)) % words.length;
  while (isTaken(words, at) && (words[at] !== high || words[at + 1] !== low)) at = (at + 2) % words.length;
  return at;
}
