/**
 * Whether the container is healthy: with METRICS_PORT what `/healthz` of `--metrics` says, else whether the command starts. Exit
 * code 0 or 1, as Docker asks.
 */
import { spawnSync } from 'node:child_process';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';

const ANSWER_WITHIN_MS = 3000;

/** Whether what serves the metrics says that it is well. Not by fetch, which refuses some ports, and may go through a proxy. */
function isServing(port) {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const request = get({ host: '127.0.0.1', port, path: '/healthz', agent: false, signal }, (response) => {
      resolve(response.statusCode === 200);
      response.destroy();
    });
    request.on('error', () => resolve(false));
  });
}

function starts() {
  const command = fileURLToPath(new URL('../build/bundle/app/cli/cli.js', import.meta.url));
  const options = { stdio: 'ignore', timeout: ANSWER_WITHIN_MS };
  return spawnSync(process.execPath, [command, '--version'], options).status === 0;
}

const { METRICS_PORT: port = '' } = process.env;
if (port !== '' && !(/^[1-9][0-9]{0,4}$/.test(port) && Number(port) < 65_536)) {
  console.error('METRICS_PORT: expected a port from 1 to 65535');
  process.exitCode = 1;
} else process.exitCode = (port === '' ? starts() : await isServing(port)) ? 0 : 1;
