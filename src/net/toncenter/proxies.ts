/**
 * Checks the proxies that the environment names before a server is asked, so that a mistake in them is not reported as
 * a failure of the server.
 */
import { UsageError } from '../../core/base/errors.ts';

/** Where both spellings are set, the lower-case name wins, as in undici and curl. */
const NAMES = [
  ['http_proxy', 'HTTP_PROXY'],
  ['https_proxy', 'HTTPS_PROXY'],
] as const;

function named(): readonly (readonly [name: string, value: string])[] {
  return NAMES.flatMap((names) => {
    const name = names.find((one) => process.env[one] !== undefined);
    const value = name === undefined ? undefined : process.env[name];
    return name && value ? [[name, value] as const] : [];
  });
}

export function hasProxy(): boolean {
  return named().length > 0;
}

function isProxy(value: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(value);
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol) && hostname !== '';
  } catch {
    return false;
  }
}

/**
 * Checks the variables that name proxies. @throws UsageError that names the variable but not its value, which may
 * contain a password
 */
export function requireProxies(): void {
  for (const [name, value] of named()) {
    if (isProxy(value)) continue;
    throw new UsageError('usage/bad-option', 'expected the URL of an HTTP proxy in this variable of the environment', {
      path: name,
      hint: 'write http://HOST:PORT, or unset it',
    });
  }
}
