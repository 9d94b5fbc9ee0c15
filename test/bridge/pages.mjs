/**
 * Takes a page as its reader does, in a project that contains the package: writes each file that the page says to save, runs each
 * command, and compares what it prints with the page. `…` stands for what differs from run to run.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { install, ROOT, run } from '../package/tarball.mjs';

const PIECE = /[Ss]ave (?:this program )?as\s+`([^`]+)`(?:,\s+and\s+run\s+`([^`]+)`)?|^```(\w+)\n([\s\S]*?)^```$/gm;

/** Whether a text is what a page shows. */
export function isShown(shown, printed) {
  const pattern = shown.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&').replaceAll('…', '[^\\n]*?');
  return new RegExp(`^${pattern}$`).test(printed.trimEnd());
}

/** @param folder of the project @param node of the commands @returns how many files and commands there were */
async function takePage(page, folder, node) {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const env = { PATH: `${dirname(node)}:${process.env.PATH}` };
  let [file, command, printed, taken] = [undefined, undefined, undefined, 0];
  for (const [, name, next, language, code] of text.matchAll(PIECE)) {
    if (name !== undefined) [file, command] = [name, next];
    else if (language === 'text') {
      assert.ok(printed !== undefined && isShown(code.trimEnd(), printed), `${page} shows\n${code}\ngot\n${printed}`);
      printed = undefined;
    } else if (language === 'sh') {
      for (const line of code
        .trimEnd()
        .split('\n')
        .filter((one) => !/^npm (ci|pack)$/.test(one))) {
        ({ stdout: printed } = await run('bash', ['-c', line], folder, env));
        taken += 1;
      }
    } else if (file !== undefined) {
      writeFileSync(join(folder, file), code);
      taken += 1;
      file = undefined;
      if (command === undefined) continue;
      ({ stdout: printed } = await run('bash', ['-c', command], folder, env));
    }
  }
  return taken;
}

/** In a folder of its own: npm would prune what is linked into the other. */
async function takeJest(scratch, tarball, test) {
  mkdirSync(scratch);
  const folder = await install(tarball, scratch);
  writeFileSync(join(folder, 'finality.test.cjs'), test);
  await run('npm', ['install', '--no-audit', '--no-fund', 'jest@30'], folder);
  const options = { NODE_OPTIONS: '--experimental-vm-modules' };
  const { stderr } = await run('npx', ['jest', '--testMatch', '**/*.test.cjs'], folder, options);
  assert.match(stderr, /^Tests: +1 passed, 1 total$/m);
}

/**
 * `docs/start.md` in an empty folder next to a clone, and `docs/recipes.md` in the folder that it makes.
 * @param withJest takes Jest from the registry, and runs the recipe for it on the Node that runs this
 */
export async function takePages(scratch, tarball, node, withJest) {
  const [clone, folder] = ['ton-finality', 'project'].map((name) => join(scratch, name));
  for (const one of [clone, folder]) mkdirSync(one, { recursive: true });
  copyFileSync(tarball, join(clone, basename(tarball)));
  const started = await takePage('start.md', folder, node);
  symlinkSync(join(ROOT, 'node_modules', '@ton'), join(folder, 'node_modules', '@ton'));
  const sample = `import { simplexSample } from 'ton-finality/sample'; import { writeFileSync } from 'node:fs';
    for (const name of ['signatures', 'validators']) writeFileSync(name + '.json', JSON.stringify(simplexSample[name]));`;
  writeFileSync(join(folder, 'write-sample.mjs'), sample);
  await run(node, ['write-sample.mjs'], folder);
  const recipes = await takePage('recipes.md', folder, node);
  if (withJest) await takeJest(join(scratch, 'jest'), tarball, readFileSync(join(folder, 'finality.test.cjs'), 'utf8'));
  console.log(`docs/start.md and docs/recipes.md: ${started + recipes} files and commands do what the pages show`);
}
