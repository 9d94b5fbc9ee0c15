import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { checkpointFromKeyBlock, checkpointToJson, markedCheckpoint } from '../../../src/core/chain/checkpoint.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags, writeGlobalConfig, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, type LiteStandInOptions, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { configProof } from '../../helpers/make-chain.ts';
import { runCli } from '../../helpers/warm-cli.ts';

let folder: string;
const started: LiteStandIn[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-verify-lite-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const chain = new LiteChain({ length: 27, hasStates: true });
const FRESH = ['--max-age', '86400'];

async function serve(of: LiteChain = chain, over: Partial<LiteStandInOptions> = {}): Promise<LiteStandIn> {
  const standIn = await startLiteStandIn({ answer: (asked) => of.answer(asked), ...over });
  started.push(standIn);
  return standIn;
}

async function synced(): Promise<string> {
  const path = join(folder, 'synced.json');
  const start = writeZerostateCheckpoint(folder, chain);
  const run = await runCli(['sync', '--checkpoint', start, '--out', path, ...liteFlags(await serve()), ...FRESH]);
  expect(run.code, run.stderr).toBe(0);
  return path;
}

describe('ton-finality verify over lite servers', () => {
  it('proves the head final: set proven, all five fields bound', async () => {
    const config = writeGlobalConfig(folder, chain, [await serve(), await serve()]);
    const words = ['verify', 'latest', '--checkpoint', writeZerostateCheckpoint(folder, chain), '--config', config];
    const run = await runCli([...words, ...FRESH, '--json']);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 'ton-finality/report@3',
      block: { seqno: 27 },
      verdict: { status: 'final' },
      bound: ['workchain', 'shard', 'seqno', 'rootHash', 'fileHash'],
      validatorSet: {
        provenance: { kind: 'proven', keyBlock: { seqno: 20 }, anchor: { seqno: 0 } },
        setCheck: 'match',
      },
    });
    const text = await runCli([...words, ...FRESH, '--signers']);
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/^FINAL: /);
    expect(text.stdout).toContain('1 of 1 name the same block');
  });

  it('leaves the checkpoint as it is', async () => {
    const path = writeZerostateCheckpoint(folder, chain);
    const before = readFileSync(path, 'utf8');
    await runCli(['verify', 'latest', '--checkpoint', path, ...liteFlags(await serve()), ...FRESH]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it.each([1, 10, 15, 20])('proves block %d by its own signatures', async (seqno) => {
    const path = writeZerostateCheckpoint(folder, chain);
    const run = await runCli(['verify', String(seqno), '--checkpoint', path, ...liteFlags(await serve()), '--json']);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ block: { seqno }, verdict: { status: 'final' } });
  });

  it('is never final of another block than the one that was asked for', async () => {
    const fork = new LiteChain({ length: 27, firstUtime: chain.blocks.get(1)!.form.genUtime!, forkAt: 12 });
    const past = Buffer.from(chain.proof(0, 20));
    past.set(Buffer.from('379779bc', 'hex'), 4); // not complete
    const liar = await serve(chain, {
      answer: (asked) => {
        if (asked.constructorId === '1ef7c8fa') return fork.answer(asked);
        if (asked.constructorId !== '449cea8a') return chain.answer(asked);
        return asked.request.readUInt32LE(20) === 0 ? past : liteError(502, 'no');
      },
    });
    const words = ['verify', '18', '--checkpoint', writeZerostateCheckpoint(folder, chain), ...liteFlags(liar)];
    const alone = await runCli(words);
    expect(alone).toMatchObject({ code: 3, stdout: '' });
    const both = await runCli([...words, ...liteFlags(await serve()), '--json']);
    expect(both.code, both.stderr).toBe(0);
    expect(JSON.parse(both.stdout)).toMatchObject({ block: { seqno: 18 }, verdict: { status: 'final' } });
  });

  it('has nothing to prove of the block that the checkpoint stands at', async () => {
    const short = new LiteChain({ length: 20, firstUtime: chain.blocks.get(1)!.form.genUtime!, hasStates: true });
    const path = join(folder, 'at-20.json');
    const checkpoint = checkpointFromKeyBlock(configProof(short.blocks.get(20)!), short.id(20));
    writeFileSync(path, JSON.stringify(checkpointToJson(checkpoint)));
    const run = await runCli(['verify', '20', '--checkpoint', path, ...liteFlags(await serve(short)), ...FRESH]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('is the key block of the checkpoint') });
  });

  it('proves a block older than the checkpoint by a head that lists it', async () => {
    const path = await synced();
    const words = ['verify', '7', '--checkpoint', path, ...liteFlags(await serve()), ...FRESH];
    const json = JSON.parse((await runCli([...words, '--json'])).stdout);
    expect(json).toMatchObject({
      schema: 'ton-finality/ancestor@1',
      block: { seqno: 7, rootHash: encodeHex(chain.id(7).rootHash), fileHash: encodeHex(chain.id(7).fileHash) },
      verdict: { status: 'final' },
      provenance: { kind: 'ancestor', head: { seqno: 27 } },
      headReport: { verdict: { status: 'final' } },
    });
    const text = await runCli(words);
    expect(text).toMatchObject({ code: 0 });
    expect(text.stdout).toMatch(/^FINAL: masterchain block 7, listed in the state of block 27, which is final/);
  });

  it('is undecided for a head that is old, and for a checkpoint past its stakes', async () => {
    const stale = new LiteChain({ length: 12, firstUtime: Math.floor(Date.now() / 1000) - 5000 });
    const late = await runCli([
      'verify',
      'latest',
      '--checkpoint',
      writeZerostateCheckpoint(folder, stale),
      ...liteFlags(await serve(stale)),
      '--json',
    ]);
    expect(late.code, late.stderr).toBe(4);
    expect(JSON.parse(late.stdout).verdict).toEqual({ status: 'undecided', reason: 'stale-head' });
    const old = new LiteChain({ length: 12, electedSeconds: -40_000, name: 'old' });
    const start = writeZerostateCheckpoint(folder, old);
    for (const seqno of ['latest', '5']) {
      const words = ['verify', seqno, '--checkpoint', start, ...liteFlags(await serve(old)), '--json'];
      const run = await runCli(words);
      expect(run.code, run.stderr).toBe(4);
      expect(JSON.parse(run.stdout).verdict).toEqual({ status: 'undecided', reason: 'stale-set' });
    }
  });

  it('says in its report that a checkpoint past its stakes was taken all the same', async () => {
    const old = new LiteChain({ length: 22, blockSeconds: 4000, electedSeconds: 1, name: 'old', hasStates: true });
    const start = writeZerostateCheckpoint(folder, old);
    const later = join(folder, 'old-key-block.json');
    const checkpoint = checkpointFromKeyBlock(configProof(old.blocks.get(10)!), old.id(10));
    writeFileSync(later, JSON.stringify(checkpointToJson(checkpoint)));
    for (const [seqno, from] of [
      ['latest', start],
      ['5', start],
      ['7', later],
    ] as const) {
      const words = ['verify', seqno, '--checkpoint', from, ...liteFlags(await serve(old)), '--accept-stale-start'];
      const text = await runCli(words);
      expect(text.code, text.stderr).toBe(0);
      expect(text.stdout).toMatch(/^ {2}warning +stale-start: /m);
      const json = JSON.parse((await runCli([...words, '--json'])).stdout);
      expect((json.headReport ?? json).warnings).toContainEqual(expect.objectContaining({ code: 'stale-start' }));
    }
  });

  it('says so of an older block too, where the checkpoint itself is the head', async () => {
    const short = new LiteChain({ length: 20, hasStates: true });
    const path = join(folder, 'accepted-at-20.json');
    const checkpoint = checkpointFromKeyBlock(configProof(short.blocks.get(20)!), short.id(20));
    writeFileSync(path, JSON.stringify(checkpointToJson(markedCheckpoint(checkpoint, 'accepted'))));
    const words = ['verify', '7', '--checkpoint', path, ...liteFlags(await serve(short)), ...FRESH];
    const text = await runCli(words);
    expect(text.code, text.stderr).toBe(0);
    expect(text.stdout).toMatch(/^ {2}warning +stale-start: /m);
    const json = JSON.parse((await runCli([...words, '--json'])).stdout);
    expect(json).toMatchObject({ headReport: null, warnings: [{ code: 'stale-start' }] });
  });

  it('refuses another block than the one that is expected, and one that nobody has', async () => {
    const words = ['--checkpoint', writeZerostateCheckpoint(folder, chain), ...liteFlags(await serve())];
    const other = await runCli(['verify', '5', ...words, '--expect-root-hash', encodeHex(chain.id(6).rootHash)]);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    const none = await runCli(['verify', '99', ...words]);
    expect(none).toMatchObject({ code: 3, stdout: '' });
  });

  it.each<[string, readonly string[]]>([
    ['no checkpoint', ['verify', 'latest']],
    ['a file', ['verify', 'block.json', '--checkpoint', 'c.json']],
    ['an option of HTTP', ['verify', 'latest', '--checkpoint', 'c.json', '--base-url', 'https://host']],
    ['a set', ['verify', 'latest', '--validators', 'v.json']],
  ])('is refused with %s', async (_, words) => {
    const standIn = await serve();
    expect(await runCli([...words, ...liteFlags(standIn)], { cwd: folder })).toMatchObject({ code: 2, stdout: '' });
    expect(standIn.accepted).toBe(0);
  });

  it('counts servers of one address block once, unless it is told otherwise', async () => {
    const servers = [await serve(), await serve()];
    const flags = servers.flatMap(liteFlags).map((word) => word.replace(/^127\.0\.0\.1:/, '0.0.0.0:'));
    const words = ['verify', 'latest', '--checkpoint', await synced(), ...flags, ...FRESH, '--strict'];
    const once = await runCli(words);
    expect(once.stderr).toMatch(
      /servers of one address block .* are one witness: to count each, .*--count-each-server/,
    );
    expect(once.code).toBe(2);
    const each = await runCli([...words, '--count-each-server']);
    expect(each.stdout).toMatch(/witnesses +1 of 1 name the same block: lite:\/\/0\.0\.0\.0:/);
    expect(each.code, each.stderr).toBe(0);
    const loose = await runCli(words.filter((word) => word !== '--strict'));
    expect(loose.stdout).toMatch(/1 of 1 name the same block: .*; they count as 0, by address block and host name/);
    expect(loose.code, loose.stderr).toBe(0);
  });
});
