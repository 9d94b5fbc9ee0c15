/** `ton-finality audit` in child processes: what it writes, how it ends, and that no end leaves a trace in the ledger. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { checkpointToJson } from '../../src/core/chain/checkpoint.ts';
import { auditChain, httpChain, scratch, startOf, text, writeFolder } from '../helpers/audit-chain.ts';
import { killedAudit } from '../helpers/killed-audit.ts';
import { locksOf } from '../helpers/locks-of.ts';
import { handMade } from '../helpers/recorded-ledgers.ts';
import { startCli } from '../helpers/run-cli.ts';
import { share } from '../helpers/share.ts';
import { startStandIn } from '../helpers/stand-in.ts';
import { runCli } from '../helpers/warm-cli.ts';

const place = scratch();
afterAll(place.remove);

const fits = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(
  JSON.parse(text('schemas/audit-check-1.json')) as object,
);

const GENESIS = 'vectors/real/mainnet-genesis';
/** Without progress, which a busy machine is slow enough to be told of. */
const recorded = (out: string, ...more: string[]) => [
  ...['audit', '--quiet'],
  ...['--from', '1', '--to', '99', '--from-files', GENESIS],
  ...['--validators', `${GENESIS}/validators.json`, '--out', out, ...more],
];

describe('ton-finality audit', () => {
  it('writes the recorded ledger of mainnet blocks 1 to 99, and has nothing to do the second time', async () => {
    const out = place.next();
    const first = await runCli(recorded(out));
    expect(first.stdout).toContain('99 blocks, 1 to 99: 99 final, 0 not final, 0 not fetched, 0 undecided');
    expect(first.stdout).toContain('warning    unbound-seqno: ');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(text(out)).toBe(text('vectors/audit/mainnet-1-99.ndjson'));
    expect(locksOf(out)).toEqual([]);
    const second = await runCli(recorded(out, '--json'));
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(second.stdout)).toMatchObject({
      schema: 'ton-finality/audit-result@1',
      rows: 99,
      final: 99,
      unbound: 89,
      thinnest: { seqno: 1 },
    });
    expect(text(out)).toBe(text('vectors/audit/mainnet-1-99.ndjson'));
  });

  it('judges the blocks of a ledger again, and ends with 1 at the first row that says something else', async () => {
    const ledger = 'vectors/audit/mainnet-1-99.ndjson';
    const words = ['audit', 'check', ledger, '--from-files', GENESIS, '--quiet'];
    const whole = await runCli([...words, '--validators', `${GENESIS}/validators.json`]);
    expect(whole.stdout).toMatch(/^AGREES: 99 of 99 rows of masterchain blocks 1 to 99\n/);
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    const sample = await runCli([...words, '--sample', '7', '--seed', 'mine', '--json']);
    expect(sample).toMatchObject({ code: 0, stderr: '' });
    const said = JSON.parse(sample.stdout) as unknown;
    expect(said).toMatchObject({ outcome: 'agrees', rows: 99, looked: 7, agree: 7, seed: 'mine', sets: 'ledger' });
    expect(fits(said), JSON.stringify(fits.errors)).toBe(true);
    const made = place.next();
    const lines = text(ledger)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { block?: { seqno: number } });
    const up = lines.map((line) =>
      line.block?.seqno === 42 ? { ...line, block: { ...line.block, fileHash: '7'.repeat(64) } } : line,
    );
    writeFileSync(made, handMade(up));
    const differs = await runCli(['audit', 'check', made, '--from-files', GENESIS, '--quiet']);
    expect(differs.stdout).toMatch(
      /^DIFFERS: block 42: block.fileHash is "777.* "[0-9a-f]{64}" according to its blocks\n/,
    );
    expect(differs).toMatchObject({ code: 1, stderr: '' });
    const json = await runCli(['audit', 'check', made, '--from-files', GENESIS, '--json']);
    expect(fits(JSON.parse(json.stdout)), JSON.stringify(fits.errors)).toBe(true);
    const proven = await runCli(['audit', 'check', 'vectors/audit/mixed.ndjson', '--from-files', GENESIS, '--quiet']);
    expect(proven.stderr).toMatch(/^ton-finality: --checkpoint: expected the checkpoint that the sets of this ledger/);
    const folder = place.next('empty');
    mkdirSync(folder);
    const gone = await runCli(['audit', 'check', ledger, '--from-files', folder, '--max-failures', '99', '--quiet']);
    expect(gone.stdout).toContain('NOT CHECKED: 99 of 99 rows');
    expect(gone.stdout).toContain('unchecked  99 rows: source/missing');
    expect(gone.code).toBe(3);
    expect((await runCli(['audit', 'check', ledger, '--from-files', folder])).code).toBe(3);
    for (const bad of [['--seed', 'x'], ['--sample', '0'], [ledger]]) {
      expect((await runCli([...words, ...bad])).code).toBe(2);
    }
  });

  it('gives the same ledger in parts, merged in any order, and refuses parts that are no whole', async () => {
    const parts = ['1/3', '2/3', '3/3'].map((shard) => ({ shard, out: place.next() }));
    for (const { shard, out } of parts) {
      expect((await runCli(recorded(out, '--shard', shard))).code).toBe(0);
    }
    const [a, b, c] = parts.map(({ out }) => out) as [string, string, string];
    const merged = place.next();
    expect((await runCli(['audit', 'merge', c, a, b, '--out', merged])).code).toBe(0);
    expect(text(merged)).toBe(text('vectors/audit/mainnet-1-99.ndjson'));
    const gap = await runCli(['audit', 'merge', c, a, '--out', place.next()]);
    expect(gap).toMatchObject({ code: 2, stdout: '' });
    expect(gap.stderr).toContain('begins at block 67');
    const short = await runCli(['audit', 'merge', a, b, '--out', place.next()]);
    expect(short).toMatchObject({ code: 2, stdout: '' });
    expect(short.stderr).toContain('blocks 1 to 66 of an audit of 1 to 99');
    const cut = place.next();
    writeFileSync(cut, text(b).slice(0, -10));
    const unfinished = await runCli(['audit', 'merge', a, cut, c, '--out', merged]);
    expect(unfinished.code).toBe(2);
    expect(unfinished.stderr).toContain('unfinished: it ends before block 66');
    expect(text(merged)).toBe(text('vectors/audit/mainnet-1-99.ndjson'));
    const edited = place.next();
    writeFileSync(edited, text(b).replace('"unknown":0', '"unknown":1'));
    const changed = await runCli(['audit', 'merge', a, edited, c, '--out', place.next(), '--json']);
    expect(changed.code).toBe(2);
    expect(JSON.parse(changed.stderr)).toMatchObject({ code: 'audit/ledger', path: `${edited}:3` });
  });

  it('ends with the code of its rows: 3 for blocks that are not there, 2 for a ledger that was changed', async () => {
    const chain = auditChain(20);
    const folder = writeFolder(chain, place.next('blocks'), { unsigned: [4] });
    const checkpoint = join(place.folder, 'checkpoint.json');
    writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(chain))));
    const out = place.next();
    const words = [
      'audit',
      '--from',
      '1',
      '--to',
      '20',
      '--from-files',
      folder,
      '--checkpoint',
      checkpoint,
      '--out',
      out,
    ];
    const missing = await runCli([...words, '--quiet']);
    expect(missing).toMatchObject({ code: 3, stderr: '' });
    expect(missing.stdout).toContain('19 final, 0 not final, 1 not fetched');
    expect(missing.stdout).toContain('reasons    1 source/missing');
    const counted = await runCli([...words, '--json']);
    expect(JSON.parse(counted.stdout)).toMatchObject({ failures: 1, reasons: { 'source/missing': 1 } });
    const strict = await runCli([...words.slice(0, -1), place.next(), '--max-failures', '0']);
    expect(strict).toMatchObject({ code: 3, stdout: '' });
    expect(strict.stderr).toContain('no signatures of block 4');
    expect(strict.stderr).toMatch(
      /^ton-finality: more than 0 blocks could not be fetched \(--max-failures\): the rows in \S+ are kept; run the same command again to resume\n/,
    );
    writeFileSync(out, text(out).replace('"margin":"3"', '"margin":"4"'));
    const changed = await runCli(words);
    expect(changed).toMatchObject({ code: 2, stdout: '' });
    expect(changed.stderr).toMatch(/running hash/);
  });

  it('says that the disk takes no more, leaves whole lines, and finishes when it does again', async () => {
    const out = place.next();
    const cli = [process.execPath, 'build/bundle/app/cli/cli.js', ...recorded(out)]
      .map((word) => `'${word}'`)
      .join(' ');
    const full = spawnSync('bash', ['-c', `ulimit -f 8; ${cli}`], { encoding: 'utf8' });
    expect(full).toMatchObject({ status: 2, stdout: '' });
    expect(full.stderr).toMatch(/cannot be written \(EFBIG\)\nhint: free some space/);
    expect(text(out)).toMatch(/\n$/);
    expect((await runCli(recorded(out))).code).toBe(0);
    expect(text(out)).toBe(text('vectors/audit/mainnet-1-99.ndjson'));
  });

  it.skipIf(process.platform === 'win32')('keeps its hands off what is no plain file, and waits for none', async () => {
    const make = (kind: 'pipe' | 'folder' | 'link') => {
      const name = place.next(kind);
      if (kind === 'folder') mkdirSync(name);
      else if (kind === 'pipe') spawnSync('mkfifo', [name]);
      else symlinkSync(`${GENESIS}/validators.json`, name);
      return name;
    };
    for (const kind of ['pipe', 'folder', 'link'] as const) {
      const { code, stderr } = await runCli(recorded(make(kind)));
      expect({ kind, code }).toEqual({ kind, code: 2 });
      expect(stderr).toMatch(/expected a plain file to write to/);
    }
    for (const kind of ['pipe', 'folder'] as const) {
      for (const words of [['report'], ['audit', 'merge', '--out', place.next()]]) {
        const { code, stdout, stderr } = await runCli([...words, make(kind)]);
        expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
        expect(stderr).toMatch(/expected a plain file/);
      }
      const taken = [...recorded(place.next())];
      taken[taken.indexOf(GENESIS)] = kind === 'pipe' ? make('pipe') : place.next('none');
      expect((await runCli(taken)).code).toBe(2);
    }
    const out = place.next();
    for (const name of ['lock', 'run', 'sets', 'sets.tmp']) spawnSync('mkfifo', [`${out}.${name}`]);
    expect((await runCli(recorded(out))).code).toBe(0);
    expect(text(out)).toBe(text('vectors/audit/mainnet-1-99.ndjson'));
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('says at %s that the rows stand', async (signal, code) => {
    const standIn = await startStandIn({ chain: httpChain(auditChain(20)) });
    const checkpoint = place.next('checkpoint.json');
    writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(auditChain(20)))));
    const out = place.next();
    try {
      const asked = new Promise<void>((resolve) => {
        standIn.chooseFault = () => {
          resolve();
          return 'slow-headers';
        };
      });
      const words = ['audit', '--from', '1', '--to', '20', '--base-url', `${standIn.origin}/api/v2`];
      const { child, ended } = startCli([...words, '--checkpoint', checkpoint, '--out', out]);
      await asked;
      child.kill(signal);
      expect(await ended).toMatchObject({
        code,
        stdout: '',
        stderr: `ton-finality: stopped: the rows in ${out} are kept; run the same command again to resume\n`,
      });
    } finally {
      await standIn.close();
    }
  });

  it('has one writer at a time', async () => {
    const out = place.next();
    writeFileSync(`${out}.lock`, `${process.pid}\n`); // this process lives
    for (const words of [recorded(out), ['audit', 'merge', 'vectors/audit/mainnet-1-99.ndjson', '--out', out]]) {
      const { code, stderr } = await runCli(words);
      expect(code).toBe(2);
      expect(stderr).toContain(`in use by process ${process.pid}`);
    }
    expect(existsSync(out)).toBe(false);
  });

  it('refuses what does not go together', async () => {
    const bad = async (words: string[], said: string | RegExp) => {
      const { code, stdout, stderr } = await runCli(['audit', ...words]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(said);
    };
    const files = ['--from-files', GENESIS, '--validators', `${GENESIS}/validators.json`];
    const out = ['--out', place.next()];
    await bad(['--from', '1', ...files, ...out], /--to/);
    await bad(['foo'], /merge, check, enqueue, worker or status, got "foo"/);
    const nowhere = ['--from-files', place.next('none'), '--validators', `${GENESIS}/validators.json`];
    await bad(['--from', '1', '--to', '9', ...nowhere, ...out], /no such file or folder/);
    expect(existsSync(out[1]!)).toBe(false);
    await bad(['--from', '1', '--to', '9', ...files], /--out/);
    await bad(
      ['--from', '1', '--to', '9', ...out, '--validators', `${GENESIS}/validators.json`],
      /expected one of --from-files/,
    );
    await bad(
      ['--from', '1', '--to', '9', ...files, ...out, '--base-url', 'http://127.0.0.1:1/api/v2'],
      /expected one of/,
    );
    for (const shard of ['3/2', '0/3', '1/0', '1/3/3', '']) {
      await bad(['--from', '1', '--to', '9', ...files, ...out, `--shard=${shard}`], /--shard/);
    }
    await bad(['--from', '1', '--to', '9', ...files, ...out, '--shard', '1/10'], /--shard: expected at most 9 parts/);
    await bad(['--from', '9', '--to', '1', ...files, ...out], /--to/);
    await bad(['--from', '0', '--to', '1', ...files, ...out], /--from/);
    await bad(['--from', '1', '--to', '9', '--from-files', GENESIS, ...out], /no validator set/);
    await bad(
      ['--from', '1', '--to', '9', ...files, '--out', `${GENESIS}/validators.json`],
      /one of the files that are read/,
    );
  });
});

describe('an audit over HTTP that is killed', () => {
  it('at any point leaves a ledger that the same command finishes to the same bytes', async () => {
    const chain = auditChain(20);
    const standIn = await startStandIn({ chain: httpChain(chain) });
    try {
      const checkpoint = join(place.folder, 'http-checkpoint.json');
      writeFileSync(checkpoint, JSON.stringify(checkpointToJson(startOf(chain))));
      const result = await killedAudit({
        standIn,
        checkpoint,
        to: 20,
        folder: place.next('kills'),
        points: share(1, 4),
        seed: 1,
      });
      expect(result.different).toEqual([]);
      expect(result.kills).toBeGreaterThan(0);
    } finally {
      await standIn.close();
    }
  });
});
