/** What tests use of vitest: its own `expect`, and functions that gather tests where vitest would run them. */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import { expect as chaiExpect, use } from 'chai';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) use(plugin);

export const expect = (value, message) => {
  setState({ assertionCalls: getState(expect).assertionCalls + 1 }, expect);
  return chaiExpect(value, message);
};
Object.assign(expect, chaiExpect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0, isExpectingAssertions: false, currentTestName: '', testPath: '' }, expect);
chaiExpect.extend(expect, customMatchers);

const outer = [];
/** By file: what is run after each of its tests. */
const hooks = new Map();
const hooksOf = (file) => hooks.get(file) ?? hooks.set(file, []).get(file);

export function afterEach(hook) {
  if (outer.length > 0) throw new Error('afterEach stands outside of all groups here');
  hooksOf(globalThis.testFile).push(hook);
}

/** By file: what is run before each of its tests. */
const starts = new Map();
const startsOf = (file) => starts.get(file) ?? starts.set(file, []).get(file);

export function beforeEach(hook) {
  if (outer.length > 0) throw new Error('beforeEach stands outside of all groups here');
  startsOf(globalThis.testFile).push(hook);
}

/** Before the first of its tests that is run in this process. */
export function beforeAll(hook) {
  let run;
  beforeEach(() => {
    run ??= hook();
    return run;
  });
}

/** Nothing: the tests may run again, and what they leave behind goes with the folder for temporary files. */
export function afterAll() {}

export function describe(name, options, body = options) {
  outer.push(name);
  body();
  outer.pop();
}

export function it(name, options, body = options) {
  const file = globalThis.testFile;
  globalThis.gatheredTests.push({
    file,
    name: [...outer, name].join(' > '),
    body,
    before: startsOf(file),
    after: hooksOf(file),
  });
}

/** Rows of a table; their numbers stand for what vitest would write into the name. */
const each =
  (one) =>
  (rows) =>
  (name, options, body = options) => {
    for (const [at, row] of rows.entries()) {
      const values = Array.isArray(row) ? row : [row];
      one(`${name} (${at})`, () => body(...values));
    }
  };
describe.each = each(describe);
it.each = each(it);
it.skipIf = (isLeftOut) => (isLeftOut ? () => {} : it);
it.runIf = (isTaken) => it.skipIf(!isTaken);

export { it as test };
