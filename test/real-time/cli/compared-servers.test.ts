/** `verify` over several servers over HTTP: who agrees decides, a fork ends it with evidence, and nothing is silent. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeHex } from '../../../src/core/base/bytes.ts';
import type { SignatureList } from '../../../src/core/block/signature-list.ts';
import { type HttpBlocks, startHttpBlocks } from '../../helpers/http-blocks.ts';
import { committee, type MadeBlock, makeBlock, signBlock } from '../../helpers/make-chain.ts';
import { ROOT } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';
import { watchProcess } from '../../helpers/watch-process.ts';

const COMMAND = join(ROOT, 'build/bundle/app/cli/cli.js');
const members = committee('compared', [10n, 10n, 10n, 10n]);
const blockOf = (genUtime: number): MadeBlock =>
  makeBlock({ seqno: 7, signedBy: members, prevKeyBlockSeqno: 0, genUtime });
const [one, two] = [blockOf(1_700_000_000), blockOf(1_700_000_001)];
const truth = signBlock(one, members, 'simplex');
const lie = signBlock(two, members, 'simplex');
const unsigned: SignatureList = { ...lie, signatures: [] };

const fitsEvent = new Ajv2020({ strict: true }).compile(
  JSON.parse(readFileSync(join(ROOT, 'schemas/event-1.json'), 'utf8')) as object,
);

let folder: string;
let validators: string;
const servers: HttpBlocks[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-compared-'));
  validators = join(folder, 'validators.json');
  const weights = members.signers.map(({ publicKey, weight }) => [encodeHex(publicKey), String(weight)]);
  writeFileSync(validators, JSON.stringify(Object.fromEntries(weights)));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function serving(give: HttpBlocks['give'], head = 7): Promise<HttpBlocks> {
  const server = await startHttpBlocks(head, give);
  servers.push(server);
  return server;
}
const urls = (...list: readonly HttpBlocks[]) => list.flatMap(({ url }) => ['--base-url', url]);
const verify = (...words: string[]) => runCli(['verify', '7', '--validators', validators, '--rate', '1000', ...words]);

describe('verify over several servers', () => {
  it('is final by those that name the same block, and names those that do not', async () => {
    const all = [await serving(() => truth), await serving(() => truth), await serving(() => unsigned)];
    const { code, stdout } = await verify(...urls(...all), '--witnesses', '1');
    expect(stdout).toContain(
      `\n  witnesses  1 of 2 name the same block: ${all[1]!.url}; 1 name a different block, without a proof\n`,
    );
    expect(stdout).toContain(`warning    contradicted: ${all[2]!.url} named a different block 7`);
    expect(code).toBe(0);
  });

  it('tells on stderr who names another block, with --json as an event of each', async () => {
    const all = [await serving(() => truth), await serving(() => unsigned)];
    const words = `contradicted: ${all[1]!.url} named a different block 7, without a proof`;
    expect((await verify(...urls(...all))).stderr).toContain(words);
    const { stderr, code } = await verify(...urls(...all), '--json');
    const event = JSON.parse(stderr.trim());
    expect(fitsEvent(event), JSON.stringify(fitsEvent.errors)).toBe(true);
    expect(event).toMatchObject({ code: 'contradicted', server: all[1]!.url });
    expect(code).toBe(0);
  });

  it('is undecided where fewer agree than have to, contradicted or not', async () => {
    const all = [await serving(() => truth), await serving(() => undefined)];
    const { code, stdout } = await verify(...urls(...all), '--witnesses', '1', '--json', '--out', join(folder, 'out'));
    const json = JSON.parse(stdout);
    expect(json.verdict).toEqual({ status: 'undecided', reason: 'too-few-witnesses' });
    expect(JSON.parse(readFileSync(join(folder, 'out'), 'utf8'))).toEqual(json);
    expect(code).toBe(4);
    const text = await verify(...urls(...all), '--witnesses', '1');
    expect(text.stdout).toMatch(/^UNDECIDED \(too-few-witnesses\): masterchain block 7\n {2}fewer servers than/);
    expect((await verify(...urls(...all))).code).toBe(0);
  });

  it('asks for a witness under --strict, and refuses more witnesses than there are servers', async () => {
    const all = [await serving(() => truth), await serving(() => truth)];
    const alone = await verify(...urls(all[0]!), '--strict');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--strict: expected one more server')]);
    expect((await verify(...urls(...all), '--witnesses', '2')).code).toBe(2);
    expect((await runCli(['verify', 'block.json', '--validators', validators, '--witnesses', '1'])).code).toBe(2);
  });

  it('ends as a fork where a server shows another block that the same set signed, with evidence', async () => {
    const all = [await serving(() => truth), await serving(() => lie)];
    const evidence = join(folder, 'evidence.json');
    const { code, stderr, stdout } = await verify(...urls(...all), '--evidence', evidence, '--json');
    expect([code, stdout]).toEqual([3, '']);
    const [event, error] = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(fitsEvent(event), JSON.stringify(fitsEvent.errors)).toBe(true);
    expect(event).toMatchObject({ code: 'evidence', seqno: 7, file: evidence });
    expect(error).toMatchObject({ code: 'source/disagree', hint: expect.stringContaining('trust neither block') });
    const checked = await runCli(['verify-evidence', evidence]);
    expect(checked.stdout).toContain('FORK: two certified masterchain blocks 7');
    expect(checked.stdout).toContain('signed both  4 validators, weight 40 of 40');
    expect(checked.code).toBe(0);
    const json = JSON.parse((await runCli(['verify-evidence', evidence, '--json'])).stdout);
    expect(json).toMatchObject({ schema: 'ton-finality/fork@1', seqno: 7, keyBlock: null });
  });

  it('leaves out a server by its host or as messages name it, and asks it nothing', async () => {
    const [good, bad] = [await serving(() => truth), await serving(() => lie)];
    for (const name of [bad.url, new URL(bad.url).host]) {
      expect((await verify(...urls(bad, good), '--without', name)).code).toBe(0);
    }
    expect(bad.seen).toEqual([]);
    const unknown = await verify(...urls(bad, good), '--without', 'example.com');
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('expected a configured server, got "example.com"'),
    ]);
    expect((await verify(...urls(good), '--without', good.url)).code).toBe(2);
    const quorum = await verify(...urls(bad, good), '--without', bad.url, '--quorum', '2');
    expect([quorum.code, quorum.stderr]).toEqual([2, expect.stringContaining('--quorum')]);
  });

  it('says why there is no result after ten seconds', async () => {
    const hanging = await serving(() => 'hang');
    const words = [COMMAND, 'verify', '7', '--validators', validators, ...urls(hanging), '--deadline', '11'];
    const run = (...more: string[]) => watchProcess(process.execPath, [...words, ...more], folder);
    const [text, json] = [run(), run('--json')];
    expect(await Promise.all([text.ended, json.ended])).toEqual([3, 3]);
    expect(text.said.stderr).toMatch(/^ton-finality: no result for 10 s: no server has answered\n/);
    const [event] = json.said.stderr.split('\n');
    const said = JSON.parse(event!);
    expect(fitsEvent(said), JSON.stringify(fitsEvent.errors)).toBe(true);
    expect(said).toMatchObject({ code: 'no-server', seconds: 10 });
  });
});

describe('follow over several servers', () => {
  const follow = (...words: string[]) =>
    runCli([
      'follow',
      '--validators',
      validators,
      '--valid-until',
      '2000000000',
      '--rate',
      '1000',
      '--from',
      '7',
      '--to',
      '7',
      ...words,
    ]);

  it('prints a block that enough others name, and waits where they are too few', async () => {
    const all = [await serving(() => truth), await serving(() => truth)];
    const { code, stdout } = await follow(...urls(...all), '--strict', '--json');
    expect([code, JSON.parse(stdout).block.seqno]).toEqual([0, 7]);
    expect(all.map(({ seen }) => seen.includes('getMasterchainBlockSignatures 7'))).toEqual([true, true]);
    const alone = await follow(...urls(all[0]!), '--strict');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--strict: expected one more server')]);
    const without = await follow(...urls(...all), '--witnesses', '1', '--without', all[1]!.url);
    expect(without.code).toBe(2);
  });

  it('ends as a fork with evidence', async () => {
    const all = [await serving(() => truth), await serving(() => lie)];
    const evidence = join(folder, 'followed.json');
    const { code, stderr, stdout } = await follow(...urls(...all), '--strict', '--evidence', evidence, '--json');
    expect([code, stdout]).toEqual([3, '']);
    const event = JSON.parse(stderr.split('\n')[0]!);
    expect(fitsEvent(event), JSON.stringify(fitsEvent.errors)).toBe(true);
    expect(event).toMatchObject({ code: 'evidence', seqno: 7, file: evidence });
    expect((await runCli(['verify-evidence', evidence])).code).toBe(0);
  });

  it('names the server in the event of a warning', async () => {
    const all = [await serving(() => truth), await serving(() => truth), await serving(() => unsigned)];
    const { code, stderr } = await follow(...urls(...all), '--witnesses', '1', '--json');
    expect(code).toBe(0);
    for (const line of stderr.trim().split('\n').filter(Boolean)) {
      const event = JSON.parse(line);
      expect(fitsEvent(event), JSON.stringify(fitsEvent.errors)).toBe(true);
      expect(event).toMatchObject({ code: 'contradicted', server: all[2]!.url });
    }
  });
});

describe('audit over servers', () => {
  it('leaves out a server, and takes no name that says nothing', async () => {
    const [good, bad] = [await serving(() => truth), await serving(() => unsigned)];
    const audit = (name: string, ...words: string[]) =>
      runCli(['audit', '--validators', validators, '--from', '7', '--to', '7', '--out', join(folder, name), ...words]);
    const words = ['--rate', '1000', ...urls(bad, good)];
    const run = await audit('audit.ndjson', ...words, '--without', bad.url);
    expect(run.code, run.stderr).toBe(0);
    expect(bad.seen).toEqual([]);
    const unknown = await audit('unknown.ndjson', ...words, '--without', 'example.com');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('expected a configured server, got')]);
    const files = await audit('files.ndjson', '--from-files', folder, '--without', bad.url);
    expect([files.code, files.stderr]).toEqual([2, expect.stringContaining('--without')]);
  });
});
