/** The end of one run of a follower, its reports while there is no block to hand out, and its patience. */
import { SourceError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { tell } from '../async/callbacks.ts';
import { onAbort } from '../async/on-abort.ts';
import { Silence } from '../async/silence.ts';
import { isOutage, SILENT_MS, type StallCode } from '../machine/stall.ts';

/** Why a follower delivers no block. */
export interface FollowStall {
  /**
   * The reason:
   * - `no-server`: no server answers.
   * - `head-stands`: no server names a newer block.
   * - `not-proven`: a server names a newer block, without a proof or valid signatures.
   * - `too-few-witnesses`: a block is proven, but fewer servers than required name it.
   * - `catching-up`: blocks are being proven, and none of them is due yet.
   * - `behind-state`: every server's head is long before the block that the run resumes after.
   */
  readonly code: StallCode;
  /**
   * Seqno of the newest block that is proven or that the run resumes after, and of the newest block that a server names. The second is
   * smaller where the servers' head went back.
   */
  readonly head: number;
  readonly said: number;
  /** Milliseconds without a block. */
  readonly forMs: number;
  /** The last failure, where there is one. */
  readonly error?: SourceError;
}

/** A stall, without its duration. */
export type StallReason = Omit<FollowStall, 'forMs'>;

export interface VoiceOptions<R = StallReason> {
  /** The caller's signal. */
  readonly signal: Signal | undefined;
  readonly onStall: ((stall: R & Pick<FollowStall, 'forMs'>) => void) | undefined;
  /** Default: endless patience. */
  readonly maxOutageMs?: number;
  /** Milliseconds without a block before the first call of `onStall`. Default 10 s. */
  readonly stallAfterMs?: number;
  readonly reason: () => R;
}

export class Voice<R extends Omit<StallReason, 'code'> = StallReason> {
  readonly #opts: VoiceOptions<R>;
  readonly #silence: Silence;
  readonly #run = new AbortController();
  readonly #forget: () => void;
  #fault: { readonly error: unknown } | undefined;
  #provenMs = performance.now();
  /** When the voice may report at once again, and how long after that. */
  #sayMs = Number.NEGATIVE_INFINITY;
  #pauseMs = SILENT_MS;

  constructor(opts: VoiceOptions<R>) {
    this.#opts = opts;
    this.#forget = onAbort(opts.signal, () => this.#run.abort());
    this.#silence = new Silence((forMs) => {
      try {
        tell('onStall', opts.onStall, Object.freeze({ ...opts.reason(), forMs }));
      } catch (error) {
        this.fail(error);
      }
    }, opts.stallAfterMs);
  }

  /** Fires with the caller's signal, when the run has failed, and at the end of the run. */
  get signal(): Signal {
    return this.#run.signal;
  }

  /** Starts the count of silence: the caller waits from now on. */
  listen(): void {
    this.proved();
    this.#silence.begin();
  }

  /** Stops the count of silence: the caller has a block, or has left. */
  hush(): void {
    this.#silence.end();
  }

  /** Restarts the patience: a block was proven, or servers that are behind the run's place come nearer. */
  proved(): void {
    this.#provenMs = performance.now();
  }

  /**
   * Reports now why there is no block. The next such report comes after ten seconds at the earliest, then twenty and so
   * on, because servers behind one address may name other heads at every look. Where none was due for that long, the
   * next pause is ten seconds again.
   */
  say(): void {
    const nowMs = performance.now();
    if (nowMs < this.#sayMs) return;
    if (nowMs > this.#sayMs + this.#pauseMs) this.#pauseMs = SILENT_MS;
    this.#sayMs = nowMs + this.#pauseMs;
    this.#pauseMs *= 2;
    this.#silence.say();
  }

  /** Milliseconds since the last block was proven. */
  get stuckMs(): number {
    return performance.now() - this.#provenMs;
  }

  get #maxOutageMs(): number {
    return this.#opts.maxOutageMs ?? Number.POSITIVE_INFINITY;
  }

  /** Milliseconds until the patience with failures is over. */
  get leftMs(): number {
    return this.#maxOutageMs - this.stuckMs;
  }

  /**
   * Ends the run when no block was proven for too long. @param error the failure that is tried again @throws that error
   */
  requirePatience(error: SourceError): void {
    if (isOutage(this.stuckMs, this.#maxOutageMs)) throw error;
  }

  /** The error for a chain that does not advance. */
  outage(): SourceError {
    const { head, said } = this.#opts.reason();
    const words = `no block after ${head} for ${Math.round(this.stuckMs / 1000)} s; servers name ${said} as the newest`;
    return new SourceError('source/not-ready', words, {
      hint: 'ask other servers: these may have stopped',
    });
  }

  /** Ends the run with an error that no later answer changes, whatever it waits for. The first such error counts. */
  fail(error: unknown): void {
    if (this.signal.aborted) return;
    this.#fault = { error };
    this.#run.abort();
  }

  /** Ends the run. */
  close(): void {
    this.hush();
    this.#forget();
    this.#run.abort();
  }

  /** @throws the error of a run that has failed */
  requireNoFault(): void {
    if (this.#fault !== undefined) throw this.#fault.error;
  }
}

/**
 * Runs work that reports why it has no result, as long as it has none. @param work is given the signal of the voice
 * @throws what the work or `onStall` threw
 */
export async function withVoice<T, R extends Omit<StallReason, 'code'>>(
  opts: VoiceOptions<R>,
  work: (signal: Signal) => Promise<T>,
): Promise<T> {
  const voice = new Voice(opts);
  voice.listen();
  try {
    return await work(voice.signal);
  } catch (error) {
    voice.requireNoFault();
    throw error;
  } finally {
    voice.close();
  }
}
