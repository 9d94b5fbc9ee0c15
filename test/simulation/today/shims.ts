/** Takes the place of the clocks, timers and random numbers of the runtime in the code that is bundled for a world. */
import { port } from './host.ts';

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
