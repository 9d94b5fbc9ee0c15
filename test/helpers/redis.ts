/** A real Redis on a free port of this machine, started by the test, without a file of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** Whether there is one to start. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // of a listening TCP server
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface RunningRedis {
  readonly url: string;
  /** Ends it without a word, and starts another one in its place, which knows nothing. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function start(port: number): Promise<ChildProcess> {
  const child = spawn('redis-server', [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    ...['--maxmemory-policy', 'noeviction'],
  ]);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ready to accept connections')) resolve();
    });
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

export async function startRedis(): Promise<RunningRedis> {
  const port = await freePort();
  let child = await start(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await end(child);
      child = await start(port);
    },
    stop: () => end(child),
  };
}
