import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../helpers/run-cli.ts';
import { type StandIn, startStandIn } from '../../helpers/stand-in.ts';
import { FAULT_NAMES, type FaultName } from '../../helpers/stand-in-faults.ts';
import { ROOT, readAnswer } from '../../helpers/vectors.ts';
import { runCli } from '../../helpers/warm-cli.ts';

const SIMPLEX = 'vectors/real/mainnet-2026-04-simplex/block-59379986/validators.json';
const ORDINARY = 'vectors/real/mainnet-2025-04/block-46920655/validators.json';
const SEQNO = '46920655';
/** The recorded lists of validators have no ADNL addresses. */
const UNCOMPARED = {
  code: 'set-not-compared',
  message: 'the header names a set, but this set has no ADNL addresses or shuffle flag to compare',
};
const UNBOUND = {
  code: 'unbound-seqno',
  message: expect.stringMatching(/^the signatures cover two hashes; the number 46920655 is an unverified claim/),
};
const FILE_HASH = 'abe2b7bd648fe204767cdc7d59503f8966d7f9b193d4bb8ddd6f501d4a05317c';
const KEY = 'cli-secret-0123456789abcdef';

let standIn: StandIn;
let folder: string;
beforeAll(async () => {
  standIn = await startStandIn();
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-fetch-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await standIn.close();
});

const url = (path = '', api = 'v2') => `${standIn.origin}${path}/api/${api}`;
const run = (...words: string[]) => runCli(['verify', '--rate', '1000', ...words], { env: { TON_KEY: KEY } });
/** An ordinary block: its signatures leave the number open, so that it is a server's word. */
const unexcepted = (...words: string[]) => run(SEQNO, '--validators', ORDINARY, ...words);
const ordinary = (...words: string[]) => unexcepted('--accept-unbound', ...words);

describe('verify from a server', () => {
  it('proves the latest block final, by the clock of its day', async () => {
    const words = ['latest', '--base-url', url(), '--validators', SIMPLEX, '--now', '1775775496'];
    const { code, stdout, stderr } = await run(...words);
    expect(stdout).toContain('FINAL: masterchain block 59379986 (simplex signatures)');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('leaves a head undecided when its set is too old by the clock of this machine', async () => {
    const { code, stdout } = await run('latest', '--base-url', url(), '--validators', SIMPLEX, '--json');
    expect(JSON.parse(stdout).verdict).toEqual({ status: 'undecided', reason: 'stale-set' });
    expect(code).toBe(4);
  });

  it.each(['', '/python'])('proves a block by its seqno, from either server (%s)', async (form) => {
    const { code, stdout } = await ordinary(
      '--base-url',
      url(form),
      '--v3-url',
      url('', 'v3'),
      '--network',
      'mainnet',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: { status: 'final' },
      block: { seqno: 46920655 },
      warnings: [UNBOUND, UNCOMPARED],
    });
    expect(code).toBe(0);
  });

  it('waits for a block that is named as the latest and not ready yet', async () => {
    standIn.chooseFault = (operation) => (operation === 'getMasterchainBlockSignatures' ? 'ready-after-1' : undefined);
    const { code } = await run('latest', '--base-url', url(), '--validators', SIMPLEX, '--now', '1775775496');
    standIn.chooseFault = () => undefined;
    expect(code).toBe(0);
  });

  it('goes on to the head of the next server when that of one is a block that nobody has', async () => {
    const liar = createServer(async (request, response) => {
      const answer = await fetch(standIn.origin + request.url);
      const body = await answer.text();
      const isHead = request.url?.includes('getMasterchainInfo');
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(isHead ? body.replace('"seqno":59379986', '"seqno":2000000000') : body);
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    const name = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/api/v2`;
    const urls = ['--base-url', name, '--base-url', url(), '--deadline', '4'];
    const words = ['latest', ...urls, '--validators', SIMPLEX, '--now', '1775775496', '--json'];
    const { code, stdout } = await run(...words);
    liar.close();
    const { block, verdict, warnings } = JSON.parse(stdout);
    expect([code, block.seqno, verdict.status]).toEqual([0, 59379986, 'final']);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining(`${name} names block 2000000000 as the latest, but no server`),
      }),
    );
  });

  it('asks the next server when one fails, and fails when all do', async () => {
    const urls = ['--base-url', url('/fault/502-html'), '--base-url', url('/python')];
    expect((await ordinary(...urls)).code).toBe(0);
    const { code, stderr } = await ordinary('--base-url', url('/fault/401'), '--base-url', url('/fault/404'), '--json');
    expect(code).toBe(3);
    const error = JSON.parse(stderr);
    expect(error).toMatchObject({ schema: 'ton-finality/error@2', code: 'source/auth' });
    expect(error.message).toContain('none of 2 servers gave an answer');
  });

  it('asks the next server when the signatures of one are no good, and reports them only when nobody has better ones', async () => {
    const bad = url('/fault/bad-signature');
    const good = await ordinary('--base-url', bad, '--base-url', url(), '--json');
    const { verdict, warnings } = JSON.parse(good.stdout);
    expect(verdict.status).toBe('final');
    expect(warnings).toContainEqual({
      code: 'signatures-not-final',
      message: `${bad}: its list of signatures is not final: rejected`,
    });
    expect(good.code).toBe(0);
    const alone = await ordinary('--base-url', bad, '--base-url', url('/fault/502-html'), '--json');
    const report = JSON.parse(alone.stdout);
    expect(report.verdict.status).toBe('rejected');
    expect(JSON.stringify(report.warnings)).toContain(url('/fault/502-html'));
    expect(alone.code).toBe(1);
    const other = `${standIn.origin}/fault/bad-signature/python/api/v2`;
    const both = await ordinary('--base-url', bad, '--base-url', other, '--json');
    const refused: string[] = JSON.parse(both.stdout)
      .warnings.map(({ message }: { message: string }) => message)
      .filter((words: string) => words.endsWith(': rejected'));
    const names = [bad, other].map((name) => `${name}: its list of signatures is not final: rejected`);
    expect([refused.length, names.includes(refused[0]!)]).toEqual([1, true]); // the verdict is about the one that was asked first
    expect(both.code).toBe(1);
  });

  it('says which servers were not asked any more when the time is over', async () => {
    const [one, two] = [await startStandIn(), await startStandIn()];
    one.chooseFault = (operation) => (operation === 'getBlockHeader' ? 'slow-headers' : 'bad-signature');
    two.chooseFault = (operation) => (operation === 'getBlockHeader' ? 'slow-headers' : undefined);
    const urls = [one, two].flatMap(({ origin }) => ['--base-url', `${origin}/api/v2`]);
    const { code, stdout } = await ordinary(...urls, '--deadline', '0.5', '--json');
    await Promise.all([one.close(), two.close()]);
    const { verdict, warnings } = JSON.parse(stdout);
    expect([code, verdict.status]).toEqual([1, 'rejected']);
    expect(warnings).toContainEqual({
      code: 'not-asked',
      message: `${two.origin}/api/v2: not asked for signatures, because the time limit was reached`,
    });
  });

  /** The stand-in with changes to what it says of one ordinary block. */
  async function standInWith(change: object, headerChange: object = {}) {
    const block = standIn.chain.blocks.get(46920655)!;
    const changed = {
      ...block,
      signatures: { ...block.signatures, ...change },
      header: () => ({ ...block.header(), ...headerChange }),
    };
    return await startStandIn({
      chain: { ...standIn.chain, blocks: new Map([...standIn.chain.blocks, [46920655, changed]]) },
    });
  }
  const otherId = () => ({
    id: { ...standIn.chain.blocks.get(46920655)!.signatures.id, file_hash: Buffer.alloc(32, 7).toString('base64') },
  });

  it.each([
    ['signatures that cannot be read', () => standInWith({ signatures: 'none' }), 'cannot be read', 3],
    ['signatures and a header of two blocks', () => standInWith(otherId()), 'servers name different blocks', 3],
    ['another block than is expected', () => standInWith(otherId(), otherId()), '--expect-file-hash', 2],
  ])('asks the next server when one sends %s', async (_, start, words, code) => {
    const other = await start();
    const bad = ['--base-url', `${other.origin}/api/v2`, '--expect-file-hash', FILE_HASH];
    const good = await ordinary(...bad, '--base-url', url(), '--json');
    const alone = await ordinary(...bad);
    await other.close();
    const { verdict, block, warnings } = JSON.parse(good.stdout);
    expect({ verdict: verdict.status, block }).toMatchObject({ verdict: 'final', block: { fileHash: FILE_HASH } });
    expect(JSON.stringify(warnings)).toContain(words);
    expect([good.code, alone.code]).toEqual([0, code]);
  });

  it('says so when the server whose signatures were no good named another block', async () => {
    const other = await standInWith(otherId(), otherId());
    const { code, stdout } = await ordinary('--base-url', `${other.origin}/api/v2`, '--base-url', url(), '--json');
    await other.close();
    const words = /rejected; the server names a different block: \(-1,80{15},46920655\):[0-9a-f]{64}:(?:07){32}$/;
    expect(JSON.parse(stdout).warnings).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(words) }),
    );
    expect(code).toBe(0);
  });

  it('proves what enough servers agree on, names the odd one, and takes the good list of signatures', async () => {
    const urls = ['/fault/bad-signature', '', '/python', '/fault/wrong-block'].flatMap((path) => [
      '--base-url',
      url(path),
    ]);
    const { code, stdout } = await ordinary(...urls, '--quorum', '3', '--json');
    const report = JSON.parse(stdout);
    expect(report.verdict.status).toBe('final');
    expect(JSON.stringify(report.warnings)).toMatch(/wrong-block.*got block \(-1,8000000000000000,46920656\)/);
    expect(code).toBe(0);
  });

  it('fails with who said what when too few agree', async () => {
    const urls = ['--base-url', url(), '--base-url', url('/fault/wrong-block'), '--quorum', '2'];
    const { code, stderr } = await ordinary(...urls);
    expect(code).toBe(3);
    expect(stderr).toContain('fewer than 2 of 2 servers agree');
    expect(stderr).toContain('says (-1,8000000000000000,46920655):');
  });

  it('compares the block id with v3: a failure is a warning', async () => {
    const broken = await ordinary('--base-url', url(), '--v3-url', url('/fault/503', 'v3'), '--json');
    expect(JSON.stringify(JSON.parse(broken.stdout).warnings)).toContain('not-cross-checked');
    expect(broken.code).toBe(0);
  });

  it('says that servers do not hand out the set of the zerostate', async () => {
    const { code, stderr } = await run('5', '--base-url', url(), '--validators-from', 'server');
    expect(stderr).toContain('pass it with --validators');
    expect(code).toBe(3);
  });

  it('refuses a server of another network', async () => {
    standIn.chooseFault = () => undefined;
    const other = await startStandIn({
      chain: { ...standIn.chain, init: { ...standIn.chain.init, root_hash: Buffer.alloc(32).toString('base64') } },
    });
    const { code, stderr } = await ordinary('--base-url', `${other.origin}/api/v2`, '--network', 'mainnet');
    await other.close();
    expect(code).toBe(3);
    expect(stderr).toContain('not a mainnet server');
  });

  it('refuses a block other than the expected one', async () => {
    const { code, stderr } = await ordinary('--base-url', url(), '--expect-root-hash', '00'.repeat(32));
    expect(code).toBe(2);
    expect(stderr).toContain('the answer is about a different block');
  });

  it('saves every body, so that the run can be repeated offline', async () => {
    const dir = join(folder, 'saved');
    const first = await ordinary('--base-url', url(), '--v3-url', url('', 'v3'), '--save', dir, '--json');
    const files = readdirSync(dir);
    expect(files.map((file) => file.replace(/-127.*/, ''))).toEqual([
      '001-getMasterchainBlockSignatures-46920655',
      '002-getBlockHeader-46920655',
      '003-masterchainBlockShardState-46920655',
    ]);
    expect(first.stderr).toContain(`saved 3 answers to ${dir}; offline again: ton-finality verify ${dir}/001-`);
    const header = ['--catchain-seqno', '681738', '--list-hash', '2114498531'];
    const offline = ['--validators', ORDINARY, ...header, '--accept-unbound', '--json'];
    const again = await runCli(['verify', join(dir, files[0]!), ...offline]);
    const { run: firstRun, ...firstReport } = JSON.parse(first.stdout);
    const { run: secondRun, ...secondReport } = JSON.parse(again.stdout);
    expect(secondReport).toEqual(firstReport);
    // Told by their bytes, files and answers are the same.
    expect(secondRun.inputs[1]).toEqual({ name: join(dir, files[0]!), sha256: firstRun.inputs[1].sha256 });
    expect(firstRun.inputs.map(({ name }: { name: string }) => name)).toEqual([
      ORDINARY,
      `${url()}/getMasterchainBlockSignatures?seqno=46920655`,
      `${url()}/getBlockHeader?workchain=-1&shard=-9223372036854775808&seqno=46920655`,
      `${url('', 'v3')}/masterchainBlockShardState?seqno=46920655`,
    ]);
    await ordinary('--base-url', url(), '--save', dir);
    expect(readdirSync(dir)).toHaveLength(5);
  });

  it('saves what a failing server said', async () => {
    const dir = join(folder, 'failed');
    await ordinary('--base-url', url('/fault/401'), '--save', dir);
    expect(readFileSync(join(dir, readdirSync(dir)[0]!), 'utf8')).toBe(
      '{"ok":false,"code":401,"error":"API key does not exist"}',
    );
  });
});

/** What the command must exit with, and a word of its advice. */
const ADVICE: Record<FaultName, [number, RegExp]> = {
  'rate-limit-error': [3, /wait a second or more, or use an API key/],
  'rate-limit-result': [3, /wait a second or more, or use an API key/],
  'rate-limit-retry-after': [3, /wait a second or more, or use an API key/],
  '401': [3, /check the API key/],
  '403': [3, /check the API key and that it is for this network/],
  '404': [3, /check the base URL/],
  '405': [3, /check the base URL/],
  '422': [3, /check the base URL/],
  '500': [3, /ask another server/],
  '502-html': [3, /ask again later, or ask another server/],
  '503': [3, /ask again later/],
  '504': [3, /ask again later/],
  '542': [3, /ask again later/],
  'not-ready': [3, /too new, pruned or of another network/],
  'ok-false-200': [3, /ask again later/],
  'json-rpc-error-200': [3, /check the base URL/],
  'other-envelope': [3, /check the base URL/],
  'html-200': [3, /ask another server/],
  empty: [3, /ask another server/],
  'empty-500': [3, /ask again later/],
  'not-json': [3, /ask another server/],
  'json-array': [3, /ask another server/],
  'slow-headers': [3, /allow more time/],
  'slow-body': [3, /allow more time/],
  'endless-body': [3, /raise the limit/],
  'truncated-body': [3, /ask another server/],
  'wrong-content-length': [3, /ask again later/],
  'broken-chunks': [3, /ask again later/],
  'connection-reset': [3, /ask again later/],
  'gzip-bomb': [3, /raise the limit/],
  'bad-gzip': [3, /ask again later/],
  redirect: [3, /if you trust the new address/],
  'wrong-block': [3, /ask another server/],
  'previous-signatures': [1, /a different block or kind/],
  'bad-signature': [1, /rejected for 1 bad entry/],
  'null-list': [3, /ask another server/],
  'null-result': [3, /ask another server/],
  'unknown-type': [3, /upgrade: this program is older than the network/],
  'ready-after-1': [0, /FINAL/],
  'ready-after-3': [3, /too new, pruned or of another network/],
  'echoes-the-key': [3, /check the API key/],
};

describe('every fault', () => {
  it('is listed in the table of this test', () => {
    expect(Object.keys(ADVICE).sort()).toEqual([...FAULT_NAMES].sort());
  });

  it('ends the command with its exit code and says what to do, and the key is nowhere to be found', async () => {
    // All in one process: the start of one costs more than a run, and what most of them do is wait.
    const lines = FAULT_NAMES.map((fault) => [
      ...['verify', '3082200', '--validators', 'vectors/real/mainnet-2020-04-06/block-3082200/validators.json'],
      ...['--base-url', url(`/fault/${fault}`), '--api-key-env', 'TON_KEY', '--rate', '1000', '--accept-unbound'],
      ...['--deadline', fault.startsWith('slow') ? '1' : '4', '--save', join(folder, `fault-${fault}`)],
    ]);
    const batch = await runCommand('build/test/helpers/cli-batch.js', JSON.stringify(lines), { TON_KEY: KEY });
    const outcomes = JSON.parse(batch.stdout) as { code: number; stdout: string; stderr: string }[];
    expect(outcomes).toHaveLength(FAULT_NAMES.length);
    for (const [at, fault] of FAULT_NAMES.entries()) {
      const { code, stdout, stderr } = outcomes[at]!;
      const [expected, advice] = ADVICE[fault];
      expect(stdout + stderr, fault).toMatch(advice);
      expect(code, `${fault}: ${stdout}${stderr}`).toBe(expected);
      const dir = join(folder, `fault-${fault}`);
      const saved = readdirSync(dir).map((file) => file + readFileSync(join(dir, file), 'utf8'));
      expect(stdout + stderr + saved.join(), fault).not.toContain(KEY);
    }
  });

  it('found the key where it belongs, in a header of each request', () => {
    const keyed = standIn.seen.filter(({ headers }) => headers['x-api-key'] === KEY);
    expect(keyed.length).toBeGreaterThan(FAULT_NAMES.length);
    expect(standIn.seen.some(({ path }) => path.includes(KEY))).toBe(false);
  });
});

describe('a block asked for by its number', () => {
  /** A proxy that gives one recorded block under every number. */
  async function startProxy(): Promise<{ readonly url: string; close(): void }> {
    const answer = readAnswer('real/mainnet-2020-04-06/block-3082200');
    const server = createServer((request, response) => {
      const seqno = Number(new URL(request.url ?? '', 'http://x').searchParams.get('seqno'));
      if (!request.url?.includes('getMasterchainBlockSignatures')) response.writeHead(404).end('{}');
      else
        response.end(
          JSON.stringify({ ...answer, result: { ...answer.result, id: { ...(answer.result.id as object), seqno } } }),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
  }

  it('is undecided where only the server says that the signatures are of that number', async () => {
    const proxy = await startProxy();
    const set = 'vectors/real/mainnet-2020-04-06/block-3082200/validators.json';
    const words = ['69999990', '--base-url', proxy.url, '--validators', set];
    const { code, stdout } = await run(...words, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: { status: 'undecided', reason: 'unbound-id' },
      policy: { requireBoundId: true, acceptUnbound: false },
    });
    expect(code).toBe(4);
    const accepted = await run(...words, '--accept-unbound');
    proxy.close();
    expect(accepted.stdout).toMatch(
      /^FINAL: block with root hash 22d6c9d10171ca10…, claimed to be masterchain block 69999990 /,
    );
    expect(accepted.stdout).toContain('warning    unbound-seqno: ');
    expect(accepted.stdout).toContain('unbound number accepted');
    expect(accepted.code).toBe(0);
  });

  it('is bound by a proven header of it, and by simplex signatures', async () => {
    const header = 'vectors/real/mainnet-2025-04/block-46920655/dest-proof.boc';
    const { code, stdout } = await unexcepted('--base-url', url(), '--block', header);
    expect(stdout).toMatch(/^FINAL: masterchain block 46920655 /);
    expect(code).toBe(0);
    const simplex = await run('59379986', '--base-url', url(), '--validators', SIMPLEX);
    expect(simplex.stdout).toMatch(/^FINAL: masterchain block 59379986 /);
  });

  it('can be asked for again offline with the same verdict', async () => {
    const dir = join(folder, 'undecided');
    const { code, stderr } = await unexcepted('--base-url', url(), '--save', dir);
    expect(code).toBe(4);
    const [, command] = /offline again: ton-finality (.*)$/m.exec(stderr)!;
    expect((await runCli(command!.split(' '))).code).toBe(4);
  });

  it('takes the better of two lists though neither is final by itself', async () => {
    const urls = ['--base-url', url('/fault/bad-signature'), '--base-url', url(), '--quorum', '2'];
    const { verdict, warnings } = JSON.parse((await unexcepted(...urls, '--json')).stdout);
    expect(verdict).toEqual({ status: 'undecided', reason: 'unbound-id' });
    expect(warnings).toContainEqual({
      code: 'signatures-not-final',
      message: `${url('/fault/bad-signature')}: its list of signatures is not final: rejected`,
    });
  });
});

describe('a validator set from the server', () => {
  // The recorded proof of this block holds the configuration that rules it, so the stand-in has it.
  const block = ['46920655', '--base-url'];
  const claimed = ['--validators-from', 'server', '--rate', '100'];

  it('is that of the right key block, matches the header, and still leaves the block undecided', async () => {
    const { code, stdout } = await runCli(['verify', ...block, url(), ...claimed, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: { status: 'undecided', reason: 'claimed-set' },
      signedWeight: '361408751719980451',
      totalWeight: '379393671839235982',
      validatorSet: { provenance: { kind: 'claimed' }, setCheck: 'match' },
      hints: [expect.stringContaining('only a server claims this set')],
    });
    expect(code).toBe(4);
  });

  it('makes a block final only when it is accepted by name', async () => {
    const { code, stdout } = await runCli([
      'verify',
      ...block,
      url('/python'),
      ...claimed,
      '--accept-claimed',
      '--accept-unbound',
    ]);
    expect(stdout).toMatch(/^FINAL: block with root hash 1df94b183da1e4a2…, claimed to be masterchain block 46920655 /);
    expect(stdout).toContain('only claimed by');
    expect(stdout).toContain('claimed set accepted');
    expect(code).toBe(0);
  });
});

describe('a command line about servers', () => {
  it('gives each key to the host it was named for, and to no other', async () => {
    const other = await startStandIn();
    const before = standIn.seen.length;
    const urls = ['--base-url', `${other.origin}/fault/401/api/v2`, '--base-url', url(), '--v3-url', url('', 'v3')];
    const { code } = await ordinary(...urls, '--api-key-env', 'TON_KEY');
    expect(code).toBe(0);
    expect(other.seen.map(({ headers }) => headers['x-api-key'])).toContain(KEY);
    expect(standIn.seen.slice(before).filter(({ headers }) => headers['x-api-key'] !== undefined)).toEqual([]);
    await other.close();
  });
});

describe('servers that are not what they should be', () => {
  const PLAIN = ['--validators', ORDINARY];

  it('with a broken candidate are left out of a quorum, and a failed source when there is no other', async () => {
    const block = standIn.chain.blocks.get(59379986)!;
    const signatures = { ...block.signatures, candidate: Buffer.from('not a candidate').toString('base64') };
    const blocks = new Map([...standIn.chain.blocks, [59379986, { ...block, signatures }]]);
    const other = await startStandIn({ chain: { ...standIn.chain, blocks } });
    const broken = ['59379986', '--validators', SIMPLEX, '--base-url', `${other.origin}/api/v2`];
    const good = await run(...broken, '--base-url', url(), '--base-url', url('/python'), '--quorum', '2', '--json');
    const alone = await run(...broken);
    const saved = join(folder, 'broken-candidate.json');
    writeFileSync(saved, JSON.stringify({ ok: true, result: signatures }));
    const file = await runCli(['verify', saved, '--validators', SIMPLEX]);
    await other.close();
    const { verdict, warnings } = JSON.parse(good.stdout);
    expect(verdict.status).toBe('final');
    expect(JSON.stringify(warnings)).toMatch(new RegExp(`${other.origin}/api/v2: .*candidate: expected`));
    expect(good.code).toBe(0);
    expect(alone.stderr).toMatch(new RegExp(`${other.origin}/api/v2: .*candidate: expected`));
    expect([alone.code, file.code]).toEqual([3, 2]);
  });

  it('with a list that is not final beside one that is are named', async () => {
    const urls = ['--base-url', url('/fault/bad-signature'), '--base-url', url(), '--quorum', '2'];
    const { stdout } = await ordinary(...urls, '--json');
    const { verdict, warnings } = JSON.parse(stdout);
    expect(verdict.status).toBe('final');
    expect(warnings).toContainEqual({
      code: 'signatures-not-final',
      message: `${url('/fault/bad-signature')}: its list of signatures is not final: rejected`,
    });
  });

  it('are not asked for evidence when they are of another network', async () => {
    const init = { ...standIn.chain.init, root_hash: Buffer.alloc(32).toString('base64') };
    const other = await startStandIn({ chain: { ...standIn.chain, init } });
    const urls = ['--base-url', `${other.origin}/api/v2`, '--base-url', url(), '--network', 'mainnet'];
    const { code, stdout } = await run(
      ...[SEQNO, ...urls, '--validators-from', 'server', '--accept-claimed', '--accept-unbound', '--json'],
    );
    await other.close();
    const report = JSON.parse(stdout);
    expect(report.validatorSet.provenance).toEqual({ kind: 'claimed', source: url() });
    expect(JSON.stringify(report.warnings)).toContain('not a mainnet server');
    expect(other.seen.map(({ path }) => path)).toEqual(['/api/v2/getMasterchainInfo']);
    expect(code).toBe(0);
  });

  it('are not waited for when a header hangs and enough others have told theirs', async () => {
    const other = await startStandIn();
    other.chooseFault = (operation) => (operation === 'getBlockHeader' ? 'slow-headers' : undefined);
    const urls = [`${other.origin}/api/v2`, url(), url('/python')].flatMap((one) => ['--base-url', one]);
    const { code, ownMs } = await ordinary(...urls, '--quorum', '2');
    expect(ownMs).toBeLessThan(5000);
    await other.close();
    expect(code).toBe(0);
  });

  it('are asked for evidence no longer than --deadline, and after the one that answered', async () => {
    const other = await startStandIn();
    other.chooseFault = (operation) => (operation === 'getBlockHeader' ? 'slow-headers' : undefined);
    const words = [...PLAIN, '--accept-unbound', '--deadline', '1', '--json'];
    const slow = await run(SEQNO, '--base-url', `${other.origin}/api/v2`, ...words);
    expect(JSON.stringify(JSON.parse(slow.stdout).warnings)).toMatch(/not-cross-checked.*no whole answer in time/);
    expect(slow.code).toBe(0);
    expect(slow.ownMs).toBeLessThan(5000);
    const before = other.seen.length;
    other.chooseFault = () => '401';
    const next = await run(SEQNO, '--base-url', `${other.origin}/api/v2`, '--base-url', url(), ...words);
    await other.close();
    expect(JSON.stringify(JSON.parse(next.stdout).warnings)).toContain('API key does not exist');
    expect(other.seen.slice(before).filter(({ path }) => path.includes('getBlockHeader'))).toEqual([]);
  });

  it('and have rows of other blocks only say nothing of this one', async () => {
    const { code, stdout } = await ordinary('--base-url', url(), '--v3-url', url('/fault/wrong-block', 'v3'), '--json');
    expect(JSON.stringify(JSON.parse(stdout).warnings)).toMatch(/not-cross-checked.*masterchainBlockShardState/);
    expect(code).toBe(0);
  });

  it('and have no header are the reason why there is no set from them', async () => {
    const other = await startStandIn();
    other.chooseFault = (operation) => (operation === 'getBlockHeader' ? '401' : undefined);
    const { code, stderr } = await run(SEQNO, '--base-url', `${other.origin}/api/v2`, '--validators-from', 'server');
    await other.close();
    expect(stderr).toContain('getBlockHeader: "API key does not exist" (HTTP 401)');
    expect(code).toBe(3);
  });

  it('and have no header are events with --json, each with a code that the schema allows', async () => {
    const [one, other] = [await startStandIn(), await startStandIn()];
    for (const server of [one, other]) {
      server.chooseFault = (operation) => (operation === 'getBlockHeader' ? '401' : undefined);
    }
    const urls = [one, other].flatMap(({ origin }) => ['--base-url', `${origin}/api/v2`]);
    const { code, stderr } = await run(SEQNO, ...urls, '--validators-from', 'server', '--json');
    await Promise.all([one.close(), other.close()]);
    expect(code).toBe(3);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const event = JSON.parse(readFileSync(join(ROOT, 'schemas/event-1.json'), 'utf8'));
    expect(lines.map(({ schema }) => schema)).toEqual(['ton-finality/event@1', 'ton-finality/error@2']);
    expect(lines[0].code).toMatch(new RegExp(event.properties.code.pattern));
    expect(lines[0].message).toContain('API key does not exist');
  });

  it('that name the same block are counted in a line of their own', async () => {
    const { stdout } = await ordinary('--base-url', url(), '--v3-url', url('', 'v3'));
    expect(stdout).toContain(`\n  witnesses  1 of 1 name the same block: ${url('', 'v3')}\n`);
  });
});

describe('--save', () => {
  it('points at the body that the verdict is about', async () => {
    const dir = join(folder, 'accepted');
    const urls = ['--base-url', url('/fault/bad-signature'), '--base-url', url(), '--quorum', '2', '--save', dir];
    const { stderr } = await ordinary(...urls);
    expect(stderr).toMatch(/offline again: ton-finality verify \S+-127\.0\.0\.1_\d+_api_v2\.json --validators /);
  });

  it('repeats policy, clock and expectations, and asks for the set where a server gave it', async () => {
    const dir = join(folder, 'again');
    const more = ['--expect-file-hash', FILE_HASH, '--threshold', '3/4', '--now', '1745000000'];
    const { stderr } = await ordinary(...more, '--base-url', url(), '--save', dir);
    const words = `--validators ${ORDINARY} --threshold 3/4 --expect-file-hash ${FILE_HASH} --accept-unbound --now 1745000000`;
    expect(stderr).toContain(`_api_v2.json ${words}\n`);
    const strict = [
      'latest',
      '--strict',
      '--validators',
      SIMPLEX,
      ...['--base-url', url(), '--base-url', url('/python')],
      '--save',
      join(folder, 'strict'),
    ];
    const { stderr: latest } = await run(...strict);
    const [, now] = / --strict --now ([0-9]{10})$/m.exec(latest)!;
    expect(Math.abs(Number(now) - Date.now() / 1000)).toBeLessThan(60);
    const claimed = ['--base-url', url(), '--validators-from', 'server', '--accept-claimed', '--accept-unbound'];
    const { stderr: given } = await run(SEQNO, ...claimed, '--save', join(folder, 'given'));
    expect(given).toMatch(/_api_v2\.json --accept-unbound --validators FILE$/m);
  });

  it('says that a claimed set is a given one offline', async () => {
    const words = ['--base-url', url(), '--validators-from', 'server', '--save', join(folder, 'claimed')];
    const { stderr } = await run(SEQNO, ...words);
    expect(stderr).toContain('offline again, with a set that is then given, not claimed: ton-finality verify');
  });

  it('that cannot be is refused before anybody is asked', async () => {
    const before = standIn.seen.length;
    const { code, stderr } = await ordinary('--base-url', url(), '--save', 'package.json');
    expect(stderr).toContain('--save: cannot be written (EEXIST)');
    expect(code).toBe(2);
    expect(standIn.seen).toHaveLength(before);
  });

  it('that fails later changes nothing about the verdict', async () => {
    const dir = join(folder, 'vanishes');
    standIn.chooseFault = () => {
      rmSync(dir, { recursive: true, force: true });
      return undefined;
    };
    const { code, stdout, stderr } = await ordinary('--base-url', url(), '--save', dir);
    standIn.chooseFault = () => undefined;
    expect(stdout).toMatch(/^FINAL/);
    expect(stderr).toBe(
      `ton-finality: saved 0 of 2 answers to ${dir}; --save: cannot be written: the folder ${dir} does not exist\n`,
    );
    expect(code).toBe(0);
  });

  it('shortens long names, and loses none', async () => {
    const dir = join(folder, 'long');
    const long = (end: string) => `${standIn.origin}/${'way/'.repeat(100)}${end}/api/v2`;
    const { code } = await ordinary('--base-url', long('a'), '--base-url', long('b'), '--save', dir);
    expect(code).toBe(3);
    const files = readdirSync(dir);
    expect(new Set(files.map((file) => file.slice(4))).size).toBe(2); // without its number
    for (const file of files) {
      expect(file.length).toBeLessThan(180);
      expect(readFileSync(join(dir, file), 'utf8')).toContain('404');
    }
  });

  it.each([
    ['plain', (dir: string) => dir],
    ["it's here", (dir: string) => `'${dir.replace("'", String.raw`'\''`)}'`],
    [
      'two\nlines \u001b[2J\u202e',
      (dir: string) =>
        `$'${dir.replace('two\nlines \u001b[2J\u202e', String.raw`two\x0alines\x20\x1b\x5b2J\xe2\x80\xae`)}'`,
    ],
  ])('names what it wrote so that it can be pasted: %j', async (name, quoted) => {
    const dir = join(folder, name);
    const { code, stderr } = await ordinary('--base-url', url(), '--save', dir);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/[\p{Cc}\p{Cf}](?!$)/u);
    expect(stderr).toContain(`to ${quoted(dir)};`);
    const [, command] = /offline again: ton-finality (.*)$/m.exec(stderr)!;
    const again = spawnSync('bash', ['-c', `"${process.execPath}" build/bundle/app/cli/cli.js ${command}`], {
      cwd: ROOT,
    });
    expect(again.status).toBe(0);
  });
});
