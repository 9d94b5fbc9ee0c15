/**
 * How much the conformance suite notices by itself: 500 one-line defects in the library's own rules (Stryker's mutants), each before the cases of the
 * suite that reach it, until one fails. `node test/mutation/suite.mjs [count]` writes `suite.json`.
 *
 * All defects stand in one bundle, switched on one at a time in one process; which cases reach which defect was counted in a run without any.
 * Left out are defects that no case reaches (code that no operation of the suite calls), those that run only when a file is loaded, and those
 * inside a `throw`: they change the words of a refusal, and the suite compares verdicts. `suite-equivalent.json` lists what changes no verdict, and why.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readSuite } from '../../conformance/run/read-suite.mjs';
import { score } from '../../conformance/run/score.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const WORK = join(ROOT, 'build', 'mutation', 'suite');
const BUNDLE = join(WORK, 'adapter.mjs');
const MUTANTS = join(WORK, 'mutants.json');
const ADAPTER = join(ROOT, 'conformance', 'adapters', 'ton-finality', 'adapter.mjs');
const SEED = 'the suite alone 1';
const DEFECTS = 500;
/** Without a word for so long, a defect is one that never ends. */
const SILENT_MS = 30_000;
const HEAP_MB = 1024;
/** The files of the functions that the table of rules names. */
const RULES = JSON.parse(readFileSync(join(ROOT, 'conformance', 'rules.json'), 'utf8'));
const FILES = [...new Set(RULES.map(({ ours }) => ours.file))].sort();

const require = createRequire(join(ROOT, 'package.json'));
const rank = (text) => createHash('sha256').update(`${SEED} ${text}`).digest('hex');
const bySeed = (of) => (a, b) => (rank(of(a)) < rank(of(b)) ? -1 : 1);

/** Every mutant of the rules in the sources, and the adapter with all of them in one file. */
async function prepare() {
  const own = createRequire(join(HERE, 'package.json'));
  const { createInstrumenter } = await import(pathToFileURL(own.resolve('@stryker-mutator/instrumenter')).href);
  const { createInjector } = await import(
    pathToFileURL(createRequire(own.resolve('@stryker-mutator/instrumenter')).resolve('typed-inject')).href
  );
  const quiet = new Proxy({}, { get: (_, name) => (name.startsWith('is') ? () => false : () => {}) });
  const instrumenter = createInjector().provideValue('logger', quiet).injectFunction(createInstrumenter);
  const given = FILES.map((name) => ({ name, mutate: true, content: readFileSync(join(ROOT, name), 'utf8') }));
  const options = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };
  const { files, mutants } = await instrumenter.instrument(given, options);
  const changed = new Map(files.map(({ name, content }) => [join(ROOT, name), content]));
  const entries = { 'ton-finality': 'index', 'ton-finality/chain': 'chain', 'ton-finality/facts': 'facts' };
  const sources = {
    name: 'sources with mutants',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^ton-finality/ }, ({ path }) => ({ path: join(ROOT, 'src', `${entries[path]}.ts`) }));
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
        contents: changed.get(path) ?? readFileSync(path, 'utf8'),
        loader: 'ts',
      }));
      onLoad({ filter: /adapters\/ton-finality\/adapter\.mjs$/ }, ({ path }) => {
        const [glue] = readFileSync(path, 'utf8').split('const { version } =');
        const contents = glue.replace(
          /await built\('(.*?)\.js'\)/g,
          (_, file) => `await import('${ROOT}/src/${file}.ts')`,
        );
        return { contents: `${contents}\nexport { OPERATIONS, Refused };`, loader: 'js' };
      });
    },
  };
  mkdirSync(WORK, { recursive: true });
  await require('esbuild').build({
    entryPoints: [ADAPTER],
    outfile: BUNDLE,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [sources],
    logLevel: 'error',
  });
  const listed = mutants.map(({ id, fileName, location, replacement, mutatorName }) => {
    const text = readFileSync(join(ROOT, fileName), 'utf8');
    const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const [from, to] = [location.start, location.end].map(({ line, column }) => starts[line] + column);
    const original = text.slice(from, to);
    const spoken = text.lastIndexOf('throw ', from);
    return {
      id,
      file: fileName,
      line: location.start.line + 1,
      isOneLine: location.start.line === location.end.line,
      isWords: spoken >= 0 && !text.slice(spoken, from).includes(';'),
      name: `${fileName}: ${mutatorName}: ${original} → ${replacement}`,
      near: text.slice(starts[location.start.line], starts[location.start.line + 1]).trim(),
    };
  });
  writeFileSync(MUTANTS, JSON.stringify(listed));
  return listed;
}

/** In a process of its own: which defects each case reaches, and one defect after another before its cases. */
async function work() {
  const { OPERATIONS, Refused } = await import(pathToFileURL(BUNDLE).href);
  const cases = new Map(readSuite(join(ROOT, 'conformance', 'suite')).cases.map((one) => [one.id, one]));
  globalThis.__stryker__ ??= {};
  const state = globalThis.__stryker__;
  const fails = (one) => {
    try {
      const value = OPERATIONS[one.operation](structuredClone(one.input));
      return (
        score(one, { answer: { id: one.id, result: 'accept', ...(value === undefined ? {} : { value }) } }).score !==
        'passed'
      );
    } catch (error) {
      if (!(error instanceof Refused) && typeof error?.code !== 'string') return true;
      return score(one, { answer: { id: one.id, result: 'reject' } }).score !== 'passed';
    }
  };
  const reach = () => {
    const reached = {};
    // The instrumented files keep the first object that they find here.
    state.mutantCoverage = { static: {}, perTest: {} };
    for (const one of cases.values()) {
      state.currentTestId = one.id;
      if (fails(one)) throw new Error(`${one.id} does not pass without a defect`);
      for (const id of Object.keys(state.mutantCoverage.perTest[one.id] ?? {})) {
        reached[id] ??= [];
        reached[id].push(one.id);
      }
    }
    state.currentTestId = undefined;
    return reached;
  };
  const hunt = ({ mutant, ids }) => {
    for (const [k, id] of ids.entries()) {
      if (k % 50 === 49) process.send({ alive: true });
      const one = cases.get(id);
      state.activeMutant = mutant;
      const failed = fails(one);
      state.activeMutant = undefined;
      if (failed) return { by: id, isKept: fails(one) }; // what fails without the defect as well was kept from it
    }
    return {};
  };
  process.on('message', (asked) => {
    try {
      process.send({ answer: asked === 'reach' ? reach() : hunt(asked) });
    } catch (error) {
      process.send({ error: error.stack });
    }
  });
  process.send({ alive: true });
}

let child;
/** Asks the process; undefined when it died or fell silent, which every verifier would notice. */
function ask(question) {
  return new Promise((resolve, reject) => {
    if (child === undefined) {
      child = fork(fileURLToPath(import.meta.url), ['--work'], {
        execArgv: [`--max-old-space-size=${HEAP_MB}`],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
    }
    const own = child;
    const end = (settle) => {
      clearTimeout(timer);
      own.removeAllListeners();
      settle();
    };
    const gone = () => {
      child = undefined;
      end(() => resolve(undefined));
    };
    let timer;
    const arm = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          own.kill('SIGKILL');
          gone();
        },
        question === 'reach' ? 900_000 : SILENT_MS,
      );
    };
    own.on('exit', gone);
    own.on('message', ({ answer, error }) => {
      if (error !== undefined) end(() => reject(new Error(error)));
      else if (answer !== undefined) end(() => resolve(answer));
      else arm();
    });
    own.send(question);
    arm();
  });
}

async function main(count) {
  const mutants = await prepare();
  const reached = await ask('reach');
  const equivalent = JSON.parse(readFileSync(join(HERE, 'suite-equivalent.json'), 'utf8'));
  const judged = mutants.filter(({ isOneLine, isWords }) => isOneLine && !isWords);
  const chosen = judged
    .filter(({ id }) => reached[id] !== undefined)
    .sort(bySeed(({ name, near }) => `${name} ${near}`))
    .slice(0, count);
  const unnoticed = [];
  const same = [];
  let noticed = 0;
  const { sha256 } = readSuite(join(ROOT, 'conformance', 'suite'));
  const unreached = judged.filter(({ id }) => reached[id] === undefined).length;
  const write = (defects, path) => {
    const share = Math.floor((1000 * noticed) / (defects - same.length)) / 10;
    const found = { suite: sha256, defects, noticed, share, unreached, equivalent: same.length, unnoticed };
    writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
    return share;
  };
  for (const [k, { id, name, near, line }] of chosen.entries()) {
    const ids = reached[id].sort(bySeed((one) => `${id} ${one}`));
    let said = await ask({ mutant: id, ids });
    if (said?.isKept) {
      child?.kill('SIGKILL');
      child = undefined;
      said = await ask({ mutant: id, ids: [said.by] });
    }
    const reason = equivalent.find((one) => one.name === name && one.near === near)?.reason;
    if (said === undefined || said.by !== undefined) noticed++;
    else if (reason !== undefined) same.push({ name, near, reason });
    else {
      unnoticed.push({ name, near, line });
      process.stderr.write(`${line} ${name}\n    ${near}\n`);
    }
    if (k % 25 === 24) write(k + 1, join(WORK, 'so-far.json'));
    if (k % 25 === 24)
      process.stderr.write(
        `${k + 1} of ${chosen.length}: ${noticed} noticed, ${same.length} equivalent, ${unnoticed.length} not\n`,
      );
  }
  child?.kill('SIGKILL');
  const share = write(chosen.length, join(HERE, 'suite.json'));
  process.stdout.write(
    `${noticed} of ${chosen.length - same.length} noticed (${share} %), ${same.length} equivalent\n`,
  );
  for (const { name, near, line } of unnoticed) process.stdout.write(`${line} ${name}\n    ${near}\n`);
}

if (process.argv.includes('--work')) await work();
else await main(Number(process.argv[2] ?? DEFECTS));
