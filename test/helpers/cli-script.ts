/**
 * Scripts of the command: what a user types and all that is printed. `test/cli/scripts/README.md` says how they are written.
 *
 * A run gives the same text with what was printed in place of what was expected. So a test compares two texts, its failure is a
 * difference of lines, and a new expectation is the text of a run.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './vectors.ts';
import { runCli } from './warm-cli.ts';

interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command with what it should print, as lines of the script. */
interface Step {
  readonly typed: readonly string[];
  readonly expected: readonly string[];
}

interface Case {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Script {
  /** All before the first case. */
  readonly head: string;
  readonly cases: readonly Case[];
  readonly files: ReadonlyMap<string, string>;
  /** All from the first file on. */
  readonly tail: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly placeholders: ReadonlyMap<string, string>;
}

const FILE = /^-- (\S+) --$/;

/** Reads a script; a line that is none of its kinds is an error. */
export function readScript(text: string): Script {
  const lines = text.split('\n');
  const firstCase = lines.findIndex((line) => line.startsWith('# '));
  if (firstCase < 0) throw new Error('expected a case: a line "# title"');
  const firstFile = lines.findIndex((line) => FILE.test(line));
  const end = firstFile < 0 ? lines.length : firstFile;
  const head = lines.slice(0, firstCase);
  const matches = (pattern: RegExp) =>
    head.flatMap((line) => {
      const found = pattern.exec(line);
      return found === null ? [] : [[found[1]!, found[2]!] as const];
    });
  return {
    head: head.map((line) => `${line}\n`).join(''),
    cases: readCases(lines, firstCase, end),
    files: readFiles(lines.slice(end)),
    tail: lines.slice(end).join('\n'),
    variables: Object.fromEntries(matches(/^([A-Z][A-Z_]*)=(.*)$/)),
    placeholders: new Map(matches(/^(\{[a-z]+\}) = (.+)$/)),
  };
}

function readCases(lines: readonly string[], from: number, end: number): Case[] {
  const cases: { title: string; steps: { typed: string[]; expected: string[] }[] }[] = [];
  for (let at = from; at < end; at++) {
    const line = lines[at]!;
    const step = cases.at(-1)?.steps.at(-1);
    if (line.startsWith('# ')) cases.push({ title: line.slice(2), steps: [] });
    else if (line.startsWith('$ ')) cases.at(-1)!.steps.push({ typed: [line], expected: [] });
    else if (line.startsWith('> ') && step?.typed.at(-1)?.endsWith('\\')) step.typed.push(line);
    else if (/^(?:[|!](?: |$)|exit \d+$)/.test(line) && step !== undefined) step.expected.push(line);
    else if (line !== '')
      throw new Error(`line ${at + 1}: expected "# ", "$ ", "> ", "| ", "! " or "exit ", got "${line}"`);
  }
  return cases;
}

function readFiles(lines: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  let name = '';
  for (const line of lines.at(-1) === '' ? lines.slice(0, -1) : lines) {
    const [, begun] = FILE.exec(line) ?? [];
    if (begun !== undefined) name = begun;
    files.set(name, begun === undefined ? `${files.get(name)!}${line}\n` : '');
  }
  return files;
}

/** The text of a case: as it is written, or as it was played. */
export const caseText = ({ title, steps }: Case): string =>
  [`# ${title}`, ...steps.map(({ typed, expected }) => [...typed, ...expected].join('\n'))].join('\n\n');

/** The text of a script. */
export const scriptText = ({ head, cases, tail }: Script): string =>
  `${head}${cases.map(caseText).join('\n\n')}\n${tail === '' ? '' : `\n${tail}`}`;

/** Runs all commands in a new folder, where `vectors` is the one of the project, and gives the script as it went. */
export async function playScript(script: Script): Promise<Script> {
  const folder = mkdtempSync(join(tmpdir(), 'ton-finality-script-'));
  const programs = mkdtempSync(join(tmpdir(), 'ton-finality-bin-'));
  try {
    symlinkSync(join(ROOT, 'vectors'), join(folder, 'vectors'), 'junction');
    writeFileSync(
      join(programs, 'ton-finality'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'build/bundle/app/cli/cli.js')}" "$@"\n`,
    );
    chmodSync(join(programs, 'ton-finality'), 0o755);
    for (const [name, contents] of script.files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), contents);
    }
    const env = { ...script.variables, LC_ALL: 'C', PATH: `${programs}:${process.env.PATH}` };
    const cases: Case[] = [];
    for (const { title, steps } of script.cases) {
      const played: Step[] = [];
      for (const { typed, expected } of steps) {
        const printed = await run(commandOf(typed), { folder, env, variables: script.variables });
        played.push({ typed, expected: keepPlaceholders(printedLines(printed), expected, script.placeholders) });
      }
      cases.push({ title, steps: played });
    }
    return { ...script, cases };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(programs, { recursive: true, force: true });
  }
}

const commandOf = (typed: readonly string[]) => typed.map((line) => line.slice(2).replace(/\\$/, '')).join('');

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly variables: Readonly<Record<string, string>>;
}

/** The command itself needs no process of its own; what is more than words is for a shell, as is what comes behind a pipe. */
async function run(command: string, { folder, env, variables }: Place): Promise<Printed> {
  const shell = (line: string, input = ''): Printed => {
    const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
      cwd: folder,
      env: { ...process.env, ...env },
      input,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  const [, first, rest] = /^(.*?)(?: \| (.*))?$/.exec(command)!;
  const words = wordsOf(first!, variables);
  if (words?.[0] !== 'ton-finality') return shell(command);
  const printed = await runCli(words.slice(1), { cwd: folder });
  if (rest === undefined) return printed;
  const next = rest.startsWith('pick ')
    ? { code: 0, stdout: pick(printed.stdout, rest.split(' ').slice(1)), stderr: '' }
    : shell(rest, printed.stdout);
  return { code: next.code || printed.code, stdout: next.stdout, stderr: printed.stderr + next.stderr };
}

/** The members of a JSON text that are named, each in a line. */
function pick(text: string, paths: readonly string[]): string {
  if (text === '') return '';
  const json = JSON.parse(text) as unknown;
  const member = (path: string) =>
    path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], json);
  return paths.map((path) => `${path}: ${JSON.stringify(member(path))}\n`).join('');
}

/** The words of a simple command as a shell reads them; `undefined` where that takes a shell. */
export function wordsOf(command: string, variables: Readonly<Record<string, string>>): string[] | undefined {
  const words: string[] = [];
  let rest = command.trim();
  while (rest !== '') {
    // A quoted part or a plain one, as often as they touch.
    const [word] = /^(?:'[^']*'|"[^"\\`]*"|[\w./:,=@%+{}$^~-])+/.exec(rest) ?? [];
    if (word === undefined) return undefined;
    if (/^\$\w+$/.test(word)) words.push(...expand(word, variables).split(' '));
    else words.push(unquote(word, variables));
    rest = rest.slice(word.length);
    if (rest !== '' && !rest.startsWith(' ')) return undefined;
    rest = rest.trimStart();
  }
  return /^\w+=/.test(command) ? undefined : words;
}

function unquote(word: string, variables: Readonly<Record<string, string>>): string {
  const parts = word.match(/'[^']*'|"[^"]*"|[^'"]+/g)!;
  return parts
    .map((part) => (part.startsWith("'") ? part.slice(1, -1) : expand(part.replaceAll('"', ''), variables)))
    .join('');
}

function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`$${name}: expected a variable of the head of the script`);
    return value;
  });
}

function printedLines({ code, stdout, stderr }: Printed): string[] {
  return [...marked('|', stdout), ...marked('!', stderr), ...(code === 0 ? [] : [`exit ${code}`])];
}

function marked(mark: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push('(no line end)');
  return lines.map((line) => (line === '' ? mark : `${mark} ${line.replace(/\p{Cc}/gu, escaped)}`));
}

/** What no editor shows: a carriage return as `\\r`, a tab as `\\t`. */
const escaped = (control: string) => JSON.stringify(control).slice(1, -1);

/** An expected line with placeholders that fits what was printed stands for it. */
function keepPlaceholders(
  printed: readonly string[],
  expected: readonly string[],
  placeholders: ReadonlyMap<string, string>,
): string[] {
  const names = [...placeholders.keys()];
  const open = expected.filter((line) => names.some((name) => line.includes(name)));
  return printed.map((line) => {
    const at = open.findIndex((wanted) => patternOf(wanted, placeholders).test(line));
    return at < 0 ? line : open.splice(0, at + 1).at(-1)!;
  });
}

function patternOf(line: string, placeholders: ReadonlyMap<string, string>): RegExp {
  const parts = line.split(/(\{[a-z]+\})/);
  const source = parts.map((part) => {
    const pattern = placeholders.get(part);
    return pattern === undefined ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : `(?:${pattern})`;
  });
  return new RegExp(`^${source.join('')}$`, 'u');
}
