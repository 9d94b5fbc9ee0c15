/** The transport in bundles for browsers, in place of `default-transport.ts`: their own fetch, and no word of Node. */
import { fetchTransport } from './fetch-transport.ts';
import type { Transport } from './transport.ts';

export function defaultTransport(): Transport {
  return fetchTransport();
}
