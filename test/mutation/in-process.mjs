/**
 * A test runner for Stryker that loads the tests once, in its own process, and then runs for each mutant just those that
 * reach it: some hundredths of a second each, where a start of vitest takes one or more. The tests are the same files; `vitest`
 * is here the few functions of it that they use (`vitest-functions.mjs`), its `expect` the real one.
 *
 * What was computed once and kept (an index beside a set, say) was computed without the mutant. So whatever survives meets the
 * tests a second time with all modules loaded anew; only then those that write to what they were given, which under a mutant
 * may be what other tests stand on. And in the end all tests run again without a mutant: if one of them
 * fails, something was kept from a mutant, and no outcome counts.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const { paths, without, writing } = JSON.parse(readFileSync(join(HERE, 'tests.json'), 'utf8'));
/** Not in the bundle: what is big, and what is the same for all. */
const EXTERNAL = ['@ton/*', '@vitest/expect', 'chai', 'fast-check', 'undici', 'ajv', 'ajv/*'];
const HANG_MS = 60_000;
/** What takes longer is left for the second time. */
const SLOW_MS = 100;

globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
const switches = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE];

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
  await build({
    stdin: { contents: imports.join('\n'), resolveDir: root, sourcefile: 'all.mjs' },
    outfile,
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
}

function endsInTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${HANG_MS} ms`)), HANG_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

class InProcessRunner {
  #log;
  #root = process.cwd();
  #loads = 0;
  /** By id: file and name. */
  #tests = new Map();
  /** What each took without a mutant. */
  #took = {};

  /** A rejection that nobody waits for: it is the fault of the test that runs, and must not end the process. */
  #stray;

  constructor(log) {
    this.#log = log;
    process.on('unhandledRejection', (reason) => {
      this.#stray = reason;
    });
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  get #bundle() {
    return join(this.#root, 'all-tests.mjs');
  }

  get #times() {
    return join(this.#root, 'all-tests.json');
  }

  async init() {
    if (!existsSync(this.#bundle)) await bundle(this.#root, this.#bundle);
    this.#tests = await this.#load();
    // A process that Stryker started anew after one that hung: fills what is kept, as the first run did.
    if (existsSync(this.#times)) {
      this.#took = JSON.parse(readFileSync(this.#times, 'utf8'));
      await this.#unbroken();
    }
  }

  /** All modules anew: nothing in them is kept from an earlier load. */
  async #load() {
    globalThis.gatheredTests = [];
    await import(`${pathToFileURL(this.#bundle).href}?load=${this.#loads++}`);
    const tests = new Map();
    for (const test of globalThis.gatheredTests) {
      let id = `${test.file}#${test.name}`;
      while (tests.has(id)) id += "'";
      tests.set(id, test);
    }
    return tests;
  }

  async #run(id, { file, name, body }) {
    const start = performance.now();
    const result = { id, name, fileName: join(this.#root, file) };
    try {
      this.#stray = undefined;
      const ending = body({});
      if (typeof ending?.then === 'function') await endsInTime(ending);
      if (this.#stray !== undefined) throw this.#stray;
      return { ...result, status: TestStatus.Success, timeSpentMs: performance.now() - start };
    } catch (error) {
      const failureMessage = String(error?.message ?? error);
      return { ...result, status: TestStatus.Failed, failureMessage, timeSpentMs: performance.now() - start };
    }
  }

  /** @throws when a test fails though there is no mutant */
  async #unbroken() {
    for (const [id, test] of this.#tests) {
      const { status, failureMessage } = await this.#run(id, test);
      if (status !== TestStatus.Success) throw new Error(`without a mutant fails ${id}: ${failureMessage}`);
    }
  }

  async dryRun() {
    const results = [];
    for (const [id, test] of this.#tests) {
      switches.currentTestId = id;
      results.push(await this.#run(id, test));
      switches.currentTestId = undefined;
    }
    this.#took = Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    writeFileSync(this.#times, JSON.stringify(this.#took));
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: switches.mutantCoverage };
  }

  /** Quick tests first; the first that fails ends it. */
  async #meet(tests, ids, mutant, hitLimit) {
    const results = [];
    Object.assign(switches, { activeMutant: mutant, hitCount: 0, hitLimit });
    for (const id of ids) {
      const result = await this.#run(id, tests.get(id));
      results.push(result);
      if (result.status === TestStatus.Failed || switches.hitCount > hitLimit) break;
    }
    const endless = determineHitLimitReached(switches.hitCount, hitLimit);
    Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    return endless ?? { status: DryRunStatus.Complete, tests: results };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const ids = [...(testFilter ?? this.#tests.keys())].sort((a, b) => this.#took[a] - this.#took[b]);
    const isFirst = (id) => !writing.includes(this.#tests.get(id).file) && this.#took[id] < SLOW_MS;
    const reading = ids.filter(isFirst);
    const first = toMutantRunResult(await this.#meet(this.#tests, reading, activeMutant.id, hitLimit));
    if (first.status !== 'survived') return first;
    const anew = await this.#load();
    return toMutantRunResult(await this.#meet(anew, ids, activeMutant.id, hitLimit));
  }

  async dispose() {
    try {
      await this.#unbroken();
    } catch (error) {
      this.#log.fatal(`no outcome counts: ${error.message}`);
      throw error;
    }
  }
}

create.inject = tokens(commonTokens.logger);
function create(log) {
  return new InProcessRunner(log);
}
export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'in-process', create)];
