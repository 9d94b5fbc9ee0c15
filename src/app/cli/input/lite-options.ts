/** Reads the options that name lite servers. It asks no server. */
import { UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { connectLite, type LiteClientOptions } from '../../../net/lite/client.ts';
import { liteServerLabel, requireLiteServer } from '../../../net/lite/server-address.ts';
import { type LiteServer, parseGlobalConfig } from '../../../net/lite-api/global-config.ts';
import { printEvent } from '../output/print.ts';
import { withFlagName } from './flag-in-error.ts';
import { leaveOut } from './leave-out.ts';
import { badFlag, type OptionTable, type OptionValues, option } from './option-rows.ts';
import { inputName, readJsonAs } from './read-file.ts';
import {
  NETWORK_OPTION,
  type SEVERAL_SERVERS_OPTIONS,
  STALE_START_OPTION,
  STRICT_OPTION,
  WITNESS_OPTIONS,
} from './shared-options.ts';

export const LITE_OPTIONS = {
  lite: option.texts('HOST:PORT:KEY', 'lite server: its key in base64, an IPv6 address in brackets; repeatable'),
  config: option.text(
    'FILE',
    'global configuration, such as ton.org/global.config.json: use all its lite servers and its network',
  ),
} satisfies OptionTable;

/** Servers, and how many of them have to confirm what. */
export const LITE_RUN_OPTIONS = {
  ...LITE_OPTIONS,
  ...NETWORK_OPTION,
  ...WITNESS_OPTIONS,
  ...STRICT_OPTION,
  ...STALE_START_OPTION,
} satisfies OptionTable;

type LiteValues = OptionValues<typeof LITE_OPTIONS & typeof NETWORK_OPTION & typeof SEVERAL_SERVERS_OPTIONS> & {
  readonly json?: boolean;
};

export type LitePlan = Readonly<NonNullable<Awaited<ReturnType<typeof readLitePlan>>>>;

/** Returns what a run demands of its start and of its witnesses. */
export function strictness(options: OptionValues<typeof STRICT_OPTION & typeof STALE_START_OPTION>) {
  return { strict: options.strict, acceptStaleStart: options['accept-stale-start'] };
}

/** Removes servers that are named twice, by key or by address. */
function distinct(servers: readonly LiteServer[]): readonly LiteServer[] {
  const seen = new Set<string>();
  return servers.filter(({ host, port, publicKey }) => {
    const traits = [`${host}:${port}`, String(publicKey)];
    if (traits.some((trait) => seen.has(trait))) return false;
    for (const trait of traits) seen.add(trait);
    return true;
  });
}

/** Returns how the user can name a server: as messages do, or by its address. */
function namesOf(server: LiteServer): readonly string[] {
  const label = liteServerLabel(server);
  return [label, label.slice('lite://'.length, label.lastIndexOf('/'))];
}

/** @returns `undefined` when no lite server is named @throws UsageError, DecodeError */
export async function readLitePlan(options: LiteValues) {
  const { lite, config, network, without: left, 'count-each-server': countEachServer, json = false } = options;
  const named = lite.map((one) => withFlagName('--lite', () => requireLiteServer(one)));
  if (config === undefined) {
    if (named.length === 0) return undefined;
    return { servers: leaveOut(distinct(named), left, namesOf), network, countEachServer };
  }
  const { servers: read, unreadable, zerostate } = await readJsonAs(config, parseGlobalConfig, { mustBePlain: true });
  const unusable = unreadable.map(({ message }) => message);
  const servers = read.filter((server) => {
    try {
      return requireLiteServer(server);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      unusable.push(`${liteServerLabel(server)}: ${error.message}`);
      return false;
    }
  });
  const kept = distinct([...named, ...servers]);
  for (const server of servers.filter((one) => !kept.includes(one)))
    unusable.push(`${liteServerLabel(server)}: it has the key or the address of another server`);
  for (const words of unusable) {
    await printEvent('server-skipped', `${inputName(config)}: skipping one server: ${words}`, json);
  }
  if (kept.length === 0) throw badFlag('config', 'expected at least one lite server in the file, got none');
  return { servers: leaveOut(kept, left, namesOf), network: network ?? zerostate, countEachServer };
}

/** Makes clients for the servers of a plan, without asking any. */
export function openLite({ servers, network }: LitePlan, observers: Omit<LiteClientOptions, 'network'> = {}) {
  return servers.map((server) => connectLite(server, present({ ...observers, network })));
}
