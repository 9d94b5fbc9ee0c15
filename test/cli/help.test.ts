/** The tables of all commands: help texts and completions, which come from them. `scripts/mistakes.txt` shows misspelt words. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readWords } from '../../src/app/cli/command.ts';
import type { CommandTable } from '../../src/app/cli/command-table.ts';
import { COMMANDS, findCommand } from '../../src/app/cli/commands.ts';
import { helpOf, helpOfGroup, overview } from '../../src/app/cli/help.ts';
import { RENAMED } from '../../src/app/cli/input/option-rows.ts';
import { ROOT } from '../helpers/vectors.ts';
import { runCli } from '../helpers/warm-cli.ts';

const tables = new Map<string, CommandTable>();
beforeAll(async () => {
  for (const { name, load } of COMMANDS) tables.set(name, (await load()).table!);
});

describe('a help text', () => {
  it.each(COMMANDS.map(({ name }) => name))(
    'of %s is at most 100 columns wide, and has two examples that read',
    (name) => {
      const table = tables.get(name)!;
      for (const line of helpOf(name, table, COMMANDS).split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
      expect(table.examples).toHaveLength(2);
      for (const example of table.examples) {
        const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
        const found = findCommand(words);
        expect(found?.row.name, example).toBe(name);
        const given = found!.rest.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
        for (const option of given) expect(Object.keys(table.options), example).toContain(option);
      }
      const { options } = table;
      for (const { needs = [], not = [] } of Object.values(options)) {
        if (needs.length > 0) expect(needs.some((one) => Object.hasOwn(options, one))).toBe(true);
        // What commands share may name an option that only others of them have.
        for (const one of not)
          expect([...tables.values()].some((other) => Object.hasOwn(other.options, one))).toBe(true);
      }
    },
  );

  it('shows a flag with the same value wherever it stands', () => {
    const shown = new Map<string, Set<string>>();
    for (const { options } of tables.values()) {
      for (const [flag, { value }] of Object.entries(options)) {
        shown.set(flag, (shown.get(flag) ?? new Set()).add(value ?? 'no value'));
      }
    }
    expect([...shown].filter(([, values]) => values.size > 1)).toEqual([]);
    // `audit` has many neighbours, which a user moves between with the flags of the first.
    expect(['to', 'network', 'witnesses', 'quiet', 'strict'].filter((flag) => !shown.has(flag))).toEqual([]);
  });

  it('of all commands is as narrow', () => {
    for (const line of [overview(COMMANDS), helpOfGroup('checkpoint', COMMANDS)].join('\n').split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(100);
  });

  it('is asked for in any way', async () => {
    const one = await runCli(['help', 'verify', '--lite']);
    const two = await runCli(['verify', '--lite', '--help']);
    const three = await runCli(['verify', '-h', '--config']);
    expect(one.stdout).toMatch(/^usage: ton-finality verify SEQNO\|latest --checkpoint FILE/);
    expect([two.stdout, three.stdout]).toEqual([one.stdout, one.stdout]);
    expect((await runCli(['help'])).stdout).toBe((await runCli(['--help'])).stdout);
    expect((await runCli(['help', 'checkpoint'])).stdout).toContain('checkpoint advance');
  });

  it('is no result where no command is given, as when the variable of a script is empty', async () => {
    expect(await runCli([])).toMatchObject({ code: 2, stdout: '', stderr: (await runCli(['help'])).stdout });
  });

  it('names the exit codes', async () => {
    const verify = await runCli(['verify', '--help']);
    const advance = await runCli(['checkpoint', 'advance', '-h']);
    expect(verify.stdout).toMatch(/exit code: 0 final, 1 not final[\s\S]* 4 undecided, 5 internal error/);
    expect(advance.stdout.replace(/\s+/g, ' ')).toContain('4 the first validator set is stale, 5 internal error');
  });
});

it('the version is told in any way', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  for (const word of ['version', '-v', '--version'])
    expect(await runCli([word])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect((await runCli(['version', '--help'])).stdout).toBe(`${overview(COMMANDS)}\n`);
});

describe('completions', () => {
  it.each(['bash', 'zsh', 'fish'])('of %s name every command and every option', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const { options } of tables.values())
      for (const option of Object.keys(options)) expect(stdout).toContain(option);
    for (const { name } of COMMANDS) expect(stdout).toContain(name.split(' ')[0]);
    if (shell !== 'fish') expect(spawnSync('bash', ['-n'], { input: stdout }).status).toBe(0);
  });

  it('of bash give what fits', async () => {
    const { stdout } = await runCli(['completion', 'bash']);
    const ask = (...words: string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${stdout}\nCOMP_WORDS=("$@") COMP_CWORD=$(($# - 1))\n_ton_finality\necho "\${COMPREPLY[*]}"`,
          '-',
          'ton-finality',
          ...words,
        ],
        { encoding: 'utf8' },
      ).stdout.trim();
    expect(ask('chec')).toBe('checkpoint');
    expect(ask('checkpoint', 'ad')).toBe('advance');
    expect(ask('help', 'checkp')).toBe('checkpoint');
    expect(ask('help', 'checkpoint', 'ad')).toBe('advance');
    expect(ask('checkpoint', 'advance', '--stored')).toBe('--stored-proof');
    expect(ask('verify', 'latest', '--network', 'm')).toBe('mainnet');
  });
});

describe('an option that was renamed', () => {
  const page = readFileSync(join(ROOT, 'docs/renamed.md'), 'utf8');
  const rows = [...page.matchAll(/^\| --(\w[\w-]*) +\| --(\w[\w-]*) +\| (.*?) +\|$/gm)].map((row) => row.slice(1));

  it('is listed in docs/renamed.md with the same new name', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(([old, now]) => [old, now])).toEqual([...RENAMED]);
  });

  it.each([...RENAMED])('leads from --%s to --%s in every command that has only the new one', (old, now) => {
    const asked = [...tables].filter(([, { options }]) => now in options && !(old in options));
    const named = rows.find(([name]) => name === old)!.at(2)!;
    if (named.startsWith('`')) expect(asked.map(([name]) => name)).toContain(named.split('`')[1]);
    expect(asked.length).toBeGreaterThan(0);
    for (const [, table] of asked) {
      expect(() => readWords(table, [`--${old}`, '1'])).toThrow(`--${old}: unknown option; did you mean --${now}?`);
    }
  });
});
