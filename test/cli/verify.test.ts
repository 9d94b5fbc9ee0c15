import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { parseValidatorSet } from '../../src/core/validators/from-json.ts';
import { validatorListHashShort } from '../../src/core/validators/list-hash-short.ts';
import { hashOf, makeSignedSet, toAnswer } from '../helpers/make-block.ts';
import { makeSigners } from '../helpers/make-validators.ts';
import { ORDINARY_CASE, ROOT, readAnswer, readVector, SIMPLEX_CASE } from '../helpers/vectors.ts';
import { runCli } from '../helpers/warm-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, contents: unknown): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    typeof contents === 'string' || contents instanceof Uint8Array ? contents : JSON.stringify(contents),
  );
  return path;
}

const simplex = [`vectors/${SIMPLEX_CASE}/signatures.json`, '--validators', `vectors/${SIMPLEX_CASE}/validators.json`];
const ordinary = [
  `vectors/${ORDINARY_CASE}/signatures.json`,
  '--validators',
  `vectors/${ORDINARY_CASE}/validators.json`,
];
const verify = (...words: string[]) => runCli(['verify', ...words]);

const schema = (name: string): object => JSON.parse(readFileSync(join(ROOT, 'schemas', name), 'utf8')) as object;
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const fitsReport = ajv.compile(schema('report-3.json'));
const fitsError = ajv.compile(schema('error-2.json'));

describe('verify', () => {
  it('prints the JSON contract with --json', async () => {
    const { code, stdout, stderr } = await verify(...simplex, '--json');
    const report: unknown = JSON.parse(stdout);
    expect(fitsReport(report), JSON.stringify(fitsReport.errors)).toBe(true);
    expect(report).toMatchObject({
      schema: 'ton-finality/report@3',
      headline: 'FINAL: masterchain block 59379986 (simplex signatures)',
      block: { workchain: -1, shard: '-9223372036854775808', seqno: 59379986 },
      kind: 'simplex',
      verdict: { status: 'final' },
      signedWeight: '316528174049644214',
      totalWeight: '474460508260789386',
      requiredWeight: '316307005507192925',
      coverage: 0.667132,
      counts: {
        entries: 66,
        valid: 66,
        badSignature: 0,
        unknownSigner: 0,
        duplicateSigner: 0,
        validators: 100,
        missing: 34,
      },
      bound: ['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'],
      validatorSet: { provenance: { kind: 'given' }, setCheck: 'not-checked' },
      network: 'not-checked',
      policy: {
        threshold: '2/3',
        onDefect: 'reject',
        acceptClaimed: false,
        acceptUnbound: false,
        requireBoundId: false,
        requireProvenSet: false,
        requireHeader: false,
      },
      warnings: [],
      hints: [],
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('exits with 1 for the simplex block without its lightest signature: insufficient', async () => {
    const answer = readAnswer(SIMPLEX_CASE);
    const full = await verify(...simplex, '--json');
    const { signers } = JSON.parse(full.stdout) as { signers: { weight: string }[] };
    const lightest = signers.reduce(
      (least, { weight }, i) => (BigInt(weight) < BigInt(signers[least]!.weight) ? i : least),
      0,
    );
    answer.result.signatures.splice(lightest, 1);
    const { code, stdout } = await verify(file('lightest.json', answer), ...simplex.slice(1));
    expect(code).toBe(1);
    expect(stdout).toContain('NOT FINAL, insufficient weight');
    expect(stdout).toContain('short of 316307005507192925');
  });

  it('exits with 1 for one bad signature, and with 0 when defects are ignored', async () => {
    const answer = readAnswer(ORDINARY_CASE);
    answer.result.signatures[4]!.signature = answer.result.signatures[5]!.signature!;
    const path = file('bad-signature.json', answer);
    const rejected = await verify(path, ...ordinary.slice(1));
    expect(rejected.code).toBe(1);
    expect(rejected.stdout).toContain('NOT FINAL, rejected for 1 bad entry');
    const ignored = await verify(path, ...ordinary.slice(1), '--ignore-defects');
    expect(ignored.code).toBe(0);
    expect(ignored.stdout).toContain('defects ignored, unlike the node');
  });

  it('compares the set with what the header names, also when a server printed it as a negative number', async () => {
    const signers = makeSigners([50n, 30n, 20n], 'cli');
    const json = {
      main: 3,
      shuffle_mc_validators: true,
      validators: signers.map(({ publicKey, weight }, i) => ({
        public_key: encodeHex(publicKey),
        weight: `${weight}`,
        adnl_addr: encodeHex(hashOf(`adnl ${i}`)),
      })),
    };
    const words = [
      file('signed.json', toAnswer(makeSignedSet('ordinary', signers))),
      '--validators',
      file('set.json', json),
    ];
    const set = parseValidatorSet(json);
    const catchainSeqno = [...Array(50).keys()].find((seqno) => validatorListHashShort(set, seqno)! > 0x7fffffff)!;
    const listHash = validatorListHashShort(set, catchainSeqno)!;
    const match = await verify(
      ...words,
      '--json',
      '--catchain-seqno',
      `${catchainSeqno}`,
      '--list-hash',
      `${listHash | 0}`,
    );
    expect(JSON.parse(match.stdout)).toMatchObject({
      verdict: { status: 'final' },
      validatorSet: { setCheck: 'match' },
    });
    const mismatch = await verify(...words, '--catchain-seqno', `${catchainSeqno + 1}`, '--list-hash', `${listHash}`);
    expect([mismatch.code, mismatch.stdout.split(':')[0]]).toEqual([4, 'UNDECIDED, wrong-validator-set']);
    const half = await verify(...words, '--list-hash', `${listHash}`);
    expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('--list-hash: requires --catchain-seqno')]);
  });
});

describe('hostile input', () => {
  const set = simplex.slice(1);
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const cases: [title: string, contents: string | Uint8Array, says: string][] = [
    ['an empty file', '', 'expected JSON, got nothing'],
    ['white space', ' \n\t', 'expected JSON, got nothing'],
    ['100 MB of garbage', new Uint8Array(100_000_000).fill(0x41), 'expected at most 1048576 bytes, got more'],
    ['deeply nested JSON', deep, 'expected at most 64 levels of JSON, got more'],
    ['binary', new Uint8Array([0xff, 0xfe, 0x00, 0x80]), 'invalid UTF-8'],
    ['HTML', '<html>502</html>', 'expected JSON, got invalid JSON'],
    ['cut JSON', '{"ok":true,"result":{', 'expected JSON, got invalid JSON'],
    ['an array', '[]', 'expected an object, got an array of 0'],
    ['a number', '5', 'expected an object, got the number 5'],
    ['an empty object', '{}', '@type: expected "blocks.blockSignatures"'],
    [
      'a server error',
      '{"ok":false,"result":"Ratelimit exceed","code":429}',
      'the server answered with an error: Ratelimit exceed (code 429)',
    ],
    [
      'a key that stands twice',
      '{"ok":true,"result":{"@type":"a","@t\\u0079pe":"b"}}',
      'duplicate key "@type" in one object',
    ],
    ['a poisoned prototype', '{"__proto__":{"ok":true},"constructor":{}}', '@type: expected'],
  ];

  it.each(cases)('%s is refused with one line and exit code 2', async (title, contents, says) => {
    const { code, stdout, stderr } = await verify(file(`${title}.json`, contents), ...set);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toMatch(/^ton-finality: .+\n(hint: .+\n)?$/);
  });

  it.each(cases)('%s as JSON gives one error object on stderr', async (title, contents) => {
    const { code, stdout, stderr } = await verify(file(`${title}.json`, contents), ...set, '--json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(fitsError(JSON.parse(stderr)), stderr).toBe(true);
  });

  it('a reader that goes away is no error, also when more is left to say than a pipe holds', () => {
    const keys = Array.from({ length: 2000 }, (_, i) => [encodeHex(hashOf(`key ${i}`)), 1]);
    const large = ['verify', simplex[0], '--validators', file('large.json', Object.fromEntries(keys)), '--json'];
    const script = `node build/bundle/app/cli/cli.js ${large.join(' ')} | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: ROOT, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['4\n', '']);
  });
});

it('is undecided by a clock about a set whose end is not known, until that is said', async () => {
  const { validators, main } = readVector<{ main: number; validators: { public_key: string; weight: string }[] }>(
    `${SIMPLEX_CASE}/validators.json`,
  );
  const keys = validators.slice(0, main).map(({ public_key, weight }) => [public_key, weight]);
  const words = [simplex[0]!, '--validators', file('key-map.json', Object.fromEntries(keys))];
  const clock = ['--now', '1775775496'];
  for (const [more, verdict] of [
    [clock, '4 unknown-age'],
    [[], '0 final'],
    [[...clock, '--valid-until', '1775783688'], '0 final'],
    [[...clock, '--valid-until', String(1775775496 - 32768)], '0 final'],
    [[...clock, '--valid-until', String(1775775496 - 32769)], '4 stale-set'],
    [[...clock, '--valid-until', '0'], '4 stale-set'],
    [['--valid-until', '0'], '0 final'],
  ] as const) {
    const { code, stdout } = await verify(...words, ...more, '--json');
    const { status, reason } = (JSON.parse(stdout) as { verdict: { status: string; reason?: string } }).verdict;
    expect([more, `${code} ${reason ?? status}`]).toEqual([more, verdict]);
  }
  expect((await verify(...words, ...clock)).stdout).toContain('--valid-until SECONDS');
});
