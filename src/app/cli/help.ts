/** Renders help texts of at most 100 columns from the tables of the commands. */
import { type CommandRow, type CommandTable, firstWordsOf } from './command-table.ts';

const MOST_COLUMNS = 100;
/** Column where explanations begin. */
const INDENT = 30;

/** Wraps a text. @param indent of all lines except the first */
export function wrapped(words: string, indent: number, first = indent): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(' ')) {
    const room = MOST_COLUMNS - (lines.length === 0 ? first : indent);
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one, at) => (at === 0 ? one : `${' '.repeat(indent)}${one}`));
}

/** Renders a name and its explanation, in one line or below it. */
function explained(name: string, help: string): string[] {
  const lines = wrapped(help, INDENT);
  if (name.length + 4 > INDENT) return [`  ${name}`, `${' '.repeat(INDENT)}${lines[0]}`, ...lines.slice(1)];
  return [`${`  ${name}`.padEnd(INDENT)}${lines[0]}`, ...lines.slice(1)];
}

function optionLines({ words, options }: CommandTable): string[] {
  const groups = new Map<string, string[]>([['', []]]);
  for (const [name, help] of words?.rows ?? []) groups.get('')!.push(...explained(name, help)); // made above
  for (const [name, { value, help, group = '' }] of Object.entries(options)) {
    const shown = `--${name}${value === undefined ? '' : ` ${value}`}`;
    groups.set(group, [...(groups.get(group) ?? []), ...explained(shown, help)]);
  }
  const filled = [...groups].filter(([, lines]) => lines.length > 0);
  return filled.flatMap(([group, lines]) => ['', ...(group === '' ? [] : wrapped(group, 0)), ...lines]);
}

function rowLines(rows: readonly CommandRow[]): string[] {
  return rows.flatMap(({ name, about }) => explained(name, about));
}

const exampleLines = (examples: readonly string[]) => [
  '',
  'examples',
  ...examples.map((words) => `  ton-finality ${words}`),
];

const below = (name: string, rows: readonly CommandRow[]) => rows.filter((row) => row.name.startsWith(`${name} `));

export function helpOf(name: string, table: CommandTable, rows: readonly CommandRow[]): string {
  const { usage, about, notes, examples, exit } = table;
  const begins = `ton-finality ${firstWordsOf({ name }).join(' ')}`;
  const usageLines = usage.flatMap((form, at) => {
    const [first, ...rest] = wrapped(`${begins} ${form}`, 11, 7);
    return [`${at === 0 ? 'usage: ' : '       '}${first}`, ...rest];
  });
  const children = below(name, rows);
  return [
    ...usageLines,
    '',
    ...about.split('\n').flatMap((line) => wrapped(line, 0)),
    ...optionLines(table),
    ...(children.length === 0 ? [] : ['', 'more commands', ...rowLines(children)]),
    ...(notes === undefined ? [] : ['', ...wrapped(notes, 0)]),
    ...exampleLines(examples),
    '',
    ...wrapped(`exit code: ${exit}`, 11, 0),
  ].join('\n');
}

/** Renders the help of first words that are not a command by themselves, such as `checkpoint`. */
export function helpOfGroup(name: string, rows: readonly CommandRow[]): string {
  return [
    `usage: ton-finality ${name} COMMAND [options]`,
    '',
    ...rowLines(below(name, rows)),
    '',
    `ton-finality ${name} COMMAND --help lists the options of each.`,
  ].join('\n');
}

export function overview(rows: readonly CommandRow[]): string {
  return [
    "ton-finality: proves that a TON masterchain block is final, from its validators' signatures",
    '',
    'usage: ton-finality COMMAND [options]',
    '',
    ...rowLines(rows),
    ...explained('help [COMMAND]', 'print this text or the help of one command; same as COMMAND --help'),
    ...explained('version', 'print the version of this program'),
    ...exampleLines([
      'verify signatures.json --validators validators.json',
      'sync --built-in --config global.config.json --out checkpoint.json',
    ]),
    '',
    ...wrapped(
      'exit code: 0 final or done, 1 not final or proven absent, 2 bad input, 3 source failed, 4 undecided, 5 internal error',
      11,
      0,
    ),
  ].join('\n');
}
