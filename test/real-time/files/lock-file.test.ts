/** Locks between real processes: never two owners, and nothing that is left behind keeps anybody out for ever. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lockFile } from '../../../src/app/files/lock-file.ts';
import { Contender, canMakeNamespaces, lockRounds } from '../../helpers/lock-rounds.ts';
import { locksOf as namesOf } from '../../helpers/locks-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'ton-finality-locks-'));
const started: Contender[] = [];
afterAll(async () => {
  for (const one of started) await one.end();
  rmSync(folder, { recursive: true, force: true });
});
const hasNamespaces = canMakeNamespaces();
let count = 0;
const next = () => join(folder, `${count++}.json`);
async function start(isContained = false): Promise<Contender> {
  const one = await Contender.start(isContained);
  started.push(one);
  return one;
}
const locksOf = (file: string) => namesOf(file).map((name) => join(folder, name));
/** Makes files older, by the clock of the file system. */
function age(paths: readonly string[], seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  for (const path of paths) utimesSync(path, at, at);
}
const tryAll = async (files: readonly string[]) => (await (await start()).take(files)).map(({ became }) => became);

describe.concurrent('a lock', () => {
  it('has one owner of four processes that start at once, over locks that a killed one left behind too', async () => {
    const four = await Promise.all([start(), start(), start(), start()]);
    expect(await lockRounds(four, Array.from({ length: 12 }, next))).toEqual({ counts: { '1 owner': 12 } });
  });

  it('has one owner between containers, where every process is process 1', async () => {
    if (!hasNamespaces) return; // it was said
    const four = await Promise.all([start(true), start(true), start(), start()]);
    expect(await lockRounds(four, Array.from({ length: 12 }, next))).toEqual({ counts: { '1 owner': 12 } });
  });

  it('that a killed container left is heeded for a minute, by the clock of the file system', async () => {
    if (!hasNamespaces) return; // it was said
    const [young, old] = [next(), next()];
    const dead = await start(true);
    await dead.take([young, old]);
    await dead.end();
    for (const file of [young, old]) rmSync(`${file}.inside`);
    age(locksOf(young), 40);
    age(locksOf(old), 61);
    expect(await tryAll([young, old])).toEqual(['refused', 'owner']);
    expect(locksOf(old)).toHaveLength(1);
  });

  it('of a process that runs is heeded however old it is, and says whose it is', async () => {
    const file = next();
    const owner = await start();
    expect(await owner.take([file])).toMatchObject([{ became: 'owner' }]);
    age(locksOf(file), 86_400);
    const [{ became, message } = { became: '', message: '' }] = await (await start()).take([file]);
    expect(became).toBe('refused');
    expect(message).toMatch(
      new RegExp(`: in use by process ${owner.pid}; wait until .* remove .*\\.json\\.lock\\.[0-9a-f]{32}$`),
    );
    await owner.release(file);
    expect(locksOf(file)).toEqual([]);
  });

  it('is not of a process that has its number by chance', async () => {
    const file = next();
    const one = await start();
    await one.take([file]);
    const [lock = ''] = locksOf(file);
    const owner = JSON.parse(readFileSync(lock, 'utf8'));
    expect(owner.pid).toBe(one.pid);
    writeFileSync(lock, JSON.stringify({ ...owner, start: String(Number(owner.start) - 1) }));
    rmSync(`${file}.inside`);
    expect(await tryAll([file])).toEqual(['owner']);
  });

  it('that is gone ends its owner before it writes, and so does a sleep after which others may go on', async () => {
    const [gone, slept, kept] = [next(), next(), next()];
    const owner = await start();
    await owner.take([gone, slept, kept]);
    for (const lock of locksOf(gone)) rmSync(lock);
    expect(await owner.look(gone)).toMatchObject({
      became: 'lost',
      message: `${gone}: this process has lost its lock on the file: another process may have it; run the same command again to resume`,
    });
    age(locksOf(kept), 44);
    await owner.sleep(44);
    expect(await owner.look(kept)).toMatchObject({ became: 'held' }); // and touched
    expect(Date.now() - statSync(locksOf(kept)[0]!).mtimeMs).toBeLessThan(30_000);
    await owner.sleep(2);
    expect(await owner.look(kept)).toMatchObject({ became: 'held' });
    expect(await owner.look(slept)).toMatchObject({ became: 'lost' });
  });

  it('that nobody can read, or that was put there, is heeded for a minute and never waited for', async () => {
    const kinds: Record<string, (path: string) => void> = {
      pipe: (path) => execFileSync('mkfifo', [path]),
      empty: (path) => writeFileSync(path, ''),
      large: (path) => writeFileSync(path, 'x'.repeat(1 << 20)),
      garbage: (path) => writeFileSync(path, '{"schema":"ton-finality/lock@1","pid":-1}'),
      link: (path) => symlinkSync('/etc/passwd', path),
    };
    const files = Object.values(kinds).map((make) => {
      const file = next();
      make(`${file}.lock.0`);
      return file;
    });
    const old = Object.entries(kinds).flatMap(([name, make]) => {
      if (name === 'link') return []; // its age cannot be set from here
      const file = next();
      make(`${file}.lock.0`);
      age([`${file}.lock.0`], 61);
      return [file];
    });
    const became = await tryAll([...files, ...old]);
    expect(became).toEqual([...files.map(() => 'refused'), ...old.map(() => 'owner')]);
    for (const file of files) expect(locksOf(file)).toEqual([`${file}.lock.0`]);
  });

  it('is whole from the first moment, has a new name each time, and leaves nothing', async () => {
    const file = next();
    const names = new Set<string>();
    for (let time = 0; time < 3; time++) {
      const lock = await lockFile(file);
      for (const path of locksOf(file)) {
        names.add(path);
        expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
          schema: 'ton-finality/lock@1',
          pid: process.pid,
        });
      }
      lock.requireHeld();
      lock.release();
      expect(locksOf(file)).toEqual([]);
    }
    expect(names.size).toBe(3);
  });

  it('keeps a second user in the same process off too', async () => {
    const file = next();
    const lock = await lockFile(file);
    await expect(lockFile(file)).rejects.toMatchObject({ code: 'usage/bad-option', path: file });
    lock.release();
    (await lockFile(file)).release();
  });

  it('is released by the end of its process', async () => {
    const file = next();
    const owner = await start();
    await owner.take([file]);
    await owner.leave();
    expect(locksOf(file)).toEqual([]);
  });

  it('of an earlier version, a number, is heeded while a process of that number runs', async () => {
    const [running, over, own, other] = [next(), next(), next(), next()];
    const one = await start();
    writeFileSync(`${running}.lock`, `${one.pid}\n`);
    writeFileSync(`${over}.lock`, '999999999\n');
    writeFileSync(`${own}.lock`, `${process.pid}\n`);
    writeFileSync(`${other}.lock`, 'a file of mine');
    await expect(lockFile(running)).rejects.toThrow(`in use by process ${one.pid}`);
    for (const file of [over, own, other]) (await lockFile(file)).release();
    expect([running, over, own, other].map((file) => existsSync(`${file}.lock`))).toEqual([true, false, false, true]);
  });

  it('cannot be had where nothing can be written', async () => {
    const nowhere = join(folder, 'no', 'such', 'folder', 'a.json');
    await expect(lockFile(nowhere)).rejects.toMatchObject({
      code: 'usage/bad-option',
      path: nowhere,
      message: `${nowhere}: cannot be written: the folder ${dirname(nowhere)} does not exist`,
    });
    const file = next();
    const lock = await lockFile(file);
    const [path = ''] = locksOf(file);
    renameSync(path, `${file}.elsewhere`);
    expect(() => lock.requireHeld()).toThrow('lost its lock');
    lock.release();
  });
});
