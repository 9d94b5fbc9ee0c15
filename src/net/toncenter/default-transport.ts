/** The default transport. In bundles for browsers, `default-transport-browser.ts` replaces this file. */
import { fetchTransport } from './fetch-transport.ts';
import type { HttpTransport } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

/**
 * Whether sockets of Node are available: in Node, Bun and Deno, but not in workerd, whose Node compatibility lacks
 * them.
 */
function hasNodeSockets(): boolean {
  const { process, navigator } = globalThis as { process?: NodeJS.Process; navigator?: { userAgent?: string } }; // either may be missing
  return typeof process?.versions?.node === 'string' && navigator?.userAgent !== 'Cloudflare-Workers';
}

export function defaultTransport(): HttpTransport {
  return hasNodeSockets() ? undiciTransport() : fetchTransport();
}
