/** What README says of servers is true: its commands and programs run here against the stand-in and print what it shows. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandExamples, otherLanguages, programExamples } from '../helpers/readme.ts';
import { type StandIn, startStandIn } from '../helpers/stand-in.ts';
import { ROOT } from '../helpers/vectors.ts';

/** The port of `npm run stand-in`, which may be taken here. */
const SHOWN = '127.0.0.1:8081';
const markdown = readFileSync(join(ROOT, 'docs/readme-parts/http.md'), 'utf8');
const folder = join(ROOT, 'build', 'readme-http-examples');

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await standIn.close();
});

const here = () => `127.0.0.1:${standIn.port}`;

async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  await new Promise((resolve, reject) => void child.on('error', reject).on('close', resolve));
  return printed.trimEnd().replaceAll(here(), SHOWN);
}

describe('README on servers', () => {
  it('shows only examples that are run here', () => {
    expect(otherLanguages(markdown)).toEqual([]);
    expect([commandExamples(markdown).length, programExamples(markdown).length]).toEqual([3, 1]);
  });

  it.each(commandExamples(markdown))('prints what it shows: $command', async ({ command, output }) => {
    const line = command.replaceAll(SHOWN, here()).replace(/^ton-finality /, 'node build/src/cli.js ');
    expect(await run('bash', ['-c', line])).toBe(output);
  });

  it.each(programExamples(markdown))('runs: %#', async ({ code, output }) => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code.replaceAll(SHOWN, here()));
    expect(await run(process.execPath, [file])).toBe(output);
  });
});
