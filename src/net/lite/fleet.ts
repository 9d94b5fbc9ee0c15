/** The pool of a run over lite servers, and the checks of the servers that callers pass. */
import { badArgument, badOption, isObject } from '../../core/base/arguments.ts';
import { encodeHex, isBytes } from '../../core/base/bytes.ts';
import { SourceError } from '../../core/base/errors.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import type { Length } from '../machine/budget.ts';
import { isA } from '../machine/outcome.ts';
import { REST_RULES } from '../machine/standing.ts';
import { type Speaker, voicesOf } from '../machine/witness-count.ts';
import { hintFor } from '../sources/failure-hints.ts';
import { saidBy } from '../sources/no-agreement.ts';
import { Pool } from '../sources/pool.ts';
import { Meter, type Questions } from './budget.ts';
import type { LiteServerClient } from './client.ts';

const METHODS = ['masterchainInfo', 'blockProof', 'lookup', 'close'] as const;

/** Checks that a value is a client. @throws UsageError */
export function requireClient(client: unknown, path: string): void {
  const isClient =
    isObject(client) &&
    typeof client.name === 'string' &&
    isObject(client.server) &&
    isBytes(client.server.publicKey) &&
    METHODS.every((name) => typeof client[name] === 'function');
  if (!isClient) throw badArgument(path, 'a client of connectLite', client);
}

/** Returns a copy of the list. Two servers with one key, or at one address, count as one. @throws UsageError */
export function requireDistinctServers(given: readonly LiteServerClient[]): readonly LiteServerClient[] {
  const clients = ownList(given, 'clients');
  for (const [at, client] of clients.entries()) requireClient(client, `clients[${at}]`);
  if (clients.length === 0) {
    throw badOption('expected at least one lite server', 'clients');
  }
  const seen = new Set<string>();
  for (const { name, server } of clients) {
    for (const trait of [encodeHex(server.publicKey), `${server.host}:${server.port}`]) {
      if (seen.has(trait)) {
        const message = `${name} has the key or the address of another server: one server must not count twice`;
        throw badOption(message, 'clients');
      }
      seen.add(trait);
    }
  }
  return clients;
}

const speakerOf = ({ name, server }: LiteServerClient): Speaker => ({ name, host: server.host });

/** How many servers have to agree, as the options of a run say it. */
interface WitnessNeeds {
  readonly witnesses?: number | undefined;
  readonly strict: boolean;
  /** Whether servers of one address block count each. */
  readonly countEachServer: boolean;
}

/**
 * Checks the number of witnesses. @returns how many servers have to agree, in addition to the one that proves @throws
 * UsageError for more than there are
 */
export function requireWitnesses(servers: readonly LiteServerClient[], terms: WitnessNeeds): number {
  const { strict, countEachServer } = terms;
  const { witnesses = Number(strict) } = terms;
  const voices = voicesOf(servers.map(speakerOf), undefined, countEachServer);
  if (Number.isInteger(witnesses) && witnesses >= 0 && witnesses < Math.max(1, voices)) return witnesses;
  const hint =
    voices < servers.length
      ? 'servers of one address block (/24, /48) or host name are one witness: to count each, use countEachServer (--count-each-server)'
      : 'the server that provides the proof cannot also be a witness: add at least one more server';
  const isOfStrict = terms.witnesses === undefined;
  const wanted = isOfStrict ? 'a second server, as a witness, got one' : `0 to ${voices - 1}, got ${String(witnesses)}`;
  throw badOption(`expected ${wanted}`, isOfStrict ? 'strict' : 'witnesses', hint);
}

const isOfBudget = (error: unknown) => error instanceof SourceError && error.code === 'source/budget';

export class Fleet extends Pool<LiteServerClient> {
  readonly #meter: Meter;
  readonly #countEach: boolean;

  /**
   * Makes a fleet. @param servers as `requireDistinctServers` returns them
   * @param length whether the budget of a server is for the whole run, or for a stretch of time
   * @param countEach whether servers of one address block count each
   */
  constructor(servers: readonly LiteServerClient[], length: Length = 'run', countEach = false) {
    super(servers, REST_RULES.lite);
    this.#meter = new Meter(servers.length, length, (client, error) =>
      length === 'run' ? this.expel(client, error) : this.rest(client, error),
    );
    this.#countEach = countEach;
  }

  /** Returns the number of witnesses that servers count as, for a block that one of them proved. */
  voices(names: readonly string[], prover?: LiteServerClient): number {
    const named = this.servers.filter(({ name }) => names.includes(name));
    return voicesOf(named.map(speakerOf), prover && speakerOf(prover), this.#countEach);
  }

  /** @param first begins, because it has just answered */
  override usable(first?: LiteServerClient): LiteServerClient[] {
    return super.usable().sort((a, b) => Number(b === first) - Number(a === first));
  }

  /**
   * Asks a server and remembers how the question went. A question that the server has answered before is not sent
   * again.
   */
  async ask<T>(client: LiteServerClient, question: (one: Questions) => Promise<T>): Promise<T> {
    let isRepeated = false;
    const questions = this.#meter.questions(client, () => {
      isRepeated = true;
    });
    const ask = () => question(questions);
    return await this.watched(client, ask, () => !isRepeated);
  }

  /** Asks a question that does not affect the server's standing. */
  async query<T>(client: LiteServerClient, question: (one: Questions) => Promise<T>): Promise<T> {
    return await question(this.#meter.questions(client, () => {}));
  }

  /** Notes that an answer proved links or blocks: up to 64 KiB of it for each are free. */
  proved(client: LiteServerClient, answer: Uint8Array, links: number): void {
    this.#meter.proved(client, answer, links);
  }

  /** Returns the error of a run without servers, where any of them used up its budget; otherwise the given error. */
  whyOver(error: unknown): unknown {
    const isSpent = this.servers.some((client) => isOfBudget(this.lastErrorOf(client)));
    const isOfServers = error instanceof SourceError && !isA(error.code, 'faultless');
    if (!isOfServers || this.kept().length > 0 || !isSpent) return error;
    const statements = this.statements();
    const words = `no lite server is left: ${saidBy(statements)}`;
    return new SourceError('source/budget', words, { statements, hint: hintFor('source/budget'), cause: error });
  }

  /** Continues from an earlier part of the run over the same servers: a server that was put out is not asked again. */
  override keepOut(before: Fleet): void {
    super.keepOut(before);
    this.#meter.inherit(before.#meter);
  }
}
