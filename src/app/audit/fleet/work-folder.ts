/** Where a worker keeps the part that it is at: gone with the process, and after a kill at the next start on that machine. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface WorkFolder {
  readonly path: string;
  remove(): void;
}

/** The name of this machine or container as part of a file's name. */
function machine(): string {
  return hostname()
    .replace(/[^\w.-]/g, '_')
    .slice(0, 64);
}

/** Who works: this machine or container, and the number of the process. */
export function workerName(): string {
  return `${machine()}:${process.pid}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it is there, and somebody else's
  }
}

/** Whether whoever made a folder is gone. One of this very number that is older than this process was made by another of that number. */
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
      // gone already, or somebody else's
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
  process.on('exit', remove); // a signal ends the process without any other word
  return { path, remove };
}
