/** Every TL constructor id that this version knows. */
import * as WIRE from '../../core/tl/constructors.ts';
import * as LITE from './constructors.ts';

const KNOWN: ReadonlySet<number> = new Set([...Object.values(WIRE), ...Object.values(LITE)]);

export function isKnownId(id: number): boolean {
  return KNOWN.has(id);
}
