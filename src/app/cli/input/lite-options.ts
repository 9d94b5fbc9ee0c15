/** The options that name lite servers, and what they come to. Asks nobody. */
import { UsageError } from '../../../core/base/errors.ts';
import type { LiteNetwork } from '../../../net/lite/client.ts';
import { liteServerLabel, parseLiteServer, requireLiteServer } from '../../../net/lite/server.ts';
import { type LiteServer, parseGlobalConfig } from '../../../net/lite-api/global-config.ts';
import { isNetwork } from '../../../net/sources/network-guard.ts';
import { printNote } from '../output.ts';
import { withFileName } from './error-with-file.ts';
import type { OptionTable, ParsedOptions } from './options.ts';
import { inputName, readJson } from './read-file.ts';

export const LITE_OPTIONS = {
  lite: { type: 'string', multiple: true },
  config: { type: 'string' },
  'lite-network': { type: 'string' },
  without: { type: 'string', multiple: true },
  'count-each-server': { type: 'boolean' },
} as const satisfies OptionTable;

export const LITE_USAGE = `  --lite HOST:PORT:KEY              a lite server, its key in base64, an IPv6 address in brackets; may be given again
  --config FILE                     all lite servers of a global configuration, such as ton.org/global.config.json; its
                                    zerostate says which network is meant
  --lite-network mainnet|testnet    refuse servers of another network
  --without SERVER                  leave out a server, by HOST:PORT or as messages name it; may be given again
  --count-each-server               servers of one address block (/24, /48) or host name are a witness each, and not one`;

export type LiteValues = ParsedOptions<typeof LITE_OPTIONS>['values'];

export interface LitePlan {
  readonly servers: readonly LiteServer[];
  readonly network: LiteNetwork | undefined;
  readonly countEachServer: boolean;
}

function bad(option: string, message: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, { path: `--${option}`, hint });
}

/** `--strict` of a run over lite servers. @throws UsageError beside the exception, which it would take back */
export function strictness(options: { readonly strict?: boolean; readonly 'accept-stale-start'?: boolean }) {
  const strict = options.strict === true;
  const acceptStaleStart = options['accept-stale-start'] === true;
  if (strict && acceptStaleStart)
    throw bad('strict', 'expected no --accept-stale-start beside it: it takes no exception');
  return { strict, acceptStaleStart };
}

/** Servers that are named twice, by key or by address, are asked once. */
function distinct(servers: readonly LiteServer[]): readonly LiteServer[] {
  const seen = new Set<string>();
  return servers.filter(({ host, port, publicKey }) => {
    const traits = [`${host}:${port}`, String(publicKey)];
    if (traits.some((trait) => seen.has(trait))) return false;
    for (const trait of traits) seen.add(trait);
    return true;
  });
}

/** All but those that are to be left out. @throws UsageError for one that is not there, and when none is left */
function without(servers: readonly LiteServer[], left: readonly string[]): readonly LiteServer[] {
  const namesOf = (server: LiteServer) => {
    const label = liteServerLabel(server);
    const place = label.slice('lite://'.length, label.lastIndexOf('/'));
    return [label, place];
  };
  for (const name of left) {
    if (servers.some((server) => namesOf(server).includes(name))) continue;
    throw bad(
      'without',
      `no server is named ${JSON.stringify(name.slice(0, 80))}`,
      'give HOST:PORT, or lite://… as messages name it',
    );
  }
  const kept = servers.filter((server) => !namesOf(server).some((name) => left.includes(name)));
  if (kept.length === 0) throw bad('without', 'no server is left');
  return kept;
}

/** @returns `undefined` when no lite server is named @throws UsageError, DecodeError */
export async function readLitePlan(options: LiteValues): Promise<LitePlan | undefined> {
  const { lite = [], config, 'lite-network': name, without: left = [] } = options;
  const countEachServer = options['count-each-server'] === true;
  if (name !== undefined && !isNetwork(name)) {
    throw bad('lite-network', `expected mainnet or testnet, got ${JSON.stringify(name.slice(0, 80))}`);
  }
  const named = lite.map((text) => parseLiteServer(text));
  if (config === undefined) {
    if (named.length > 0) return { servers: without(distinct(named), left), network: name, countEachServer };
    if (name !== undefined) throw bad('lite-network', 'expected --lite or --config beside it, got neither');
    if (left.length > 0) throw bad('without', 'expected --lite or --config beside it, got neither');
    if (countEachServer) throw bad('count-each-server', 'expected --lite or --config beside it, got neither');
    return undefined;
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
  for (const words of unusable) await printNote(`${inputName(config)}: a server is left out: ${words}`);
  if (named.length === 0 && servers.length === 0) throw bad('config', 'the file names no lite server');
  return { servers: without(distinct([...named, ...servers]), left), network: name ?? zerostate, countEachServer };
}
