/** The RUN lines of the Dockerfile, each in a folder with just what was copied before it, and the command in what they made. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const LEFT_OUT = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);

/** What git knows and `.dockerignore` does not leave out. */
function context() {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return names.filter((name) => !LEFT_OUT.includes(name.split('/')[0]) && existsSync(join(root, name)));
}

/** The environment without what an npm around this one says to its scripts, and what a bundler that ran here left in it. */
const bare = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_(?!config_registry)|node_env$)/i.test(name)),
  );

/** Runs the stages below `scratch`, with a shell as Docker has one; the cache of the last is its own, since it is emptied. */
export function runDockerfile(scratch) {
  const instructions = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
  const stages = [];
  let workdir = '';
  let env = {};
  for (const [name, text] of instructions) {
    if (name === 'FROM') {
      stages.push(join(scratch, `stage-${stages.length}`));
      env = stages.length === 1 ? {} : { npm_config_cache: join(scratch, 'cache') };
    }
    const at = (path) => join(stages.at(-1), path.startsWith('/') ? path : join(workdir, path));
    if (name === 'WORKDIR') {
      workdir = text;
      mkdirSync(at('.'), { recursive: true });
    } else if (name === 'ENV') env = { ...env, ...Object.fromEntries([text.split('=')]) };
    else if (name === 'COPY') {
      const words = text.split(' ');
      const from = words[0].startsWith('--from=') ? stages[0] : root;
      const sources = (from === root ? words : words.slice(1)).slice(0, -1);
      for (const source of sources.flatMap((one) => (one === '.' ? context() : [one]))) {
        const to = words.at(-1);
        const isFolder = to.endsWith('/') || sources[0] === '.';
        cpSync(join(from, source), isFolder ? at(join(to, source)) : at(to), { recursive: true });
      }
    } else if (name === 'RUN') {
      execFileSync('sh', ['-c', text], {
        cwd: at('.'),
        env: { ...bare(), ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
  }
  const [, entrypoint] = instructions.find(([name]) => name === 'ENTRYPOINT');
  const folder = join(root, 'vectors/real/mainnet-2026-04-simplex/block-59379986');
  const [, file] = JSON.parse(entrypoint);
  const words = ['verify', 'signatures.json', '--validators', 'validators.json'];
  const said = execFileSync(process.execPath, [join(stages.at(-1), file), ...words], { cwd: folder, encoding: 'utf8' });
  if (!said.startsWith('FINAL: masterchain block 59379986')) throw new Error(`the container says: ${said}`);
  const modules = join(stages.at(-1), 'opt/ton-finality/node_modules');
  if (existsSync(join(modules, 'typescript'))) throw new Error('the container has what only the build needs');
}
