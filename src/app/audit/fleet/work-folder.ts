/**
 * Makes the folder in which a worker keeps its part. It is removed when the process ends, or after a kill at the next start on that
 * machine.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface WorkFolder {
  readonly path: string;
  remove(): void;
}

/** Returns the name of this machine or container, usable in a file name. */
function machine(): string {
  return hostname()
    .replace(/[^\w.-]/g, '_')
    .slice(0, 64);
}

/** Returns the name of a worker: this machine or container, and the process id. */
export function workerName(): string {
  return `${machine()}:${process.pid}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // the process exists, but another user owns it
  }
}

/**
 * Returns whether the process that made a folder has ended. An older folder with the id of this process is from an earlier process with the
 * same id.
 */
function isLeftBehind(path: string, pid: number): boolean {
  if (pid !== process.pid) return !isAlive(pid);
  return lstatSync(path).mtimeMs < Date.now() - 1000 * process.uptime();
}

function removeLeftBehind(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const digits = name.startsWith(prefix)
      ? /^(\d{1,10})-[A-Za-z0-9]{6}$/.exec(name.slice(prefix.length))?.[1]
      : undefined;
    if (digits === undefined) continue;
    const path = join(folder, name);
    try {
      if (isLeftBehind(path, Number(digits))) rmSync(path, { recursive: true, force: true });
    } catch {
      // removed already, or owned by another user
    }
  }
}

export function makeWorkFolder(): WorkFolder {
  const prefix = `ton-finality-part-${machine()}-`;
  removeLeftBehind(tmpdir(), prefix);
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove); // a signal ends the process without further calls
  return { path, remove };
}
