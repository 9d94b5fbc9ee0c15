/** Blocks asked for before their turn, a few at a time, so that slow answers do not make a follower slow. */

/** A question to the source that would have to wait longer than this for its turn is not asked early. */
const MAX_WAIT_MS = 1000;

/**
 * @param depth questions at a time
 * @param waitMs how long a question would wait for its turn
 */
export function createPrefetch<T>(ask: (seqno: number) => Promise<T>, depth: number, waitMs: () => number) {
  const asked = new Map<number, Promise<T>>();
  return {
    /** Asks for blocks from `next` on, as far as `last` and the depth go. */
    fill(next: number, last: number): void {
      for (const seqno of asked.keys()) if (seqno < next || seqno >= next + depth) asked.delete(seqno);
      for (let seqno = next; seqno <= last && seqno < next + depth && waitMs() <= MAX_WAIT_MS; seqno++) {
        if (asked.has(seqno)) continue;
        const answer = ask(seqno);
        answer.catch(() => {}); // seen when its turn comes, which may be never
        asked.set(seqno, answer);
      }
    },
    /** What was asked early, once; `undefined` for a block that was not. */
    take(seqno: number): Promise<T> | undefined {
      const answer = asked.get(seqno);
      asked.delete(seqno);
      return answer;
    },
  };
}
