/** The written form of a lite server, on a command line and in every message. */

import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { decodeBase64, isBytesOf } from '../../core/base/bytes.ts';
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
  const { host, port, publicKey } = requireMembers(server, '{ host, port, publicKey } or HOST:PORT:KEY', 'server');
  if (typeof host !== 'string' || !isHost(host)) throw bad('expected a host name or address');
  if (!isPort(port)) throw badArgument('server.port', 'a port, 1 to 65535', port);
  if (!isBytesOf(PUBLIC_KEY_BYTES, publicKey))
    throw badArgument('server.publicKey', `the key of ${host}:${port}`, publicKey);
  return Object.freeze({ host, port, publicKey: ownBytesOf(PUBLIC_KEY_BYTES, publicKey, 'server.publicKey') });
}

const SPELLED = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]/]+)):([1-9][0-9]{0,4}):([A-Za-z0-9+/]{43}=)$/;

/** Reads `HOST:PORT:KEY`. @throws UsageError for text of a different form */
function readSpelled(text: string): LiteServer {
  const [, ipv6, name, port, key = ''] = SPELLED.exec(text) ?? [];
  const host = ipv6 ?? name;
  const publicKey = decodeBase64(key);
  if (host === undefined || publicKey?.length !== PUBLIC_KEY_BYTES)
    throw bad(`expected HOST:PORT:KEY, got ${JSON.stringify(text.slice(0, 80))}`, 'server');
  return { host, port: Number(port), publicKey };
}

/** Checks a server that a caller put together or wrote as `HOST:PORT:KEY`, and copies it. @throws UsageError */
export function requireLiteServer(given: LiteServer | string): LiteServer {
  const own = requireParts(typeof given === 'string' ? readSpelled(given) : given);
  requireServerKey(own.publicKey, `${own.host}:${own.port}`);
  return own;
}
