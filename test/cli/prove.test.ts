/** prove, certify and verify --certificate, as a user's shell runs them: from files, without a network. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { formatBlockId } from '../../src/core/block/block-id.ts';
import { parseLiteAnswer } from '../../src/net/lite-api/read-answers.ts';
import { LIVE, liveAnswer, liveTransactions } from '../helpers/inclusion.ts';
import { runCli } from '../helpers/warm-cli.ts';

const answers = (file: string) => `vectors/live/answers/${file}`;
const [message] = liveTransactions.filter(({ file }) => file === 'transaction-4.tl');
const ANCHOR = formatBlockId(LIVE.zerostate);

let folder: string;
let under: readonly string[];
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-prove-'));
  const { rootHash, fileHash } = LIVE.zerostate;
  const words = [
    '--zerostate',
    answers('zerostate.boc'),
    '--root-hash',
    encodeHex(rootHash),
    '--file-hash',
    encodeHex(fileHash),
  ];
  expect((await runCli(['checkpoint', 'init', ...words, '--out', at('c.json')])).code).toBe(0);
  under = ['--checkpoint', at('c.json'), '--proof', answers('proof-zerostate-to-block.tl')];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const transaction = ['transaction', answers('transaction-4.tl'), '--account', message!.account!, '--lt', message!.lt!];

it('prove says what stands in the block, and the way up to what is trusted', async () => {
  const { code, stdout } = await runCli(['prove', ...transaction, '--require-success', ...under]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^PROVEN transaction\n/);
  expect(stdout).toContain(message!.hash);
  expect(stdout).toContain('1.7 TON');
  expect(stdout).toContain(`in block ${formatBlockId(LIVE.block)}, 2026-`);
  expect(stdout).toContain(`anchor       ${ANCHOR}`);
  expect(stdout).toContain(`under key block ${formatBlockId(LIVE.keyBlock)}, 2026-`);
  expect(stdout).toContain(`under key block ${ANCHOR}, 2026-`);
  expect(stdout).toMatch(/signatures +simplex, \d+ of \d+, 70\.7317 %, \d+ more than needed/);
});

it('prove ends with 1 where something is proven to be absent, and with 2 where a proof does not hold', async () => {
  const absent = liveAnswer('account-absent.tl');
  const result = await runCli([
    'prove',
    'account',
    answers('account-absent.tl'),
    '--account',
    absent.account!,
    ...under,
    '--json',
  ]);
  expect(result.code).toBe(1);
  expect(JSON.parse(result.stdout)).toMatchObject({
    schema: 'ton-finality/inclusion@1',
    exists: false,
    reason: 'no-entry',
  });
  const other = await runCli([
    'prove',
    'account',
    answers('account-absent.tl'),
    '--account',
    message!.account!,
    ...under,
    '--json',
  ]);
  expect(other.code).toBe(2);
  expect(JSON.parse(other.stderr)).toMatchObject({ code: expect.stringMatching(/^trust\//) });
  const param = ['prove', 'config', answers('config-from-state.tl'), ...under, '--param'];
  expect((await runCli([...param, '34'])).code).toBe(0);
  expect((await runCli([...param, '999'])).code).toBe(1);
  expect((await runCli([...param, '29'])).stderr).toMatch(/omits this cell/);
});

it('prove of a message proves that message first, with its transaction, and says whether that succeeded', async () => {
  const words = ['prove', 'message', ...transaction.slice(1), '--index', 'in', ...under];
  const { code, stdout } = await runCli(words);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^PROVEN message\n {2}message +came in, [\s\S]*1\.7 TON[\s\S]*\nof the transaction\n {2}account[\s\S]*\nin block /,
  );
  expect(stdout.match(/^PROVEN/gm)).toHaveLength(1);
  const json = JSON.parse((await runCli([...words, '--json'])).stdout);
  expect(json).toMatchObject({ kind: 'transaction', success: true, messages: [{ direction: 'in' }] });
});

it.each([
  [['prove', ...transaction, '--index', '0'], '--index'],
  [['prove', ...transaction, '--param', '34'], '--param'],
  [['prove', 'account', 'x', '--account', '0:00', '--lt', '5'], '--lt'],
  [['prove', 'account', 'x', '--account', '0:00', '--require-success'], '--require-success'],
  [['prove', 'config', 'x', '--param', '34', '--shard', 'y'], '--shard'],
  [['certify', ...transaction, '--index', 'in', '--out', 'z'], '--index'],
  [['certify', '--account', '0:00', '--out', 'z'], '--account'],
  [['certify', '--index', '0', '--out', 'z'], '--index'],
  [['certify', '--shard', 'y', '--out', 'z'], '--shard'],
])('%j asks with an option of another kind of fact, and is told which', async (words, path) => {
  const { code, stderr } = await runCli([...words, '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'usage/bad-option',
    path,
    hint: `run ton-finality ${words[0]} --help`,
  });
});

it.each(['prove', 'certify'])('%s names its own help where a word is missing or unknown', async (command) => {
  const out = command === 'certify' ? ['--out', 'z'] : [];
  for (const words of [
    [command, 'config', answers('config-from-state.tl'), ...out],
    [command, '--rumour'],
    [command, 'account', 'x', 'y', ...out],
  ]) {
    const { code, stderr } = await runCli([...words, '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ hint: `run ton-finality ${command} --help` });
  }
});

it('certify writes one file that proves it elsewhere, from the reader’s anchor only', async () => {
  const file = at('message.fin.boc');
  const made = await runCli(['certify', 'message', ...transaction.slice(1), '--index', 'in', ...under, '--out', file]);
  expect(made.code).toBe(0);
  const read = await runCli(['verify', '--certificate', file, '--anchor', ANCHOR]);
  expect(read.code).toBe(0);
  for (const words of [
    /^FINAL: block/,
    /PROVEN message/,
    /1\.7 TON/,
    /70\.7317 %/,
    new RegExp(message!.hash!),
    /the anchor you gave, block 0/,
  ]) {
    expect(read.stdout).toMatch(words);
  }
  const oldest = /oldest keys +of key block 0, elected until (20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)(.*)$/m.exec(
    read.stdout,
  )!;
  expect(oldest[2]).toBe('');
  const until = Date.parse(oldest[1]!) / 1000;
  for (const [now, words] of [
    [until - 1, ', still in office'],
    [until + 7_200, ', 2 hours ago'],
    [until + 5 * 86_400, ', 5 days ago'],
  ] as const) {
    const { stdout } = await runCli(['verify', '--certificate', file, '--anchor', ANCHOR, '--now', String(now)]);
    expect(stdout).toContain(`${oldest[0]}${words}\n`);
  }
  const alone = await runCli(['verify', '--certificate', file]);
  expect(alone.code).toBe(4);
  expect(alone.stdout).toMatch(/^UNDECIDED/);
  expect(alone.stdout).not.toMatch(/^PROVEN/m);
  const byCheckpoint = await runCli(['verify', '--certificate', file, '--checkpoint', at('c.json'), '--json']);
  expect(JSON.parse(byCheckpoint.stdout)).toMatchObject({
    verdict: { status: 'final' },
    usedAnchor: { kind: 'checkpoint' },
  });
  const wrong = await runCli(['verify', '--certificate', file, '--anchor', formatBlockId(LIVE.keyBlock), '--json']);
  expect(wrong.code).toBe(2);
  expect(JSON.parse(wrong.stderr)).toMatchObject({ code: 'cert/anchor' });
});

it('a certificate of what is not there is written, read, and told by the exit code, as prove does', async () => {
  const absent = liveAnswer('account-absent.tl').account!;
  const facts = [
    ['account', answers('account-absent.tl'), '--account', absent],
    ['transaction', answers('transaction-4.tl'), '--account', message!.account!, '--lt', '1'],
    ['config', answers('config-from-state.tl'), '--param', '999'],
  ];
  for (const [k, fact] of facts.entries()) {
    const file = at(`absent-${k}.fin.boc`);
    // A transaction that is given beside its absence would contradict it.
    const bare = k === 1 ? at('bare.tl') : fact[1]!;
    if (k === 1) writeFileSync(bare, withoutTransaction(readFileSync(fact[1]!)));
    const made = await runCli(['certify', fact[0]!, bare, ...fact.slice(2), ...under, '--out', file]);
    expect(made.code, made.stderr).toBe(1);
    expect(made.stdout).toMatch(/^PROVEN ABSENT: /m);
    expect(made.stdout).toMatch(/written to /);
    const read = await runCli(['verify', '--certificate', file, '--anchor', ANCHOR]);
    expect(read.code).toBe(1);
    expect(read.stdout).toMatch(/^FINAL: block[\s\S]*^PROVEN ABSENT: /m);
    const json = ['--anchor', ANCHOR, '--json'];
    expect((await runCli(['verify', '--certificate', file, ...json])).code).toBe(1);
    expect((await runCli(['verify', '--certificate', file])).code).toBe(4);
    expect((await runCli(['certify', fact[0]!, bare, ...fact.slice(2), ...under, '--out', file, '--json'])).code).toBe(
      1,
    );
  }
});

/** liteServer.transactionInfo with its proof, and no transaction. */
function withoutTransaction(info: Buffer): Buffer {
  const { proof } = parseLiteAnswer(info, 'transaction');
  const written = Buffer.concat([Buffer.from([254, proof.length & 255, proof.length >> 8, 0]), proof]);
  const padding = Buffer.alloc((4 - (written.length % 4)) % 4);
  return Buffer.concat([info.subarray(0, 84), written, padding, Buffer.alloc(4)]);
}

it('any changed byte of a certificate is refused with a code that names what', async () => {
  const file = at('changed.fin.boc');
  expect((await runCli(['certify', ...transaction, ...under, '--out', file])).code).toBe(0);
  const bytes = readFileSync(file);
  for (const place of [0, 5, 11, 40, bytes.length >> 1, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 0x10;
    writeFileSync(file, changed);
    const { code, stderr } = await runCli(['verify', '--certificate', file, '--anchor', ANCHOR, '--json']);
    expect(code, `byte ${place}`).toBe(2);
    expect(JSON.parse(stderr).code).toMatch(/^(cert|trust|decode|validators)\//);
  }
});

it('a certificate as JSON is read too, and its claims are not believed', async () => {
  const made = await runCli(['certify', ...transaction, ...under, '--out', at('x.fin.boc'), '--json']);
  writeFileSync(at('x.json'), made.stdout);
  expect((await runCli(['verify', '--certificate', at('x.json'), '--anchor', ANCHOR])).code).toBe(0);
  writeFileSync(at('x.json'), made.stdout.replace(/"seqno": 176/, '"seqno": 177'));
  const { code, stderr } = await runCli(['verify', '--certificate', at('x.json'), '--anchor', ANCHOR, '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'cert/claim' });
});

it.each([
  [['prove', 'rumour', 'x'], /expected transaction, message, account, config/],
  [['prove', 'transaction', 'x'], /no such file/],
  [['certify'], /expected --out FILE/],
  [['certify', 'transaction', '--out', 'x'], /without FILE, --config FILE or --lite/],
  [['verify', '--certificate', 'x', 'y'], /expected only options, with --certificate FILE/],
])('%j is refused as a mistake of its caller', async (words, message) => {
  const { code, stderr } = await runCli(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
