/**
 * Files of a world: what the system's cache holds, which every process sees and kill -9 leaves, and what the disk holds, which is
 * what a power cut leaves. All lie in one folder.
 */
import { constants } from 'node:fs';
import { type Random, random } from './random.ts';

export const FOLDER = '/world';

interface Node {
  data: Uint8Array;
  /** What is on the disk of it; `undefined` for nothing. */
  durable: Uint8Array | undefined;
  mtimeMs: number;
  mode: number;
  readonly ino: number;
}

type Changes = readonly (readonly [path: string, node: Node | undefined])[];

interface Handle {
  /** None for the folder. */
  readonly node: Node | undefined;
  at: number;
  readonly appends: boolean;
}

/** Whoever uses files, and may be killed at any of these uses. */
export interface FileUser {
  readonly pid: number;
  /** live: go on. dies: killed within this very call. dead: nothing happens any more. */
  act(): 'live' | 'dies' | 'dead';
}

const UID = 1000;
const ENOENT = 'ENOENT';

function fail(code: string, path = ''): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
};

export class Disk {
  readonly #nowMs: () => number;
  readonly #random: Random;
  readonly #changed: (path: string) => void;
  #names = new Map<string, Node>();
  #durableNames = new Map<string, Node>();
  /** Changes of names that the folder on the disk does not have, in order; each is there or not as a whole. */
  #pending: Changes[] = [];
  #ino = 1;
  /** Nothing can be written. */
  isFull = false;

  /** @param changed told when a name has another file than before */
  constructor(seed: number, nowMs: () => number, changed: (path: string) => void) {
    this.#nowMs = nowMs;
    this.#random = random('disk', seed);
    this.#changed = changed;
  }

  /** What is in a file, the very object for as long as it is the same. */
  peek(path: string): Uint8Array | undefined {
    return this.#names.get(path)?.data;
  }

  list(): string[] {
    return [...this.#names.keys()];
  }

  /** The user removes a file. */
  drop(path: string): void {
    this.#name([[path, undefined]]);
    this.#syncFolder();
  }

  /** The machine goes down: of what was not brought to disk, some is there and some is not. */
  cutPower(): void {
    const kept = this.#random.int(0, this.#pending.length);
    for (const changes of this.#pending.slice(0, kept)) this.#put(this.#durableNames, changes);
    this.#pending = [];
    this.#names = new Map(this.#durableNames);
    for (const node of this.#names.values()) {
      if (node.data === node.durable) continue;
      const whole = node.data;
      const torn = whole.slice(0, this.#random.int(0, whole.length));
      node.data = this.#random.pick([
        node.durable ?? torn,
        torn,
        joined(torn, new Uint8Array(whole.length - torn.length)),
      ]);
      node.durable = node.data;
    }
  }

  #put(names: Map<string, Node>, changes: Changes): void {
    for (const [path, node] of changes) {
      if (node === undefined) names.delete(path);
      else names.set(path, node);
    }
  }

  #name(changes: Changes): void {
    this.#put(this.#names, changes);
    this.#pending.push(changes);
    for (const [path] of changes) this.#changed(path);
  }

  #syncFolder(): void {
    for (const changes of this.#pending) this.#put(this.#durableNames, changes);
    this.#pending = [];
  }

  /** `node:fs` of one process, as far as the code that is tried uses it. */
  of(user: FileUser): FileSystem {
    return new FileSystem(user, {
      get: (path) => this.#names.get(path),
      name: (...changes) => this.#name(changes),
      names: () => [...this.#names.keys()],
      syncFolder: () => this.#syncFolder(),
      make: (mode) => ({
        data: new Uint8Array(0),
        durable: undefined,
        mtimeMs: this.#nowMs(),
        mode: mode & 0o777,
        ino: this.#ino++,
      }),
      nowMs: this.#nowMs,
      random: this.#random,
      isFull: () => this.isFull,
    });
  }
}

interface Folder {
  get(path: string): Node | undefined;
  name(...changes: Changes): void;
  names(): string[];
  syncFolder(): void;
  make(mode: number): Node;
  nowMs(): number;
  readonly random: Random;
  isFull(): boolean;
}

const { O_APPEND, O_CREAT, O_EXCL } = constants;

function statsOf(node: Node | undefined) {
  const no = () => false;
  return {
    isFile: () => node !== undefined,
    isDirectory: () => node === undefined,
    isSymbolicLink: no,
    isFIFO: no,
    isSocket: no,
    uid: UID,
    gid: UID,
    mode: node?.mode ?? 0o755,
    mtimeMs: node?.mtimeMs ?? 0,
    dev: 1,
    ino: node?.ino ?? 0,
    size: node?.data.length ?? 0,
  };
}

export class FileSystem {
  readonly #user: FileUser;
  readonly #folder: Folder;
  readonly #handles = new Map<number, Handle>();
  #next = 100;

  constructor(user: FileUser, folder: Folder) {
    this.#user = user;
    this.#folder = folder;
  }

  /** Does something that lasts. Who is killed within it has done it or not. */
  #act(act: () => void): void {
    const state = this.#user.act();
    if (state === 'live' || (state === 'dies' && this.#folder.random.chance(0.5))) act();
    if (state !== 'live') throw fail('EKILLED');
  }

  #handle(handle: number): Handle {
    const open = this.#handles.get(handle);
    if (open === undefined) throw fail('EBADF');
    return open;
  }

  #open(node: Node | undefined, appends: boolean): number {
    this.#handles.set(this.#next, { node, at: 0, appends });
    return this.#next++;
  }

  openSync(path: string, flags: string | number, mode = 0o666): number {
    if (path === FOLDER) return this.#open(undefined, false);
    const isNew = flags === 'wx' || flags === 'w' || (typeof flags === 'number' && (flags & O_CREAT) !== 0);
    const mustBeNew = flags === 'wx' || (typeof flags === 'number' && (flags & O_EXCL) !== 0);
    const node = this.#folder.get(path);
    if (node !== undefined) {
      if (mustBeNew) throw fail('EEXIST', path);
      if (flags === 'w') {
        this.#act(() => {
          node.data = new Uint8Array(0);
        });
      }
      return this.#open(node, typeof flags === 'number' && (flags & O_APPEND) !== 0);
    }
    if (!isNew) throw fail(ENOENT, path);
    if (this.#folder.isFull() && this.#folder.random.chance(0.3)) throw fail('ENOSPC', path);
    const made = this.#folder.make(mode);
    this.#act(() => this.#folder.name([path, made]));
    return this.#open(made, typeof flags === 'number' && (flags & O_APPEND) !== 0);
  }

  closeSync(handle: number): void {
    this.#handle(handle);
    this.#handles.delete(handle);
  }

  /** Bytes over what is there, from a place. A process that is killed, and a full disk, leave the first of them. */
  #write(node: Node, bytes: Uint8Array, at: number): void {
    const state = this.#user.act();
    if (state === 'dead') throw fail('EKILLED');
    const isFull = this.#folder.isFull() && at + bytes.length > node.data.length;
    const isTorn = state === 'dies' || isFull;
    const written = isTorn ? bytes.subarray(0, this.#folder.random.int(0, bytes.length)) : bytes;
    const data = new Uint8Array(Math.max(node.data.length, at + written.length));
    data.set(node.data);
    data.set(written, at);
    node.data = data;
    node.mtimeMs = this.#folder.nowMs();
    if (state === 'dies') throw fail('EKILLED');
    if (isFull) throw fail('ENOSPC');
  }

  writeFileSync(
    to: string | number,
    content: string | Uint8Array,
    { flag = 'w', mode = 0o666 }: { readonly flag?: string; readonly mode?: number } = {},
  ): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    if (typeof to === 'number') {
      const open = this.#handle(to);
      const at = open.appends ? open.node!.data.length : open.at;
      this.#write(open.node!, bytes, at);
      open.at = at + bytes.length;
      return;
    }
    const handle = this.openSync(to, flag, mode);
    try {
      this.writeFileSync(handle, bytes);
    } finally {
      this.closeSync(handle);
    }
  }

  writeSync(handle: number, text: string, at: number): void {
    this.#write(this.#handle(handle).node!, Buffer.from(text), at);
  }

  readSync(handle: number, into: Uint8Array, offset = 0, length = into.length - offset, position?: number): number {
    const open = this.#handle(handle);
    const from = position ?? open.at;
    const bytes = open.node!.data.subarray(from, from + length);
    into.set(bytes, offset);
    if (position === undefined) open.at += bytes.length;
    return bytes.length;
  }

  ftruncateSync(handle: number, length: number): void {
    const node = this.#handle(handle).node!;
    this.#act(() => {
      node.data = node.data.slice(0, length);
    });
  }

  fsyncSync(handle: number): void {
    const { node } = this.#handle(handle);
    this.#act(() => {
      if (node === undefined) this.#folder.syncFolder();
      else node.durable = node.data;
    });
  }

  fstatSync(handle: number) {
    return statsOf(this.#handle(handle).node);
  }

  fchmodSync(handle: number, mode: number): void {
    this.#handle(handle).node!.mode = mode;
  }

  lstatSync(path: string, { throwIfNoEntry = true }: { readonly throwIfNoEntry?: boolean } = {}) {
    const node = this.#folder.get(path);
    if (node !== undefined || path === FOLDER) return statsOf(node);
    if (throwIfNoEntry) throw fail(ENOENT, path);
    return undefined;
  }

  accessSync(path: string): void {
    if (path !== FOLDER && this.#folder.get(path) === undefined) throw fail(ENOENT, path);
  }

  renameSync(from: string, to: string): void {
    const node = this.#folder.get(from);
    if (node === undefined) throw fail(ENOENT, from);
    this.#act(() => this.#folder.name([from, undefined], [to, node]));
  }

  unlinkSync(path: string): void {
    if (this.#folder.get(path) === undefined) throw fail(ENOENT, path);
    this.#act(() => this.#folder.name([path, undefined]));
  }

  readdirSync(path: string): string[] {
    if (path !== FOLDER) throw fail(ENOENT, path);
    return this.#folder.names().map((name) => name.slice(FOLDER.length + 1));
  }

  /** Handles that are open. */
  get open(): number {
    return this.#handles.size;
  }
}
