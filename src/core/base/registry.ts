/**
 * Marks the objects that this library made, and attaches private data to them. A copy or a look-alike of an object has
 * no such data, and other code can neither read nor write it. A WeakMap would do the same, but V8 keeps its entries
 * until the next full garbage collection. For thousands of short-lived objects that would be most of the work of the
 * collector.
 */

function itself(target: object): object {
  return target;
}

/** A base class that returns the target, so that private members of a subclass are added to the target. */
const Itself = itself as unknown as new (target: object) => object; // a plain function can be a base class

export interface Registry<Own> {
  /**
   * Marks the object, attaches the data, and freezes the object. Each object is marked once, while it is extensible.
   */
  make<T extends object>(target: T, own: Own): Readonly<T>;
  /** Returns the data of an object; `undefined` if this registry did not mark the object. */
  own(target: unknown): Own | undefined;
  /** Whether this registry marked this object. */
  has(target: unknown): boolean;
}

/** Makes a registry that is independent of all others. */
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
    own: (target) => Made.read(Object(target)), // `Object` never returns a primitive
    has: (target) => Made.has(Object(target)),
  };
}
