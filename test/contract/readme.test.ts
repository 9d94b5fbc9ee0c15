/** README is true, and short: every command and every program in it runs here and prints what it shows. */
import { readdirSync, readFileSync } from 'node:fs';
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
    expect(programExamples(markdown).length).toBeGreaterThan(1);
  });

  it('is read in five minutes', () => {
    expect(markdown.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
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

  it.each(['A light client', 'An audit'])('has an example of at most 12 lines: %s', (job) => {
    const [, body] = section('Three jobs').join('\n').split(`**${job}** `);
    const [, example] = body!.split('```console\n');
    expect(example!.split('\n```')[0]!.split('\n').length).toBeLessThanOrEqual(12);
  });

  it('takes a bridge from its servers to the release in at most 25 lines', () => {
    const [, road] = markdown.split('\n**A bridge** pays on deposits.');
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

  it('tells how it is tested with the figures of the files that it names', () => {
    const body = section('How it is tested').join('\n');
    const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
    const { version } = read('package.json') as { version: string };
    const { totals } = read(`conformance/results/ton-finality-${version}.json`) as { totals: Record<string, number> };
    expect(body).toContain(
      `${totals.passed} cases, ${totals['wrong-accept']} wrong-accept, ${totals['wrong-reject']} wrong-reject`,
    );
    const { all } = read('test/mutation/summary.json') as { all: { score: number } };
    expect(body).toContain(`tests noticed ${Math.floor(all.score * 10) / 10} of 100`);
    const { worlds, violations } = read('test/simulation/results.json') as Record<string, number>;
    expect(body).toContain(`${worlds} runs, ${violations} violation${violations === 1 ? ' ' : 's '}(`);
    const runtimes = readFileSync(join(ROOT, 'docs/runtimes.md'), 'utf8');
    const [reports] = /reports of \d+ blocks/.exec(body)!;
    expect(runtimes).toContain(reports);
    const kernel = readFileSync(join(ROOT, 'docs/kernel.md'), 'utf8');
    expect(kernel).toContain(/[\d ]{4,}(?= edge signatures)/.exec(body)![0].trim());
  });

  it('has a line for each folder of the root', () => {
    const list = markdown.split('The folders of this repository:')[1]!;
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const own = folders.map(({ name }) => name).filter((name) => !/^\.|^node_modules$|^build$/.test(name));
    expect(own.length).toBeGreaterThan(10);
    for (const name of own) expect(list).toContain(`\`${name}\``);
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
