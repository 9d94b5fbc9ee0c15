/** The options that all toncenter-compatible servers share: what they are, and reading them strictly. */
import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { requireNumber, requireOptions, requireType } from '../../core/base/options.ts';
import type { Fetch } from '../../core/base/runtime-types.ts';
import type { Pace } from '../async/pace.ts';
import type { ServerObservers } from '../sources/server-events.ts';

/** One body as it came, before anything was read from it. Keys are blanked out. */
export interface RecordedAnswer {
  readonly source: string;
  readonly operation: string;
  readonly query: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: Uint8Array;
}

/** How one toncenter-compatible server is reached, paced and waited for. */
export interface ToncenterOptions extends ServerObservers {
  /** Whole, as in https://host/api/v2: only the method name is appended. Its query is kept, but `api_key` in it is sent as a header. */
  readonly baseUrl: string;
  /** Sent as the header X-API-Key, never in a URL, never in an error. */
  readonly apiKey?: string;
  /** Further headers, such as User-Agent. Taken for credentials: never in an error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Plain http is for loopback; true allows it elsewhere. */
  readonly allowHttp?: boolean;
  /** Milliseconds for one attempt, body included. Default 15 s. */
  readonly timeoutMs?: number;
  /** Milliseconds for one question with all attempts and waiting. Default 30 s. */
  readonly deadlineMs?: number;
  /** Tries after the first. Default 3. */
  readonly retries?: number;
  /** Bytes of one body after decompression. Default 1 MiB for blocks, 4 for configs, 8 for proofs and v3 lists. */
  readonly maxBodyBytes?: number;
  /** Requests a second; default 1 without a key, 10 with one; Infinity for a server of your own. */
  readonly requestsPerSecond?: number;
  /** Requests at a time. Default 2, and 1 without a key where `requestsPerSecond` is finite. */
  readonly concurrency?: number;
  /** Shared by sources that a server counts as one, such as v2 and v3 of one host. Replaces the two above. */
  readonly pace?: Pace;
  /** Sees every whole body, errors too. What it throws is thrown. */
  readonly onAnswer?: (answer: RecordedAnswer) => void;
  /**
   * Default: connections of this library's own in Node, Bun and Deno, the browser's fetch elsewhere. With a fetch of yours,
   * sockets, proxies and decompression are its affair, and only what it hands over is bounded; Node's own may end the process
   * at a body it cannot unpack.
   */
  readonly fetch?: Fetch;
}

/** Every option, so that one of another name is an error. */
const NAMES: Readonly<Record<keyof ToncenterOptions, true>> = {
  baseUrl: true,
  apiKey: true,
  headers: true,
  allowHttp: true,
  timeoutMs: true,
  deadlineMs: true,
  retries: true,
  maxBodyBytes: true,
  requestsPerSecond: true,
  concurrency: true,
  pace: true,
  onAnswer: true,
  onServer: true,
  fetch: true,
};
const KNOWN = Object.keys(NAMES);

/**
 * A copy of the options, each of the right type: what the caller changes afterwards changes nothing here. The limits of a
 * question are looked at where they are used.
 * @throws UsageError `usage/bad-option`
 */
export function readToncenterOptions(given: ToncenterOptions): ToncenterOptions {
  requireMembers(given, 'an object with options', 'options', 'toncenterV2({ baseUrl }) makes a source of a URL');
  const opts = requireOptions(given, KNOWN);
  const copy = { ...opts, ...(opts.headers === undefined ? {} : { headers: { ...opts.headers } }) };
  if (typeof copy.baseUrl !== 'string') requireType(copy.baseUrl ?? null, 'string', 'baseUrl');
  requireType(copy.apiKey, 'string', 'apiKey');
  requireType(opts.headers, 'object', 'headers');
  for (const [name, value] of Object.entries(copy.headers ?? {}))
    requireType(value ?? null, 'string', `headers.${name}`);
  requireType(copy.allowHttp, 'boolean', 'allowHttp');
  requireNumber(copy.requestsPerSecond, Number.MIN_VALUE, Number.POSITIVE_INFINITY, 'requestsPerSecond');
  requireNumber(copy.concurrency, 1, Number.POSITIVE_INFINITY, 'concurrency');
  for (const name of ['onAnswer', 'onServer'] as const) requireType(copy[name], 'function', name);
  requireType(copy.fetch, 'function', 'fetch');
  requireType(copy.pace, 'object', 'pace');
  if (copy.pace !== undefined && typeof copy.pace.run !== 'function') {
    throw badArgument('pace', 'a pace', copy.pace, 'createPace makes one');
  }
  return Object.freeze(copy);
}
