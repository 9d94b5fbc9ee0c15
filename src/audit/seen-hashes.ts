/** Which hashes there were, in 16 bytes each: the first 64 bits of a SHA-256, which no two of a million share by chance. */

const FIRST_SLOTS = 1 << 10;

export class SeenHashes {
  /** Two words a slot; both zero where it is free. */
  #words = new Uint32Array(2 * FIRST_SLOTS);
  #count = 0;

  /** @param hash at least 16 digits of hex @returns whether it is new */
  add(hash: string): boolean {
    const [high, low] = wordsOf(hash);
    const at = slotOf(this.#words, high, low);
    if (isTaken(this.#words, at)) return false;
    this.#words.set([high, low], at);
    this.#count += 1;
    if (4 * this.#count > this.#words.length) this.#grow(); // half of the slots
    return true;
  }

  has(hash: string): boolean {
    return isTaken(this.#words, slotOf(this.#words, ...wordsOf(hash)));
  }

  #grow(): void {
    const [old, words] = [this.#words, new Uint32Array(2 * this.#words.length)];
    for (let at = 0; at < old.length; at += 2) {
      if (isTaken(old, at)) words.set(old.subarray(at, at + 2), slotOf(words, old[at]!, old[at + 1]!));
    }
    this.#words = words;
  }
}

function wordsOf(hash: string): readonly [high: number, low: number] {
  const high = Number.parseInt(hash.slice(0, 8), 16);
  const low = Number.parseInt(hash.slice(8, 16), 16);
  return [high, high === 0 && low === 0 ? 1 : low];
}

function isTaken(words: Uint32Array, at: number): boolean {
  return words[at] !== 0 || words[at + 1] !== 0;
}

/** Where a hash stands, or would. */
function slotOf(words: Uint32Array, high: number, low: number): number {
  let at = (2 * low) % words.length;
  while (isTaken(words, at) && (words[at] !== high || words[at + 1] !== low)) at = (at + 2) % words.length;
  return at;
}
