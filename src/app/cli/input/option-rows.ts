/**
 * Defines the rows of a command's table of options. A row has everything about an option: value, parser, bounds, help, and the options that
 * it needs or excludes. The parser, the help texts and the completions use the rows.
 */
import { badOption } from '../../../core/base/arguments.ts';
import { decodeHash } from '../../../core/base/bytes.ts';
import type { UsageError } from '../../../core/base/errors.ts';
import { MAX_SEQNO } from '../../../core/base/limits.ts';

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
  /** The value if the option is not given. */
  readonly absent: T;
  /** @param texts all given texts, at least one @throws UsageError */
  readonly read: (texts: readonly string[], name: string) => T;
}

export type OptionTable = Readonly<Record<string, OptionRow<unknown>>>;

/** Names that options had, and have now. `docs/renamed.md` lists them. */
export const RENAMED: ReadonlyMap<string, string> = new Map([
  ['until', 'to'],
  ['lite-network', 'network'],
  ['quorum', 'witnesses'],
  ['sign-every', 'sign-every-seconds'],
  ['shard', 'part'],
]);

/** The values of the options of a command line; keys are option names. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends OptionRow<infer V> ? V : never;
};

/** Makes an error about an option. @param name without the dashes */
export function badFlag(name: string, message: string, hint?: string): UsageError {
  return badOption(message, `--${name}`, hint);
}

/** Returns a given text as errors show it. */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

const within = (pattern: RegExp, given: string, least: number, most: number): number | undefined => {
  const value = pattern.test(given) ? Number(given) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
};

/**
 * Makes an option whose value has a form.
 * @param wanted the form, for errors
 * @param parse returns `undefined` for an invalid text
 */
function formed<T>(
  value: string,
  wanted: string,
  help: string,
  parse: (given: string) => T | undefined,
): OptionRow<T | undefined> {
  const read = ([given]: readonly string[], name: string) => {
    const found = parse(given!); // there is one
    if (found === undefined) throw badFlag(name, `expected ${wanted}, got ${shown(given!)}`);
    return found;
  };
  return { help, value, absent: undefined, read };
}

const count = (value: string, least: number, most: number, help: string) =>
  formed(value, `${least} to ${most}`, help, (given) => within(/^[0-9]{1,10}$/, given, least, most));

/** Makes the rows: one function for each kind of value. */
export const option = {
  flag: (help: string): OptionRow<boolean> => ({ help, absent: false, read: () => true }),
  text: (value: string, help: string): OptionRow<string | undefined> => ({
    help,
    value,
    absent: undefined,
    read([given], name) {
      if (given === '') throw badFlag(name, `expected ${value}, got nothing`);
      return given;
    },
  }),
  texts: (value: string, help: string): OptionRow<readonly string[]> => ({
    help,
    value,
    isList: true,
    absent: [],
    read: (all) => all,
  }),
  /** A whole number. */
  count,
  /** The number of a block. */
  seqno: (help: string, least = 1) => count('N', least, MAX_SEQNO, help),
  decimal: (value: string, least: number, most: number, help: string) =>
    formed(value, `${least} to ${most}`, help, (given) => within(/^[0-9]{1,9}(?:\.[0-9]{1,9})?$/, given, least, most)),
  /** A uint32, or the negative int32 that servers print for it. */
  uint32: (help: string) =>
    formed('N', 'a 32-bit integer', help, (given) => {
      const value = within(/^(?:0|-?[1-9][0-9]{0,9})$/, given, -0x80000000, 0xffffffff);
      return value === undefined ? undefined : value >>> 0;
    }),
  /** A Unix time in seconds, uint32. It is never negative, so that a sign cannot make it the far future. */
  unixTime: (help: string) =>
    formed('SECONDS', 'a Unix time in whole seconds', help, (given) =>
      within(/^(?:0|[1-9][0-9]{0,9})$/, given, 0, 0xffffffff),
    ),
  /** 32 bytes in hex, or in the base64 that servers print. */
  hash: (help: string) => formed('HEX', '32 bytes in hex or base64', help, decodeHash),
  /** A threshold `N/D`. The policy checks that it is at least 2/3. */
  fraction: (help: string) =>
    formed('N/D', 'a fraction as in 3/4', help, (given) => {
      const [, num, den] = /^([0-9]{1,20})\/([0-9]{1,20})$/.exec(given) ?? [];
      return num === undefined || den === undefined ? undefined : { num: BigInt(num), den: BigInt(den) };
    }),
  oneOf<const T extends string>(words: readonly T[], help: string) {
    const wanted = [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
    return formed(words.join('|'), wanted, help, (given) => words.find((word) => word === given));
  },
};

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
