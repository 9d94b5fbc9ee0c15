/** Options are read strictly: one that nobody knows, or of another type, is an error and never ignored. */
import { UsageError } from './errors.ts';

/** What a value is, in a word or two; never its contents, which may be a key. */
export function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof URL) return 'a URL';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** Letters to insert, delete, change or swap to get from one word to the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2]! + 1);
      next.push(best);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

/** The name that was probably meant; `undefined` where none is close. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const word = name.slice(0, 40).toLowerCase();
  const near = known
    .map((other) => ({ other, far: distance(word, other.toLowerCase()) }))
    .filter(({ other, far }) => far <= Math.max(1, Math.floor(other.length / 4)))
    .sort((a, b) => a.far - b.far);
  return near[0]?.other;
}

/**
 * @param known every name that may be there
 * @param path of the options in the call, '' for the options themselves
 * @throws UsageError `usage/bad-option` for anything but an object, and for a name nobody knows, with the close one
 */
export function requireOptions(options: unknown, known: readonly string[], path: string, hint?: string): void {
  const where = { path, ...(hint === undefined ? {} : { hint }) };
  if (typeof options !== 'object' || options === null || Array.isArray(options) || options instanceof URL) {
    throw new UsageError('usage/bad-option', `expected an object of options, got ${nameOfType(options)}`, where);
  }
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const meant = closestName(key, known);
    const at = path === '' || path === 'options' ? key : `${path}.${key}`;
    throw new UsageError('usage/bad-option', 'no such option', {
      path: at.slice(0, 200),
      hint: meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`,
    });
  }
}

/** @throws UsageError unless it is absent or of this type */
export function requireType(value: unknown, type: 'function' | 'boolean' | 'string' | 'object', path: string): void {
  if (value === undefined || (typeof value === type && value !== null)) return;
  const wanted = type === 'object' ? 'an object' : `a ${type}`;
  throw new UsageError('usage/bad-option', `expected ${wanted}, got ${nameOfType(value)}`, { path });
}

/** @throws UsageError unless it is absent or a number in this range */
export function requireNumber(value: unknown, min: number, max: number, path: string): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return;
  const range = max === Number.POSITIVE_INFINITY ? `${min} or more` : `${min} to ${max}`;
  const got = typeof value === 'number' ? String(value) : nameOfType(value);
  throw new UsageError('usage/bad-option', `expected ${range}, got ${got}`, { path });
}

/** @throws UsageError unless it is absent or a signal */
export function requireSignal(value: unknown, path: string): void {
  const isSignal =
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    'addEventListener' in value &&
    'reason' in value;
  if (value === undefined || isSignal) return;
  throw new UsageError('usage/bad-option', `expected an AbortSignal, got ${nameOfType(value)}`, { path });
}
