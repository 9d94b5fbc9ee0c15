/** What sources tell of their servers as they work: each question and its outcome, and changes of health. For metrics and logs. */
import { SourceError, type SourceErrorCode } from '../../core/base/errors.ts';
import { tell } from '../async/callbacks.ts';

/** One question to one server, with all its attempts and its outcome. */
export interface ServerEvent {
  /** The server, by its label: never with a key, a query or credentials. */
  readonly server: string;
  /** What was asked: the API's own name of it from a server, `latestSeqno` or `signatures` from what combines sources. */
  readonly operation: string;
  /** `source/aborted` also where another server was faster. `error` is anything that is no SourceError: a fault of the program. */
  readonly outcome: 'ok' | SourceErrorCode | 'error';
  /** Milliseconds from the question to its outcome: waiting for its turn, attempts and pauses between them. */
  readonly latencyMs: number;
  /** How often it was tried; 0 when it never came to its turn, 1 where a source does not say. */
  readonly attempts: number;
}

/**
 * The state of a server. up: asked in its turn. slow: a server asked later was faster. behind: a different server knows newer
 * blocks. down: the server failed, or its answer was invalid. Servers that are not up are asked last, and probed now and then.
 */
export type ServerState = 'up' | 'slow' | 'behind' | 'down';

/** A server that began to fail, to hang or to fall behind, or that recovered. */
export interface HealthChange {
  readonly server: string;
  readonly from: ServerState;
  readonly to: ServerState;
  /** Milliseconds until it is probed; 0 for one that is up. */
  readonly probeInMs: number;
  /** What it failed with, where that is why. */
  readonly error?: SourceError;
}

/** Callbacks that observe servers. If a callback throws, the question ends with an error that names the callback. */
export interface ServerObservers {
  /** Told of every question to a server when it is over. */
  readonly onServer?: (event: ServerEvent) => void;
}

/** Asks, and tells how it ended. @param attemptsOf for an answer; an error says it itself */
export async function observed<T>(
  { onServer }: ServerObservers,
  server: string,
  operation: string,
  ask: () => Promise<T>,
  attemptsOf: () => number = () => 1,
): Promise<T> {
  if (onServer === undefined) return await ask();
  const start = performance.now();
  const event = (outcome: ServerEvent['outcome'], attempts: number): ServerEvent =>
    Object.freeze({ server, operation, outcome, latencyMs: performance.now() - start, attempts });
  let answer: T;
  try {
    answer = await ask();
  } catch (error) {
    const isTold = error instanceof SourceError;
    tell('onServer', onServer, event(isTold ? error.code : 'error', isTold ? error.attempts : 1));
    throw error;
  }
  tell('onServer', onServer, event('ok', attemptsOf()));
  return answer;
}
