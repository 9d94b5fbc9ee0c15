/** Where the servers of a follower say the head is, asked of all of them again and again. All of it claims. */
import { SourceError, type SourceStatement } from '../../base/errors.ts';
import type { Signal } from '../../base/runtime-types.ts';
import { sleep } from '../async/timer.ts';
import { effectOf } from '../machine/outcome.ts';
import { noAgreement } from '../sources/attribution.ts';
import type { LiteServerClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { askHead, type ServerHead } from './heads.ts';

/** Milliseconds for which other heads are waited for once there is one. */
const GRACE_MS = 1_000;

export class HeadWatch {
  readonly #fleet: Fleet;
  readonly #signal: Signal;
  readonly #now: () => number;
  readonly #asking = new Map<LiteServerClient, Promise<void>>();
  /** Those that were too late the last time: they are asked, and not waited for. */
  readonly #late = new Set<LiteServerClient>();
  /** Answers that no look has given yet. */
  readonly #heads = new Map<LiteServerClient, ServerHead>();
  readonly #failures = new Map<LiteServerClient, SourceStatement>();

  constructor(fleet: Fleet, signal: Signal, now: () => number) {
    this.#fleet = fleet;
    this.#signal = signal;
    this.#now = now;
  }

  /** What a server says of its head is no sign of how it answers other questions, so its standing is left alone. */
  async #ask(client: LiteServerClient, deadlineMs: number): Promise<void> {
    const startMs = performance.now();
    try {
      const question = { deadlineMs, retries: 0, signal: this.#signal };
      this.#heads.set(client, await askHead(client, this.#now, () => client.masterchainInfo(question)));
      this.#failures.delete(client);
      if (performance.now() - startMs > GRACE_MS) this.#late.add(client);
      else this.#late.delete(client);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (effectOf(error) === 'out') this.#fleet.expel(client, error);
      this.#failures.set(client, { source: client.name, error });
      this.#late.add(client);
    } finally {
      this.#asking.delete(client);
    }
  }

  /**
   * Asks every server that is not out, at the same time, and waits for those that were in time before; a second longer once one
   * answers, for a server that is silent would else hold up the next look as well.
   * @throws SourceError when none answers
   */
  async look(deadlineMs: number): Promise<readonly ServerHead[]> {
    const kept = this.#fleet.kept();
    for (const client of kept) {
      if (!this.#asking.has(client)) this.#asking.set(client, this.#ask(client, deadlineMs));
    }
    const inTime = kept.filter((client) => !this.#late.has(client)).map((client) => this.#asking.get(client));
    const stop = new AbortController();
    let wake: (() => void) | undefined;
    const isEnough = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const first = inTime.map((asking) =>
      asking?.then(async () => {
        if (this.#heads.size === 0) return;
        await sleep(GRACE_MS, stop.signal).catch(() => {});
        wake?.();
      }),
    );
    void Promise.all(first).catch(() => {}); // the race tells
    await Promise.race([Promise.all(inTime), isEnough]).finally(() => stop.abort());
    if (this.#heads.size === 0) await Promise.all(this.#asking.values());
    if (this.#signal.aborted) throw new SourceError('source/aborted', 'stopped by the caller');
    const heads = [...this.#heads.values()].filter(({ client }) => this.#fleet.isKept(client));
    this.#heads.clear();
    if (heads.length === 0) throw noAgreement('no lite server answers', [...this.#failures.values()]);
    return heads;
  }
}

/**
 * The heads whose proofs are asked for, in this order: the highest that a server in good standing names, the highest of all the
 * others, and then the rest; those that named a block in vain come last. A server that was slow is so not left behind one that is
 * quick and holds back.
 */
export function highest(fleet: Fleet, heads: readonly ServerHead[], above: number): readonly ServerHead[] {
  const usable = new Set(fleet.usable());
  const isDoubted = ({ client }: ServerHead) => !usable.has(client) && fleet.isDoubted(client);
  const known = heads
    .filter(({ client, head }) => head.last.seqno > above && fleet.isKept(client))
    .sort((a, b) => Number(isDoubted(a)) - Number(isDoubted(b)) || b.head.last.seqno - a.head.last.seqno);
  const first = known.find(({ client }) => usable.has(client));
  return first === undefined ? known : [first, ...known.filter((one) => one !== first)];
}
