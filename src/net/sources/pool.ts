/**
 * Several servers, and which of them may still be asked, over HTTP and lite servers alike. One that lied is out for good; one that
 * failed to answer is asked after the others for a while. A pool never refuses: where all servers rest, all are asked as if none did.
 */
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { tell } from '../async/callbacks.ts';
import { effectOf } from '../machine/outcome.ts';
import {
  type Fault,
  isResting,
  NEW_STANDING,
  type RestRule,
  restMs,
  type Seen,
  type Standing,
  standingAfter,
  withTime,
} from '../machine/standing.ts';
import type { HealthChange, ServerState } from './server-events.ts';

/** What a pool needs to know of a server. */
export interface Server {
  readonly name: string;
  /** Milliseconds until a question asked now would be sent. */
  waitMs?(): number;
  close?(): void;
}

/** A server and what it is asked as. */
export interface Candidate<S> {
  readonly source: S;
  /** A server that is not up, asked in its old place to see whether it is again. */
  readonly isProbe: boolean;
}

export class Pool<S extends Server> {
  readonly servers: readonly S[];
  readonly #rule: RestRule;
  readonly #onHealth: ((change: HealthChange) => void) | undefined;
  readonly #standings: Map<S, Standing>;
  readonly #errors = new Map<S, unknown>();

  /** @param onHealth what it throws is thrown by what brought the change */
  constructor(servers: readonly S[], rule: RestRule, onHealth?: (change: HealthChange) => void) {
    this.servers = servers;
    this.#rule = rule;
    this.#onHealth = onHealth;
    this.#standings = new Map(servers.map((server) => [server, NEW_STANDING]));
  }

  #of(server: S): Standing {
    return this.#standings.get(server)!; // only its own are asked for
  }

  #see(server: S, seen: Seen, error?: unknown): void {
    const before = this.#of(server);
    const after = standingAfter(before, seen, performance.now(), this.#rule);
    this.#standings.set(server, after);
    if (error !== undefined && !before.isOut) this.#errors.set(server, error); // why it is out stays
    const from: ServerState = before.fault ?? 'up';
    const to: ServerState = after.fault ?? 'up';
    if (from === to) return;
    const probeInMs = to === 'up' ? 0 : restMs(after.failures - 1, this.#rule);
    const because = error instanceof SourceError ? { error } : {};
    tell('onHealth', this.#onHealth, Object.freeze({ server: server.name, from, to, probeInMs, ...because }));
  }

  stateOf(server: S): ServerState {
    return this.#of(server).fault ?? 'up';
  }

  isKept(server: S): boolean {
    return !this.#of(server).isOut;
  }

  lastErrorOf(server: S): unknown {
    return this.#errors.get(server);
  }

  /** All that are not out. One that rests may still contradict: witnesses are asked among these. */
  kept(): S[] {
    return this.servers.filter((server) => this.isKept(server));
  }

  /** A server that was put out of another run over the same servers is asked nothing more. */
  keepOut(before: Pool<S>): void {
    for (const server of this.servers) {
      if (before.#standings.get(server)?.isOut === true) this.expel(server, before.lastErrorOf(server));
    }
  }

  /** Those that may be asked, the quickest first; when all of them rest, those that rest. */
  usable(): S[] {
    const kept = this.kept();
    const nowMs = performance.now();
    const awake = kept.filter((server) => !isResting(this.#of(server), nowMs));
    return (awake.length > 0 ? awake : kept).sort((a, b) => this.#of(a).tookMs - this.#of(b).tookMs);
  }

  /**
   * Every server in the order given, those that rest after the others, those whose rest is over in their old place, as a probe.
   * @param busyMs one that would have to wait longer than this for its turn goes after the rest
   */
  inOrder(question: 'head' | 'signatures', busyMs: number): readonly Candidate<S>[] {
    const nowMs = performance.now();
    const usable: Candidate<S>[] = [];
    const resting: Candidate<S>[] = [];
    for (const source of this.servers) {
      const standing = this.#of(source);
      const { fault } = standing;
      // Only its head tells whether a server has caught up.
      const isProbe = fault !== undefined && !isResting(standing, nowMs) && (fault !== 'behind' || question === 'head');
      const isBusy = (source.waitMs?.() ?? 0) > busyMs;
      ((fault === undefined || isProbe) && !isBusy ? usable : resting).push({ source, isProbe });
    }
    return [...usable, ...resting];
  }

  /** Remembers how a question went. @param counts whether the server was asked at all */
  async watched<T>(server: S, question: () => Promise<T>, counts: () => boolean): Promise<T> {
    const askedAtMs = performance.now();
    const took = () => {
      this.#standings.set(server, withTime(this.#of(server), performance.now() - askedAtMs));
    };
    try {
      const answer = await question();
      if (!counts()) return answer;
      took();
      this.answered(server, askedAtMs);
      return answer;
    } catch (error) {
      if (!(error instanceof SourceError && counts())) throw error;
      const effect = effectOf(error);
      if (effect === 'none') throw error;
      took();
      if (effect === 'out') this.expel(server, error);
      else this.rest(server, error);
      throw error;
    }
  }

  /** @param askedAtMs of the question, by `performance.now()` */
  answered(server: S, askedAtMs: number): void {
    this.#see(server, { kind: 'answered', askedAtMs });
  }

  /** It is asked to see whether it is well again: no other question needs to, until it is clear. */
  probing(server: S): void {
    this.#see(server, { kind: 'probed' });
  }

  /** It failed to answer, or another did better: others first, for a while. */
  rest(server: S, error?: unknown, fault: Fault = 'down'): void {
    this.#see(server, { kind: 'failed', fault }, error);
  }

  /** The signatures that it gave were no good, and those of another server were. */
  blame(server: S): void {
    const what = `${server.name}: the signatures of this server were not valid, those of another server were`;
    this.rest(server, new SourceError('source/malformed', what, { endpoint: server.name }));
  }

  /** It named a block that it cannot prove: others first, for longer each time, however well it answers besides. */
  doubt(server: S, error: unknown): void {
    this.#see(server, { kind: 'in-vain' }, error);
  }

  /** Whether the last block that it named could not be proven. */
  isDoubted(server: S): boolean {
    return this.#of(server).inVain > 0;
  }

  /** A block that it named is proven. */
  believe(server: S): void {
    this.#see(server, { kind: 'proven' });
  }

  /** It lied, or is broken: never again. */
  expel(server: S, error: unknown): void {
    this.#see(server, { kind: 'lied' }, error);
    server.close?.();
  }

  /** The last failure of each server. */
  statements(): SourceStatement[] {
    return this.servers.flatMap((server) => {
      const error = this.lastErrorOf(server);
      return error === undefined ? [] : [{ source: server.name, error }];
    });
  }
}
