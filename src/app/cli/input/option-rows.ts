/**
 * Defines the rows of a command's table of options. A row has everything about an option: value, parser, bounds, help, and the options that
 * it needs or excludes. The parser, the help texts and the completions use the rows.
 */
import { decodeBase64, decodeHex } from '../../../core/base/bytes.ts';
import { UsageError } from '../../../core/base/errors.ts';
import { HASH_BYTES, MAX_SEQNO } from '../../../core/base/limits.ts';

export interface OptionRow<T> {
  readonly help: string;
  /** Name of the value, such as FILE; absent for a flag without one. */
  readonly value?: string;
  /** May be given more than once. */
  readonly isList?: true;
  /** Heading above it in help texts. */
  readonly group?: string;
  /** Options of which one is required with it. */
  readonly needs?: readonly string[];
  /** Options that exclude it. */
  readonly not?: readonly string[];
  /** @param texts all given texts, at least one @throws UsageError */
  readonly read: (texts: readonly string[], name: string) => T;
}

export type OptionTable = Readonly<Record<string, OptionRow<unknown>>>;

/** The values of the options of a command line; keys are option names. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]?: T[K] extends OptionRow<infer V> ? V : never;
};

/** Makes an error about an option. @param name without the dashes */
export function badFlag(name: string, message: string, hint?: string): UsageError {
  return new UsageError('usage/bad-option', message, { path: `--${name}`, hint });
}

/** Checks a bound that depends on other options. @throws UsageError */
export function requireFlagAtMost(name: string, value: number, most: number, which = ''): void {
  if (value > most) throw badFlag(name, `expected 1 to ${most}${which}, got ${value}`);
}

/** Returns a given text as errors show it. */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

export function flagRow(help: string): OptionRow<true> {
  return { help, read: () => true };
}

export function textRow(value: string, help: string): OptionRow<string> {
  return {
    help,
    value,
    read([only], name) {
      if (only === '') throw badFlag(name, `expected ${value}, got nothing`);
      return only!; // there is one
    },
  };
}

export function textRows(value: string, help: string): OptionRow<readonly string[]> {
  return { help, value, isList: true, read: (all) => all };
}

/** @param parse returns `undefined` for an invalid text */
function parsed<T>(
  value: string,
  wanted: string,
  help: string,
  parse: (given: string) => T | undefined,
): OptionRow<T> & { readonly value: string } {
  return {
    help,
    value,
    read([given], name) {
      const read = parse(given!); // there is one
      if (read !== undefined) return read;
      throw badFlag(name, `expected ${wanted}, got ${shown(given!)}`);
    },
  };
}

const within = (pattern: RegExp, given: string, least: number, most: number): number | undefined => {
  const value = pattern.test(given) ? Number(given) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
};

/** An option with a whole number. */
export function countRow(value: string, least: number, most: number, help: string) {
  return parsed(value, `${least} to ${most}`, help, (given) => within(/^[0-9]{1,10}$/, given, least, most));
}

/** An option with the number of a block. */
export function seqnoRow(help: string, least = 1) {
  return countRow('N', least, MAX_SEQNO, help);
}

export function decimalRow(value: string, least: number, most: number, help: string) {
  const pattern = /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/;
  return parsed(value, `${least} to ${most}`, help, (given) => within(pattern, given, least, most));
}

/** An option with a uint32, or the negative int32 that servers print for it. */
export function uint32Row(help: string) {
  return parsed('N', 'a 32-bit integer', help, (given) => {
    const value = within(/^(?:0|-?[1-9][0-9]{0,9})$/, given, -0x80000000, 0xffffffff);
    return value === undefined ? undefined : value >>> 0;
  });
}

/** An option with a Unix time in seconds, uint32. It is never negative, so that a sign cannot make it the far future. */
export function unixTimeRow(help: string) {
  const wanted = 'a Unix time in whole seconds';
  return parsed('SECONDS', wanted, help, (given) => within(/^(?:0|[1-9][0-9]{0,9})$/, given, 0, 0xffffffff));
}

/** An option with 32 bytes in hex, or in the base64 that servers print. */
export function hashRow(help: string) {
  return parsed('HEX', '32 bytes in hex or base64', help, (given) => {
    const bytes = given.length === 2 * HASH_BYTES ? decodeHex(given) : decodeBase64(given);
    return bytes?.length === HASH_BYTES ? bytes : undefined;
  });
}

/** An option with a threshold `N/D`. The policy checks that it is at least 2/3. */
export function fractionRow(help: string) {
  return parsed('N/D', 'a fraction as in 3/4', help, (given) => {
    const [, num, den] = /^([0-9]{1,20})\/([0-9]{1,20})$/.exec(given) ?? [];
    return num === undefined || den === undefined ? undefined : { num: BigInt(num), den: BigInt(den) };
  });
}

export function oneOfRow<const T extends string>(words: readonly T[], help: string) {
  const wanted = [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
  return parsed(words.join('|'), wanted, help, (given) => words.find((word) => word === given));
}

function withEach<T extends OptionTable>(rows: T, more: Partial<OptionRow<unknown>>): T {
  const added = Object.entries(rows).map(([name, row]) => [name, { ...more, ...row }]);
  return Object.fromEntries(added) as T; // the same rows, each with more members
}

/** Puts rows under a heading of the help text. */
export function under<T extends OptionTable>(group: string, rows: T): T {
  return withEach(rows, { group });
}

/** Makes rows that require one of these options. */
export function needing<T extends OptionTable>(needs: readonly string[], rows: T): T {
  return withEach(rows, { needs });
}

/** Makes rows that exclude each of these options. */
export function without<T extends OptionTable>(not: readonly string[], rows: T): T {
  return withEach(rows, { not });
}
