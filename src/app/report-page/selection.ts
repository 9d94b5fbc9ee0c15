/** Holds which bin is chosen, which block of it was requested, and who listens for changes. */

export class Selection {
  bin = 0;
  readonly #firsts: readonly number[];
  readonly #tell: ((bin: number, seqno: number | undefined) => void)[] = [];

  /** @param firsts the first block of each bin, in order */
  constructor(firsts: readonly number[]) {
    this.#firsts = firsts;
  }

  onChange(tell: (bin: number, seqno: number | undefined) => void): void {
    this.#tell.push(tell);
  }

  /** Chooses the nearest bin that exists. */
  choose(bin: number, seqno?: number): void {
    if (this.#firsts.length === 0) return;
    this.bin = Math.min(this.#firsts.length - 1, Math.max(0, bin));
    for (const tell of this.#tell) tell(this.bin, seqno);
  }

  /** Chooses the bin of a block: the last bin that begins no later. */
  chooseBlock(seqno: number): void {
    this.choose(this.#firsts.filter((first) => first <= seqno).length - 1, seqno);
  }

  /** Chooses the next bin that matches, from the start again after the last. Without a match nothing changes. */
  chooseNext(isWanted: (bin: number) => boolean): void {
    for (let step = 1; step <= this.#firsts.length; step++) {
      const bin = (this.bin + step) % this.#firsts.length;
      if (!isWanted(bin)) continue;
      this.choose(bin);
      return;
    }
  }
}
