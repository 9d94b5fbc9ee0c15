/** In place of `node:os`, `node:crypto` and `process` in the files that commands use: the machine of the world. */
import { port } from './host.ts';

export { constants } from 'node:os';

export const hostname = (): string => 'machine';
export const uptime = (): number => port().processes.uptimeSeconds();

export function randomBytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(port().random() * 256)));
}

export const simProcess = {
  get pid(): number {
    return port().processes.self;
  },
  kill(pid: number): void {
    if (!port().processes.isRunning(pid)) throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
  },
  getuid: (): number => 1000,
  on(): void {},
  off(): void {},
};
