/** What a follower says while it has nothing to hand out, and when its patience is over. */
import { SourceError } from '../../base/errors.ts';
import { tell } from '../async/callbacks.ts';
import { Silence } from '../async/silence.ts';

/** Why a follower hands out nothing. */
export interface HeadStall {
  /**
   * no-server: no server answers. head-stands: no server names a newer block. not-proven: one does, and gives no proof.
   * too-few-witnesses: one is proven, and fewer servers than have to agree name it. catching-up: blocks are being proven, and none of them is due yet. behind-state: every server's head is long before the block
   * that the run is to go on after.
   */
  readonly code: 'no-server' | 'head-stands' | 'not-proven' | 'too-few-witnesses' | 'catching-up' | 'behind-state';
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

export interface VoiceOptions {
  readonly onStall: ((stall: HeadStall) => void) | undefined;
  readonly maxOutageMs: number;
  readonly reason: () => StallReason;
  /** Called when the callback threw. */
  readonly onFailure: (error: unknown) => void;
}

export class Voice {
  readonly #opts: VoiceOptions;
  readonly #silence: Silence;
  #provenMs = 0;

  constructor(opts: VoiceOptions) {
    this.#opts = opts;
    this.#silence = new Silence((forMs) => {
      try {
        tell('onStall', opts.onStall, Object.freeze({ ...opts.reason(), forMs }));
      } catch (error) {
        opts.onFailure(error);
      }
    });
  }

  /** The caller waits from now on. */
  listen(): void {
    this.proved();
    this.#silence.begin();
  }

  /** The caller has a block, or has left: its time is no silence. */
  hush(): void {
    this.#silence.end();
  }

  /** A block was proven. */
  proved(): void {
    this.#provenMs = performance.now();
  }

  get provedForMs(): number {
    return performance.now() - this.#provenMs;
  }

  /** Tells why there is nothing, now. */
  say(): void {
    this.#silence.say();
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
