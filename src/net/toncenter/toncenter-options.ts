/** The options that all toncenter-compatible servers share, and their strict reader. */
import { badArgument, requireMembers } from '../../core/base/arguments.ts';
import { DEFAULT_DEADLINE_MS, DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS } from '../../core/base/limits.ts';
import { callback, flag, number, optional, readOptions, requireType, text, whole } from '../../core/base/options.ts';
import type { Fetch } from '../../core/base/runtime-types.ts';
import type { Pace } from '../async/pace.ts';
import type { ServerObservers } from '../sources/server-events.ts';

/** One body as it arrived, before the library parsed it. Keys are redacted. */
export interface RecordedAnswer {
  readonly source: string;
  readonly operation: string;
  readonly query: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: Uint8Array;
}

/** How to reach one toncenter-compatible server, at what pace, and how long to wait. */
export interface ToncenterOptions extends ServerObservers {
  /**
   * The URL up to the method name, as in https://host/api/v2. Its query is kept, but an `api_key` in it is sent as a
   * header.
   */
  readonly baseUrl: string;
  /** The API key. It is sent as the header X-API-Key, and never appears in a URL or an error. */
  readonly apiKey?: string;
  /** Further headers, such as User-Agent. They are treated as credentials, and never appear in an error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Allows plain http to other hosts than loopback. Default false. */
  readonly allowHttp?: boolean;
  /** Milliseconds for one attempt, body included. Default 15 s. */
  readonly timeoutMs?: number;
  /** Milliseconds for one question with all attempts and waiting. Default 30 s. */
  readonly deadlineMs?: number;
  /** How often a failed question is tried again. Default 3. */
  readonly retries?: number;
  /**
   * Bytes of one body after decompression. Default 1 MiB for blocks, 4 MiB for configurations, 8 MiB for proofs and v3
   * lists.
   */
  readonly maxBodyBytes?: number;
  /** Requests a second. Default 1 without a key, 10 with one; use `Infinity` for a server of your own. */
  readonly requestsPerSecond?: number;
  /** Requests at a time. Default 2, or 1 without a key where `requestsPerSecond` is finite. */
  readonly concurrency?: number;
  /**
   * A pace to share between sources that a server counts as one client, such as v2 and v3 of one host. Replaces the two
   * options above.
   */
  readonly pace?: Pace;
  /** Receives every whole body, errors too. If it throws, the question fails with that error. */
  readonly onAnswer?: (answer: RecordedAnswer) => void;
  /**
   * Replaces the transport. Default: connections of this library in Node, Bun and Deno, and the browser's fetch
   * elsewhere. A fetch of yours handles sockets, proxies and decompression; only its output is bounded. Node's own
   * fetch may end the process at a body that it cannot decompress.
   */
  readonly fetch?: Fetch;
}

/** Upper limits of times, sizes and retries: a larger number is a mistake in its unit. */
const MAX_TIMEOUT_MS = 10 * 60 * 1000;
export const MAX_DEADLINE_MS = 24 * 60 * 60 * 1000;
const MAX_RETRIES = 100;
const MAX_BODY_BYTES = 256 * 1024 * 1024;

function readText(value: unknown, path: string): string {
  requireType(value ?? null, 'string', path);
  return value as string; // checked just above
}

function readHeaders(value: object, path: string): Readonly<Record<string, string>> {
  requireType(value, 'object', path);
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, readText(text, `${path}.${name}`)]));
}

function readPace(value: unknown, path: string): Pace {
  requireType(value, 'object', path);
  if (typeof (value as Partial<Pace>).run === 'function') return value as Pace; // the other members are optional
  throw badArgument(path, 'a pace', value, 'createPace makes one');
}

/**
 * Checks the options, and returns a copy, so that later changes by the caller have no effect. @throws UsageError
 * `usage/bad-option`
 */
export function readToncenterOptions(given: ToncenterOptions) {
  requireMembers(given, 'an object with options', 'options', 'toncenterV2({ baseUrl }) makes a source of a URL');
  return Object.freeze(
    readOptions(given, '', {
      baseUrl: readText,
      apiKey: text(),
      headers: optional(readHeaders),
      allowHttp: flag(),
      timeoutMs: number(1, MAX_TIMEOUT_MS, DEFAULT_TIMEOUT_MS),
      deadlineMs: number(1, MAX_DEADLINE_MS, DEFAULT_DEADLINE_MS),
      retries: whole(0, MAX_RETRIES, DEFAULT_RETRIES),
      maxBodyBytes: whole(1, MAX_BODY_BYTES),
      requestsPerSecond: number(Number.MIN_VALUE, Number.POSITIVE_INFINITY),
      concurrency: number(1, Number.POSITIVE_INFINITY),
      pace: optional(readPace),
      onAnswer: callback(),
      onServer: callback(),
      fetch: callback(),
    }),
  );
}
