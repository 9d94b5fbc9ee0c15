/** Remembers the bytes that a raw answer was read from, so that an answer nobody else gave can be shown as it came. */

const bodies = new WeakMap<object, Uint8Array>();

/** For whoever fetches: keeps the bytes beside the answer parsed from them. */
export function keepBody(answer: object, body: Uint8Array): void {
  bodies.set(answer, body);
}

/** A copy of the bytes that a raw answer was parsed from; `undefined` for anything this library did not fetch. */
export function bodyOf(answer: unknown): Uint8Array | undefined {
  const body = typeof answer === 'object' && answer !== null ? bodies.get(answer) : undefined;
  return body === undefined ? undefined : Uint8Array.from(body);
}
