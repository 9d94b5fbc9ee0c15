/**
 * Divides rows into a limited number of stretches of equal length. When there are too many, each two neighbours become
 * one. A picture therefore needs one reading, and the length of the ledger need not be known.
 */

/** Consecutive rows. */
interface Stretch {
  readonly rows: number;
}

export class Stretches<T extends Stretch> {
  readonly #join: (stretch: T, next: T) => void;
  readonly #areTooMany: (stretches: readonly T[]) => boolean;
  #list: T[] = [];
  /** Rows in each stretch, except for the last. */
  #span = 1;

  /**
   * @param join adds the stretch that follows directly
   * @param areTooMany whether there is no room for one more
   */
  constructor(join: (stretch: T, next: T) => void, areTooMany: (stretches: readonly T[]) => boolean) {
    this.#join = join;
    this.#areTooMany = areTooMany;
  }

  get list(): readonly T[] {
    return this.#list;
  }

  /** Whether the next row begins a stretch. */
  get isLastWhole(): boolean {
    return (this.#list.at(-1)?.rows ?? this.#span) >= this.#span;
  }

  /** Adds the next row, as a stretch of its own. */
  push(row: T): void {
    if (this.isLastWhole) while (this.#areTooMany(this.#list)) this.#halve();
    if (this.isLastWhole) this.#list.push(row);
    else this.#join(this.#list.at(-1)!, row); // there is one
  }

  #halve(): void {
    this.#list = this.#list.filter((stretch, n) => {
      const next = this.#list[n + 1];
      if (n % 2 === 0 && next !== undefined) this.#join(stretch, next);
      return n % 2 === 0;
    });
    this.#span *= 2;
  }
}
