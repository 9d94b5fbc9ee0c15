/** The pool of a run over lite servers, and what servers may be given for it. */
import { badArgument, isObject } from '../../base/arguments.ts';
import { encodeHex, isBytes } from '../../base/bytes.ts';
import { UsageError } from '../../base/errors.ts';
import { ownList } from '../../base/own-bytes.ts';
import { REST_RULES } from '../machine/standing.ts';
import { Pool } from '../sources/pool.ts';
import type { LiteServerClient } from './client.ts';

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

export class Fleet extends Pool<LiteServerClient> {
  /** @throws UsageError for no server, or one given twice */
  constructor(clients: readonly LiteServerClient[]) {
    super(requireDistinctServers(clients), REST_RULES.lite);
  }

  get clients(): readonly LiteServerClient[] {
    return this.servers;
  }
}
