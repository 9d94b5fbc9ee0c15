/**
 * Several lite servers, and who of them may still be asked. A server that gave a proof that does not hold is out for good;
 * one that failed to answer rests for a while. Answers count, not speed: the fast liar is out first.
 */
import { badArgument, isObject } from '../../base/arguments.ts';
import { encodeHex, isBytes } from '../../base/bytes.ts';
import { SourceError, type SourceStatement, UsageError } from '../../base/errors.ts';
import { LITE_REST_CAP_MS, LITE_REST_MS } from '../../base/limits.ts';
import { ownList } from '../../base/own-bytes.ts';
import { EFFECTS, OUTCOMES } from '../machine/outcome.ts';
import type { LiteServerClient } from './client.ts';

interface Standing {
  isOut: boolean;
  failures: number;
  /** Blocks it named, one after the other, that nobody could prove. */
  inVain: number;
  restsUntilMs: number;
  /** Milliseconds of its last answer; those that never answered come last. */
  lastMs: number;
  lastError?: unknown;
}

const METHODS = ['masterchainInfo', 'blockProof', 'lookup', 'close'] as const;

/** @throws UsageError */
export function requireClient(client: unknown, path: string): void {
  const isClient =
    isObject(client) &&
    typeof client.name === 'string' &&
    isObject(client.server) &&
    isBytes(client.server.publicKey) &&
    METHODS.every((name) => typeof client[name] === 'function');
  if (!isClient) throw badArgument(path, 'a client of connectLite', client);
}

/** The list, as it is now: two servers with one key, or at one address, are one. @throws UsageError */
export function requireDistinctServers(given: readonly LiteServerClient[]): readonly LiteServerClient[] {
  const clients = ownList(given, 'servers');
  for (const [at, client] of clients.entries()) requireClient(client, `servers[${at}]`);
  if (clients.length === 0) {
    throw new UsageError('usage/bad-option', 'expected at least one lite server', { path: 'servers' });
  }
  const seen = new Set<string>();
  for (const { name, server } of clients) {
    for (const trait of [encodeHex(server.publicKey), `${server.host}:${server.port}`]) {
      if (seen.has(trait)) {
        const message = `${name} has the key or the address of another server given; one must not count twice`;
        throw new UsageError('usage/bad-option', message, { path: 'servers' });
      }
      seen.add(trait);
    }
  }
  return clients;
}

/** @param witnesses how many servers have to agree beside the one that proves @throws UsageError for more than there are */
export function requireWitnesses(witnesses: number, servers: number): void {
  if (Number.isInteger(witnesses) && witnesses >= 0 && witnesses < Math.max(1, servers)) return;
  throw new UsageError('usage/bad-option', `expected 0 to ${servers - 1}, got ${String(witnesses)}`, {
    path: 'witnesses',
    hint: 'the server that gives the proof is no witness of itself',
  });
}

export class Fleet {
  readonly clients: readonly LiteServerClient[];
  readonly #standings: Map<LiteServerClient, Standing>;

  /** @throws UsageError for no server, or one given twice */
  constructor(clients: readonly LiteServerClient[]) {
    this.clients = requireDistinctServers(clients);
    this.#standings = new Map(
      this.clients.map((client) => [
        client,
        {
          isOut: false,
          failures: 0,
          inVain: 0,
          restsUntilMs: Number.NEGATIVE_INFINITY,
          lastMs: Number.POSITIVE_INFINITY,
        },
      ]),
    );
  }

  #of(client: LiteServerClient): Standing {
    return this.#standings.get(client)!; // only its own are asked for
  }

  isKept(client: LiteServerClient): boolean {
    return !this.#of(client).isOut;
  }

  lastErrorOf(client: LiteServerClient): unknown {
    return this.#of(client).lastError;
  }

  /** All that are not out. Who rests may still contradict: witnesses are asked among these. */
  kept(): LiteServerClient[] {
    return this.clients.filter((client) => !this.#of(client).isOut);
  }

  /** Who was put out of another run over the same servers is asked nothing more. */
  keepOut(before: Fleet): void {
    for (const client of this.clients) {
      const standing = before.#standings.get(client);
      if (standing?.isOut === true) this.expel(client, standing.lastError);
    }
  }

  /** Those that may be asked, the quickest first; when all of them rest, those that rest. */
  usable(): LiteServerClient[] {
    const kept = this.kept();
    const nowMs = performance.now();
    const awake = kept.filter((client) => this.#of(client).restsUntilMs <= nowMs);
    return (awake.length > 0 ? awake : kept).sort((a, b) => this.#of(a).lastMs - this.#of(b).lastMs);
  }

  /** Asks one of them and remembers how that went. */
  async ask<T>(client: LiteServerClient, question: (client: LiteServerClient) => Promise<T>): Promise<T> {
    const startMs = performance.now();
    const standing = this.#of(client);
    // The time of a question that failed counts as well: who lets others run into their deadline is not quick.
    const took = () => {
      const ms = performance.now() - startMs;
      standing.lastMs = Number.isFinite(standing.lastMs) ? (standing.lastMs + ms) / 2 : ms;
    };
    try {
      const answer = await question(client);
      took();
      // One good answer does not make up for every question that it leaves open.
      standing.failures = Math.max(0, standing.failures - 1);
      return answer;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const effect = EFFECTS[OUTCOMES[error.code]];
      if (effect === 'none') throw error;
      took();
      if (effect === 'out') this.expel(client, error);
      else this.rest(client, error);
      throw error;
    }
  }

  /** It failed to answer: others first, for a while. */
  rest(client: LiteServerClient, error: unknown): void {
    const standing = this.#of(client);
    this.#sendToRest(standing, standing.failures, error);
    standing.failures += 1;
  }

  /** It named a block that nobody could prove: others first, for longer each time, however well it answers besides. */
  doubt(client: LiteServerClient, error: unknown): void {
    const standing = this.#of(client);
    this.#sendToRest(standing, standing.inVain, error);
    standing.inVain += 1;
  }

  /** Whether the last block that it named could not be proven. */
  isDoubted(client: LiteServerClient): boolean {
    return this.#of(client).inVain > 0;
  }

  /** A block that it named is proven. */
  believe(client: LiteServerClient): void {
    this.#of(client).inVain = 0;
  }

  #sendToRest(standing: Standing, times: number, error: unknown): void {
    standing.lastError = error;
    const untilMs = performance.now() + Math.min(LITE_REST_CAP_MS, LITE_REST_MS * 2 ** times);
    standing.restsUntilMs = Math.max(standing.restsUntilMs, untilMs); // one fault does not shorten the rest for another
  }

  /** It lied, or is broken: never again. */
  expel(client: LiteServerClient, error: unknown): void {
    const standing = this.#of(client);
    standing.isOut = true;
    standing.lastError = error;
    client.close();
  }

  /** The last failure of each server. */
  statements(): SourceStatement[] {
    return this.clients.flatMap((client) => {
      const { lastError: error } = this.#of(client);
      return error === undefined ? [] : [{ source: client.name, error }];
    });
  }
}
