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
import { ORDINARY_CASE, ROOT, readAnswer, SIMPLEX_CASE } from '../helpers/vectors.ts';
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
  it('prints FINAL with the weights of the recorded simplex block and exits with 0', async () => {
    const { code, stdout, stderr } = await verify(...simplex);
    expect(stdout).toContain('FINAL: masterchain block 59379986 (simplex signatures)');
    expect(stdout).toContain('316528174049644214 of 474460508260789386 signed, 221168542451289 more than needed');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

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

  it('lists every signer and every missing validator with --signers', async () => {
    const { stdout } = await verify(...simplex, '--signers');
    expect(stdout.match(/^ +\d+ {2}[0-9a-f]{64} .* valid$/gm)).toHaveLength(66);
    expect(stdout.match(/^ +- {2}[0-9a-f]{64} .* missing$/gm)).toHaveLength(34);
  });

  it('reads the answer from standard input', async () => {
    const answer = readFileSync(join(ROOT, simplex[0]!));
    const { code, stdout } = await runCli(['verify', '-', ...simplex.slice(1)], { stdin: answer });
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'FINAL: masterchain block 59379986 (simplex signatures)']);
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

  it('exits with 4 for a set of another epoch, and says what to do', async () => {
    const wrong = 'vectors/real/testnet-2025-02/block-27683981-wrong-epoch';
    const { code, stdout } = await verify(`${wrong}/signatures.json`, '--validators', `${wrong}/validators.json`);
    expect(code).toBe(4);
    expect(stdout).toContain('UNDECIDED, no-known-signer');
    expect(stdout).toMatch(/hint .*the validator set of this network and round/);
  });

  it('asks for more than 2/3 with --threshold, and never for less', async () => {
    const stricter = await verify(...simplex, '--threshold', '3/4', '--json');
    expect([stricter.code, JSON.parse(stricter.stdout)]).toEqual([
      1,
      expect.objectContaining({ requiredWeight: '355845381195592040' }),
    ]);
    const { code, stderr } = await verify(...simplex, '--threshold', '1/2');
    expect([code, stderr]).toEqual([2, 'ton-finality: threshold: expected 2/3 <= threshold < 1, got 1/2\n']);
  });

  it('is undecided about an ordinary block with --require-bound-id', async () => {
    const { code, stdout } = await verify(...ordinary, '--require-bound-id');
    expect([code, stdout.split(':')[0]]).toEqual([4, 'UNDECIDED, unbound-id']);
    expect((await verify(...simplex, '--require-bound-id')).code).toBe(0);
  });

  it('refuses an answer about another block than the expected one', async () => {
    const root = '4a46b58c0ee1187f7a904fb27363e8dd2c49dc3a8c695632d52205201f1e69a9';
    expect((await verify(...simplex, '--expect-root-hash', root)).code).toBe(0);
    expect((await verify(...simplex, '--expect-file-hash', 'y3sOD+tY2PoNcF3Dd6YBNrqavlGEyL3YGs7GjRWQwbQ=')).code).toBe(
      0,
    );
    const other = await verify(...simplex, '--expect-root-hash', root.replace('4a', '4b'));
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('id.root_hash: expected the hash of --expect-root-hash');
    const otherFile = await verify(...simplex, '--expect-file-hash', root);
    expect([otherFile.code, otherFile.stderr]).toEqual([
      2,
      expect.stringContaining('id.file_hash: expected the hash of'),
    ]);
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

  it.each([
    ['a directory', [folder, ...set], 'expected a file, got a directory'],
    ['a missing file', [join(folder, 'none.json'), ...set], 'no such file'],
    ['no file', set, 'expected one FILE, -, SEQNO or latest, got nothing'],
    ['two files', ['a', 'b', ...set], 'expected one FILE, -, SEQNO or latest, got 2'],
    ['no validator set', simplex.slice(0, 1), 'expected --validators FILE or --checkpoint FILE, got no validator set'],
    ['standard input for both', ['-', '--validators', '-'], 'expected - for at most one file'],
    ['an unknown flag', [...simplex, '--treshold', '1/2'], '--treshold: unknown option; did you mean --threshold?'],
    [
      'a flag twice',
      [...simplex, '--threshold', '9/10', '--threshold', '2/3'],
      '--threshold: expected once, got twice',
    ],
    ['the two files swapped', ['x', '--validators', simplex[0]!], 'expected a validator set, got a server answer'],
    ['a flag without its value', [...simplex, '--threshold'], '--threshold: expected N/D, got nothing'],
    ['a value for a flag that takes none', [...simplex, '--json=yes'], '--json: expected no value, got "yes"'],
    [
      'a threshold that is no fraction',
      [...simplex, '--threshold', '0.7'],
      '--threshold: expected a fraction as in 3/4',
    ],
    [
      'a hash of the wrong length',
      [...simplex, '--expect-root-hash', 'abcd'],
      '--expect-root-hash: expected 32 bytes in hex or base64',
    ],
    [
      'a catchain seqno that is no number',
      [...simplex, '--catchain-seqno', '1e3', '--list-hash', '1'],
      '--catchain-seqno: expected a 32-bit integer',
    ],
  ])('%s is refused with exit code 2', async (_, words, says) => {
    const { code, stdout, stderr } = await verify(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.toLowerCase()).toContain(says.toLowerCase());
  });

  it('a validator set that is none is refused by what is wrong with it', async () => {
    const { code, stderr } = await verify(simplex[0]!, '--validators', file('two.json', { main: 2, validators: [] }));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'two.json: main: expected 1 to 0, the length of the list, got the number 2\nhint: only the first `main`',
      ),
    ]);
  });

  it('closed standard input is empty input', async () => {
    const { code, stderr } = await runCli(['verify', '-', ...set], { stdin: 'closed' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('standard input: expected JSON, got nothing')]);
  });

  it('a reader that goes away is no error, also when more is left to say than a pipe holds', () => {
    const keys = Array.from({ length: 2000 }, (_, i) => [encodeHex(hashOf(`key ${i}`)), 1]);
    const large = ['verify', simplex[0], '--validators', file('large.json', Object.fromEntries(keys)), '--json'];
    const script = `node build/bundle/app/cli/cli.js ${large.join(' ')} | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: ROOT, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['4\n', '']);
  });

  it('no server text reaches the terminal with control characters', async () => {
    const { stderr } = await verify(
      file('escape.json', { ok: false, error: '\u001b[2J\u0007gone', code: 500 }),
      ...set,
    );
    expect(stderr).toContain('the server answered with an error: [2J gone (code 500)');
  });
});

describe('the command', () => {
  it('has help and a version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect((await runCli(['--help'])).stdout).toContain('ton-finality verify');
    expect((await runCli(['verify', '--help'])).stdout).toContain('exit code: 0 final, 1 not final');
  });

  it('shows its help when it is called with nothing', async () => {
    const { stdout, stderr } = await runCli(['--help']);
    expect(await runCli([])).toMatchObject({ code: 0, stdout, stderr });
  });

  it.each([['frobnicate'], ['__proto__'], ['--json'], ['']])(
    'without a known command is a usage error: %j',
    async (...words) => {
      const { code, stdout } = await runCli(words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    },
  );
});
