/** The written form of a lite server, on a command line and in every message. */

import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { decodeBase64 } from '../../core/base/bytes.ts';
import { UsageError } from '../../core/base/errors.ts';
import { PUBLIC_KEY_BYTES } from '../../core/base/limits.ts';
import { ownBytesOf } from '../../core/base/own-bytes.ts';
import { present } from '../../core/base/present.ts';
import { requireServerKey, shortKeyId } from '../adnl/keys.ts';
import { isHost, isPort, type LiteServer } from '../lite-api/global-config.ts';

/** Returns a printable label of a lite server: host and port, and the first half of the key's id. @throws UsageError */
export function liteServerLabel(server: LiteServer): string {
  const { host, port, publicKey } = requireParts(server);
  return `lite://${host.includes(':') ? `[${host}]` : host}:${port}/${shortKeyId(publicKey)}`;
}

function bad(message: string, path?: string): UsageError {
  return new UsageError('usage/bad-option', message, {
    ...present({ path }),
    hint: 'write a server as HOST:PORT:KEY, with the key in base64 and an IPv6 address in brackets',
  });
}

/** Returns a copy, without a check of the key. @throws UsageError */
function requireParts(server: LiteServer): LiteServer {
  if (typeof server === 'string')
    throw badArgument('server', '{ host, port, publicKey }', server, 'parseLiteServer reads HOST:PORT:KEY');
  const { host, port, publicKey } = requireMembers(server, '{ host, port, publicKey }', 'server');
  if (typeof host !== 'string' || !isHost(host)) throw bad('expected a host name or an address');
  if (!isPort(port)) throw badArgument('server.port', 'a port, 1 to 65535', port);
  return Object.freeze({ host, port, publicKey: ownBytesOf(PUBLIC_KEY_BYTES, publicKey, 'server.publicKey') });
}

/** Checks a server that a caller put together, and copies it. @throws UsageError */
export function requireLiteServer(server: LiteServer): LiteServer {
  const own = requireParts(server);
  requireServerKey(own.publicKey);
  return own;
}

const SPELLED = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]/]+)):([1-9][0-9]{0,4}):([A-Za-z0-9+/]{43}=)$/;

/**
 * Reads the address of a lite server from text of the form `HOST:PORT:KEY`.
 * @param text a host name or an IP address (IPv6 in brackets), the TCP port, and the Ed25519 public key in base64
 * @returns the address, for `connectLite`
 * @throws UsageError `usage/bad-option` for text of a different form
 * @example
 * ```ts
 * import { parseLiteServer } from 'ton-finality/servers';
 * const { host, port } = parseLiteServer('1.2.3.4:4924:n4VDnSCUuSpjnCyUk9e3QOOd6o0ItSWYbTnW3Wnn8wk=');
 * console.log(host, port); // 1.2.3.4 4924
 * ```
 */
export function parseLiteServer(text: string): LiteServer {
  if (typeof text !== 'string') throw badArgument('server', 'HOST:PORT:KEY', text);
  const [, ipv6, name, port, key = ''] = SPELLED.exec(text) ?? [];
  const host = ipv6 ?? name;
  const publicKey = decodeBase64(key);
  if (host === undefined || publicKey?.length !== PUBLIC_KEY_BYTES)
    throw bad(`expected HOST:PORT:KEY, got ${JSON.stringify(text.slice(0, 80))}`, 'server');
  return requireLiteServer({ host, port: Number(port), publicKey });
}
