/** Whole numbers on the command line. */
import { UsageError } from '../../../core/base/errors.ts';

/** @throws UsageError `bad-option` for anything but a whole number from `min` to `max` */
export function readCount(option: string, text: string, min: number, max: number): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError('usage/bad-option', `expected ${min} to ${max}, got ${JSON.stringify(text.slice(0, 80))}`, {
    path: `--${option}`,
  });
}
