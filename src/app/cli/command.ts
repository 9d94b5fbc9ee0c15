/** Makes a command from its table: parses the words of a command line, or prints its help. */

import { parseArgs } from 'node:util';
import { badOption } from '../../core/base/arguments.ts';
import { UsageError } from '../../core/base/errors.ts';
import { closest } from '../../core/base/options.ts';
import { present } from '../../core/base/present.ts';
import { withoutPath } from '../files/with-file-name.ts';
import { type Command, type CommandSpec, firstWordsOf, type ParsedLine, type WordsRow } from './command-table.ts';
import { badFlag, type OptionTable, type OptionValues, RENAMED, shown } from './input/option-rows.ts';
import { printResult } from './output/print.ts';

/** Returns the words before `--`. Every word after it is a name. */
export function beforeNames(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** Suggests a known word for an unknown one, as the end of a message. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = closest(word.slice(0, 40), known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** Servers print uint32 fields as negative numbers, and masterchain accounts start with -1. */
const NEGATIVE_NUMBER = /^-[0-9]+(?::[0-9a-f]{64})?$/i;

/** Returns the texts of each given option. @param others options that select another command @throws UsageError */
function textsOf(
  options: OptionTable,
  words: readonly string[],
  insteadOf: Readonly<Record<string, string>>,
  others: readonly string[],
) {
  const rows = Object.entries(options);
  const shapes = rows.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const);
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(shapes),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const texts = new Map<string, string[]>();
  const names: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') names.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const row = Object.hasOwn(options, name) ? options[name] : undefined;
    if (row === undefined || !rawName.startsWith('--')) {
      const word = words[token.index]!.split('=', 1)[0]!; // of `-from`, `rawName` is only `-f`
      const meant = word.replace(/^-+/, '');
      if (Object.hasOwn(insteadOf, meant)) throw badFlag(meant, 'unknown option here', insteadOf[meant]);
      const known = [...Object.keys(options), ...others].map((one) => `--${one}`);
      const hint = /^-[^-].*[./]/.test(word)
        ? `if this is the name of a file, write ./${word.slice(0, 80)}`
        : undefined;
      throw badOption(`unknown option${didYouMean(RENAMED.get(meant) ?? meant, known)}`, word, hint);
    }
    if (row.value === undefined && value !== undefined) throw badFlag(name, `expected no value, got ${shown(value)}`);
    if (row.value !== undefined) {
      if (value === undefined) throw badFlag(name, `expected ${row.value}, got nothing`);
      if (inlineValue === false && /^-./.test(value) && !NEGATIVE_NUMBER.test(value)) {
        const hint = `if the value begins with a dash, write --${name}=${value.slice(0, 80)}`;
        throw badFlag(name, `expected ${row.value}, got the option ${shown(value)}`, hint);
      }
    }
    const before = texts.get(name);
    // A flag that is given twice is an error: otherwise the second value would win without a message.
    if (before !== undefined && row.isList !== true) throw badFlag(name, 'expected once, got twice');
    texts.set(name, [...(before ?? []), value ?? '']);
  }
  return { texts, names };
}

/** @param others options that select another command with the same first words */
function requireFitting(options: OptionTable, texts: ReadonlyMap<string, unknown>, others: readonly string[]): void {
  for (const name of texts.keys()) {
    const { needs, not = [] } = options[name]!; // a known name
    const other = not.find((one) => texts.has(one));
    if (other !== undefined) throw badFlag(name, `cannot be combined with --${other}`);
    if (needs === undefined || needs.some((one) => texts.has(one))) continue;
    const known = needs.filter((one) => Object.hasOwn(options, one) || others.includes(one));
    throw badFlag(name, `requires ${known.map((one) => `--${one}`).join(' or ')}`);
  }
}

function requireWords({ wanted, count: [least, most] }: WordsRow, words: readonly string[]): void {
  if (words.length >= least && words.length <= most) return;
  const got = most === 0 ? shown(words[0]!) : words.length === 0 ? 'nothing' : words.length; // if only options are allowed, there is one word too many
  throw new UsageError('usage/bad-option', `expected ${wanted}, got ${got}`);
}

const NO_WORDS: WordsRow = { wanted: 'options only', count: [0, 0] };

function requireAll(
  options: OptionTable,
  requires: readonly (readonly string[])[],
  texts: ReadonlyMap<string, unknown>,
): void {
  const missing = requires.find((names) => !names.some((name) => texts.has(name)));
  if (missing === undefined) return;
  const forms = missing.map((name) => `--${name} ${options[name]?.value ?? ''}`.trim());
  throw badFlag(missing[0]!, `expected ${forms.join(' or ')}`); // no list is empty
}

/**
 * Reads the words of a command line.
 * @param others options that select another command with the same first words
 * @throws UsageError that names the wrong option
 */
export function readWords<T extends OptionTable>(
  spec: Pick<CommandSpec<T>, 'options' | 'words' | 'insteadOf' | 'requires'>,
  words: readonly string[],
  others: readonly string[] = [],
): ParsedLine<T> {
  const { options, words: wanted = NO_WORDS, insteadOf = {}, requires = [] } = spec;
  const { texts, names } = textsOf(options, words, insteadOf, others);
  const read = Object.entries(options).map(([name, row]) => {
    const all = texts.get(name);
    return [name, all === undefined ? row.absent : row.read(all, name)];
  });
  requireFitting(options, texts, others);
  requireWords(wanted, names);
  requireAll(options, requires, texts);
  return { options: Object.fromEntries(read) as OptionValues<T>, words: names, texts }; // each by its own row
}

/**
 * Adds to an error about a value the only flag that gave it, and to any other error of the command line which help text
 * explains it.
 */
function explained(error: unknown, name: string, line: Pick<ParsedLine<OptionTable>, 'texts' | 'words'>): unknown {
  if (!(error instanceof UsageError) || error.code !== 'usage/bad-option') return error;
  const { path, hint } = error;
  const given = [...line.texts, ['', line.words] as const].filter(([, all]) => all.some((value) => value === path));
  const flag = given.length === 1 ? given[0]![0] : '';
  if (flag !== '')
    return new UsageError(error.code, withoutPath(error), { path: `--${flag} ${path}`, hint, cause: error });
  if (hint !== undefined || (path !== undefined && !path.startsWith('-'))) return error;
  return new UsageError(error.code, withoutPath(error), {
    ...present({ path }),
    hint: `run ton-finality ${name} --help`,
    cause: error,
  });
}

export function defineCommand<T extends OptionTable>(spec: CommandSpec<T>): Command {
  return {
    table: spec,
    async main({ name, words, commands }) {
      // Help is printed whatever else is given: `verify --lite --help` names no server yet.
      if (beforeNames(words).some((word) => word === '--help' || word === '-h')) {
        const { helpOf } = await import('./help.ts');
        await printResult(helpOf(name, spec, commands));
        return 0;
      }
      const first = firstWordsOf({ name }).join(' ');
      const others = commands.flatMap((row) => (firstWordsOf(row).join(' ') === first ? (row.when ?? []) : []));
      let line: ParsedLine<T> | undefined;
      try {
        line = readWords(spec, words, others);
        return await spec.run({ ...line, commands });
      } catch (error) {
        throw explained(error, name, line ?? { texts: new Map(), words: [] });
      }
    },
  };
}
