/** `ton-finality audit` in child processes: what it writes, how it ends, and that no end leaves a trace in the ledger. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { checkpointToJson } from '../../../src/core/chain/checkpoint.ts';
import { auditChain, httpChain, scratch, text, writeFolder } from '../../helpers/audit-chain.ts';
import { killedAudit } from '../../helpers/killed-audit.ts';
import { startOf } from '../../helpers/networks.ts';
import { handMade } from '../../helpers/recorded-ledgers.ts';
import { startCli } from '../../helpers/run-cli.ts';
import { share } from '../../helpers/share.ts';
import { startStandIn } from '../../helpers/stand-in.ts';
import { runCli } from '../../helpers/warm-cli.ts';

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
  it('names the first row that is other than its block, and ends with 1', async () => {
    const made = place.next();
    const lines = text('vectors/audit/mainnet-1-99.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { block?: { seqno: number } });
    const up = lines.map((line) =>
      line.block?.seqno === 42 ? { ...line, block: { ...line.block, fileHash: '7'.repeat(64) } } : line,
    );
    writeFileSync(made, handMade(up));
    const words = ['audit', 'check', made, '--from-files', GENESIS, '--quiet'];
    const differs = await runCli(words);
    expect(differs.stdout).toMatch(
      /^DIFFERS: block 42: block.fileHash is "777.* "[0-9a-f]{64}" according to its blocks\n/,
    );
    expect(differs).toMatchObject({ code: 1, stderr: '' });
    const agrees = await runCli([
      'audit',
      'check',
      'vectors/audit/mainnet-1-99.ndjson',
      ...words.slice(3),
      '--sample',
      '7',
      '--json',
    ]);
    for (const { stdout } of [agrees, await runCli([...words, '--json'])])
      expect(fits(JSON.parse(stdout)), JSON.stringify(fits.errors)).toBe(true);
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
