/** README is true, and short: every command and every program in it runs here and prints what it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speedLines, speedTable } from '../../scripts/speed-table.mjs';
import { commandExamples, otherLanguages, programExamples } from '../helpers/readme.ts';
import { type ExampleRunner, shownOutput, startExamples } from '../helpers/run-examples.ts';
import { ROOT } from '../helpers/vectors.ts';

const markdown = readFileSync(join(ROOT, 'README.md'), 'utf8');

let examples: ExampleRunner;
beforeAll(async () => {
  examples = await startExamples('readme');
});
afterAll(() => examples.close());

/** The lines under a heading, up to the next one; empty ones not counted. */
function section(heading: string): string[] {
  const [, body] = markdown.split(`\n## ${heading}\n`);
  return body!
    .split(/\n## /)[0]!
    .split('\n')
    .filter((line) => line !== '');
}

describe('README', () => {
  it('shows only examples that are run here', () => {
    expect(otherLanguages(markdown)).toEqual([]);
    expect(commandExamples(markdown).length).toBeGreaterThan(4);
    expect(programExamples(markdown).length).toBeGreaterThan(3);
  });

  it('is read in ten minutes', () => {
    expect(markdown.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
    for (const { code } of programExamples(markdown).slice(0, 1)) {
      expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    }
  });

  it('begins with a program that needs nothing but the package', () => {
    const [first] = programExamples(markdown);
    const imported = [...first!.code.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(imported).toEqual(['ton-finality', 'ton-finality/sample']);
    expect(first!.code).not.toMatch(/vectors|readFile|https?:/);
  });

  it.each(['Live, from lite servers', 'Years of blocks'])('has an example of at most 12 lines: %s', (heading) => {
    const body = section(heading);
    const from = body.indexOf('```console');
    expect(from).toBeGreaterThanOrEqual(0);
    expect(body.slice(from + 1, body.indexOf('```', from)).length).toBeLessThanOrEqual(12);
  });

  it('takes a bridge from its servers to the release in at most 25 lines', () => {
    const [, road] = markdown.split('\n## A bridge pays on a deposit\n');
    const { code } = programExamples(road!)[0]!;
    expect(code).toMatch(/depositsOf.*acceptDeposit/s);
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  });

  it.each(commandExamples(markdown))('prints what it shows: $command', async ({ command, output }) => {
    expect(`${await examples.command(command)}\n`).toMatch(shownOutput(output, command));
  });

  it.each(programExamples(markdown))('runs: %#', async ({ code, output }) => {
    expect(await examples.program(code)).toBe(output);
  });

  it('quotes the numbers of the results file that docs/speed.md names', () => {
    const speed = readFileSync(join(ROOT, 'docs/speed.md'), 'utf8');
    const [, name] = /`(bench\/results\/[^`]+)`/.exec(speed)!;
    const results: unknown = JSON.parse(readFileSync(join(ROOT, name!), 'utf8'));
    // A formatter may line the columns up.
    const plain = (text: string) => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
    expect(plain(speed)).toContain(plain(speedTable(results)));
    expect(markdown).toContain(speedLines(results));
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [, script] of markdown.matchAll(/npm (?:run ([\w:-]+)|(?:start|test)\b)/g)) {
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    }
  });
});
