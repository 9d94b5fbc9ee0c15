/**
 * Serves the state of a long run to a monitor: counts for Prometheus at `/metrics`, and a health check at `/healthz`. It serves counts
 * only, never blocks or keys.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import type { Gauge } from 'prom-client';
import type { HealthChange, ServerEvent, ServerState } from '../../../net/sources/server-events.ts';
import { type AuditRow, isSigned, seqnoOf } from '../../audit/ledger-lines.ts';
import { ROW_OUTCOMES, type RowOutcome, rowOutcomeOf } from '../../audit/survey/block-bins.ts';
import { badFile, codeOf } from '../../files/system-error.ts';
import { badFlag, type OptionTable, option, shown } from '../input/option-rows.ts';
import { readVersion } from '../package-files.ts';
import { printEvent } from './print.ts';

/** A block that was judged, or is missing. */
export interface SeenBlock {
  readonly seqno: number;
  readonly outcome: RowOutcome;
  /** Signed weight minus required weight, as a share of the total weight. */
  readonly margin?: number;
  /** Unix seconds, from its header. */
  readonly genUtime?: number;
}

/** Converts a row of an audit to a block for the counts. */
export function seenOf(row: AuditRow): SeenBlock {
  const seen = { seqno: seqnoOf(row), outcome: rowOutcomeOf(row) };
  if (row.type === 'failure') return seen;
  const genUtime = row.header === null ? {} : { genUtime: row.header.genUtime };
  if (!isSigned(row)) return { ...seen, ...genUtime };
  const total = Number(row.totalWeight);
  return { ...seen, ...genUtime, margin: total > 0 ? Number(row.margin) / total : 0 };
}

const STATES: readonly ServerState[] = ['up', 'slow', 'behind', 'down'];
/** Seconds. */
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** A monitor sends a request line and reads the answer. A slower connection is closed after this many milliseconds. */
const REQUEST_MS = 10_000;
const CHECK_EVERY_MS = 1000;
/** Most connections: one more closes the oldest. */
const MAX_CONNECTIONS = 32;
/** Milliseconds without a block after which `/healthz` answers 503. */
const STALL_MS = 300_000;

/** Names that an attacker cannot point at this machine in a browser: names without a dot, or of networks that are not public. */
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:localhost|local|internal|lan|svc|home\.arpa|cluster\.local))$/i;

/**
 * Returns whether a request names an address, or a host that is known to be local. Otherwise a web page could let its own name point here,
 * and read the answer.
 * @param own the host of the flag
 */
function isOwnName(header: string | undefined, own: string): boolean {
  if (header === undefined) return true; // browsers always send it
  const name = header.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return isIP(name) !== 0 || LOCAL_NAME.test(name) || name.toLowerCase() === own.toLowerCase();
}

/** Makes the registry of the counts. */
async function makeRegistry(command: string, version: string) {
  const { default: prometheus } = await import('prom-client'); // a bundle gives a CommonJS module only as its default export
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = prometheus;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name: `ton_finality_${name}`, help, labelNames, registers });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `ton_finality_${name}`, help, labelNames, registers });
  gauge('info', 'This program', ['version', 'command']).set({ version, command }, 1);
  const blocks = counter('blocks_total', 'Blocks by what they came to', ['outcome']);
  for (const outcome of ROW_OUTCOMES) blocks.inc({ outcome }, 0); // a count of zero is shown, not missing
  return {
    registry,
    blocks,
    last: gauge('last_block', 'Number of the block that was seen last'),
    lastTime: gauge('last_block_time_seconds', 'Unix time in the header of the last block that has one'),
    margin: gauge('margin_ratio', 'Signed weight of the last block beyond what is final, as a share of the total'),
    least: gauge('least_margin_ratio', 'The least such margin of a final block since the start'),
    questions: counter('server_questions_total', 'Questions to servers by outcome', ['server', 'operation', 'outcome']),
    attempts: counter('server_attempts_total', 'Attempts at those questions', ['server']),
    seconds: new Histogram({
      name: 'ton_finality_server_seconds',
      help: 'From a question to its outcome, waiting and further attempts included',
      labelNames: ['server', 'operation'],
      buckets: BUCKETS,
      registers,
    }),
    state: gauge('server_state', '1 for the state that the server is in', ['server', 'state']),
  };
}

/**
 * Serves until it is closed. The server does not keep the process alive.
 * @param command name of the command, for a label
 * @param version of this program, for a label
 * @throws UsageError for an address where it cannot listen
 */
export async function serveMetrics(host: string, port: number, command: string, version: string) {
  const kept = await makeRegistry(command, version);
  const mayWait = command === 'audit worker'; // it waits for parts without limit
  const startMs = performance.now();
  let seen: { readonly seqno: number; readonly atMs: number } | undefined;
  let least = Number.POSITIVE_INFINITY;

  const health = () => {
    const seconds = (ms: number) => Math.round((performance.now() - ms) / 100) / 10;
    const isStalled = !mayWait && performance.now() - (seen?.atMs ?? startMs) > STALL_MS;
    const text = JSON.stringify({
      status: isStalled ? 'stalled' : 'ok',
      command,
      upSeconds: seconds(startMs),
      lastBlock: seen?.seqno ?? null,
      secondsSinceBlock: seen === undefined ? null : seconds(seen.atMs),
    });
    return [isStalled ? 503 : 200, 'application/json', `${text}\n`] as const;
  };

  const asked = new WeakSet<Socket>();
  const options = {
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  };
  const server = createServer(options, (request, response) => {
    const { socket } = request;
    if (asked.has(socket)) {
      socket.destroy(); // one request per connection, because unread answers would accumulate
      return;
    }
    asked.add(socket);
    const end = (status: number, type: string, body: string) => {
      response.writeHead(status, {
        'content-type': type,
        'cache-control': 'no-store',
        connection: 'close',
        'x-content-type-options': 'nosniff',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const path = (request.url ?? '').split('?')[0];
    if (!isOwnName(request.headers.host, host)) {
      end(421, 'text/plain', 'expected an address, localhost or a local name as the host\n');
    } else if (request.method !== 'GET' && request.method !== 'HEAD') end(405, 'text/plain', 'expected GET\n');
    else if (path === '/healthz') end(...health());
    else if (path !== '/metrics') end(404, 'text/plain', 'expected /metrics or /healthz\n');
    else {
      kept.registry.metrics().then(
        (text) => end(200, kept.registry.contentType, text),
        () => end(500, 'text/plain', 'the counts cannot be read\n'),
      );
    }
  });
  server.timeout = REQUEST_MS;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > MAX_CONNECTIONS) oldest?.destroy();
  });
  await once(server.listen(port, host), 'listening').catch((cause: unknown) => {
    throw badFile('--metrics', `cannot listen on ${host}:${port} (${codeOf(cause)})`, undefined, cause);
  });
  const bound = server.address() as AddressInfo; // it listens on a port
  server.on('error', () => {}); // an error of one connection does not affect others
  server.unref();

  const block = ({ seqno, outcome, margin, genUtime }: SeenBlock) => {
    seen = { seqno, atMs: performance.now() };
    kept.blocks.inc({ outcome });
    kept.last.set(seqno);
    if (genUtime !== undefined) kept.lastTime.set(genUtime);
    if (margin === undefined) return;
    kept.margin.set(margin);
    if (outcome !== 'final' || margin >= least) return;
    least = margin;
    kept.least.set(margin);
  };
  return {
    /** `http://host:port`. */
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    /** Callback for the option of this name of a source. */
    onServer({ server: name, operation, outcome, latencyMs, attempts }: ServerEvent) {
      kept.questions.inc({ server: name, operation, outcome });
      kept.attempts.inc({ server: name }, attempts);
      kept.seconds.observe({ server: name, operation }, latencyMs / 1000);
    },
    onHealth({ server: name, to }: HealthChange) {
      for (const state of STATES) kept.state.set({ server: name, state }, state === to ? 1 : 0);
    },
    block,
    row: (row: AuditRow) => block(seenOf(row)),
    close() {
      server.close();
      server.closeAllConnections();
      kept.registry.clear();
    },
  };
}

export const METRICS_OPTIONS = {
  metrics: option.text(
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
 * @param asJson whether the address is reported as an event
 * @returns `undefined` without the flag
 * @throws UsageError for an invalid value, or an address where the server cannot listen
 */
export async function startMetrics(given: string | undefined, command: string, asJson: boolean) {
  if (given === undefined) return undefined;
  const { host, port } = readMetricsOption(given);
  const metrics = await serveMetrics(host, port, command, await readVersion());
  await printEvent('metrics', `metrics at ${metrics.url}/metrics`, asJson);
  return metrics;
}
