/** Formats text for people: rows of a name and a value, percentages, times. */

import { printable } from '../../core/base/errors.ts';
import { millionthsOf } from '../audit/millionths.ts';

/** A row on one line: a value such as a file name may have line breaks and sequences that a terminal obeys. */
function oneLine(name: string, width: number, value: string): string {
  return `  ${name.padEnd(width)} ${printable(value, Number.POSITIVE_INFINITY)}`;
}

/** A row of a report. */
export function row(name: string, value: string): string {
  return oneLine(name, 10, value);
}

/** A row with room for longer names. */
export function wideRow(name: string, value: string): string {
  return oneLine(name, 12, value);
}

/** Rows by their names. A name without a value is left out. @param format formats each */
export function rows(values: Readonly<Record<string, string | undefined>>, format = row): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [format(name, value)]));
}

/** Rows with room for longer names. A name without a value is left out. */
export function wideRows(values: Readonly<Record<string, string | undefined>>): string[] {
  return rows(values, wideRow);
}

/**
 * A share in percent, rounded down: a share below a threshold never looks as if it reached it.
 * @param digits after the decimal point
 */
export function percent(share: number, digits = 4): string {
  const scale = 10 ** digits;
  // A share with that many digits is a whole number after scaling, apart from an error in its last bit; 1e-6 corrects that error.
  return `${(Math.floor(100 * scale * share + 1e-6) / scale).toFixed(digits)} %`;
}

/** The part of a weight in percent, rounded down. */
export function percentOf(part: bigint, whole: bigint): string {
  return percent(millionthsOf(part, whole) / 1e6);
}

/** Names consecutive blocks. */
export function blocksWords(first: number, last: number): string {
  return first === last ? `block ${first}` : `blocks ${first} to ${last}`;
}

/** Unix seconds as UTC, such as 2026-04-09T22:58:16Z. */
export function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** A number of things: `1 row`, `2 rows`. @param thing in the singular; its plural ends with an s */
export function counted(thing: string, count: number): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
