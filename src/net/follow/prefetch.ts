/** Asks for blocks before their turn, a few at a time, so that slow answers do not make a follower slow. */

/** Milliseconds. If a question would have to wait longer than this for its turn, it is not asked early. */
const MAX_WAIT_MS = 1000;

/**
 * Makes the prefetch. @param depth questions at a time @param waitMs returns how long a question would wait for its
 * turn
 */
export function createPrefetch<T>(ask: (seqno: number) => Promise<T>, depth: number, waitMs: () => number) {
  const asked = new Map<number, Promise<T>>();
  return {
    /** Asks for the blocks from `next`, up to `last`, as far as the depth allows. */
    fill(next: number, last: number): void {
      for (const seqno of asked.keys()) if (seqno < next || seqno >= next + depth) asked.delete(seqno);
      for (let seqno = next; seqno <= last && seqno < next + depth && waitMs() <= MAX_WAIT_MS; seqno++) {
        if (asked.has(seqno)) continue;
        const answer = ask(seqno);
        answer.catch(() => {}); // the error is seen when the block's turn comes, which may be never
        asked.set(seqno, answer);
      }
    },
    /** Takes the early question for a block, once; `undefined` where there is none. */
    take(seqno: number): Promise<T> | undefined {
      const answer = asked.get(seqno);
      asked.delete(seqno);
      return answer;
    },
    /** Drops all early questions. */
    drop: () => asked.clear(),
  };
}
