/** A command that is behind a proxy that does not work ends by itself, with an error that says whose fault it is. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startCli } from '../../helpers/run-cli.ts';

const GENESIS = 'vectors/real/mainnet-genesis';

async function behind(act: (socket: Socket) => void, deadline = '2') {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    act(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const words = ['verify', '7', '--base-url', 'https://192.0.2.1/api/v2', '--validators', `${GENESIS}/validators.json`];
  const { ended } = startCli([...words, '--deadline', deadline], { env: { https_proxy: proxy, no_proxy: '' } });
  const { code, stderr } = await ended;
  server.close();
  return { code, stderr, connections };
}

it('ends behind a proxy that hangs up: one connection a try', async () => {
  const { code, stderr, connections } = await behind((socket) => socket.destroy(), '20');
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('no connection, or it failed') });
  expect(connections).toBeLessThanOrEqual(5);
});

it('ends behind a proxy that says nothing, which keeps the connection open', async () => {
  const { code, stderr, connections } = await behind((socket) => socket.on('data', () => {}));
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('no whole answer in time') });
  expect(connections).toBe(1);
});

it('names the variable that names no proxy', async () => {
  const words = ['verify', '7', '--base-url', 'https://192.0.2.1/api/v2', '--validators', `${GENESIS}/validators.json`];
  const { code, stderr } = await startCli(words, { env: { https_proxy: 'user:secret@proxy:1' } }).ended;
  expect(code).toBe(2);
  expect(stderr).toBe(
    'ton-finality: https_proxy: expected the URL of an HTTP proxy in this variable of the environment\nhint: write http://HOST:PORT, or unset it\n',
  );
});
