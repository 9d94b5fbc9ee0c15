/** In place of `node:fs` in the files that commands use: those of the world, and what `/proc` shows of its processes. */
import { constants } from 'node:fs';
import { port } from './host.ts';

export { constants };

const disk = () => port().disk;

export const openSync = (path: string, flags: string | number, mode?: number) => disk().openSync(path, flags, mode);
export const closeSync = (handle: number) => disk().closeSync(handle);
export const writeFileSync = (to: string | number, content: string | Uint8Array, opts?: object) =>
  disk().writeFileSync(to, content, opts);
export const writeSync = (handle: number, text: string, at: number) => disk().writeSync(handle, text, at);
export const readSync = (handle: number, into: Uint8Array, offset?: number, length?: number, position?: number) =>
  disk().readSync(handle, into, offset, length, position);
export const ftruncateSync = (handle: number, length: number) => disk().ftruncateSync(handle, length);
export const fsyncSync = (handle: number) => disk().fsyncSync(handle);
export const fstatSync = (handle: number) => disk().fstatSync(handle);
export const fchmodSync = (handle: number, mode: number) => disk().fchmodSync(handle, mode);
export const fchownSync = () => {};
export const lstatSync = (path: string, opts?: object) => disk().lstatSync(path, opts);
export const statSync = (path: string, opts?: object) => disk().lstatSync(path, opts);
export const accessSync = (path: string) => disk().accessSync(path);
export const existsSync = (path: string) => disk().lstatSync(path, { throwIfNoEntry: false }) !== undefined;
export const renameSync = (from: string, to: string) => disk().renameSync(from, to);
export const unlinkSync = (path: string) => disk().unlinkSync(path);
export const readdirSync = (path: string) => disk().readdirSync(path);

const NONE = Object.assign(new Error('ENOENT'), { code: 'ENOENT' });

/** A process of a world begins at a time that its number says: none comes again. */
export function readFileSync(path: string): string {
  const { processes } = port();
  if (path === '/proc/sys/kernel/random/boot_id') return `boot ${processes.boots}`;
  const pid = path === '/proc/self/stat' ? processes.self : Number(/^\/proc\/(\d+)\/stat$/.exec(path)?.[1]);
  if (!processes.isRunning(pid)) throw NONE;
  return `${pid} (node) S${' 0'.repeat(18)} ${1000 + pid} 0`;
}

export function readlinkSync(path: string): string {
  if (path === '/proc/self') return String(port().processes.self);
  return path === '/proc/self/ns/pid' ? 'pid:[1]' : 'time:[1]';
}
