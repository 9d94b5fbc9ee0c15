/** Certificates made and read by the command, from files that were changed. `scripts/prove.txt` shows what it prints of whole ones. */
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
