/** What this program finds beside a user's file is believed only where nobody else can have made it; what was left there is removed. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readFoundFile } from '../../../src/app/files/found-file.ts';
import { lockFile } from '../../../src/app/files/lock-file.ts';
import { FILE_HINT } from '../../../src/app/files/system-error.ts';
import { writeFileAtomically } from '../../../src/app/files/write-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-found-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const next = (text?: string, mode = 0o644) => {
  const file = join(folder, `${count++}.json`);
  if (text !== undefined) {
    writeFileSync(file, text);
    chmodSync(file, mode);
  }
  return file;
};
const refusal = (file: string, limit = 100) => {
  try {
    readFoundFile(file, limit);
  } catch (error) {
    const { code, message, path } = error as { code: string; message: string; path: string }; // whatever it is, it is looked at
    return { code, path, message: message.replace(`${path}: `, '') };
  }
  return undefined;
};
const bad = (path: string, message: string) => ({ code: 'usage/bad-option', path, message });

describe.skipIf(process.platform === 'win32')('a file that is found', () => {
  it('is read whole, up to its limit', () => {
    expect(Buffer.from(readFoundFile(next('text'), 4)!).toString()).toBe('text');
    expect(readFoundFile(next(''), 4)).toHaveLength(0);
    expect(readFoundFile(next(), 4)).toBeUndefined();
    const long = next('x'.repeat(101));
    expect(refusal(long)).toEqual({
      code: 'decode/too-large',
      path: long,
      message: 'expected at most 100 bytes, got more',
    });
    expect(refusal('/dev/zero')).toMatchObject({ message: 'expected a plain file, got a device' });
  });

  it('is no pipe, folder, socket or link, and is not waited for', async () => {
    const [pipe, inner, link, dangling, socket] = [next(), next(), next(), next(), next()];
    execFileSync('mkfifo', [pipe]);
    mkdirSync(inner);
    symlinkSync(next('{}'), link);
    symlinkSync(join(folder, 'nothing'), dangling);
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(refusal(pipe)).toEqual(bad(pipe, 'expected a plain file, got a pipe'));
    expect(refusal(inner)).toEqual(bad(inner, 'expected a plain file, got a directory'));
    expect(() => readFoundFile(inner, 10)).toThrow(expect.objectContaining({ hint: FILE_HINT }));
    expect(refusal(link)).toEqual(bad(link, 'expected a plain file, got a symbolic link'));
    expect(refusal(dangling)).toEqual(bad(dangling, 'expected a plain file, got a symbolic link'));
    expect(refusal(socket)).toEqual(bad(socket, 'cannot be read (ENXIO)'));
    server.close();
  });

  it.each([0o646, 0o664, 0o666, 0o622])('is written by its owner alone: mode %o', (mode) => {
    const file = next('{}', mode);
    expect(refusal(file)).toEqual(bad(file, 'other users may write to it'));
  });

  it.runIf(process.getuid?.() === 0)('is of this user', () => {
    const file = next('{}');
    chownSync(file, 65_534, 65_534);
    expect(refusal(file)).toEqual(bad(file, 'it belongs to another user'));
  });
});

it.runIf(process.platform === 'linux')('a folder that takes no new file is not called missing', () => {
  expect(() => writeFileAtomically('/proc/ton-finality.json', '')).toThrow(/^\S+: cannot be written \(E[A-Z]+\)$/);
});

describe('what a killed process left half written', () => {
  const left = (where: string, seconds: number, digits = 16) => {
    const file = join(where, `.ton-finality-${String(count++).padStart(digits, '0')}.tmp`);
    writeFileSync(file, 'half');
    const at = Date.now() / 1000 - seconds;
    utimesSync(file, at, at);
    return file;
  };

  it.each([
    ['a write', async (file: string) => writeFileAtomically(file, '{}')],
    ['a lock', async (file: string) => (await lockFile(file)).release()],
  ])('is removed by %s, when it is a minute old', async (_, act) => {
    const own = mkdtempSync(join(folder, 'tidy-'));
    const gone = [left(own, 61), left(own, 86_400, 32)];
    const kept = [
      left(own, 40),
      join(own, '.ton-finality-mine.tmp'),
      join(own, '.ton-finality-0000000000000000.tmp.txt'),
    ];
    for (const file of kept.slice(1)) {
      writeFileSync(file, '');
      utimesSync(file, 0, 0);
    }
    await act(join(own, 'a.json'));
    expect(gone.filter((file) => existsSync(file))).toEqual([]);
    expect(kept.filter((file) => !existsSync(file))).toEqual([]);
    expect(readdirSync(own)).toHaveLength(kept.length + (existsSync(join(own, 'a.json')) ? 1 : 0));
  });
});
