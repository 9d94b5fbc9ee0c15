/** `verify` over lite servers with servers over HTTP beside them: all of them decide together. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withHttp } from '../../../src/app/cli/servers/http-beside.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { toncenterV2 } from '../../../src/net/toncenter/toncenter-v2.ts';
import { type HttpBlocks, startHttpBlocks } from '../../helpers/http-blocks.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { liteFlags, writeZerostateCheckpoint } from '../../helpers/lite-cli.ts';
import { but } from '../../helpers/lite-servers.ts';
import { type LiteStandIn, liteError, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { signBlock } from '../../helpers/make-chain.ts';
import { ROOT } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';

const firstUtime = Math.floor(Date.now() / 1000) - 30;
const common = { length: 27, firstUtime, hasStates: true, name: 'mixed' };
const chain = new LiteChain(common);
const fork = new LiteChain({ ...common, forkAt: 23 });
const stranger = new LiteChain({ ...common, name: 'strangers' });
const DAY = 86_400;
const oldOptions = {
  length: 27,
  firstUtime: firstUtime - 20 * DAY,
  blockSeconds: (20 * DAY) / 27,
  electedSeconds: DAY,
  name: 'old',
};

const fitsEvent = new Ajv2020({ strict: true }).compile(
  JSON.parse(readFileSync(join(ROOT, 'schemas/event-1.json'), 'utf8')) as object,
);
let folder: string;
const servers: { close(): unknown }[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-mixed-'));
});
afterAll(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true });
});

async function lite(of: LiteChain = chain): Promise<LiteStandIn> {
  const server = await startLiteStandIn({ answer: (asked) => of.answer(asked) });
  servers.push(server);
  return server;
}
async function http(of: LiteChain = chain, has = (_seqno: number) => true): Promise<HttpBlocks> {
  const server = await startHttpBlocks(27, (seqno) => {
    const block = has(seqno) ? of.blocks.get(seqno) : undefined;
    return block && signBlock(block, block.form.signedBy, 'simplex');
  });
  servers.push(server);
  return server;
}
async function down(): Promise<LiteStandIn> {
  const server = await startLiteStandIn({ answer: () => undefined, accept: (socket) => void socket.destroy() });
  servers.push(server);
  return server;
}
const urls = (...list: readonly HttpBlocks[]) => list.flatMap(({ url }) => ['--base-url', url]);
const verify = (of: LiteChain, seqno: string, ...words: string[]) =>
  runCli(['verify', seqno, '--checkpoint', writeZerostateCheckpoint(folder, of), '--rate', '1000', ...words]);

describe('verify over lite servers and HTTP', () => {
  it('makes no folder for answers where a URL or an option cannot be used', async () => {
    const flags = liteFlags(await lite());
    const dir = join(folder, 'not-made');
    const bad = await verify(chain, '25', ...flags, '--base-url', 'nonsense', '--save', dir);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--base-url: expected a whole URL')]);
    const many = await verify(chain, '25', ...flags, ...urls(await http()), '--witnesses', '2', '--save', dir);
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('--witnesses: expected 0 to 1')]);
    expect(existsSync(dir)).toBe(false);
  });

  it('counts servers of both kinds as witnesses', async () => {
    const flags = liteFlags(await lite());
    const [one, two] = [await http(), await http()];
    const run = await verify(chain, '25', ...flags, ...urls(one, two), '--witnesses', '2');
    expect(run.stdout).toContain(`2 of 2 name the same block: ${one.url}, ${two.url}`);
    expect(run.code, run.stderr).toBe(0);
    expect((await verify(chain, '25', ...flags, ...urls(one), '--strict')).code).toBe(0);
    expect((await verify(chain, '25', ...flags, ...urls(one), '--witnesses', '2')).code).toBe(2);
    const behind = await verify(chain, '25', ...flags, ...urls(await http(chain, () => false)), '--strict', '--json');
    expect(JSON.parse(behind.stdout).verdict).toEqual({ status: 'undecided', reason: 'too-few-witnesses' });
    expect(behind.code).toBe(4);
    const older = await verify(chain, 'latest', ...flags, ...urls(one), '--strict', '--max-age', '86400');
    expect(older.code, older.stderr).toBe(0);
  });

  it('names a server over HTTP that contradicts, in an event of its own', async () => {
    const liar = await http(stranger);
    const { code, stderr } = await verify(chain, '25', ...liteFlags(await lite()), ...urls(liar), '--json');
    const event = JSON.parse(stderr.trim());
    expect(fitsEvent(event), JSON.stringify(fitsEvent.errors)).toBe(true);
    expect(event).toMatchObject({ code: 'contradicted', server: liar.url });
    expect(code).toBe(0);
  });

  it('ends as a fork where signatures over HTTP and a proof contradict each other, with both in one file', async () => {
    const evidence = join(folder, 'evidence.json');
    const words = [...liteFlags(await lite()), ...urls(await http(fork)), '--evidence', evidence, '--json'];
    const { code, stderr, stdout } = await verify(chain, '25', ...words);
    expect([code, stdout]).toEqual([3, '']);
    const event = JSON.parse(stderr.split('\n')[0]!);
    expect(fitsEvent(event), JSON.stringify(fitsEvent.errors)).toBe(true);
    expect(event).toMatchObject({ code: 'evidence', seqno: 25, file: evidence });
    const checked = await runCli(['verify-evidence', evidence]);
    expect(checked.stdout).toMatch(/^FORK: two certified masterchain blocks 25\n\n {2}key block {4}20/);
    expect(checked.code).toBe(0);
  });

  it('leaves it open where the machine slept past the stakes between the proof and these signatures', async () => {
    const client = connectLite((await lite()).server);
    const { url } = await http(fork);
    servers.push(client);
    const proven = await syncCheckpoint([client], chain.zerostateId, { to: 25 });
    expect(proven.verdict).toEqual({ status: 'final' });
    const later = Date.now() + 800 * DAY * 1000;
    const slept = vi.spyOn(Date, 'now').mockReturnValue(later);
    const terms = { acceptStaleStart: false, witnesses: 0, countEachServer: true, waitForBlock: false };
    const source = toncenterV2({ baseUrl: url });
    const { verdict } = await withHttp(proven, [source], { ...terms, deadlineMs: undefined });
    slept.mockRestore();
    expect(verdict).toEqual({ status: 'undecided', reason: 'contradicted' });
  });

  it('shows a proof that holds in that file, though another lite server sends the proof of the other block', async () => {
    const evidence = join(folder, 'held.json');
    const liar = await startLiteStandIn({
      answer: but(chain, 'proof', ({ request }) => fork.proof(request.readUInt32LE(20), request.readUInt32LE(100))),
    });
    servers.push(liar);
    const both = [liteFlags(liar), liteFlags(await lite())];
    const over = urls(await http(fork));
    for (const flags of [both, [...both].reverse()]) {
      const run = await verify(chain, '25', ...flags.flat(), ...over, '--evidence', evidence);
      expect(run.code, run.stderr).toBe(3);
      const checked = await runCli(['verify-evidence', evidence]);
      expect(checked.code, checked.stderr).toBe(0);
      rmSync(evidence);
    }
  });

  it('takes a checkpoint past its stakes only where two servers agree and none contradicts, of either kind', async () => {
    const old = new LiteChain(oldOptions);
    const flags = liteFlags(await lite(old));
    const [one, two] = [await http(old), await http(old)];
    const alone = await verify(old, '25', ...flags, ...urls(one), '--json');
    expect([alone.code, JSON.parse(alone.stdout).verdict.reason]).toEqual([4, 'stale-set']);
    const both = await verify(old, '25', ...flags, ...urls(one, two));
    expect(both.stdout).toMatch(/^FINAL: /);
    expect(both.stdout).toContain('stale-start');
    const liar = await http(stranger);
    const contradicted = await verify(old, '25', ...flags, ...urls(one, two, liar), '--json');
    expect([contradicted.code, JSON.parse(contradicted.stdout).verdict.reason]).toEqual([4, 'contradicted']);
    expect((await verify(old, '25', ...flags, ...urls(one, two, liar), '--without', liar.url)).code).toBe(0);
  });

  it('takes the signatures of servers over HTTP where no lite server leads to the block', async () => {
    const gone = await down();
    const [one, two] = [await http(), await http()];
    const run = await verify(chain, '7', ...liteFlags(gone), ...urls(one, two), '--strict');
    expect(run.stderr).toContain('no lite server leads to the block');
    expect(run.stdout).toMatch(/^FINAL: masterchain block 7 /);
    expect(run.code).toBe(0);
    // The set of the checkpoint did not sign it, so nothing is said of it.
    expect((await verify(chain, '25', ...liteFlags(gone), ...urls(one, two))).code).toBe(3);
  });

  it('counts a lite server that contradicts, or agrees, where servers over HTTP alone prove the block', async () => {
    const unproven = (of: LiteChain) =>
      startLiteStandIn({ answer: but(of, 'proof', () => liteError(-400, 'no proofs')) }).then((server) => {
        servers.push(server);
        return server;
      });
    const [liar, honest] = [await unproven(new LiteChain({ ...common, forkAt: 5 })), await unproven(chain)];
    const said = await verify(chain, '7', ...liteFlags(liar), ...urls(await http()), '--json');
    const events = said.stderr
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(
      expect.objectContaining({ code: 'contradicted', server: expect.stringContaining(`:${liar.port}/`) }),
    );
    expect(said.code, said.stderr).toBe(0);
    const strict = await verify(chain, '7', ...liteFlags(honest), ...urls(await http()), '--strict');
    expect(strict.stdout).toContain('1 of 1 name the same block');
    expect(strict.code, strict.stderr).toBe(0);
  });

  it('keeps the evidence of a fork that servers over HTTP show alone', async () => {
    const evidence = join(folder, 'alone.json');
    const early = new LiteChain({ ...common, forkAt: 5 });
    const words = [...liteFlags(await down()), ...urls(await http(), await http(early)), '--evidence', evidence];
    const { code, stderr, stdout } = await verify(chain, '7', ...words);
    expect([code, stdout], stderr).toEqual([3, '']);
    expect(stderr).toContain(`wrote the fork evidence to ${evidence}`);
    expect((await runCli(['verify-evidence', evidence])).code).toBe(0);
  });

  it('asks no more witnesses of servers over HTTP alone than there are, and is undecided', async () => {
    const words = [...liteFlags(await down()), ...liteFlags(await down()), ...urls(await http()), '--witnesses', '2'];
    const { code, stderr, stdout } = await verify(chain, '7', ...words, '--json');
    expect(code, stderr).toBe(4);
    expect(JSON.parse(stdout).verdict).toEqual({ status: 'undecided', reason: 'too-few-witnesses' });
  });

  it('says that the age of a head is not proven by servers over HTTP alone', async () => {
    const server = await startHttpBlocks(7, (seqno) => {
      const block = chain.blocks.get(seqno);
      return block && signBlock(block, block.form.signedBy, 'simplex');
    });
    servers.push(server);
    const words = [...liteFlags(await down()), ...urls(server)];
    const { code, stderr, stdout } = await verify(chain, 'latest', ...words);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/warning +age-not-proven: the age of block 7 is not proven/);
    // Who says how old it may be does not take it on trust.
    const asked = await verify(chain, 'latest', ...words, '--max-age', '60', '--json');
    expect(asked.code, asked.stderr).toBe(4);
    expect(JSON.parse(asked.stdout).verdict).toEqual({ status: 'undecided', reason: 'stale-head' });
  });

  it('leaves out servers of either kind, and refuses options about HTTP without one', async () => {
    const [good, bad] = [await lite(), await lite(fork)];
    const [goodHttp, badHttp] = [await http(), await http(fork)];
    const all = [...liteFlags(good), ...liteFlags(bad), ...urls(goodHttp, badHttp)];
    const names = ['--without', `127.0.0.1:${bad.port}`, '--without', new URL(badHttp.url).host];
    const run = await verify(chain, '25', ...all, ...names);
    expect(run.code, run.stderr).toBe(0);
    expect([bad.asked.length, badHttp.seen.length]).toEqual([0, 0]);
    expect((await verify(chain, '25', ...liteFlags(good), '--deadline', '3')).code).toBe(2);
  });
});
