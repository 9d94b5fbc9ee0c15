/** `--strict`, what it adds up to, and the clock: what a bridge runs before it releases money. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAINNET } from '../../src/chain.ts';
import { encodeHex } from '../../src/core/base/bytes.ts';
import type { CliResult } from '../helpers/run-cli.ts';
import { ORDINARY_CASE, readVector, SIMPLEX_CASE } from '../helpers/vectors.ts';
import { runCli } from '../helpers/warm-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-strict-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** The checkpoint whose set signed the ordinary block, and the one of the simplex block. */
const checkpoints = { ordinary: at('ordinary.json'), simplex: at('simplex.json') };
beforeAll(async () => {
  const real = (path: string) => `vectors/real/${path}`;
  const pins = (rootHash: string, fileHash: string) => ['--root-hash', rootHash, '--file-hash', fileHash];
  const { rootHash, fileHash } = MAINNET.initBlock;
  const simplexPins = pins(
    '6d0db70f5da0bf1500bdd97eadec0bb52cc7d399c013dc9534495b827c3685ed',
    'b52cf2a57c8a3ac9bd6532a72bb3bed13827faa07452ef25ee3dfde3257349d2',
  );
  const init = ['checkpoint', 'init', '--key-block'];
  const runs = await all([
    [
      ...init,
      real('mainnet-2025-04/block-46897112/config-proof.boc'),
      ...pins(encodeHex(rootHash), encodeHex(fileHash)),
      '--out',
      at('start.json'),
    ],
    [...init, `vectors/${SIMPLEX_CASE}/config-proof.boc`, ...simplexPins, '--out', checkpoints.simplex],
    [
      ...['checkpoint', 'advance', '--checkpoint', at('start.json'), '--now', '1744880000'],
      ...['--proof', real('mainnet-2025-04/partial-block-proof.tl'), '--out', checkpoints.ordinary],
    ],
  ]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
});

/** Runs command lines in one process. */
async function all(lines: readonly (readonly string[])[]): Promise<readonly CliResult[]> {
  const results: CliResult[] = [];
  for (const words of lines) results.push(await runCli(words));
  return results;
}

const ORDINARY = ['verify', `vectors/${ORDINARY_CASE}/signatures.json`, '--now', '1744917400'];
const SIMPLEX = ['verify', `vectors/${SIMPLEX_CASE}/signatures.json`, '--now', '1775775496'];
const SIMPLEX_HEADER = ['--block', `vectors/${SIMPLEX_CASE}/dest-proof.boc`];
const ORDINARY_HEADER = ['--block', `vectors/${ORDINARY_CASE}/dest-proof.boc`];
const without = (words: readonly string[], flag: string) =>
  words.filter((_, index) => words[index] !== flag && words[index - 1] !== flag);

async function expectVerdicts(cases: readonly (readonly [words: readonly string[], verdict: string])[]): Promise<void> {
  const runs = await all(cases.map(([words]) => [...words, '--json']));
  const got = runs.map(({ code, stdout, stderr }, index) => {
    if (stdout === '') return `${code} ${stderr}`;
    const { verdict } = JSON.parse(stdout) as { verdict: { status: string; reason?: string } };
    return [cases[index]![0].join(' '), `${code} ${verdict.reason ?? verdict.status}`];
  });
  expect(got).toEqual(cases.map(([words, verdict]) => [words.join(' '), verdict]));
}

describe('--strict', () => {
  it('lets a block be final only with a bound id and a proven set that is young enough', async () => {
    const strictly = (words: readonly string[]) => [...words, '--strict'];
    const proven = ['--checkpoint', checkpoints.ordinary];
    const given = (folder: string) => ['--validators', `vectors/${folder}/validators.json`];
    await expectVerdicts([
      [strictly([...SIMPLEX, '--checkpoint', checkpoints.simplex, ...SIMPLEX_HEADER]), '0 final'],
      [strictly([...SIMPLEX, '--checkpoint', checkpoints.simplex]), '4 epoch-not-checked'],
      [strictly([...ORDINARY, ...proven, ...ORDINARY_HEADER]), '0 final'],
      [strictly([...ORDINARY, ...proven]), '4 unbound-id'],
      [strictly([...ORDINARY, ...given(ORDINARY_CASE), ...ORDINARY_HEADER]), '4 claimed-set'],
      [strictly([...SIMPLEX, ...given(SIMPLEX_CASE)]), '4 claimed-set'],
      [strictly([...without(SIMPLEX, '--now'), '--checkpoint', checkpoints.simplex]), '4 stale-set'],
      [strictly([...ORDINARY, '--checkpoint', checkpoints.simplex]), '4 no-known-signer'],
      [[...ORDINARY, ...proven], '0 final'],
      [[...SIMPLEX, '--validators', `vectors/${SIMPLEX_CASE}/validators.json`], '0 final'],
    ]);
  });

  it('shows what it asked for, and takes a threshold that is stricter still', async () => {
    const words = [...SIMPLEX, '--checkpoint', checkpoints.simplex, ...SIMPLEX_HEADER, '--strict', '--json'];
    const [plain, stricter] = await all([words, [...words, '--threshold', '3/4']]);
    expect(JSON.parse(plain!.stdout)).toMatchObject({
      policy: {
        threshold: '2/3',
        onDefect: 'reject',
        acceptClaimed: false,
        acceptUnbound: false,
        requireBoundId: true,
        requireProvenSet: true,
        requireHeader: true,
      },
      run: { judgedAt: 1775775496 },
    });
    expect(JSON.parse(stricter!.stdout)).toMatchObject({
      verdict: { status: 'insufficient' },
      policy: { threshold: '3/4' },
    });
  });

  it('refuses every exception beside it, and an unbound number beside a demand for a bound one', async () => {
    const words = [...SIMPLEX, '--checkpoint', checkpoints.simplex];
    const exceptions = ['--ignore-defects', '--accept-claimed', '--accept-unbound'];
    const runs = await all([
      ...exceptions.map((flag) => [...words, '--strict', flag]),
      [...words, '--require-bound-id', '--accept-unbound'],
    ]);
    for (const [index, { code, stdout, stderr }] of runs.entries()) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(
        index < 3
          ? `${exceptions[index]}: cannot be combined with --strict`
          : '--accept-unbound: cannot be combined with --require-bound-id',
      );
    }
  });

  it('refuses another block than the expected one with a code of its own', async () => {
    const words = [
      ...SIMPLEX,
      '--checkpoint',
      checkpoints.simplex,
      '--strict',
      '--expect-root-hash',
      '00'.repeat(32),
      '--json',
    ];
    const { code, stderr } = await runCli(words);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'decode/unexpected-block', path: 'id.root_hash' });
    expect(code).toBe(2);
  });
});

describe('a set whose end is not known', () => {
  it('is of unknown age by a clock, until its end is said', async () => {
    const { validators, main } = readVector<{ main: number; validators: { public_key: string; weight: string }[] }>(
      `${SIMPLEX_CASE}/validators.json`,
    );
    const keyMap = at('key-map.json');
    writeFileSync(
      keyMap,
      JSON.stringify(
        Object.fromEntries(validators.slice(0, main).map(({ public_key, weight }) => [public_key, weight])),
      ),
    );
    const words = [...SIMPLEX, '--validators', keyMap];
    await expectVerdicts([
      [words, '4 unknown-age'],
      [without(words, '--now'), '0 final'],
      [[...words, '--valid-until', '1775783688'], '0 final'],
      [[...words, '--valid-until', String(1775775496 - 32768)], '0 final'],
      [[...words, '--valid-until', String(1775775496 - 32769)], '4 stale-set'],
      [[...words, '--valid-until', '0'], '4 stale-set'],
      [[...without(words, '--now'), '--valid-until', '0'], '0 final'],
    ]);
    const { stdout } = await runCli(words);
    expect(stdout).toContain('--valid-until SECONDS');
  });

  it('is one whose file and checkpoint do not say it', async () => {
    const file = `vectors/${SIMPLEX_CASE}/validators.json`;
    const until = readVector<{ utime_until: number }>(`${SIMPLEX_CASE}/validators.json`).utime_until;
    const runs = await all([
      [...SIMPLEX, '--validators', file, '--valid-until', '4000000000'],
      [...SIMPLEX, '--checkpoint', checkpoints.simplex, '--valid-until', '4000000000'],
      ...['-1', '1e9', '1775783688000', '4294967296', ''].map((text) => [
        ...SIMPLEX,
        '--validators',
        file,
        `--valid-until=${text}`,
      ]),
    ]);
    expect(runs.map(({ code, stdout }) => ({ code, stdout }))).toEqual(runs.map(() => ({ code: 2, stdout: '' })));
    expect(runs[0]?.stderr).toContain(`--valid-until: the validator set already has an expiry time: ${until}`);
    expect(runs[1]?.stderr).toContain('--valid-until: requires --validators');
    for (const { stderr } of runs.slice(2))
      expect(stderr).toContain('--valid-until: expected a Unix time in whole seconds');
  });

  it('may be told by a clock only in seconds', async () => {
    const words = without(SIMPLEX, '--now');
    const runs = await all(
      ['-1', '1775775496000', 'now'].map((text) => [...words, '--checkpoint', checkpoints.simplex, `--now=${text}`]),
    );
    for (const { code, stderr } of runs) {
      expect(stderr).toContain('--now: expected a Unix time in whole seconds');
      expect(code).toBe(2);
    }
  });
});

it('the help of each command names its exit codes', async () => {
  expect((await runCli(['verify', '--help'])).stdout).toContain('4 undecided, 5 internal error');
  const { stdout } = await runCli(['checkpoint', 'advance', '--help']);
  expect(stdout.replace(/\s+/g, ' ')).toContain('4 the first validator set is stale, 5 internal error');
});
