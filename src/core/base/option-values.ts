/** The values of options: each absent, or of its type and in its range. Which names there may be is seen in `arguments.ts`. */
import { badArgument, isObject } from './arguments.ts';
import { UsageError } from './errors.ts';

/** @throws UsageError `bad-option` unless it is absent or of this type */
export function requireType(value: unknown, type: 'function' | 'boolean' | 'string' | 'object', path: string): void {
  if (value === undefined || (typeof value === type && value !== null)) return;
  throw badArgument(path, type === 'object' ? 'an object' : `a ${type}`, value);
}

/** @throws UsageError `bad-option` unless it is absent or a number in this range */
export function requireNumber(value: unknown, min: number, max: number, path: string): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return;
  const least = min === Number.MIN_VALUE ? 'a number above 0' : `${min}`;
  const range = max === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${max}`;
  if (typeof value !== 'number') throw badArgument(path, range, value);
  throw new UsageError('usage/bad-option', `expected ${range}, got ${value}`, { path });
}

/** @throws UsageError `bad-option` unless it is absent or a signal */
export function requireSignal(value: unknown, path: string): void {
  const isSignal =
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    'addEventListener' in value &&
    'reason' in value;
  if (value !== undefined && !isSignal) throw badArgument(path, 'an AbortSignal', value);
}

/** @throws UsageError `bad-option` unless it is absent or an engine */
export function requireEngine(value: unknown): void {
  if (value === undefined || (isObject(value) && typeof value.open === 'function')) return;
  throw badArgument('engine', 'an engine', value, 'chooseEngine and createWorkerPool make one');
}
