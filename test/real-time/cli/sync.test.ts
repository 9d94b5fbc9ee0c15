import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_SYNC_ANSWERS } from '../../../src/core/base/limits.ts';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import { checkpointFromZerostate, checkpointToJson, parseCheckpoint } from '../../../src/core/chain/checkpoint.ts';
import { forkEvidence, verifyForkEvidence } from '../../../src/net/lite/fork-evidence.ts';
import { liteServerLabel } from '../../../src/net/lite/server-address.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags, pinnedFlags, writeGlobalConfig } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, type LiteStandInOptions, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { runCli } from '../../helpers/warm-cli.ts';

let folder: string;
const started: LiteStandIn[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-sync-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

const chain = new LiteChain({ length: 57 });
const inFolder = (name: string) => join(folder, name);
const written = (name: string) => parseCheckpoint(JSON.parse(readFileSync(inFolder(name), 'utf8')));
const PROOF = '449cea8a';

async function serve(of: LiteChain, over: Partial<LiteStandInOptions> = {}): Promise<LiteStandIn> {
  const standIn = await startLiteStandIn({ answer: (asked) => of.answer(asked), ...over });
  started.push(standIn);
  return standIn;
}

const FRESH = ['--max-age', '86400'];

describe('ton-finality sync', () => {
  it('goes from the two hashes of a zerostate to the head, by a global configuration', async () => {
    const config = writeGlobalConfig(folder, chain, [await serve(chain), await serve(chain)]);
    const run = await runCli([
      'sync',
      ...pinnedFlags(chain),
      '--config',
      config,
      '--out',
      inFolder('c.json'),
      ...FRESH,
    ]);
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^FINAL: masterchain block 57, made \d{4}-/);
    expect(run.stdout).toContain('1 of 1 name the same block');
    expect(written('c.json').keyBlock).toEqual(chain.id(50));
    expect(readdirSync(folder).sort()).toEqual(['c.json', 'global.json']);
  });

  it('moves a checkpoint in place, tells it all as JSON, and keeps what servers said', async () => {
    const standIn = await serve(chain);
    const start = startOf(chain);
    writeFileSync(inFolder('c.json'), JSON.stringify(checkpointToJson(start)));
    chmodSync(inFolder('c.json'), 0o666);
    const words = ['sync', '--checkpoint', inFolder('c.json'), ...liteFlags(standIn), '--json', ...FRESH];
    const run = await runCli([...words, '--save', inFolder('saved')]);
    expect(run.code).toBe(0);
    const json = JSON.parse(run.stdout);
    expect(json).toMatchObject({
      schema: 'ton-finality/sync@2',
      verdict: { status: 'final' },
      block: { seqno: 57 },
      keyBlock: { seqno: 50 },
      anchor: { seqno: 0 },
      startIsStale: false,
      checkpointWritten: true,
      report: {
        bound: ['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'],
        validatorSet: { provenance: { kind: 'proven' } },
      },
    });
    expect(run.stderr).toContain('"code":"writable-by-others"');
    expect(statSync(inFolder('c.json')).mode & 0o777).toBe(0o644);
    expect(written('c.json').anchor).toEqual(chain.zerostateId);
    const proof = readdirSync(inFolder('saved')).find((name) => name.includes('getBlockProof'))!;
    const again = inFolder('again.json');
    writeFileSync(inFolder('start.json'), JSON.stringify(checkpointToJson(start)));
    const offline = await runCli([
      'checkpoint',
      'advance',
      '--checkpoint',
      inFolder('start.json'),
      '--proof',
      inFolder(`saved/${proof}`),
      '--out',
      again,
    ]);
    expect(offline.code, offline.stderr).toBe(0);
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(inFolder('c.json'), 'utf8'));
  });

  it('goes on where an interrupted run stopped', async () => {
    const long = new LiteChain({ length: 83, keyEvery: 2 });
    let proofs = 0;
    const first = await serve(long, {
      answer: (asked) =>
        asked.constructorId === PROOF && ++proofs > 2 ? liteError(651, 'not in db') : long.answer(asked),
    });
    const words = ['sync', ...pinnedFlags(long), '--out', inFolder('c.json'), ...FRESH];
    const stopped = await runCli([...words, ...liteFlags(first)]);
    expect(stopped.code).toBe(3);
    expect(readdirSync(folder)).toEqual(['c.json.partial']);
    const second = await serve(long);
    const run = await runCli([...words, ...liteFlags(second)]);
    expect(run.stderr).toBe(
      'ton-finality: resuming at block 64, where an earlier run stopped, after proving it again\n',
    );
    expect(run.code).toBe(0);
    const asked = second.asked.find(({ constructorId }) => constructorId === PROOF)!;
    expect(asked.request.readUInt32LE(20)).toBe(64);
    expect(written('c.json').anchor).toEqual(long.zerostateId);
    expect(readdirSync(folder)).toEqual(['c.json']);
  });

  it('says each note in a line of JSON with --json', async () => {
    const long = new LiteChain({ length: 83, keyEvery: 2 });
    const standIn = await serve(long);
    const partial = { schema: 'ton-finality/sync-partial@2', start: formatBlockId(long.zerostateId) };
    const forged = Buffer.from(new LiteChain({ length: 83, keyEvery: 2, name: 'forged' }).proof(0, 30));
    Buffer.from(long.proof(0, 30)).copy(forged, 0, 0, 88); // its own start, where the true one stands
    writeFileSync(inFolder('c.json.partial'), `${JSON.stringify(partial)}\n${forged.toString('base64')}\n`);
    const config = writeGlobalConfig(folder, long, [standIn]);
    const { liteservers, ...more } = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(config, JSON.stringify({ ...more, liteservers: [...liteservers, { ...liteservers[0], port: 0 }] }));
    const run = await runCli([
      'sync',
      ...pinnedFlags(long),
      '--config',
      config,
      '--out',
      inFolder('c.json'),
      '--save',
      inFolder('saved'),
      '--json',
      ...FRESH,
    ]);
    expect(run.code, run.stderr).toBe(0);
    const events = run.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toEqual(
      ['server-skipped', 'resuming', 'starting-over', 'answers-saved'].map((code) => ({
        schema: 'ton-finality/event@1',
        code,
        message: expect.any(String),
      })),
    );
  });

  it('believes nothing that is in the file of an interrupted run, and does not mind where it ends', async () => {
    const long = new LiteChain({ length: 83, keyEvery: 2 });
    const forged = new LiteChain({ length: 83, keyEvery: 2, name: 'forged' });
    const standIn = await serve(long);
    const out = inFolder('c.json');
    const words = ['sync', ...pinnedFlags(long), '--out', out, ...liteFlags(standIn), ...FRESH];
    const head = (schema = 'ton-finality/sync-partial@2') =>
      JSON.stringify({ schema, start: formatBlockId(long.zerostateId) });
    const line = (of: LiteChain, from: number, to: number) => Buffer.from(of.proof(from, to)).toString('base64');
    const renamed = Buffer.from(forged.proof(0, 30));
    Buffer.from(long.proof(0, 30)).copy(renamed, 0, 0, 88); // its own start, where the true one stands
    const files: readonly (readonly [text: string, said: RegExp | ''])[] = [
      [
        `${head()}\n${renamed.toString('base64')}\n`,
        /^ton-finality: resuming at block .*\n.* holds no valid proof: .*; starting over\n$/,
      ],
      [`${head('ton-finality/sync-partial@1')}\n`, ''],
      ['', ''],
      ['{"schema":"ton-finality/sync-partial@1"', ''],
      [`${head()}\n${line(forged, 0, 30)}\n`, ''],
      [`${head()}\n${line(long, 0, 30)}\n${line(long, 30, 40).slice(0, 50)}`, /^ton-finality: resuming at block 30, /],
      [`${head()}\n${line(long, 0, 30)}\n\nx\n${line(long, 30, 40)}\n`, /^ton-finality: resuming at block 30, /],
      [
        `${head()}\n${line(long, 0, 30)}\n${line(long, 30, 40)}\n${line(long, 0, 20)}\n`,
        /^ton-finality: resuming at block 20, /,
      ],
    ];
    for (const [text, said] of files) {
      rmSync(out, { force: true });
      writeFileSync(`${out}.partial`, text);
      const { code, stdout, stderr } = await runCli(words);
      expect(stderr).toMatch(said === '' ? /^$/ : said);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^FINAL: masterchain block 83/) });
      expect(written('c.json').keyBlock).toEqual(long.id(82));
      expect(readdirSync(folder)).toEqual(['c.json']);
    }
  });

  it('goes on after interrupted runs that left more answers than one run may resume from', async () => {
    const length = MAX_SYNC_ANSWERS + 150;
    const long = new LiteChain({ length, keyEvery: 1 });
    const out = inFolder('c.json');
    const words = ['sync', ...pinnedFlags(long), '--out', out, ...FRESH];
    const line = (from: number) => `${Buffer.from(long.proof(from, from + 1)).toString('base64')}\n`;
    const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => line(from + k)).join('');
    const head = { schema: 'ton-finality/sync-partial@2', start: formatBlockId(long.zerostateId) };
    writeFileSync(`${out}.partial`, `${JSON.stringify(head)}\n${lines(0, MAX_SYNC_ANSWERS - 2)}`);
    let proofs = 0;
    const stopping = await serve(long, {
      answer: (asked) =>
        asked.constructorId === PROOF && ++proofs > 5 ? liteError(651, 'not in db') : long.answer(asked),
    });
    const stopped = await runCli([...words, ...liteFlags(stopping)]);
    expect(stopped.code, stopped.stderr).toBe(3);
    expect(readFileSync(`${out}.partial`, 'latin1').trimEnd().split('\n')).toHaveLength(1 + MAX_SYNC_ANSWERS);
    // Earlier versions kept all answers.
    const all = lines(0, MAX_SYNC_ANSWERS + 9);
    writeFileSync(`${out}.partial`, `${JSON.stringify(head)}\n${all}`);
    const run = await runCli([...words, ...liteFlags(await serve(long))]);
    expect(run.stderr).toContain(`resuming at block ${MAX_SYNC_ANSWERS}, `);
    expect(run.code, run.stderr).toBe(0);
    expect(written('c.json').keyBlock).toEqual(long.id(length - 1));
  });

  it('writes no checkpoint for a start older than its stakes, and does not forget it when it goes on', async () => {
    const old = new LiteChain({ length: 57, electedSeconds: -40_000, name: 'old' });
    const standIn = await serve(old);
    const words = ['sync', ...pinnedFlags(old), ...liteFlags(standIn), '--out', inFolder('c.json'), ...FRESH];
    for (let time = 0; time < 2; time++) {
      const run = await runCli(words);
      expect(run.code).toBe(4);
      expect(run.stdout).toMatch(/^UNDECIDED \(stale-set\)/);
      expect(existsSync(inFolder('c.json'))).toBe(false);
    }
    const taken = await runCli([...words, '--accept-stale-start']);
    expect(taken.code).toBe(0);
    expect(written('c.json').keyBlock).toEqual(old.id(50));
  });

  it('ends a fork with evidence in a file', async () => {
    const firstUtime = Math.floor(Date.now() / 1000) - 56;
    const one = new LiteChain({ length: 57, firstUtime, name: 'forked' });
    const two = new LiteChain({ length: 57, firstUtime, name: 'forked', forkAt: 55 });
    const servers = [await serve(one), await serve(two)];
    const evidence = inFolder('fork.json');
    const run = await runCli([
      'sync',
      ...pinnedFlags(one),
      ...servers.flatMap(liteFlags),
      '--out',
      inFolder('c.json'),
      '--evidence',
      evidence,
      ...FRESH,
    ]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('two certified blocks 57');
    expect(verifyForkEvidence(JSON.parse(readFileSync(evidence, 'utf8'))).seqno).toBe(57);
    expect(run.stderr).toContain(`ton-finality verify-evidence ${evidence}`);
    const checked = await runCli(['verify-evidence', evidence]);
    expect(checked.code).toBe(0);
    expect(checked.stdout).toMatch(/^FORK: two certified masterchain blocks 57/);
    expect(checked.stdout).toContain('4 validators, weight 40 of 40');
    const json = JSON.parse((await runCli(['verify-evidence', evidence, '--json'])).stdout);
    expect(json).toMatchObject({
      schema: 'ton-finality/fork@1',
      seqno: 57,
      keyBlock: { seqno: 50 },
      signedBothWeight: '40',
    });
    expect(await runCli(['verify-evidence', inFolder('global.json')])).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(inFolder('c.json'))).toBe(false);
  });

  it('shows a fork where the ways part, of two numbers too', async () => {
    const firstUtime = 1_700_000_000;
    const [dense, sparse] = [5, 20].map((keyEvery) => new LiteChain({ length: 15, firstUtime, keyEvery })) as [
      LiteChain,
      LiteChain,
    ];
    const start = checkpointFromZerostate(dense.zerostate.boc, dense.id(0));
    const sides = [dense, sparse].map((one, at) => ({ source: `server ${at + 1}`, body: one.proof(0, 15) }));
    const [first, second] = sides;
    writeFileSync(inFolder('fork.json'), JSON.stringify(forkEvidence(start, [first!, second!])));
    const { code, stdout } = await runCli(['verify-evidence', inFolder('fork.json')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^FORK: two certified masterchain blocks that cannot both be valid, 5 and 15\n/);
    expect(stdout).toContain(Buffer.from(dense.id(5).rootHash).toString('hex'));
    expect(stdout).toContain('4 validators, weight 40 of 40');
    expect(stdout).toContain('from server 1, as the file says');
  });

  it('lets one process at a time have a checkpoint', async () => {
    const standIn = await serve(chain);
    const words = ['sync', ...pinnedFlags(chain), ...liteFlags(standIn), '--out', inFolder('c.json'), ...FRESH];
    writeFileSync(inFolder('c.json.lock'), `${process.pid}\n`);
    const refused = await runCli(words);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`in use by process ${process.pid}`);
    writeFileSync(inFolder('c.json.lock'), '999999999\n'); // of a process that is gone
    expect((await runCli(words)).code).toBe(0);
    expect(existsSync(inFolder('c.json.lock'))).toBe(false);
  });

  it('leaves out the server that is named, by its address or as messages name it', async () => {
    const [out, one] = [await serve(chain), await serve(chain)];
    const words = [
      'sync',
      ...pinnedFlags(chain),
      ...liteFlags(out),
      ...liteFlags(one),
      '--out',
      inFolder('c.json'),
      ...FRESH,
    ];
    for (const name of [`127.0.0.1:${out.port}`, liteServerLabel(out.server)]) {
      const run = await runCli([...words, '--without', name]);
      expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('none: only one server was asked') });
    }
    expect(out.asked).toEqual([]);
    const none = await runCli([...words, '--without', `127.0.0.1:${out.port}`, '--without', `127.0.0.1:${one.port}`]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('expected to keep at least one server') });
  });

  it.skipIf(process.platform === 'win32')(
    'looks at its files before it asks anybody, and waits for no pipe',
    async () => {
      const standIn = await serve(chain);
      const words = ['sync', ...pinnedFlags(chain), ...liteFlags(standIn), ...FRESH];
      const refuse = async (more: readonly string[], said: string) => {
        const { code, stdout, stderr } = await runCli([...words, ...more]);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(said);
      };
      symlinkSync(inFolder('c.json'), inFolder('link.json'));
      await refuse(['--out', inFolder('link.json')], 'expected a plain file to write to, got a symbolic link');
      await refuse(['--out', inFolder('no/such/c.json')], 'does not exist\nhint: make it with mkdir -p ');
      execFileSync('mkfifo', [inFolder('p.json.partial')]);
      await refuse(['--out', inFolder('p.json')], 'p.json.partial: expected a plain file to write to, got a pipe');
      writeFileSync(inFolder('o.json.partial'), '{}');
      chmodSync(inFolder('o.json.partial'), 0o666);
      await refuse(['--out', inFolder('o.json')], 'o.json.partial: other users may write to it');
      const config = ['--config', inFolder('p.json.partial'), '--out', inFolder('c.json')];
      await refuse(config, 'p.json.partial: expected a plain file, got a pipe');
      expect(standIn.asked).toEqual([]);
      expect(readdirSync(folder).sort()).toEqual(['link.json', 'o.json.partial', 'p.json.partial']);
    },
  );

  it('leaves out one server of a configuration whose key is none, and says which', async () => {
    const standIn = await serve(chain);
    const config = writeGlobalConfig(folder, chain, [standIn, await serve(chain), await serve(chain)]);
    const json = JSON.parse(readFileSync(config, 'utf8'));
    json.liteservers[1].id.key = Buffer.alloc(32, 0).toString('base64'); // of small order
    json.liteservers[2].port = 0;
    json.liteservers.push({ ...json.liteservers[0], port: 1 }); // one key at two ports
    writeFileSync(config, JSON.stringify(json));
    const run = await runCli([
      'sync',
      ...pinnedFlags(chain),
      '--config',
      config,
      '--out',
      inFolder('c.json'),
      ...FRESH,
    ]);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('none: only one server was asked') });
    expect(run.stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/global\.json: skipping one server: liteservers\[2\]\.port: expected a port, 1 to 65535$/),
      expect.stringMatching(
        /global\.json: skipping one server: lite:\/\/127\.0\.0\.1:\d+\/.*: server\.publicKey: .* small order/,
      ),
      expect.stringMatching(
        /skipping one server: lite:\/\/127\.0\.0\.1:1\/.*: it has the key or the address of another/,
      ),
    ]);
    for (const server of json.liteservers) server.port = 0;
    writeFileSync(config, JSON.stringify(json));
    const none = await runCli([
      'sync',
      ...pinnedFlags(chain),
      '--config',
      config,
      '--out',
      inFolder('n.json'),
      ...FRESH,
    ]);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected at least one lite server in the file, got none'),
    });
  });

  it('reads evidence as large as two answers can make it, and says whose word the names of servers are', async () => {
    const start = startOf(chain);
    const body = Buffer.alloc(16 * 1024 * 1024);
    const sides = [1, 2].map((side) => ({ source: `server ${side}`, body }));
    const text = JSON.stringify({
      schema: 'ton-finality/fork-evidence@1',
      seqno: 1,
      checkpoint: checkpointToJson(start),
      sides: sides.map(({ source }) => ({
        source,
        answer: body.toString('base64'),
        sha256: createHash('sha256').update(body).digest('hex'),
      })),
    });
    writeFileSync(inFolder('large.json'), text);
    const { code, stderr } = await runCli(['verify-evidence', inFolder('large.json')]);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/expected at most/);
    writeFileSync(inFolder('large.json'), `${text}${' '.repeat(2_000_000)}`);
    expect((await runCli(['verify-evidence', inFolder('large.json')])).stderr).toMatch(/expected at most \d+ bytes/);
  });

  it('reads a checkpoint and a configuration through links, as Kubernetes mounts them', async () => {
    const standIn = await serve(chain);
    mkdirSync(inFolder('..data'));
    const start = startOf(chain);
    writeFileSync(inFolder('..data/c.json'), JSON.stringify(checkpointToJson(start)));
    symlinkSync('..data/c.json', inFolder('c.json'));
    renameSync(writeGlobalConfig(folder, chain, [standIn]), inFolder('..data/global.json'));
    symlinkSync('..data/global.json', inFolder('global.json'));
    const words = ['sync', '--checkpoint', inFolder('c.json'), '--config', inFolder('global.json')];
    expect(await runCli([...words, '--out', inFolder('out.json'), ...FRESH])).toMatchObject({ code: 0, stderr: '' });
  });

  it('is undecided below the witnesses that are wanted, and writes nothing', async () => {
    const mute = await serve(chain, {
      answer: (asked) => (asked.constructorId === '1ef7c8fa' ? liteError(651, 'no') : chain.answer(asked)),
    });
    const other = await serve(chain, {
      answer: (asked) => (asked.constructorId === '1ef7c8fa' ? liteError(651, 'no') : chain.answer(asked)),
    });
    const words = ['sync', ...pinnedFlags(chain), ...liteFlags(mute), ...liteFlags(other), ...FRESH];
    for (const [at, asked] of [['--witnesses', '1'], ['--strict']].entries()) {
      const out = inFolder(`undecided-${at}.json`);
      const run = await runCli([...words, '--out', out, ...asked]);
      expect(run.code).toBe(4);
      expect(run.stdout).toContain('UNDECIDED (too-few-witnesses): masterchain block 57');
      expect(run.stdout).toContain('0 of 1 name the same block; 1 do not have it yet');
      expect(existsSync(out)).toBe(false);
    }
    const excepted = await runCli([...words, '--out', inFolder('c.json'), '--strict', '--accept-stale-start']);
    expect(excepted).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--strict') });
  });

  it.each<[string, readonly string[]]>([
    ['no start', ['--out', 'c.json']],
    ['two starts', ['--built-in', '--seqno', '7', '--out', 'c.json']],
    ['one hash', ['--root-hash', '11'.repeat(32), '--out', 'c.json']],
    ['no file to write', ['--built-in']],
    ['more witnesses than servers', ['--built-in', '--out', 'c.json', '--witnesses', '1']],
    ['an odd age', ['--built-in', '--out', 'c.json', '--max-age', '-1']],
    ['a word too many', ['--built-in', '--out', 'c.json', 'latest']],
    ['a server to leave out that is not there', ['--built-in', '--out', 'c.json', '--without', '127.0.0.1:1']],
    ['a network that is none', ['--built-in', '--out', 'c.json', '--network', 'moon']],
    ['a network that the built-in block is not of', ['--built-in', '--out', 'c.json', '--network', 'testnet']],
  ])('is refused with %s', async (_, words) => {
    const standIn = await serve(chain);
    const run = await runCli(['sync', ...liteFlags(standIn), ...words], { cwd: folder });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(standIn.accepted).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused without a lite server, and with one that cannot be read', async () => {
    const words = ['sync', '--built-in', '--out', inFolder('c.json')];
    for (const more of [[], ['--lite', '127.0.0.1:1'], ['--config', inFolder('none.json')]]) {
      expect(await runCli([...words, ...more])).toMatchObject({ code: 2, stdout: '' });
    }
  });

  it('tells how old the built-in start is, and that servers are not of its network, mainnet', async () => {
    const standIn = await serve(chain);
    const run = await runCli(['sync', '--built-in', '--out', inFolder('c.json'), ...liteFlags(standIn)]);
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(
      /built-in start is key block 46894135, made 2025-04-16T22:28:28Z, \d{3,} days ago; if you know a newer/,
    );
    expect(run.stderr).toMatch(/the server is of a different network: expected a zerostate with root hash 17a3a929/);
  });
});
