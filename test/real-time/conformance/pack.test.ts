/** What leaves the repository: the archive of the suite, alone in an empty folder, and the package, without the suite. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformancePage } from '../../../scripts/conformance-table.mjs';
import { rules } from '../../../scripts/rule-table.mjs';
import { CONFORMANCE } from '../../conformance/runner.ts';
import { ROOT } from '../../helpers/vectors.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-pack-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pack = (name: string) => {
  const path = join(folder, name);
  execFileSync(process.execPath, [join(CONFORMANCE, 'run/pack.mjs'), path]);
  return path;
};

describe('the archive of the suite', () => {
  it('has the same bytes each time, and in an empty folder it puts an adapter of its reader before the suite', () => {
    const [one, other] = [pack('one.tgz'), pack('other.tgz')];
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
    execFileSync('tar', ['-xzf', one, '-C', folder]);
    const own = join(folder, 'ton-finality-conformance');
    expect(readdirSync(own).sort()).toEqual([
      'LICENSE',
      'README.md',
      'adapters',
      'protocol.md',
      'rules.json',
      'run',
      'schemas',
      'suite',
    ]);
    expect(readdirSync(join(own, 'adapters')).sort()).toEqual(['example-go', 'example-python']);
    // An adapter of a few lines that refuses everything.
    const program = `console.log(JSON.stringify({ implementation: 'no', version: '1', language: 'JavaScript', operations: ['config-param'] }));
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => console.log(JSON.stringify({ id: JSON.parse(line).id, result: 'reject' })));`;
    writeFileSync(join(own, 'adapters/adapter.json'), JSON.stringify({ start: [process.execPath, 'no.cjs'] }));
    writeFileSync(join(own, 'adapters/no.cjs'), program);
    const args = ['run/main.mjs', '--adapter', 'adapters', '--only', 'config-param/', '--json', 'r.json'];
    const { status } = spawnSync(process.execPath, args, { cwd: own, env: {} });
    expect(status).toBe(1);
    const { totals } = JSON.parse(readFileSync(join(own, 'r.json'), 'utf8')) as { totals: Record<string, number> };
    expect(totals['wrong-accept']).toBe(0);
    expect(totals['wrong-reject']).toBeGreaterThan(10);
    expect(totals.passed).toBeGreaterThan(50);
  });
});

it('the package of the library has nothing of the suite', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  expect(files.filter((name) => name.startsWith('conformance') || name === 'build' || name === 'docs')).toEqual([]);
  for (const page of ['rules', 'conformance']) expect(files).toContain(`!docs/${page}.md`);
});

describe('results', () => {
  it('are those of docs/conformance.md: npm run docs', () => {
    const plain = (text: string) =>
      text
        .replace(/ *\| */g, '|')
        .replace(/-{3,}/g, '---')
        .trim();
    expect(plain(readFileSync(join(ROOT, 'docs/conformance.md'), 'utf8'))).toBe(plain(conformancePage()));
  });

  it('that are published name no implementation that accepts what it should not, and are of this suite', () => {
    const names = readdirSync(join(CONFORMANCE, 'results'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const { totals, suite } = JSON.parse(readFileSync(join(CONFORMANCE, 'results', name), 'utf8')) as {
        totals: Record<string, number>;
        suite: { cases: number };
      };
      expect(totals['wrong-accept'], name).toBe(0);
      expect(suite.cases, name).toBeGreaterThan(4000);
    }
  });
});

describe('a letter to maintainers', () => {
  const results = {
    implementation: 'a-verifier',
    version: '1.2.3',
    adapter: 'a-folder',
    suite: { version: '1.0.0', sha256: 'ab'.repeat(32) },
    notPassed: [
      { id: 'signatures/signer-once/tl-ordinary/0-again', rule: 'signer-once', score: 'wrong-accept' },
      { id: 'boc/boc-depth/generic/1025', rule: 'boc-depth', score: 'crash', detail: 'exited with 2\nstack' },
      { id: 'boc/boc-depth/generic/good', rule: 'boc-depth', score: 'wrong-reject' },
    ],
  };
  const cases = [{ id: 'signatures/signer-once/tl-ordinary/0-again', comment: 'One entry stands twice.' }];

  it('says what is accepted, which rule that breaks with its source in the node, how to see it, and by when', async () => {
    const { letter } = (await import(join(CONFORMANCE, 'run/letters.mjs'))) as {
      letter(results: object, rules: readonly object[], cases: readonly object[]): string | undefined;
    };
    const text = letter(results, rules(), cases)!;
    expect(text).toContain('# To the maintainers of a-verifier');
    expect(text).toContain('- `signatures/signer-once/tl-ordinary/0-again`: One entry stands twice.');
    expect(text).toContain('ton crypto/block/signature-set.cpp');
    expect(text).toContain('--adapter a-folder --only <id>');
    expect(text).toContain('90 days');
    expect(text).toContain('(exited with 2)');
    expect(text).not.toContain('generic/good');
    expect(letter({ ...results, notPassed: results.notPassed.slice(2) }, rules(), cases)).toBeUndefined();
  });
});
