/** A checkpoint in a file, beside what may stand in its place, and in a process that is killed in the middle of whatever it does. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCheckpoint, readCheckpoint, writeCheckpoint } from '../../../src/app/files/checkpoint-file.ts';
import type { Checkpoint } from '../../../src/core/chain/checkpoint.ts';
import { connectLite } from '../../../src/net/lite/client.ts';
import { syncCheckpoint } from '../../../src/net/lite/sync.ts';
import { LiteChain } from '../../helpers/lite-chain.ts';
import { globalConfigOf } from '../../helpers/lite-cli.ts';
import { type LiteStandIn, startLiteStandIn } from '../../helpers/lite-stand-in.ts';
import { startOf } from '../../helpers/networks.ts';
import { share } from '../../helpers/share.ts';
import { ROOT } from '../../helpers/vectors.ts';

const KILLS = share(3, 4);

let folder: string;
let file: string;
let chain: LiteChain;
let standIn: LiteStandIn;
let start: Checkpoint;
let later: Checkpoint;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ton-finality-killed-'));
  chain = new LiteChain({ length: 45 });
  standIn = await startLiteStandIn({ answer: (asked) => chain.answer(asked) });
  start = startOf(chain);
  const client = connectLite(standIn.server);
  later = (await syncCheckpoint([client], start, { maxHeadAgeSeconds: 3600 })).checkpoint;
  client.close();
});
afterAll(async () => {
  await standIn.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  file = join(mkdtempSync(join(folder, 'one-')), 'checkpoint.json');
});

const refused = expect.objectContaining({ name: 'UsageError', code: 'usage/bad-option' });

/** What may stand there in place of a plain file of this user, put there by somebody who may write to the folder. */
const IN_ITS_PLACE: Readonly<Record<string, () => void>> = {
  'a pipe': () => execFileSync('mkfifo', [file]),
  'a directory': () => mkdirSync(file),
  'a link to a checkpoint': () => {
    writeCheckpoint(`${file}.true`, start);
    symlinkSync(`${file}.true`, file);
  },
  'a link to a device without an end': () => symlinkSync('/dev/zero', file),
  'a link that leads to itself': () => symlinkSync(file, file),
};

describe('a checkpoint in a file', () => {
  it.each(Object.entries(IN_ITS_PLACE))(
    'is neither read from nor written to %s, which stays as it is',
    async (_, put) => {
      put();
      const before = lstatSync(file);
      const client = connectLite(standIn.server);
      expect(() => readCheckpoint(file)).toThrow(refused);
      expect(() => writeCheckpoint(file, start)).toThrow(refused);
      await expect(keepCheckpoint(file, [client], { maxHeadAgeSeconds: 3600 })).rejects.toEqual(refused);
      client.close();
      const { ino, mode, size } = lstatSync(file);
      expect({ ino, mode, size }).toEqual({ ino: before.ino, mode: before.mode, size: before.size });
      expect(readdirSync(join(file, '..')).filter((name) => /lock|tmp/.test(name))).toEqual([]);
    },
  );

  it('is not read where others may write to it, nor where it is longer than any checkpoint', () => {
    writeCheckpoint(file, start);
    chmodSync(file, 0o646);
    expect(() => readCheckpoint(file)).toThrow(refused);
    chmodSync(file, 0o644);
    expect(readCheckpoint(file).keyBlock).toEqual(start.keyBlock);
    truncateSync(file, 2 ** 40); // a hole: nothing of it is on disk
    expect(() => readCheckpoint(file)).toThrow(expect.objectContaining({ code: 'decode/too-large' }));
  });

  it('takes the place of a file that has a second name, whose contents stay', () => {
    writeFileSync(file, 'mine');
    linkSync(file, `${file}.second`);
    writeCheckpoint(file, start);
    expect(readFileSync(`${file}.second`, 'utf8')).toBe('mine');
    expect(readCheckpoint(file).keyBlock).toEqual(start.keyBlock);
  });
});

/** Starts the program, and gives the lines that it says until it is over. */
function writer(words: readonly string[]): {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  readonly over: Promise<unknown>;
} {
  const child = spawn(process.execPath, [join(ROOT, 'test', 'helpers', 'checkpoint-writer.mjs'), ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const over = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
  return { child, over, lines: createInterface({ input: child.stdout! })[Symbol.asyncIterator]() };
}

describe('a process that is killed', () => {
  it('while it writes leaves one whole checkpoint', async () => {
    const [a, b] = [`${file}.a`, `${file}.b`];
    writeCheckpoint(a, start);
    writeCheckpoint(b, later);
    const known = [start, later].map(({ keyBlock }) => keyBlock.seqno);
    for (let k = 0; k < KILLS; k++) {
      const { child, lines, over } = writer(['write', file, a, b]);
      for (let written = 0; written < 5 + 7 * k; written++) await lines.next();
      child.kill('SIGKILL');
      expect(await over).toBe('SIGKILL');
      expect(known).toContain(readCheckpoint(file).keyBlock.seqno);
    }
  });

  it('while it keeps a checkpoint fresh leaves one that the next process goes on with, at once and never backwards', async () => {
    const config = `${file}.config`;
    writeFileSync(config, JSON.stringify(globalConfigOf(chain, [standIn])));
    writeCheckpoint(file, start);
    chain.head = 5;
    let reached = 0;
    for (let k = 0; k < KILLS; k++) {
      const { child, lines, over } = writer(['keep', file, config]);
      for (let said = 0; said < 3; said++) {
        const { value, done } = await lines.next();
        expect(done).not.toBe(true);
        expect(Number(value)).toBeGreaterThanOrEqual(reached);
        reached = Number(value);
        chain.head = Math.min(45, chain.head + 3);
      }
      child.kill('SIGKILL');
      expect(await over).toBe('SIGKILL');
      const kept = readCheckpoint(file).keyBlock.seqno;
      expect(kept).toBeGreaterThanOrEqual(reached);
      reached = kept;
    }
    expect(reached).toBeGreaterThanOrEqual(20);
  });
});
