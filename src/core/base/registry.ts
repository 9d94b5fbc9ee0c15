/**
 * What was made here, and what is known of it: in a private member of that very object, so no copy of it and nothing put together by
 * hand has it, and no one else can read or write it. A WeakMap says the same, but V8 keeps what is in one until the next full
 * collection of garbage, which for thousands of objects that are gone at once is most of the work that garbage makes.
 */

function itself(target: object): object {
  return target;
}

/** The private members of a class are put on what its base gives back: on the target. */
const Itself = itself as unknown as new (target: object) => object; // any plain function is one

export interface Registry<Own> {
  /** The object, known and frozen: once, and before anything else freezes it. */
  make<T extends object>(target: T, own: Own): Readonly<T>;
  /** What is known of an object; `undefined` for one that was not made here. */
  own(target: unknown): Own | undefined;
  /** Whether this very object was made here. */
  has(target: unknown): boolean;
}

/** A new one, that has nothing to do with any other. */
export function registry<Own>(): Registry<Own> {
  class Made extends Itself {
    readonly #own: Own;

    constructor(target: object, own: Own) {
      super(target);
      this.#own = own;
    }

    static has(target: object): target is Made {
      return #own in target;
    }

    static read(target: object): Own | undefined {
      return #own in target ? target.#own : undefined;
    }
  }
  return {
    make(target, own) {
      new Made(target, own);
      return Object.freeze(target);
    },
    own: (target) => Made.read(Object(target)), // always an object
    has: (target) => Made.has(Object(target)),
  };
}
