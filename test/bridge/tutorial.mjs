/**
 * Takes the commands of `docs/bridge.md` in their order, as their reader does: the first block in the clone, the others in an empty
 * folder next to it, in one shell. What the page shows has to be what they print; `…` stands for what differs from run to run.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../package/tarball.mjs';

const MAX_COMMANDS = 25;
const LIMIT_MS = 120_000;

const BLOCK = /^```(sh|text)\n([\s\S]*?)^```$/gm;

/** @param scratch an empty folder @param tarball the packed package @param node a binary of Node 22.13 or later */
export async function tutorial(scratch, tarball, node) {
  const page = readFileSync(join(ROOT, 'docs', 'bridge.md'), 'utf8').split('## What is trusted')[0];
  const blocks = [...page.matchAll(BLOCK)].map(([, kind, lines]) => ({ kind, lines: lines.trimEnd().split('\n') }));
  const [inClone, ...others] = blocks;
  const commands = blocks.filter(({ kind }) => kind === 'sh').flatMap(({ lines }) => lines);
  assert.ok(commands.length <= MAX_COMMANDS, `${commands.length} commands`);

  // The clone is there, built and packed.
  const clone = join(scratch, 'ton-finality');
  const own = join(scratch, 'my-bridge');
  for (const folder of [clone, own]) mkdirSync(folder, { recursive: true });
  copyFileSync(tarball, join(clone, basename(tarball)));
  assert.deepEqual(inClone.lines.slice(0, 2), ['npm ci', 'npm pack']);
  const words = /^npm run stand-in -- (.*)$/.exec(inClone.lines[2])[1].split(' ');
  const standIn = spawn(process.execPath, [join(ROOT, 'build', 'test', 'helpers', 'stand-in-main.js'), ...words], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(standIn.stdout, 'data'); // it says where it listens
    const env = { ...process.env, NODE_NO_WARNINGS: '1', PATH: `${dirname(node)}:${process.env.PATH}` };
    const script = ['set -em', ...others.filter(({ kind }) => kind === 'sh').flatMap(({ lines }) => lines)];
    const shell = spawn('bash', ['-c', `trap 'kill $(jobs -p)' EXIT\n${script.join('\n')}`], {
      cwd: own,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    });
    const [printed, faults] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    let rest = printed;
    for (const { lines } of others.filter(({ kind }) => kind === 'text')) {
      for (const line of lines) {
        const wanted = new RegExp(line.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&').replaceAll('…', '[^\\n]*?'));
        const found = wanted.exec(rest);
        assert.ok(found !== null, `the page shows\n${line}\nand its commands printed\n${printed}\n${faults}`);
        rest = rest.slice(found.index + found[0].length);
      }
    }
    console.log(`docs/bridge.md: ${commands.length} commands print what the page shows`);
  } finally {
    standIn.kill();
  }
}
