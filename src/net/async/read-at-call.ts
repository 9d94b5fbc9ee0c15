/** Iterations whose arguments are read when they are called: at the first `next()` the caller may have changed them. */

function outcomeOf<A>(read: () => A): () => A {
  try {
    const own = read();
    return () => own;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/**
 * Iterates over what was read at the call.
 * @param read reads the arguments; the first `next()` throws what it throws
 */
export function iterateOver<A, T>(
  read: () => A,
  run: (own: A) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const own = outcomeOf(read);
  return (async function* () {
    yield* run(own());
  })();
}
