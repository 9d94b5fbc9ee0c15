/**
 * Keeps two processes from using one file, on one machine, in containers and over network file systems. No process takes over a lock. Each
 * writes a lock of its own, `FILE.lock.TOKEN`, and continues only if every other lock is proven to be left behind. Source: ours; the order
 * is that of Lamport's bakery, write first and then look.
 */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname, uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { UsageError } from '../../core/base/errors.ts';
import type { Signal } from '../../core/base/runtime-types.ts';
import { sleep } from '../../net/async/timer.ts';
import { readFoundFile } from './found-file.ts';
import { badFile, cannotWrite, codeOf, orElse } from './system-error.ts';
import { remove, removeLeftovers, temporaryBeside } from './temporary-file.ts';

const SCHEMA = 'ton-finality/lock@1';
/** A lock whose process cannot be checked, such as one in another container, counts as left behind at this age. */
const DEAD_AFTER_MS = 60_000;
/** Seconds after which the owner gives up, long before other processes may continue. The clock also runs while the machine sleeps. */
const LOST_AFTER_SECONDS = 45;
const TOUCH_EVERY_MS = 10_000;
const TRY_FOR_MS = 5000;
const [WAIT_MIN_MS, WAIT_MAX_MS] = [200, 1000];
/** Most bytes of one lock: a host name has at most 255. */
const MAX_LOCK_BYTES = 2048;
/** Most bytes of a lock of earlier versions: a number. */
const MAX_OLD_LOCK_BYTES = 64;
/** Most locks for one file; more are not an accident. */
const MAX_LOCKS = 1000;

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = fs.constants; // Windows lacks the first two flags

/** A lock that this process holds. */
export type FileLock = Pick<Lock, 'requireHeld' | 'release'>;

/** State and start time of a process, as Linux reports them; `undefined` elsewhere. Source: proc_pid_stat(5). */
function readStat(pid: string): { readonly state: string; readonly start: string } | undefined {
  const text = orElse(() => fs.readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state && start ? { state, start } : undefined;
}

const linkTo = (path: string) => orElse(() => fs.readlinkSync(path), '');

const self = Object.freeze({
  host: hostname(),
  /** Changes at every start of the machine; empty if the system does not report it. */
  boot: orElse(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), ''),
  /** Namespace of process ids, and of the clock for start times. */
  namespace: `${linkTo('/proc/self/ns/pid')} ${linkTo('/proc/self/ns/time')}`.trim(),
  pid: process.pid,
  /** Start of the process, in ticks since the machine started. */
  start: readStat('self')?.start ?? '',
});

/** Owner of a lock. A process id alone is not enough: every container has a process 1. */
type Owner = typeof self;

/** Whether `/proc` shows processes under the ids that this process sees. */
const procIsOurs = linkTo('/proc/self') === String(process.pid);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH'; // the process exists, but another user owns it
  }
}

/** Returns `undefined` if it cannot be known. */
function isAlive({ host, boot, namespace, pid, start }: Owner): boolean | undefined {
  const isHere = host === self.host && boot === self.boot && namespace === self.namespace;
  if (!isHere || boot === '' || namespace === '') return undefined;
  if (!isRunning(pid)) return false;
  const stat = procIsOurs ? readStat(String(pid)) : undefined;
  if (stat === undefined) return undefined;
  return stat.start === start && !/[ZX]/.test(stat.state); // a zombie has ended
}

function readOwner(bytes: Uint8Array): Owner | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  const json = orElse(() => JSON.parse(text) as Partial<Owner> & { schema?: unknown }, {}); // checked next
  if (json?.schema !== SCHEMA) return undefined;
  const { host, boot, namespace, pid, start } = json;
  const isText = [host, boot, namespace, start].every((one) => typeof one === 'string');
  return isText && Number.isSafeInteger(pid) && (pid as number) > 0 ? (json as Owner) : undefined;
}

/** A lock of another process, without an owner if it must not be trusted: it is of another user, writable by others, or incomplete. */
type FoundLock = NonNullable<ReturnType<typeof lookAt>>;

/** Returns `undefined` if the lock is gone. */
function lookAt(path: string) {
  const named = fs.lstatSync(path, { throwIfNoEntry: false });
  if (named === undefined) return undefined;
  const bytes = orElse(() => readFoundFile(path, MAX_LOCK_BYTES), new Uint8Array());
  return bytes && { path, modifiedMs: named.mtimeMs, owner: readOwner(bytes) };
}

/** The locks of this process, removed when it ends. */
const held = new Set<Lock>();

function releaseAll(): void {
  for (const lock of held) lock.release();
}

function cannot(path: string, error: unknown): UsageError {
  if (codeOf(error) === 'ENOENT') return cannotWrite(path, error);
  const hint = 'pass a name in a folder that can be written to: the lock is a second file there';
  return badFile(path, `cannot be locked (${codeOf(error)})`, hint, error);
}

class Lock {
  readonly path: string;
  readonly #file: string;
  #touched: number;
  #timer: NodeJS.Timeout | undefined;

  /** Writes the complete lock. @throws UsageError */
  constructor(file: string) {
    this.#file = file;
    const token = randomBytes(16).toString('hex');
    this.path = `${file}.lock.${token}`;
    const temporary = temporaryBeside(file, token);
    this.#touched = uptime();
    if (held.size === 0) process.on('exit', releaseAll);
    held.add(this);
    try {
      fs.writeFileSync(temporary, `${JSON.stringify({ schema: SCHEMA, ...self })}\n`, { flag: 'wx', mode: 0o644 });
      fs.renameSync(temporary, this.path);
    } catch (error) {
      remove(temporary);
      this.release();
      throw cannot(file, error);
    }
  }

  get isHeld(): boolean {
    return uptime() - this.#touched <= LOST_AFTER_SECONDS && orElse(() => fs.lstatSync(this.path).isFile(), false);
  }

  /** Renews the lock from now on, so that others see that it is in use. */
  keep(): this {
    this.#timer = setInterval(() => this.#touch(), TOUCH_EVERY_MS);
    this.#timer.unref();
    return this;
  }

  /** Overwrites a byte with itself: the time of the file then comes from the clock of the file system, which may be on another machine. */
  #touch(): void {
    const now = uptime();
    if (now - this.#touched > LOST_AFTER_SECONDS) return; // other processes may already continue
    try {
      const handle = fs.openSync(this.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
      try {
        fs.writeSync(handle, '{', 0);
      } finally {
        fs.closeSync(handle);
      }
      this.#touched = now;
    } catch {
      // if the lock is gone, the check before the next write reports it; if the disk fails, so will that write
    }
  }

  /** Call it before each write. @throws UsageError when the lock is gone, or was not renewed for so long that other processes may continue */
  requireHeld(): void {
    if ((uptime() - this.#touched) * 1000 > TOUCH_EVERY_MS) this.#touch(); // the timer did not run
    if (this.isHeld) return;
    const message = 'this process has lost its lock on the file: another process may have it';
    throw badFile(this.#file, message, 'run the same command again to resume');
  }

  release(): void {
    clearInterval(this.#timer);
    remove(this.path);
    held.delete(this);
    if (held.size === 0) process.off('exit', releaseAll);
  }
}

function inUse(path: string, lock: string, owner: Owner | undefined): UsageError {
  const where = owner === undefined || owner.host === self.host ? '' : ` on ${owner.host}`;
  const hint = `wait until that process ends, or pass another file; if there is no such process, remove ${lock}`;
  return badFile(path, `in use by ${owner ? `process ${owner.pid}${where}` : 'another process'}`, hint);
}

/** Respects the one lock of earlier versions, a process id, while such a process runs. @throws UsageError */
function requireNoOldLock(path: string): void {
  const lock = `${path}.lock`;
  const file = orElse(() => fs.lstatSync(lock, { throwIfNoEntry: false }), undefined);
  if (file?.isFile() !== true || file.size > MAX_OLD_LOCK_BYTES) return;
  const pid = Number(orElse(() => fs.readFileSync(lock, 'latin1').trim(), '') || Number.NaN);
  if (!Number.isSafeInteger(pid) || pid <= 0) return; // a file that is not a lock of ours
  if (pid !== process.pid && isRunning(pid)) throw inUse(path, lock, { ...self, pid });
  remove(lock);
}

/** @returns a lock that keeps this process from continuing @throws UsageError for a folder that cannot be read */
function othersThan(own: Lock, path: string): FoundLock | undefined {
  const [folder, prefix] = [dirname(path), `${basename(path)}.lock.`];
  let names: string[];
  try {
    const all = fs.readdirSync(folder);
    const nowMs = orElse(() => fs.lstatSync(own.path).mtimeMs, 0);
    removeLeftovers(folder, all, nowMs);
    names = all.filter((name) => name.startsWith(prefix));
  } catch (error) {
    throw cannot(path, error);
  }
  if (names.length > MAX_LOCKS) {
    throw badFile(path, `${names.length} lock files were left`, `remove ${join(folder, prefix)}*`);
  }
  let blocking: FoundLock | undefined;
  for (const name of names) {
    const found = join(folder, name) === join(own.path) ? undefined : lookAt(join(folder, name));
    if (found === undefined) continue;
    const alive = found.owner && isAlive(found.owner);
    if (alive === false) {
      remove(found.path); // if that fails, there is no harm: tokens are not used again
      continue;
    }
    const nowMs = fs.lstatSync(own.path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
    // If the owner is alive after all, it notices that the lock is gone before it writes again.
    const isOver = alive === undefined && nowMs - found.modifiedMs >= DEAD_AFTER_MS && remove(found.path);
    if (!isOver) blocking = found;
  }
  return blocking;
}

/**
 * Waits up to five seconds for the lock on a file. `release` frees it, and so does the end of the process. A lock that was left by a
 * power cut or kill -9 is recognised by its age, or because its process is gone.
 * @param path a file, which need not exist; its folder must be writable
 * @param signal ends the waiting
 * @throws UsageError `usage/bad-option` when another process has the lock, or it cannot be written; the signal's reason
 */
export async function lockFile(path: string, signal?: Signal): Promise<FileLock> {
  const end = performance.now() + TRY_FOR_MS;
  for (;;) {
    requireNoOldLock(path);
    const own = new Lock(path);
    let blocking: FoundLock | undefined;
    try {
      blocking = othersThan(own, path);
    } catch (error) {
      own.release();
      throw error;
    }
    if (blocking === undefined && own.isHeld) return own.keep();
    own.release(); // if two processes see each other, both retreat
    const waitMs = WAIT_MIN_MS + Math.random() * (WAIT_MAX_MS - WAIT_MIN_MS);
    if (performance.now() + waitMs > end) throw inUse(path, blocking?.path ?? own.path, blocking?.owner);
    await sleep(waitMs, signal);
  }
}
