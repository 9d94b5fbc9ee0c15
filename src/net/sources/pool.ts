/**
 * Decides which of several servers may still be asked, over HTTP and lite servers alike. A server that lied is never
 * asked again. A server that failed to answer is asked after the others for a while. Where all servers rest, all are asked as
 * if none did.
 */
import { SourceError, type SourceStatement } from '../../core/base/errors.ts';
import { tell } from '../async/callbacks.ts';
import { effectOf, outcomeOf } from '../machine/outcome.ts';
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
import { failureOf } from './failure-hints.ts';
import type { HealthChange, ServerState } from './server-events.ts';

/** A server, as far as a pool has to know it. */
export interface Server {
  readonly name: string;
  /** Returns the milliseconds until a question asked now would be sent. */
  waitMs?(): number;
  close?(): void;
}

/** A server, and whether this question probes it. */
export interface Candidate<S> {
  readonly source: S;
  /** Whether the server is not up and is asked in its old place, to see whether it has recovered. */
  readonly isProbe: boolean;
}

/**
 * Returns what an error says of one server. Errors of several servers that were kept for one would hold each other, and
 * grow with every round.
 */
function ownOf(error: unknown, { name }: Server): unknown {
  const statements = error instanceof SourceError ? error.statements : [];
  return statements.find(({ source }) => source === name)?.error ?? error;
}

export class Pool<S extends Server> {
  readonly servers: readonly S[];
  readonly #rule: RestRule;
  readonly #onHealth: ((change: HealthChange) => void) | undefined;
  readonly #standings: Map<S, Standing>;
  readonly #errors = new Map<S, unknown>();

  /** @param onHealth an error that it throws is thrown by the call that brought the change */
  constructor(servers: readonly S[], rule: RestRule, onHealth?: (change: HealthChange) => void) {
    this.servers = servers;
    this.#rule = rule;
    this.#onHealth = onHealth;
    this.#standings = new Map(servers.map((server) => [server, NEW_STANDING]));
  }

  #of(server: S): Standing {
    return this.#standings.get(server)!; // callers pass only servers of this pool
  }

  #see(server: S, seen: Seen, error?: unknown): void {
    const before = this.#of(server);
    const after = standingAfter(before, seen, performance.now(), this.#rule);
    this.#standings.set(server, after);
    // a server that is out keeps the reason why
    if (error !== undefined && !before.isOut) this.#errors.set(server, ownOf(error, server));
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

  /**
   * Returns the servers that are not out. A resting server may still contradict, so witnesses are chosen among these.
   */
  kept(): S[] {
    return this.servers.filter((server) => this.isKept(server));
  }

  /** Keeps out the servers that an earlier run over the same servers put out. */
  keepOut(before: Pool<S>): void {
    for (const server of this.servers) {
      if (before.#standings.get(server)?.isOut === true) this.expel(server, before.lastErrorOf(server));
    }
  }

  /** Returns the servers that may be asked, the quickest first; when all of them rest, the resting ones. */
  usable(): S[] {
    const kept = this.kept();
    const nowMs = performance.now();
    const awake = kept.filter((server) => !isResting(this.#of(server), nowMs));
    return (awake.length > 0 ? awake : kept).sort((a, b) => this.#of(a).tookMs - this.#of(b).tookMs);
  }

  /**
   * Returns the servers in the order given. Resting servers come last; a server whose rest is over keeps its place, as
   * a probe.
   * @param busyMs a server that has to wait longer than this for its turn is moved behind the others
   */
  inOrder(question: 'head' | 'signatures', busyMs: number): readonly Candidate<S>[] {
    const nowMs = performance.now();
    const usable: Candidate<S>[] = [];
    const resting: Candidate<S>[] = [];
    for (const source of this.servers) {
      const standing = this.#of(source);
      const { fault } = standing;
      // Only its head shows whether a server has caught up.
      const isAwake = !isResting(standing, nowMs) && (fault !== 'behind' || question === 'head');
      const isProbe = isAwake && fault !== undefined;
      const isBusy = (source.waitMs?.() ?? 0) > busyMs;
      (isAwake && !isBusy ? usable : resting).push({ source, isProbe });
    }
    return [...usable, ...resting];
  }

  /** Asks, and remembers how the question went. @param counts whether the server was asked at all */
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

  /** Remembers a valid answer. @param askedAtMs when the question was asked, by `performance.now()` */
  answered(server: S, askedAtMs: number): void {
    this.#see(server, { kind: 'answered', askedAtMs });
  }

  /** Notes that a probe is under way, so that no other question probes the same server. */
  probing(server: S): void {
    this.#see(server, { kind: 'probed' });
  }

  /** Moves a server behind the others for a while: it failed to answer, or another server answered better. */
  rest(server: S, error?: unknown, fault: Fault = 'down'): void {
    this.#see(server, { kind: 'failed', fault }, error);
  }

  /** Notes that the signatures of a server were invalid, while those of another server were valid. */
  blame(server: S): void {
    const what = 'its signatures were not valid, those of another server were';
    this.rest(server, failureOf(server.name, 'source/malformed', what));
  }

  /**
   * Notes that a server named a block that it cannot prove. It is asked after the others, for longer each time, however
   * well it answers otherwise.
   */
  doubt(server: S, error?: unknown): void {
    this.#see(server, { kind: 'in-vain' }, error);
  }

  /** Ends the rest of servers that do not know a block that another server led to: that server is at fault. */
  excuseStrangers(): void {
    for (const server of this.kept()) {
      const error = this.#errors.get(server);
      const isStranger = error instanceof SourceError && outcomeOf(error) === 'unknown-block';
      if (isStranger && !this.isDoubted(server)) this.#see(server, { kind: 'excused' });
    }
  }

  /** Whether the last block that a server named could not be proven. */
  isDoubted(server: S): boolean {
    return this.#of(server).inVain > 0;
  }

  /** Notes that a block that the server named is proven. */
  believe(server: S): void {
    this.#see(server, { kind: 'proven' });
  }

  /** Excludes a server until the end: it lied, or is broken. */
  expel(server: S, error: unknown): void {
    this.#see(server, { kind: 'lied' }, error);
    server.close?.();
  }

  /** Returns the last failure of each server. */
  statements(): SourceStatement[] {
    return this.servers.flatMap((server) => {
      const error = this.lastErrorOf(server);
      return error === undefined ? [] : [{ source: server.name, error }];
    });
  }
}
