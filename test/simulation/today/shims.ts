/** Takes the place of the clocks, timers and random numbers of the runtime in the code that is bundled for a world. */
import { port } from './host.ts';

export { simProcess } from './machine.ts';

type Handle = { cancel: () => void; unref(): void };

export function simSetTimeout(call: () => void, ms = 0): Handle {
  return { cancel: port().after(ms, call), unref() {} };
}

export function simClearTimeout(handle: Handle | undefined): void {
  handle?.cancel();
}

export function simSetInterval(call: () => void, ms: number): Handle {
  const handle: Handle = { cancel: () => {}, unref() {} };
  const again = () => {
    handle.cancel = port().after(ms, () => {
      again();
      call();
    });
  };
  again();
  return handle;
}

export const simNow = (): number => port().nowMs();
export const simUnixMs = (): number => port().unixMs();
export const simRandom = (): number => port().random();

interface Listener {
  readonly call: () => void;
  readonly once: boolean;
  isGone: boolean;
}

class Aborted extends Error {
  override readonly name = 'AbortError';
}

/** A signal as the runtime has it, without what that does for other events: a run makes thousands. */
export class SimAbortSignal {
  aborted = false;
  #reason: unknown;
  readonly #listeners = new Set<Listener>();

  addEventListener(_: 'abort', call: () => void, { once = false }: { readonly once?: boolean } = {}): void {
    for (const one of this.#listeners) if (one.call === call) return;
    this.listen(call, once);
  }

  removeEventListener(_: 'abort', call: () => void): void {
    for (const one of this.#listeners) if (one.call === call) this.#remove(one);
  }

  /** @returns takes it back */
  listen(call: () => void, once: boolean): () => void {
    const one = { call, once, isGone: false };
    this.#listeners.add(one);
    return () => this.#remove(one);
  }

  #remove(one: Listener): void {
    one.isGone = true;
    this.#listeners.delete(one);
  }

  /** Where none was given it is made for who asks: most signals are told when nobody looks any more. */
  get reason(): unknown {
    if (this.aborted) this.#reason ??= new Aborted('This operation was aborted');
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  tell(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#reason = reason;
    for (const one of [...this.#listeners]) {
      if (one.isGone) continue; // by one that was called before
      if (one.once) this.#remove(one);
      one.call();
    }
  }
}

export class SimAbortController {
  readonly signal = new SimAbortSignal();

  abort(reason?: unknown): void {
    this.signal.tell(reason);
  }
}
