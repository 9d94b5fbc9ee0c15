import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAINNET } from '../../src/chain.ts';
import { encodeHex } from '../../src/core/base/bytes.ts';
import { runCli } from '../helpers/warm-cli.ts';

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
/** Clocks by which the sets that recorded walks begin with still answer for their keys. */
const IN_2025 = ['--now', '1744880000'];
const IN_TESTNET = ['--now', '1738200000'];
const IN_2026 = ['--now', '1775775496'];
const configProof = real('mainnet-2025-04/block-46897112/config-proof.boc');

async function initMainnet(name: string): Promise<string> {
  const out = at(name);
  const { code, stderr } = await checkpoint(
    'init',
    '--key-block',
    configProof,
    ...hashes(MAINNET.initBlock),
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
      ...IN_2025,
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
    expect(text.stdout).toContain('proven from block 46894135, by key block 46917741; its hash matches the header');
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
      ...hashes(MAINNET.zerostate),
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
    expect(stdout).toContain('session    its id matches the one computed from validator set and header');
    const stays = await checkpoint(
      'advance',
      '--checkpoint',
      out,
      '--proof',
      real(`${folder}/partial-block-proof.tl`),
      '--out',
      out,
      ...IN_2026,
    );
    expect(stays.stdout).toContain('the proof ends at block 59379986; the checkpoint is at');
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
      const words = [
        '--checkpoint',
        path,
        '--key-block',
        boc(seqno),
        '--signatures',
        signatures,
        '--out',
        path,
        ...IN_TESTNET,
      ];
      expect(await checkpoint('advance', ...words)).toMatchObject({ code: 0, stderr: '' });
    }
    const shown = await checkpoint('show', path);
    expect(shown.stdout).toContain('checkpoint at key block 27632171');
    expect(shown.stdout).toContain('proven from  block 27620817');
    expect(shown.stdout).toContain('global id -3');
    const json = await checkpoint('show', path, '--json');
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });

  it('refuses a wrong pin and writes nothing', async () => {
    const out = at('wrong.json');
    const wrong = { ...MAINNET.initBlock, rootHash: MAINNET.zerostate.rootHash };
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
    const made = await checkpoint('init', '--key-block', configProof, ...hashes(MAINNET.initBlock), '--out', missing);
    expect(made).toMatchObject({ code: 2, stdout: '' });
    expect(made.stderr).toContain('cannot be written: the folder ');
    const overFolder = await checkpoint(
      'init',
      '--key-block',
      configProof,
      ...hashes(MAINNET.initBlock),
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
      [['show'], /expected one FILE, got nothing/],
      [['init', '--out', at('x')], /expected --key-block FILE or --zerostate FILE/],
      [['init', '--key-block', configProof, '--out', at('x')], /expected --root-hash/],
      [['init', '--key-block', configProof], /expected --root-hash/],
      [['advance', '--out', at('x')], /expected --checkpoint/],
      [['show', 'x', '--proof', 'y'], /--proof: unknown option/],
      [['show', 'x', '--now', '1'], /--now: unknown option/],
      [['init', '--key-block', 'x', '--accept-stale-start', '--out', at('x')], /--accept-stale-start: unknown option/],
      [['advance', '--checkpoint', 'x', '--now=-1', '--out', at('x')], /--now: expected a Unix time in whole seconds/],
      [['advance', '--checkpoint', 'x', '--now', '1744880000000', '--out', at('x')], /--now: expected a Unix time/],
      [
        ['init', '--zerostate', 'x', '--key-block', 'y', '--out', at('x')],
        /--key-block: cannot be combined with --zerostate/,
      ],
    ];
    for (const [words, message] of cases) {
      const { code, stderr, stdout } = await checkpoint(...words);
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
    }
    expect((await checkpoint('--help')).stdout).toMatch(/^usage: ton-finality checkpoint/);
  });
});

describe('checkpoint advance from a set that is past its time', () => {
  const proof = real('mainnet-2025-04/partial-block-proof.tl');
  /** The set of the first key block was elected until 1744850696; its stakes were held for 32768 seconds more. */
  const LAST_SECOND = 1744850696 + 32768;

  it('says so, exits with 4 and writes nothing: by the clock of this machine, or a given one', async () => {
    const start = await initMainnet('stale.json');
    const before = readFileSync(start, 'utf8');
    const words = ['advance', '--checkpoint', start, '--proof', proof, '--out', start];
    for (const clock of [[], ['--now', String(LAST_SECOND + 1)]]) {
      const { code, stdout, stderr } = await checkpoint(...words, ...clock);
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      expect(stderr).toContain('could withdraw their stakes from 2025-04-17T09:51:04Z on; nothing was written');
      expect(stderr).toContain('\nhint: ');
    }
    const json = await checkpoint(...words, '--json');
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'trust/stale-start', path: '--checkpoint' });
    expect(json).toMatchObject({ code: 4, stdout: '' });
    expect(readFileSync(start, 'utf8')).toBe(before);
    expect((await checkpoint(...words, '--now', String(LAST_SECOND))).code).toBe(0);
  });

  it('goes on where that is accepted with --accept-stale-start, and says it, and what the clock makes of the head', async () => {
    const start = await initMainnet('accepted.json');
    const words = [
      'advance',
      '--checkpoint',
      start,
      '--proof',
      proof,
      '--out',
      at('accepted-2.json'),
      '--accept-stale-start',
    ];
    const text = await checkpoint(...words);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toContain('  block 46917741 is final: ');
    expect(text.stdout).toContain('  block 46920655 is undecided, stale-set: ');
    expect(text.stdout).toContain(
      'the first validators could have withdrawn their stakes, accepted with --accept-stale-start',
    );
    const json = await checkpoint(...words, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ startIsStale: true, tip: { seqno: 46920655 } });
    const block = real('mainnet-2025-04/block-46920655');
    const verify = ['verify', `${block}/signatures.json`, '--checkpoint', at('accepted-2.json')];
    const header = ['--block', `${block}/dest-proof.boc`];
    expect((await checkpoint('show', at('accepted-2.json'))).stdout).toMatch(
      /began +validators could have withdrawn their stakes, accepted/,
    );
    expect((await runCli([...verify, ...header])).stdout).toMatch(/^FINAL[\s\S]*warning +stale-start: /);
    const fresh = await checkpoint(...words, '--json', ...IN_2025);
    expect(JSON.parse(fresh.stdout)).toMatchObject({ startIsStale: false, staleStart: 'none' });
    expect((await checkpoint('show', at('accepted-2.json'))).stdout).not.toContain('began');
    expect((await runCli([...verify, ...header])).stdout).not.toContain('stale-start');
  });

  it('is shown as not known of a file of version 1, which serves as it did', async () => {
    const file = 'vectors/checkpoints/0.1.0/from-zerostate.json';
    expect((await checkpoint('show', file)).stdout).toMatch(/began +unknown/);
    const block = real('mainnet-genesis/block-7');
    const words = ['verify', `${block}/signatures.json`, '--checkpoint', file, '--block', `${block}/block.boc`];
    expect((await runCli(words)).code).toBe(0);
  });

  it('is seen for a step to the next key block too', async () => {
    const chain = real('testnet-2025-01-30-chain');
    const id = (
      JSON.parse(readFileSync(`${chain}/block-27620817/signatures.json`, 'utf8')) as {
        result: { id: { root_hash: string; file_hash: string } };
      }
    ).result.id;
    const start = at('stale-step.json');
    const pins = ['--root-hash', id.root_hash, '--file-hash', id.file_hash];
    await checkpoint('init', '--key-block', `${chain}/block-27620817/block.boc`, ...pins, '--out', start);
    const next = [
      '--key-block',
      `${chain}/block-27625811/block.boc`,
      '--signatures',
      `${chain}/block-27625811/signatures.json`,
    ];
    const words = ['advance', '--checkpoint', start, ...next, '--out', at('stepped.json')];
    expect((await checkpoint(...words)).code).toBe(4);
    expect(readdirSync(folder)).not.toContain('stepped.json');
    expect((await checkpoint(...words, ...IN_TESTNET)).code).toBe(0);
    expect((await checkpoint(...words, '--accept-stale-start')).stdout).toContain('accepted with --accept-stale-start');
  });

  it('is not taken for young because the clock of this machine stands still', async () => {
    const start = await initMainnet('no-clock.json');
    const words = ['checkpoint', 'advance', '--checkpoint', start, '--proof', proof, '--out', start];
    const env = { NODE_OPTIONS: '--import data:text/javascript,Date.now=()=>5000' };
    const { code, stderr } = await runCli(words, { env });
    expect(stderr).toContain('--now: the clock says 1970-01-01T00:00:05Z, the key block 2025-04-17T16:40:42Z');
    expect(code).toBe(2);
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
