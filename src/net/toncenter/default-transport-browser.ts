/**
 * The default transport in bundles for browsers, in place of `default-transport.ts`: the browser's fetch, without any
 * import of Node.
 */
import { fetchTransport } from './fetch-transport.ts';
import type { HttpTransport } from './transport.ts';

export function defaultTransport(): HttpTransport {
  return fetchTransport();
}
