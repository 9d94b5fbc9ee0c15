/** What a follower says while it has nothing to hand out, and when its patience is over. */
import { SourceError } from '../../base/errors.ts';
import { tell } from '../async/callbacks.ts';

/** Why a follower hands out nothing. */
export interface HeadStall {
  /**
   * no-server: no server answers. head-stands: no server names a newer block. not-proven: one does, and gives no proof.
   * catching-up: blocks are being proven, and none of them is due yet. behind-state: every server's head is long before the block
   * that the run is to go on after.
   */
  readonly code: 'no-server' | 'head-stands' | 'not-proven' | 'catching-up' | 'behind-state';
  /** Seqno of the newest block that is proven, and of the newest that a server names. */
  readonly head: number;
  readonly said: number;
  /** Milliseconds without a block. */
  readonly forMs: number;
  /** The last failure, where there is one. */
  readonly error?: SourceError;
}

/** What is known of a stall beside how long it takes. */
export type StallReason = Omit<HeadStall, 'forMs'>;

/** Milliseconds of silence after which it is told; then after twice as long, and so on. */
const SILENT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 0x7fffffff; // setTimeout takes an int32

export interface VoiceOptions {
  readonly onStall: ((stall: HeadStall) => void) | undefined;
  readonly maxOutageMs: number;
  readonly reason: () => StallReason;
  /** Called when the callback threw. */
  readonly onFailure: (error: unknown) => void;
}

export class Voice {
  readonly #opts: VoiceOptions;
  #silentSinceMs = 0;
  #provenMs = 0;
  #dueMs = SILENT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(opts: VoiceOptions) {
    this.#opts = opts;
  }

  /** The caller waits from now on. */
  listen(): void {
    this.#silentSinceMs = performance.now();
    this.#provenMs = this.#silentSinceMs;
    this.#dueMs = SILENT_MS;
    this.#arm();
  }

  /** The caller has a block, or has left: its time is no silence. */
  hush(): void {
    clearTimeout(this.#timer);
  }

  /** A block was proven. */
  proved(): void {
    this.#provenMs = performance.now();
  }

  get provedForMs(): number {
    return performance.now() - this.#provenMs;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const leftMs = this.#silentSinceMs + this.#dueMs - performance.now();
    // A timer may fire a fraction of a millisecond early: the same would then be told twice. What is left may round to none.
    const fire = () => (performance.now() - this.#silentSinceMs < this.#dueMs ? this.#arm() : this.say());
    this.#timer = setTimeout(fire, Math.min(LONGEST_TIMEOUT_MS, Math.max(1, Math.ceil(leftMs))));
  }

  /** Tells why there is nothing, now. */
  say(): void {
    const forMs = Math.floor(performance.now() - this.#silentSinceMs);
    while (this.#dueMs <= forMs) this.#dueMs *= 2;
    this.#arm();
    try {
      tell('onStall', this.#opts.onStall, Object.freeze({ ...this.#opts.reason(), forMs }));
    } catch (error) {
      this.#opts.onFailure(error);
    }
  }

  /**
   * @param error the failure that is tried again; none where no server names a newer block
   * @throws that, or a SourceError, when no block was proven for too long
   */
  requirePatience(error?: SourceError): void {
    const forMs = this.provedForMs;
    if (forMs <= this.#opts.maxOutageMs) return;
    if (error !== undefined) throw error;
    const { head, said } = this.#opts.reason();
    const words = `no block after ${head} for ${Math.round(forMs / 1000)} s, the newest that a lite server names is ${said}`;
    throw new SourceError('source/not-ready', words, {
      hint: 'ask other servers: these may have stopped, or the chain itself',
    });
  }
}
