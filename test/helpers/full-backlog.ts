/** An address at which connections neither come to be nor are refused, as behind a firewall that drops them. On Linux. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Listens, and then never runs again: what comes waits in the backlog, and what finds it full gets no answer. */
const LISTEN = `
  const server = require('node:net').createServer();
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** Connections in a row that wait before the backlog counts as full. */
const WAITING = 2;

export interface FullBacklog {
  readonly port: number;
  close(): void;
}

export async function startFullBacklog(): Promise<FullBacklog> {
  const child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(text.toString());
  const sockets: Socket[] = [];
  for (let waiting = 0; waiting < WAITING; ) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), 300)),
    ]);
    if (!isOpen) waiting++;
  }
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
