/**
 * Whether the container is healthy: with METRICS_PORT what `/healthz` of `--metrics` says, else whether the command starts. Exit
 * code 0 or 1, as Docker asks.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ANSWER_WITHIN_MS = 3000;

/** Whether what serves the metrics says that it is well. */
async function isServing(port) {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return (await fetch(`http://127.0.0.1:${port}/healthz`, { signal })).status === 200;
  } catch {
    return false;
  }
}

function starts() {
  const command = fileURLToPath(new URL('../build/bundle/cli/cli.js', import.meta.url));
  return spawnSync(process.execPath, [command, '--version'], { timeout: ANSWER_WITHIN_MS }).status === 0;
}

const { METRICS_PORT: port = '' } = process.env;
if (port !== '' && !/^[1-9][0-9]{0,4}$/.test(port)) {
  console.error('METRICS_PORT: expected a port');
  process.exitCode = 1;
} else process.exitCode = (port === '' ? starts() : await isServing(port)) ? 0 : 1;
