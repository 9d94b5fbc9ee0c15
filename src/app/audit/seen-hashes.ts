/** Which hashes there were, in 16 bytes each: the first 64 bits of a SHA-256, which no two of a million share by chance. */

import { randomBytes } from 'node:crypto';

const FIRST_SLOTS = 1 << 10;

export class SeenHashes {
  /** Whoever makes a ledger up does not know it: hashes that share a word would stand in one row of slots. */
  readonly #seed = randomBytes(8).readUInt32BE() | 1;
  /** Two words a slot; both zero where it is free. */
  #words = new Uint32Array(2 * FIRST_SLOTS);
  #count = 0;
  /** Slots that were looked at to add all hashes. */
  steps = 0;

  /** @param hash at least 16 digits of hex @returns whether it is new */
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

/** Both words and the seed in every bit, as the last steps of MurmurHash3 do it. */
function mixed(high: number, low: number, seed: number): number {
  let mix = Math.imul(high ^ seed, 0xcc9e2d51);
  mix = Math.imul((mix ^ (mix >>> 15)) + low, 0x1b873593) ^ seed;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/** Where a hash stands, or would. */
function slotOf(words: Uint32Array, high: number, low: number, seed: number): number {
  let at = (2 * mixed(high, low, seed)) % words.length;
  while (isTaken(words, at) && (words[at] !== high || words[at + 1] !== low)) at = (at + 2) % words.length;
  return at;
}
