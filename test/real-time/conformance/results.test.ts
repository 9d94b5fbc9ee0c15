/** The runner as a command, in a process for each run: the comparison with what is expected, and the forms in which results are written. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFORMANCE, runner } from '../../conformance/runner.ts';
import { ROOT } from '../../helpers/vectors.ts';

const made = (id: string, deed: string, result: string, value?: object) => ({
  id,
  operation: 'boc',
  comment: 'made for a test <&>',
  rule: 'a-rule',
  form: 'plain',
  flags: ['HOSTILE'],
  input: { do: deed },
  expect: { result, ...(value && { value }) },
});
const cases = [
  made('boc/a/1', 'accept', 'accept'),
  made('boc/a/2', 'value', 'accept', { a: '1', b: [2] }),
  made('boc/a/3', 'reject', 'reject'),
  made('boc/a/4', 'accept', 'reject'),
  made('boc/a/5', 'reject', 'accept'),
  made('boc/a/6', 'garbage', 'reject'),
  { ...made('account/a/1', 'accept', 'accept'), operation: 'account' },
];
const notes = { HOSTILE: { means: 'made by an attacker', cost: 'crash' } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  mkdirSync(join(folder, 'suite'));
  mkdirSync(join(folder, 'adapter'));
  const part = (operation: string) => ({
    version: '1.2.3',
    operation,
    notes,
    cases: cases.filter((one) => one.operation === operation),
  });
  for (const operation of ['boc', 'account']) {
    writeFileSync(join(folder, 'suite', `${operation}.json`), runner.suiteText(part(operation)));
  }
  const start = [process.execPath, join(ROOT, 'test/conformance/fake-adapter.mjs')];
  writeFileSync(join(folder, 'adapter', 'adapter.json'), JSON.stringify({ start }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) => {
  const program = join(CONFORMANCE, 'run/main.mjs');
  const all = [program, '--suite', join(folder, 'suite'), '--adapter', join(folder, 'adapter'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('the runner as a command', () => {
  const out = (name: string) => join(folder, name);

  it('ends with 1 where results are not those expected, and says which', () => {
    const { status, stdout } = run('--json', out('r.json'), '--junit', out('r.xml'), '--html', out('r.html'));
    expect(status).toBe(1);
    expect(stdout).toContain('boc/a/4: wrong-accept, expected passed');
    const results = JSON.parse(readFileSync(out('r.json'), 'utf8')) as Record<string, unknown>;
    expect(results).toMatchObject({
      implementation: 'fake',
      totals: { passed: 3, 'wrong-accept': 1, 'wrong-reject': 1, crash: 1, timeout: 0, unsupported: 1 },
      byFlag: { HOSTILE: { passed: 3 } },
      suite: { version: '1.2.3', cases: 7 },
      asExpected: false,
    });
    const schema = JSON.parse(readFileSync(join(CONFORMANCE, 'schemas/results-1.json'), 'utf8')) as object;
    const valid = new Ajv.default({ strict: false }).compile(schema);
    expect(valid(results) ? [] : valid.errors).toEqual([]);
    const xml = readFileSync(out('r.xml'), 'utf8');
    expect(xml).toContain('<testsuite name="boc" tests="6" failures="2" errors="1" skipped="0">');
    expect(xml).toContain('made for a test &#60;&#38;&#62;');
    const page = readFileSync(out('r.html'), 'utf8');
    expect(page).toContain('boc/a/6');
    expect(page).not.toMatch(/<script|test <&>/);
  });

  it('ends with 0 once the failures are known, and with 1 when one of them passes or another comes', () => {
    expect(run('--expect').status).toBe(0);
    expect(run().status).toBe(0);
    expect(run('--only', 'boc/a/1').status).toBe(0);
    const path = out('adapter/expected.json');
    const expected = JSON.parse(readFileSync(path, 'utf8')) as { notPassed: Record<string, string> };
    expect(expected.notPassed).toEqual({ 'boc/a/4': 'wrong-accept', 'boc/a/5': 'wrong-reject', 'boc/a/6': 'crash' });
    for (const notPassed of [{ ...expected.notPassed, 'boc/a/1': 'crash' }, { 'boc/a/4': 'wrong-accept' }]) {
      writeFileSync(path, JSON.stringify({ ...expected, notPassed }));
      expect(run().status).toBe(1);
    }
    rmSync(path);
  });

  it('ends with 1 where an adapter says something else of a case that is open than it did before', () => {
    const own = join(folder, 'open');
    mkdirSync(own);
    const one = made('boc/a/1', 'accept', 'either');
    const open = { ...one, expect: { ...one.expect, reason: 'made for a test' } };
    const write = (deed: string) => {
      const file = { version: '1', operation: 'boc', notes, cases: [{ ...open, input: { do: deed } }] };
      writeFileSync(join(own, 'boc.json'), runner.suiteText(file));
    };
    write('accept');
    expect(run('--suite', own, '--expect').status).toBe(0);
    expect(run('--suite', own).status).toBe(0);
    write('reject');
    const { status, stdout } = run('--suite', own);
    expect([status, stdout]).toEqual([1, expect.stringContaining('boc/a/1: reject, expected accept')]);
    rmSync(out('adapter/expected.json'));
  });

  it('scores a case that hangs as a timeout', () => {
    const own = join(folder, 'hanging');
    mkdirSync(own);
    const hanging = { version: '1', operation: 'boc', notes, cases: [made('boc/a/1', 'hang', 'reject')] };
    writeFileSync(join(own, 'boc.json'), runner.suiteText(hanging));
    const { status, stdout } = run('--suite', own, '--case-timeout', '300');
    expect(status).toBe(1);
    expect(stdout).toContain('boc/a/1: timeout, expected passed');
  });

  it.each([
    [['--adapter', 'nobody'], /no adapter nobody/],
    [['--only', 'nothing/'], /no case/],
    [['--case-timeout', 'soon'], /--case-timeout/],
    [['--only', 'boc/', '--record'], /whole suite/],
    [['--what'], /--what/],
  ])('ends with 2 and one line where it cannot run: %j', (args, words) => {
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('    at ');
  });

  it('ends with 2 over a suite in which one byte was changed', () => {
    const own = join(folder, 'changed');
    mkdirSync(own);
    const text = readFileSync(join(folder, 'suite/boc.json'), 'utf8').replace('"accept"', '"reject"');
    writeFileSync(join(own, 'boc.json'), text);
    const { status, stderr } = run('--suite', own);
    expect(status).toBe(2);
    expect(stderr).toContain('not those of its sha256');
  });
});

describe('an adapter whose results are not published', () => {
  it('is compared with nothing until somebody says what is known of it', () => {
    const own = join(folder, 'unpublished');
    mkdirSync(own);
    const start = [process.execPath, join(ROOT, 'test/conformance/fake-adapter.mjs')];
    writeFileSync(join(own, 'adapter.json'), JSON.stringify({ start, published: false }));
    const { status, stdout } = run('--adapter', own, '--json', join(folder, 'u.json'));
    expect(status).toBe(0);
    expect(stdout).toContain('not compared with anything');
    expect(JSON.parse(readFileSync(join(folder, 'u.json'), 'utf8'))).toMatchObject({ asExpected: false });
  });
});
