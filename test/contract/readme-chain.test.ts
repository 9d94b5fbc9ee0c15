/** The part of README about checkpoints is true: its commands, in order, and its program print what it shows. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { commandExamples, otherLanguages, programExamples } from '../helpers/readme.ts';
import { ROOT } from '../helpers/vectors.ts';

const markdown = readFileSync(join(ROOT, 'docs/readme-parts/chain.md'), 'utf8');
const folder = join(ROOT, 'build', 'readme-chain');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, words: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, words, { cwd: ROOT, encoding: 'utf8' });
  return `${stdout}${stderr}`.trimEnd();
}

const entry = (name: string) => `'${pathToFileURL(join(ROOT, 'build/src', `${name}.js`)).href}'`;

describe('the text on checkpoints', () => {
  it('shows only examples that are run here', () => {
    expect(otherLanguages(markdown)).toEqual([]);
    expect(commandExamples(markdown).length).toBe(7);
    expect(programExamples(markdown).length).toBe(1);
  });

  it.each(commandExamples(markdown))('prints what it shows: $command', ({ command, output }) => {
    expect(run('bash', ['-c', command.replace(/^ton-finality /, 'node build/src/cli.js ')])).toBe(output);
  });

  it.each(programExamples(markdown))('runs: %#', ({ code, output }) => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code.replace("'ton-finality/chain'", entry('chain')).replace("'ton-finality'", entry('index')));
    expect(run(process.execPath, [file])).toBe(output);
  });
});
