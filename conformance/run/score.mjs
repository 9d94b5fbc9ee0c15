/** What an answer is worth against what a case expects, and the sums of it. */

export const SCORES = ['passed', 'wrong-accept', 'wrong-reject', 'crash', 'timeout', 'unsupported'];

/** A value as text that does not depend on the order of members. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

/** Where two values differ, for the reader. */
function difference(wanted, got) {
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const [a, b] = [wanted[name], got[name]].map((one) => (one === undefined ? 'nothing' : canonical(one)));
    if (a !== b) return `${name}: expected ${a.slice(0, 150)}, got ${b.slice(0, 150)}`;
  }
  return 'another value';
}

/** @returns {{ score: string, detail?: string }} of one case */
export function score({ expect }, outcome) {
  if (outcome === undefined) return { score: 'crash', detail: 'was not asked' };
  if (outcome.fault !== undefined) return { score: outcome.fault, detail: outcome.detail };
  const { result, value = {}, detail } = outcome.answer;
  const words = detail === undefined ? {} : { detail };
  if (result === 'unsupported') return { score: 'unsupported', ...words };
  if (result === 'reject') return { score: expect.result === 'accept' ? 'wrong-reject' : 'passed', ...words };
  if (expect.result === 'reject') return { score: 'wrong-accept', ...words };
  // To accept with another value is to act on something that was not proven.
  if (expect.value !== undefined && canonical(expect.value) !== canonical(value)) {
    return { score: 'wrong-accept', detail: difference(expect.value, value) };
  }
  return { score: 'passed', ...words };
}

const noCounts = () => Object.fromEntries(SCORES.map((name) => [name, 0]));

/** Sums, and the cases that did not pass. */
export function resultsOf(suite, cases, { hello, outcomes, faults }) {
  const totals = noCounts();
  const byOperation = {};
  const byFlag = {};
  const notPassed = [];
  const either = {};
  for (const one of cases) {
    const { score: got, detail } = score(one, outcomes.get(one.id));
    byOperation[one.operation] ??= noCounts();
    const said = outcomes.get(one.id)?.answer?.result;
    if (one.expect.result === 'either' && got === 'passed') either[one.id] = said;
    totals[got]++;
    byOperation[one.operation][got]++;
    for (const flag of one.flags) {
      byFlag[flag] ??= noCounts();
      byFlag[flag][got]++;
    }
    const isOutside = got === 'unsupported' && !hello.operations.includes(one.operation);
    if (got !== 'passed' && !isOutside) {
      notPassed.push({ id: one.id, rule: one.rule, score: got, ...(detail === undefined ? {} : { detail }) });
    }
  }
  const { implementation, version, language, operations } = hello;
  return {
    schema: 'ton-finality/conformance-results@1',
    implementation,
    version,
    language,
    operations,
    suite: { version: suite.version, sha256: suite.sha256, cases: cases.length },
    totals,
    byOperation,
    byFlag: Object.fromEntries(Object.entries(byFlag).sort(([a], [b]) => (a < b ? -1 : 1))),
    notPassed,
    either,
    faults,
  };
}

/**
 * Compares results with what is known of an implementation.
 * @param expected `{ operations, notPassed: { id: score }, either: { id: result } }`, the file expected.json beside an adapter
 * @param ids the cases that were asked: the others are not compared
 * @returns {string[]} each difference in words
 */
export function differences(results, expected, ids) {
  const found = [];
  const known = new Map(Object.entries(expected.notPassed ?? {}).filter(([id]) => ids.has(id)));
  const operations = (expected.operations ?? []).filter((name) => !results.operations.includes(name));
  for (const name of operations) found.push(`operation ${name}: expected, and gone`);
  for (const name of results.operations) {
    if (!(expected.operations ?? []).includes(name)) found.push(`operation ${name}: not expected`);
  }
  for (const { id, score: got } of results.notPassed) {
    const wanted = known.get(id) ?? 'passed';
    if (wanted !== got) found.push(`${id}: ${got}, expected ${wanted}`);
    known.delete(id);
  }
  for (const [id, wanted] of known) found.push(`${id}: passed, expected ${wanted}`);
  for (const [id, wanted] of Object.entries(expected.either ?? {})) {
    const said = results.either[id];
    if (ids.has(id) && said !== undefined && said !== wanted) found.push(`${id}: ${said}, expected ${wanted}`);
  }
  for (const fault of results.faults) found.push(`fault: ${fault}`);
  return found;
}
