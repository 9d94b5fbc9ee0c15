/**
 * The process that the tests run in, one test at a time as it is told: a mutant that never ends, or fills the memory, ends with
 * this process and nothing else.
 */
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';

globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
const switches = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE];
/** By id: file and name. */
const tests = new Map();
/** Those that were run without a mutant: what they compute once and keep is sound. */
const filled = new Set();

/** An error that nobody waits for: it is the fault of the test that runs, and must not end the process. */
let onStray = () => {};
process.on('unhandledRejection', (reason) => onStray(reason));
process.on('uncaughtException', (error) => onStray(error));
process.on('disconnect', () => process.exit());

async function load(bundle) {
  globalThis.gatheredTests = [];
  await import(bundle);
  for (const test of globalThis.gatheredTests) {
    let id = `${test.file}#${test.name}`;
    while (tests.has(id)) id += "'";
    tests.set(id, test);
  }
}

/** @returns why it failed, and whether the test still goes on; nothing when it did not fail */
async function run({ body, before, after }) {
  let outcome = {};
  const attempt = async (work, isStray = false) => {
    try {
      await work();
    } catch (error) {
      outcome = { isStray, failure: String(error?.message ?? error), ...outcome };
    }
  };
  const stray = new Promise((_, reject) => {
    onStray = reject;
  });
  stray.catch(() => {}); // it is looked at below
  for (const work of [...before, () => body({})]) await attempt(() => Promise.race([attempt(work), stray]), true);
  for (const hook of after) await attempt(() => Promise.race([attempt(hook), stray]), true);
  return outcome;
}

async function dryRun() {
  const results = [];
  for (const [id, test] of tests) {
    switches.currentTestId = id;
    const start = performance.now();
    const { failure } = await run(test);
    results.push({ id, failure, ms: performance.now() - start });
    switches.currentTestId = undefined;
    filled.add(id);
  }
  return { results, coverage: switches.mutantCoverage };
}

/** Runs a test without a mutant. */
async function fill(id) {
  filled.add(id);
  return (await run(tests.get(id))).failure;
}

async function meet({ id, mutant, hitLimit, hits, filling }) {
  if (filling && !filled.has(id)) {
    const unsound = await fill(id);
    if (unsound !== undefined) return { unsound };
  }
  const start = performance.now();
  Object.assign(switches, { activeMutant: mutant, hitCount: hits, hitLimit });
  const outcome = await run(tests.get(id));
  const { hitCount } = switches;
  Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
  return { ...outcome, hits: hitCount, ms: performance.now() - start };
}

const answers = { load, dryRun, fill, meet };
process.on('message', async ({ name, value }) => {
  try {
    process.send({ value: await answers[name](value) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
