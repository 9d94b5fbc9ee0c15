/** Processes that contend for locks: started here, in this PID namespace or in one of their own, as containers have. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { LockReply, LockRequest } from './lock-contender.ts';
import { ROOT } from './vectors.ts';

/** Words of `unshare` for a process that is number 1 of its own namespace. */
export const NAMESPACE = ['-Urpf', '--mount-proc', '--kill-child'];

/** Whether this machine lets its user make a PID namespace; says so loudly where it does not. */
export function canMakeNamespaces(): boolean {
  const tried = spawnSync('unshare', [...NAMESPACE, 'true']);
  if (tried.status === 0) return true;
  process.stderr.write(
    `\n*** NOT TESTED: locks between PID namespaces (containers). unshare ${NAMESPACE.join(' ')} is refused here: ${tried.error?.message ?? tried.stderr.toString().trim()} ***\n\n`,
  );
  return false;
}

export class Contender {
  readonly #child: ChildProcess;
  readonly #waiting: { readonly file: string; readonly resolve: (reply: LockReply) => void }[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply: LockReply) => {
      const at = this.#waiting.findIndex(({ file }) => file === reply.file);
      if (at >= 0) this.#waiting.splice(at, 1)[0]?.resolve(reply);
    });
  }

  /** @param isContained in a PID namespace of its own */
  static async start(isContained = false): Promise<Contender> {
    const node = [process.execPath, join(ROOT, 'build/test/helpers/lock-contender.js')];
    const [command = '', ...words] = isContained ? ['unshare', ...NAMESPACE, ...node] : node;
    const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const contender = new Contender(child);
    await contender.#next('');
    return contender;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  #next(file: string): Promise<LockReply> {
    return new Promise((resolve) => this.#waiting.push({ file, resolve }));
  }

  #ask(request: LockRequest, file: string): Promise<LockReply> {
    const reply = this.#next(file);
    this.#child.send(request);
    return reply;
  }

  take(files: readonly string[]): Promise<readonly LockReply[]> {
    const replies = files.map((file) => this.#next(file));
    this.#child.send({ take: files } satisfies LockRequest);
    return Promise.all(replies);
  }

  release(file: string): Promise<LockReply> {
    return this.#ask({ release: file }, file);
  }

  look(file: string): Promise<LockReply> {
    return this.#ask({ look: file }, file);
  }

  /** Lets the clock of its machine go on without it. */
  async sleep(sleepSeconds: number): Promise<void> {
    await this.#ask({ sleepSeconds }, '');
  }

  /** Lets it end by itself. */
  async leave(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await ended;
  }

  /** Ends it, and waits for that. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(signal);
    await ended;
  }
}

export interface LockRounds {
  /** Rounds by what became of them: `1 owner` is as it should be. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Rounds in which all contenders ask for one file at once, every second of them over a lock that a process left behind when it was
 * killed. All rounds of a call run side by side.
 */
export async function lockRounds(contenders: readonly Contender[], files: readonly string[]): Promise<LockRounds> {
  const dead = await Contender.start();
  const left = files.filter((_, at) => at % 2 === 1);
  await dead.take(left);
  const inside = await Promise.all(left.map((file) => dead.look(file)));
  if (inside.some(({ became }) => became !== 'held')) throw new Error('the process to be killed has no locks');
  await dead.end();
  for (const file of left) unlinkSync(`${file}.inside`);
  const replies = await Promise.all(contenders.map((one) => one.take(files)));
  const counts: Record<string, number> = {};
  for (const [at, file] of files.entries()) {
    const became = replies.map((of) => of[at]!.became);
    const owners = became.filter((one) => one === 'owner' || one === 'twice').length;
    const name = `${owners} owner${owners === 1 ? '' : 's'}`;
    counts[name] = (counts[name] ?? 0) + 1;
    await Promise.all(contenders.flatMap((one, of) => (became[of] === 'owner' ? [one.release(file)] : [])));
  }
  return { counts };
}
