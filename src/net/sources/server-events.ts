/** Events about servers, for metrics and logs: each question with its outcome, and changes of health. */
import { SourceError, type SourceErrorCode } from '../../core/base/errors.ts';
import { tell } from '../async/callbacks.ts';

/** One question to one server, with all its attempts and its outcome. */
export interface ServerEvent {
  /** The server's label, without keys, queries or credentials. */
  readonly server: string;
  /**
   * The method that was asked, in the name of the server's API; `latestSeqno` or `signatures` for a combination of
   * sources.
   */
  readonly operation: string;
  /**
   * `source/aborted` also where another server was faster. `error` is any error other than a SourceError: a defect of the
   * program.
   */
  readonly outcome: 'ok' | SourceErrorCode | 'error';
  /** Milliseconds from the question to its outcome, with waiting, attempts and the pauses between them. */
  readonly latencyMs: number;
  /** How often the question was tried. 0 when its turn never came; 1 where a source does not report it. */
  readonly attempts: number;
}

/**
 * The state of a server.
 * up: asked in its turn. slow: a server asked later was faster. behind: a different server knows newer blocks.
 * down: the server failed, or its answer was invalid. Servers that are not up are asked last, and probed now and then.
 */
export type ServerState = 'up' | 'slow' | 'behind' | 'down';

/** A server that began to fail, to hang or to fall behind, or that recovered. */
export interface HealthChange {
  readonly server: string;
  readonly from: ServerState;
  readonly to: ServerState;
  /** Milliseconds until the server is probed; 0 for one that is up. */
  readonly probeInMs: number;
  /** The failure, where one caused the change. */
  readonly error?: SourceError;
}

/** Callbacks that observe servers. If a callback throws, the question ends with an error that names the callback. */
export interface ServerObservers {
  /** Called after every question to a server. */
  readonly onServer?: (event: ServerEvent) => void;
}

/**
 * Asks, and reports how the question ended. @param attemptsOf returns the attempts of an answer; an error has its own
 * count
 */
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
