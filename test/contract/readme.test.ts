/** README is true: every command and every program in it runs here and prints what it shows. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speedTable } from '../../scripts/speed-table.mjs';
import { commandExamples, otherLanguages, programExamples } from '../helpers/readme.ts';
import { type StandIn, startStandIn } from '../helpers/stand-in.ts';
import { ROOT } from '../helpers/vectors.ts';

const markdown = readFileSync(join(ROOT, 'README.md'), 'utf8');
const operators = readFileSync(join(ROOT, 'docs', 'operators.md'), 'utf8');
/** Inside the project, so that the examples import the package by its name. */
const folder = join(ROOT, 'build', 'readme-examples');
/** Where README's reader has started `npm run stand-in`; that port may be taken here. */
const SHOWN = '127.0.0.1:8081';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await standIn.close();
});

const here = () => `127.0.0.1:${standIn.port}`;

function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', () => resolve(printed.trimEnd().replaceAll(here(), SHOWN)));
  });
}

/** What a shell would run, without reinstalling the project under the running test. */
function runnable(command: string): string {
  return command
    .replace(/^npm ci && /, '')
    .replace(/^npm start$/, 'node scripts/start.mjs')
    .replace(/\bton-finality /g, 'node build/bundle/cli/cli.js ')
    .replaceAll(SHOWN, here());
}

describe('README', () => {
  it('shows only examples that are run here', () => {
    expect(otherLanguages(markdown)).toEqual([]);
    expect(commandExamples(markdown).length).toBeGreaterThan(2);
    expect(programExamples(markdown).length).toBeGreaterThan(1);
  });

  it.each(commandExamples(markdown))('prints what it shows: $command', async ({ command, output }) => {
    expect(await run('bash', ['-c', runnable(command)])).toBe(output);
  });

  it.each([...programExamples(markdown), ...programExamples(operators)])('runs: %#', async ({ code, output }) => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `example-${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(file, code.replaceAll(SHOWN, here()));
    expect(await run(process.execPath, [file])).toBe(output);
  });

  it('quotes the numbers of the results file it names', () => {
    const [, name] = /\]\((bench\/results\/[^)]+)\)/.exec(markdown)!;
    const results: unknown = JSON.parse(readFileSync(join(ROOT, name!), 'utf8'));
    // A formatter may line the columns up.
    const plain = (text: string) => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
    expect(plain(markdown)).toContain(plain(speedTable(results)));
  });

  it('links only to files that exist', () => {
    for (const [, path] of markdown.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      expect(() => readFileSync(join(ROOT, path!)), path).not.toThrow();
    }
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [, script] of markdown.matchAll(/npm (?:run )?(start|test|bench|[a-z]+:[a-z]+)\b/g)) {
      expect(Object.keys(scripts)).toContain(script);
    }
  });
});
