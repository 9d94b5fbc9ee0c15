/** Iterations whose arguments are read when they are called: at the first `next()` the caller may have changed them. */

/**
 * Iterates over what was read at the call.
 * @param read reads the arguments; the first `next()` throws what it throws
 */
export function iterateOver<A, T>(
  read: () => A,
  run: (own: A) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const own = (async () => read())();
  own.catch(() => {}); // no rejection that nothing handles, where `next()` is never called
  return (async function* () {
    yield* run(await own);
  })();
}
