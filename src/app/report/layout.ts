/** How words to a person are laid out: rows of a name and a value, percentages, times. */

/** A row of a report. */
export function row(name: string, value: string): string {
  return `  ${name.padEnd(10)} ${value}`;
}

/** A row where names are longer. */
export function wideRow(name: string, value: string): string {
  return `  ${name.padEnd(12)} ${value}`;
}

/**
 * A share as percent, rounded down: what is below a line never looks as if it were on it.
 * @param digits behind the point
 */
export function percent(share: number, digits = 4): string {
  const scale = 10 ** digits;
  // Shares of so many digits stay as they are: scaled they are whole numbers, but for an error in the last bit.
  return `${(Math.floor(100 * scale * share + 1e-6) / scale).toFixed(digits)} %`;
}

/** Unix seconds as UTC, as in 2026-04-09T22:58:16Z. */
export function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
