/**
 * What is known of an object, in a private member of that very object: no copy of it and nothing put together by hand has it, and
 * nobody else can read or write it. A WeakMap says the same, but V8 keeps what is in one until the next full collection of garbage,
 * which for thousands of objects that are gone at once is most of the work that garbage makes.
 */

function itself(target: object): object {
  return target;
}

/** The private members of a class are put on what its base gives back: on the target. */
const Itself = itself as unknown as new (target: object) => object; // any plain function is one

export interface PrivateMember<T> {
  /** Once for an object, before it is frozen. */
  put(target: object, value: T): void;
  /** `undefined` for whatever does not have it. */
  get(target: unknown): T | undefined;
}

/** A new one, that has nothing to do with any other. */
export function privateMember<T>(): PrivateMember<T> {
  class Holder extends Itself {
    readonly #value: T;

    constructor(target: object, value: T) {
      super(target);
      this.#value = value;
    }

    static read(target: object): T | undefined {
      return #value in target ? target.#value : undefined;
    }
  }
  return {
    put(target, value) {
      new Holder(target, value);
    },
    get: (target) => Holder.read(Object(target)), // always an object
  };
}
