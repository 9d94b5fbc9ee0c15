/** Remembers which server gave a raw answer, where several stand behind one source: for errors that name the right one. */

const givers = new WeakMap<object, string>();

/** For whoever asks several: the first to note an answer is the nearest to the server. */
export function keepGiver(answer: unknown, name: string): void {
  if (typeof answer === 'object' && answer !== null && !givers.has(answer)) givers.set(answer, name);
}

/** The label of the server that gave this answer, or `fallback` where nobody noted it. */
export function giverOf(answer: unknown, fallback: string): string {
  return (typeof answer === 'object' && answer !== null ? givers.get(answer) : undefined) ?? fallback;
}
