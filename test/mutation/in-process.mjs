/**
 * A test runner for Stryker that loads the tests once, in a process of their own, and then runs for each mutant just those
 * that reach it: some hundredths of a second each, where a start of vitest takes one or more. The tests are the same files; `vitest`
 * is here the few functions of it that they use (`vitest-functions.mjs`), its `expect` the real one.
 *
 * Each test has its time, by what it takes without a mutant. When that is over the process is killed and another one takes
 * its place: Stryker's own way of it waits for the time of all tests together, minutes for each mutant that never ends.
 *
 * What was computed once and kept (an index beside a set, say) was computed without the mutant. So whatever survives meets the
 * tests a second time in a process that has kept nothing; only then those that write to what they were given, which under a
 * mutant may be what other tests stand on. And a test that fails must pass at once without the mutant: else something was
 * kept from an earlier one, and a new process has to say it again.
 */
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus, toMutantRunResult } from '@stryker-mutator/api/test-runner';
import { testsOf, writing } from './parts.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** The part that is mutated; without, the tests of all parts. */
const { paths, without } = testsOf(process.env.MUTATION_PART);
/** Not in the bundle: what is big, and what is the same for all. */
const EXTERNAL = ['@ton/*', '@vitest/expect', 'chai', 'esbuild', 'fast-check', 'undici', 'ajv', 'ajv/*'];
/** What takes longer is left for the second time. */
const SLOW_MS = 1500;
/** The time of a test: this, and so many times what it takes without a mutant. */
const GRACE_MS = { first: 5000, second: 20_000 };
const GRACE_FACTOR = 12;
const LOAD_MS = 120_000;
const DRY_RUN_MS = 15 * 60_000;
/** A mutant that fills the memory ends the process soon. */
const HEAP_MB = 2048;

function testFiles(root) {
  const files = paths.flatMap((path) =>
    path.endsWith('.ts') ? [path] : readdirSync(join(root, path)).map((name) => `${path}/${name}`),
  );
  return files.filter((path) => path.endsWith('.test.ts') && !without.includes(path));
}

/** All tests and what they test in one file, at the root of where Stryker put mutants into the sources. */
async function bundle(root, outfile) {
  const { build } = createRequire(join(root, 'package.json'))('esbuild');
  const naming = {
    name: 'the file that a test is in',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^file-of:/ }, ({ path }) => ({ path, namespace: 'file-of' }));
      onLoad({ filter: /^/, namespace: 'file-of' }, ({ path }) => ({
        contents: `globalThis.testFile = ${JSON.stringify(path.replace('file-of:', ''))};`,
      }));
    },
  };
  const imports = ['test/helpers/setup.ts', ...testFiles(root)].map(
    (file) => `import 'file-of:${file}'; import './${file}';`,
  );
  const unfinished = `${outfile}.${process.pid}.mjs`;
  await build({
    stdin: { contents: imports.join('\n'), resolveDir: root, sourcefile: 'all.mjs' },
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    ignoreAnnotations: true, // package.json says that no file has effects of its own; tests have
    alias: { vitest: join(HERE, 'vitest-functions.mjs') },
    external: EXTERNAL,
    plugins: [naming],
    logLevel: 'error',
  });
  renameSync(unfinished, outfile);
}

/** A question was not answered in its time, or the process ended: it is gone. */
class NoAnswer extends Error {}

/** A process with all tests loaded. */
class TestsProcess {
  #child;

  static async start(file) {
    const started = new TestsProcess();
    started.#child = fork(join(HERE, 'tests-process.mjs'), {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      env: { ...process.env, TMPDIR: join(file, '..', 'tmp') },
      stdio: 'ignore',
      serialization: 'advanced',
    });
    try {
      await started.ask('load', pathToFileURL(file).href, LOAD_MS);
    } catch (error) {
      started.kill();
      throw error;
    }
    return started;
  }

  /** @throws NoAnswer; then the process is gone */
  ask(name, value, limitMs) {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const end = (settle) => {
        clearTimeout(timer);
        for (const [event, listener] of Object.entries(listeners)) child.off(event, listener);
        settle();
      };
      const fail = (message) => end(() => reject(new NoAnswer(`${name}: ${message}`)));
      const listeners = {
        exit: (code, signal) => fail(`the process ended: ${signal ?? code}`),
        error: (error) => fail(error.message),
        message: ({ error, value: answer }) =>
          end(() => (error === undefined ? resolve(answer) : reject(new Error(error)))),
      };
      const timer = setTimeout(() => {
        fail(`no end after ${Math.round(limitMs)} ms`);
        this.kill();
      }, limitMs);
      for (const [event, listener] of Object.entries(listeners)) child.on(event, listener);
      child.send({ name, value }, (error) => {
        if (error) fail(error.message);
      });
    });
  }

  kill() {
    this.#child.on('error', () => {}); // nothing is asked of it any more
    this.#child.kill('SIGKILL');
  }
}

const timeout = (reason) => ({ status: MutantRunStatus.Timeout, reason });

class InProcessRunner {
  #root = process.cwd();
  /** The one that is kept from mutant to mutant. */
  #process;
  #started = new Set();
  /** What each took without a mutant, by id, and its file. */
  #tests = {};

  constructor() {
    process.on('exit', () => this.#end());
    process.on('disconnect', () => process.exit());
  }

  /** Stryker would start a new runner for each mutant that also runs as a module loads, and after it. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  get #bundle() {
    return join(this.#root, 'all-tests.mjs');
  }

  get #times() {
    return join(this.#root, 'all-tests.json');
  }

  #end() {
    for (const one of this.#started) one.kill();
    this.#started.clear();
    this.#process = undefined;
  }

  async #start() {
    const started = await TestsProcess.start(this.#bundle);
    this.#started.add(started);
    return started;
  }

  #drop(one) {
    one.kill();
    this.#started.delete(one);
    if (this.#process === one) this.#process = undefined;
  }

  async init() {
    mkdirSync(join(this.#root, 'tmp'), { recursive: true });
    if (!existsSync(this.#bundle)) await bundle(this.#root, this.#bundle);
  }

  #result(id, { failure, ms = 0 }) {
    const [file, name] = id.split(/#(.*)/s);
    const result = { id, name, fileName: join(this.#root, file), timeSpentMs: ms };
    if (failure === undefined) return { ...result, status: TestStatus.Success };
    return { ...result, status: TestStatus.Failed, failureMessage: failure };
  }

  async dryRun() {
    this.#process = await this.#start();
    const { results, coverage } = await this.#process.ask('dryRun', undefined, DRY_RUN_MS);
    writeFileSync(this.#times, JSON.stringify(Object.fromEntries(results.map(({ id, ms }) => [id, ms]))));
    const tests = results.map((result) => this.#result(result.id, result));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage };
  }

  #limitOf(id, time) {
    return GRACE_MS[time] + GRACE_FACTOR * this.#tests[id];
  }

  /**
   * Quick tests first; the first that fails ends it.
   * @param filling each test is run once without a mutant before, so that what it keeps is sound
   */
  async #meet(one, ids, { mutant, hitLimit, filling }) {
    const time = filling ? 'first' : 'second';
    let hits = 0;
    const results = [];
    for (const id of ids) {
      const answer = await one.ask('meet', { id, mutant, hitLimit, hits, filling }, this.#limitOf(id, time));
      if (answer.unsound !== undefined) return { unsound: `${id} fails without a mutant: ${answer.unsound}` };
      ({ hits } = answer);
      if (hits > hitLimit) return { result: timeout(`reached ${hits} times, at most ${hitLimit} were expected`) };
      results.push(this.#result(id, answer));
      if (answer.failure !== undefined) {
        return { failed: id, isStray: answer.isStray, result: this.#complete(results) };
      }
    }
    return { result: this.#complete(results) };
  }

  #complete(tests) {
    return toMutantRunResult({ status: DryRunStatus.Complete, tests });
  }

  /** With what is kept from earlier tests. @returns `undefined` when the process that kept it cannot be relied on */
  async #first(ids, mutant, hitLimit) {
    const isNew = this.#process === undefined;
    this.#process ??= await this.#start();
    const one = this.#process;
    try {
      const { failed, isStray, result, unsound } = await this.#meet(one, ids, { mutant, hitLimit, filling: true });
      if (unsound === undefined && !isStray) {
        if (failed === undefined) return result;
        if ((await one.ask('fill', failed, this.#limitOf(failed, 'second'))) === undefined) return result;
      }
      this.#drop(one);
      if (isNew && unsound !== undefined) throw new Error(unsound);
      return isNew ? result : undefined;
    } catch (error) {
      this.#drop(one);
      if (error instanceof NoAnswer) return isNew ? timeout(error.message) : undefined;
      throw error;
    }
  }

  /** In a process that has kept nothing. */
  async #second(ids, mutant, hitLimit) {
    const one = await this.#start();
    try {
      return (await this.#meet(one, ids, { mutant, hitLimit, filling: false })).result;
    } catch (error) {
      if (error instanceof NoAnswer) return timeout(error.message);
      throw error;
    } finally {
      this.#drop(one);
    }
  }

  async mutantRun({ activeMutant: { id: mutant }, testFilter, hitLimit }) {
    this.#tests = JSON.parse(readFileSync(this.#times, 'utf8'));
    const ids = [...(testFilter ?? Object.keys(this.#tests))].sort((a, b) => this.#tests[a] - this.#tests[b]);
    const isFirst = (id) => !writing.includes(id.split('#')[0]) && this.#tests[id] < SLOW_MS;
    const reading = ids.filter(isFirst);
    const first = (await this.#first(reading, mutant, hitLimit)) ?? (await this.#first(reading, mutant, hitLimit));
    return first.status === MutantRunStatus.Survived ? await this.#second(ids, mutant, hitLimit) : first;
  }

  dispose() {
    this.#end();
  }
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'in-process', () => new InProcessRunner())];
