/** The proxies that the environment names, looked at before anything is asked: a fault in them is none of the server's. */
import { UsageError } from '../../core/base/errors.ts';

/** The lower-case name counts where both are there, as in undici and curl. */
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

/** @throws UsageError that names the variable, and not what is in it: that may be a password */
export function requireProxies(): void {
  for (const [name, value] of named()) {
    if (isProxy(value)) continue;
    throw new UsageError('usage/bad-option', 'expected the URL of an HTTP proxy in this variable of the environment', {
      path: name,
      hint: 'write http://HOST:PORT, or unset it',
    });
  }
}
