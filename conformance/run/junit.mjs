/** Results as JUnit XML, which CI systems read: an operation is a suite, a case a test. */

/** Whether XML can hold a character at all. */
const isXml = (point) =>
  point === 9 ||
  point === 10 ||
  point === 13 ||
  (point >= 32 && point < 0xd800) ||
  (point > 0xdfff && (point & 0xfffe) !== 0xfffe);

const escaped = (text) =>
  [...text]
    .map((one) => (isXml(one.codePointAt(0)) ? one : ' '))
    .join('')
    .replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

export function junit(results, cases) {
  const scores = new Map(results.notPassed.map((one) => [one.id, one]));
  const has = new Set(results.operations);
  const suites = Object.keys(results.byOperation).map((operation) => {
    const own = cases.filter((one) => one.operation === operation);
    const counts = results.byOperation[operation];
    const tests = own.map(({ id, rule, comment }) => {
      const { score = has.has(operation) ? 'passed' : 'unsupported', detail = '' } = scores.get(id) ?? {};
      const head = `    <testcase classname="${escaped(`${operation}.${rule}`)}" name="${escaped(id)}"`;
      if (score === 'passed') return `${head}/>`;
      const message = `message="${escaped(`${score}: ${comment}`)}"`;
      if (score === 'unsupported') return `${head}><skipped ${message}/></testcase>`;
      const kind = score.startsWith('wrong') ? 'failure' : 'error';
      return `${head}><${kind} ${message}>${escaped(detail)}</${kind}></testcase>`;
    });
    const failures = counts['wrong-accept'] + counts['wrong-reject'];
    const errors = counts.crash + counts.timeout;
    const sums = `tests="${own.length}" failures="${failures}" errors="${errors}" skipped="${counts.unsupported}"`;
    return `  <testsuite name="${escaped(operation)}" ${sums}>\n${tests.join('\n')}\n  </testsuite>`;
  });
  const name = escaped(`${results.implementation} ${results.version}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}">\n${suites.join('\n')}\n</testsuites>\n`;
}
