/** Keeps two processes off one file. A lock that its process left behind is taken over. */
import { lstatSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code); // whatever was thrown, reading a property is safe
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM'; // it is there, and somebody else's
  }
}

/** Bytes of a number. */
const MAX_LOCK_BYTES = 64;

function ownerOf(lock: string): number | undefined {
  try {
    const found = lstatSync(lock);
    if (!found.isFile() || found.size > MAX_LOCK_BYTES) return undefined; // a pipe would have us wait
    const pid = Number(readFileSync(lock, 'utf8').trim());
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // gone again, or not to be read
  }
}

/**
 * Takes `FILE.lock` until the process ends, in whatever way that is not a power cut.
 * @throws UsageError when another process has it, or it cannot be written
 */
export function lockFile(path: string): void {
  const lock = `${path}.lock`;
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        throw new UsageError('usage/bad-option', `cannot be written (${codeOf(error)})`, { path: lock, cause: error });
      }
      const owner = ownerOf(lock);
      if ((owner !== undefined && owner !== process.pid && isAlive(owner)) || tries > 0) {
        throw new UsageError('usage/bad-option', `in use by process ${owner ?? 'unknown'}`, {
          path,
          hint: `let it end, or give another file; if there is no such process, remove ${lock}`,
        });
      }
      try {
        unlinkSync(lock);
      } catch {
        // somebody was quicker: the next try tells
      }
    }
  }
  process.on('exit', () => {
    try {
      if (ownerOf(lock) === process.pid) unlinkSync(lock);
    } catch {
      // it is only a lock, and this process is over
    }
  });
}
