/** Reads the options that name lite servers. It asks no server. */
import { UsageError } from '../../../core/base/errors.ts';
import { present } from '../../../core/base/present.ts';
import { connectLite, type LiteClientOptions, type Network } from '../../../net/lite/client.ts';
import { liteServerLabel, requireLiteServer } from '../../../net/lite/server.ts';
import { type LiteServer, parseGlobalConfig } from '../../../net/lite-api/global-config.ts';
import { printNote } from '../output.ts';
import { withFileName } from './error-with-file.ts';
import { withFlagName } from './error-with-flag.ts';
import { badFlag, type OptionTable, type OptionValues, textRow, textRows } from './option-rows.ts';
import { inputName, readJson } from './read-file.ts';
import type { NETWORK_OPTION, SEVERAL_SERVERS_OPTIONS } from './shared-options.ts';

export const LITE_OPTIONS = {
  lite: textRows('HOST:PORT:KEY', 'lite server: its key in base64, an IPv6 address in brackets; repeatable'),
  config: textRow(
    'FILE',
    'global configuration, such as ton.org/global.config.json: use all its lite servers and its network',
  ),
} satisfies OptionTable;

type LiteValues = OptionValues<typeof LITE_OPTIONS & typeof NETWORK_OPTION & typeof SEVERAL_SERVERS_OPTIONS>;

export interface LitePlan {
  readonly servers: readonly LiteServer[];
  readonly network: Network | undefined;
  readonly countEachServer: boolean;
}

/** Reads `--strict` of a run over lite servers. @throws UsageError together with the exception that it excludes */
export function strictness(options: { readonly strict?: boolean; readonly 'accept-stale-start'?: boolean }) {
  const strict = options.strict === true;
  const acceptStaleStart = options['accept-stale-start'] === true;
  if (strict && acceptStaleStart) throw badFlag('strict', 'cannot be combined with --accept-stale-start');
  return { strict, acceptStaleStart };
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

/** Returns the servers without those to leave out. @throws UsageError for an unknown server, and when none is left */
function without(servers: readonly LiteServer[], left: readonly string[]): readonly LiteServer[] {
  const namesOf = (server: LiteServer) => {
    const label = liteServerLabel(server);
    const place = label.slice('lite://'.length, label.lastIndexOf('/'));
    return [label, place];
  };
  for (const name of left) {
    if (servers.some((server) => namesOf(server).includes(name))) continue;
    throw badFlag(
      'without',
      `expected a configured server, got ${JSON.stringify(name.slice(0, 80))}`,
      'pass HOST:PORT, or lite://… as messages name the server',
    );
  }
  const kept = servers.filter((server) => !namesOf(server).some((name) => left.includes(name)));
  if (kept.length === 0) throw badFlag('without', 'expected to keep at least one server, got all excluded');
  return kept;
}

/** @returns `undefined` when no lite server is named @throws UsageError, DecodeError */
export async function readLitePlan(options: LiteValues): Promise<LitePlan | undefined> {
  const { lite = [], config, network, without: left = [] } = options;
  const countEachServer = options['count-each-server'] === true;
  const named = lite.map((one) => withFlagName('--lite', () => requireLiteServer(one)));
  if (config === undefined) {
    return named.length === 0 ? undefined : { servers: without(distinct(named), left), network, countEachServer };
  }
  const json = await readJson(config, { mustBePlain: true });
  const { servers: read, unreadable, zerostate } = withFileName(inputName(config), () => parseGlobalConfig(json));
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
  for (const words of unusable) await printNote(`${inputName(config)}: skipping one server: ${words}`);
  if (named.length === 0 && servers.length === 0)
    throw badFlag('config', 'expected at least one lite server in the file, got none');
  return { servers: without(distinct([...named, ...servers]), left), network: network ?? zerostate, countEachServer };
}

/** Makes clients for the servers of a plan, without asking any. */
export function openLite({ servers, network }: LitePlan, observers: Omit<LiteClientOptions, 'network'> = {}) {
  return servers.map((server) => connectLite(server, present({ ...observers, network })));
}
