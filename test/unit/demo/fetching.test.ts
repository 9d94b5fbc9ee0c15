/** A file that the page fetches: from where the user said and nowhere else, whole or not at all, within its size and its time. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { download } from '../../../demo/fetching.ts';
import type { Trouble } from '../../../demo/protocol.ts';
import { troubleOf } from '../../../demo/trouble.ts';

const MAX = 1000;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}

const fetched = (url: string, deadlineMs = 30_000) =>
  download({ kind: 'download', url, maxBytes: MAX, deadlineMs }, () => {});

const trouble = (url: string, deadlineMs?: number): Promise<Trouble> =>
  fetched(url, deadlineMs).then(() => expect.unreachable(), troubleOf);

describe('a file by its URL', () => {
  it('comes whole, named by the last part of its path', async () => {
    const origin = await serve((_, response) => response.end('x'.repeat(MAX)));
    const { given, words } = await fetched(` ${origin}/a/checkpoint.json?key=secret `);
    expect([given.name, given.bytes.length, words]).toEqual(['checkpoint.json', MAX, 'Fetched 1000 bytes.']);
    expect((await fetched(`${origin}/${'n'.repeat(500)}`)).given.name).toHaveLength(100);
  });

  it('is not taken from where the server sends the page', async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end('other');
    });
    for (const status of [301, 302, 307, 308]) {
      const origin = await serve((_, response) => response.writeHead(status, { location: other }).end());
      const { error } = await trouble(`${origin}/file`);
      expect(error).toMatchObject({
        code: 'source/upstream',
        message: 'the server redirects, and redirects are not followed',
      });
    }
    expect(asked).toBe(0);
  });

  it.each([
    'file:///etc/passwd',
    'data:application/json,{}',
    'blob:null/00000000-0000-4000-8000-000000000000',
    'javascript:alert(1)',
    'ftp://127.0.0.1/file',
    'wss://127.0.0.1/file',
    'checkpoint.json',
    '//127.0.0.1/file',
    '',
    'http://example.invalid/file',
    'http://127.0.0.1.example.invalid/file',
    'http://[::ffff:1.2.3.4]/file',
    'http://name:hidden@127.0.0.1/file',
  ])('is refused before anything is sent, and never repeated in a message: %j', async (url) => {
    const { part, error } = await trouble(url);
    expect([part, error.code, error.path]).toEqual(['server', 'usage/bad-option', 'url']);
    expect(error.message).not.toMatch(/hidden|passwd/);
  });

  it('is not taken when the connection ends before it does', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('{"half":', () => setTimeout(() => response.destroy(), 20));
    });
    const { error } = await trouble(`${origin}/file`);
    expect(error).toMatchObject({
      code: 'source/upstream',
      message: 'the file broke off: the connection ended before its end',
    });
  });

  it.each([
    ['no answer', () => {}],
    [
      'an answer without an end',
      (response: { write(text: string): void }) => {
        response.write('{');
      },
    ],
  ])('is given up after its time: %s', async (_, answer) => {
    const origin = await serve((_, response) => answer(response));
    const { error } = await trouble(`${origin}/file`, 200);
    expect(error).toMatchObject({ code: 'source/timeout', message: 'no whole file within 0.2 s' });
  });

  it('is not read beyond its size, and the server is let go', async () => {
    let isClosed: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve;
    });
    const origin = await serve((_, response) => {
      const more = setInterval(() => response.write('x'.repeat(400)), 5);
      response.on('close', () => {
        clearInterval(more);
        isClosed();
      });
    });
    expect((await trouble(`${origin}/file`)).error.code).toBe('source/too-large');
    await closed;
  });

  it('is not an error page', async () => {
    const origin = await serve((_, response) => response.writeHead(404).end('{}'));
    expect((await trouble(`${origin}/file`)).error.message).toBe('the server answered 404');
  });
});
