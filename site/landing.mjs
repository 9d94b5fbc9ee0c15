/** Makes the first page of the site. The program and its output are README's, which a test runs; the figures come from files of results. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, GUIDES, root } from './guides.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const json = (file) => JSON.parse(read(file));
const count = (number) => number.toLocaleString('en-US');

/** Returns the first match, or ends the build, so that a page of the site never shows a figure that was not found. */
function found(pattern, file) {
  const match = pattern.exec(read(file));
  if (match === null) throw new Error(`${file} has nothing like ${pattern}: site/landing.mjs shows it`);
  return match;
}

/** What README begins with: a program, and what it prints. */
function firstProgram() {
  const [, program, output] = found(/^```ts\n(.*?)^```\n+(?:[^\n`]+\n+)*```text\n(.*?)^```/ms, 'README.md');
  return { program, output };
}

/** The bench behind the chart, as `docs/speed.md` names it. */
function speed() {
  const [file] = found(/bench\/results\/[\w-]+\.json/, 'docs/speed.md');
  const { machine, runs } = json(file);
  const [{ node, steady }] = runs;
  const kernel = steady.find(({ name }) => name === 'kernel, default 32 MiB');
  return {
    file,
    machine,
    node: node.slice(1),
    micros: kernel.microseconds.toFixed(1),
    times: kernel.timesNode.toFixed(1),
  };
}

/** Rows of: what is done, what came of it, the file that says so, the page about it. */
function figures() {
  const { all } = json('test/mutation/summary.json');
  const noticed = all.killed + all.timeout;
  const worlds = ['results', 'networks'].map((name) => json(`test/simulation/${name}.json`));
  const sum = (member) => worlds.reduce((total, world) => total + world[member], 0);
  const { version } = json('package.json');
  const results = readdirSync(join(root, 'conformance', 'results'));
  const own =
    results.find((name) => name === `ton-finality-${version}.json`) ??
    results.find((name) => /^ton-finality-\d/.test(name));
  const { totals, suite } = json(`conformance/results/${own}`);
  const recorded = json('vectors/real/index.json');
  const networks = new Set(recorded.map(({ network }) => network.replace(/ ?\(.*/, '')));
  return [
    [
      'Blocks recorded from real networks',
      `${count(recorded.length)} blocks of ${networks.size} networks, judged the same by every engine`,
      'vectors/real/index.json',
      'docs/runtimes.md',
    ],
    [
      'A conformance suite for any verifier',
      `${count(totals.passed)} of ${count(suite.cases)} cases passed, ${count(totals['wrong-accept'])} wrongly accepted`,
      `conformance/results/${own}`,
      'docs/conformance.md',
    ],
    [
      'Simulated networks with lying, slow and dying servers',
      `${count(sum('worlds'))} worlds, ${count(sum('violations'))} broken rules`,
      'test/simulation/results.json',
      'docs/live-testing.md',
    ],
    [
      'Deliberate changes to the sources',
      `${count(noticed)} of ${count(noticed + all.survived + all.uncovered)} noticed by a test (${all.score} %)`,
      'test/mutation/summary.json',
      'docs/mutants.md',
    ],
  ];
}

/** The chart as a part of the page, in the colours of the page. */
const chart = () =>
  read('docs/verify-speed.svg').replace('fill="#57606a"', 'fill="currentColor"').replaceAll(/\n\s*/g, '').trim();

/** The purpose of each group of guides. */
const FOR = {
  Start: 'Install it, verify a first block, and see what every input is.',
  Concepts: 'What final means, whom you trust, and how a set of validators is proven.',
  Bridge: 'Release money for a deposit, once, and for proven deposits only.',
  'Light client': 'Follow the chain over lite servers, over HTTP, or in a browser.',
  Audits: 'Check years of blocks, on one machine or on many, and report on them.',
  Operations: 'Keep a follower running through outages, hardforks and upgrades.',
  Reference: 'Every command, option, error, format and rule.',
  'How it is made': 'The tests, the conformance suite, the kernel and the decisions.',
};

function guideCards() {
  return GUIDES.map(({ name, pages: [first] }) => {
    if (FOR[name] === undefined) throw new Error(`site/landing.mjs does not say what the guide ${name} is for`);
    return `<li><a href="./${addressOf(first)}.html"><strong>${name}</strong><span>${FOR[name]}</span></a></li>`;
  }).join('\n');
}

export function landingPage() {
  const { program, output } = firstProgram();
  const { file, machine, node, micros, times } = speed();
  const start = existsSync(join(root, 'docs/start.md')) ? 'start' : 'overview';
  return `---
title: ton-finality
titleTemplate: finality of TON blocks, proven
sidebar: false
aside: false
prev: false
next: false
pageClass: landing
---

<div class="hero">

# Know that a TON block is final

<p class="lead">ton-finality checks the validators' signatures on a TON masterchain block. It tells you if the block is final, and what is in it. You do not have to trust the server that sent it.</p>

<p class="actions"><a class="action main" href="./${start}.html">Get started</a> <a class="action" href="./demo/index.html" target="_self">Try it in the browser</a> <a class="action" href="./api/">API</a></p>

\`\`\`sh
npm ci && npm pack   # in a clone: the package is not on npm yet
\`\`\`

</div>

## What it does

- **It proves a block final.** It applies the rules of a TON node: valid signatures of known validators, with more than 2/3 of the weight.
- **It proves who the validators are.** You pin one block that you trust. Every later set of validators is proven from it.
- **It proves what is in the block**: transactions, messages, account states, configuration. It also proves that something is absent.
- **It runs where your code runs**: Node, Bun, Deno, browsers and workers. It is a library and a command.

## Why you need it

An HTTP API or a lite server can send you anything. A bridge that releases money because of a server's claim loses it when the server lies, or when an attacker takes it over. An attacker cannot make up the signatures of the validators. So the library checks them, and it reaches the same verdict from any server. It calls a block final only where a TON node would.

## Your first program

The package holds recorded blocks of mainnet, so this program needs no network.

\`\`\`ts
${program}\`\`\`

The program prints:

\`\`\`text
${output}\`\`\`

## Pick your guide

<ul class="cards">
${guideCards()}
</ul>

## Speed

One signature of a block whose validators are known takes ${micros} µs. That is ${times} times as fast as \`node:crypto\`. [All measurements](${addressOf('docs/speed.md')}.md).

<div class="wide chart">
${chart()}
</div>

<p class="source">${machine.cores} cores of an ${machine.cpu}, Node ${node}. Source: <code>${file}</code>.</p>

## How it is tested

| what | result | source |
| ---- | ------ | ------ |
${figures()
  .map(([what, result, source, page]) => `| [${what}](${addressOf(page)}.md) | ${result} | \`${source}\` |`)
  .join('\n')}

These figures are read from the files of results when this page is built.
`;
}
