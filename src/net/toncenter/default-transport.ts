/** The transport where the caller names none. In bundles for browsers, `default-transport-browser.ts` stands in its place. */
import { fetchTransport } from './fetch-transport.ts';
import type { Transport } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

/** Node, Bun and Deno; not workerd, whose Node compatibility has no sockets of this kind. */
function hasNodeSockets(): boolean {
  const { process, navigator } = globalThis as { process?: NodeJS.Process; navigator?: { userAgent?: string } }; // either may be missing
  return typeof process?.versions?.node === 'string' && navigator?.userAgent !== 'Cloudflare-Workers';
}

export function defaultTransport(): Transport {
  return hasNodeSockets() ? undiciTransport() : fetchTransport();
}
