/**
 * Takes a page as its reader does, in a project that contains the package: writes each file that the page says to save, runs each
 * command, opens each address in Chromium, and compares what comes with the page. `…` stands for what differs from run to run; alone on a
 * line, for any lines. A section that installs something has a project of its own, and is taken with `--frameworks` only.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { pack, ROOT, run } from '../package/tarball.mjs';
import { BLUEPRINT } from './blueprint.mjs';
import { checkManifest, checkWorkflow } from './manifests.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** What a section needs beside Node and bash. What `.ci/run` installs has to be there where CI=true; the others may be missing, loudly. */
const NEEDS = { Python: 'python3', Go: 'go', 'A worker of a page: Vite': CHROMIUM };
const MAY_BE_MISSING = new Set(['go', 'python3']);

const PIECE =
  /[Ss]ave (?:this program )?as\s+`([^`]+)`(?:,\s+and\s+run\s+`([^`]+)`)?|Open\s+`([^`]+)`|^```(\w+)\n([\s\S]*?)^```$/gm;
const INSTALLS = /^npm install (?!\.)/m;
const PAGE_MS = 30_000;

const binary = (name) => join(ROOT, 'test', 'runtimes', 'binaries', 'node_modules', name, 'bin', 'node');
/** Of `test/runtimes/binaries`, for Linux on x64; `NODE_OF_BRIDGE` names another one for the bridge. */
export const NODES = { oldest: binary('node-20.19'), newest: process.env.NODE_OF_BRIDGE ?? binary('node-24.21') };

/** Whether a text is what a page shows. */
export function isShown(shown, printed) {
  const pattern = shown
    .replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')
    .replace(/^…$/gm, '[\\s\\S]*?')
    .replaceAll('…', '[^\\n]*?');
  return new RegExp(`^${pattern}$`).test(printed.trimEnd());
}

/** The parts of a page, each with its heading; what comes before the first is under the name of the page. */
function sectionsOf(page) {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const fences = [...text.matchAll(/^```[\s\S]*?^```$/gm)].map(({ index, 0: all }) => [index, index + all.length]);
  const inFence = (at) => fences.some(([from, to]) => at > from && at < to);
  const heads = [...text.matchAll(/^##+ (.*)$/gm)].filter(({ index }) => !inFence(index));
  const starts = [{ name: page, index: 0 }, ...heads.map(({ 1: name, index }) => ({ name, index }))];
  return starts.map(({ name, index }, k) => ({ name, text: text.slice(index, starts[k + 1]?.index) }));
}

function hasTool(name) {
  const files = name.includes('/')
    ? [name]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return files.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What is missing for a section; said aloud, and an error where CI promises it. */
function isMissing(name) {
  const tool = NEEDS[name];
  if (tool === undefined || hasTool(tool)) return false;
  const message = `NOT TAKEN: "${name}" of docs/recipes.md, because ${tool} is missing`;
  assert.ok(process.env.CI !== 'true' || MAY_BE_MISSING.has(tool), message);
  console.log(message);
  return true;
}

/** What a page says once it says anything else than `…`. */
async function readInChromium(url) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    for (const end = performance.now() + PAGE_MS; ; await sleep(200)) {
      const isThere = await page.goto(url).then(
        () => true,
        () => false,
      );
      if (isThere) break;
      assert.ok(performance.now() < end, `nothing at ${url}`);
    }
    await page.waitForFunction("!['', '…'].includes(document.body.innerText.trim())", undefined, { timeout: PAGE_MS });
    return await page.evaluate('document.body.innerText');
  } finally {
    await browser.close();
  }
}

/** @param folder of the project @param env of the commands @returns how many files and commands there were */
async function takeSection({ name, text }, folder, env) {
  const background = [];
  let [file, command, url, printed, taken] = [undefined, undefined, undefined, undefined, 0];
  const take = async (line) => {
    taken += 1;
    if (line.endsWith('&')) {
      const child = spawn('bash', ['-c', line.slice(0, -1)], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: 'ignore',
        detached: true,
      });
      background.push(child.pid);
    } else {
      printed = await run('bash', ['-c', line], folder, env).catch(({ message, stdout, stderr }) =>
        assert.fail(`${name}: ${message}\n${stdout}\n${stderr}`),
      );
    }
  };
  try {
    for (const [, saved, next, opened, language, code] of text.matchAll(PIECE)) {
      if (saved !== undefined) [file, command] = [saved, next];
      else if (opened !== undefined) url = opened;
      else if (language === 'text') {
        if (url !== undefined) printed = { stdout: await readInChromium(url), stderr: '' };
        const isRight =
          printed !== undefined && [printed.stdout, printed.stderr].some((got) => isShown(code.trimEnd(), got));
        assert.ok(isRight, `${name} shows\n${code}\ngot\n${printed?.stdout}\n${printed?.stderr}`);
        [printed, url] = [undefined, undefined];
      } else if (language === 'sh') {
        for (const line of code
          .trimEnd()
          .split('\n')
          .filter((one) => !/^npm (ci|pack)$/.test(one)))
          await take(line);
      } else if (file !== undefined) {
        mkdirSync(join(folder, dirname(file)), { recursive: true });
        writeFileSync(join(folder, file), code);
        taken += 1;
        file = undefined;
        if (command !== undefined) await take(command);
      }
    }
  } finally {
    for (const pid of background) {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // it ended by itself
      }
    }
  }
  assert.equal(url, undefined, `${name}: an address without what its page says`);
  return taken;
}

/** Folders as a reader has them after the first two steps of docs/start.md: a clone with the package, and a project next to it. */
function layFolders(scratch, tarball) {
  const [clone, folder] = ['ton-finality', 'project'].map((name) => join(scratch, name));
  for (const one of [clone, folder]) mkdirSync(one, { recursive: true });
  copyFileSync(tarball, join(clone, basename(tarball)));
  return folder;
}

/** Each section that installs something, in a project of its own. */
async function takeFrameworks(scratch, tarball, sections, env) {
  const [start] = sections;
  for (const section of sections.filter(({ text }) => INSTALLS.test(text))) {
    if (isMissing(section.name)) continue;
    const startMs = performance.now();
    const folder = layFolders(join(scratch, section.name.replace(/\W+/g, '-')), tarball);
    const isBlueprint = section.name === 'TON Blueprint';
    for (const [name, text] of Object.entries(isBlueprint ? BLUEPRINT : {})) writeFileSync(join(folder, name), text);
    const setUp = isBlueprint ? ['npm install'] : ['npm init -y', 'npm pkg set type=module'];
    for (const line of [...setUp, `npm install ../ton-finality/${basename(tarball)}`])
      await run('bash', ['-c', line], folder, env);
    if (!isBlueprint) await takeSection(start, folder, env); // the recorded block as files
    const taken = await takeSection(section, folder, env);
    console.log(`${section.name}: ${taken} files and commands, ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
  }
}

/**
 * `docs/start.md` in an empty folder next to a clone, and `docs/recipes.md` in the folder that it makes.
 * @param nodes binaries: the oldest Node that is promised, and one for the bridge
 * @param withFrameworks the sections that install something too, and what judges manifests: all from the registries
 */
export async function takePages(scratch, tarball, { oldest, newest }, withFrameworks) {
  const folder = layFolders(scratch, tarball);
  const env = {
    PATH: `${dirname(oldest)}:${process.env.PATH}`,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  let taken = 0;
  for (const section of sectionsOf('start.md')) taken += await takeSection(section, folder, env);
  symlinkSync(join(ROOT, 'node_modules', '@ton'), join(folder, 'node_modules', '@ton'));
  const sections = sectionsOf('recipes.md');
  const plain = sections.filter(({ text }) => !INSTALLS.test(text));
  for (const section of plain) if (!isMissing(section.name)) taken += await takeSection(section, folder, env);
  await checkWorkflow(
    join(folder, '.github', 'workflows', 'finality.yml'),
    folder,
    env,
    withFrameworks && join(scratch, 'tools'),
  );
  console.log(`docs/start.md and docs/recipes.md: ${taken} files and commands do what the pages show`);
  if (withFrameworks) {
    await checkManifest(join(folder, 'bridge.yaml'), tarball, join(scratch, 'pod'), newest);
    await takeFrameworks(join(scratch, 'frameworks'), tarball, sections, env);
  } else
    console.log(
      `with --frameworks also: ${sections
        .filter((one) => !plain.includes(one))
        .map(({ name }) => name)
        .join(', ')}`,
    );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const scratch = mkdtempSync(join(tmpdir(), 'ton-finality-pages-'));
  try {
    await takePages(join(scratch, 'pages'), await pack(scratch), NODES, process.argv.includes('--frameworks'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
