/**
 * How much the conformance suite notices by itself: 500 one-line defects in the library's own rules (Stryker's mutants), each before the cases of the
 * suite that reach it, until one fails. `node test/mutation/suite.mjs` writes `suite.json`; `--again` counts what the last run noticed, and tries the rest.
 *
 * All defects stand in one bundle, switched on one at a time in one process; which cases reach which defect was counted in a run without any.
 * `suite-drawn.json` lists the 500, drawn once by a seed (`--draw`), so that a case written for one of them cannot change the draw. A defect that a
 * later change of its line takes away gives its place to the next by the seed. Not drawn are defects that no case reached (code that no operation
 * of the suite calls), those that run only when a file is loaded, and those inside a `throw`: they change the words of a refusal, and the suite
 * compares verdicts. `suite-equivalent.json` lists what no case can show, and why. `--fresh COUNT` tries defects that were never drawn.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const NOTICED = join(WORK, 'noticed.json');
const DRAWN = join(HERE, 'suite-drawn.json');
const ADAPTER = join(ROOT, 'conformance', 'adapters', 'ton-finality', 'adapter.mjs');
/**
 * Why no case can show a defect: words (of a refusal), cost (work alone), doubled (another check gives the same verdict), unread (no value has it), unasked
 * (an option, a clock or an object of the call that no input has), open (the suite expects either, for the node takes what we refuse).
 */
const WHYS = ['words', 'cost', 'doubled', 'unread', 'unasked', 'open'];
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

const keyOf = ({ name, near }) => `${name} ${near}`;
const listOf = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []);

/** The defects to try: what was drawn, then by the seed. Equal lines of one file count once each. */
function choose(pool, reached, fresh) {
  const ranked = pool.filter(({ id }) => reached[id] !== undefined).sort(bySeed(keyOf));
  if (process.argv.includes('--draw')) {
    const drawn = ranked.slice(0, DEFECTS).map(({ name, near }) => ({ name, near }));
    writeFileSync(DRAWN, `${JSON.stringify(drawn, null, 2)}\n`);
  }
  const places = new Map();
  for (const one of listOf(DRAWN)) places.set(keyOf(one), (places.get(keyOf(one)) ?? 0) + 1);
  const [drawn, others] = [[], []];
  for (const one of ranked) {
    const left = places.get(keyOf(one)) ?? 0;
    places.set(keyOf(one), left - 1);
    (left > 0 ? drawn : others).push(one);
  }
  return fresh > 0 ? others.slice(0, fresh) : [...drawn, ...others].slice(0, DEFECTS);
}

async function main(fresh) {
  const isAgain = process.argv.includes('--again');
  const mutants = await prepare();
  const reached = await ask('reach');
  const equivalent = listOf(join(HERE, 'suite-equivalent.json'));
  const judged = mutants.filter(({ isOneLine, isWords }) => isOneLine && !isWords);
  /** Which case noticed a defect last: it is tried first. */
  const lastBy = new Map(listOf(NOTICED));
  const asked = choose(judged, reached, fresh);
  const chosen = asked.filter((one) => !isAgain || !lastBy.has(keyOf(one)));
  const unnoticed = [];
  const same = [];
  let noticed = asked.length - chosen.length;
  const { sha256 } = readSuite(join(ROOT, 'conformance', 'suite'));
  const unreached = judged.filter(({ id }) => reached[id] === undefined).length;
  const remember = () => writeFileSync(NOTICED, JSON.stringify([...lastBy]));
  for (const [k, one] of chosen.entries()) {
    const { id, name, near, line } = one;
    const first = lastBy.get(keyOf(one));
    const ids = (reached[id] ?? []).sort(bySeed((asked) => `${id} ${asked}`));
    ids.sort((a, b) => Number(b === first) - Number(a === first));
    let said = await ask({ mutant: id, ids });
    if (said?.isKept) {
      child?.kill('SIGKILL');
      child = undefined;
      said = await ask({ mutant: id, ids: [said.by] });
    }
    const known = equivalent.find((asked) => keyOf(asked) === keyOf(one));
    const isNoticed = said === undefined || said.by !== undefined;
    if (isNoticed) {
      noticed++;
      lastBy.set(keyOf(one), said?.by ?? 'never ended');
      if (known !== undefined) process.stderr.write(`NOTICED, though listed: ${keyOf(one)}\n    by ${said?.by}\n`);
    } else {
      lastBy.delete(keyOf(one));
      if (known !== undefined) same.push({ name, near, why: known.why, reason: known.reason });
      else unnoticed.push({ name, near, line });
      if (known === undefined) process.stderr.write(`${line} ${name}\n    ${near}\n`);
    }
    if (k % 25 === 24 || k === chosen.length - 1) {
      remember();
      process.stderr.write(
        `${k + 1} of ${chosen.length}: ${noticed} noticed, ${same.length} equivalent, ${unnoticed.length} not\n`,
      );
    }
  }
  child?.kill('SIGKILL');
  const defects = asked.length;
  const share = Math.floor((1000 * noticed) / (defects - same.length)) / 10;
  const listed = Object.fromEntries(WHYS.map((word) => [word, same.filter(({ why }) => why === word).length]));
  const found = { suite: sha256, defects, noticed, share, unreached, equivalent: listed, unnoticed };
  const path = fresh > 0 ? join(WORK, 'fresh.json') : join(HERE, 'suite.json');
  writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
  process.stdout.write(`${noticed} of ${defects - same.length} noticed (${share} %), ${same.length} equivalent\n`);
  for (const { name, near, line } of unnoticed) process.stdout.write(`${line} ${name}\n    ${near}\n`);
}

const freshAt = process.argv.indexOf('--fresh');
if (process.argv.includes('--work')) await work();
else await main(freshAt < 0 ? 0 : Number(process.argv[freshAt + 1]));
