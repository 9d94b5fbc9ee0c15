import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeHex } from '../../src/base/bytes.ts';
import { MAINNET_INIT_BLOCK, MAINNET_ZEROSTATE } from '../../src/chain.ts';
import { runCli } from '../helpers/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const real = (path: string) => `vectors/real/${path}`;

const hashes = ({ rootHash, fileHash }: { rootHash: Uint8Array; fileHash: Uint8Array }) => [
  '--root-hash',
  encodeHex(rootHash),
  '--file-hash',
  encodeHex(fileHash),
];
const checkpoint = (...words: string[]) => runCli(['checkpoint', ...words]);
const configProof = real('mainnet-2025-04/block-46897112/config-proof.boc');

async function initMainnet(name: string): Promise<string> {
  const out = at(name);
  const { code, stderr } = await checkpoint(
    'init',
    '--key-block',
    configProof,
    ...hashes(MAINNET_INIT_BLOCK),
    '--out',
    out,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return out;
}

describe('checkpoint', () => {
  it('starts from a pinned key block, moves along a recorded proof, and proves the next block final', async () => {
    const start = await initMainnet('start.json');
    const moved = at('moved.json');
    const walk = await checkpoint(
      'advance',
      '--checkpoint',
      start,
      '--proof',
      real('mainnet-2025-04/partial-block-proof.tl'),
      '--out',
      moved,
    );
    expect(walk).toMatchObject({ code: 0, stderr: '' });
    expect(walk.stdout).toContain(
      'block 46920655 is final: 361408751719980451 of 379393671839235982 signed, set of key block 46917741',
    );
    expect(walk.stdout).toContain('checkpoint at key block 46917741');
    const block = real('mainnet-2025-04/block-46920655');
    const verify = ['verify', `${block}/signatures.json`, '--checkpoint', moved, '--block', `${block}/dest-proof.boc`];
    const text = await runCli(verify);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('FINAL: masterchain block 46920655');
    expect(text.stdout).toContain('bound      workchain, shard, seqno, root hash, file hash');
    expect(text.stdout).toContain(
      'proven from block 46894135, by key block 46917741; its hash is the one the header names',
    );
    const json = JSON.parse((await runCli([...verify, '--json'])).stdout) as { validatorSet: unknown };
    expect(json.validatorSet).toMatchObject({
      setCheck: 'match',
      provenance: { kind: 'proven', anchor: { seqno: 46894135 }, keyBlock: { seqno: 46917741 } },
    });
  });

  it('starts from the zerostate and proves the first blocks of mainnet final', async () => {
    const out = at('zero.json');
    const made = await checkpoint(
      'init',
      '--zerostate',
      real('mainnet-genesis/zerostate.boc'),
      ...hashes(MAINNET_ZEROSTATE),
      '--out',
      out,
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await runCli([
      'verify',
      real('mainnet-genesis/block-7/signatures.json'),
      '--checkpoint',
      out,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('proven from block 0, by key block 0');
  });

  it('proves the simplex block under the checkpoint before it, and says that the session id fits', async () => {
    const folder = 'mainnet-2026-04-simplex';
    const answer = readFileSync(real(`${folder}/partial-block-proof.tl`));
    const pinned = { rootHash: answer.subarray(24, 56), fileHash: answer.subarray(56, 88) };
    const out = at('simplex.json');
    const proof = real(`${folder}/block-59379986/config-proof.boc`);
    expect(await checkpoint('init', '--key-block', proof, ...hashes(pinned), '--out', out)).toMatchObject({ code: 0 });
    const block = real(`${folder}/block-59379986`);
    const words = ['verify', `${block}/signatures.json`, '--checkpoint', out, '--block', `${block}/dest-proof.boc`];
    const { code, stdout } = await runCli(words);
    expect(code).toBe(0);
    expect(stdout).toContain('proven from block 59238081, by key block 59238081');
    expect(stdout).toContain('session    its id is the one computed from set and header');
    const stays = await checkpoint(
      'advance',
      '--checkpoint',
      out,
      '--proof',
      real(`${folder}/partial-block-proof.tl`),
      '--out',
      out,
    );
    expect(stays.stdout).toContain('the proof ends at block 59379986; the checkpoint stands');
  });

  it('moves to the next key block by the block and its signatures, over itself, and prints the same with show', async () => {
    const chain = 'testnet-2025-01-30-chain';
    const first = JSON.parse(readFileSync(real(`${chain}/block-27620817/signatures.json`), 'utf8')) as {
      result: { id: { root_hash: string; file_hash: string } };
    };
    const { root_hash, file_hash } = first.result.id;
    const path = at('testnet.json');
    const boc = (seqno: number) => real(`${chain}/block-${seqno}/block.boc`);
    const pins = ['--root-hash', root_hash, '--file-hash', file_hash];
    expect(await checkpoint('init', '--key-block', boc(27620817), ...pins, '--out', path)).toMatchObject({ code: 0 });
    for (const seqno of [27625811, 27626444, 27631456, 27632171]) {
      const signatures = real(`${chain}/block-${seqno}/signatures.json`);
      const words = ['--checkpoint', path, '--key-block', boc(seqno), '--signatures', signatures, '--out', path];
      expect(await checkpoint('advance', ...words)).toMatchObject({ code: 0, stderr: '' });
    }
    const shown = await checkpoint('show', path);
    expect(shown.stdout).toContain('checkpoint at key block 27632171');
    expect(shown.stdout).toContain('proven from block 27620817');
    expect(shown.stdout).toContain('global id -3');
    const json = await checkpoint('show', path, '--json');
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });

  it('refuses a wrong pin and writes nothing', async () => {
    const out = at('wrong.json');
    const wrong = { ...MAINNET_INIT_BLOCK, rootHash: MAINNET_ZEROSTATE.rootHash };
    const made = await checkpoint('init', '--key-block', configProof, ...hashes(wrong), '--out', out);
    expect(made).toMatchObject({ code: 2, stdout: '' });
    expect(made.stderr).toMatch(/^ton-finality: .*config-proof\.boc: anchor: the root hash is 3048e6.*\nhint: /);
    expect(readdirSync(folder)).not.toContain('wrong.json');
  });

  it('refuses a damaged, cut or edited file, and leaves the target as it was', async () => {
    const path = await initMainnet('damaged.json');
    const whole = readFileSync(path, 'utf8');
    const proof = real('mainnet-2025-04/partial-block-proof.tl');
    const cases = { cut: whole.slice(0, 2000), empty: '', edited: whole.replace('"globalId": -239', '"globalId": -3') };
    for (const [name, text] of Object.entries(cases)) {
      writeFileSync(path, text);
      const { code, stderr } = await checkpoint(
        'advance',
        '--checkpoint',
        path,
        '--proof',
        proof,
        '--out',
        path,
        '--json',
      );
      expect(code, name).toBe(2);
      expect(JSON.parse(stderr), name).toMatchObject({ schema: 'ton-finality/error@2' });
      expect(readFileSync(path, 'utf8'), name).toBe(text);
      expect((await checkpoint('show', path)).code, name).toBe(2);
    }
  });

  it('leaves no temporary file behind, whether it could write or not', async () => {
    await initMainnet('tidy.json');
    const missing = join(folder, 'no-such-folder', 'x.json');
    const made = await checkpoint('init', '--key-block', configProof, ...hashes(MAINNET_INIT_BLOCK), '--out', missing);
    expect(made).toMatchObject({ code: 2, stdout: '' });
    expect(made.stderr).toContain('cannot be written (ENOENT)');
    const overFolder = await checkpoint(
      'init',
      '--key-block',
      configProof,
      ...hashes(MAINNET_INIT_BLOCK),
      '--out',
      folder,
    );
    expect(overFolder.code).toBe(2);
    expect(statSync(folder).isDirectory()).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('refuses options that do not belong together, in words of its own', async () => {
    const cases: [string[], RegExp][] = [
      [[], /expected init, advance or show, got nothing/],
      [['walk'], /got "walk"/],
      [['show'], /expected one FILE, got 0/],
      [['init', '--out', at('x')], /expected --key-block FILE or --zerostate FILE/],
      [['init', '--key-block', configProof, '--out', at('x')], /expected --root-hash/],
      [['init', '--key-block', configProof], /expected --out/],
      [['advance', '--out', at('x')], /expected --checkpoint/],
      [['show', 'x', '--proof', 'y'], /--proof: does not belong/],
      [['init', '--zerostate', 'x', '--key-block', 'y', '--out', at('x')], /--key-block: does not belong/],
    ];
    for (const [words, message] of cases) {
      const { code, stderr, stdout } = await checkpoint(...words);
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
    }
    expect((await checkpoint('--help')).stdout).toMatch(/^usage: ton-finality checkpoint/);
  });
});

describe('verify with a checkpoint or a block', () => {
  const block = real('mainnet-2025-04/block-46897112');

  it('refuses a header of another block, a block of another network, and both kinds of set at once', async () => {
    const start = await initMainnet('verify.json');
    const other = ['--block', real('mainnet-2025-04/block-46917741/dest-proof.boc')];
    const wrongBlock = await runCli(['verify', `${block}/signatures.json`, '--checkpoint', start, ...other, '--json']);
    expect(wrongBlock.code).toBe(2);
    expect(JSON.parse(wrongBlock.stderr)).toMatchObject({ code: 'trust/root-hash' });
    const testnet = real('testnet-2025-02/block-27683263');
    const foreign = [
      'verify',
      `${testnet}/signatures.json`,
      '--checkpoint',
      start,
      '--block',
      `${testnet}/block.boc`,
      '--json',
    ];
    expect(JSON.parse((await runCli(foreign)).stderr)).toMatchObject({ code: 'trust/wrong-network' });
    const both = [
      'verify',
      `${block}/signatures.json`,
      '--checkpoint',
      start,
      '--validators',
      `${block}/validators.json`,
    ];
    expect((await runCli(both)).stderr).toContain('expected one validator set, got --validators and --checkpoint');
    const twice = ['--block', `${block}/dest-proof.boc`, '--catchain-seqno', '1', '--list-hash', '1'];
    expect((await runCli(['verify', `${block}/signatures.json`, '--checkpoint', start, ...twice])).code).toBe(2);
  });

  it('is undecided for a block that another set signed, by its header', async () => {
    const start = await initMainnet('epoch.json');
    const later = real('mainnet-2025-04/block-46920655');
    const words = ['verify', `${later}/signatures.json`, '--checkpoint', start, '--block', `${later}/dest-proof.boc`];
    const { code, stdout } = await runCli(words);
    expect(code).toBe(4);
    expect(stdout).toContain('UNDECIDED, wrong-validator-set');
  });
});
