#!/usr/bin/env node
/** A letter to the maintainers of each implementation with results in disclosures/: what it accepts, how to see it, and what should hold. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISCLOSURES } from './adapters.mjs';
import { readSuite } from './read-suite.mjs';

const ROOT = join(import.meta.dirname, '..');
const MOST_IDS = 12;

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const byRule = (list) => {
  const groups = new Map();
  for (const one of list) groups.set(one.rule, [...(groups.get(one.rule) ?? []), one]);
  return groups;
};

/** @returns the letter, or undefined where there is nothing to tell */
export function letter(results, rules, cases) {
  const { implementation, version, adapter, suite, notPassed } = results;
  const unsound = notPassed.filter(({ score }) => score === 'wrong-accept');
  const fragile = notPassed.filter(({ score }) => score === 'crash' || score === 'timeout');
  if (unsound.length + fragile.length === 0) return undefined;
  const comments = new Map(cases.map(({ id, comment }) => [id, comment]));
  const section = ([rule, list]) => {
    const { statement = '', node } = rules.find(({ id }) => id === rule) ?? {};
    const source = node === undefined ? '' : ` In the node: \`${node.file}\`, ${node.function}.`;
    const ids = list
      .slice(0, MOST_IDS)
      .map(
        ({ id, detail }) =>
          `- \`${id}\`: ${comments.get(id) ?? ''}${detail ? ` (${detail.split('\n')[0].slice(0, 150)})` : ''}`,
      );
    const more = list.length > MOST_IDS ? [`- and ${list.length - MOST_IDS} more like these`] : [];
    return [`### \`${rule}\``, '', `What should hold: ${statement}${source}`, '', ...ids, ...more, ''].join('\n');
  };
  const part = (title, list) => (list.length === 0 ? [] : [`## ${title}`, '', ...[...byRule(list)].map(section)]);
  return [
    `# To the maintainers of ${implementation}`,
    '',
    `Version ${version} was put before a conformance suite for verifiers of TON finality (version ${suite.version}, ${suite.sha256.slice(0, 16)}…). It takes inputs for true`,
    'that prove nothing, or ends on them. Nothing of this is published. We mean to publish the results of your implementation 90 days after this letter reaches you, or',
    'as soon as a mended version is out; tell us if you need longer, or if a case is wrong: a case that is wrong is ours to mend.',
    '',
    'To see it for yourselves, with the suite unpacked:',
    '',
    '```sh',
    `node run/main.mjs --adapter ${adapter} --only <id>`,
    '```',
    '',
    'Each case below has a twin in the suite that has to be accepted and differs from it in one thing. Refusing what breaks the rule, with the same check as the node, mends it.',
    '',
    ...part(`Accepted, and should not be (${unsound.length})`, unsound),
    ...part(`Ends the program, or takes more than ten seconds (${fragile.length})`, fragile),
  ].join('\n');
}

function main() {
  const { cases } = readSuite(join(ROOT, 'suite'));
  const rules = readJson(join(ROOT, 'rules.json'));
  const names = existsSync(DISCLOSURES) ? readdirSync(DISCLOSURES) : [];
  for (const name of names.filter((one) => one.endsWith('.json') && !one.endsWith('.expected.json'))) {
    const results = readJson(join(DISCLOSURES, name));
    const text = letter(results, rules, cases);
    if (text === undefined) continue;
    const path = join(DISCLOSURES, name.replace(/\.json$/, '.md'));
    writeFileSync(path, text);
    process.stdout.write(`${path}\n`);
  }
}

if (process.argv[1] === import.meta.filename) main();
