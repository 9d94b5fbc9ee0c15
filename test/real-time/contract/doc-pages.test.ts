/** The examples of `docs/` run here, and print what they show: commands by the dozen, and servers that they ask. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandExamples, programExamples } from '../../helpers/readme.ts';
import { type ExampleRunner, shownOutput, startExamples } from '../../helpers/run-examples.ts';
import { ROOT } from '../../helpers/vectors.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

let examples: ExampleRunner;
beforeAll(async () => {
  examples = await startExamples('docs');
});
afterAll(() => examples.close());

/**
 * Shown as a pattern for the reader's own names: `test/cli/scripts/prove.txt` runs the same with names, `test/real-time/cli/upgrades.test.ts`
 * against a network that has a hardfork.
 */
const PATTERNS = new Set(['docs/certificates.md', 'docs/upgrades.md']);

const hasExamples = (page: string) =>
  !PATTERNS.has(page) && commandExamples(read(page)).length + programExamples(read(page)).length > 0;

describe.each(docs.filter(hasExamples))('%s', (page) => {
  const markdown = read(page);

  it.each(commandExamples(markdown))('prints what it shows: $command', async ({ command, output }) => {
    expect(`${await examples.command(command)}\n`).toMatch(shownOutput(output, command));
  });

  it.each(programExamples(markdown))('runs: %#', async ({ code, output }) => {
    expect(await examples.program(code)).toBe(output);
  });
});
