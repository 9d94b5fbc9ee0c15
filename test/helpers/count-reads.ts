/** How often code reads from cells and from TL while it runs: its work, which is the same on a busy machine as on a quiet one. */
import { Cell } from '../../src/core/cells/cell.ts';
import { Slice } from '../../src/core/cells/slice.ts';
import { TlReader } from '../../src/core/tl/reader.ts';

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Runs it, with every method of the readers counted. @param run asks `reads` for the number so far */
export function withCountedReads<T>(run: (reads: () => number) => T): T {
  let reads = 0;
  const undo: (() => void)[] = [];
  for (const { prototype } of [Cell, Slice, TlReader]) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === 'constructor' || typeof descriptor.value !== 'function') continue;
      const method = descriptor.value as Method; // a method
      function counted(this: unknown, ...given: unknown[]): unknown {
        reads += 1;
        return method.apply(this, given);
      }
      Object.defineProperty(prototype, name, { ...descriptor, value: counted });
      undo.push(() => Object.defineProperty(prototype, name, descriptor));
    }
  }
  try {
    return run(() => reads);
  } finally {
    for (const one of undo) one();
  }
}
