/** The pool of a run over lite servers, and what servers may be given for it. */
import { badArgument, isObject } from '../../core/base/arguments.ts';
import { encodeHex, isBytes } from '../../core/base/bytes.ts';
import { SourceError, UsageError } from '../../core/base/errors.ts';
import { ownList } from '../../core/base/own-bytes.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { startTimer } from '../async/timer.ts';
import type { Length } from '../machine/budget.ts';
import { isA } from '../machine/outcome.ts';
import { REST_RULES } from '../machine/standing.ts';
import { type Speaker, voicesOf } from '../machine/voices.ts';
import { hintFor } from '../sources/failure-hints.ts';
import { Pool } from '../sources/pool.ts';
import type { LiteServerClient } from './client.ts';
import { Meter, type Questions } from './meter.ts';

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
        const message = `${name} has the key or the address of another server: one server must not count twice`;
        throw new UsageError('usage/bad-option', message, { path: 'servers' });
      }
      seen.add(trait);
    }
  }
  return clients;
}

const speakerOf = ({ name, server }: LiteServerClient): Speaker => ({ name, host: server.host });

/** How many servers have to agree, as the options of a run say it. */
interface WitnessTerms {
  readonly witnesses?: number | undefined;
  readonly strict: boolean;
  /** Whether servers of one address block count each. */
  readonly countEachServer: boolean;
}

/** @returns how many servers have to agree beside the one that proves @throws UsageError for more than there are */
export function requireWitnesses(servers: readonly LiteServerClient[], terms: WitnessTerms): number {
  const { strict, countEachServer } = terms;
  const { witnesses = Number(strict) } = terms;
  const voices = voicesOf(servers.map(speakerOf), undefined, countEachServer);
  if (Number.isInteger(witnesses) && witnesses >= 0 && witnesses < Math.max(1, voices)) return witnesses;
  const hint =
    voices < servers.length
      ? 'servers of one address block (/24, /48) or host name count as one witness; pass countEachServer, or --count-each-server, to count each'
      : 'the server that provides the proof cannot also be a witness: add at least one more server';
  const isOfStrict = terms.witnesses === undefined;
  const wanted = isOfStrict ? 'a second server, as a witness, got one' : `0 to ${voices - 1}, got ${String(witnesses)}`;
  throw new UsageError('usage/bad-option', `expected ${wanted}`, { path: isOfStrict ? 'strict' : 'witnesses', hint });
}

const isOfBudget = (error: unknown) => error instanceof SourceError && error.code === 'source/budget';

export class Fleet extends Pool<LiteServerClient> {
  readonly #meter: Meter;
  readonly #countEach: boolean;

  /**
   * @param length that of the run: what a server may cost is for all of it, or for a stretch of time
   * @param countEach whether servers of one address block count each
   * @throws UsageError for no server, or one given twice
   */
  constructor(clients: readonly LiteServerClient[], length: Length = 'run', countEach = false) {
    const servers = requireDistinctServers(clients);
    super(servers, REST_RULES.lite);
    this.#meter = new Meter(servers.length, length, (client, error) =>
      length === 'run' ? this.expel(client, error) : this.rest(client, error),
    );
    this.#countEach = countEach;
  }

  /** As how many witnesses the servers with these names count, of what one of them proved. */
  voices(names: readonly string[], prover?: LiteServerClient): number {
    const named = this.clients.filter(({ name }) => names.includes(name));
    return voicesOf(named.map(speakerOf), prover && speakerOf(prover), this.#countEach);
  }

  get clients(): readonly LiteServerClient[] {
    return this.servers;
  }

  /** Asks one of them and remembers how that went. What it answered before it is not asked again. */
  async ask<T>(client: LiteServerClient, question: (one: Questions) => Promise<T>): Promise<T> {
    const asking = this.#meter.asking(client);
    return await this.watched(
      client,
      () => question(asking.questions),
      () => !asking.isRepeated,
    );
  }

  /** Asks for what says nothing of how it answers other questions: its standing is left alone. */
  async query<T>(client: LiteServerClient, question: (one: Questions) => Promise<T>): Promise<T> {
    return await question(this.#meter.asking(client).questions);
  }

  /** An answer proved links or blocks: up to 64 KiB of it for each cost nothing. */
  proved(client: LiteServerClient, answer: Uint8Array, links: number): void {
    this.#meter.proved(client, answer, links);
  }

  /** Why a run ends that has no server left, where any of them has cost too much; else the error that it ends with. */
  whyOver(error: unknown): unknown {
    const isSpent = this.clients.some((client) => isOfBudget(this.lastErrorOf(client)));
    if (!(error instanceof SourceError) || error.code === 'source/aborted' || this.kept().length > 0 || !isSpent)
      return error;
    const statements = this.statements();
    const words = statements.map((one) => (one.error instanceof Error ? one.error.message : one.source)).join('; ');
    const hint = hintFor('source/budget');
    return new SourceError('source/budget', `no lite server is left: ${words}`, { statements, hint, cause: error });
  }

  /** Goes on from an earlier part of the run, over the same servers: one that was put out is asked nothing more. */
  override keepOut(before: Fleet): void {
    super.keepOut(before);
    this.#meter.inherit(before.#meter);
  }
}

/**
 * Does what is asked of a fleet in the time that there is for all of it.
 * @param late what is not done when the time is over
 * @param work is given a signal that fires at the limit, or when the caller stops
 * @throws SourceError `source/timeout`, with what each server did; why no server is left; a fork and a wrong clock are told all the same
 */
export async function withinTime<T>(
  fleet: Fleet,
  { deadlineMs, signal }: { readonly deadlineMs?: number; readonly signal?: Signal },
  late: () => string,
  work: (signal: Signal | undefined) => Promise<T>,
): Promise<T> {
  const timer = deadlineMs === undefined ? undefined : startTimer(deadlineMs, signal);
  try {
    return await work(timer?.signal ?? signal);
  } catch (error) {
    const isLate = timer?.expired === true && error instanceof SourceError && !isA(error.code, 'ends-following');
    if (!isLate) throw fleet.whyOver(error);
    const [hint, statements] = [hintFor('source/timeout'), fleet.statements()];
    throw new SourceError('source/timeout', `${late()} in ${deadlineMs} ms`, { statements, hint, cause: error });
  } finally {
    timer?.close();
  }
}
