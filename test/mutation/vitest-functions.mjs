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

export function describe(name, options, body = options) {
  outer.push(name);
  body();
  outer.pop();
}

export function it(name, options, body = options) {
  globalThis.gatheredTests.push({ file: globalThis.testFile, name: [...outer, name].join(' > '), body });
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

export { it as test };
