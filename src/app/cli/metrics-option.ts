/** Reads `--metrics`, the address of the counts for a monitor. The server is loaded only if the flag is given. */

import { badFlag, type OptionTable, shown, textRow } from './input/option-rows.ts';
import type { Metrics } from './metrics.ts';
import { printNote } from './output.ts';
import { readVersion } from './version.ts';

export const METRICS_OPTIONS = {
  metrics: textRow(
    'PORT|HOST:PORT',
    'serve Prometheus metrics at /metrics, and /healthz; without HOST, only to this machine',
  ),
} satisfies OptionTable;

/** @throws UsageError `bad-option` for anything but a port, with or without a host */
export function readMetricsOption(given: string): { readonly host: string; readonly port: number } {
  const form = /^(?:(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9.-]{1,253})):)?([0-9]{1,5})$/i;
  const [, inBrackets, named, digits] = form.exec(given) ?? [];
  const port = digits === undefined ? Number.NaN : Number(digits);
  if (port >= 0 && port <= 65_535) return { host: inBrackets ?? named ?? '127.0.0.1', port };
  throw badFlag('metrics', `expected a port, or HOST:PORT, got ${shown(given)}`);
}

/**
 * @param given value of the flag, if it is given
 * @param command name of the command, for a label
 * @returns `undefined` without the flag
 * @throws UsageError for an invalid value, or an address where the server cannot listen
 */
export async function startMetrics(given: string | undefined, command: string): Promise<Metrics | undefined> {
  if (given === undefined) return undefined;
  const { host, port } = readMetricsOption(given);
  const { serveMetrics } = await import('./metrics.ts');
  const metrics = await serveMetrics(host, port, {
    version: await readVersion(),
    command,
    mayWait: command === 'audit worker',
  });
  await printNote(`metrics at ${metrics.url}/metrics`);
  return metrics;
}
