import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import { formatBlockId } from '../../../src/core/block/block-id.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags, pinnedFlags, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startLivingChain, startLivingServer } from '../../helpers/living-chain.ts';
import { locksOf } from '../../helpers/locks-of.ts';
import { blockIdToAnswer, makeBlockId } from '../../helpers/make-block.ts';
import { startCli } from '../../helpers/run-cli.ts';
import { startStandIn } from '../../helpers/stand-in.ts';
import { ROOT } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';

let folder: string;
const started: LiteStandIn[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-follow-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(chain: LiteChain): Promise<LiteStandIn> {
  const standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
  started.push(standIn);
  return standIn;
}

const words = (chain: LiteChain, standIn: LiteStandIn) => [
  'follow',
  '--checkpoint',
  writeZerostateCheckpoint(folder, chain),
  ...liteFlags(standIn),
  '--sign-every-seconds',
  '0',
];

describe('ton-finality follow', () => {
  it('prints one line for each block, and goes on where it stopped', async () => {
    const chain = new LiteChain({ length: 25 });
    const standIn = await serve(chain);
    const state = join(folder, 'state.json');
    chain.head = 14;
    const first = await runCli([...words(chain, standIn), '--state', state, '--from', '5', '--to', '14']);
    expect(first.code, first.stderr).toBe(0);
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(
      Array.from({ length: 10 }, (_, at) => formatBlockId(chain.id(5 + at))),
    );
    expect(lines[5]).toMatch(/ by 14 key block$/);
    expect(lines.at(-1)).toMatch(/ 40 of 40$/);
    chain.head = 25;
    const second = await runCli([...words(chain, standIn), '--state', state, '--to', '25', '--json']);
    expect(second.code, second.stderr).toBe(0);
    const blocks = second.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(blocks.map(({ block }) => block.seqno)).toEqual(Array.from({ length: 11 }, (_, at) => 15 + at));
    expect(blocks.at(-1)).toMatchObject({ schema: 'ton-finality/followed@2', provenBy: 'signatures' });
    expect(locksOf(state)).toEqual([]);
  });

  it('says after ten seconds why an old state is not yet proven to come after a newly pinned checkpoint', async () => {
    const chain = new LiteChain({ length: 35 });
    const standIn = await serve(chain);
    const state = join(folder, 'repinned.json');
    const first = await runCli([...words(chain, standIn), '--state', state, '--from', '34', '--to', '35']);
    expect(first.code, first.stderr).toBe(0);
    chain.head = 15;
    const pinned = join(folder, 'pinned.json');
    const synced = await runCli(['sync', ...pinnedFlags(chain), ...liteFlags(standIn), '--out', pinned]);
    expect(synced.code, synced.stderr).toBe(0);
    chain.head = 35;
    const mute = await startLiteStandIn({
      answer: (asked) => (asked.constructorId === '449cea8a' ? undefined : chain.answer(asked)),
    });
    started.push(mute);
    const { child, ended } = startCli([
      'follow',
      '--checkpoint',
      pinned,
      ...liteFlags(mute),
      '--state',
      state,
      '--json',
    ]);
    await once(child.stderr!, 'data');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([130, '']);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'not-proven', head: 10, said: 30, seconds: 10 });
  });

  it('does not reject a state because old keys of a newly pinned checkpoint lead past it', async () => {
    const common = {
      length: 35,
      firstUtime: Math.floor(Date.now() / 1000) - 34,
      electedSeconds: -40_000,
      name: 'slept',
    };
    const chain = new LiteChain(common);
    const forged = new LiteChain({ ...common, forkAt: 11 });
    const standIn = await serve(chain);
    const state = join(folder, 'slept.json');
    const accept = '--accept-stale-start';
    const first = await runCli([...words(chain, standIn), '--state', state, '--from', '33', '--to', '34', accept]);
    expect(first.code, first.stderr).toBe(0);
    const kept = readFileSync(state);
    chain.head = 15;
    const pinned = join(folder, 'slept-pinned.json');
    const synced = await runCli(['sync', ...pinnedFlags(chain), ...liteFlags(standIn), '--out', pinned, accept]);
    expect(synced.code, synced.stderr).toBe(0);
    chain.head = 35;
    const honest: LiteStandIn[] = [];
    for (let k = 0; k < 3; k++) {
      const slow = await startLiteStandIn({
        async answer(asked) {
          await sleep(60);
          return chain.answer(asked);
        },
      });
      started.push(slow);
      honest.push(slow);
    }
    const liar = await serve(forged);
    const again = (...servers: readonly LiteStandIn[]) => [
      ...[
        'follow',
        '--checkpoint',
        pinned,
        '--state',
        state,
        '--to',
        '35',
        '--evidence',
        join(folder, 'slept-fork.json'),
      ],
      ...servers.flatMap((server) => liteFlags(server)),
    ];
    for (const more of [[], [accept]]) {
      const { code, stdout, stderr } = await runCli([...again(liar, ...honest), '--json', ...more]);
      expect([code, stdout], stderr).toEqual([4, '']);
      const error = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
      expect(error).toMatchObject({ code: 'trust/stale-start', path: '--checkpoint' });
      for (const server of [liar, ...honest]) expect(error.message).toContain(`127.0.0.1:${server.port}`);
      expect(error.message).toContain(formatBlockId(forged.id(30)));
      expect(error.hint).toMatch(/--without SERVER/);
      expect(error.hint).not.toMatch(/remove/);
      expect(readFileSync(state)).toEqual(kept);
    }
    const rescued = await runCli([...again(liar, ...honest), '--without', `127.0.0.1:${liar.port}`]);
    expect(rescued.code, rescued.stderr).toBe(0);
    expect(rescued.stdout).toContain(formatBlockId(chain.id(35)));
  });

  it('refuses a state that another process has, and one that is none', async () => {
    const chain = new LiteChain({ length: 12 });
    const standIn = await serve(chain);
    const state = join(folder, 'busy.json');
    const child = spawn(process.execPath, [
      join(ROOT, 'build/bundle/app/cli/cli.js'),
      ...words(chain, standIn),
      '--state',
      state,
    ]);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const refused = await runCli([...words(chain, standIn), '--state', state]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`in use by process ${child.pid}`);
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(locksOf(state)).toEqual([]);
    const { after } = JSON.parse(readFileSync(state, 'utf8'));
    expect(after).toBe(formatBlockId(chain.id(12)));
    const none = await runCli([...words(chain, standIn), '--state', writeZerostateCheckpoint(folder, chain)]);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    const pipe = join(folder, 'pipe.json');
    execFileSync('mkfifo', [pipe]);
    const waiting = await runCli([...words(chain, standIn), '--state', pipe]);
    expect(waiting).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a plain file, got a pipe') });
  });

  it.each<[string, readonly string[]]>([
    ['no checkpoint', []],
    ['a word', ['--checkpoint', 'c.json', 'latest']],
    ['an odd number', ['--checkpoint', 'c.json', '--from', 'x']],
  ])('is refused with %s', async (_, more) => {
    const standIn = await serve(new LiteChain({ length: 2 }));
    expect(await runCli(['follow', ...liteFlags(standIn), ...more], { cwd: folder })).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});

describe('--to', () => {
  it('is refused where it is before the block that the run begins at, and nothing is printed', async () => {
    const chain = new LiteChain({ length: 25 });
    const standIn = await serve(chain);
    for (const more of [
      ['--from', '9', '--to', '8'],
      ['--to', '8'],
    ]) {
      const { code, stdout, stderr } = await runCli([...words(chain, standIn), ...more]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/--to: block 8 is before block \d+, where the run begins/);
    }
  });

  it('ends a run at once whose state is there already, and prints nothing', async () => {
    const chain = new LiteChain({ length: 25 });
    const standIn = await serve(chain);
    const state = join(folder, 'there.json');
    const all = [...words(chain, standIn), '--state', state];
    expect((await runCli([...all, '--from', '5', '--to', '14'])).code).toBe(0);
    const before = readFileSync(state);
    for (const to of ['14', '9']) expect(await runCli([...all, '--to', to])).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(state)).toEqual(before);
  });
});

/** The header of a block that is not the one of this number. */
function wrongHeader(seqno: number): unknown {
  const path = join(ROOT, 'vectors/http/v2-getBlockHeader-python-39984096.json');
  const { result } = JSON.parse(readFileSync(path, 'utf8'));
  return { ...result, id: { ...result.id, seqno } };
}

const HTTP_SET = 'vectors/real/mainnet-2026-04-simplex/block-59379986/validators.json';

describe('ton-finality follow over HTTP', () => {
  it('prints each block under the set that is given, and goes on where it stopped', async () => {
    const chain = startLivingChain(20);
    const server = await startLivingServer(chain);
    try {
      const state = join(folder, 'http-state.json');
      const set = join(folder, 'set.json');
      const keys = chain.validators.validators.map(({ publicKey, weight }) => [encodeHex(publicKey), String(weight)]);
      writeFileSync(set, JSON.stringify(Object.fromEntries(keys)));
      // Whichever of them is the newest at its time is judged by the clock, which wants to know until when the set is elected.
      const trust = ['--validators', set, '--valid-until', '4000000000'];
      const words = ['follow', '--base-url', server.baseUrl, '--rate', '1000', ...trust, '--state', state];
      const first = await runCli([...words, '--from', '1003', '--to', '1007']);
      expect(first.code, first.stderr).toBe(0);
      const lines = first.stdout.trimEnd().split('\n');
      expect(lines).toEqual([3, 4, 5, 6, 7].map((at) => `${formatBlockId(makeBlockId(1000 + at))} 15 of 15`));
      expect(JSON.parse(readFileSync(state, 'utf8'))).toEqual({
        schema: 'ton-finality/follow-state@1',
        after: formatBlockId(makeBlockId(1007)),
        from: 1003,
      });
      const second = await runCli([...words, '--from', '1003', '--to', '1009', '--json']);
      expect(second.code, second.stderr).toBe(0);
      const blocks = second.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(blocks.map(({ block, verdict }) => [block.seqno, verdict.status])).toEqual([
        [1008, 'final'],
        [1009, 'final'],
      ]);
      expect(locksOf(state)).toEqual([]);
      const refused = await runCli([...words, '--from', '1004']);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('began at block 1003 and resumes after block 1009');
    } finally {
      await server.close();
    }
  });

  it('says at once that a state is far ahead of the servers, and what their head is where it stays', async () => {
    const standIn = await startStandIn();
    const children = [60_000_000, 59_379_986].map((seqno) => {
      const state = join(folder, `http-${seqno}.json`);
      const after = formatBlockId(makeBlockId(seqno));
      writeFileSync(state, JSON.stringify({ schema: 'ton-finality/follow-state@1', after }));
      const source = ['--base-url', `${standIn.origin}/api/v2`, '--rate', '1000', '--validators', HTTP_SET];
      const words = [join(ROOT, 'build/bundle/app/cli/cli.js'), 'follow', ...source, '--state', state];
      return spawn(process.execPath, words, { cwd: ROOT });
    });
    try {
      const [ahead, same] = await Promise.all(
        children.map(
          (child) => new Promise<string>((resolve) => child.stderr.once('data', (text) => resolve(`${text}`))),
        ),
      );
      expect(ahead).toBe(
        'ton-finality: resuming after block 60000000, but servers name 59379986 as the newest: the servers are behind, or the state belongs to a different network\n',
      );
      expect(same).toMatch(
        /^ton-finality: no new block for 1\d s: servers name 59379986 as the newest, and block 59379986 is proven\n$/,
      );
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await standIn.close();
    }
  });

  it('ends at a block that is not final, and keeps the place before it', async () => {
    const standIn = await startStandIn();
    try {
      const state = join(folder, 'http-odd.json');
      const words = ['follow', '--base-url', `${standIn.origin}/api/v2`, '--rate', '1000', '--validators', HTTP_SET];
      const run = await runCli([...words, '--state', state], { cwd: ROOT });
      expect(run.code).toBe(4);
      expect(run.stdout).toMatch(/^UNDECIDED, stale-set/);
      expect(run.stderr).toContain('block 59379986 is not final');
      expect(existsSync(state)).toBe(false);
    } finally {
      await standIn.close();
    }
  });

  it('ends at a set past its stakes though a server names a later head, unless the user accepts old keys', async () => {
    const chain = startLivingChain(20);
    const server = await startLivingServer(chain);
    try {
      const set = join(folder, 'old-set.json');
      const keys = chain.validators.validators.map(({ publicKey, weight }) => [encodeHex(publicKey), String(weight)]);
      writeFileSync(set, JSON.stringify(Object.fromEntries(keys)));
      const trust = ['--validators', set, '--valid-until', '1500000000'];
      const words = ['follow', '--base-url', server.baseUrl, '--rate', '1000', ...trust, '--to', '1003'];
      const state = join(folder, 'old-keys.json');
      const after = formatBlockId(makeBlockId(1002));
      writeFileSync(state, JSON.stringify({ schema: 'ton-finality/follow-state@1', after }));
      for (const place of [
        ['--from', '1003'],
        ['--state', state],
      ]) {
        const run = await runCli([...words, ...place]);
        expect(run.code, run.stderr).toBe(4);
        expect(run.stdout).toMatch(/^UNDECIDED, stale-set/);
      }
      const accepted = await runCli([...words, '--from', '1003', '--accept-stale-start']);
      expect(accepted.code, accepted.stderr).toBe(0);
      expect(accepted.stdout).toMatch(/ 15 of 15 stale start\n$/);
    } finally {
      await server.close();
    }
  });

  describe.each([
    ['names a different block in its headers', 'wrong'],
    ['is silent when it is asked for a header', 'silent'],
  ] as const)('where the first server %s', (_, fault) => {
    it('prints each block without delay, and names a server that contradicts', async () => {
      const chain = startLivingChain(20);
      const honest = await startLivingServer(chain);
      const liar = createServer((request, response) => {
        if (!request.url!.includes('getBlockHeader')) {
          void fetch(honest.baseUrl + request.url!.replace('/api/v2', '')).then(async (answer) => {
            response.writeHead(answer.status, { 'content-type': 'application/json' });
            response.end(await answer.text());
          });
        } else if (fault === 'wrong') {
          const seqno = Number(new URL(request.url!, 'http://liar').searchParams.get('seqno'));
          response.end(JSON.stringify({ ok: true, result: wrongHeader(seqno) }));
        }
      });
      await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
      try {
        const set = join(folder, `${fault}-header-set.json`);
        const keys = chain.validators.validators.map(({ publicKey, weight }) => [encodeHex(publicKey), String(weight)]);
        writeFileSync(set, JSON.stringify(Object.fromEntries(keys)));
        const trust = ['--validators', set, '--valid-until', '4000000000'];
        const first = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/api/v2`;
        const words = ['follow', '--base-url', first, '--base-url', honest.baseUrl, '--rate', '1000', ...trust];
        const began = performance.now();
        const run = await runCli([...words, '--from', '1003', '--to', '1006', '--deadline', '20']);
        expect(run.code, run.stderr).toBe(0);
        expect(run.stdout.trimEnd().split('\n')).toHaveLength(4);
        expect(performance.now() - began).toBeLessThan(15_000);
        const warnings = run.stderr.match(/is not that of the signed block/g) ?? [];
        expect(warnings).toHaveLength(fault === 'wrong' ? 1 : 0);
        if (fault === 'wrong') expect(run.stderr).toContain(`the header of ${first} is not that`);
      } finally {
        liar.closeAllConnections();
        liar.close();
        await honest.close();
      }
    });
  });

  it('goes on beside a server whose headers name other validators, where the server of the block has no header', async () => {
    const chain = startLivingChain(20);
    const honest = await startLivingServer(chain);
    const liar = createServer((request, response) => {
      const seqno = Number(new URL(request.url!, 'http://liar').searchParams.get('seqno'));
      const result = { ...(wrongHeader(seqno) as object), id: blockIdToAnswer(makeBlockId(seqno)) };
      if (request.url!.includes('getBlockHeader')) response.end(JSON.stringify({ ok: true, result }));
      else {
        void fetch(honest.baseUrl + request.url!.replace('/api/v2', '')).then(async (answer) => {
          response.statusCode = answer.status;
          response.end(await answer.text());
        });
      }
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    try {
      const set = join(folder, 'other-set-header.json');
      const adnl_addr = '07'.repeat(32);
      const listed = chain.validators.validators.map(({ publicKey, weight }) => {
        return { public_key: encodeHex(publicKey), weight: String(weight), adnl_addr };
      });
      const main = listed.length;
      writeFileSync(
        set,
        JSON.stringify({ main, shuffle_mc_validators: false, utime_until: 4_000_000_000, validators: listed }),
      );
      const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/api/v2`;
      const servers = ['--base-url', honest.baseUrl, '--base-url', url, '--rate', '1000'];
      const trust = ['--validators', set];
      const run = await runCli(['follow', ...servers, ...trust, '--from', '1003', '--to', '1006']);
      expect(run.code, run.stdout + run.stderr).toBe(0);
      expect(run.stdout.trimEnd().split('\n')).toHaveLength(4);
      expect(run.stderr).toContain(`the header of ${url} is not that of the signed block`);
      // Where the signatures are not those of the set, the header says why.
      await honest.become('strangers');
      const other = await runCli(['follow', ...servers, ...trust, '--to', '9999999']);
      expect(other.code, other.stderr).toBe(4);
      expect(other.stdout).toMatch(/^UNDECIDED, wrong-validator-set/);
    } finally {
      liar.closeAllConnections();
      liar.close();
      await honest.close();
    }
  });

  it('is refused without a set, and with a lite server beside it', async () => {
    const words = ['follow', '--base-url', 'http://127.0.0.1:9/api/v2'];
    for (const more of [[], ['--validators', HTTP_SET, '--config', 'global.json']]) {
      expect(await runCli([...words, ...more], { cwd: ROOT })).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
